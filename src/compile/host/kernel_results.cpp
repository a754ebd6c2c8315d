// What is made ready for the results of a kernel, and what becomes of them.
#include "compile/host/host_emitter.h"

namespace tropic::compile {

HostEmitter::Output HostEmitter::begin_output(it::KernelOp kernel, const KernelCode& body,
                                              llvm::ArrayRef<Value> inputs,
                                              llvm::ArrayRef<Value> sizes, Value chunks) {
    Output output;
    const auto type = mlir::dyn_cast<ga::TensorType>(kernel.getResult().getType());
    if (!type) {
        output.element = kernel.getResult().getType();
        output.values = scratch(code_.mul(chunks, code_.number(8)));
        output.present = scratch(chunks);
        return output;
    }
    output.element = type.getElement();
    if (const auto old = kernel.getInPlace() ? kernel.getInPlace() : kernel.getOnto()) {
        // One more who holds it makes it a copy.
        if (!kernel.getInPlace()) retain(inputs[*old]);
        output.view = call(TROPIC_FUNCTION(take_over), code_.pointer(), {inputs[*old]});
        if (!kernel.getInPlace()) release(inputs[*old]);
        return output;
    }
    llvm::SmallVector<Value> shape(type.getOrder().size());
    for (std::size_t level = 0; level < shape.size(); ++level) {
        const auto label = kernel.getOutLabels()[static_cast<unsigned>(level)];
        const auto found = llvm::find(kernel.getLabels().getValue(), label);
        shape[static_cast<std::size_t>(type.getOrder()[level])] =
            sizes[found - kernel.getLabels().getValue().begin()];
    }
    output.shape = array(shape);
    const Value element = type_number(type.getElement());
    if (kernel.getOutput() == it::Output::dense) {
        const std::size_t function =
            body.writes_everywhere ? TROPIC_FUNCTION(dense) : TROPIC_FUNCTION(empty);
        output.view = call(function, code_.pointer(), {element, format(type), output.shape});
        return output;
    }
    const bool rows = kernel.getOutput() != it::Output::entries;
    std::int64_t appended = (std::int64_t{1} << type.rank()) - 1;
    Value counts = code_.null();
    Value row_number = code_.number(0);
    if (rows) {
        appended &= ~(std::int64_t{1} << type.getOrder()[0]);
        counts = code_.slot(code_.pointer());
        row_number = shape[static_cast<std::size_t>(type.getOrder()[0])];
    }
    output.entries = call(TROPIC_FUNCTION(begin_entries), code_.pointer(),
                          {element, code_.number(appended), row_number, counts});
    if (rows) output.row_counts = code_.load(code_.pointer(), counts);
    return output;
}

Value HostEmitter::finish_output(it::KernelOp kernel, const Output& output, Value chunks) {
    if (output.view) return output.view;
    if (output.entries) {
        const auto type = mlir::cast<ga::TensorType>(kernel.getResult().getType());
        const bool jumbled = kernel.getOutput() == it::Output::jumbled_rows;
        return call(TROPIC_FUNCTION(end_entries), code_.pointer(),
                    {output.entries, format(type), output.shape, code_.number(jumbled ? 1 : 0)});
    }
    return combine_chunks(kernel, output, chunks);
}

Value HostEmitter::combine_chunks(it::KernelOp kernel, const Output& output, Value chunks) {
    ga::Operator fold = ga::Operator::second;
    kernel.walk([&](it::ComputeOp compute) {
        if (!compute.getTarget() && compute.getFold()) fold = *compute.getFold();
    });
    const mlir::Type type = output.element;
    const mlir::Type element =
        type.isF64() ? type
                     : mlir::IntegerType::get(type.getContext(), 64, mlir::IntegerType::Signed);
    const Value total = code_.slot(type);
    const Value any = code_.slot(code_.i1());
    code_.store(code_.zero(element), total);
    code_.store(code_.flag(false), any);
    code_.count(code_.number(0), chunks, [&](Value chunk) {
        const Value byte = code_.load_at(code_.i8(), output.present, chunk);
        const Value present = code_.is_nonzero(
            mlir::IntegerType::get(type.getContext(), 8, mlir::IntegerType::Unsigned), byte);
        code_.if_then(present, [&] {
            const Value value = code_.load_at(type, output.values, chunk);
            const Value folded = code_.operation(fold, element, code_.load(type, total), value);
            code_.store(code_.select(code_.load(code_.i1(), any), folded, value), total);
            code_.store(code_.flag(true), any);
        });
    });
    const Value result = code_.load(type, total);
    call(TROPIC_FUNCTION(release_scratch), {}, {output.values});
    call(TROPIC_FUNCTION(release_scratch), {}, {output.present});
    return result;
}

} // namespace tropic::compile
