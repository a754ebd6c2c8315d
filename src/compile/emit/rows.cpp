// Values and rows under construction.
#include "compile/emit/kernel_emitter_class.h"

#include "machines/cpu/runtime.h"

namespace tropic::compile {

Accumulator KernelEmitter::make_accumulator(ga::Operator fold, mlir::Type element) {
    return {element, fold, code_.slot(code_.value_type(element)), code_.slot(code_.i1())};
}

void KernelEmitter::reset(const Accumulator& sum) {
    const auto identity = code_.identity(sum.fold, sum.element);
    code_.store(identity ? *identity : code_.zero(sum.element), sum.value);
    if (sum.present) code_.store(code_.flag(false), sum.present);
}

void KernelEmitter::begin_accumulator(it::AccumulatorOp op) {
    const Accumulator sum = make_accumulator(op.getFold(), op.getElement());
    reset(sum);
    accumulators_.insert_or_assign(op.getResult(), sum);
}

void KernelEmitter::accumulate(const Accumulator& sum, const Element& element) {
    const mlir::Type type = code_.value_type(sum.element);
    const auto identity = code_.identity(sum.fold, sum.element);
    if (identity) {
        // No branch: whether an element is there is often hard to guess.
        Value value = element.value;
        Value present = code_.flag(true);
        if (element.present) value = code_.select(element.present, value, *identity);
        if (element.present && sum.present) {
            present = mlir::arith::OrIOp::create(code_.builder(), code_.at(), element.present,
                                                 code_.load(code_.i1(), sum.present));
        }
        code_.store(code_.operation(sum.fold, sum.element, code_.load(type, sum.value), value,
                                    Code::Rounding::folded),
                    sum.value);
        if (sum.present) code_.store(present, sum.present);
        return;
    }
    const auto fold = [&] {
        const Value folded = code_.operation(sum.fold, sum.element, code_.load(type, sum.value),
                                             element.value, Code::Rounding::folded);
        const Value present = code_.load(code_.i1(), sum.present);
        code_.store(code_.select(present, folded, element.value), sum.value);
        code_.store(code_.flag(true), sum.present);
    };
    if (element.present) code_.if_then(element.present, fold);
    else fold();
}

void KernelEmitter::begin_workspace(it::WorkspaceOp op) {
    const mlir::Type stamp = code_.index();
    Workspace row;
    row.element = op.getElement();
    row.label = op.getLabel().str();
    for (mlir::Operation* user : op.getResult().getUsers()) {
        row.masked |= mlir::isa<it::MarkOp>(user);
        row.walked |= mlir::isa<it::IndexOp>(user);
        auto element = mlir::dyn_cast<it::ElementOp>(user);
        row.valued |= element && !llvm::all_of(element->getUsers(), [](mlir::Operation* op) {
                          auto combine = mlir::dyn_cast<it::CombineOp>(op);
                          return combine && combine.getOp() == ga::Operator::pair;
                      });
    }
    auto around = mlir::dyn_cast<it::IndexOp>(op->getParentOp());
    const bool once_a_turn = around && around == outermost();
    // The memory is the worker's and stays: asked for once in each chunk.
    {
        mlir::OpBuilder& builder = code_.builder();
        mlir::OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPoint(entry_->getTerminator());
        const Value size = label_size(row.label);
        const Value table = runtime();
        const auto first_slot = static_cast<std::int64_t>(3 * workspaces_.size());
        const auto memory = [&](int slot, std::int64_t extra, std::int64_t bytes) {
            const Value total =
                code_.add(code_.mul(size, code_.number(bytes)), code_.number(extra));
            return code_.call(table, offsetof(cpu::Runtime, workspace), code_.pointer(),
                              {worker_, code_.number(first_slot + slot), total});
        };
        row.header = memory(0, 64, code_.index_bytes());
        row.stamps = code_.element_address(code_.i8(), row.header, code_.number(64));
        const unsigned bits = code_.memory_type(row.element).getIntOrFloatBitWidth();
        if (row.valued) row.values = memory(1, 8, bits / 8);
        if (row.walked) row.list = memory(2, 8, code_.index_bytes());
        row.rows = code_.slot(code_.i64());
        code_.store(code_.load(code_.i64(), row.header), row.rows);
        // A row for each turn of the outermost loop: there is room for those of a chunk.
        if (once_a_turn) start_anew_before(row, code_.sub(end_, begin_));
    }
    row.generation = code_.slot(stamp);
    row.count = code_.slot(code_.i64());
    if (!once_a_turn) start_anew_before(row, code_.number(1));
    code_.store(code_.add(code_.load(code_.i64(), row.rows), code_.number(1)), row.rows);
    const Value generation = code_.mul(code_.load(code_.i64(), row.rows), code_.number(2));
    code_.store(as_index(generation), row.generation);
    code_.store(code_.number(0), row.count);
    workspaces_.insert_or_assign(op.getResult(), row);
}

void KernelEmitter::start_anew_before(const Workspace& row, Value more) {
    const Value last = code_.number((std::int64_t{1} << 30) - 2);
    const Value rows = code_.load(code_.i64(), row.rows);
    code_.if_then(code_.less(last, code_.add(rows, more)), [&] {
        code_.count(code_.number(0), label_size(row.label),
                    [&](Value at) { code_.store_index(code_.number(0), row.stamps, at); });
        code_.store(code_.number(0), row.rows);
    });
}

Value KernelEmitter::as_index(Value value) {
    if (code_.index() == code_.i64()) return value;
    return mlir::arith::TruncIOp::create(code_.builder(), code_.at(), code_.index(), value);
}

void KernelEmitter::list_place(const Workspace& row, Value coordinate) {
    const Value count = code_.load(code_.i64(), row.count);
    code_.store_index(coordinate, row.list, count);
    code_.store(code_.add(count, code_.number(1)), row.count);
}

Value KernelEmitter::one_more(Value stamp) {
    const auto one = code_.builder().getIntegerAttr(code_.index(), 1);
    return code_.add(stamp, mlir::arith::ConstantOp::create(code_.builder(), code_.at(), one));
}

void KernelEmitter::mark_place(it::MarkOp op) {
    const Workspace& row = workspaces_.at(op.getWorkspace());
    const Value generation = code_.load(code_.index(), row.generation);
    code_.store_at(generation, row.stamps, coordinates_.at(row.label));
}

void KernelEmitter::fold_into_row(const Workspace& row, ga::Operator fold, const Element& element,
                                  bool masked) {
    const Value at = coordinates_.at(row.label);
    const auto put = [&] {
        if (fold == ga::Operator::any && !masked && !row.walked) {
            // Whatever is there already is as good.
            const Value filled = one_more(code_.load(code_.index(), row.generation));
            if (row.valued) code_.store_element(row.element, element.value, row.values, at);
            code_.store_at(filled, row.stamps, at);
            return;
        }
        const Value stamp = code_.load_at(code_.index(), row.stamps, at);
        const Value marked = code_.load(code_.index(), row.generation);
        const Value filled = one_more(marked);
        const auto first = [&] {
            if (row.valued) code_.store_element(row.element, element.value, row.values, at);
            code_.store_at(filled, row.stamps, at);
            if (row.walked) list_place(row, at);
        };
        code_.if_then_else(
            code_.equal(stamp, filled),
            [&] {
                if (!row.valued) return;
                const Value old = code_.load_element(row.element, row.values, at);
                code_.store_element(
                    row.element,
                    code_.operation(fold, row.element, old, element.value, Code::Rounding::folded),
                    row.values, at);
            },
            [&] {
                if (masked && !is_marked_) code_.if_then(code_.equal(stamp, marked), first);
                else first();
            });
    };
    if (element.present) code_.if_then(element.present, put);
    else put();
}

} // namespace tropic::compile
