// Chosen lanes of vectors, side by side in memory.
#include <algorithm>
#include <numeric>

#include "compile/algorithm/lanes.h"

#include "llvm/IR/Intrinsics.h"

namespace tropic::compile {

namespace {

constexpr int register_bytes = 64;

} // namespace

void Code::pack(llvm::Value* all, llvm::Value* chosen, llvm::Value* to) {
    const int lanes = Lanes::count(unit);
    llvm::Type* const one = all->getType()->getScalarType();
    const int bytes = static_cast<int>(one->getPrimitiveSizeInBits().getFixedValue() / 8);
    // Vectors of more than a register are packed in parts that fit into one.
    const int part = std::min(lanes, register_bytes / bytes);
    for (int first = 0; first < lanes; first += part) {
        llvm::SmallVector<int> numbers(static_cast<std::size_t>(part));
        std::iota(numbers.begin(), numbers.end(), first);
        const auto part_of = [&](llvm::Value* vector) {
            return part == lanes ? vector : b.CreateShuffleVector(vector, numbers);
        };
        llvm::Value* const here = part_of(all);
        llvm::Value* const some = part_of(chosen);
        llvm::Value* const packed =
            b.CreateIntrinsic(llvm::Intrinsic::experimental_vector_compress, {here->getType()},
                              {here, some, llvm::PoisonValue::get(here->getType())});
        b.CreateAlignedStore(packed, to, llvm::Align(static_cast<std::uint64_t>(bytes)));
        if (first + part < lanes) to = b.CreateInBoundsGEP(one, to, how_many(some));
    }
}

llvm::Value* Code::how_many(llvm::Value* chosen) {
    const unsigned lanes = llvm::cast<llvm::FixedVectorType>(chosen->getType())->getNumElements();
    llvm::Value* const mask = b.CreateBitCast(chosen, b.getIntNTy(lanes));
    return b.CreateZExt(b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, mask), unit.i64);
}

} // namespace tropic::compile
