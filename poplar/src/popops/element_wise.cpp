// Element-wise expressions: on every tile that holds elements of the result, one vertex of all
// workers.
#include <popops/ElementWise.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <popops/Cast.hpp>
#include <popops/Fill.hpp>
#include <popops/Zero.hpp>
#include <poputil/Broadcast.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

#include "popops/codelet_text.h"
#include "popops/compute_sets.h"

namespace popops {

using poplar::Graph;
using poplar::Interval;
using poplar::Tensor;

namespace {

std::string name_of(const poplar::DebugContext& debugContext, const char* otherwise) {
    const std::string name = debugContext.getPathName();
    return name.empty() ? otherwise : name;
}

/// A tensor of the expression as its code sees it.
struct Operand {
    Tensor tensor; ///< flat
    bool is_output = false;
    bool single = false; ///< one element for all
};

/// The operands at the shape of the result.
std::vector<Operand> operands_of(const std::vector<Tensor>& ts, const Tensor& out) {
    std::vector<Operand> operands;
    for (const Tensor& t : ts) {
        Operand operand;
        operand.is_output = t == out;
        operand.single = t.numElements() == 1 && out.numElements() != 1;
        Tensor matched = t;
        if (!operand.single) poputil::broadcastToMatch(matched, out.shape());
        operand.tensor = matched.flatten();
        operands.push_back(std::move(operand));
    }
    return operands;
}

std::vector<CodeValue> placeholders_of(const std::vector<Operand>& operands) {
    std::vector<CodeValue> placeholders;
    for (std::size_t k = 0; k < operands.size(); ++k) {
        const Operand& operand = operands[k];
        const std::string text = operand.is_output ? "out[i]"
                                 : operand.single  ? fmt::format("in{}[0]", k)
                                                   : fmt::format("in{}[i]", k);
        placeholders.push_back({text, operand.tensor.elementType()});
    }
    return placeholders;
}

std::string vertex_body(const std::vector<Operand>& operands, const CodeValue& value,
                        const poplar::Type& written) {
    std::string fields;
    bool in_place = false;
    for (std::size_t k = 0; k < operands.size(); ++k) {
        in_place = in_place || operands[k].is_output;
        if (operands[k].is_output) continue;
        fields += fmt::format("    Input<Vector<{}, VectorLayout::ONE_PTR, 4>> in{};\n",
                              code_type(operands[k].tensor.elementType()), k);
    }
    fields += fmt::format("    {}<Vector<{}, VectorLayout::SPAN, 4>> out;\n",
                          in_place ? "InOut" : "Output", code_type(written));
    return "class @NAME@ : public MultiVertex {\n  public:\n" + fields +
           "    bool compute(unsigned workerId) {\n" +
           worker_loop(
               written, "out.size()",
               fmt::format("out[i] = static_cast<{}>({});", code_type(written), value.text)) +
           "        return true;\n    }\n};\n";
}

} // namespace

void add_map(Graph& graph, const expr::Expr& expr, const std::vector<Tensor>& ts, const Tensor& out,
             poplar::ComputeSet cs) {
    if (out.numElements() == 0) return;
    const std::vector<Operand> operands = operands_of(ts, out);
    const CodeValue value = code_of(expr, placeholders_of(operands));
    const std::string type =
        add_vertex_type(graph, "map", vertex_body(operands, value, out.elementType()));
    const Tensor flat = out.flatten();
    const auto mapping = graph.getTileMapping(flat);
    for (unsigned tile = 0; tile < mapping.size(); ++tile) {
        if (mapping[tile].empty()) continue;
        const auto part = [&](const Tensor& t) { return poplar::concat(t.slices(mapping[tile])); };
        const poplar::VertexRef vertex = graph.addVertex(cs, type, {{"out", part(flat)}});
        for (std::size_t k = 0; k < operands.size(); ++k) {
            if (operands[k].is_output) continue;
            graph.connect(vertex[fmt::format("in{}", k)],
                          operands[k].single ? operands[k].tensor : part(operands[k].tensor));
        }
        graph.setTileMapping(vertex, tile);
    }
}

namespace {

/// The shape that all tensors broadcast to.
std::vector<std::size_t> shape_of(const std::vector<Tensor>& ts) {
    if (ts.empty()) throw poputil::poplibs_error("an expression over no tensors has no shape");
    Tensor all = ts[0];
    for (std::size_t k = 1; k < ts.size(); ++k) {
        Tensor other = ts[k];
        poputil::broadcastToMatch(all, other);
    }
    return all.shape();
}

poplar::Type result_type(const expr::Expr& expr, const std::vector<Tensor>& ts) {
    std::vector<CodeValue> placeholders;
    placeholders.reserve(ts.size());
    for (const Tensor& t : ts) placeholders.push_back({"x", t.elementType()});
    return code_of(expr, placeholders).type;
}

} // namespace

Tensor map(Graph& graph, const expr::Expr& expr, const std::vector<Tensor>& ts,
           poplar::program::Sequence& prog, const poplar::DebugContext& debugContext,
           const poplar::OptionFlags& options) {
    const std::vector<std::size_t> shape = shape_of(ts);
    const poplar::Type type = result_type(expr, ts);
    const std::string name = name_of(debugContext, "map");
    const auto model = std::find_if(ts.begin(), ts.end(), [&](const Tensor& t) {
        return t.shape() == shape && !t.containsConstant();
    });
    Tensor out;
    if (model != ts.end()) {
        out = graph.clone(type, *model, name + "/out");
    } else {
        out = graph.addVariable(type, shape, name + "/out");
        poputil::mapTensorLinearly(graph, out);
    }
    mapWithOutput(graph, expr, ts, out, prog, debugContext, options);
    return out;
}

void mapWithOutput(Graph& graph, const expr::Expr& expr, const std::vector<Tensor>& ts,
                   const Tensor& out, poplar::program::Sequence& prog,
                   const poplar::DebugContext& debugContext, const poplar::OptionFlags&) {
    poplar::ComputeSet cs = graph.addComputeSet(name_of(debugContext, "map"));
    add_map(graph, expr, ts, out, cs);
    prog.add(poplar::program::Execute(cs));
}

void mapInPlace(Graph& graph, const expr::Expr& expr, const std::vector<Tensor>& ts,
                poplar::program::Sequence& prog, const poplar::DebugContext& debugContext,
                const poplar::OptionFlags& options) {
    if (ts.empty()) throw poputil::poplibs_error("there is no tensor to change in place");
    mapWithOutput(graph, expr, ts, ts[0], prog, debugContext, options);
}

void fill(Graph& graph, const Tensor& t, poplar::program::Sequence& prog, double fillValue,
          const poplar::DebugContext& debugContext) {
    mapWithOutput(graph, expr::Const(fillValue), {}, t, prog, {name_of(debugContext, "fill")}, {});
}

void zero(Graph& graph, const Tensor& t, poplar::program::Sequence& prog,
          const poplar::DebugContext& debugContext) {
    mapWithOutput(graph, expr::Const(0), {}, t, prog, {name_of(debugContext, "zero")}, {});
}

void zero(Graph& graph, Tensor t, const std::vector<Interval>& tileRegions, unsigned tile,
          poplar::ComputeSet zeroCS) {
    if (tileRegions.empty()) return;
    const Tensor out = poplar::concat(t.flatten().slices(tileRegions));
    const CodeValue value = code_of(expr::Const(0), {});
    const std::string type = add_vertex_type(graph, "map", vertex_body({}, value, t.elementType()));
    graph.setTileMapping(graph.addVertex(zeroCS, type, {{"out", out}}), tile);
}

Tensor cast(Graph& graph, const Tensor& src, const poplar::Type& dstType,
            poplar::program::Sequence& prog, const poplar::DebugContext& debugContext) {
    return map(graph, expr::Cast(expr::_1, dstType), {src}, prog, {name_of(debugContext, "cast")},
               {});
}

poplar::program::Program cast(Graph& graph, Tensor src, Tensor dst,
                              const poplar::DebugContext& debugContext) {
    poplar::program::Sequence prog;
    mapWithOutput(graph, expr::Cast(expr::_1, dst.elementType()), {src}, dst, prog,
                  {name_of(debugContext, "cast")}, {});
    return prog;
}

} // namespace popops
