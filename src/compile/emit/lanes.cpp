// Folds along a row whose terms come from all over memory, computed several at a time: the entries
// of a row lie side by side, what they meet is gathered, and what is left of a row is done under a
// mask. A row of a handful of entries is then one step without a loop whose end is hard to guess.
// Entries of the rows to come are asked for ahead: memory is further away than the processor
// looks by itself.
#include "compile/emit/kernel_emitter_class.h"
#include "compile/emit/lane_operations.h"

namespace tropic::compile {

namespace {

/// So many entries behind those at hand.
constexpr std::int64_t entries_ahead = 128;

} // namespace

const Accumulator* KernelEmitter::sum_of(it::IndexOp index) {
    if (!llvm::hasSingleElement(index.block())) return nullptr;
    auto compute = mlir::dyn_cast<it::ComputeOp>(index.block().front());
    if (!compute) return nullptr;
    if (!compute.getTarget()) return total_ ? &*total_ : nullptr;
    const auto sum = accumulators_.find(compute.getTarget());
    return sum == accumulators_.end() ? nullptr : &sum->second;
}

bool KernelEmitter::folds_in_lanes(it::IndexOp index, const Cursor& cursor) {
    if (!gathers_ || cursor.groups || cursor.is_row || !sums_at_random(index, cursor.access)) {
        return false;
    }
    const Accumulator& sum = *sum_of(index);
    if (!has_lane_type(sum.element) || !code_.identity(sum.fold, sum.element)) return false;
    auto compute = mlir::cast<it::ComputeOp>(index.block().front());
    const bool counted = is_counted(sum);
    return llvm::all_of(compute.block(), [&](mlir::Operation& op) {
        if (mlir::isa<it::YieldOp>(op)) return true;
        if (!counted && op.getResult(0).getType() != sum.element) return false;
        if (auto element = mlir::dyn_cast<it::ElementOp>(op)) {
            return can_read_lanes(element.getAccess(), index.getLabel().str(), cursor);
        }
        if (auto combine = mlir::dyn_cast<it::CombineOp>(op)) {
            return combine.getMeeting() == ga::Meeting::both &&
                   (counted || has_lane_operation(combine.getOp(), sum.element));
        }
        if (auto apply = mlir::dyn_cast<it::ApplyOp>(op)) {
            return counted && apply.getFunction() == ga::Function::convert;
        }
        return mlir::isa<it::ScalarOp>(op);
    });
}

bool KernelEmitter::can_read_lanes(Value access, const std::string& label, const Cursor& cursor) {
    if (accumulators_.count(access) != 0) return false;
    const auto row = workspaces_.find(access);
    if (row != workspaces_.end()) {
        return row->second.label == label && has_lane_type(row->second.element) &&
               walked_rows_.count(access) == 0;
    }
    const AccessState& state = accesses_.at(access);
    if (!has_lane_type(state.type.getElement())) return false;
    if (access == cursor.access) return state.level + 1 == state.type.getKinds().size();
    if (!state.type.isDense()) return state.entered() && !state.present;
    const auto uses = llvm::count(state.labels, label);
    return uses == 0 || (uses == 1 && state.label_of(state.labels.size() - 1) == label);
}

Value KernelEmitter::splat(Value one, unsigned lanes) {
    mlir::OpBuilder& builder = code_.builder();
    const auto type = mlir::VectorType::get(lanes, one.getType());
    const Value none = mlir::LLVM::PoisonOp::create(builder, code_.at(), type);
    const Value first =
        mlir::LLVM::InsertElementOp::create(builder, code_.at(), none, one, code_.number(0));
    return mlir::LLVM::ShuffleVectorOp::create(builder, code_.at(), first, none,
                                               llvm::SmallVector<std::int32_t>(lanes, 0));
}

Value KernelEmitter::half_of(Value vector, bool upper) {
    const auto lanes = mlir::cast<mlir::VectorType>(vector.getType()).getDimSize(0) / 2;
    llvm::SmallVector<std::int32_t> places;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
        places.push_back(static_cast<std::int32_t>(upper ? lanes + lane : lane));
    }
    return mlir::LLVM::ShuffleVectorOp::create(code_.builder(), code_.at(), vector, vector, places);
}

