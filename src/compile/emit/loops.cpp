// Loops over one driver or all coordinates, and when they may end early.
#include "compile/emit/kernel_emitter_class.h"

#include "machines/cpu/runtime.h"

namespace tropic::compile {

KernelEmitter::Cursor KernelEmitter::cursor_of(Value access, const std::string& label,
                                               bool sorted) {
    Cursor cursor;
    cursor.access = access;
    const auto row = workspaces_.find(access);
    if (row != workspaces_.end()) {
        cursor.is_row = true;
        cursor.coordinates = row->second.list;
        cursor.begin = code_.number(0);
        cursor.end = code_.load(code_.i64(), row->second.count);
        if (sorted) {
            code_.call(runtime(), offsetof(cpu::Runtime, sort_coordinates), {},
                       {worker_, row->second.list, cursor.end, label_size(label)});
        }
        return cursor;
    }
    const AccessState& state = accesses_.at(access);
    cursor.coordinates = crd_of(state, state.level);
    const auto kinds = state.type.getKinds();
    cursor.groups = state.level + 1 < kinds.size() && kinds[state.level + 1] == 2;
    if (kinds[state.level] == 2) {
        cursor.begin = state.begin;
        cursor.end = state.end;
        return cursor;
    }
    const Value pos = pos_of(state, state.level);
    const Value parent = state.position ? state.position : code_.number(0);
    if (!state.present) {
        cursor.begin = code_.load_index(pos, parent);
        cursor.end = code_.load_index(pos, code_.add(parent, code_.number(1)));
        return cursor;
    }
    // Absent: no entries. The arrays may be too short to be looked at.
    const Value begin = code_.slot(code_.i64());
    const Value end = code_.slot(code_.i64());
    code_.store(code_.number(0), begin);
    code_.store(code_.number(0), end);
    code_.if_then(state.present, [&] {
        code_.store(code_.load_index(pos, parent), begin);
        code_.store(code_.load_index(pos, code_.add(parent, code_.number(1))), end);
    });
    cursor.begin = code_.load(code_.i64(), begin);
    cursor.end = code_.load(code_.i64(), end);
    return cursor;
}

void KernelEmitter::emit_index(it::IndexOp index) {
    if (row_in_registers_ && index == row_in_registers_) return fold_row();
    const DomainTree domain = DomainParser(index.getDomain()).parse();
    const std::string label = index.getLabel().str();
    const bool in_range = kernel_.getRangesAttr() == index.getLabelAttr();
    std::vector<Cursor> cursors;
    for (const Value driver : index.getDrivers()) {
        cursors.push_back(cursor_of(driver, label, index.getSorted()));
        if (in_range && domain.kind == DomainTree::Kind::driver && !cursors.back().is_row) {
            keep_to_range(cursors.back());
        }
    }
    const auto accesses = accesses_;
    const auto coordinates = coordinates_;
    const auto located = walked_rows_;
    const bool outer = index == outermost();
    if (summed_row_ && index == summed_row_) clear_row();
    if (index == first_folded_) {
        seen_ = code_.slot(code_.i1());
        code_.store(code_.flag(false), seen_);
        if (row_in_registers_) begin_row();
    }
    if (domain.kind == DomainTree::Kind::all) {
        const Value begin = outer || in_range ? begin_ : code_.number(0);
        const Value end = outer || in_range ? end_ : label_size(label);
        count(index, begin, end, [&](Value i) { step(index, label, i, cursors); });
    } else if (domain.kind == DomainTree::Kind::driver) {
        cursors[0].required = true;
        // Room for all of them at once: the loop itself gets shorter.
        has_room_ = only_appends(index) && !cursors[0].groups;
        if (has_room_) make_room(code_.sub(cursors[0].end, cursors[0].begin));
        walk(index, label, cursors, outer);
        has_room_ = false;
    } else {
        mark_required(domain, cursors, true);
        merge(index, label, domain, cursors, outer || in_range);
    }
    if (row_in_registers_ && index == first_folded_) {
        end_row();
    } else if (clears_rows_ && index == first_folded_) {
        code_.if_then(code_.negation(code_.load(code_.i1(), seen_)), [&] { clear_row(); });
    }
    accesses_ = accesses;
    coordinates_ = coordinates;
    walked_rows_ = located;
}

void KernelEmitter::mark_required(const DomainTree& domain, std::vector<Cursor>& cursors,
                                  bool required) {
    if (domain.kind == DomainTree::Kind::driver) cursors[domain.driver].required = required;
    for (const DomainTree& part : domain.parts) {
        mark_required(part, cursors, required && domain.kind == DomainTree::Kind::both);
    }
}

void KernelEmitter::walk(it::IndexOp index, const std::string& label, std::vector<Cursor>& cursors,
                         bool outer) {
    Cursor& cursor = cursors[0];
    Value begin = outer ? begin_ : cursor.begin;
    Value end = outer ? end_ : cursor.end;
    const auto position_slot = [&] {
        cursor.position = code_.slot(code_.i64());
        cursor.group_end = code_.slot(code_.i64());
    };
    if (folds_in_lanes(index, cursor)) {
        const Value few = has_few_entries(index, cursor);
        if (!few) return fold_in_lanes(index, label, cursor, begin, end);
        code_.if_then_else(
            few,
            [&] {
                position_slot();
                code_.count(
                    begin, end,
                    [&](Value position) {
                        code_.store(position, cursor.position);
                        step(index, label, code_.load_index(cursor.coordinates, position), cursors);
                    },
                    Code::Along::row_one_by_one);
            },
            [&] { fold_in_lanes(index, label, cursor, begin, end); });
        return;
    }
    const auto one_by_one = [&] {
        along_ = Code::Along::row_one_by_one;
        count(index, begin, end, [&](Value position) {
            code_.store(position, cursor.position);
            step(index, label, code_.load_index(cursor.coordinates, position), cursors);
        });
    };
    if (fills_marked_row(index, cursor)) {
        position_slot();
        code_.if_then_else(
            has_rows_worth_a_vector(cursor),
            [&] { walk_marked(index, label, cursors, begin, end); }, one_by_one);
        return;
    }
    // Rows that the loop jumps to are asked for a few steps before they are met. Short rows are
    // not worth it: they come with their neighbours, or in the time it would take to ask.
    constexpr std::int64_t rows_ahead = 4;
    constexpr std::int64_t worth_asking = 8;
    const auto each_row_met = [&](const auto& action) {
        for (auto inner : index.block().getOps<it::IndexOp>()) {
            if (inner.getDomain() != "0") continue;
            const auto found = accesses_.find(inner.getDrivers()[0]);
            if (found == accesses_.end()) continue;
            const AccessState& state = found->second;
            const auto kinds = state.type.getKinds();
            const bool rows = kinds.size() == 2 && kinds[0] == 0 && kinds[1] == 1;
            if (rows && state.level == 0 && state.label_of(0) == label) action(*found);
        }
    };
    std::vector<Value> worth;
    each_row_met([&](const auto& access) {
        const Value rows = level_size(access.second, 0);
        const Value entries = code_.load_index(pos_of(access.second, 1), rows);
        worth.push_back(code_.less(code_.mul(rows, code_.number(worth_asking)), entries));
    });
    const auto ask_for_rows = [&](Value position) {
        std::size_t next = 0;
        each_row_met([&](const auto& access) {
            const AccessState& state = access.second;
            code_.if_then(worth[next++], [&] {
                const Value later = code_.minimum(code_.add(position, code_.number(rows_ahead)),
                                                  code_.sub(end, code_.number(1)));
                const Value row = code_.load_index(cursor.coordinates, later);
                const Value first = code_.load_index(pos_of(state, 1), row);
                fetch(code_.index(), crd_of(state, 1), first);
                if (!has_read_values(access.first)) return;
                const mlir::Type element = code_.memory_type(state.type.getElement());
                fetch(element, values_of(state.input), first);
            });
        });
    };
    if (!cursor.groups) {
        position_slot();
        along_ = sums_at_random(index, cursor.access) ? Code::Along::row_at_random
                 : only_fills_row(index)              ? Code::Along::row_one_by_one
                                                      : Code::Along::row;
        count(index, begin, end, [&](Value position) {
            ask_for_rows(position);
            code_.store(position, cursor.position);
            step(index, label, code_.load_index(cursor.coordinates, position), cursors);
        });
        return;
    }
    if (outer) {
        // Groups belong to the chunk they begin in.
        begin = skip_group(cursor, begin, cursor.end);
        end = skip_group(cursor, end, cursor.end);
    }
    position_slot();
    code_.store(begin, cursor.position);
    code_.loop(
        [&] { return going_on(index, code_.less(code_.load(code_.i64(), cursor.position), end)); },
        [&] {
            const Value position = code_.load(code_.i64(), cursor.position);
            const Value coordinate = code_.load_index(cursor.coordinates, position);
            find_group_end(cursor, position, coordinate);
            step(index, label, coordinate, cursors);
            code_.store(code_.load(code_.i64(), cursor.group_end), cursor.position);
        });
}

Value KernelEmitter::skip_group(const Cursor& cursor, Value from, Value end) {
    const Value slot = code_.slot(code_.i64());
    code_.store(from, slot);
    code_.loop(
        [&] {
            const Value at = code_.load(code_.i64(), slot);
            const Value inside = code_.both(code_.less(code_.number(0), at), code_.less(at, end));
            const Value safe = code_.select(inside, at, code_.number(0));
            const Value before =
                code_.select(inside, code_.sub(at, code_.number(1)), code_.number(0));
            return code_.both(inside, code_.equal(code_.load_index(cursor.coordinates, safe),
                                                  code_.load_index(cursor.coordinates, before)));
        },
        [&] { code_.store(code_.add(code_.load(code_.i64(), slot), code_.number(1)), slot); });
    return code_.load(code_.i64(), slot);
}

void KernelEmitter::find_group_end(const Cursor& cursor, Value position, Value coordinate) {
    code_.store(code_.add(position, code_.number(1)), cursor.group_end);
    code_.loop(
        [&] {
            const Value at = code_.load(code_.i64(), cursor.group_end);
            const Value inside = code_.less(at, cursor.end);
            const Value safe = code_.select(inside, at, code_.number(0));
            return code_.both(inside,
                              code_.equal(code_.load_index(cursor.coordinates, safe), coordinate));
        },
        [&] {
            const Value at = code_.load(code_.i64(), cursor.group_end);
            code_.store(code_.add(at, code_.number(1)), cursor.group_end);
        });
}

std::optional<Value> KernelEmitter::settled_target(it::IndexOp index) {
    Value target;
    bool only = true;
    index.walk([&](mlir::Operation* op) {
        if (auto compute = mlir::dyn_cast<it::ComputeOp>(op)) {
            only &= compute.getTarget() && (!target || target == compute.getTarget());
            target = compute.getTarget();
        }
        only &= !mlir::isa<it::MarkOp>(op);
    });
    if (!only || !target) return std::nullopt;
    const auto sum = accumulators_.find(target);
    // One that starts within the loop is another one at each step.
    if (sum == accumulators_.end() || index->isAncestor(target.getDefiningOp())) {
        return std::nullopt;
    }
    return target;
}

Value KernelEmitter::settled(it::IndexOp index) {
    if (direct_ && first_folded_ && first_folded_->isAncestor(index) &&
        index->isAncestor(last_folded_)) {
        const bool one_is_enough =
            direct_.getFold() == ga::Operator::any || direct_.getFold() == ga::Operator::first;
        return one_is_enough ? code_.load(code_.i1(), seen_) : Value();
    }
    const auto target = settled_target(index);
    if (!target) return {};
    const Accumulator& sum = accumulators_.at(*target);
    if (sum.fold == ga::Operator::any || sum.fold == ga::Operator::first) {
        return code_.load(code_.i1(), sum.present);
    }
    if (!sum.element.isInteger(1)) return {};
    const Value value = code_.load(code_.i1(), sum.value);
    switch (sum.fold) {
    case ga::Operator::add:
    case ga::Operator::maximum:
    case ga::Operator::logical_or:
        return value;
    case ga::Operator::multiply:
    case ga::Operator::minimum:
    case ga::Operator::logical_and:
        return code_.both(code_.load(code_.i1(), sum.present), code_.negation(value));
    default:
        return {};
    }
}

Value KernelEmitter::going_on(it::IndexOp index, Value more) {
    const Value done = settled(index);
    return done ? code_.both(more, code_.negation(done)) : more;
}

bool KernelEmitter::only_fills_row(it::IndexOp index) {
    if (!llvm::hasSingleElement(index.block())) return false;
    auto compute = mlir::dyn_cast<it::ComputeOp>(index.block().front());
    return compute && workspaces_.count(compute.getTarget()) != 0;
}

bool KernelEmitter::sums_at_random(it::IndexOp index, Value driver) {
    if (sum_of(index) == nullptr) return false;
    auto compute = mlir::cast<it::ComputeOp>(index.block().front());
    return llvm::any_of(compute.block().getOps<it::ElementOp>(),
                        [&](it::ElementOp op) { return op.getAccess() != driver; });
}

} // namespace tropic::compile
