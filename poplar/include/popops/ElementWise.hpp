// Operations on the elements of tensors of one shape, or of shapes that broadcast to one.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <popops/Expr.hpp>

namespace popops {

/// A new tensor, on the tiles of the first operand that has its shape.
poplar::Tensor map(poplar::Graph& graph, const expr::Expr& expr,
                   const std::vector<poplar::Tensor>& ts, poplar::program::Sequence& prog,
                   const poplar::DebugContext& debugContext = {},
                   const poplar::OptionFlags& options = {});
/// Writes the first tensor.
void mapInPlace(poplar::Graph& graph, const expr::Expr& expr, const std::vector<poplar::Tensor>& ts,
                poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                const poplar::OptionFlags& options = {});
/// Writes the given tensor.
void mapWithOutput(poplar::Graph& graph, const expr::Expr& expr,
                   const std::vector<poplar::Tensor>& ts, const poplar::Tensor& out,
                   poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                   const poplar::OptionFlags& options = {});

inline poplar::Tensor map(poplar::Graph& graph, expr::UnaryOpType op, const poplar::Tensor& t,
                          poplar::program::Sequence& prog,
                          const poplar::DebugContext& debugContext = {},
                          const poplar::OptionFlags& options = {}) {
    return map(graph, expr::UnaryOp(op, expr::_1), {t}, prog, debugContext, options);
}
inline void mapInPlace(poplar::Graph& graph, expr::UnaryOpType op, const poplar::Tensor& t,
                       poplar::program::Sequence& prog,
                       const poplar::DebugContext& debugContext = {},
                       const poplar::OptionFlags& options = {}) {
    mapInPlace(graph, expr::UnaryOp(op, expr::_1), {t}, prog, debugContext, options);
}
inline poplar::Tensor map(poplar::Graph& graph, expr::BinaryOpType op, const poplar::Tensor& a,
                          const poplar::Tensor& b, poplar::program::Sequence& prog,
                          const poplar::DebugContext& debugContext = {},
                          const poplar::OptionFlags& options = {}) {
    return map(graph, expr::BinaryOp(op, expr::_1, expr::_2), {a, b}, prog, debugContext, options);
}
inline void mapInPlace(poplar::Graph& graph, expr::BinaryOpType op, const poplar::Tensor& a,
                       const poplar::Tensor& b, poplar::program::Sequence& prog,
                       const poplar::DebugContext& debugContext = {},
                       const poplar::OptionFlags& options = {}) {
    mapInPlace(graph, expr::BinaryOp(op, expr::_1, expr::_2), {a, b}, prog, debugContext, options);
}
inline poplar::Tensor map(poplar::Graph& graph, expr::TernaryOpType op, const poplar::Tensor& a,
                          const poplar::Tensor& b, const poplar::Tensor& c,
                          poplar::program::Sequence& prog,
                          const poplar::DebugContext& debugContext = {},
                          const poplar::OptionFlags& options = {}) {
    return map(graph, expr::TernaryOp(op, expr::_1, expr::_2, expr::_3), {a, b, c}, prog,
               debugContext, options);
}
inline void mapInPlace(poplar::Graph& graph, expr::TernaryOpType op, const poplar::Tensor& a,
                       const poplar::Tensor& b, const poplar::Tensor& c,
                       poplar::program::Sequence& prog,
                       const poplar::DebugContext& debugContext = {},
                       const poplar::OptionFlags& options = {}) {
    mapInPlace(graph, expr::TernaryOp(op, expr::_1, expr::_2, expr::_3), {a, b, c}, prog,
               debugContext, options);
}

#define TROPIC_POPOPS_UNARY(NAME, EXPR)                                                            \
    inline poplar::Tensor NAME(                                                                    \
        poplar::Graph& graph, const poplar::Tensor& a, poplar::program::Sequence& prog,            \
        const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) {  \
        return map(graph, expr::EXPR(expr::_1), {a}, prog, debugContext, options);                 \
    }                                                                                              \
    inline void NAME##WithOutput(poplar::Graph& graph, const poplar::Tensor& a,                    \
                                 const poplar::Tensor& out, poplar::program::Sequence& prog,       \
                                 const poplar::DebugContext& debugContext = {},                    \
                                 const poplar::OptionFlags& options = {}) {                        \
        mapWithOutput(graph, expr::EXPR(expr::_1), {a}, out, prog, debugContext, options);         \
    }                                                                                              \
    inline void NAME##InPlace(                                                                     \
        poplar::Graph& graph, const poplar::Tensor& a, poplar::program::Sequence& prog,            \
        const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) {  \
        mapInPlace(graph, expr::EXPR(expr::_1), {a}, prog, debugContext, options);                 \
    }

