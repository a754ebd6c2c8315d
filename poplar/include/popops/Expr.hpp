// Expressions over the elements of tensors: _1 is an element of the first, and so on.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <poplar/Type.hpp>
#include <popops/ExprOp.hpp>

namespace popops::expr {

/// Any expression; cheap to copy.
class Expr {
  public:
    enum class Kind { constant, placeholder, unary, binary, ternary, cast };
    struct Node {
        Kind kind = Kind::constant;
        poplar::Type type;     ///< of a constant or cast
        bool typed = false;    ///< false: a constant takes the type of what it meets
        bool integral = false; ///< a constant written as an integer
        double value = 0;
        long long integer = 0;
        unsigned index = 0; ///< of a placeholder, from 1
        int op = 0;
        std::vector<std::shared_ptr<const Node>> operands;
    };

    explicit Expr(Node node) : node_(std::make_shared<const Node>(std::move(node))) {}
    const std::shared_ptr<const Node>& node() const { return node_; }
    std::unique_ptr<Expr> clone() const { return std::make_unique<Expr>(*this); }

  private:
    std::shared_ptr<const Node> node_;
};

using Any = Expr;

/// A number. A plain one takes the type of the tensors it meets.
class Const : public Expr {
  public:
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    explicit Const(T x) : Expr(make(x, {}, false)) {}

  protected:
    template <class T> static Node make(T x, poplar::Type type, bool typed) {
        Node n;
        n.kind = Kind::constant;
        n.type = type;
        n.typed = typed;
        n.integral = std::is_integral_v<T>;
        n.value = static_cast<double>(x);
        if constexpr (std::is_integral_v<T>) n.integer = static_cast<long long>(x);
        else n.integer = static_cast<long long>(x);
        return n;
    }
    explicit Const(Node n) : Expr(std::move(n)) {}
};

class ConstHalf : public Const {
  public:
    explicit ConstHalf(float x) : Const(make(x, poplar::HALF, true)) {}
};

inline ConstHalf operator""_half(long double x) {
    return ConstHalf(static_cast<float>(x));
}

class PlaceHolder : public Expr {
  public:
    explicit PlaceHolder(unsigned index) : Expr(make(index)) {}

  private:
    static Node make(unsigned index) {
        Node n;
        n.kind = Kind::placeholder;
        n.index = index;
        return n;
    }
};

inline const PlaceHolder _1(1);
inline const PlaceHolder _2(2);
inline const PlaceHolder _3(3);
inline const PlaceHolder _4(4);
inline const PlaceHolder _5(5);
inline const PlaceHolder _6(6);
inline const PlaceHolder _7(7);
inline const PlaceHolder _8(8);
inline const PlaceHolder _9(9);
inline const PlaceHolder _10(10);
inline const PlaceHolder _11(11);
inline const PlaceHolder _12(12);
inline const PlaceHolder _13(13);
inline const PlaceHolder _14(14);
inline const PlaceHolder _15(15);
inline const PlaceHolder _16(16);
inline const PlaceHolder _17(17);
inline const PlaceHolder _18(18);
inline const PlaceHolder _19(19);
inline const PlaceHolder _20(20);

class Cast : public Expr {
  public:
    Cast(const Expr& a, const poplar::Type& type) : Expr(make(a, type)) {}

  private:
    static Node make(const Expr& a, const poplar::Type& type) {
        Node n;
        n.kind = Kind::cast;
        n.type = type;
        n.operands = {a.node()};
        return n;
    }
};

class UnaryOp : public Expr {
  public:
    UnaryOp(UnaryOpType type, const Expr& a) : Expr(make(type, a)) {}

  private:
    static Node make(UnaryOpType type, const Expr& a) {
        Node n;
        n.kind = Kind::unary;
        n.op = static_cast<int>(type);
        n.operands = {a.node()};
        return n;
    }
};

class BinaryOp : public Expr {
  public:
    BinaryOp(BinaryOpType type, const Expr& a, const Expr& b) : Expr(make(type, a, b)) {}

  private:
    static Node make(BinaryOpType type, const Expr& a, const Expr& b) {
        Node n;
        n.kind = Kind::binary;
        n.op = static_cast<int>(type);
        n.operands = {a.node(), b.node()};
        return n;
    }
};

class TernaryOp : public Expr {
  public:
    TernaryOp(TernaryOpType type, const Expr& a, const Expr& b, const Expr& c)
        : Expr(make(type, a, b, c)) {}

