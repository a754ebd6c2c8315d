// Codelets, compute sets and vertices, and how vertices are connected.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "machines/tile/fault.h"
#include "machines/tile/graph.h"
#include "support/nearest.h"

namespace tropic::tile {

namespace {

/// States lie at multiples of this, as the strictest of their members may ask.
constexpr std::size_t state_alignment = 16;

std::string_view name_of(FieldShape shape) {
    switch (shape) {
    case FieldShape::scalar:
        return "one element";
    case FieldShape::span:
    case FieldShape::pointer:
        return "a vector";
    case FieldShape::list:
        return "several vectors";
    }
    return "";
}

bool connectable(const Field& field) {
    return field.role == FieldRole::input || field.role == FieldRole::output ||
           field.role == FieldRole::in_out;
}

} // namespace

std::string normal_name(std::string_view name) {
    std::string result;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (c != ' ') {
            result += c;
            continue;
        }
        // A space stays only between two words, as in "unsigned int".
        const auto word = [](char x) {
            return std::isalnum(static_cast<unsigned char>(x)) != 0 || x == '_';
        };
        while (i + 1 < name.size() && name[i + 1] == ' ') ++i;
        if (!result.empty() && i + 1 < name.size() && word(result.back()) && word(name[i + 1])) {
            result += ' ';
        }
    }
    return result;
}

void Graph::add_library(std::shared_ptr<CodeletLibrary> library) {
    for (const VertexType& type : library->types()) types_[normal_name(type.name)] = &type;
    libraries_.push_back(std::move(library));
}

void Graph::add_codelets(const CodeletOptions& options) {
    std::shared_ptr<CodeletLibrary> library;
    try {
        library = load_codelets(options);
    } catch (const TileError&) {
        throw;
    } catch (const Error& error) {
        throw TileError(Fault::codelet, error.diagnostic());
    }
    add_library(std::move(library));
    codelet_options_.push_back(options);
}

const VertexType* Graph::find_type(std::string_view name) const {
    const auto found = types_.find(normal_name(name));
    return found == types_.end() ? nullptr : found->second;
}

ComputeSetId Graph::add_compute_set(std::string name) {
    compute_sets_.push_back({std::move(name), {}});
    return static_cast<ComputeSetId>(compute_sets_.size() - 1);
}

VertexId Graph::add_vertex(ComputeSetId compute_set, std::string_view type) {
    if (compute_set >= compute_sets_.size()) {
        fail(Fault::connection, "a vertex for a compute set of another graph",
             "a compute set that this graph made");
    }
    const VertexType* found = find_type(type);
    if (found == nullptr) {
        std::vector<std::string_view> names;
        names.reserve(types_.size());
        for (const auto& [name, unused] : types_) names.push_back(name);
        const std::string_view meant = nearest(type, names);
        constexpr std::size_t shown = 20;
        std::string known = fmt::format(
            "{}", fmt::join(std::span(names).first(std::min(shown, names.size())), ", "));
        if (names.size() > shown) known += fmt::format(" and {} more", names.size() - shown);
        fail(Fault::unknown_vertex, fmt::format("no codelet is called '{}'", type),
             names.empty() ? "vertices of codelets added before" : known,
             meant.empty()
                 ? "add its file with addCodelets; a template needs an instantiation there"
                 : fmt::format("did you mean {}?", meant));
    }
    const auto id = static_cast<VertexId>(vertices_.size());
    Vertex vertex;
    vertex.type = found;
    vertex.compute_set = compute_set;
    vertex.state = states_.size();
    states_.resize(states_.size() +
                   (found->host_bytes + state_alignment - 1) / state_alignment * state_alignment);
    vertices_.push_back(std::move(vertex));
    compute_sets_[compute_set].vertices.push_back(id);
    return id;
}

std::string Graph::describe(VertexId vertex) const {
    const Vertex& v = vertices_[vertex];
    const std::string& set = compute_sets_[v.compute_set].name;
    return fmt::format("vertex {} ({}) of compute set {}", vertex, v.type->name,
                       set.empty() ? std::to_string(v.compute_set) : "'" + set + "'");
}

std::uint32_t Graph::field_index(const Vertex& vertex, std::string_view name) const {
    const std::vector<Field>& fields = vertex.type->fields;
    for (std::size_t f = 0; f < fields.size(); ++f) {
        if (fields[f].name == name) return static_cast<std::uint32_t>(f);
    }
    std::vector<std::string_view> names;
    names.reserve(fields.size());
    for (const Field& field : fields) names.push_back(field.name);
    const std::string_view meant = nearest(name, names);
    fail(Fault::unknown_field, fmt::format("{} has no field '{}'", vertex.type->name, name),
         fmt::format("{}", fmt::join(names, ", ")),
         meant.empty() ? "" : fmt::format("did you mean {}?", meant));
}

