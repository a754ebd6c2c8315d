#include "program/algorithm_arguments.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graph/derived/graph_cache.h"
#include "program/given_number.h"
#include "program/signature.h"
#include "support/nearest.h"
#include "tropic/coordinates.h"
#include "tropic/error.h"
#include "tropic/formats.h"
#include "tropic/generate.h"

namespace tropic::program {

namespace la = language::algorithm;
using Shape = la::Type::Shape;

namespace {

class Binding {
  public:
    Binding(cpu::AlgorithmSession& session, const Arguments& arguments, std::uint64_t seed)
        : session_(session), algorithm_(session.algorithm), arguments_(arguments), seed_(seed) {}

    void bind() {
        require_known();
        // Graphs say how large spaces are; numbers may say it as well.
        for (const la::VariableId id : algorithm_.parameters) {
            if (variable(id).type.shape == Shape::graph) bind_to_graph(id);
        }
        require_same_vertices();
        for (const la::VariableId id : algorithm_.parameters) {
            if (variable(id).type.is_scalar()) bind_number(id);
        }
        for (const la::VariableId id : algorithm_.parameters) {
            const Shape shape = variable(id).type.shape;
            if (shape == Shape::vector || shape == Shape::table) bind_vector(id);
            else if (shape == Shape::set || shape == Shape::sparse) bind_members(id);
        }
    }

  private:
    const la::Variable& variable(la::VariableId id) const {
        return algorithm_.variables[static_cast<std::size_t>(id)];
    }
    const Argument* find(la::VariableId id) const {
        const auto found = arguments_.values().find(variable(id).name);
        return found == arguments_.values().end() ? nullptr : &found->second;
    }
    const Context& context() const { return session_.context(); }

    std::string parameter_list() const {
        std::vector<std::string> names;
        names.reserve(algorithm_.parameters.size());
        for (const la::VariableId id : algorithm_.parameters) {
            names.push_back(
                fmt::format("{}: {}", variable(id).name, type_text(algorithm_, variable(id).type)));
        }
        return names.empty() ? "no arguments at all" : fmt::format("{}", fmt::join(names, ", "));
    }

    void require_known() const {
        std::vector<std::string_view> names;
        names.reserve(algorithm_.parameters.size());
        for (const la::VariableId id : algorithm_.parameters) names.push_back(variable(id).name);
        for (const auto& [name, argument] : arguments_.values()) {
            if (std::ranges::find(names, name) != names.end()) continue;
            const std::string_view meant = nearest(name, names);
            throw Error({.code = ErrorCode::usage,
                         .message = fmt::format("{} has no parameter {}", algorithm_.name, name),
                         .accepted = parameter_list(),
                         .hint = meant.empty() ? "" : fmt::format("did you mean {}?", meant)});
        }
    }

    [[noreturn]] void fail_missing(la::VariableId id) const {
        throw Error({.code = ErrorCode::usage,
                     .message = fmt::format("parameter {} of {} is not given", variable(id).name,
                                            algorithm_.name),
                     .accepted = parameter_list()});
    }

    [[noreturn]] void fail_kind(la::VariableId id, std::string_view given) const {
        throw Error({.code = ErrorCode::usage,
                     .message = fmt::format("{} is given {}", variable(id).name, given),
                     .accepted = type_text(algorithm_, variable(id).type)});
    }

    PreparedGraph load(const std::string& path) const {
        std::error_code error;
        if (!std::filesystem::exists(path, error) && is_generator_expression(path)) {
            return PreparedGraph(generate(path, {.seed = seed_}, context()));
        }
        return PreparedGraph(read_graph(path, {}, context()));
    }

    void bind_to_graph(la::VariableId id) {
        const Argument* const argument = find(id);
        if (argument == nullptr) fail_missing(id);
        PreparedGraph graph;
        const auto& value = argument->value();
        if (const auto* prepared = std::get_if<PreparedGraph>(&value)) graph = *prepared;
        else if (const auto* tensor = std::get_if<Tensor>(&value)) graph = PreparedGraph(*tensor);
        else if (const auto* path = std::get_if<std::string>(&value)) graph = load(*path);
        else fail_kind(id, "a number");
        note(id, graph.graph());
        cpu::bind_graph(session_, id, graph.cache().shared_from_this());
        graph.cache().keep_pages(context());
    }

