// The algorithms of the library as one table: what each is called, which functions of its text do
// it, what it needs of a graph, and how its results are shown and checked. The command line and
// the documentation's tests are made from it.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tropic/algorithm.h"
#include "tropic/verify.h"

namespace tropic::library {

/// What is done to a graph before an algorithm sees it, never without a note.
enum class Shape : std::uint8_t {
    edges,      ///< entries are edges; what lists each undirected edge once gets both directions
    undirected, ///< both directions of every edge
    simple,     ///< both directions, no loops, no duplicates
    matrix,     ///< any matrix, rectangular ones too
};

/// How a result is summed up in a line or two.
enum class Summary : std::uint8_t {
    values,    ///< least, mean, largest
    levels,    ///< how many are not below 0, and the largest
    distances, ///< how many are finite, and the largest
    labels,    ///< how many different ones, and the size of the largest group
    truths,    ///< how many hold
    vertices,  ///< how many are not none
};

/// A result with an element for every vertex, every entry, or every column.
struct Column {
    std::string_view result;
    Summary summary = Summary::values;
};

/// What a verifier gets to see.
struct Outcome {
    const Graph& graph;
    Index source = -1;
    const std::map<std::string, double>& options;
    const AlgorithmResult& result;

    double option(const std::string& name) const { return options.at(name); }
    const Array& array(const std::string& name) const { return result.tensor(name).values(); }
};

struct Method {
    std::string_view name;     ///< after --method
    std::string_view function; ///< in the text
    std::string_view summary;
    std::vector<Column> columns;
    Verdict (*verify)(const Outcome& outcome, const Context& context);
    std::vector<std::string_view> options = {}; ///< those of the entry that it takes
    bool negative = false;                      ///< edge values below 0 are allowed
    std::string_view undirected = {}; ///< a function for graphs with both directions, if any
};

/// The numbers that an option may be.
struct Range {
    enum class Of : std::uint8_t { numbers, whole, truths };

    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
    bool least_too = true; ///< itself
    bool most_too = true;
    Of of = Of::numbers;
};

/// What an option of the range may be: "a whole number, 2 to 64", "true or false".
std::string accepted_of(const Range& range);

/// A parameter of the text that is a number or a truth.
struct Option {
    std::string_view name;
    std::string_view initial; ///< its default, as the text has it
    std::string_view help;
    Range range = {};
};

/// A type of the text that is so many numbers as an option of the same name says.
struct LanesOption {
    std::string_view name;    ///< of the type, and of the option
    std::string_view element; ///< what the numbers are
    int initial = 0;          ///< how many, as the text has it
};

enum class Theme : std::uint8_t { paths, parts, ranks, neighbours, choices, matrices };
std::string_view name_of(Theme theme) noexcept;

struct Entry {
    std::string_view name; ///< the command; library/NAME.tropic
    Theme theme = Theme::paths;
    std::string_view summary;
    std::vector<Method> methods; ///< the first is the default
    std::vector<Option> options = {};
    Shape shape = Shape::edges;
    bool source = false;
    std::string_view type = {}; ///< the type of the text that follows the graph: weight or real
    bool value_type = false;    ///< edges have a type of their own there, `value`
    bool weights = false;  ///< edge values count, of at least 0 where a method allows no others
    bool finite = false;   ///< no edge value may be infinite
    bool directed = false; ///< edges must have a direction
    std::optional<LanesOption> lanes = {};
    bool ranking = false; ///< --top shows the largest of the first column by default
    std::string_view examples = {};

    const Method* method(std::string_view name) const;
};

std::span<const Entry> catalogue();

/// The function of a method for a graph of that kind.
std::string function_for(const Method& method, EdgeKind kind);

/// Throws Error(usage): the method has no such option. Says which methods have it.
[[noreturn]] void refuse_option(const Entry& entry, const Method& method, std::string_view option);

/// Throws Error(range) if a value is outside the range of the option; what is no option of the
/// entry may be anything.
void check_range(const Entry& entry, std::string_view option, const Argument& value);

/// The entry of that name, or nothing.
const Entry* find_entry(std::string_view name);

} // namespace tropic::library