const Field& Graph::field_of(VertexId vertex, std::string_view field) const {
    const Vertex& v = vertices_.at(vertex);
    return v.type->fields[field_index(v, field)];
}

Binding& Graph::binding(VertexId vertex, std::string_view field, bool connected) {
    if (vertex >= vertices_.size()) {
        fail(Fault::connection, "a vertex of another graph", "a vertex that this graph made");
    }
    Vertex& v = vertices_[vertex];
    const std::uint32_t index = field_index(v, field);
    if (connectable(v.type->fields[index]) != connected) {
        fail(Fault::connection,
             fmt::format("field '{}' of {} is {}", field, v.type->name,
                         connected ? "a plain member: it cannot be connected"
                                   : "connected to a tensor: it has no value or size of its own"),
             connected ? "an Input, Output or InOut" : "a plain member");
    }
    for (Binding& known : v.bindings) {
        if (known.field == index) return known;
    }
    if (v.bindings.empty()) v.bindings.reserve(v.type->fields.size());
    v.bindings.push_back({.field = index, .connected = connected, .list = {}, .edge = {}});
    return v.bindings.back();
}

Edge Graph::make_edge(const Field& field, const Tensor& tensor, VertexId vertex) {
    if (tensor.type() != field.type) {
        fail(Fault::type,
             fmt::format("field '{}' of {} connected to a tensor of {}", field.name,
                         describe(vertex), tile::name_of(tensor.type())),
             fmt::format("a tensor of {}", tile::name_of(field.type)));
    }
    const bool scalar = field.shape == FieldShape::scalar;
    if (scalar && tensor.elements() != field.vector_width) {
        fail(Fault::shape,
             fmt::format("field '{}' of {} connected to a tensor of {} elements", field.name,
                         describe(vertex), tensor.elements()),
             fmt::format("{} element{}", field.vector_width, field.vector_width == 1 ? "" : "s"));
    }
    if (tensor.elements() % field.vector_width != 0) {
        fail(Fault::shape,
             fmt::format("field '{}' of {} takes elements {} at a time, and is connected to {}",
                         field.name, describe(vertex), field.vector_width, tensor.elements()),
             "a multiple");
    }
    if (field.role != FieldRole::input) {
        tensor.for_each_run([&](const Run& run) {
            if (variables_[run.variable].constant) {
                fail(Fault::connection,
                     fmt::format("field '{}' of {} would write the constant {}", field.name,
                                 describe(vertex), describe_variable(run.variable)),
                     "a variable");
            }
            if (run.stride == 0 && run.count > 1) {
                fail(Fault::overlap,
                     fmt::format("field '{}' of {} would write element {} of {} several times",
                                 field.name, describe(vertex), run.begin,
                                 describe_variable(run.variable)),
                     "a tensor without broadcast elements");
            }
        });
    }
    Edge edge;
    edge.first_run = static_cast<std::uint32_t>(runs_.size());
    edge.elements = tensor.elements();
    std::vector<Run> runs = tensor.runs();
    edge.runs = static_cast<std::uint32_t>(runs.size());
    runs_.insert(runs_.end(), runs.begin(), runs.end());
    return edge;
}

void Graph::connect(VertexId vertex, std::string_view field, const Tensor& tensor) {
    const Field& f = field_of(vertex, field);
    if (f.shape == FieldShape::list && tensor.rank() == 2) {
        // A matrix is a list of its rows.
        std::vector<Tensor> rows;
        rows.reserve(static_cast<std::size_t>(tensor.shape()[0]));
        for (std::int64_t i = 0; i < tensor.shape()[0]; ++i) rows.push_back(tensor.index(i));
        connect_list(vertex, field, rows);
        return;
    }
    if (f.shape == FieldShape::list || tensor.rank() > 1) {
        if (f.shape == FieldShape::list ||
            (f.shape == FieldShape::scalar && tensor.elements() != 1)) {
            fail(Fault::shape,
                 fmt::format("field '{}' of {} is {}, and is connected to a tensor of shape {}",
                             field, describe(vertex), name_of(f.shape), to_text(tensor.shape())),
                 f.shape == FieldShape::list ? "a matrix, or one tensor for each vector"
                                             : "one element");
        }
    }
    Binding& target = binding(vertex, field, true);
    target.edge = make_edge(f, tensor, vertex);
}

void Graph::connect(VertexId vertex, std::string_view field, std::size_t index,
                    const Tensor& tensor) {
    const Field& f = field_of(vertex, field);
    Binding& target = binding(vertex, field, true);
    if (f.shape != FieldShape::list) {
        fail(Fault::connection,
             fmt::format("field '{}' of {} is {}: it has no part {}", field, describe(vertex),
                         name_of(f.shape), index),
             "a field of several vectors");
    }
    constexpr std::size_t most_vectors = 1U << 24;
    if (index >= most_vectors) {
        fail(Fault::index, fmt::format("part {} of field '{}'", index, field),
             fmt::format("at most {} vectors", most_vectors));
    }
    if (target.list.size() <= index) {
        // Parts not connected yet are told from empty ones by their number of elements.
        target.list.resize(index + 1, Edge{.first_run = 0, .runs = 0, .elements = -1});
    }
    target.list[index] = make_edge(f, tensor, vertex);
}

