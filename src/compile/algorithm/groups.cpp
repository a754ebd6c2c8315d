// Loops over the edges of a row, a vector of them at a time.
#include "compile/algorithm/lanes.h"

#include "llvm/IR/Intrinsics.h"

namespace tropic::compile {

namespace {

/// Shorter rows are done edge by edge.
constexpr std::int64_t long_row = 8;

} // namespace

llvm::Value* Code::is_long(const Edges& edges) {
    return b.CreateICmpSGE(b.CreateNSWSub(edges.end, edges.begin), b.getInt64(long_row));
}

llvm::Value* Code::lanes_inside(const Edges& edges, llvm::Value* place) {
    const auto lanes = static_cast<unsigned>(Lanes::count(unit));
    llvm::Value* const left = b.CreateBinaryIntrinsic(
        llvm::Intrinsic::umin, b.CreateNSWSub(edges.end, place), b.getInt64(lanes));
    // A mask of bits: a comparison with a vector of numbers would load these in front of loops
    // whose rows may all be too short for vectors, and processors slow down for the widest of them.
    llvm::Value* const bits =
        b.CreateSub(b.CreateShl(b.getInt32(1), b.CreateTrunc(left, unit.i32)), b.getInt32(1));
    return b.CreateBitCast(b.CreateTrunc(bits, b.getIntNTy(lanes)),
                           llvm::FixedVectorType::get(b.getInt1Ty(), lanes));
}

llvm::Value* Code::numbers_from(llvm::Value* place) {
    const auto lanes = static_cast<unsigned>(Lanes::count(unit));
    llvm::Value* const first = b.CreateIntCast(place, unit.index, true);
    return b.CreateAdd(b.CreateVectorSplat(lanes, first),
                       b.CreateStepVector(llvm::FixedVectorType::get(unit.index, lanes)));
}

llvm::Value* Code::group_mask(const Edges& edges, llvm::Value* place, const GroupTest& test) {
    const auto lanes = static_cast<unsigned>(Lanes::count(unit));
    llvm::Value* const passing = test(place, lanes_inside(edges, place));
    llvm::Value* const mask = b.CreateBitCast(passing, b.getIntNTy(lanes));
    return b.CreateZExt(mask, unit.i32);
}

void Code::each_bit(llvm::AllocaInst* rest, const Loop& blocks,
                    const std::function<void(llvm::Value*, const Loop&)>& body) {
    llvm::Type* const word = rest->getAllocatedType();
    llvm::BasicBlock* const head = block("head");
    llvm::BasicBlock* const inside = block("inside");
    go_on_in(head);
    llvm::Value* const left = b.CreateLoad(word, rest);
    llvm::Value* const none = llvm::ConstantInt::get(word, 0);
    b.CreateCondBr(b.CreateICmpEQ(left, none), blocks.next, inside);
    b.SetInsertPoint(inside);
    llvm::Value* const lowest =
        b.CreateIntrinsic(llvm::Intrinsic::cttz, {word}, {left, b.getTrue()});
    b.CreateStore(b.CreateAnd(left, b.CreateSub(left, llvm::ConstantInt::get(word, 1))), rest);
    body(b.CreateZExt(lowest, unit.i64), Loop{head, blocks.leave});
    if (is_open()) b.CreateBr(head);
    b.SetInsertPoint(block("dead"));
}

void Code::loop_groups(const Edges& edges, const GroupTest& test,
                       const std::function<void(llvm::Value*, const Loop&)>& body) {
    llvm::AllocaInst* const rest = new_cell(unit.i32, "rest");
    llvm::BasicBlock* const done = block("done");
    loop(edges.begin, edges.end, b.getInt64(Lanes::count(unit)), Pace::single,
         [&](llvm::Value* place, const Loop& outer) {
             b.CreateStore(group_mask(edges, place, test), rest);
             each_bit(rest, {outer.next, done}, [&](llvm::Value* bit, const Loop& blocks) {
                 body(b.CreateNSWAdd(place, bit), blocks);
             });
         });
    go_on_in(done);
}

llvm::Value* Code::count_in_groups(const Edges& edges, const GroupTest& test) {
    llvm::AllocaInst* const total = new_cell(unit.i64, "total");
    b.CreateStore(b.getInt64(0), total);
    loop(edges.begin, edges.end, b.getInt64(Lanes::count(unit)), Pace::single,
         [&](llvm::Value* place, const Loop&) {
             llvm::Value* const mask = group_mask(edges, place, test);
             llvm::Value* const found =
                 b.CreateZExt(b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, mask), unit.i64);
             b.CreateStore(b.CreateAdd(b.CreateLoad(unit.i64, total), found), total);
         });
    return b.CreateLoad(unit.i64, total);
}

bool Code::counts_in_lanes(const alg::Reduction& r) const {
    using Kind = alg::Expression::Kind;
    if (!unit.gathers || !setting.member || r.graph < 0 || !r.condition) return false;
    if (r.monoid.operation != alg::Operation::add || r.found >= 0 || r.edge >= 0) return false;
    const alg::Type& type = r.value.type;
    if (type.record >= 0 || type.lanes > 1 || is_real(type) || is_truth(type)) return false;
    if (r.value.kind != Kind::constant) return false;
    const EdgeGroup group{nullptr, nullptr, r.graph, r.inward, r.label, r.weight, {}};
    if (!Lanes::can(unit, *r.condition, group, {})) return false;
    const std::function<bool(const alg::Expression&)> fetches = [&](const alg::Expression& e) {
        if (e.kind == Kind::member || e.kind == Kind::element) return true;
        for (const alg::Expression& operand : e.operands) {
            if (fetches(operand)) return true;
        }
        return false;
    };
    return fetches(*r.condition);
}

} // namespace tropic::compile
