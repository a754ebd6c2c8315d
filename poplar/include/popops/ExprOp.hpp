#pragma once

namespace popops::expr {

enum class UnaryOpType {
    ABSOLUTE,
    BITWISE_NOT,
    CEIL,
    COS,
    EXPONENT,
    EXPONENT_MINUS_ONE,
    FLOOR,
    INVERSE,
    IS_FINITE,
    IS_INF,
    IS_NAN,
    LOGARITHM,
    LOGARITHM_ONE_PLUS,
    LOGICAL_NOT,
    NEGATE,
    POPCOUNT,
    COUNT_LEADING_ZEROS,
    RELU,
    ROUND,
    RSQRT,
    SIGMOID,
    SIGNUM,
    SIN,
    SQRT,
    SQUARE,
    TAN,
    TANH,
    TRUNC,
};

enum class BinaryOpType {
    ADD,
    ATAN2,
    BITWISE_AND,
    BITWISE_OR,
    BITWISE_XOR,
    BITWISE_XNOR,
    DIVIDE,
    EQUAL,
    GREATER_THAN,
    GREATER_THAN_EQUAL,
    LESS_THAN,
    LESS_THAN_EQUAL,
    LOGICAL_AND,
    LOGICAL_OR,
    MAXIMUM,
    MINIMUM,
    MULTIPLY,
    NOT_EQUAL,
    POWER,
    REMAINDER,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    SHIFT_RIGHT_SIGN_EXTEND,
    SUBTRACT,
};

enum class TernaryOpType { CLAMP, SELECT };

} // namespace popops::expr