Value KernelEmitter::first_lanes(unsigned lanes, Value count) {
    mlir::OpBuilder& builder = code_.builder();
    llvm::SmallVector<std::int32_t> places;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        places.push_back(static_cast<std::int32_t>(lane));
    }
    const Value numbers =
        mlir::arith::ConstantOp::create(builder, code_.at(), builder.getI32VectorAttr(places));
    const Value few =
        mlir::arith::TruncIOp::create(builder, code_.at(), builder.getI32Type(), count);
    return code_.less(numbers, splat(few, lanes));
}

Value KernelEmitter::lanes_set(Value mask) {
    mlir::OpBuilder& builder = code_.builder();
    const auto lanes = mlir::cast<mlir::VectorType>(mask.getType()).getDimSize(0);
    const Value bits = mlir::LLVM::BitcastOp::create(
        builder, code_.at(), builder.getIntegerType(static_cast<unsigned>(lanes)), mask);
    const Value ones = mlir::LLVM::CtPopOp::create(builder, code_.at(), bits);
    return mlir::arith::ExtUIOp::create(builder, code_.at(), code_.i64(), ones);
}

Value KernelEmitter::load_lanes(const Lanes& group, mlir::Type one, Value base) {
    mlir::OpBuilder& builder = code_.builder();
    const auto type = mlir::VectorType::get(group.count, one);
    const Value address = code_.element_address(one, base, group.position);
    const unsigned alignment = one.getIntOrFloatBitWidth() / 8;
    if (!group.inside) {
        return mlir::LLVM::LoadOp::create(builder, code_.at(), type, address, alignment);
    }
    const Value none = mlir::LLVM::ZeroOp::create(builder, code_.at(), type);
    return mlir::LLVM::MaskedLoadOp::create(builder, code_.at(), type, address, group.inside, none,
                                            alignment);
}

Value KernelEmitter::gather_lanes(const Lanes& group, mlir::Type one, Value base) {
    mlir::OpBuilder& builder = code_.builder();
    const auto type = mlir::VectorType::get(group.count, one);
    const Value addresses = mlir::LLVM::GEPOp::create(
        builder, code_.at(), mlir::VectorType::get(group.count, code_.pointer()), one, base,
        mlir::ValueRange{group.coordinates}, mlir::LLVM::GEPNoWrapFlags::inbounds);
    const Value inside = group.inside ? group.inside : splat(code_.flag(true), group.count);
    const Value none = mlir::LLVM::ZeroOp::create(builder, code_.at(), type);
    return mlir::LLVM::masked_gather::create(builder, code_.at(), type, addresses, inside,
                                             mlir::ValueRange{none},
                                             one.getIntOrFloatBitWidth() / 8);
}

Element KernelEmitter::read_lanes(Value access, const std::string& label, const Lanes& group) {
    const auto row = workspaces_.find(access);
    if (row != workspaces_.end()) {
        const Workspace& space = row->second;
        const Value filled = one_more(code_.load(code_.index(), space.generation));
        const Value stamps = gather_lanes(group, code_.index(), space.stamps);
        const Value present = code_.equal(stamps, splat(filled, group.count));
        if (!space.valued) return {splat(code_.zero(space.element), group.count), present};
        return {gather_lanes(group, code_.value_type(space.element), space.values), present};
    }
    const AccessState& state = accesses_.at(access);
    const mlir::Type one = code_.value_type(state.type.getElement());
    const Value values = values_of(state.input);
    if (access == group.access) return {load_lanes(group, one, values), {}};
    if (!state.type.isDense() || !llvm::is_contained(state.labels, label)) {
        return {splat(read(access).value, group.count), {}};
    }
    // The row of a dense tensor that the coordinates are places in.
    const auto around = coordinates_;
    coordinates_[label] = code_.number(0);
    const Value begin = code_.element_address(one, values, dense_position(state));
    coordinates_ = around;
    if (!group.coordinates) return {load_lanes(group, one, begin), {}};
    return {gather_lanes(group, one, begin), {}};
}