  private:
    static Node make(TernaryOpType type, const Expr& a, const Expr& b, const Expr& c) {
        Node n;
        n.kind = Kind::ternary;
        n.op = static_cast<int>(type);
        n.operands = {a.node(), b.node(), c.node()};
        return n;
    }
};

class Abs : public UnaryOp {
  public:
    explicit Abs(const Expr& a) : UnaryOp(UnaryOpType::ABSOLUTE, a) {}
};
class BitwiseNot : public UnaryOp {
  public:
    explicit BitwiseNot(const Expr& a) : UnaryOp(UnaryOpType::BITWISE_NOT, a) {}
};
class Ceil : public UnaryOp {
  public:
    explicit Ceil(const Expr& a) : UnaryOp(UnaryOpType::CEIL, a) {}
};
class Cos : public UnaryOp {
  public:
    explicit Cos(const Expr& a) : UnaryOp(UnaryOpType::COS, a) {}
};
class Exp : public UnaryOp {
  public:
    explicit Exp(const Expr& a) : UnaryOp(UnaryOpType::EXPONENT, a) {}
};
class Expm1 : public UnaryOp {
  public:
    explicit Expm1(const Expr& a) : UnaryOp(UnaryOpType::EXPONENT_MINUS_ONE, a) {}
};
class Floor : public UnaryOp {
  public:
    explicit Floor(const Expr& a) : UnaryOp(UnaryOpType::FLOOR, a) {}
};
class Inv : public UnaryOp {
  public:
    explicit Inv(const Expr& a) : UnaryOp(UnaryOpType::INVERSE, a) {}
};
class IsFinite : public UnaryOp {
  public:
    explicit IsFinite(const Expr& a) : UnaryOp(UnaryOpType::IS_FINITE, a) {}
};
class IsInf : public UnaryOp {
  public:
    explicit IsInf(const Expr& a) : UnaryOp(UnaryOpType::IS_INF, a) {}
};
class IsNaN : public UnaryOp {
  public:
    explicit IsNaN(const Expr& a) : UnaryOp(UnaryOpType::IS_NAN, a) {}
};
class Log : public UnaryOp {
  public:
    explicit Log(const Expr& a) : UnaryOp(UnaryOpType::LOGARITHM, a) {}
};
class Log1p : public UnaryOp {
  public:
    explicit Log1p(const Expr& a) : UnaryOp(UnaryOpType::LOGARITHM_ONE_PLUS, a) {}
};
class Not : public UnaryOp {
  public:
    explicit Not(const Expr& a) : UnaryOp(UnaryOpType::LOGICAL_NOT, a) {}
};
class Neg : public UnaryOp {
  public:
    explicit Neg(const Expr& a) : UnaryOp(UnaryOpType::NEGATE, a) {}
};
class Popcount : public UnaryOp {
  public:
    explicit Popcount(const Expr& a) : UnaryOp(UnaryOpType::POPCOUNT, a) {}
};
class Relu : public UnaryOp {
  public:
    explicit Relu(const Expr& a) : UnaryOp(UnaryOpType::RELU, a) {}
};
class Round : public UnaryOp {
  public:
    explicit Round(const Expr& a) : UnaryOp(UnaryOpType::ROUND, a) {}
};
class Rsqrt : public UnaryOp {
  public:
    explicit Rsqrt(const Expr& a) : UnaryOp(UnaryOpType::RSQRT, a) {}
};
class Sigmoid : public UnaryOp {
  public:
    explicit Sigmoid(const Expr& a) : UnaryOp(UnaryOpType::SIGMOID, a) {}
};
class Signum : public UnaryOp {
  public:
    explicit Signum(const Expr& a) : UnaryOp(UnaryOpType::SIGNUM, a) {}
};
class Sin : public UnaryOp {
  public:
    explicit Sin(const Expr& a) : UnaryOp(UnaryOpType::SIN, a) {}
};
class Sqrt : public UnaryOp {
  public:
    explicit Sqrt(const Expr& a) : UnaryOp(UnaryOpType::SQRT, a) {}
};
class Square : public UnaryOp {
  public:
    explicit Square(const Expr& a) : UnaryOp(UnaryOpType::SQUARE, a) {}
};
class Tan : public UnaryOp {
  public:
    explicit Tan(const Expr& a) : UnaryOp(UnaryOpType::TAN, a) {}
};
class Tanh : public UnaryOp {
  public:
    explicit Tanh(const Expr& a) : UnaryOp(UnaryOpType::TANH, a) {}
};
class Trunc : public UnaryOp {
  public:
    explicit Trunc(const Expr& a) : UnaryOp(UnaryOpType::TRUNC, a) {}
};
class Add : public BinaryOp {
  public:
    Add(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::ADD, a, b) {}
};
class Atan2 : public BinaryOp {
  public:
    Atan2(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::ATAN2, a, b) {}
};
class BitwiseAnd : public BinaryOp {
  public:
    BitwiseAnd(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::BITWISE_AND, a, b) {}
};
class BitwiseOr : public BinaryOp {
  public:
    BitwiseOr(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::BITWISE_OR, a, b) {}
};
class BitwiseXor : public BinaryOp {
  public:
    BitwiseXor(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::BITWISE_XOR, a, b) {}
};
class BitwiseXnor : public BinaryOp {
  public:
    BitwiseXnor(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::BITWISE_XNOR, a, b) {}
};
class Divide : public BinaryOp {
  public:
    Divide(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::DIVIDE, a, b) {}
};
class Equal : public BinaryOp {
  public:
    Equal(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::EQUAL, a, b) {}
};
class Gt : public BinaryOp {
  public:
    Gt(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::GREATER_THAN, a, b) {}
};
class Gte : public BinaryOp {
  public:
    Gte(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::GREATER_THAN_EQUAL, a, b) {}
};
class Lt : public BinaryOp {
  public:
    Lt(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::LESS_THAN, a, b) {}
};
class Lte : public BinaryOp {
  public:
    Lte(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::LESS_THAN_EQUAL, a, b) {}
};
class And : public BinaryOp {
  public:
    And(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::LOGICAL_AND, a, b) {}
};
class Or : public BinaryOp {
  public:
    Or(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::LOGICAL_OR, a, b) {}
};
class Max : public BinaryOp {
  public:
    Max(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::MAXIMUM, a, b) {}
};
class Min : public BinaryOp {
  public:
    Min(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::MINIMUM, a, b) {}
};
class Mul : public BinaryOp {
  public:
    Mul(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::MULTIPLY, a, b) {}
};
class NotEqual : public BinaryOp {
  public:
    NotEqual(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::NOT_EQUAL, a, b) {}
};
class Pow : public BinaryOp {
  public:
    Pow(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::POWER, a, b) {}
};
class Rem : public BinaryOp {
  public:
    Rem(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::REMAINDER, a, b) {}
};
class Shl : public BinaryOp {
  public:
    Shl(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::SHIFT_LEFT, a, b) {}
};
class Shr : public BinaryOp {
  public:
    Shr(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::SHIFT_RIGHT, a, b) {}
};
class ShrSE : public BinaryOp {
  public:
    ShrSE(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::SHIFT_RIGHT_SIGN_EXTEND, a, b) {}
};
class Sub : public BinaryOp {
  public:
    Sub(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::SUBTRACT, a, b) {}
};
/// The first or the second, by whether the third is true.
class Select : public TernaryOp {
  public:
    Select(const Expr& a, const Expr& b, const Expr& c)
        : TernaryOp(TernaryOpType::SELECT, a, b, c) {}
};
/// The first, at least the second and at most the third.
class Clamp : public TernaryOp {
  public:
    Clamp(const Expr& a, const Expr& b, const Expr& c) : TernaryOp(TernaryOpType::CLAMP, a, b, c) {}
};

inline Neg operator-(const Expr& a) {
    return Neg(a);
}
inline BitwiseNot operator~(const Expr& a) {
    return BitwiseNot(a);
}
inline Not operator!(const Expr& a) {
    return Not(a);
}
inline Add operator+(const Expr& a, const Expr& b) {
    return Add(a, b);
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Add operator+(const Expr& a, T b) {
    return Add(a, Const(b));
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Add operator+(T a, const Expr& b) {
    return Add(Const(a), b);
}
inline Sub operator-(const Expr& a, const Expr& b) {
    return Sub(a, b);
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Sub operator-(const Expr& a, T b) {
    return Sub(a, Const(b));
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Sub operator-(T a, const Expr& b) {
    return Sub(Const(a), b);
}
inline Mul operator*(const Expr& a, const Expr& b) {
    return Mul(a, b);
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Mul operator*(const Expr& a, T b) {
    return Mul(a, Const(b));
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Mul operator*(T a, const Expr& b) {
    return Mul(Const(a), b);
}
inline Divide operator/(const Expr& a, const Expr& b) {
    return Divide(a, b);
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Divide operator/(const Expr& a, T b) {
    return Divide(a, Const(b));
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Divide operator/(T a, const Expr& b) {
    return Divide(Const(a), b);
}
inline Rem operator%(const Expr& a, const Expr& b) {
    return Rem(a, b);
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Rem operator%(const Expr& a, T b) {
    return Rem(a, Const(b));
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Rem operator%(T a, const Expr& b) {
    return Rem(Const(a), b);
}
inline Equal operator==(const Expr& a, const Expr& b) {
    return Equal(a, b);
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Equal operator==(const Expr& a, T b) {
    return Equal(a, Const(b));
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Equal operator==(T a, const Expr& b) {
    return Equal(Const(a), b);
}
inline NotEqual operator!=(const Expr& a, const Expr& b) {
    return NotEqual(a, b);
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
NotEqual operator!=(const Expr& a, T b) {
    return NotEqual(a, Const(b));
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
NotEqual operator!=(T a, const Expr& b) {
    return NotEqual(Const(a), b);
}
inline Gt operator>(const Expr& a, const Expr& b) {
    return Gt(a, b);
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Gt operator>(const Expr& a, T b) {
    return Gt(a, Const(b));
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Gt operator>(T a, const Expr& b) {
    return Gt(Const(a), b);
}
inline Gte operator>=(const Expr& a, const Expr& b) {
    return Gte(a, b);
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Gte operator>=(const Expr& a, T b) {
    return Gte(a, Const(b));
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Gte operator>=(T a, const Expr& b) {
    return Gte(Const(a), b);
}
inline Lt operator<(const Expr& a, const Expr& b) {
    return Lt(a, b);
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Lt operator<(const Expr& a, T b) {
    return Lt(a, Const(b));
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Lt operator<(T a, const Expr& b) {
    return Lt(Const(a), b);
}
inline Lte operator<=(const Expr& a, const Expr& b) {
    return Lte(a, b);
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Lte operator<=(const Expr& a, T b) {
    return Lte(a, Const(b));
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Lte operator<=(T a, const Expr& b) {
    return Lte(Const(a), b);
}
inline And operator&&(const Expr& a, const Expr& b) {
    return And(a, b);
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
And operator&&(const Expr& a, T b) {
    return And(a, Const(b));
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
And operator&&(T a, const Expr& b) {
    return And(Const(a), b);
}
inline Or operator||(const Expr& a, const Expr& b) {
    return Or(a, b);
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Or operator||(const Expr& a, T b) {
    return Or(a, Const(b));
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Or operator||(T a, const Expr& b) {
    return Or(Const(a), b);
}
inline BitwiseAnd operator&(const Expr& a, const Expr& b) {
    return BitwiseAnd(a, b);
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
BitwiseAnd operator&(const Expr& a, T b) {
    return BitwiseAnd(a, Const(b));
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
BitwiseAnd operator&(T a, const Expr& b) {
    return BitwiseAnd(Const(a), b);
}
inline BitwiseOr operator|(const Expr& a, const Expr& b) {
    return BitwiseOr(a, b);
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
BitwiseOr operator|(const Expr& a, T b) {
    return BitwiseOr(a, Const(b));
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
BitwiseOr operator|(T a, const Expr& b) {
    return BitwiseOr(Const(a), b);
}
inline BitwiseXor operator^(const Expr& a, const Expr& b) {
    return BitwiseXor(a, b);
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
BitwiseXor operator^(const Expr& a, T b) {
    return BitwiseXor(a, Const(b));
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
BitwiseXor operator^(T a, const Expr& b) {
    return BitwiseXor(Const(a), b);
}
inline Shl operator<<(const Expr& a, const Expr& b) {
    return Shl(a, b);
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Shl operator<<(const Expr& a, T b) {
    return Shl(a, Const(b));
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Shl operator<<(T a, const Expr& b) {
    return Shl(Const(a), b);
}
inline Shr operator>>(const Expr& a, const Expr& b) {
    return Shr(a, b);
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Shr operator>>(const Expr& a, T b) {
    return Shr(a, Const(b));
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
Shr operator>>(T a, const Expr& b) {
    return Shr(Const(a), b);
}

} // namespace popops::expr
