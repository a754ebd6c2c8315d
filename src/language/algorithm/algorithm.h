// A checked algorithm: names resolved, functions expanded where they are called, every expression
// typed, and algebra over whole vectors written out as what happens at each vertex and edge. It is
// what the checker hands to a machine's code generator; nothing behind it knows about text.
//
// There are two levels. The program's level is serial: scalars, control flow, whole vectors and
// sets. An `each` leaves it: its body is the code of one member, run for many of them at the same
// time. Code of a member has local scalars, control flow and loops over neighbours of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "language/program.h"

namespace tropic::language::algorithm {

using VariableId = int;
using SpaceId = int;

/// What a vector has an element for. Space 0 is that of the vertices of the algorithm's graphs.
struct Space {
    enum class Kind : std::uint8_t {
        rows,    ///< vertices of `graph`; of a rectangular one, its rows
        columns, ///< of a rectangular graph
        edges,   ///< entries of `graph`, in the order of its rows
        counted, ///< 0 .. the value scalar `size` has when a vector over the space is made
    };
    Kind kind = Kind::rows;
    VariableId graph = -1;
    VariableId size = -1;

    bool operator==(const Space&) const = default;
};

struct Type {
    enum class Shape : std::uint8_t {
        unknown, ///< of what is wrong; complains no more
        scalar,
        vector, ///< an element for every member of a space
        sparse, ///< for some members of a space
        set,    ///< members of a space
        graph,
        table, ///< an element for every pair from `space` and `columns`, row by row
        stack, ///< sets laid on each other
        marks, ///< what `with` binds: whether a vertex is a neighbour of the one whose turn it is
    };
    Shape shape = Shape::unknown;
    ElementType element = ElementType::float64;
    bool vertex = false;  ///< the element is an index: int32 in narrow programs, int64 in wide ones
                          ///< (`element` says int32); -1 is `none`
    int lanes = 1;        ///< of a fixed vector
    int record = -1;      ///< of Algorithm::records; `element` and `lanes` mean nothing then
    bool pattern = false; ///< graph: values are not read, all count as 1
    SpaceId space = 0;    ///< graph made by the program: what its rows are
    SpaceId columns = -1; ///< table, graph made by the program: what its columns are; of other
                          ///< graphs -1

    bool is_scalar() const noexcept { return shape == Shape::scalar; }
    bool is_known() const noexcept { return shape != Shape::unknown; }
    bool is_members() const noexcept { return shape == Shape::set || shape == Shape::sparse; }
};

struct Record {
    struct Field {
        std::string name;
        Type type; ///< a scalar that is no record
    };
    std::string name;
    std::vector<Field> fields;
};

struct Expression;

struct Variable {
    std::string name;
    std::string shown; ///< in messages, where the name is one that no text has
    Type type;
    Place place;
    bool is_parameter = false;
    bool is_result = false;
    bool is_local = false; ///< of the code of a member: one for each that runs
    /// Graphs: which way edges are followed, and whether anybody reads their values.
    bool wants_in = false;
    bool wants_out = false;
    bool wants_values = false;
    bool rectangular = false; ///< graph: rows and columns are two spaces
    /// Sparse: what elements that are no members hold; clearing puts it back.
    std::shared_ptr<Expression> reset;
    /// Sizes that are no parameters: what they are, if constants, parameters and other sizes say.
    std::shared_ptr<Expression> length;
    /// Parameters: what they are if nobody says; a constant.
    std::shared_ptr<Expression> initial;
    std::string comment; ///< parameters and results: the comment behind them in the text