void Graph::connect_list(VertexId vertex, std::string_view field, std::span<const Tensor> tensors) {
    const Field& f = field_of(vertex, field);
    if (f.shape != FieldShape::list) {
        if (tensors.size() == 1) {
            connect(vertex, field, tensors[0]);
            return;
        }
        // Scalars joined are a vector.
        if (!tensors.empty() && f.shape != FieldShape::scalar) {
            std::vector<Tensor> flat;
            for (const Tensor& tensor : tensors) flat.push_back(tensor.flatten());
            connect(vertex, field, Tensor::concat(flat, 0));
            return;
        }
        fail(Fault::shape, fmt::format("field '{}' of {} is {}, and is connected to {} tensors",
                                       field, describe(vertex), name_of(f.shape), tensors.size()));
    }
    Binding& target = binding(vertex, field, true);
    target.list.clear();
    for (const Tensor& tensor : tensors) target.list.push_back(make_edge(f, tensor, vertex));
}

void Graph::set_field_size(VertexId vertex, std::string_view field, std::int64_t elements) {
    const Field& f = field_of(vertex, field);
    if (f.shape == FieldShape::list && connectable(f)) {
        Binding& target = binding(vertex, field, true);
        target.list.resize(static_cast<std::size_t>(elements),
                           Edge{.first_run = 0, .runs = 0, .elements = -1});
        return;
    }
    if (f.role != FieldRole::scratch) {
        fail(Fault::connection,
             fmt::format("field '{}' of {} is no vector of its own: its size is not set", field,
                         describe(vertex)),
             "a plain Vector, or an Input, Output or InOut of several vectors");
    }
    const auto most = static_cast<std::int64_t>(machine_.bytes_per_tile / bytes_of(f.type));
    if (elements < 0 || elements > most) {
        fail(Fault::memory,
             fmt::format("field '{}' of {} of {} elements", field, describe(vertex), elements),
             fmt::format("at most the memory of a tile: {} elements", most));
    }
    binding(vertex, field, false).scratch = elements;
}

void Graph::set_field_value(VertexId vertex, std::string_view field,
                            std::span<const std::byte> values) {
    const Field& f = field_of(vertex, field);
    const auto given = static_cast<std::int64_t>(values.size() / bytes_of(f.type));
    if (f.role == FieldRole::scratch) {
        Binding& target = binding(vertex, field, false);
        target.scratch = given;
        target.initial = static_cast<std::uint32_t>(scratch_values_.size());
        scratch_values_.emplace_back(values.begin(), values.end());
        return;
    }
    if (f.role != FieldRole::state) {
        fail(Fault::connection,
             fmt::format("field '{}' of {} is connected to a tensor", field, describe(vertex)),
             "the value of a plain member, or an initial value of the tensor");
    }
    const std::size_t room = bytes_of(f.type) * f.vector_width;
    const std::size_t slots = std::max<std::uint32_t>(1, f.elements);
    if (values.size() > room * slots) {
        fail(Fault::shape,
             fmt::format("{} values for field '{}' of {}", given, field, describe(vertex)),
             fmt::format("{} of {}", slots * f.vector_width, tile::name_of(f.type)));
    }
    std::ranges::copy(values, states_.begin() +
                                  static_cast<std::ptrdiff_t>(vertices_[vertex].state + f.offset));
}

std::vector<std::int64_t> Graph::field_sizes(VertexId vertex, std::string_view field) const {
    const Vertex& v = vertices_.at(vertex);
    const std::uint32_t index = field_index(v, field);
    for (const Binding& known : v.bindings) {
        if (known.field != index) continue;
        if (!known.connected) return {known.scratch};
        if (v.type->fields[index].shape != FieldShape::list) return {known.edge.elements};
        std::vector<std::int64_t> sizes;
        sizes.reserve(known.list.size());
        for (const Edge& edge : known.list) sizes.push_back(edge.elements);
        return sizes;
    }
    return {v.type->fields[index].role == FieldRole::state ? 1 : 0};
}

void Graph::set_cycle_estimate(VertexId vertex, std::uint64_t cycles) {
    if (vertex >= vertices_.size()) fail(Fault::connection, "a vertex of another graph");
    vertices_[vertex].cycle_estimate = cycles;
    vertices_[vertex].has_estimate = true;
}

void Graph::set_tile(VertexId vertex, std::uint32_t tile) {
    check_tile(tile);
    if (vertex >= vertices_.size()) {
        fail(Fault::connection, "a vertex of another graph", "a vertex that this graph made");
    }
    vertices_[vertex].tile = tile;
}

} // namespace tropic::tile
