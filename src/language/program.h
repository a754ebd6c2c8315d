// A checked program: names resolved, functions expanded where they are called, every expression
// typed and labelled. It is what the checker hands to whatever runs a program (the compiler, the
// reference evaluator of the tests), so nothing behind it needs to know about text.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tropic/tensor.h"

namespace tropic::language {

/// A stretch of the source text, for messages; line 0: nowhere.
struct Place {
    int line = 0;   ///< 1-based
    int column = 0; ///< 1-based, in bytes
    int length = 0; ///< bytes, at least 1 where there is a place; ends with the line at the latest
};

/// The operators of semirings, monoids and element-wise expressions.
enum class Operator : std::uint8_t {
    add,         ///< +
    subtract,    ///< -
    multiply,    ///< *
    divide,      ///< / (scalars, and a tensor by a scalar); of two integers it is a float64
    minimum,     ///< min
    maximum,     ///< max
    first,       ///< the left operand
    second,      ///< the right operand
    any,         ///< either operand; the reference takes the left one
    pair,        ///< 1
    logical_or,  ///< |: 1 if either is not zero, else 0, in the element type
    logical_and, ///< &: 1 if both are not zero, else 0, in the element type
};

/// "+", "min", "any"... as written in programs.
std::string_view name_of(Operator op) noexcept;

/// Index labels, numbered over the whole program (a function called twice has two sets).
using LabelId = int;
using VariableId = int;

struct Label {
    std::string name;
    Index size = -1; ///< -1: known when the program runs
};

/// How a storage format that Tensor has no levels for is shown by `print`; it is computed on as
/// the Format beside it.
enum class Presentation : std::uint8_t { plain, ell, bcsr, csb, mode_generic };

struct Variable {
    std::string name;
    Place place;
    bool is_tensor = false;
    ElementType element = ElementType::float64;

    // Tensors only.
    std::vector<Index> shape;     ///< -1: known when the program runs
    std::vector<LabelId> labels;  ///< as declared (none if declared by an assignment); a label gets
                                  ///< its size at run time from any tensor declared with it
    std::optional<Format> format; ///< none: to be inferred from what is assigned
    Presentation presentation = Presentation::plain;

    int rank() const noexcept { return static_cast<int>(shape.size()); }
};

/// Where an element-wise operation has a value: where either operand has one (an absent operand
/// leaves the other unchanged; 0 - b for a subtraction), or only where both have.
enum class Meeting : std::uint8_t { either, both };

struct Expression {
    enum class Kind : std::uint8_t {
        constant,    ///< `number` (or `integer` if the element type is an integer)
        scalar,      ///< the value of scalar variable `variable`
        access,      ///< tensor variable `variable` read at `labels`
        negate,      ///< - operands[0]
        elementwise, ///< operands[0] op operands[1], meeting as `meeting` says; scalars broadcast:
                     ///< with a sparse operand they act on its stored entries only
        product,     ///< over all values of `reduced`: fold by `add` of operands[0] op operands[1],
                     ///< which exists where both operands have a value
        sum,         ///< a scalar: fold by + over all entries of operands[0]
        time,        ///< a scalar: seconds since some fixed moment
        cast,        ///< operands[0] converted to `element`
    };
    Kind kind = Kind::constant;
    Place place;
    ElementType element = ElementType::float64; ///< of the value; operands agree after casts

    /// The labels of the value, in a canonical order (first appearance); none for scalars. An
    /// access may repeat a label (A[i, i]: the diagonal); `labels` of an access is as written.
    std::vector<LabelId> labels;

    double number = 0;
    std::int64_t integer = 0;
    VariableId variable = -1;
    Operator op = Operator::multiply;
    Operator add = Operator::add;    ///< product
    Meeting meeting = Meeting::both; ///< elementwise
    std::vector<LabelId> reduced;    ///< product: labels folded away here
    std::vector<Expression> operands;

    bool is_scalar() const noexcept { return labels.empty() && kind != Kind::access; }
};

enum class MaskWay : std::uint8_t { automatic, push, pull };

/// `<M, push>`: only where the mask has an entry (sparse) or a nonzero element (dense) is the
/// target assigned; elsewhere it keeps what it had.
struct Mask {
    VariableId variable = -1;
    std::vector<LabelId> labels; ///< a permutation of the target's
    MaskWay way = MaskWay::automatic;
    Place place;
};

struct Statement {
    enum class Kind : std::uint8_t {
        assign,        ///< variable[labels]<mask> accumulate= value (tensor), or scalar assignment;
                       ///< a tensor not assigned before is empty, or zero where dense
        read,          ///< variable = the input named `input`, triangle by `read_mode`
        fill_random,   ///< variable = uniform reals in [0, 1), or 0/1 integers; dense order, seeded
        print,         ///< `value` (a scalar), or tensor `variable`
        print_elapsed, ///< seconds between scalars operands[0] and operands[1]
        loop,          ///< for `variable` in range(operands[0], operands[1], operands[2]): body
        forget,        ///< tensor `variable`, which a loop makes anew, has no value from here on
    };
    Kind kind = Kind::assign;
    Place place;
    VariableId variable = -1;
    std::vector<LabelId> labels; ///< assign, read, fill_random: of the target, each at most once
    std::optional<Mask> mask;
    std::optional<Operator> accumulate; ///< none: `=`; add or subtract for += and -=
    std::vector<Expression> operands;   ///< assign, print of a scalar: [0] is the value
    std::string input; ///< read: "0", "1"... for comet_read(k); the variable's own name for a
                       ///< tensor that is used but never assigned (an input of the program)
    int read_mode = 1; ///< 1 all, 2 strictly lower, 3 lower, 4 strictly upper, 5 upper triangle
    std::vector<Statement> body;
};

struct Program {
    std::string file; ///< the name used in messages
    std::string text; ///< the source, for quoting lines
    std::vector<Label> labels;
    std::vector<Variable> variables;
    std::vector<Statement> statements;

    /// Variables whose final values the caller wants; others may never exist as a whole.
    std::vector<VariableId> outputs;
};

} // namespace tropic::language
