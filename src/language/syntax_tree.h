// A program as it is written: what the parser makes of the text and the checker works from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "language/program.h"

namespace tropic::language::syntax {

struct Name {
    std::string text;
    Place place;
};

struct Expression {
    enum class Kind : std::uint8_t {
        number,
        name,       ///< x
        access,     ///< A[i, j]
        call,       ///< f(x, y), f(x)[i, j]
        label_list, ///< {j, i}, an argument of transpose
        negate,     ///< -x
        add,        ///< +
        subtract,   ///< -
        multiply,   ///< *
        divide,     ///< /
        dot,        ///< .*
        monoid,     ///< @(op)
        semiring,   ///< @(add, op)
    };
    Kind kind = Kind::number;
    Place place; ///< of the name, the number or the operator
    std::string name;
    std::vector<Name> labels;         ///< access, label_list; call: of its result
    bool labelled = false;            ///< call: whether labels were given
    bool is_integer = false;          ///< number
    double number = 0;                ///< number
    std::int64_t integer = 0;         ///< number, if an integer
    Operator op = Operator::add;      ///< monoid, semiring
    Operator fold = Operator::add;    ///< semiring
    std::vector<Expression> operands; ///< of operators; arguments of a call
    int depth = 1;                    ///< of the tree below, this node included
};

/// [4], [?], [0:8], [0:8:2] or [0:?] in the declaration of labels.
struct LabelSize {
    Place place;
    std::int64_t low = 0;
    std::optional<std::int64_t> high; ///< none: ?
    std::int64_t step = 1;
};

/// {CSR}, Dense or {D, CU}.
struct StorageWords {
    Place place;
    std::vector<Name> words;
};

struct TensorDeclaration {
    Name type;
    Name name;
    std::vector<Name> labels;
    std::optional<StorageWords> storage;
};

struct MaskWords {
    Name tensor;
    bool labelled = false;
    std::vector<Name> labels;
    std::optional<Name> way;
};

struct Statement {
    enum class Kind : std::uint8_t {
        labels,       ///< IndexLabel [names] = [sizes];
        tensors,      ///< Tensor<type> A([i, j], {CSR}), B(...);
        scalar,       ///< var name = value;
        assign,       ///< name[labels]<mask> = value;
        call,         ///< print(x); f(A);
        loop,         ///< for name in range(...): body end
        return_value, ///< return value;
    };
    Kind kind = Kind::call;
    Place place;
    Name name;                ///< scalar, assign, loop
    bool labelled = false;    ///< assign: whether the target has labels
    std::vector<Name> labels; ///< labels, assign
    std::vector<LabelSize> sizes;
    std::vector<TensorDeclaration> tensors;
    std::optional<MaskWords> mask;
    std::optional<Operator> accumulate;
    std::vector<Expression> values; ///< one; the arguments of range; none for `return;`
    std::vector<Statement> body;
};

struct Parameter {
    enum class Kind : std::uint8_t { any, scalar, tensor };
    Kind kind = Kind::any;
    Name name;
    Name type;             ///< empty for `any` and `var`
    bool labelled = false; ///< tensor: whether labels (and so the rank) are given
    std::vector<Name> labels;
    std::optional<StorageWords> storage;
};

struct Function {
    Name name;
    std::vector<Parameter> parameters;
    std::vector<Statement> body;
};

struct Tree {
    std::vector<Function> functions;
    bool whole = true; ///< nothing was left out because it could not be parsed
};

/// Indented, one node a line.
std::string to_text(const Tree& tree);

} // namespace tropic::language::syntax
