#include "graph/files/tropic_description.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "support/counted.h"
#include "tropic/error.h"

namespace tropic::binary {

namespace {

constexpr std::uint32_t unique_flag = 1;
constexpr std::uint32_t sorted_flag = 2;
constexpr std::uint32_t bipartite_flag = 4; // with edges of kind 0, which older readers know

class Encoder {
  public:
    template <class T> void put(T number) {
        bytes_.append(reinterpret_cast<const char*>(&number), sizeof(T));
    }
    void put_count(std::size_t count) { put(static_cast<std::uint32_t>(count)); }
    void put_text(std::string_view text) {
        put_count(text.size());
        bytes_.append(text);
    }
    std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_;
};

class Decoder {
  public:
    Decoder(std::string_view bytes, const std::string& file) : rest_(bytes), file_(file) {}

    template <class T> T take(std::string_view what) {
        if (rest_.size() < sizeof(T)) fail(fmt::format("ends before {}", what));
        T number;
        std::memcpy(&number, rest_.data(), sizeof(T));
        rest_.remove_prefix(sizeof(T));
        return number;
    }

    /// A number of items that take at least `bytes_each`: never more than the bytes left can hold.
    std::uint32_t take_count(std::size_t bytes_each, std::string_view what) {
        const auto count = take<std::uint32_t>(what);
        if (count > rest_.size() / bytes_each) {
            fail(fmt::format("claims {} {}, more than it has room for", count, what));
        }
        return count;
    }

    std::string take_text(std::string_view what) {
        const auto size = take<std::uint32_t>(what);
        if (size > rest_.size()) {
            fail(fmt::format("claims {} bytes for {}, more than it has room for", size, what));
        }
        std::string text(rest_.substr(0, size));
        rest_.remove_prefix(size);
        return text;
    }

    std::size_t left() const { return rest_.size(); }

    [[noreturn]] void fail(const std::string& message) const {
        throw Error({.code = ErrorCode::corrupt,
                     .message = fmt::format("the description of the graph {}", message),
                     .file = file_,
                     .hint = "make the file again from its source"});
    }

