// A graph: variables spread over tiles, vertices connected to them, and what the host connects to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "machines/tile/codelet.h"
#include "machines/tile/machine.h"
#include "machines/tile/program.h"
#include "machines/tile/tensor.h"
#include "machines/tile/tile_map.h"

namespace tropic::tile {

using VertexId = std::uint32_t;
using ComputeSetId = std::uint32_t;

/// Values for elements before any program runs: one for all, or one for each.
struct InitialValue {
    Run run;
    std::vector<std::byte> values;
};

struct Variable {
    std::string name;
    ElementType type = ElementType::float32;
    std::int64_t elements = 0;
    bool constant = false;
    TileMap map;
    std::vector<InitialValue> initial; ///< later ones win
};

/// What one vector of a vertex is connected to: some of Graph::runs().
struct Edge {
    std::uint32_t first_run = 0;
    std::uint32_t runs = 0;
    std::int64_t elements = 0;
};

/// A connected field, or a vector of the vertex's own.
struct Binding {
    std::uint32_t field = 0;      ///< of the type
    bool connected = false;       ///< false: scratch
    std::vector<Edge> list;       ///< of a field of several vectors
    Edge edge;                    ///< of any other
    std::int64_t scratch = 0;     ///< elements
    std::uint32_t initial = none; ///< of Graph::scratch_values()
    static constexpr std::uint32_t none = 0xffffffff;
};

struct Vertex {
    const VertexType* type = nullptr;
    ComputeSetId compute_set = 0;
    std::uint32_t tile = no_tile;
    std::vector<Binding> bindings;
    std::size_t state = 0; ///< in Graph::states()
    std::uint64_t cycle_estimate = 0;
    bool has_estimate = false;
};

struct ComputeSet {
    std::string name;
    std::vector<VertexId> vertices;
};

struct Stream {
    std::string handle;
    ElementType type = ElementType::float32;
    std::int64_t elements = 0;
    bool to_device = true;
};

struct RemoteBuffer {
    std::string handle;
    ElementType type = ElementType::float32;
    std::int64_t elements = 0; ///< of one row
    std::int64_t rows = 1;
};

struct HostFunction {
    struct Argument {
        ElementType type = ElementType::float32;
        std::int64_t elements = 0;
    };
    std::string handle;
    std::vector<Argument> inputs;
    std::vector<Argument> outputs;
};

/// A tensor the host reads or writes between runs.
struct HostAccess {
    Tensor tensor;
    bool read = false;
    bool write = false;
};

class Graph {
  public:
    explicit Graph(Machine machine);

    const Machine& machine() const { return machine_; }

    /// Compiles codelets, or finds them in the cache, and makes their vertices known.
    void add_codelets(const CodeletOptions& options);
    bool has_codelet(std::string_view name) const { return find_type(name) != nullptr; }
    const VertexType* find_type(std::string_view name) const;
    /// As they were given, in order.
    const std::vector<CodeletOptions>& codelets() const { return codelet_options_; }
    /// A library that was loaded, or made by hand.
    void add_library(std::shared_ptr<CodeletLibrary> library);
    const std::vector<std::shared_ptr<CodeletLibrary>>& libraries() const { return libraries_; }
    /// Where a library that was added came from.
    void note_codelets(CodeletOptions options) { codelet_options_.push_back(std::move(options)); }

    Tensor add_variable(ElementType type, Shape shape, std::string name);
    /// `values` of `type`: one for all elements, or one for each.
    Tensor add_constant(ElementType type, Shape shape, std::span<const std::byte> values,
                        std::string name);
    void set_initial_value(const Tensor& tensor, std::span<const std::byte> values);

    ComputeSetId add_compute_set(std::string name);
    VertexId add_vertex(ComputeSetId compute_set, std::string_view type);
    void connect(VertexId vertex, std::string_view field, const Tensor& tensor);
    /// One of the vectors of a list; those before it may come later.
    void connect(VertexId vertex, std::string_view field, std::size_t index, const Tensor& tensor);
    void connect_list(VertexId vertex, std::string_view field, std::span<const Tensor> tensors);
    void set_field_size(VertexId vertex, std::string_view field, std::int64_t elements);
    /// Bytes of the field's type: a plain member's value, or those of a vector of its own.
    void set_field_value(VertexId vertex, std::string_view field,
                         std::span<const std::byte> values);
    const Field& field_of(VertexId vertex, std::string_view field) const;
    /// How many elements each vector of a field has.
    std::vector<std::int64_t> field_sizes(VertexId vertex, std::string_view field) const;
    void set_cycle_estimate(VertexId vertex, std::uint64_t cycles);

    void set_tile(VertexId vertex, std::uint32_t tile);
    void set_tile(const Tensor& tensor, std::uint32_t tile);

    std::uint32_t add_stream(Stream stream);
    std::uint32_t add_remote_buffer(RemoteBuffer buffer);
    std::uint32_t add_host_function(HostFunction function);
    std::uint32_t add_function(ProgramPtr program);
    void add_host_access(const std::string& handle, const Tensor& tensor, bool read, bool write);

    const std::vector<Variable>& variables() const { return variables_; }
    const Variable& variable(VariableId id) const { return variables_[id]; }
    const std::vector<Vertex>& vertices() const { return vertices_; }
    const std::vector<ComputeSet>& compute_sets() const { return compute_sets_; }
    const std::vector<Stream>& streams() const { return streams_; }
    const std::vector<RemoteBuffer>& remote_buffers() const { return remote_buffers_; }
    const std::vector<HostFunction>& host_functions() const { return host_functions_; }
    const std::vector<ProgramPtr>& functions() const { return functions_; }
    const std::map<std::string, HostAccess>& host_accesses() const { return host_accesses_; }
    std::span<const Run> runs(const Edge& edge) const {
        return std::span(runs_).subspan(edge.first_run, edge.runs);
    }
    const std::byte* state(const Vertex& vertex) const { return states_.data() + vertex.state; }
    const std::vector<std::vector<std::byte>>& scratch_values() const { return scratch_values_; }

    /// "vertex 12 (Sum<float>) of compute set 'add'".
    std::string describe(VertexId vertex) const;
    /// "x", or "variable 7" where the program gave no name.
    std::string describe_variable(VariableId variable) const;
    void check_tile(std::uint32_t tile) const;

  private:
    Edge make_edge(const Field& field, const Tensor& tensor, VertexId vertex);
    Binding& binding(VertexId vertex, std::string_view field, bool connected);
    std::uint32_t field_index(const Vertex& vertex, std::string_view name) const;
    void check_handle(const std::string& handle, std::string_view kind) const;

    Machine machine_;
    std::vector<CodeletOptions> codelet_options_;
    std::vector<std::shared_ptr<CodeletLibrary>> libraries_;
    std::map<std::string, const VertexType*, std::less<>> types_;
    std::vector<Variable> variables_;
    std::vector<Vertex> vertices_;
    std::vector<ComputeSet> compute_sets_;
    std::vector<Stream> streams_;
    std::vector<RemoteBuffer> remote_buffers_;
    std::vector<HostFunction> host_functions_;
    std::vector<ProgramPtr> functions_;
    std::map<std::string, HostAccess> host_accesses_;
    std::vector<Run> runs_;
    std::vector<std::byte> states_;
    std::vector<std::vector<std::byte>> scratch_values_;
};

/// The name of a vertex type with its template arguments spaced one way.
std::string normal_name(std::string_view name);

} // namespace tropic::tile
