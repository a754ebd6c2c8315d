// Loops over those members of a range who pass a test. A thousand of the range are tested before
// the code of any who passes: then it is known who comes later, and their rows can be asked for.
// Which vertices pass cannot be foreseen, neither by the processor nor by looking a fixed way
// ahead.
#include "compile/algorithm/lanes.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

#include "llvm/IR/Intrinsics.h"

namespace tropic::compile {

namespace {

/// Of the range, at once; a multiple of 64.
constexpr std::int64_t tested = 1024;
/// Between asking for a member's row and its code.
constexpr std::int64_t members_ahead = 16;

} // namespace

void Code::loop_passing(const Edges& range, const Collect& collect, const Ask& ask,
                        const std::function<void(llvm::Value*, const Loop&)>& body) {
    // Packing a vector writes all of its lanes.
    llvm::AllocaInst* const list =
        new_cell(llvm::ArrayType::get(unit.index, tested + Lanes::count(unit)), "passing");
    llvm::AllocaInst* const count = new_cell(unit.i64, "passing_count");
    const auto item = [&](llvm::Value* number) {
        llvm::Value* const where = b.CreateInBoundsGEP(unit.index, list, number);
        return b.CreateSExt(b.CreateLoad(unit.index, where), unit.i64);
    };
    llvm::Value* const zero = b.getInt64(0);
    llvm::Value* const one = b.getInt64(1);
    loop(range.begin, range.end, b.getInt64(tested), Pace::single,
         [&](llvm::Value* first, const Loop&) {
             b.CreateStore(zero, count);
             llvm::Value* const end = b.CreateBinaryIntrinsic(
                 llvm::Intrinsic::smin, b.CreateNSWAdd(first, b.getInt64(tested)), range.end);
             collect({first, end}, {list, count});
             llvm::Value* const all = b.CreateLoad(unit.i64, count);
             if (ask) {
                 llvm::Value* const few =
                     b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, all, b.getInt64(members_ahead));
                 loop(zero, few, one, Pace::single,
                      [&](llvm::Value* number, const Loop&) { ask(item(number)); });
             }
             llvm::Value* const last = b.CreateNSWSub(all, one);
             loop(zero, all, one, Pace::single, [&](llvm::Value* number, const Loop& blocks) {
                 if (ask) {
                     llvm::Value* const later = b.CreateNSWAdd(number, b.getInt64(members_ahead));
                     ask(item(b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, later, last)));
                 }
                 body(item(number), blocks);
             });
         });
}

void Code::collect_passing(const Edges& range, const Passing& found, const GroupTest& test) {
    loop(range.begin, range.end, b.getInt64(Lanes::count(unit)), Pace::single,
         [&](llvm::Value* place, const Loop&) {
             llvm::Value* const passing = test(place, lanes_inside(range, place));
             llvm::Value* const before = b.CreateLoad(unit.i64, found.count);
             pack(numbers_from(place), passing,
                  b.CreateInBoundsGEP(unit.index, found.list, before));
             b.CreateStore(b.CreateNSWAdd(before, how_many(passing)), found.count);
         });
}

void Code::collect_members(alg::VariableId set, bool members, const Edges& range,
                           const Passing& found) {
    loop_bits(set, members, range.begin, range.end, [&](llvm::Value* which, const Loop&) {
        llvm::Value* const before = b.CreateLoad(unit.i64, found.count);
        b.CreateStore(b.CreateTrunc(which, unit.index),
                      b.CreateInBoundsGEP(unit.index, found.list, before));
        b.CreateStore(b.CreateNSWAdd(before, b.getInt64(1)), found.count);
    });
}

} // namespace tropic::compile
