// A checked program as short text, for tables in tests:
//   C[i, k] = [+,* over j](A[i, j], B[j, k])
// An element-wise operation shows how its operands meet: (a +| b) where either, (a *& b) where both
// have a value. Conversions are written like calls, constants with their type.
#pragma once

#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "language/check.h"
#include "tropic/error.h"

namespace tropic::language {

class ProgramText {
  public:
    explicit ProgramText(const Program& program) : program_(program) {}

    /// One statement a line; reads, declarations and fills included.
    std::string statements() const { return block(program_.statements, 0); }

    /// "C float64 csr [4, ?]", "n int64"
    std::string variable(VariableId id) const {
        const Variable& v = program_.variables.at(static_cast<std::size_t>(id));
        std::string text = fmt::format("{} {}", v.name, name_of(v.element));
        if (!v.is_tensor) return text;
        std::vector<std::string> sizes;
        sizes.reserve(v.shape.size());
        for (const Index size : v.shape) sizes.push_back(size < 0 ? "?" : std::to_string(size));
        return text + fmt::format(" {} [{}]", v.format ? v.format->name() : "inferred",
                                  fmt::join(sizes, ", "));
    }

    std::string expression(const Expression& e) const {
        switch (e.kind) {
        case Expression::Kind::constant:
            return is_float(e.element) ? fmt::format("{}:{}", e.number, name_of(e.element))
                                       : fmt::format("{}:{}", e.integer, name_of(e.element));
        case Expression::Kind::scalar:
            return name(e.variable);
        case Expression::Kind::access:
            return name(e.variable) + labels(e.labels);
        case Expression::Kind::negate:
            return "-" + expression(e.operands[0]);
        case Expression::Kind::elementwise:
            return fmt::format("({} {}{} {})", expression(e.operands[0]), name_of(e.op),
                               e.meeting == Meeting::both ? "&" : "|", expression(e.operands[1]));
        case Expression::Kind::product:
            return fmt::format("[{},{} over {}]({}, {})", name_of(e.add), name_of(e.op),
                               list(e.reduced), expression(e.operands[0]),
                               expression(e.operands[1]));
        case Expression::Kind::sum:
            return fmt::format("sum({})", expression(e.operands[0]));
        case Expression::Kind::time:
            return "time";
        case Expression::Kind::cast:
            break;
        }
        return fmt::format("{}({})", name_of(e.element), expression(e.operands[0]));
    }

  private:
    std::string name(VariableId id) const {
        return program_.variables.at(static_cast<std::size_t>(id)).name;
    }

    std::string list(const std::vector<LabelId>& ids) const {
        std::vector<std::string> names;
        names.reserve(ids.size());
        for (const LabelId id : ids) {
            names.push_back(program_.labels.at(static_cast<std::size_t>(id)).name);
        }
        return fmt::format("{}", fmt::join(names, ","));
    }
    std::string labels(const std::vector<LabelId>& ids) const { return "[" + list(ids) + "]"; }

    std::string block(const std::vector<Statement>& statements, std::size_t depth) const {
        std::string text;
        for (const Statement& s : statements) {
            text += std::string(2 * depth, ' ') + statement(s) + "\n";
            text += block(s.body, depth + 1);
        }
        return text;
    }

    std::string statement(const Statement& s) const {
        switch (s.kind) {
        case Statement::Kind::assign:
            return target(s) + expression(s.operands[0]);
        case Statement::Kind::read:
            return fmt::format("{}{} = read {} mode {}", name(s.variable), labels(s.labels),
                               s.input, s.read_mode);
        case Statement::Kind::fill_random:
            return fmt::format("{}{} = random", name(s.variable), labels(s.labels));
        case Statement::Kind::print:
            return "print " + (s.variable >= 0 ? name(s.variable) : expression(s.operands[0]));
        case Statement::Kind::print_elapsed:
            return fmt::format("elapsed {} {}", expression(s.operands[0]),
                               expression(s.operands[1]));
        case Statement::Kind::forget:
            return "forget " + name(s.variable);
        case Statement::Kind::loop:
            break;
        }
        return fmt::format("for {} in {} {} {}", name(s.variable), expression(s.operands[0]),
                           expression(s.operands[1]), expression(s.operands[2]));
    }

    std::string target(const Statement& s) const {
        std::string text = name(s.variable);
        if (!s.labels.empty()) text += labels(s.labels);
        if (s.mask) {
            constexpr const char* ways[] = {"auto", "push", "pull"};
            text += fmt::format("<{}{} {}>", name(s.mask->variable), labels(s.mask->labels),
                                ways[static_cast<int>(s.mask->way)]);
        }
        return text + fmt::format(" {}= ", s.accumulate ? name_of(*s.accumulate) : "");
    }

    const Program& program_;
};

/// The statements of a program's text.
inline std::string checked(const std::string& text) {
    return ProgramText(check_program(text, "test.tropic")).statements();
}

} // namespace tropic::language