    const std::string& called() const noexcept { return shown.empty() ? name : shown; }
};

enum class Operation : std::uint8_t {
    none, ///< plain assignment
    add,
    subtract,
    multiply,
    divide,    ///< of integers: truncates; by zero: the run fails
    remainder, ///< of integers; by zero: the run fails
    minimum,
    maximum,
    any, ///< either
    first,
    second,
    pair, ///< 1
    bit_or,
    bit_and,
    bit_xor,
    logical_or,  ///< of truths, the right side is computed only if needed
    logical_and, ///< likewise
    less,
    less_equal,
    equal,
    not_equal,
    user, ///< the monoid's `combine`
};

/// Functions of numbers, lane by lane.
enum class Function : std::uint8_t {
    absolute,
    square_root,
    logarithm,
    exponential,
    floor,
    ceiling,
    power,
    random,         ///< (seed, index): a real from 0 up to 1, the same on every machine
    random_integer, ///< (seed, index, n): from 0 up to n
};

/// How values are gathered.
struct Monoid {
    Operation operation = Operation::add;
    /// `user`: locals that hold the two values, and what they combine to.
    VariableId left = -1;
    VariableId right = -1;
    std::shared_ptr<Expression> combine;
    /// Where folding starts; always there (for `any`, zero).
    std::shared_ptr<Expression> identity;
    /// A value that nothing changes any more, if there is one.
    std::shared_ptr<Expression> terminal;
};

struct Expression {
    enum class Kind : std::uint8_t {
        constant,    ///< `integer` if the element type is one (or a truth), else `number`
        infinity,    ///< the largest value of the type, or its infinity
        variable,    ///< a scalar, of the program or local
        element,     ///< `variable` (vector, sparse, table) at operands[0] (table: [0], [1])
        member,      ///< whether operands[0] is in `variable` (set, sparse, marks)
        negate,      ///< -
        complement,  ///< ! of a truth, ~ of an integer
        binary,      ///< operands[0] `operation` operands[1]; comparisons give truths
        conditional, ///< operands[0] ? operands[1] : operands[2]; only one of them is computed,
                     ///< but with `both`
        convert,     ///< operands[0] as the expression's type; a scalar spreads over lanes; with
                     ///< `checked`, the run fails if the value is no index of `space`
        function,    ///< `function` of operands
        lane,        ///< operands[0][integer]
        lanes,       ///< a fixed vector of operands
        across,      ///< lanes of operands[0] folded by `operation`
        make,        ///< a record of operands
        field,       ///< number `integer` of record operands[0]
        degree,      ///< neighbours of operands[0] in graph `variable`; incoming if `inward`
        neighbour,   ///< the operands[1]-th neighbour of operands[0] in graph `variable`
        size,        ///< of `space`
        count,       ///< members of `variable` (set, sparse), levels of a stack, entries of a graph
        reduction,   ///< see Reduction
        swap,        ///< element `variable`[operands[0]] becomes [2] if it is [1]; whether it did
        improve,     ///< element `variable`[operands[0]] becomes `monoid` of it and [1];
                     ///< whether it changed
        insert,      ///< operands[0] becomes a member of `variable`; whether it was none before
        edge,        ///< the number of the edge from operands[0] to operands[1] in graph
                     ///< `variable` (the first of several), or -1
    };
    Kind kind = Kind::constant;
    Place place;
    Type type;
    double number = 0;
    std::int64_t integer = 0;
    VariableId variable = -1;
    SpaceId space = 0;
    bool inward = false;
    /// element, insert: of the member whose turn it is; nobody else writes it meanwhile.
    bool own = false;
    /// element, member, swap, improve, neighbour: the index may be out of range and is compared
    /// with the size first.
    bool checked = false;
    /// constant, convert: the text says which type it has; a constant does not take another's.
    bool typed = false;
    /// conditional: the sum of a semiring, or the value that says that there is no way; to compute
    /// the sum does no harm, and no branch is needed.
    bool both = false;
    Operation operation = Operation::add;
    Function function = Function::absolute;
    std::vector<Expression> operands;
    std::shared_ptr<struct Reduction> reduction;
    std::shared_ptr<Monoid> monoid; ///< improve
};

/// Folds `value` where `condition` holds: over the neighbours of `center` in `graph`, or over the
/// members of `members` (set, sparse), or of `space`. On the program's level it runs in parallel;
/// sums of reals add up in an order that does not depend on the number of threads.
struct Reduction {
    Monoid monoid;
    VariableId label = -1;
    VariableId weight = -1; ///< the local that holds the value of the edge, or -1
    VariableId edge = -1;   ///< the local that holds the number of the edge, or -1
    VariableId graph = -1;  ///< -1: no edges
    std::optional<Expression> center;
    bool inward = false;
    VariableId members = -1;
    SpaceId space = 0;
    std::optional<Expression> condition;
    Expression value;
    bool argument = false; ///< the label of the least or largest value (ties: the least label)
                           ///< instead of the value; `none` of nothing
    VariableId found = -1; ///< a truth that becomes whether anything was folded, or -1
};

struct Statement {
    enum class Kind : std::uint8_t {
        // On both levels.
        scalar,   ///< `variable` operation= value (local or, inside `each`, gathered: see Each)
        element,  ///< target (an element) operation= value; atomic where not `own` in an `each`.
                  ///< An integer may be divided by a wider one
        evaluate, ///< value, for what it does
        branch,   ///< if (value) body else otherwise
        repeat,   ///< while (value) body
        until,    ///< body until (value)
        count,    ///< local `variable` from first up to, not including, value by step
        leave,    ///< break
        next,     ///< continue
        finish,   ///< return: of the algorithm; of the member inside `each`
        fail,     ///< if value is false, the run ends with the message `name`
        // Of a member.
        neighbours, ///< body for locals `variable`, `weight`, `edge` (-1: none) of the neighbours
                    ///< of `first` in `graph`, in ascending order
        marks,      ///< marks `variable` hold the neighbours of `first` in `graph` for `body`
        // On the program's level.
        each,    ///< see Each
        choose,  ///< see Choose
        buckets, ///< see Buckets
        create,  ///< vector, sparse, set, table, stack or graph `variable` becomes a new one:
                 ///< zeros, empty
        members, ///< set `variable` becomes {members}
        clear,   ///< set or sparse `variable` becomes empty
        assign,  ///< vector, set, sparse or table `variable` becomes a copy of `other`
        swap,    ///< `variable` and `other`, of one type, trade what they hold
        combine, ///< set `variable` becomes operation (bit_or, bit_and, subtract) of it and `other`
        push,    ///< stack `variable` gets a copy of set `other` on top
        pop,     ///< set `other` becomes what is on top of stack `variable`, which loses it
        derive,  ///< graph `variable` becomes `name` of graph `other` (and of `argument`); "same":
                 ///< `other` itself; "permutation": vector `variable` becomes the old numbers of
                 ///< the vertices of `other`
        sort,    ///< vector of vertices `variable`: the order of vector `other`, ascending, stable
        scan,    ///< vector `variable`: sums of the elements of `other` before each one
        print,   ///< value (a scalar), or `variable`
        // Of a member.
        workspace, ///< local sparse `variable` is empty for `body`; one a thread, cleared behind it
        visit,     ///< body for local `variable` of the members of set or sparse `other`, one after
                   ///< the other: ascending, or in the order they came to a local one
        append,    ///< graph `variable`, which the loop around builds, gets an entry in the row of
        ///< the member at column `first`, with `value` (none: a pattern). Columns come in
        ///< ascending order; one that was there already is passed over
    };
    Kind kind = Kind::scalar;
    Place place;
    VariableId variable = -1;
    VariableId weight = -1;
    VariableId edge = -1;
    VariableId graph = -1;
    VariableId other = -1;
    VariableId argument = -1;
    bool inward = false;
    bool unset = false;     ///< create: elements may be anything
    bool early = false;     ///< create: a size below 0 counts as 0; who needs it asks again
    bool ascending = false; ///< visit: in order
    Operation operation = Operation::none;
    std::shared_ptr<Monoid> monoid; ///< of `operation`, where there is one
    std::string name;
    std::optional<Expression> target;
    std::optional<Expression> first;
    std::optional<Expression> value;
    std::optional<Expression> step;
    std::vector<Expression> members;
    std::vector<Statement> body;
    std::vector<Statement> otherwise;
    std::shared_ptr<struct Each> each;
    std::shared_ptr<struct Choose> choose;
    std::shared_ptr<struct Buckets> buckets;
};

/// `body` for every member that meets `condition`, in any order and at the same time. Scalars of
/// the program that the body assigns with an operation are gathered: every piece of the loop
/// starts from the identity, and what the pieces found is joined in their order at the end.
struct Each {
    VariableId label = -1;
    VariableId members = -1; ///< a set or sparse; -1: all of `space`
    SpaceId space = 0;
    VariableId graph = -1; ///< whose edges the body follows from the label, for fair shares; or -1
    bool inward = false;   ///< of those edges
    bool alone = false;    ///< one member after the other, in an order that threads do not change:
                        ///< the body gathers in elements of others what cannot be gathered at once
    std::optional<Expression> condition;
    std::vector<VariableId> gathered; ///< the scalars, with the monoid in their statements
    std::vector<VariableId> rebuilt;  ///< sets and sparse that become what the body inserts; never
                                      ///< `members` itself
    std::vector<VariableId> grown;    ///< sets and sparse that get what the body inserts
    VariableId built = -1; ///< a graph that becomes what the body appends; its rows are the
                           ///< members. The body sees what it was before
};

/// Two ways to the same: the statements of `body` push along the edges that leave the members of
/// `front`, those of `otherwise` pull along the edges that come to the others. The machine takes
/// what costs less.
struct Choose {
    VariableId front = -1;
    VariableId graph = -1;
    bool inward = false; ///< of the edges that pushing follows
    bool early = false;  ///< pulling ends at the first value
    bool alone = false;  ///< pushing goes one after the other
    enum class Forced : std::uint8_t { no, push, pull } forced = Forced::no;
    int number = 0; ///< of the choice in the program, for what is remembered from round to round
};

/// The members of `start` in the order of floor(key / width), buckets one after the other; `body`
/// is the code of a member. Whatever changes an element of `key` in the body puts its index into
/// the bucket of the new key, the current one at the earliest. What stands in the current bucket is
/// done, at the same time and in any order, until nothing is left in it. An index whose key
/// belongs to another bucket by the time its turn comes is passed over.
struct Buckets {
    VariableId key = -1; ///< a vector of numbers
    VariableId start = -1;
    VariableId label = -1;
    VariableId bucket = -1; ///< a scalar of the program: the number of the current bucket
    VariableId graph = -1;  ///< as in Each
    bool inward = false;
    std::optional<Expression> width;
};

struct Algorithm {
    std::string file;
    std::string text;
    std::string name;
    std::string comment;
    std::vector<Record> records;
    std::vector<Space> spaces;
    std::vector<Variable> variables;
    std::vector<VariableId> parameters;
    std::vector<VariableId> results;
    std::vector<Statement> statements;
    int choices = 0;                       ///< how many Choose::number there are
    std::vector<std::string> remarks;      ///< what a careful user should know
    std::vector<std::string> explanations; ///< what was joined, hoisted, left out, line by line
};

/// Indented, one statement a line: `tropic compile --emit algorithm`.
std::string to_text(const Algorithm& algorithm);

} // namespace tropic::language::algorithm
