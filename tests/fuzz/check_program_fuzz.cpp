// Arbitrary bytes as a program: checked, or refused with messages that point into the text. What is
// checked must keep the promises of language/program.h.
#include <cstddef>
#include <cstdint>
#include <string>

#include "cpu_limit.h"
#include "language/check.h"
#include "tropic/error.h"

namespace {

using namespace tropic::language;

void require(bool holds) {
    if (!holds) __builtin_trap();
}

void walk(const Program& program, const Expression& expression) {
    using Kind = Expression::Kind;
    for (const LabelId label : expression.labels) {
        require(label >= 0 && static_cast<std::size_t>(label) < program.labels.size());
    }
    if (expression.kind == Kind::access || expression.kind == Kind::scalar) {
        const Variable& variable =
            program.variables.at(static_cast<std::size_t>(expression.variable));
        require(variable.is_tensor == (expression.kind == Kind::access));
        require(expression.labels.size() == variable.shape.size());
        require(expression.element == variable.element);
    }
    if (expression.kind == Kind::elementwise || expression.kind == Kind::product) {
        require(expression.operands.size() == 2);
        require(expression.operands[0].element == expression.operands[1].element);
        require(expression.operands[0].element == expression.element);
    }
    for (const Expression& operand : expression.operands) walk(program, operand);
}

void walk(const Program& program, const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) {
        for (const Expression& operand : statement.operands) walk(program, operand);
        if (statement.kind == Statement::Kind::assign) {
            const Variable& target =
                program.variables.at(static_cast<std::size_t>(statement.variable));
            require(statement.labels.size() == target.shape.size());
            require(statement.operands.size() == 1);
            require(statement.operands[0].element == target.element);
            if (statement.mask) require(statement.mask->labels.size() == target.shape.size());
        }
        walk(program, statement.body);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const tropic::fuzz::CpuLimit limit;
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        const Program program = check_program(text, "input.tropic");
        walk(program, program.statements);
        require(!print_tree(text, "input.tropic").empty());
    } catch (const tropic::Error& error) {
        for (const tropic::Diagnostic& diagnostic : error.diagnostics()) {
            require(!diagnostic.message.empty() && diagnostic.line >= 1 && diagnostic.column >= 1);
        }
    }
    return 0;
}