  private:
    std::string_view rest_;
    const std::string& file_;
};

void decode_levels(Decoder& in, Description& out, std::uint32_t rank) {
    std::vector<bool> stored(rank, false);
    for (std::uint32_t level = 0; level < rank; ++level) {
        const auto kind = in.take<std::uint32_t>("the levels");
        const auto dimension = in.take<std::uint32_t>("the levels");
        if (kind > static_cast<std::uint32_t>(LevelKind::singleton)) {
            in.fail(fmt::format("has a level of unknown kind {}", kind));
        }
        if (dimension >= rank || stored[dimension]) {
            in.fail(fmt::format("stores dimension {} of {} twice or never", dimension, rank));
        }
        stored[dimension] = true;
        out.format.levels.push_back(static_cast<LevelKind>(kind));
        out.format.order.push_back(static_cast<int>(dimension));
    }
}

void decode_ids(Decoder& in, Description& out, std::uint32_t count) {
    for (std::uint32_t d = 0; d < count; ++d) {
        out.graph.ids.emplace_back(in.take<Index>("the vertex ids"));
        const auto table = in.take<std::uint32_t>("the vertex ids");
        if (table > count)
            in.fail(fmt::format("names table {} of {} for vertex ids", table, count));
        out.id_tables.push_back(static_cast<int>(table) - 1);
    }
}

void decode_story(Decoder& in, Graph& graph) {
    graph.name = in.take_text("the name");
    graph.source = in.take_text("the source");
    const std::uint32_t steps = in.take_count(8, "steps");
    for (std::uint32_t s = 0; s < steps; ++s) {
        Step& step = graph.steps.emplace_back();
        step.what = in.take_text("a step");
        const std::uint32_t counts = in.take_count(12, "counts of a step");
        for (std::uint32_t c = 0; c < counts; ++c) {
            std::string label = in.take_text("a count");
            step.counts.emplace_back(std::move(label), in.take<Index>("a count"));
        }
    }
    const std::uint32_t warnings = in.take_count(4, "warnings");
    for (std::uint32_t w = 0; w < warnings; ++w) {
        graph.warnings.push_back(in.take_text("a warning"));
    }
}

/// Two id spaces are one where they look at the same array.
bool same_table(const VertexIds& a, const VertexIds& b) {
    return a.table().data() == b.table().data() && a.table().size() == b.table().size() &&
           a.table().type() == b.table().type();
}

} // namespace

std::vector<int> tables_of_ids(const Graph& graph) {
    std::vector<int> tables;
    int next = 0;
    for (std::size_t d = 0; d < graph.ids.size(); ++d) {
        int table = graph.ids[d].is_offset() ? -1 : next;
        for (std::size_t before = 0; before < d && table == next; ++before) {
            if (same_table(graph.ids[before], graph.ids[d])) table = tables[before];
        }
        if (table == next) ++next;
        tables.push_back(table);
    }
    return tables;
}

std::string encode_description(const Graph& graph) {
    const Tensor& tensor = graph.tensor;
    Encoder out;
    out.put_count(tensor.shape().size());
    const bool bipartite = graph.kind == EdgeKind::bipartite;
    out.put((tensor.unique() ? unique_flag : 0) | (tensor.sorted() ? sorted_flag : 0) |
            (bipartite ? bipartite_flag : 0));
    out.put(static_cast<std::uint32_t>(bipartite ? EdgeKind::directed : graph.kind));
    out.put(static_cast<std::uint32_t>(tensor.type()));
    out.put(tensor.entries());
    out.put(static_cast<std::uint32_t>(graph.constraints));
    out.put_count(graph.ids.size());
    for (const Index extent : tensor.shape()) out.put(extent);
    for (std::size_t level = 0; level < tensor.format().levels.size(); ++level) {
        out.put(static_cast<std::uint32_t>(tensor.format().levels[level]));
        out.put(static_cast<std::uint32_t>(tensor.format().order[level]));
    }
    const std::vector<int> tables = tables_of_ids(graph);
    for (std::size_t d = 0; d < graph.ids.size(); ++d) {
        out.put(graph.ids[d].is_offset() ? graph.ids[d].offset() : Index{0});
        out.put(static_cast<std::uint32_t>(tables[d] + 1));
    }
    out.put_text(graph.name);
    out.put_text(graph.source);
    out.put_count(graph.steps.size());
    for (const Step& step : graph.steps) {
        out.put_text(step.what);
        out.put_count(step.counts.size());
        for (const auto& [label, count] : step.counts) {
            out.put_text(label);
            out.put(count);
        }
    }
    out.put_count(graph.warnings.size());
    for (const std::string& warning : graph.warnings) out.put_text(warning);
    return out.take();
}

Description decode_description(std::string_view bytes, bool open_ended, const std::string& file) {
    Decoder in(bytes, file);
    Description out;
    const std::uint32_t rank = in.take_count(sizeof(Index), "dimensions");
    const auto flags = in.take<std::uint32_t>("the flags");
    out.unique = (flags & unique_flag) != 0;
    out.sorted = (flags & sorted_flag) != 0;
    const auto kind = in.take<std::uint32_t>("the kind of edges");
    if (kind > static_cast<std::uint32_t>(EdgeKind::undirected_once)) {
        in.fail(fmt::format("has edges of unknown kind {}", kind));
    }
    out.graph.kind = static_cast<EdgeKind>(kind);
    if ((flags & bipartite_flag) != 0) out.graph.kind = EdgeKind::bipartite;
    const auto type = in.take<std::uint32_t>("the type of the values");
    if (type >= element_type_count) in.fail(fmt::format("has values of unknown type {}", type));
    out.value_type = static_cast<ElementType>(type);
    out.entries = in.take<Index>("the number of entries");
    const auto constraints = in.take<std::uint32_t>("the vertex weights");
    if (constraints > std::numeric_limits<int>::max()) {
        in.fail(fmt::format("claims {} weights for each vertex", constraints));
    }
    out.graph.constraints = static_cast<int>(constraints);
    const auto id_spaces = in.take<std::uint32_t>("the vertex ids");
    if (id_spaces > rank) {
        in.fail(fmt::format("has ids for {} of {}", counted(id_spaces, "dimensions"), rank));
    }
    for (std::uint32_t d = 0; d < rank; ++d) out.shape.push_back(in.take<Index>("the shape"));
    decode_levels(in, out, rank);
    decode_ids(in, out, id_spaces);
    decode_story(in, out.graph);
    if (in.left() > 0 && !open_ended) {
        in.fail(
            fmt::format("has {} behind its end", counted(static_cast<Index>(in.left()), "bytes")));
    }
    return out;
}

} // namespace tropic::binary
