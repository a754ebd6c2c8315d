// Monoids, built in and the program's own.
#include <fmt/format.h>

#include "language/algorithm/checker.h"

namespace tropic::language::algorithm {

namespace {

std::shared_ptr<Expression> shared(Expression expression) {
    return std::make_shared<Expression>(std::move(expression));
}

} // namespace

/// The operator that a word of a fold gathers with.
std::string_view Checker::monoid_word(std::string_view name) {
    if (name == "sum" || name == "count") return "+";
    if (name == "product") return "*";
    if (name == "argmin") return "min";
    if (name == "argmax") return "max";
    return name;
}

/// The least value of a type.
std::shared_ptr<Expression> Checker::lowest_of(const Type& type) const {
    Type one = type;
    one.lanes = 1;
    Expression lowest;
    if (is_float(type.element)) {
        Expression infinite;
        infinite.kind = Expression::Kind::infinity;
        infinite.type = one;
        lowest.kind = Expression::Kind::negate;
        lowest.type = one;
        lowest.operands.push_back(std::move(infinite));
    } else {
        lowest = constant_of(0, one);
        visit_type(type.element, [&]<class T>(TypeTag<T>) {
            if constexpr (std::is_integral_v<T>) {
                lowest.integer = static_cast<std::int64_t>(std::numeric_limits<T>::min());
                lowest.number = static_cast<double>(lowest.integer);
            }
        });
        if (type.vertex) lowest = constant_of(-1, one);
    }
    return shared(converted_silently(std::move(lowest), type));
}

std::optional<Monoid> Checker::monoid_of(std::string_view word, const Type& type, Place place) {
    if (!type.is_known()) return std::nullopt;
    Monoid monoid;
    if (const syntax::Function* own = find_function(word)) {
        if (own->kind != syntax::Function::Kind::monoid) {
            report(ErrorCode::inconsistent, place, fmt::format("'{}' is no monoid", word),
                   {.hint = "monoid name(a, b) = value identity e;"});
            return std::nullopt;
        }
        monoid.operation = Operation::user;
        Frame frame{.function = own, .scopes = {{}}, .caller = frame_, .called = place};
        Frame* outer = std::exchange(frame_, &frame);
        const auto constant = [&](const Tree& tree) {
            return shared(converted(expression(tree), type, tree.place));
        };
        monoid.identity = constant(*own->identity);
        if (own->terminal) monoid.terminal = constant(*own->terminal);
        monoid.left = new_local(own->parameters[0].name.text, type, place);
        monoid.right = new_local(own->parameters[1].name.text, type, place);
        frame.scopes[0][own->parameters[0].name.text] = Symbol{.variable = monoid.left};
        frame.scopes[0][own->parameters[1].name.text] = Symbol{.variable = monoid.right};
        monoid.combine = shared(converted(expression(*own->value), type, own->value->place));
        frame_ = outer;
        return monoid;
    }
    const auto operation = operation_of(monoid_word(word));
    const auto refuse = [&](std::string message) {
        report(ErrorCode::inconsistent, place, std::move(message),
               {.accepted = "+ * min max any | & or and, and the program's own monoids"});
        return std::nullopt;
    };
    if (!operation) {
        report_unknown(word, place, "monoid");
        return std::nullopt;
    }
    if (type.record >= 0 && *operation != Operation::any) {
        return refuse(fmt::format("'{}' does not gather {}", word, described(type)));
    }
    monoid.operation = *operation;
    const bool real = is_float(type.element);
    const bool is_bool = type.element == ElementType::boolean;
    const auto number = [&](std::int64_t value) {
        Type one = type;
        one.lanes = 1;
        return shared(converted_silently(constant_of(value, one), type));
    };
    switch (*operation) {
    case Operation::add:
        monoid.identity = number(0);
        break;
    case Operation::multiply:
        monoid.identity = number(1);
        break;
    case Operation::minimum: {
        Expression infinite;
        infinite.kind = Expression::Kind::infinity;
        infinite.type = type;
        infinite.type.lanes = 1;
        monoid.identity = is_bool ? number(1) : shared(converted_silently(infinite, type));
        break;
    }
    case Operation::maximum:
        monoid.identity = is_bool ? number(0) : lowest_of(type);
        break;
    case Operation::any:
        monoid.identity = type.vertex ? number(-1) : number(0);
        if (type.record >= 0) monoid.identity = shared(constant_of(0, type));
        break;
    case Operation::logical_or:
    case Operation::bit_or:
        if (real) return refuse(fmt::format("'{}' does not gather {}", word, described(type)));
        monoid.operation = Operation::bit_or;
        monoid.identity = number(0);
        if (is_bool && type.lanes == 1) monoid.terminal = number(1);
        break;
    case Operation::logical_and:
    case Operation::bit_and:
        if (real) return refuse(fmt::format("'{}' does not gather {}", word, described(type)));
        monoid.operation = Operation::bit_and;
        monoid.identity = number(is_bool ? 1 : -1); // all bits
        if (is_bool && type.lanes == 1) monoid.terminal = number(0);
        break;
    case Operation::bit_xor:
        if (real) return refuse(fmt::format("'{}' does not gather {}", word, described(type)));
        monoid.identity = number(0);
        break;
    default:
        return refuse(fmt::format("'{}' is no monoid", word));
    }
    return monoid;
}

/// Whether a word gathers values: a built-in monoid or one of the text. Folds that ask for more
/// than values are none.
bool Checker::is_monoid(std::string_view word) const {
    if (word == "count" || word == "argmin" || word == "argmax") return false;
    if (const syntax::Function* const own = find_function(word)) {
        return own->kind == syntax::Function::Kind::monoid;
    }
    switch (operation_of(monoid_word(word)).value_or(Operation::none)) {
    case Operation::add:
    case Operation::multiply:
    case Operation::minimum:
    case Operation::maximum:
    case Operation::any:
    case Operation::bit_or:
    case Operation::bit_and:
    case Operation::bit_xor:
    case Operation::logical_or:
    case Operation::logical_and:
        return true;
    default:
        return false;
    }
}

bool Checker::is_multiplication(std::string_view word) const {
    using Kind = syntax::Function::Kind;
    if (const syntax::Function* const own = find_function(word)) {
        return own->kind == Kind::operation || own->kind == Kind::monoid;
    }
    return operation_of(monoid_word(word)).has_value();
}

bool Checker::is_sound(const syntax::Function& semiring) const {
    return is_monoid(semiring.add) && is_multiplication(semiring.multiply);
}

void Checker::report_no_monoid(std::string_view word, Place place) {
    report(ErrorCode::not_found, place, fmt::format("'{}' is no monoid", word),
           {.accepted = "+ * min max any | & or and, and the program's own monoids"});
}

/// That a semiring is made of operators that there are, said where it is defined.
void Checker::check_semiring(const syntax::Function& semiring) {
    if (!is_monoid(semiring.add)) report_no_monoid(semiring.add, semiring.add_place);
    if (!is_multiplication(semiring.multiply)) {
        report(ErrorCode::not_found, semiring.multiply_place,
               fmt::format("'{}' is no multiplication", semiring.multiply),
               {.accepted = "+ - * / min max first second pair | & < >, and the program's own "
                            "operators"});
    }
}

} // namespace tropic::language::algorithm