Element KernelEmitter::term_in_lanes(it::ComputeOp compute, const Terms& terms,
                                     const std::string& label, const Lanes& group) {
    std::map<mlir::Operation*, Element> done;
    for (mlir::Operation& op : compute.block()) {
        const auto element_of = [&](Value value) { return done.at(value.getDefiningOp()); };
        if (auto yield = mlir::dyn_cast<it::YieldOp>(op)) return element_of(yield.getValue());
        if (auto element = mlir::dyn_cast<it::ElementOp>(op)) {
            done[&op] = read_lanes(element.getAccess(), label, group);
        } else if (mlir::isa<it::ScalarOp>(op)) {
            done[&op] = {splat(evaluate(op, {}).value, group.count), {}};
        } else if (mlir::isa<it::ApplyOp>(op)) {
            done[&op] = element_of(op.getOperand(0)); // counted: nobody asks for the value
        } else {
            auto combine = mlir::cast<it::CombineOp>(op);
            const Element left = element_of(combine.getLeft());
            const Element right = element_of(combine.getRight());
            Value value = left.value;
            if (!terms.counted) {
                value =
                    combine.getOp() == ga::Operator::pair
                        ? splat(code_.one(terms.element), group.count)
                        : code_.operation(combine.getOp(), terms.element, left.value, right.value);
            }
            done[&op] = {value, code_.both(left.present, right.present)};
        }
    }
    return {};
}

Value KernelEmitter::has_few_entries(it::IndexOp index, const Cursor& cursor) {
    const AccessState& state = accesses_.at(cursor.access);
    const auto kinds = state.type.getKinds();
    if (!is_counted(*sum_of(index)) || kinds.size() != 2 || kinds[0] != 0 || kinds[1] != 1) {
        return {};
    }
    // Fewer than five in two rows, which is a property of the matrix: the answer never changes.
    const Value rows = level_size(state, 0);
    const Value entries = code_.load_index(pos_of(state, 1), rows);
    return code_.less(code_.mul(entries, code_.number(2)), code_.mul(rows, code_.number(5)));
}

bool KernelEmitter::follows_rows(it::IndexOp index, const Cursor& cursor) {
    const AccessState& state = accesses_.at(cursor.access);
    if (state.level == 0) return true;
    auto around = index->getParentOfType<it::IndexOp>();
    return around && around.getDomain() == "*" && around.getLabel() == state.label_of(0) &&
           state.level == 1;
}

bool KernelEmitter::has_read_values(Value access) {
    return llvm::any_of(access.getUsers(), [](mlir::Operation* user) {
        return mlir::isa<it::ElementOp>(user) &&
               !llvm::all_of(user->getUsers(), [](mlir::Operation* op) {
                   auto combine = mlir::dyn_cast<it::CombineOp>(op);
                   return combine && combine.getOp() == ga::Operator::pair;
               });
    });
}

void KernelEmitter::fetch(mlir::Type one, Value base, Value at) {
    // To be read, kept in all caches, data.
    mlir::LLVM::Prefetch::create(code_.builder(), code_.at(), code_.element_address(one, base, at),
                                 0, 3, 1);
}

void KernelEmitter::fetch_entries(const Cursor& cursor, Value position) {
    const Value later = code_.add(position, code_.number(entries_ahead));
    fetch(code_.index(), cursor.coordinates, later);
    const AccessState& state = accesses_.at(cursor.access);
    if (has_read_values(cursor.access)) {
        fetch(code_.memory_type(state.type.getElement()), values_of(state.input), later);
    }
}