    void note(la::VariableId id, const Graph& graph) {
        const la::Variable& parameter = variable(id);
        if (parameter.wants_values && !parameter.type.pattern && graph.tensor.is_pattern()) {
            session_.notes.push_back(
                fmt::format("{} has no values: each of its edges counts as 1 for {}", graph.name,
                            parameter.name));
        }
        if (graph.kind == EdgeKind::undirected_once) {
            session_.notes.push_back(
                fmt::format("{} lists each undirected edge once, and {} is followed only that way",
                            graph.name, parameter.name));
        }
    }

    /// A label may stand for a vertex of any of the graphs, but for those whose columns are named.
    void require_same_vertices() const {
        const la::VariableId first = algorithm_.spaces[0].graph;
        if (first < 0) return;
        const std::int64_t vertices = cpu::graph_at(session_.frame, first).rows;
        for (const la::VariableId id : algorithm_.parameters) {
            const la::Type& type = variable(id).type;
            if (type.shape != Shape::graph) continue;
            if (type.columns >= 0) {
                const auto& graph = cpu::graph_at(session_.frame, id);
                require_side(id, graph.rows, "rows", type.space);
                require_side(id, graph.columns, "columns", type.columns);
            }
            if (variable(id).rectangular) continue;
            const std::int64_t own = cpu::graph_at(session_.frame, id).rows;
            if (own == vertices) continue;
            throw Error(
                {.code = ErrorCode::inconsistent,
                 .message = fmt::format("{} has {} vertices and {} has {}", variable(first).name,
                                        vertices, variable(id).name, own),
                 .accepted = "graphs with the same vertices"});
        }
    }

    /// That a graph has as many rows, or columns, as the space has members that they are.
    void require_side(la::VariableId id, std::int64_t own, std::string_view side,
                      la::SpaceId space) const {
        const std::int64_t wanted = size_of_space(space);
        if (own == wanted) return;
        const la::Space& of = algorithm_.spaces[static_cast<std::size_t>(space)];
        throw Error(
            {.code = ErrorCode::inconsistent,
             .message = fmt::format("{} has {} {} and {} has {} {}", variable(id).name, own, side,
                                    variable(of.graph).name, wanted,
                                    of.kind == la::Space::Kind::columns ? "columns" : "rows"),
             .hint = fmt::format("the {} of {} are the {} of {}", side, variable(id).name,
                                 of.kind == la::Space::Kind::columns ? "columns" : "rows",
                                 variable(of.graph).name)});
    }

    /// How many members the space of a parameter has; -1 if nothing says.
    std::int64_t size_of_space(la::SpaceId id) const {
        const la::Space& space = algorithm_.spaces[static_cast<std::size_t>(id)];
        if (space.kind == la::Space::Kind::counted) return size_told_by(space.size);
        la::VariableId of = space.graph;
        for (const la::VariableId parameter : algorithm_.parameters) {
            if (of < 0 && variable(parameter).type.shape == Shape::graph) of = parameter;
        }
        if (of < 0) return -1; // nothing says; the argument may
        const auto& graph = cpu::graph_at(session_.frame, of);
        switch (space.kind) {
        case la::Space::Kind::columns:
            return graph.columns;
        case la::Space::Kind::edges:
            return graph.entries;
        default:
            return graph.rows;
        }
    }

    /// A size that is a parameter, or that parameters and constants say: the program itself has not
    /// begun.
    std::int64_t size_told_by(la::VariableId id) const {
        if (variable(id).is_parameter) return number_given(id);
        if (variable(id).length) return told(*variable(id).length);
        throw Error(ErrorCode::unsupported,
                    fmt::format("how long a parameter of {} is depends on more than its parameters",
                                algorithm_.name));
    }

