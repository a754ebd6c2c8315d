// How the result of a kernel comes about.
#include "compile/emit/kernel_emitter_class.h"

#include <set>

#include "machines/cpu/runtime.h"

namespace tropic::compile {

bool KernelEmitter::is_rows() {
    return kernel_.getOutput() == it::Output::rows ||
           kernel_.getOutput() == it::Output::jumbled_rows;
}

mlir::Type KernelEmitter::result_element() {
    if (const auto tensor = mlir::dyn_cast<ga::TensorType>(kernel_.getResult().getType())) {
        return tensor.getElement();
    }
    if (kernel_.getResult().getType().isF64()) return kernel_.getResult().getType();
    return mlir::IntegerType::get(kernel_.getContext(), 64, mlir::IntegerType::Signed);
}

std::int64_t KernelEmitter::out_dimension(std::size_t level) {
    return mlir::cast<ga::TensorType>(kernel_.getResult().getType()).getOrder()[level];
}

bool KernelEmitter::counts() {
    std::set<mlir::Operation*> ones;
    bool all = false;
    kernel_.walk([&](it::ComputeOp compute) {
        if (compute.getTarget() || compute.getFold() != ga::Operator::add) return;
        const auto is_one = [&](Value value) { return ones.count(value.getDefiningOp()) != 0; };
        for (mlir::Operation& op : compute.block()) {
            if (auto combine = mlir::dyn_cast<it::CombineOp>(op)) {
                const bool both = combine.getMeeting() == ga::Meeting::both;
                const bool of_ones = combine.getOp() == ga::Operator::multiply &&
                                     is_one(combine.getLeft()) && is_one(combine.getRight());
                if (both && (combine.getOp() == ga::Operator::pair || of_ones)) ones.insert(&op);
            }
            auto apply = mlir::dyn_cast<it::ApplyOp>(op);
            if (apply && apply.getFunction() == ga::Function::convert &&
                is_one(apply.getOperand())) {
                ones.insert(&op);
            }
            if (auto yield = mlir::dyn_cast<it::YieldOp>(op)) all = is_one(yield.getValue());
        }
    });
    return all;
}

void KernelEmitter::find_direct_fold() {
    kernel_.walk([&](it::ComputeOp compute) {
        const bool direct =
            kernel_.getOutput() == it::Output::dense && !compute.getTarget() && compute.getFold();
        if (direct) direct_ = compute;
    });
    if (!direct_) return;
    for (auto loop = direct_->getParentOfType<it::IndexOp>(); loop;
         loop = loop->getParentOfType<it::IndexOp>()) {
        const std::string label = loop.getLabel().str();
        if (std::find(out_labels_.begin(), out_labels_.end(), label) != out_labels_.end()) {
            continue;
        }
        if (!last_folded_) last_folded_ = loop;
        first_folded_ = loop;
    }
    if (meets_every_row()) row_in_registers_ = find_row_in_registers();
    if (*direct_.getFold() != ga::Operator::add || row_in_registers_) return;
    // Sums start from zero: every term is added, the first like the others.
    if (has_rows_outside() && !kernel_.getOnto()) summed_row_ = first_folded_;
    direct_ = {};
    first_folded_ = {};
    last_folded_ = {};
}

bool KernelEmitter::has_rows_outside() {
    if (!first_folded_) return false;
    std::vector<std::string> outside;
    for (auto loop = first_folded_->getParentOfType<it::IndexOp>(); loop;
         loop = loop->getParentOfType<it::IndexOp>()) {
        if (loop.getDomain() != "*") return false;
        outside.insert(outside.begin(), loop.getLabel().str());
    }
    return !outside.empty() && outside.size() <= out_labels_.size() &&
           std::equal(outside.begin(), outside.end(), out_labels_.begin());
}

bool KernelEmitter::meets_every_row() {
    if (!direct_ || !first_folded_) return false;
    std::vector<std::string> met;
    bool every = true;
    for (auto loop = direct_->getParentOfType<it::IndexOp>(); loop;
         loop = loop->getParentOfType<it::IndexOp>()) {
        if (loop == last_folded_) {
            loop = first_folded_;
            continue;
        }
        every &= loop.getDomain() == "*";
        met.insert(met.begin(), loop.getLabel().str());
    }
    return every && met == out_labels_;
}

void KernelEmitter::clear_row() {
    Value begin;
    Value places = code_.number(1);
    for (const std::string& label : out_labels_) {
        const auto around = coordinates_.find(label);
        const Value size = label_size(label);
        const Value coordinate = around == coordinates_.end() ? code_.number(0) : around->second;
        if (around == coordinates_.end()) places = code_.mul(places, size);
        begin = begin ? code_.add(code_.mul(begin, size), coordinate) : coordinate;
    }
    const mlir::Type type = result_element();
    const Value base = frame({FrameSlot::Kind::result_values, 0, 0}, code_.pointer());
    code_.count(code_.number(0), places, [&](Value place) {
        code_.store_element(type, code_.zero(type), base, code_.add(begin, place));
    });
}

void KernelEmitter::prepare_output() {
    find_direct_fold();
    everywhere_ = find_everywhere();
    clears_rows_ = meets_every_row();
    result_.writes_everywhere = everywhere_ || clears_rows_ || summed_row_;
    if (kernel_.getOutput() == it::Output::scalar) {
        std::optional<ga::Operator> fold;
        kernel_.walk([&](it::ComputeOp compute) {
            if (!compute.getTarget()) fold = compute.getFold();
        });
        // Ones are counted: whole numbers do not have to be added up in turn.
        const mlir::Type whole =
            mlir::IntegerType::get(kernel_.getContext(), 64, mlir::IntegerType::Signed);
        total_ = make_accumulator(fold ? *fold : ga::Operator::second,
                                  counts() ? whole : result_element());
        // A sum of nothing is zero.
        if (fold == ga::Operator::add) total_->present = {};
        reset(*total_);
    }
    if (!is_appended()) return;
    const Value entries = frame({FrameSlot::Kind::entries, 0, 0}, code_.pointer());
    buffer_ = code_.call(runtime(), offsetof(cpu::Runtime, entry_buffer), code_.pointer(),
                         {entries, chunk_});
    buffer_size_ = code_.slot(code_.i64());
    buffer_capacity_ = code_.slot(code_.i64());
    buffer_values_ = code_.slot(code_.pointer());
    for (std::size_t level = is_rows() ? 1 : 0; level < out_labels_.size(); ++level) {
        buffer_coordinates_.push_back(code_.slot(code_.pointer()));
    }
    load_buffer();
}

void KernelEmitter::load_buffer() {
    code_.store(code_.field(code_.i64(), buffer_, offsetof(cpu::EntryBuffer, size)), buffer_size_);
    code_.store(code_.field(code_.i64(), buffer_, offsetof(cpu::EntryBuffer, capacity)),
                buffer_capacity_);
    code_.store(code_.field(code_.pointer(), buffer_, offsetof(cpu::EntryBuffer, values)),
                buffer_values_);
    const std::size_t first = is_rows() ? 1 : 0;
    for (std::size_t level = first; level < out_labels_.size(); ++level) {
        const auto offset = static_cast<std::int64_t>(offsetof(cpu::EntryBuffer, coordinates)) +
                            8 * out_dimension(level);
        code_.store(code_.field(code_.pointer(), buffer_, offset),
                    buffer_coordinates_[level - first]);
    }
}

void KernelEmitter::make_room(Value more) {
    const Value size = code_.load(code_.i64(), buffer_size_);
    const Value capacity = code_.load(code_.i64(), buffer_capacity_);
    code_.if_then(code_.less(capacity, code_.add(size, more)), [&] {
        code_.set_field(size, buffer_, offsetof(cpu::EntryBuffer, size));
        code_.call(runtime(), offsetof(cpu::Runtime, grow), {},
                   {frame({FrameSlot::Kind::entries, 0, 0}, code_.pointer()), buffer_, more});
        load_buffer();
    });
}

bool KernelEmitter::only_appends(it::IndexOp index) {
    if (!is_appended() || index == outermost() || !llvm::hasSingleElement(index.block())) {
        return false;
    }
    auto compute = mlir::dyn_cast<it::ComputeOp>(index.block().front());
    return compute && !compute.getTarget();
}

void KernelEmitter::append(Value value) {
    if (!has_room_) make_room(code_.number(1));
    const Value size = code_.load(code_.i64(), buffer_size_);
    code_.store_element(result_element(), value, code_.load(code_.pointer(), buffer_values_), size);
    const std::size_t first = is_rows() ? 1 : 0;
    for (std::size_t level = first; level < out_labels_.size(); ++level) {
        code_.store_index(coordinates_.at(out_labels_[level]),
                          code_.load(code_.pointer(), buffer_coordinates_[level - first]), size);
    }
    code_.store(code_.add(size, code_.number(1)), buffer_size_);
}

Value KernelEmitter::result_position() {
    Value position;
    for (const std::string& label : out_labels_) {
        const Value coordinate = coordinates_.at(label);
        position =
            position ? code_.add(code_.mul(position, label_size(label)), coordinate) : coordinate;
    }
    return position ? position : code_.number(0);
}

void KernelEmitter::put(it::ComputeOp compute, const Element& element, mlir::Type type) {
    if (compute.getTarget()) {
        const auto sum = accumulators_.find(compute.getTarget());
        if (sum != accumulators_.end()) accumulate(sum->second, element);
        else {
            fold_into_row(workspaces_.at(compute.getTarget()), *compute.getFold(), element,
                          compute.getMasked());
        }
        return;
    }
    if (total_) {
        const bool counted = total_->element != result_element();
        return accumulate(*total_,
                          {counted ? code_.one(total_->element) : element.value, element.present});
    }
    const bool goes_everywhere = everywhere_ && compute == everywhere_;
    const auto write = [&] {
        if (is_appended()) return append(element.value);
        const Value position = result_position();
        const Value base = frame({FrameSlot::Kind::result_values, 0, 0}, code_.pointer());
        Value value = element.value;
        // A sum of nothing is the zero that belongs there anyway.
        if (element.present && goes_everywhere && !is_dense_sum(compute)) {
            value = code_.select(element.present, value, code_.zero(type));
        }
        if (compute.getFold()) {
            value =
                code_.operation(*compute.getFold(), type, code_.load_element(type, base, position),
                                value, Code::Rounding::folded);
        }
        if (compute == direct_) {
            value = code_.select(code_.load(code_.i1(), seen_), value, element.value);
        }
        code_.store_element(type, value, base, position);
    };
    if (element.present && !goes_everywhere && !is_dense_sum(compute)) {
        code_.if_then(element.present, write);
    } else {
        write();
    }
}

bool KernelEmitter::is_dense_sum(it::ComputeOp compute) {
    if (kernel_.getOutput() != it::Output::dense || compute.getFold()) return false;
    auto yield = mlir::cast<it::YieldOp>(compute.block().getTerminator());
    auto element = yield.getValue().getDefiningOp<it::ElementOp>();
    if (!element) return false;
    auto sum = element.getAccess().getDefiningOp<it::AccumulatorOp>();
    return sum && sum.getFold() == ga::Operator::add;
}

void KernelEmitter::finish_output() {
    if (total_) {
        const mlir::Type type = code_.value_type(total_->element);
        if (total_lanes_) {
            code_.store(
                code_.operation(total_->fold, total_->element, code_.load(type, total_->value),
                                end_lanes(*total_, *total_lanes_, false), Code::Rounding::folded),
                total_->value);
        }
        const Value value =
            code_.convert(total_->element, result_element(), code_.load(type, total_->value));
        code_.store_element(result_element(), value,
                            frame({FrameSlot::Kind::partial_values, 0, 0}, code_.pointer()),
                            chunk_);
        const Value present =
            total_->present ? code_.load(code_.i1(), total_->present) : code_.flag(true);
        code_.store_at(
            mlir::arith::ExtUIOp::create(code_.builder(), code_.at(), code_.i8(), present),
            frame({FrameSlot::Kind::partial_present, 0, 0}, code_.pointer()), chunk_);
    }
    if (!is_appended()) return;
    code_.set_field(code_.load(code_.i64(), buffer_size_), buffer_,
                    offsetof(cpu::EntryBuffer, size));
}

it::ComputeOp KernelEmitter::find_everywhere() {
    if (kernel_.getOutput() != it::Output::dense) return {};
    mlir::Block* block = &kernel_.block();
    std::size_t loops = 0;
    while (block != nullptr) {
        mlir::Block* inner = nullptr;
        for (mlir::Operation& op : *block) {
            if (auto index = mlir::dyn_cast<it::IndexOp>(op)) {
                const auto found =
                    std::find(out_labels_.begin(), out_labels_.end(), index.getLabel().str());
                if (found == out_labels_.end()) continue;
                if (index.getDomain() != "*") return {};
                inner = &index.block();
            } else if (auto compute = mlir::dyn_cast<it::ComputeOp>(op)) {
                if (compute.getTarget()) continue;
                return loops == out_labels_.size() && !compute.getFold() ? compute
                                                                         : it::ComputeOp();
            }
        }
        if (inner != nullptr) ++loops;
        block = inner;
    }
    return {};
}

} // namespace tropic::compile