void KernelEmitter::fold_in_lanes(it::IndexOp index, const std::string& label, const Cursor& cursor,
                                  Value begin, Value end) {
    mlir::OpBuilder& builder = code_.builder();
    const Accumulator& sum = *sum_of(index);
    auto compute = mlir::cast<it::ComputeOp>(index.block().front());
    const bool counted = is_counted(sum);
    const mlir::Type one = code_.value_type(sum.element);
    const unsigned widest =
        counted ? code_.index().getIntOrFloatBitWidth()
                : std::max(code_.index().getIntOrFloatBitWidth(), one.getIntOrFloatBitWidth());
    const unsigned lanes = vector_bits / widest;
    const Value identity = *code_.identity(sum.fold, sum.element);
    const bool to_total = total_ && &sum == &*total_;
    LaneSums sums;
    if (!counted) sums = to_total ? total_lanes(lanes) : begin_lanes(lanes, identity);
    const Value number = code_.slot(code_.i64());
    const Value any = code_.slot(code_.i1());
    code_.store(code_.number(0), number);
    code_.store(code_.flag(false), any);

    const bool in_order = follows_rows(index, cursor);
    bool sometimes = false; // terms may be missing
    const auto fold = [&](Lanes group) {
        group.access = cursor.access;
        group.coordinates = load_lanes(group, code_.index(), cursor.coordinates);
        if (in_order) fetch_entries(cursor, group.position);
        const Element term = term_in_lanes(compute, {sum.element, counted}, label, group);
        sometimes |= static_cast<bool>(term.present);
        const Value there = code_.both(group.inside, term.present);
        if (counted) {
            const Value more = there ? lanes_set(there) : code_.number(group.count);
            code_.store(code_.add(code_.load(code_.i64(), number), more), number);
            return;
        }
        if (term.present && sum.present) {
            const Value some = code_.less(code_.number(0), lanes_set(there));
            code_.store(
                mlir::arith::OrIOp::create(builder, code_.at(), some, code_.load(code_.i1(), any)),
                any);
        }
        const Value value =
            there ? code_.select(there, term.value, splat(identity, group.count)) : term.value;
        const Value slot = group.count == lanes ? sums.whole : sums.half;
        const Value old = code_.load(mlir::VectorType::get(group.count, one), slot);
        code_.store(code_.operation(sum.fold, sum.element, old, value, Code::Rounding::folded),
                    slot);
    };
    const auto inside = [&](unsigned count, Value left) { return first_lanes(count, left); };

    // A property of the matrix: the answer never changes.
    const auto rows_have_at_most = [&](const Cursor& driver, unsigned entries) -> Value {
        const AccessState& state = accesses_.at(driver.access);
        const auto kinds = state.type.getKinds();
        if (kinds.size() != 2 || kinds[0] != 0 || kinds[1] != 1) return code_.flag(true);
        const Value rows = level_size(state, 0);
        return code_.less(code_.load_index(pos_of(state, 1), rows),
                          code_.mul(rows, code_.number(entries + 1)));
    };
    const Value all = code_.number(static_cast<std::int64_t>(lanes));
    const Value half = code_.number(static_cast<std::int64_t>(lanes / 2));
    const auto fold_all = [&] {
        const Value rest = mlir::arith::AndIOp::create(builder, code_.at(), code_.sub(end, begin),
                                                       code_.sub(all, code_.number(1)));
        const Value middle = code_.sub(end, rest);
        code_.count(
            begin, middle, [&](Value position) { fold({lanes, position, {}, {}, {}}); },
            Code::Along::row, static_cast<std::int64_t>(lanes));
        code_.if_then(code_.less(code_.number(0), rest), [&] {
            code_.if_then_else(
                code_.less(half, rest), [&] { fold({lanes, middle, {}, inside(lanes, rest), {}}); },
                [&] { fold({lanes / 2, middle, {}, inside(lanes / 2, rest), {}}); });
        });
    };
    const bool first = is_only_fold(index);
    const auto finish = [&](Value value) {
        if (!first) {
            value = code_.operation(sum.fold, sum.element, code_.load(one, sum.value), value,
                                    Code::Rounding::folded);
        }
        code_.store(value, sum.value);
    };
    if (counted || to_total) {
        fold_all();
        if (counted) finish(code_.load(code_.i64(), number));
    } else {
        // Rows that fit are one step, and where most have a few entries, half of the lanes are to
        // be joined. Where lengths differ, asking which of the two it is would cost more.
        const Value length = code_.sub(end, begin);
        const Value tiny = code_.both(code_.negation(code_.less(half, length)),
                                      rows_have_at_most(cursor, lanes / 2));
        code_.if_then_else(
            tiny,
            [&] {
                fold({lanes / 2, begin, {}, inside(lanes / 2, length), {}});
                finish(end_lanes(sum, sums, true));
            },
            [&] {
                code_.if_then_else(code_.less(all, length), fold_all,
                                   [&] { fold({lanes, begin, {}, inside(lanes, length), {}}); });
                finish(end_lanes(sum, sums, false));
            });
    }
    if (counted || !sum.present) return;
    Value some = sometimes ? code_.load(code_.i1(), any) : code_.less(begin, end);
    if (!first) {
        some = mlir::arith::OrIOp::create(builder, code_.at(), some,
                                          code_.load(code_.i1(), sum.present));
    }
    code_.store(some, sum.present);
}