    std::int64_t told(const la::Expression& size) const {
        using Kind = la::Expression::Kind;
        switch (size.kind) {
        case Kind::constant:
            return size.integer;
        case Kind::variable:
            return number_given(size.variable);
        case Kind::size:
            return size_of_space(size.space);
        case Kind::convert:
            return told(size.operands[0]);
        default:
            break;
        }
        // What does not fit wraps, as it does in the program.
        const auto left = static_cast<std::uint64_t>(told(size.operands[0]));
        const auto right = static_cast<std::uint64_t>(told(size.operands[1]));
        const std::uint64_t both = size.operation == la::Operation::add        ? left + right
                                   : size.operation == la::Operation::subtract ? left - right
                                                                               : left * right;
        return static_cast<std::int64_t>(both);
    }

    /// An integer parameter that is bound.
    std::int64_t number_given(la::VariableId id) const {
        std::int64_t number = 0;
        visit_type(cpu::stored_type(variable(id).type, session_.options.wide), [&](auto tag) {
            typename decltype(tag)::type stored{};
            std::memcpy(&stored, session_.slots[id], sizeof stored);
            number = static_cast<std::int64_t>(stored);
        });
        return number;
    }

    void require_size(la::VariableId id, std::int64_t given, la::SpaceId space,
                      bool columns = false) const {
        const std::int64_t wanted = size_of_space(space);
        if (algorithm_.spaces[static_cast<std::size_t>(space)].kind == la::Space::Kind::counted) {
            cpu::require_size(session_, id, columns ? 0 : wanted, columns ? wanted : 0);
        } else if (wanted < 0) {
            return;
        }
        require_elements(id, given, wanted);
    }

    void require_elements(la::VariableId id, std::int64_t given, std::int64_t wanted) const {
        if (given == wanted) return;
        throw Error(ErrorCode::inconsistent, fmt::format("{} has {} elements, and its space has {}",
                                                         variable(id).name, given, wanted));
    }

    // --- numbers ---------------------------------------------------------------------------------

    void bind_number(la::VariableId id) {
        const la::Variable& parameter = variable(id);
        const la::Type& type = parameter.type;
        if (type.record >= 0) fail_kind(id, "a number, and a record cannot be given");
        const Argument* const argument = find(id);
        if (argument == nullptr && !parameter.initial) fail_missing(id);
        const std::optional<Constant> value =
            argument == nullptr ? value_of(*parameter.initial) : number_of(*argument);
        if (!value) fail_kind(id, "no number");
        if (type.vertex) require_vertex(id, *value, argument == nullptr);
        put(id, *value);
    }

    void require_vertex(la::VariableId id, const Constant& value, bool by_default) const {
        const la::Variable& parameter = variable(id);
        const std::int64_t vertices = size_of_space(parameter.type.space);
        const bool may_be_none = parameter.initial && value_of(*parameter.initial).integer < 0;
        if (value.real) fail_kind(id, "no whole number");
        const bool known = !value.large;
        if (known && value.integer == -1 && (by_default || may_be_none)) return;
        if (known && value.integer >= 0 && (vertices < 0 || value.integer < vertices)) return;
        throw Error(
            ErrorCode::range,
            fmt::format("{} is {}, and there is no such vertex", parameter.name, text_of(value)),
            vertices == 0 ? "the graph has no vertices"
                          : fmt::format("vertices are 0 to {}", vertices - 1));
    }

    void put(la::VariableId id, const Constant& value) {
        const la::Type& type = variable(id).type;
        const ElementType wanted = cpu::stored_type(type, session_.options.wide);
        require_fits(variable(id).name, value, type.vertex ? wanted : type.element,
                     type_text(algorithm_, type));
        auto* const slot = static_cast<std::byte*>(session_.slots[id]);
        visit_type(wanted, [&](auto tag) {
            using T = typename decltype(tag)::type;
            const T stored = converted<T>(value);
            for (int lane = 0; lane < type.lanes; ++lane) {
                std::memcpy(slot + static_cast<std::size_t>(lane) * sizeof(T), &stored, sizeof(T));
            }
        });
    }

    // --- vectors ---------------------------------------------------------------------------------

    const Tensor& tensor_for(la::VariableId id) const {
        const Argument* const argument = find(id);
        if (argument == nullptr) fail_missing(id);
        const auto* tensor = std::get_if<Tensor>(&argument->value());
        if (tensor == nullptr) fail_kind(id, "no tensor");
        return *tensor;
    }

