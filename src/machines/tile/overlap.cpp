#include "machines/tile/overlap.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "machines/tile/fault.h"

namespace tropic::tile {

namespace {

/// Elements of a variable that a field of a vertex reads or writes.
struct Touch {
    VariableId variable;
    std::int64_t begin;
    std::int64_t end;
    VertexId vertex;
    std::uint32_t field;
};

class OverlapCheck {
  public:
    OverlapCheck(const Graph& graph, ComputeSetId set) : graph_(&graph), set_(set) {}

    void run() {
        collect();
        const auto order = [](const Touch& t) { return std::tuple(t.variable, t.begin, t.end); };
        std::ranges::sort(writes_, {}, order);
        for (std::size_t i = 1; i < writes_.size(); ++i) {
            const Touch& a = writes_[i - 1];
            const Touch& b = writes_[i];
            if (a.variable == b.variable && b.begin < a.end) refuse(a, b, b.begin, "writes");
        }
        for (const Touch& read : reads_) check_read(read);
    }

  private:
    void collect() {
        for (const VertexId v : graph_->compute_sets()[set_].vertices) {
            const Vertex& vertex = graph_->vertices()[v];
            for (const Binding& binding : vertex.bindings) {
                if (!binding.connected) continue;
                const Field& field = vertex.type->fields[binding.field];
                const bool writes = field.role != FieldRole::input;
                std::vector<Touch>& touches = writes ? writes_ : reads_;
                const auto add = [&](const Edge& edge) {
                    for (const Run& run : graph_->runs(edge)) {
                        add_run(touches, run, v, binding.field);
                    }
                };
                if (field.shape == FieldShape::list) {
                    std::ranges::for_each(binding.list, add);
                } else {
                    add(binding.edge);
                }
            }
        }
    }

    static void add_run(std::vector<Touch>& touches, const Run& run, VertexId vertex,
                        std::uint32_t field) {
        if (run.contiguous()) {
            touches.push_back({run.variable, run.begin, run.begin + run.count, vertex, field});
            return;
        }
        const std::int64_t count = run.stride == 0 ? 1 : run.count;
        for (std::int64_t i = 0; i < count; ++i) {
            touches.push_back({run.variable, run.at(i), run.at(i) + 1, vertex, field});
        }
    }

    void check_read(const Touch& read) const {
        // The first write that ends behind the read's begin: writes do not overlap.
        auto it =
            std::ranges::lower_bound(writes_, std::pair(read.variable, read.begin), {},
                                     [](const Touch& t) { return std::pair(t.variable, t.begin); });
        if (it != writes_.begin()) {
            const Touch& before = *std::prev(it);
            if (before.variable == read.variable && before.end > read.begin) --it;
        }
        for (; it != writes_.end() && it->variable == read.variable && it->begin < read.end; ++it) {
            if (it->vertex != read.vertex) {
                refuse(*it, read, std::max(it->begin, read.begin), "reads");
            }
        }
    }

    [[noreturn]] void refuse(const Touch& writer, const Touch& other, std::int64_t element,
                             std::string_view does) const {
        const auto field = [&](const Touch& touch) {
            return graph_->vertices()[touch.vertex].type->fields[touch.field].name;
        };
        fail(Fault::overlap,
             fmt::format("field '{}' of {} writes element {} of {}, and field '{}' of {} {} it in "
                         "the same compute set",
                         field(writer), graph_->describe(writer.vertex), element,
                         graph_->describe_variable(writer.variable), field(other),
                         graph_->describe(other.vertex), does),
             "elements that one vertex writes and no other touches",
             "split the compute set in two, or give the vertices tensors of their own");
    }

    const Graph* graph_;
    ComputeSetId set_;
    std::vector<Touch> writes_;
    std::vector<Touch> reads_;
};

} // namespace

void check_overlaps(const Graph& graph, ComputeSetId compute_set) {
    OverlapCheck(graph, compute_set).run();
}

void check_connected(const Graph& graph, ComputeSetId compute_set) {
    for (const VertexId v : graph.compute_sets()[compute_set].vertices) {
        const Vertex& vertex = graph.vertices()[v];
        if (vertex.tile == no_tile) {
            fail(Fault::tile_mapping, fmt::format("{} is on no tile", graph.describe(v)),
                 "a tile for every vertex", "setTileMapping(vertex, tile)");
        }
        for (std::size_t f = 0; f < vertex.type->fields.size(); ++f) {
            const Field& field = vertex.type->fields[f];
            if (field.role == FieldRole::state) continue;
            const auto found = std::ranges::find_if(vertex.bindings,
                                                    [&](const Binding& b) { return b.field == f; });
            if (found == vertex.bindings.end() && field.role == FieldRole::scratch) {
                fail(Fault::field_size,
                     fmt::format("vector '{}' of {} has no size", field.name, graph.describe(v)),
                     "a size for every plain Vector",
                     fmt::format("setFieldSize(vertex[\"{}\"], elements)", field.name));
            }
            if (found == vertex.bindings.end()) {
                fail(
                    Fault::connection,
                    fmt::format("field '{}' of {} is not connected", field.name, graph.describe(v)),
                    "a tensor for every Input, Output and InOut",
                    fmt::format("connect(vertex[\"{}\"], tensor)", field.name));
            }
            for (std::size_t i = 0; i < found->list.size(); ++i) {
                if (found->list[i].elements >= 0) continue;
                fail(Fault::connection, fmt::format("part {} of field '{}' of {} is not connected",
                                                    i, field.name, graph.describe(v)));
            }
        }
    }
}

} // namespace tropic::tile
