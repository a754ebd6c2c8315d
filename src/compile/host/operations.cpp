// Operations that are calls of the runtime.
#include "compile/host/host_emitter.h"

namespace tropic::compile {

void HostEmitter::emit(mlir::Operation& op) {
    if (auto read = mlir::dyn_cast<ga::ReadOp>(op)) return emit_read(read);
    if (auto size = mlir::dyn_cast<ga::SizeOp>(op)) {
        const auto type = mlir::cast<ga::TensorType>(size.getTensor().getType());
        values_.map(size.getResult(),
                    dimension_size(mapped(size.getTensor()), type,
                                   static_cast<std::int64_t>(size.getDimension())));
        return;
    }
    if (auto fill = mlir::dyn_cast<ga::FillOp>(op)) return emit_fill(fill);
    if (auto empty = mlir::dyn_cast<ga::EmptyOp>(op)) {
        values_.map(empty.getResult(),
                    call(TROPIC_FUNCTION(empty), code_.pointer(),
                         {type_number(type_of(empty).getElement()), format(type_of(empty)),
                          array(mapped(empty.getSizes()))}));
        return;
    }
    if (auto random = mlir::dyn_cast<ga::RandomOp>(op)) {
        values_.map(random.getResult(),
                    call(TROPIC_FUNCTION(random), code_.pointer(),
                         {type_number(type_of(random).getElement()), format(type_of(random)),
                          array(mapped(random.getSizes())),
                          code_.number(static_cast<std::int64_t>(random.getStream()))}));
        return;
    }
    if (auto convert = mlir::dyn_cast<ga::ConvertOp>(op)) return emit_convert(convert);
    if (auto repeat = mlir::dyn_cast<ga::RepeatOp>(op)) {
        values_.map(repeat.getResult(), call(TROPIC_FUNCTION(repeat), code_.pointer(),
                                             {mapped(repeat.getTensor()), format(type_of(repeat)),
                                              array(mapped(repeat.getSizes()))}));
        return;
    }
    if (auto presence = mlir::dyn_cast<ga::PresenceOp>(op)) {
        values_.map(presence.getResult(), call(TROPIC_FUNCTION(presence), code_.pointer(),
                                               {mapped(presence.getTensor())}));
        return;
    }
    if (auto filled = mlir::dyn_cast<ga::RowsFilledOp>(op)) {
        const Value answer =
            call(TROPIC_FUNCTION(rows_filled), code_.i64(), {mapped(filled.getTensor())});
        values_.map(filled.getResult(), code_.less(code_.number(0), answer));
        return;
    }
    if (auto equal = mlir::dyn_cast<ga::RequireEqualOp>(op)) return emit_require(equal);
    if (auto print = mlir::dyn_cast<ga::PrintOp>(op)) return emit_print(print);
    if (auto time = mlir::dyn_cast<ga::TimeOp>(op)) {
        values_.map(time.getResult(), call(TROPIC_FUNCTION(time), code_.f64(), {}));
        return;
    }
    if (auto elapsed = mlir::dyn_cast<ga::PrintElapsedOp>(op)) {
        call(TROPIC_FUNCTION(print_elapsed), {}, {mapped(elapsed.getSeconds())});
        return;
    }
    if (auto result = mlir::dyn_cast<ga::ResultOp>(op)) return emit_result(result);
    if (auto loop = mlir::dyn_cast<mlir::scf::ForOp>(op)) return emit_loop(loop);
    if (auto choice = mlir::dyn_cast<mlir::scf::IfOp>(op)) return emit_choice(choice);
    if (auto kernel = mlir::dyn_cast<it::KernelOp>(op)) return emit_kernel_call(kernel);
    if (op.hasTrait<mlir::OpTrait::IsTerminator>()) return;
    builder_.clone(op, values_); // scalar arithmetic
}

void HostEmitter::emit_read(ga::ReadOp op) {
    llvm::SmallVector<Value> shape;
    for (const std::int64_t size : op.getShape()) shape.push_back(code_.number(size));
    values_.map(op.getResult(),
                call(TROPIC_FUNCTION(read), code_.pointer(),
                     {text(op.getName()), code_.number(static_cast<std::int64_t>(op.getMode())),
                      type_number(type_of(op).getElement()), format(type_of(op)), array(shape),
                      text(op.getPlace())}));
}

void HostEmitter::emit_fill(ga::FillOp op) {
    const ga::TensorType type = type_of(op);
    // Sparse formats store every place: filled densely, then converted.
    const auto dense = ga::TensorType::get(
        type.getContext(), type.getElement(),
        llvm::SmallVector<std::int8_t>(type.getKinds().size(), 0), type.getOrder());
    const Value scalar = mapped(op.getValue());
    const mlir::Type from =
        scalar.getType().isF64()
            ? scalar.getType()
            : mlir::IntegerType::get(type.getContext(), 64, mlir::IntegerType::Signed);
    const Value cell = code_.slot(code_.memory_type(type.getElement()));
    code_.store_element(type.getElement(), code_.convert(from, type.getElement(), scalar), cell,
                        code_.number(0));
    Value view =
        call(TROPIC_FUNCTION(uniform), code_.pointer(),
             {type_number(type.getElement()), format(dense), array(mapped(op.getSizes())), cell});
    if (!type.isDense()) {
        const Value whole = view;
        view = convert_view(view, type, identity(type.rank()));
        release(whole);
    }
    values_.map(op.getResult(), view);
}

void HostEmitter::emit_convert(ga::ConvertOp op) {
    values_.map(op.getResult(),
                convert_view(mapped(op.getTensor()), type_of(op), identity(type_of(op).rank())));
}

void HostEmitter::emit_require(ga::RequireEqualOp op) {
    call(TROPIC_FUNCTION(require_equal), {},
         {mapped(op.getLeft()), mapped(op.getRight()), text(op.getLabel()), text(op.getLeftName()),
          text(op.getRightName()), text(op.getPlace())});
}

void HostEmitter::emit_print(ga::PrintOp op) {
    const Value value = mapped(op.getValue());
    if (const auto type = mlir::dyn_cast<ga::TensorType>(op.getValue().getType())) {
        call(TROPIC_FUNCTION(print_tensor), {},
             {value, type_number(type.getElement()), format(type),
              code_.number(static_cast<std::int64_t>(op.getPresentation()))});
    } else if (value.getType().isF64()) call(TROPIC_FUNCTION(print_real), {}, {value});
    else call(TROPIC_FUNCTION(print_integer), {}, {value});
}

void HostEmitter::emit_result(ga::ResultOp op) {
    const Value value = mapped(op.getValue());
    const Value name = text(op.getName());
    if (const auto type = mlir::dyn_cast<ga::TensorType>(op.getValue().getType())) {
        call(TROPIC_FUNCTION(tensor_result), {},
             {name, value, type_number(type.getElement()), format(type)});
    } else if (value.getType().isF64()) call(TROPIC_FUNCTION(real_result), {}, {name, value});
    else call(TROPIC_FUNCTION(integer_result), {}, {name, value});
}

} // namespace tropic::compile
