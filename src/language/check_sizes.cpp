#include "language/check_sizes.h"

#include <set>

#include <fmt/format.h>

namespace tropic::language {

namespace {

class SizeCheck {
  public:
    SizeCheck(const Program& program, Diagnostics& diagnostics)
        : program_(program), diagnostics_(diagnostics) {}

    void look_at(const std::vector<Statement>& statements) {
        for (const Statement& statement : statements) {
            look_at(statement.body);
            if (statement.variable < 0 || !program_.variables[statement.variable].is_tensor) {
                continue;
            }
            if (statement.kind == Statement::Kind::forget) {
                valued_.erase(statement.variable);
                continue;
            }
            if (fills(statement) && !valued_.contains(statement.variable)) {
                require_sizes(statement);
            }
            valued_.insert(statement.variable);
            const Variable& variable = program_.variables[statement.variable];
            sized_.insert(variable.labels.begin(), variable.labels.end());
            sized_.insert(statement.labels.begin(), statement.labels.end());
        }
    }

  private:
    /// With values that have no size of their own.
    static bool fills(const Statement& statement) {
        if (statement.kind == Statement::Kind::fill_random) return true;
        return statement.kind == Statement::Kind::assign && statement.operands[0].is_scalar() &&
               !statement.mask && !statement.accumulate;
    }

    void require_sizes(const Statement& statement) {
        const Variable& variable = program_.variables[statement.variable];
        const auto known = [&](const std::vector<LabelId>& labels, std::size_t d) {
            return d < labels.size() &&
                   (program_.labels[labels[d]].size >= 0 || sized_.contains(labels[d]));
        };
        for (std::size_t d = 0; d < variable.shape.size(); ++d) {
            if (variable.shape[d] >= 0 || known(variable.labels, d) || known(statement.labels, d)) {
                continue;
            }
            diagnostics_.add(
                ErrorCode::unsupported, statement.place,
                fmt::format("the size of dimension {} of '{}' is not known here", d + 1,
                            variable.name),
                {.hint = "give its label a size, or read a tensor with that label first"});
            return;
        }
    }

    const Program& program_;
    Diagnostics& diagnostics_;
    std::set<VariableId> valued_; ///< tensors that have a value
    std::set<LabelId> sized_;     ///< labels that such tensors have
};

} // namespace

void check_sizes(const Program& program, Diagnostics& diagnostics) {
    SizeCheck(program, diagnostics).look_at(program.statements);
}

} // namespace tropic::language
