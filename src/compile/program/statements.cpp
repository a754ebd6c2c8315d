// Statements.
#include "compile/program/lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tropic::compile {

void ProgramLowering::lower(const Statement& statement) {
    if (statement.variable < 0 || !program_.variables[statement.variable].is_tensor) {
        return lower_one(statement);
    }
    const Variable& variable = program_.variables[statement.variable];
    const bool undeclared = statement.kind == Statement::Kind::assign && !variable.format &&
                            !values_[statement.variable];
    lower_one(statement);
    if (statement.kind == Statement::Kind::forget) return;
    if (undeclared && !variable.name.empty()) explain_format(statement);
    learn_sizes(statement.variable, variable.labels);
    learn_sizes(statement.variable, statement.labels);
}

void ProgramLowering::lower_one(const Statement& statement) {
    const mlir::Location at = location(statement.place);
    switch (statement.kind) {
    case Statement::Kind::assign:
        if (program_.variables[statement.variable].is_tensor) assign_tensor(statement);
        else assign_scalar(statement);
        break;
    case Statement::Kind::read: {
        const Variable& variable = program_.variables[statement.variable];
        values_[statement.variable] = ga::ReadOp::create(
            builder_, at, type_for(statement.variable, false), statement.input, statement.read_mode,
            llvm::ArrayRef<std::int64_t>(variable.shape.data(), variable.shape.size()),
            text(statement.place));
        break;
    }
    case Statement::Kind::fill_random:
        values_[statement.variable] =
            ga::RandomOp::create(builder_, at, type_for(statement.variable, true),
                                 sizes_for(statement), random_streams_++);
        break;
    case Statement::Kind::print:
        if (statement.variable >= 0 && program_.variables[statement.variable].is_tensor) {
            const Variable& variable = program_.variables[statement.variable];
            ga::PrintOp::create(builder_, at, value_of(statement.variable, statement.place),
                                static_cast<std::int64_t>(variable.presentation));
        } else {
            const Value value = statement.operands.empty()
                                    ? value_of(statement.variable, statement.place)
                                    : scalar(statement.operands[0]);
            ga::PrintOp::create(builder_, at, value, 0);
        }
        break;
    case Statement::Kind::print_elapsed: {
        const Value begin = to_scalar(scalar(statement.operands[0]), builder_.getF64Type(), at);
        const Value end = to_scalar(scalar(statement.operands[1]), builder_.getF64Type(), at);
        ga::PrintElapsedOp::create(builder_, at,
                                   mlir::arith::SubFOp::create(builder_, at, end, begin));
        break;
    }
    case Statement::Kind::loop:
        lower_loop(statement);
        break;
    case Statement::Kind::forget:
        values_[statement.variable] = {};
        break;
    }
}

} // namespace tropic::compile