KernelEmitter::LaneSums KernelEmitter::begin_lanes(unsigned lanes, Value identity) {
    const mlir::Type one = identity.getType();
    const LaneSums sums{lanes, code_.slot(mlir::VectorType::get(lanes, one)),
                        code_.slot(mlir::VectorType::get(lanes / 2, one))};
    code_.store(splat(identity, lanes), sums.whole);
    code_.store(splat(identity, lanes / 2), sums.half);
    return sums;
}

KernelEmitter::LaneSums KernelEmitter::total_lanes(unsigned lanes) {
    if (!total_lanes_) {
        mlir::OpBuilder::InsertionGuard guard(code_.builder());
        code_.builder().setInsertionPoint(entry_->getTerminator());
        total_lanes_ = begin_lanes(lanes, *code_.identity(total_->fold, total_->element));
    }
    return *total_lanes_;
}

Value KernelEmitter::end_lanes(const Accumulator& sum, const LaneSums& sums, bool only_half) {
    const auto joined = [&](Value a, Value b) {
        return code_.operation(sum.fold, sum.element, a, b, Code::Rounding::folded);
    };
    const mlir::Type one = code_.value_type(sum.element);
    Value value = code_.load(mlir::VectorType::get(sums.lanes / 2, one), sums.half);
    if (!only_half) {
        const Value whole = code_.load(mlir::VectorType::get(sums.lanes, one), sums.whole);
        value = joined(joined(half_of(whole, false), half_of(whole, true)), value);
    }
    for (unsigned left = sums.lanes / 2; left > 2; left /= 2) {
        value = joined(half_of(value, false), half_of(value, true));
    }
    const auto lane = [&](std::int64_t place) -> Value {
        return mlir::LLVM::ExtractElementOp::create(code_.builder(), code_.at(), value,
                                                    code_.number(place));
    };
    return joined(lane(0), lane(1));
}

bool KernelEmitter::is_only_fold(it::IndexOp index) {
    const Value target = mlir::cast<it::ComputeOp>(index.block().front()).getTarget();
    if (!target || target.getDefiningOp()->getBlock() != index->getBlock()) return false;
    return llvm::count_if(target.getUsers(), [](mlir::Operation* user) {
               return mlir::isa<it::ComputeOp>(user);
           }) == 1;
}

} // namespace tropic::compile
