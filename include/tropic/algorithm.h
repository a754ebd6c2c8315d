// Algorithms: functions over graphs in Tropic's language, compiled for this machine as a whole.
//
//     const Algorithm bfs = Algorithm::from_library("bfs");
//     const PreparedGraph graph(generate("kron:16"));
//     const AlgorithmResult result = bfs.run({{"A", graph}, {"source", 3}});
//     std::span<const std::int32_t> level = result.values<std::int32_t>("level");
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tropic/context.h"
#include "tropic/graph.h"
#include "tropic/program.h"
#include "tropic/tensor.h"

namespace tropic {

namespace derived {
class GraphCache;
}

/// A graph with what algorithms derived from it (its transpose, its triangles, other widths and
/// types), so that the next run finds it there. Copies share one cache; safe to use from several
/// threads. What is derived lives as long as the last copy and counts against the memory of the
/// context that made it; it is forgotten where it would take more than half of that.
class PreparedGraph {
  public:
    PreparedGraph();
    /// Of a dense matrix, what is not 0 are the edges; it is kept as csr.
    explicit PreparedGraph(Graph graph);
    /// A square matrix is a directed graph, any other one a bipartite one.
    explicit PreparedGraph(const Tensor& tensor);

    const Graph& graph() const noexcept;

    /// Whether it equals its transpose, values included. That is remembered, and some algorithms
    /// are faster where they need not find it out: worth asking before many runs.
    bool is_symmetric(const Context& context = Context()) const;

    /// Bytes of what was derived so far.
    std::size_t derived_bytes() const;
    void forget_derived() const;

    derived::GraphCache& cache() const noexcept { return *cache_; }

  private:
    std::shared_ptr<derived::GraphCache> cache_;
};

/// What is given to one parameter. Nothing is copied but what does not have the type or the form
/// that the parameter wants.
class Argument {
  public:
    /// Whole numbers from 2^63 up, and only these, are std::uint64_t.
    using Value =
        std::variant<PreparedGraph, Tensor, std::string, std::int64_t, double, std::uint64_t>;

    Argument(PreparedGraph graph) : value_(std::move(graph)) {}
    Argument(Graph graph) : value_(PreparedGraph(std::move(graph))) {}
    /// A graph (rank 2); a vector (dense, rank 1); a table (dense, rank 2); a sparse vector (format
    /// sparse_vector: coordinates are the members); a set (rank 1: its members are where a value is
    /// that is not 0, or the coordinates of a pattern).
    Argument(Tensor tensor) : value_(std::move(tensor)) {}
    /// A graph from a file or a generator expression, read when the algorithm runs.
    Argument(std::string path_or_expression) : value_(std::move(path_or_expression)) {}
    Argument(const char* path_or_expression) : value_(std::string(path_or_expression)) {}
    /// A number, a truth or a vertex, which is a position 0 .. n - 1 and no id of a file.
    template <std::integral T> Argument(T number) : value_(whole(number)) {}
    template <std::floating_point T> Argument(T number) : value_(static_cast<double>(number)) {}

    const Value& value() const noexcept { return value_; }

    /// The number that it is, a whole one from 2^53 up rounded; nothing if it is none.
    std::optional<double> number() const noexcept;

  private:
    template <std::integral T> static Value whole(T number) {
        if constexpr (sizeof(T) == sizeof(std::uint64_t) && std::is_unsigned_v<T>) {
            if (!std::in_range<std::int64_t>(number)) return std::uint64_t{number};
        }
        return static_cast<std::int64_t>(number);
    }

    Value value_;
};

/// Arguments by the names of parameters.
class Arguments {
  public:
    Arguments() = default;
    /// Throws Error(usage) if a parameter is given twice.
    Arguments(std::initializer_list<std::pair<const std::string, Argument>> list);

    /// In the place of what was given before.
    Arguments& set(const std::string& name, Argument value) {
        values_.insert_or_assign(name, std::move(value));
        return *this;
    }
    const std::map<std::string, Argument>& values() const noexcept { return values_; }

  private:
    std::map<std::string, Argument> values_;
};

struct AlgorithmOptions {
    /// Which function of the text to run; empty: the one with the name of the file, else `main`,
    /// else the first.
    std::string function = {};

    /// What types that the text declares stand for: {"weight", "double"} where it says
    /// `type weight = int;`.
    std::map<std::string, std::string> types = {};

    /// 64-bit vertices and positions: for graphs with 2^31 entries or more.
    bool wide = false;

    /// Every index is compared with its range, also where it cannot be wrong.
    bool check = false;

    /// Loops are joined, copies become exchanges; without it loops run as the text has them, to
    /// compare with.
    bool optimise = true;