#define TROPIC_POPOPS_BINARY(NAME, EXPR)                                                           \
    inline poplar::Tensor NAME(poplar::Graph& graph, const poplar::Tensor& a,                      \
                               const poplar::Tensor& b, poplar::program::Sequence& prog,           \
                               const poplar::DebugContext& debugContext = {},                      \
                               const poplar::OptionFlags& options = {}) {                          \
        return map(graph, expr::EXPR(expr::_1, expr::_2), {a, b}, prog, debugContext, options);    \
    }                                                                                              \
    inline void NAME##WithOutput(                                                                  \
        poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,                    \
        const poplar::Tensor& out, poplar::program::Sequence& prog,                                \
        const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) {  \
        mapWithOutput(graph, expr::EXPR(expr::_1, expr::_2), {a, b}, out, prog, debugContext,      \
                      options);                                                                    \
    }                                                                                              \
    inline void NAME##InPlace(poplar::Graph& graph, const poplar::Tensor& a,                       \
                              const poplar::Tensor& b, poplar::program::Sequence& prog,            \
                              const poplar::DebugContext& debugContext = {},                       \
                              const poplar::OptionFlags& options = {}) {                           \
        mapInPlace(graph, expr::EXPR(expr::_1, expr::_2), {a, b}, prog, debugContext, options);    \
    }                                                                                              \
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>                          \
    poplar::Tensor NAME(                                                                           \
        poplar::Graph& graph, const poplar::Tensor& a, T b, poplar::program::Sequence& prog,       \
        const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) {  \
        return map(graph, expr::EXPR(expr::_1, expr::Const(b)), {a}, prog, debugContext, options); \
    }                                                                                              \
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>                          \
    poplar::Tensor NAME(                                                                           \
        poplar::Graph& graph, T a, const poplar::Tensor& b, poplar::program::Sequence& prog,       \
        const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) {  \
        return map(graph, expr::EXPR(expr::Const(a), expr::_1), {b}, prog, debugContext, options); \
    }                                                                                              \
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>                          \
    void NAME##InPlace(                                                                            \
        poplar::Graph& graph, const poplar::Tensor& a, T b, poplar::program::Sequence& prog,       \
        const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) {  \
        mapInPlace(graph, expr::EXPR(expr::_1, expr::Const(b)), {a}, prog, debugContext, options); \
    }