    void bind_vector(la::VariableId id) {
        const la::Type& type = variable(id).type;
        if (type.record >= 0) fail_kind(id, "a tensor, and records cannot be given");
        Tensor tensor = tensor_for(id);
        const bool table = type.shape == Shape::table;
        const int rank = table || type.lanes > 1 ? 2 : 1;
        if (tensor.rank() != rank) {
            fail_kind(id, fmt::format("a tensor of rank {}", tensor.rank()));
        }
        tensor = convert(tensor, Format::dense(rank), context());
        require_size(id, tensor.dim(0), type.space);
        if (table) require_size(id, tensor.dim(1), type.columns, true);
        else if (rank == 2) require_elements(id, tensor.dim(1), type.lanes);
        cpu::StoredVector& vector = cpu::vector_at(session_.frame, id);
        const Array given =
            cast(tensor.values(), cpu::stored_type(type, session_.options.wide), context());
        const std::int64_t columns = table ? tensor.dim(1) : 1;
        if (session_.survey.written.contains(id)) {
            cpu::make_vector(session_, vector, type, tensor.dim(0), columns);
            cpu::copy_bytes(*session_.team, vector.data, cpu::address_of(given), given.bytes());
            return;
        }
        vector.memory = given;
        vector.own = false;
        vector.data = cpu::address_of(given);
        vector.size = tensor.dim(0);
        vector.columns = columns;
    }

    void bind_members(la::VariableId id) {
        const la::Type& type = variable(id).type;
        if (type.record >= 0) fail_kind(id, "a tensor, and records cannot be given");
        Tensor tensor = tensor_for(id);
        if (tensor.rank() != 1) {
            fail_kind(id, fmt::format("a tensor of rank {}", tensor.rank()));
        }
        tensor = convert(tensor, Format::sparse_vector(), context());
        require_size(id, tensor.dim(0), type.space);
        cpu::StoredSet& set = cpu::set_at(session_.frame, id);
        const auto tools = session_.set_tools();
        const bool sparse = type.shape == Shape::sparse;
        const ElementType stored = cpu::stored_type(type, session_.options.wide);
        const std::size_t bytes = sparse ? session_.element_bytes(type) : 0;
        std::vector<std::byte> reset(bytes);
        if (sparse && variable(id).reset) put_reset(*variable(id).reset, stored, reset);
        cpu::make_set(tools, set, tensor.dim(0), stored, bytes, reset.data());
        const Array& crd = tensor.level(0).crd;
        const Array values = sparse ? cast(tensor.values(), stored, context()) : Array{};
        // Who has a zero is no member of a set, as who has a false is none.
        const bool asked = !sparse && !tensor.is_pattern();
        for (Index entry = 0; entry < crd.size(); ++entry) {
            if (asked && tensor.values().value_at(entry) == 0) continue;
            const Index item = crd.index_at(entry);
            if (item < 0 || item >= set.size) {
                throw Error(ErrorCode::range,
                            fmt::format("{} of {} is not a member that it can have", item,
                                        variable(id).name),
                            set.size == 0 ? "its space is empty"
                                          : fmt::format("members are 0 to {}", set.size - 1));
            }
            cpu::insert_member(tools, set, item);
            if (sparse) {
                std::memcpy(static_cast<std::byte*>(set.values) +
                                static_cast<std::size_t>(item) * bytes,
                            static_cast<const std::byte*>(values.data()) +
                                static_cast<std::size_t>(entry) * bytes,
                            bytes);
            }
        }
    }

    static void put_reset(const la::Expression& expression, ElementType stored,
                          std::vector<std::byte>& out) {
        const Constant value = value_of(expression);
        visit_type(stored, [&](auto tag) {
            using T = typename decltype(tag)::type;
            const T number = converted<T>(value);
            for (std::size_t at = 0; at + sizeof(T) <= out.size(); at += sizeof(T)) {
                std::memcpy(out.data() + at, &number, sizeof(T));
            }
        });
    }

    cpu::AlgorithmSession& session_;
    const la::Algorithm& algorithm_;
    const Arguments& arguments_;
    std::uint64_t seed_;
};

} // namespace

void bind_arguments(cpu::AlgorithmSession& session, const Arguments& arguments,
                    std::uint64_t seed) {
    Binding(session, arguments, seed).bind();
}

} // namespace tropic::program
