// Parts of tensors that are chosen when the program runs. Columns are spread over the tiles; each
// tile fetches the whole of its columns and picks the rows.
#include <algorithm>

#include <fmt/format.h>
#include <popops/DynamicSlice.hpp>
#include <popops/Gather.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

#include "popops/codelet_text.h"

namespace popops {

using poplar::Graph;
using poplar::Tensor;
using poputil::poplibs_error;

namespace {

// `all` has `rows` rows of `part`'s columns. One worker: rows may share words.
std::string row_vertex(Graph& graph, const poplar::Type& type, const std::string& what,
                       bool writes_all, const std::string& row) {
    const std::string loop = writes_all ? "all[row * columns + c] = part[r * columns + c];"
                                        : "part[r * columns + c] = all[row * columns + c];";
    const std::string body = fmt::format("class @NAME@ : public Vertex {{\n  public:\n"
                                         "    {1}<Vector<{0}>> all;\n"
                                         "    {2}<Vector<{0}>> part;\n"
                                         "    Input<Vector<unsigned>> at;\n"
                                         "    unsigned rows;\n    unsigned columns;\n"
                                         "    bool compute() {{\n"
                                         "        const unsigned count = part.size() / columns;\n"
                                         "        for (unsigned r = 0; r < count; ++r) {{\n"
                                         "            const unsigned row = {3};\n"
                                         "            for (unsigned c = 0; c < columns; ++c) {4}\n"
                                         "        }}\n        return true;\n    }}\n}};\n",
                                         code_type(type), writes_all ? "InOut" : "Input",
                                         writes_all ? "Input" : "Output", row, loop);
    return add_vertex_type(graph, what, body);
}

/// The dimension first, the rest as one.
Tensor as_rows(const Tensor& t, unsigned dimension) {
    const Tensor rolled = t.dimRoll(dimension, 0);
    return rolled.reshape(
        {rolled.dim(0), rolled.dim(0) == 0 ? 0 : t.numElements() / t.dim(dimension)});
}

void add_row_vertices(Graph& graph, const std::string& type, const Tensor& all, const Tensor& part,
                      const Tensor& at, poplar::ComputeSet cs) {
    const std::size_t columns = all.dim(1);
    const std::size_t tiles = graph.getTarget().getNumTiles();
    const std::size_t share = std::max<std::size_t>(1, poputil::ceilDiv(columns, tiles));
    unsigned tile = 0;
    for (std::size_t begin = 0; begin < columns; begin += share, ++tile) {
        const std::size_t end = std::min(columns, begin + share);
        const poplar::VertexRef vertex =
            graph.addVertex(cs, type,
                            {{"all", all.slice(begin, end, 1).flatten()},
                             {"part", part.slice(begin, end, 1).flatten()},
                             {"at", at}});
        graph.setInitialValue(vertex["rows"], static_cast<unsigned>(all.dim(0)));
        graph.setInitialValue(vertex["columns"], static_cast<unsigned>(end - begin));
        graph.setTileMapping(vertex, tile);
    }
}

void check_dims(const Tensor& t, const Tensor& offset, const std::vector<std::size_t>& dims,
                const std::vector<std::size_t>& sizes) {
    if (dims.size() != sizes.size() || offset.numElements() != dims.size()) {
        throw poplibs_error("an offset and a size are needed for each dimension that is sliced");
    }
    for (std::size_t k = 0; k < dims.size(); ++k) {
        if (dims[k] >= t.rank() || sizes[k] > t.dim(static_cast<unsigned>(dims[k]))) {
            throw poplibs_error("a dynamic slice that is larger than its tensor");
        }
    }
}

constexpr const char* wrapped_row = "(at[0] + r) % rows";

} // namespace

Tensor dynamicSlice(Graph& graph, const Tensor& t, const Tensor& offset,
                    const std::vector<std::size_t>& dims, const std::vector<std::size_t>& sizes,
                    poplar::program::Sequence& prog, const poplar::DebugContext& debugContext,
                    const poplar::OptionFlags&) {
    check_dims(t, offset, dims, sizes);
    Tensor source = t;
    for (std::size_t k = 0; k < dims.size(); ++k) {
        std::vector<std::size_t> shape = source.shape();
        shape[dims[k]] = sizes[k];
        const Tensor out = graph.addVariable(t.elementType(), shape, {debugContext, "slice"});
        poputil::mapTensorLinearly(graph, out);
        poplar::ComputeSet cs = graph.addComputeSet({debugContext, "dynamicSlice"});
        const std::string type =
            row_vertex(graph, t.elementType(), "dynamic_slice", false, wrapped_row);
        add_row_vertices(graph, type, as_rows(source, static_cast<unsigned>(dims[k])),
                         as_rows(out, static_cast<unsigned>(dims[k])),
                         offset.flatten().slice(k, k + 1), cs);
        prog.add(poplar::program::Execute(cs));
        source = out;
    }
    return source;
}

void dynamicUpdate(Graph& graph, const Tensor& t, const Tensor& s, const Tensor& offset,
                   const std::vector<std::size_t>& dims, const std::vector<std::size_t>& sizes,
                   poplar::program::Sequence& prog, const poplar::DebugContext& debugContext,
                   const poplar::OptionFlags&) {
    check_dims(t, offset, dims, sizes);
    if (dims.empty()) {
        prog.add(poplar::program::Copy(s, t));
        return;
    }
    // What is to change is taken out, dimension by dimension; the part is written into the last of
    // these slices, that one into the slice before it, and so on outwards.
    std::vector<Tensor> slices{t};
    for (std::size_t k = 0; k + 1 < dims.size(); ++k) {
        slices.push_back(dynamicSlice(graph, slices.back(), offset.flatten().slice(k, k + 1),
                                      {dims[k]}, {sizes[k]}, prog, debugContext));
    }
    slices.push_back(s);
    const std::string type =
        row_vertex(graph, t.elementType(), "dynamic_update", true, wrapped_row);
    for (std::size_t k = dims.size(); k-- > 0;) {
        poplar::ComputeSet cs = graph.addComputeSet({debugContext, "dynamicUpdate"});
        const auto dimension = static_cast<unsigned>(dims[k]);
        add_row_vertices(graph, type, as_rows(slices[k], dimension),
                         as_rows(slices[k + 1], dimension), offset.flatten().slice(k, k + 1), cs);
        prog.add(poplar::program::Execute(cs));
    }
}

Tensor gather(Graph& graph, const Tensor& input, const Tensor& indices, unsigned axis,
              poplar::program::Sequence& prog, const poplar::DebugContext& debugContext,
              const poplar::OptionFlags&) {
    if (axis >= input.rank() || indices.rank() != 1 ||
        indices.elementType() != poplar::UNSIGNED_INT) {
        throw poplibs_error("gather takes an axis of its input and UNSIGNED_INT indices of rank 1");
    }
    std::vector<std::size_t> shape = input.shape();
    shape[axis] = indices.numElements();
    const Tensor out = graph.addVariable(input.elementType(), shape, {debugContext, "gathered"});
    poputil::mapTensorLinearly(graph, out);
    poplar::ComputeSet cs = graph.addComputeSet({debugContext, "gather"});
    const std::string type = row_vertex(graph, input.elementType(), "gather", false, "at[r]");
    add_row_vertices(graph, type, as_rows(input, axis), as_rows(out, axis), indices, cs);
    prog.add(poplar::program::Execute(cs));
    return out;
}

} // namespace popops