TROPIC_POPOPS_UNARY(abs, Abs)
TROPIC_POPOPS_UNARY(bitwiseNot, BitwiseNot)
TROPIC_POPOPS_UNARY(ceil, Ceil)
TROPIC_POPOPS_UNARY(cos, Cos)
TROPIC_POPOPS_UNARY(exp, Exp)
TROPIC_POPOPS_UNARY(expm1, Expm1)
TROPIC_POPOPS_UNARY(floor, Floor)
TROPIC_POPOPS_UNARY(inv, Inv)
TROPIC_POPOPS_UNARY(isFinite, IsFinite)
TROPIC_POPOPS_UNARY(isInf, IsInf)
TROPIC_POPOPS_UNARY(isNaN, IsNaN)
TROPIC_POPOPS_UNARY(log, Log)
TROPIC_POPOPS_UNARY(log1p, Log1p)
TROPIC_POPOPS_UNARY(logicalNot, Not)
TROPIC_POPOPS_UNARY(neg, Neg)
TROPIC_POPOPS_UNARY(popcount, Popcount)
TROPIC_POPOPS_UNARY(round, Round)
TROPIC_POPOPS_UNARY(rsqrt, Rsqrt)
TROPIC_POPOPS_UNARY(sigmoid, Sigmoid)
TROPIC_POPOPS_UNARY(relu, Relu)
TROPIC_POPOPS_UNARY(signum, Signum)
TROPIC_POPOPS_UNARY(sin, Sin)
TROPIC_POPOPS_UNARY(sqrt, Sqrt)
TROPIC_POPOPS_UNARY(square, Square)
TROPIC_POPOPS_UNARY(tan, Tan)
TROPIC_POPOPS_UNARY(tanh, Tanh)
TROPIC_POPOPS_UNARY(trunc, Trunc)
TROPIC_POPOPS_BINARY(add, Add)
TROPIC_POPOPS_BINARY(atan2, Atan2)
TROPIC_POPOPS_BINARY(bitwiseAnd, BitwiseAnd)
TROPIC_POPOPS_BINARY(bitwiseOr, BitwiseOr)
TROPIC_POPOPS_BINARY(bitwiseXor, BitwiseXor)
TROPIC_POPOPS_BINARY(bitwiseXnor, BitwiseXnor)
TROPIC_POPOPS_BINARY(div, Divide)
TROPIC_POPOPS_BINARY(eq, Equal)
TROPIC_POPOPS_BINARY(gteq, Gte)
TROPIC_POPOPS_BINARY(gt, Gt)
TROPIC_POPOPS_BINARY(lteq, Lte)
TROPIC_POPOPS_BINARY(lt, Lt)
TROPIC_POPOPS_BINARY(logicalAnd, And)
TROPIC_POPOPS_BINARY(logicalOr, Or)
TROPIC_POPOPS_BINARY(max, Max)
TROPIC_POPOPS_BINARY(min, Min)
TROPIC_POPOPS_BINARY(mul, Mul)
TROPIC_POPOPS_BINARY(neq, NotEqual)
TROPIC_POPOPS_BINARY(pow, Pow)
TROPIC_POPOPS_BINARY(rem, Rem)
TROPIC_POPOPS_BINARY(shiftLeft, Shl)
TROPIC_POPOPS_BINARY(shiftRight, Shr)
TROPIC_POPOPS_BINARY(shiftRightSignExtend, ShrSE)
TROPIC_POPOPS_BINARY(sub, Sub)

#undef TROPIC_POPOPS_UNARY
#undef TROPIC_POPOPS_BINARY

inline poplar::Tensor select(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                             const poplar::Tensor& predicate, poplar::program::Sequence& prog,
                             const poplar::DebugContext& debugContext = {},
                             const poplar::OptionFlags& options = {}) {
    return map(graph, expr::Select(expr::_1, expr::_2, expr::_3), {a, b, predicate}, prog,
               debugContext, options);
}
inline void selectInPlace(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                          const poplar::Tensor& predicate, poplar::program::Sequence& prog,
                          const poplar::DebugContext& debugContext = {},
                          const poplar::OptionFlags& options = {}) {
    mapInPlace(graph, expr::Select(expr::_1, expr::_2, expr::_3), {a, b, predicate}, prog,
               debugContext, options);
}
inline poplar::Tensor clamp(poplar::Graph& graph, const poplar::Tensor& a,
                            const poplar::Tensor& lower, const poplar::Tensor& upper,
                            poplar::program::Sequence& prog,
                            const poplar::DebugContext& debugContext = {},
                            const poplar::OptionFlags& options = {}) {
    return map(graph, expr::Clamp(expr::_1, expr::_2, expr::_3), {a, lower, upper}, prog,
               debugContext, options);
}
inline void clampInPlace(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& lower,
                         const poplar::Tensor& upper, poplar::program::Sequence& prog,
                         const poplar::DebugContext& debugContext = {},
                         const poplar::OptionFlags& options = {}) {
    mapInPlace(graph, expr::Clamp(expr::_1, expr::_2, expr::_3), {a, lower, upper}, prog,
               debugContext, options);
}

} // namespace popops
