// Folds into a row that is kept to the places of a mask. Most terms of such a product are turned
// away, and which ones is hard to guess: the places of several entries are looked at together, and
// only those that are wanted go through the code of one.
#include "compile/emit/kernel_emitter_class.h"
#include "compile/emit/lane_operations.h"

namespace tropic::compile {

namespace {

/// Looking at a vector of entries takes as long as at so many one by one.
constexpr std::int64_t worth_a_vector = 8;

} // namespace

bool KernelEmitter::fills_marked_row(it::IndexOp index, const Cursor& cursor) {
    if (!gathers_ || cursor.groups || cursor.is_row || !only_fills_row(index)) return false;
    auto compute = mlir::cast<it::ComputeOp>(index.block().front());
    return compute.getMasked() &&
           workspaces_.at(compute.getTarget()).label == index.getLabel().str();
}

void KernelEmitter::walk_marked(it::IndexOp index, const std::string& label,
                                std::vector<Cursor>& cursors, Value begin, Value end) {
    mlir::OpBuilder& builder = code_.builder();
    const Cursor& cursor = cursors[0];
    const Workspace& row =
        workspaces_.at(mlir::cast<it::ComputeOp>(index.block().front()).getTarget());
    const unsigned lanes = vector_bits / code_.index().getIntOrFloatBitWidth();
    const Value filled = one_more(code_.load(code_.index(), row.generation));
    const Value one = code_.sub(filled, code_.load(code_.index(), row.generation));
    const Value wanted = code_.slot(code_.i64());
    code_.count(
        begin, end,
        [&](Value position) {
            const Value left = code_.minimum(code_.sub(end, position), code_.number(lanes));
            Lanes group{lanes, position, {}, first_lanes(lanes, left), {}};
            group.coordinates = load_lanes(group, code_.index(), cursor.coordinates);
            // Marked or filled; lanes behind the end find a stamp that no row has.
            const Value stamps = mlir::arith::OrIOp::create(
                builder, code_.at(), gather_lanes(group, code_.index(), row.stamps),
                splat(one, lanes));
            const Value there = code_.equal(stamps, splat(filled, lanes));
            const Value bits = mlir::LLVM::BitcastOp::create(builder, code_.at(),
                                                             builder.getIntegerType(lanes), there);
            code_.store(mlir::arith::ExtUIOp::create(builder, code_.at(), code_.i64(), bits),
                        wanted);
            code_.loop(
                [&] {
                    const Value left = code_.load(code_.i64(), wanted);
                    return code_.negation(code_.equal(left, code_.number(0)));
                },
                [&] {
                    const Value left = code_.load(code_.i64(), wanted);
                    const Value lane = mlir::LLVM::CountTrailingZerosOp::create(
                        builder, code_.at(), code_.i64(), left, true);
                    const Value here = code_.add(position, lane);
                    code_.store(here, cursor.position);
                    is_marked_ = true;
                    step(index, label, code_.load_index(cursor.coordinates, here), cursors);
                    is_marked_ = false;
                    code_.store(mlir::arith::AndIOp::create(builder, code_.at(), left,
                                                            code_.sub(left, code_.number(1))),
                                wanted);
                });
        },
        Code::Along::row_one_by_one, static_cast<std::int64_t>(lanes));
}

Value KernelEmitter::has_rows_worth_a_vector(const Cursor& cursor) {
    const AccessState& state = accesses_.at(cursor.access);
    const auto kinds = state.type.getKinds();
    if (kinds.size() != 2 || kinds[0] != 0 || kinds[1] != 1) return code_.flag(true);
    const Value rows = level_size(state, 0);
    const Value entries = code_.load_index(pos_of(state, 1), rows);
    return code_.less(code_.mul(rows, code_.number(worth_a_vector)), entries);
}

} // namespace tropic::compile