    /// As in ProgramOptions.
    bool cache = true;
    std::string cache_directory = {};
};

/// A parameter or a result.
struct AlgorithmVariable {
    enum class Kind : std::uint8_t { graph, number, vector, sparse, set, table };
    std::string name;
    Kind kind = Kind::number;
    std::string type;                         ///< as the language writes it: "vector<int>"
    ElementType element = ElementType::int32; ///< of numbers and elements; of graphs: their values
    int lanes = 1;                            ///< more than one: fixed vectors
    bool vertex = false;                      ///< the element is a vertex; -1 is none
    bool over_vertices = true;                ///< an element for each vertex, not for edges...
    bool required = true;                     ///< parameters: there is no default
    std::string initial;                      ///< parameters: the default, as a number
    std::string comment;                      ///< what the text says about it
    /// Of records: what each field is as a result of its own, "best.key".
    std::vector<AlgorithmVariable> fields = {};
};

struct AlgorithmRunOptions {
    /// Of generator expressions without one.
    std::uint64_t seed = 1;

    /// Takes what the algorithm prints, as it prints it; none: RunResult::printed collects it.
    std::function<void(std::string_view)> print = {};

    bool time_statements = false; ///< fills RunResult::times
    bool record_rounds = false;   ///< fills AlgorithmResult::rounds

    /// Seconds after which the run ends with Error(cancelled); 0: never. Anything below, and what
    /// is no number, is an Error(usage).
    double timeout = 0;
};

/// One choice between pushing and pulling.
struct AlgorithmRound {
    int choice = 0;      ///< which choice of the text, counted from 0; -1: a bucket
    Index iteration = 0; ///< how often it was made before; or the number of the bucket
    Index frontier = 0;  ///< members of the set it starts from; or what was taken from the bucket
    Index edges = -1;    ///< that leave them; -1: nobody had to count
    bool pull = false;
    double seconds = 0;
};

/// Results by name: numbers, and tensors. A graph is a matrix in csr with sorted rows, a pattern if
/// it has no values; PreparedGraph(result.tensor("C")) is the graph for the next algorithm.
struct AlgorithmResult : RunResult {
    std::vector<AlgorithmRound> rounds;
    std::vector<std::string> notes; ///< what a careful user should know: weights taken as 1...
    double seconds = 0;             ///< of the run alone, with graphs read, bound and derived
    double binding_seconds = 0;     ///< of that before: bringing arguments to the form wanted

    /// The elements of a result that is a dense vector or table.
    template <class T> std::span<const T> values(const std::string& name) const {
        return tensor(name).values().as<T>();
    }
};

enum class AlgorithmStage : std::uint8_t { syntax_tree, algorithm, llvm, assembly };

/// A checked algorithm. It is compiled, or found in the cache, when first run. Safe to use from
/// several threads: runs share the compiled code and nothing else.
class Algorithm {
  public:
    /// Whether a text holds algorithms (functions with parameters and results, vertex programs)
    /// and is not a program of tensors for Program.
    static bool is_algorithm(std::string_view text);

    /// Throws Error with everything that is wrong with the text; `name` is used in messages.
    static Algorithm from_text(std::string text, AlgorithmOptions options = {},
                               std::string name = "algorithm");
    static Algorithm from_file(const std::string& path, AlgorithmOptions options = {});

    /// An algorithm that comes with Tropic: `library/NAME.tropic`. Searched in $TROPIC_LIBRARY,
    /// then beside the library in the build tree, then where Tropic is installed. Throws
    /// Error(not_found) naming those there are.
    static Algorithm from_library(const std::string& name, AlgorithmOptions options = {});

    /// The names of all algorithms that come with Tropic, and the folder they are in.
    static std::vector<std::string> library();
    static std::string library_folder();

    ~Algorithm();
    Algorithm(Algorithm&&) noexcept;
    Algorithm& operator=(Algorithm&&) noexcept;

    const std::string& name() const noexcept;
    const std::string& comment() const noexcept;
    const std::vector<AlgorithmVariable>& parameters() const noexcept;
    const std::vector<AlgorithmVariable>& results() const noexcept;
    /// Throws Error(usage) naming those there are.
    const AlgorithmVariable& parameter(const std::string& name) const;

    /// Compiles the algorithm or finds it in the cache, if that has not happened yet.
    void compile() const;

    /// Throws Error(usage) if an argument has no parameter or a parameter that needs one has no
    /// argument, and what goes wrong on the way.
    AlgorithmResult run(const Arguments& arguments, const Context& context = {},
                        const AlgorithmRunOptions& options = {}) const;

    /// Where the compiled algorithm came from, what was fused and chosen and why: a line each.
    /// Empty before `compile`.
    std::vector<std::string> explanation() const;

    /// The text of a stage.
    std::string show(AlgorithmStage stage) const;

    /// Writes the compiled algorithm as a shared object.
    void write_shared_object(const std::string& path) const;

  private:
    struct State;
    explicit Algorithm(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace tropic
