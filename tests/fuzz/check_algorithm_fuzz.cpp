// Arbitrary bytes as an algorithm: checked, or refused with messages that point into the text. What
// is checked must keep the promises of language/algorithm/algorithm.h.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "language/algorithm/check.h"
#include "language/algorithm/visit.h"
#include "tropic/error.h"

namespace {

using namespace tropic::language::algorithm;

void require(bool holds) {
    if (!holds) __builtin_trap();
}

class Walk {
  public:
    explicit Walk(const Algorithm& algorithm) : algorithm_(algorithm) {}

    void run() {
        for (const VariableId id : algorithm_.parameters) variable(id);
        for (const VariableId id : algorithm_.results) variable(id);
        for_each_statement(algorithm_.statements, [&](const Statement& s) { statement(s); });
        for (const Statement& s : algorithm_.statements) {
            for_each_expression(s, [&](const Expression& e) { expression(e); });
        }
    }

  private:
    const Variable& variable(VariableId id) const {
        return algorithm_.variables.at(static_cast<std::size_t>(id));
    }

    void expression(const Expression& e) {
        using Kind = Expression::Kind;
        require(e.type.is_scalar());
        if (e.kind == Kind::binary) {
            require(e.operands.size() == 2);
            const Type& a = e.operands[0].type;
            const Type& b = e.operands[1].type;
            require(a.element == b.element && a.lanes == b.lanes && a.vertex == b.vertex);
            require(a.record < 0 && b.record < 0);
        }
        if (e.kind == Kind::variable) require(variable(e.variable).type.is_scalar());
        if (e.kind == Kind::element) {
            const Type& type = variable(e.variable).type;
            require(e.operands.size() == (type.shape == Type::Shape::table ? 2U : 1U));
            require(e.type.element == type.element && e.type.record == type.record);
        }
        if (e.kind == Kind::member) require(e.operands.size() == 1);
        if (e.kind == Kind::insert) require(variable(e.variable).type.is_members());
        if (e.kind == Kind::reduction) {
            const Reduction& fold = *e.reduction;
            require(fold.monoid.identity != nullptr);
            require((fold.graph >= 0) == fold.center.has_value());
            require(variable(fold.label).is_local);
        }
    }

    void statement(const Statement& s) {
        using Kind = Statement::Kind;
        if (s.kind == Kind::scalar) {
            require(variable(s.variable).type.is_scalar() && s.value.has_value());
            require(s.value->type.element == variable(s.variable).type.element);
            require(s.value->type.lanes == variable(s.variable).type.lanes);
        }
        if (s.kind == Kind::element) {
            require(s.target->kind == Expression::Kind::element);
            require(s.target->type.element == s.value->type.element);
            require(s.target->type.lanes == s.value->type.lanes);
        }
        if (s.kind == Kind::each) {
            require(std::ranges::find(s.each->rebuilt, s.each->members) == s.each->rebuilt.end());
            require(static_cast<std::size_t>(s.each->space) < algorithm_.spaces.size());
        }
        if (s.kind == Kind::choose) require(!s.body.empty() && !s.otherwise.empty());
        if (s.kind == Kind::swap) {
            require(variable(s.variable).type.shape == variable(s.other).type.shape);
        }
    }

    const Algorithm& algorithm_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    for (const bool optimise : {false, true}) {
        try {
            const Algorithm algorithm =
                check_algorithm(text, "input.tropic", CheckOptions{.optimise = optimise});
            Walk(algorithm).run();
            require(!to_text(algorithm).empty());
            require(!print_algorithm_tree(text, "input.tropic").empty());
        } catch (const tropic::Error& error) {
            for (const tropic::Diagnostic& diagnostic : error.diagnostics()) {
                require(!diagnostic.message.empty() && diagnostic.line >= 1 &&
                        diagnostic.column >= 1);
            }
        }
    }
    return 0;
}
