// Expressions as code.
#include <cmath>

#include <fmt/format.h>
#include <poputil/exceptions.hpp>

#include "popops/codelet_text.h"

namespace popops {

namespace {

using expr::BinaryOpType;
using expr::Expr;
using expr::TernaryOpType;
using expr::UnaryOpType;
using Node = Expr::Node;
using poplar::Type;
using poputil::poplibs_error;

/// A value, or a number that takes the type of what it meets.
struct Value {
    CodeValue code;
    const Node* number = nullptr;
};

std::string cast_code(const std::string& type, const std::string& text) {
    return fmt::format("static_cast<{}>({})", type, text);
}

std::string literal(const Node& number, const Type& type) {
    if (!type.isFloatingPoint()) {
        const std::string text = number.integer < 0 ? fmt::format("{}LL", number.integer)
                                                    : fmt::format("{}ULL", number.integer);
        return cast_code(code_type(type), text);
    }
    std::string text;
    if (std::isnan(number.value)) text = "__builtin_nanf(\"\")";
    else if (std::isinf(number.value)) text = number.value < 0 ? "-INFINITY" : "INFINITY";
    else text = fmt::format("{:.9e}F", number.value);
    return type == poplar::HALF ? cast_code("half", text) : text;
}

CodeValue typed(const Value& value, const Type& type) {
    if (value.number == nullptr) return value.code;
    const Type own = value.number->typed ? value.number->type : type;
    return {literal(*value.number, own), own};
}

Type free_type(const Value& value) {
    if (value.number == nullptr) return value.code.type;
    if (value.number->typed) return value.number->type;
    return value.number->integral ? poplar::INT : poplar::FLOAT;
}

bool is_free(const Value& value) {
    return value.number != nullptr && !value.number->typed;
}

class Writer {
  public:
    explicit Writer(const std::vector<CodeValue>& placeholders) : placeholders_(placeholders) {}

    Value value(const Node& node) {
        switch (node.kind) {
        case Expr::Kind::constant:
            return {{}, &node};
        case Expr::Kind::placeholder:
            if (node.index == 0 || node.index > placeholders_.size()) {
                throw poplibs_error(fmt::format("the expression uses _{}, but there are {} tensors",
                                                node.index, placeholders_.size()));
            }
            return {placeholders_[node.index - 1], nullptr};
        case Expr::Kind::cast:
            return {{cast_code(code_type(node.type), plain(*node.operands[0]).text), node.type},
                    nullptr};
        case Expr::Kind::unary:
            return {unary(static_cast<UnaryOpType>(node.op), plain(*node.operands[0])), nullptr};
        case Expr::Kind::binary:
            return {binary(node), nullptr};
        case Expr::Kind::ternary:
            break;
        }
        return {ternary(node), nullptr};
    }

    CodeValue plain(const Node& node) {
        const Value found = value(node);
        return typed(found, free_type(found));
    }

  private:
    static CodeValue same(const Type& type, const std::string& text) {
        return {cast_code(code_type(type), text), type};
    }

    /// A function of floats, for halves too.
    static CodeValue real(const CodeValue& a, const char* function) {
        if (!a.type.isFloatingPoint()) {
            throw poplibs_error(fmt::format("{} of elements of type {}", function,
                                            a.type.toString().cloneAsString()));
        }
        return same(a.type, fmt::format("{}(float({}))", function, a.text));
    }

    static CodeValue unary(UnaryOpType op, const CodeValue& a) {
        const auto call = [&](const char* function) {
            return same(a.type, fmt::format("{}({})", function, a.text));
        };
        const auto flag = [&](const std::string& text) { return CodeValue{text, poplar::BOOL}; };
        switch (op) {
        case UnaryOpType::ABSOLUTE:
            return call("abs_of");
        case UnaryOpType::BITWISE_NOT:
            return same(a.type, "~" + a.text);
        case UnaryOpType::CEIL:
            return real(a, "ceilf");
        case UnaryOpType::COS:
            return real(a, "cosf");
        case UnaryOpType::EXPONENT:
            return real(a, "expf");
        case UnaryOpType::EXPONENT_MINUS_ONE:
            return real(a, "expm1f");
        case UnaryOpType::FLOOR:
            return real(a, "floorf");
        case UnaryOpType::INVERSE:
            return real(a, "1.0F / ");
        case UnaryOpType::IS_FINITE:
            return flag("is_finite(" + a.text + ")");
        case UnaryOpType::IS_INF:
            return flag("is_inf(" + a.text + ")");
        case UnaryOpType::IS_NAN:
            return flag("is_nan(" + a.text + ")");
        case UnaryOpType::LOGARITHM:
            return real(a, "logf");
        case UnaryOpType::LOGARITHM_ONE_PLUS:
            return real(a, "log1pf");
        case UnaryOpType::LOGICAL_NOT:
            return flag("!(" + a.text + ")");
        case UnaryOpType::NEGATE:
            return same(a.type, "-(" + a.text + ")");
        case UnaryOpType::POPCOUNT:
            return {fmt::format("__builtin_popcount(unsigned({}))", a.text), poplar::INT};
        case UnaryOpType::COUNT_LEADING_ZEROS:
            return {fmt::format("(unsigned({0}) == 0 ? 32 : __builtin_clz(unsigned({0})))", a.text),
                    poplar::INT};
        case UnaryOpType::RELU:
            return same(a.type, fmt::format("max_of<{}>({}, 0)", code_type(a.type), a.text));
        case UnaryOpType::ROUND:
            return real(a, "roundf");
        case UnaryOpType::RSQRT:
            return real(a, "1.0F / sqrtf");
        case UnaryOpType::SIGMOID:
            return real(a, "sigmoid_of");
        case UnaryOpType::SIGNUM:
            return call("sign_of");
        case UnaryOpType::SIN:
            return real(a, "sinf");
        case UnaryOpType::SQRT:
            return real(a, "sqrtf");
        case UnaryOpType::SQUARE:
            return call("square_of");
        case UnaryOpType::TAN:
            return real(a, "tanf");
        case UnaryOpType::TANH:
            return real(a, "tanhf");
        case UnaryOpType::TRUNC:
            break;
        }
        return real(a, "truncf");
    }

