// Who is in a bucket, found by looking at all keys. Where every bucket holds a good part of all
// vertices, that takes less time than noting for each change of a key where its vertex is now.
#include "compile/algorithm/lanes.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

#include "llvm/IR/Intrinsics.h"

namespace tropic::compile {

using cpu::WorkerView;

bool Code::can_find(const Unit& unit, const alg::Type& key) {
    return unit.gathers && !key.vertex &&
           (key.element == ElementType::int32 || key.element == ElementType::int64);
}

llvm::Value* Code::first_key(llvm::Value* bucket) {
    llvm::Value* const width = b.CreateSExt(bucket_width(), unit.i64);
    llvm::Value* const product =
        b.CreateBinaryIntrinsic(llvm::Intrinsic::smul_with_overflow, bucket, width);
    const alg::Type type = element_of(unit.variable(setting.buckets->key).type);
    const auto bits = static_cast<unsigned>(8 * unit.bytes_of(type));
    llvm::Value* const most = b.CreateSExt(infinity(type), unit.i64);
    llvm::Value* const least = b.getInt(llvm::APInt::getSignedMinValue(bits).sext(64));
    llvm::Value* const beyond = b.CreateSelect(b.CreateICmpSLT(bucket, b.getInt64(0)), least, most);
    llvm::Value* const key =
        b.CreateSelect(b.CreateExtractValue(product, 1), beyond, b.CreateExtractValue(product, 0));
    return b.CreateBinaryIntrinsic(
        llvm::Intrinsic::smax, b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, key, most), least);
}

llvm::Value* Code::first_key_of(std::int64_t field) {
    const alg::Type type = element_of(unit.variable(setting.buckets->key).type);
    return b.CreateTrunc(first_key(worker_field(field, unit.i64)), unit.value_type(type));
}

void Code::find_members() {
    const alg::VariableId keys = setting.buckets->key;
    const alg::Type type = element_of(unit.variable(keys).type);
    const auto lanes = static_cast<unsigned>(Lanes::count(unit));
    llvm::Type* const one = unit.value_type(type);
    auto* const many = llvm::FixedVectorType::get(one, lanes);
    auto* const indices = llvm::FixedVectorType::get(unit.index, lanes);
    const auto splat = [&](llvm::Value* value) { return b.CreateVectorSplat(lanes, value); };

    llvm::Constant* const infinite = infinity(type);
    llvm::Value* const low = splat(b.CreateTrunc(first_key(argument(2)), one));
    llvm::Value* const high = splat(first_key_of(offsetof(WorkerView, until)));
    llvm::Value* const numbers = b.CreateStepVector(indices);

    llvm::AllocaInst* const count = new_cell(unit.i64, "found");
    llvm::AllocaInst* const least = new_cell(many, "least");
    b.CreateStore(worker_field(offsetof(WorkerView, found), unit.i64), count);
    b.CreateStore(splat(infinite), least);
    const Edges all{argument(3), argument(4)};
    loop(all.begin, all.end, b.getInt64(lanes), Pace::single, [&](llvm::Value* place, const Loop&) {
        llvm::Value* const key =
            b.CreateMaskedLoad(many, address(keys, place), llvm::Align(unit.bytes_of(type)),
                               lanes_inside(all, place), splat(infinite));
        llvm::Value* const before = b.CreateICmpSLT(key, high);
        llvm::Value* const wanted = b.CreateAnd(before, b.CreateICmpSGE(key, low));
        llvm::Value* const which =
            b.CreateAdd(splat(b.CreateIntCast(place, unit.index, true)), numbers);
        llvm::Value* const packed =
            b.CreateIntrinsic(llvm::Intrinsic::experimental_vector_compress, {indices},
                              {which, wanted, llvm::PoisonValue::get(indices)});
        llvm::Value* const so_far = b.CreateLoad(unit.i64, count);
        llvm::StoreInst* const stored =
            b.CreateAlignedStore(packed, b.CreateInBoundsGEP(unit.index, argument(5), so_far),
                                 llvm::Align(unit.wide ? 8 : 4));
        unit.mark(stored, Memory::list, -1);
        llvm::Value* const mask = b.CreateBitCast(wanted, b.getIntNTy(lanes));
        llvm::Value* const more = b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, mask);
        b.CreateStore(b.CreateAdd(so_far, b.CreateZExt(more, unit.i64)), count);
        llvm::Value* const later = b.CreateSelect(before, splat(infinite), key);
        b.CreateStore(
            b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, b.CreateLoad(many, least), later),
            least);
    });
    b.CreateStore(b.CreateLoad(unit.i64, count), at(b, worker(), offsetof(WorkerView, found)));
    llvm::Value* const next = b.CreateIntMinReduce(b.CreateLoad(many, least), true);
    when(b.CreateICmpSLT(next, infinite), [&] {
        llvm::Value* const place = at(b, worker(), offsetof(WorkerView, least));
        llvm::Value* const known = b.CreateLoad(unit.i64, place);
        b.CreateStore(b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, known, bucket_of(next)),
                      place);
    });
}

} // namespace tropic::compile
