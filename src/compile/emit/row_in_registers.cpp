// Short rows of a dense result, of a length that the program says, are summed up in registers and
// stored once.
#include "compile/emit/kernel_emitter_class.h"
#include "compile/emit/lane_operations.h"

namespace tropic::compile {

namespace {

/// Half of the registers of processors with 32 of them, 512 bits each.
constexpr std::int64_t most_bits = std::int64_t{16} * 512;
constexpr std::int64_t least_places = 4;

} // namespace

it::IndexOp KernelEmitter::find_row_in_registers() {
    if (!direct_ || !first_folded_ || first_folded_ != last_folded_) return {};
    auto row = direct_->getParentOfType<it::IndexOp>();
    // One loop over what is folded, and in it one over the row.
    const bool alone = llvm::hasSingleElement(first_folded_.block()) &&
                       llvm::hasSingleElement(row.block()) &&
                       row->getParentOfType<it::IndexOp>() == first_folded_;
    if (!alone || row.getDomain() != "*" || first_folded_.getDomain() != "0" ||
        row.getLabel() != out_labels_.back()) {
        return {};
    }
    const std::string label = row.getLabel().str();
    const auto places = known_label_size(label);
    const mlir::Type element = result_element();
    if (!places || *places < least_places || !llvm::isPowerOf2_64(*places) ||
        !has_lane_type(element) || *places * element.getIntOrFloatBitWidth() > most_bits ||
        !code_.identity(*direct_.getFold(), element)) {
        return {};
    }
    const bool fits = llvm::all_of(direct_.block(), [&](mlir::Operation& op) {
        if (mlir::isa<it::YieldOp>(op)) return true;
        if (op.getResult(0).getType() != element) return false;
        if (auto read = mlir::dyn_cast<it::ElementOp>(op)) {
            return can_read_row(read.getAccess(), label);
        }
        auto combine = mlir::dyn_cast<it::CombineOp>(op);
        if (!combine) return mlir::isa<it::ScalarOp>(op);
        return combine.getMeeting() == ga::Meeting::both &&
               has_lane_operation(combine.getOp(), element);
    });
    return fits ? row : it::IndexOp();
}

bool KernelEmitter::can_read_row(Value access, const std::string& label) {
    auto op = access.getDefiningOp<it::AccessOp>();
    if (!op) return false;
    if (llvm::is_contained(first_folded_.getDrivers(), access)) return true;
    const auto type = mlir::cast<ga::TensorType>(op.getTensor().getType());
    if (!type.isDense() || !has_lane_type(type.getElement())) return false;
    const auto names = op.getLabels().getAsRange<mlir::StringAttr>();
    const auto uses = llvm::count_if(names, [&](auto name) { return name.getValue() == label; });
    const auto last =
        mlir::cast<mlir::StringAttr>(op.getLabels()[static_cast<unsigned>(type.getOrder().back())]);
    const bool stored = type.getKinds().back() != ga::repeated_level;
    return uses == 0 || (uses == 1 && last.getValue() == label && stored);
}

void KernelEmitter::begin_row() {
    const auto places =
        static_cast<unsigned>(*known_label_size(row_in_registers_.getLabel().str()));
    const mlir::Type element = result_element();
    const Value identity = *code_.identity(*direct_.getFold(), element);
    row_sums_ = {places, code_.slot(mlir::VectorType::get(places, identity.getType())), {}};
    code_.store(splat(identity, places), row_sums_.whole);
}

void KernelEmitter::fold_row() {
    const mlir::Type element = result_element();
    const Lanes group{row_sums_.lanes, code_.number(0), {}, {}, {}};
    const Element term =
        term_in_lanes(direct_, {element, false}, row_in_registers_.getLabel().str(), group);
    const Value old = code_.load(term.value.getType(), row_sums_.whole);
    code_.store(
        code_.operation(*direct_.getFold(), element, old, term.value, Code::Rounding::folded),
        row_sums_.whole);
}

void KernelEmitter::end_row() {
    const mlir::Type element = result_element();
    const mlir::Type one = code_.value_type(element);
    const auto type = mlir::VectorType::get(row_sums_.lanes, one);
    Value value = code_.load(type, row_sums_.whole);
    if (*direct_.getFold() != ga::Operator::add) {
        const Value none = splat(code_.zero(element), row_sums_.lanes);
        value = code_.select(code_.load(code_.i1(), seen_), value, none);
    }
    const auto around = coordinates_;
    coordinates_[row_in_registers_.getLabel().str()] = code_.number(0);
    const Value base = frame({FrameSlot::Kind::result_values, 0, 0}, code_.pointer());
    const Value address = code_.element_address(one, base, result_position());
    coordinates_ = around;
    const unsigned alignment = one.getIntOrFloatBitWidth() / 8;
    if (kernel_.getOnto()) {
        const Value old =
            mlir::LLVM::LoadOp::create(code_.builder(), code_.at(), type, address, alignment);
        value = code_.operation(*direct_.getFold(), element, old, value, Code::Rounding::folded);
    }
    mlir::LLVM::StoreOp::create(code_.builder(), code_.at(), value, address, alignment);
}

} // namespace tropic::compile