    /// Both operands at one type.
    std::pair<CodeValue, CodeValue> pair(const Node& first, const Node& second) {
        const Value a = value(first);
        const Value b = value(second);
        Type type = is_free(a) ? free_type(b) : free_type(a);
        if (is_free(a) && is_free(b) && free_type(a) != free_type(b)) type = poplar::FLOAT;
        const std::pair<CodeValue, CodeValue> both{typed(a, type), typed(b, type)};
        if (both.first.type != both.second.type) {
            throw poplibs_error(fmt::format("operands of types {} and {} in one expression",
                                            both.first.type.toString().cloneAsString(),
                                            both.second.type.toString().cloneAsString()));
        }
        return both;
    }

    CodeValue binary(const Node& node) {
        const auto [a, b] = pair(*node.operands[0], *node.operands[1]);
        const Type type = a.type;
        const auto infix = [&, &x = a, &y = b](const char* op) {
            return same(type, fmt::format("({}) {} ({})", x.text, op, y.text));
        };
        const auto call = [&, &x = a, &y = b](const char* function) {
            return same(type, fmt::format("{}({}, {})", function, x.text, y.text));
        };
        const auto flag = [&, &x = a, &y = b](const char* op) {
            return CodeValue{fmt::format("(({}) {} ({}))", x.text, op, y.text), poplar::BOOL};
        };
        switch (static_cast<BinaryOpType>(node.op)) {
        case BinaryOpType::ADD:
            return infix("+");
        case BinaryOpType::ATAN2:
            return call("atan2f");
        case BinaryOpType::BITWISE_AND:
            return infix("&");
        case BinaryOpType::BITWISE_OR:
            return infix("|");
        case BinaryOpType::BITWISE_XOR:
            return infix("^");
        case BinaryOpType::BITWISE_XNOR:
            return same(type, fmt::format("~(({}) ^ ({}))", a.text, b.text));
        case BinaryOpType::DIVIDE:
            return infix("/");
        case BinaryOpType::EQUAL:
            return flag("==");
        case BinaryOpType::GREATER_THAN:
            return flag(">");
        case BinaryOpType::GREATER_THAN_EQUAL:
            return flag(">=");
        case BinaryOpType::LESS_THAN:
            return flag("<");
        case BinaryOpType::LESS_THAN_EQUAL:
            return flag("<=");
        case BinaryOpType::LOGICAL_AND:
            return flag("&&");
        case BinaryOpType::LOGICAL_OR:
            return flag("||");
        case BinaryOpType::MAXIMUM:
            return call("max_of");
        case BinaryOpType::MINIMUM:
            return call("min_of");
        case BinaryOpType::MULTIPLY:
            return infix("*");
        case BinaryOpType::NOT_EQUAL:
            return flag("!=");
        case BinaryOpType::POWER:
            return call("powf");
        case BinaryOpType::REMAINDER:
            return type.isFloatingPoint() ? call("fmodf") : infix("%");
        case BinaryOpType::SHIFT_LEFT:
            return infix("<<");
        case BinaryOpType::SHIFT_RIGHT:
            return same(type, fmt::format("unsigned({}) >> ({})", a.text, b.text));
        case BinaryOpType::SHIFT_RIGHT_SIGN_EXTEND:
            return same(type, fmt::format("int({}) >> ({})", a.text, b.text));
        case BinaryOpType::SUBTRACT:
            break;
        }
        return infix("-");
    }

    CodeValue ternary(const Node& node) {
        const auto [a, b] = pair(*node.operands[0], *node.operands[1]);
        if (static_cast<TernaryOpType>(node.op) == TernaryOpType::SELECT) {
            const CodeValue predicate = plain(*node.operands[2]);
            return same(a.type, fmt::format("({}) ? ({}) : ({})", predicate.text, a.text, b.text));
        }
        const CodeValue high = pair(*node.operands[0], *node.operands[2]).second;
        return same(a.type, fmt::format("clamp_of({}, {}, {})", a.text, b.text, high.text));
    }

    const std::vector<CodeValue>& placeholders_;
};

} // namespace

CodeValue code_of(const Expr& expr, const std::vector<CodeValue>& placeholders) {
    return Writer(placeholders).plain(*expr.node());
}

} // namespace popops
