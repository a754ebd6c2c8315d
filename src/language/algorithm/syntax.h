// An algorithm as it is written: what the parser makes of the text and the checker works from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "language/syntax_tree.h"

namespace tropic::language::algorithm::syntax {

using language::syntax::Name;

/// The integers that say that there is no way, so that no sum leads on from them.
enum class Nowhere : std::uint8_t {
    none,    ///< all are numbers
    largest, ///< what minima start with
    least,   ///< what maxima start with
    either,
};

struct Expression {
    enum class Kind : std::uint8_t {
        number,
        text,        ///< "..."; name is what stands between the quotes
        name,        ///< x
        index,       ///< operands[0] [ the others ]
        field,       ///< operands[0] . name
        call,        ///< name(operands)
        unary,       ///< name is "-" or "!"
        binary,      ///< name is the operator
        conditional, ///< operands[0] ? operands[1] : operands[2]
        reduction,   ///< name[labels](operands[0]), with a condition: name[labels](e : condition)
        product,     ///< operands[0] @(name, second) operands[1]; @(name) or @name without second
        set,         ///< {a, b}
        builder,     ///< {i : condition}
        accumulate,  ///< operands[0] name= operands[1]; an argument of improve
    };
    Kind kind = Kind::number;
    Place place; ///< of the name, the number or the operator
    std::string name;
    std::string second;
    std::vector<Name> labels; ///< reduction, builder
    bool is_integer = false;
    Nowhere nowhere = Nowhere::none; ///< of the integers in this tree, messages of vertex programs
    double number = 0;
    std::int64_t integer = 0;
    std::vector<Expression> operands;
    int depth = 1; ///< of the tree below, this node included
};

/// The operator of trees that no text has: whether two values of any type are not the same.
inline constexpr std::string_view differs = "differs.";

/// Of a small vector: as many as are worth keeping in registers.
inline constexpr int most_lanes = 64;

/// graph, graph<int>, vertex, vector<float>, vector<float, edges(A)>, float[4], pair<int, vertex>
struct TypeWords {
    Name name = {};
    int lanes = 1;
    std::vector<TypeWords> elements = {};    ///< types in the angle brackets
    std::vector<Expression> dimensions = {}; ///< what follows them: sizes and spaces
};

struct Parameter {
    Name name = {};
    TypeWords type = {};
    std::optional<Expression> initial = {}; ///< what a caller need not give
    std::string comment = {};               ///< the comment behind it on its line
};

/// `<level[j] < 0>`, `<!seen>`, `<front, replace, push>`.
struct Mask {
    Expression condition;
    std::vector<Name> ways; ///< keep, replace, push or pull
};

struct Statement {
    enum class Kind : std::uint8_t {
        assign,   ///< target<mask> accumulate= value -> changed
        declare,  ///< names[0]: type
        evaluate, ///< a call
        branch,   ///< if (value) body else otherwise
        repeat,   ///< while (value) body
        until,    ///< do body until (value);
        loop,     ///< for names in value body: one after the other
        each,     ///< each names in value body: in any order, at the same time
        with,     ///< with name = value body: marks for as long as the body runs; with
                  ///< name: type body: a workspace
        leave,    ///< break
        next,     ///< continue
        finish,   ///< return
    };
    /// What a target with a label becomes that nobody declared.
    enum class Makes : std::uint8_t {
        by_value, ///< what its first value asks for
        vector,   ///< an element for everybody
        sparse,   ///< an element wherever a fold finds somebody, truths included
    };
    Kind kind = Kind::evaluate;
    Place place;
    std::vector<Name> names;       ///< loops, with; assign: those of `a, b = f(x)`
    std::optional<TypeWords> type; ///< assign, declare: `x: type = value`
    std::optional<Expression> target;
    std::optional<Mask> mask;
    std::string accumulate; ///< "" for =, else the operator
    Place accumulate_place;
    std::optional<Name> changed;
    std::optional<Expression> value;
    std::vector<Statement> body;
    std::vector<Statement> otherwise;

    // What no text says, but vertex programs do.
    Makes makes = Makes::by_value; ///< assign
    bool confirms = false;         ///< declare: of a result, which is there, the type must be this
};

/// What a vertex program says in its own words.
struct VertexProgram {
    enum class Direction : std::uint8_t { out, in, both };

    struct Formula {
        std::vector<Name> parameters;
        Expression value;
        std::optional<Expression> condition; ///< send: declines otherwise
    };

    std::vector<Statement> data; ///< `vertex x: type = value;` as declarations
    std::vector<Statement> start;
    Direction direction = Direction::out;
    std::optional<Formula> send;
    std::optional<Formula> process;
    std::optional<Formula> reduce;
    std::vector<Name> apply_parameters;
    std::optional<std::vector<Statement>> apply;
    std::optional<Expression> rounds;    ///< until N rounds
    std::optional<Expression> tolerance; ///< until change < tolerance
    bool all = false;
};

struct Function {
    enum class Kind : std::uint8_t {
        function,  ///< def f(a: type) -> r: type { ... }
        program,   ///< program f(a: type) -> r: type { ... }
        operation, ///< operator f(a, b) = value;
        monoid,    ///< monoid f(a, b) = value identity e terminal t;
        semiring,  ///< semiring f = (add, multiply);
        record,    ///< record f { a: type; b: type; }
        alias,     ///< type f = type;
        constant,  ///< const f = value;
    };
    Kind kind = Kind::function;
    Name name;
    std::vector<Parameter> parameters; ///< record: its fields
    std::vector<Parameter> results;
    std::vector<Statement> body;
    std::optional<VertexProgram> program;
    std::optional<TypeWords> type; ///< alias
    std::optional<Expression> value;
    std::optional<Expression> identity;
    std::optional<Expression> terminal;
    std::string add;      ///< semiring
    std::string multiply; ///< semiring
    Place add_place;      ///< semiring
    Place multiply_place; ///< semiring
    std::string comment;  ///< the lines of comment right before it

    bool can_run() const noexcept { return kind == Kind::function || kind == Kind::program; }
};

struct Tree {
    std::string comment; ///< the lines of comment the text opens with
    std::vector<Function> functions;
};

/// Indented, one node a line.
std::string to_text(const Tree& tree);

} // namespace tropic::language::algorithm::syntax
