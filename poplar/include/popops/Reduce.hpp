// Reductions over dimensions of tensors that may be spread over any tiles.
#pragma once

#include <vector>

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <popops/AllTrue.hpp>
#include <popops/OperationDef.hpp>

namespace popops {

struct ReduceParams {
    ReduceParams() = default;
    ReduceParams(Operation op, bool update = false) : op(op), update(update) {}
    ReduceParams(Operation op, bool update, poplar::Tensor scale)
        : op(op), scale(std::move(scale)), useScale(true), update(update) {}

    Operation op = Operation::ADD;
    /// Of one element: the result is multiplied by it.
    poplar::Tensor scale;
    bool useScale = false;
    /// The result is added to what is there.
    bool update = false;
};

/// One of the reductions of reduceMany.
struct SingleReduceOp {
    poplar::Tensor in;
    std::vector<std::size_t> dims;
    ReduceParams params;
    bool useOutType = false;
    poplar::Type outType;
    std::string debugName;

    SingleReduceOp(poplar::Tensor in, std::vector<std::size_t> dims, ReduceParams params,
                   poplar::Type outType, std::string debugName = "")
        : in(std::move(in)), dims(std::move(dims)), params(std::move(params)), useOutType(true),
          outType(outType), debugName(std::move(debugName)) {}
    SingleReduceOp(poplar::Tensor in, std::vector<std::size_t> dims, ReduceParams params,
                   std::string debugName = "")
        : in(std::move(in)), dims(std::move(dims)), params(std::move(params)),
          debugName(std::move(debugName)) {
        outType = this->in.elementType();
    }
};

poplar::Tensor reduce(poplar::Graph& graph, const poplar::Tensor& in, const poplar::Type& outType,
                      const std::vector<std::size_t>& dims, ReduceParams params,
                      poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {});
poplar::Tensor reduce(poplar::Graph& graph, const poplar::Tensor& in,
                      const std::vector<std::size_t>& dims, ReduceParams params,
                      poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {});
/// The vertices are added to the given compute sets, which the program has yet to execute in order.
poplar::Tensor reduce(poplar::Graph& graph, const poplar::Tensor& in, const poplar::Type& outType,
                      const std::vector<std::size_t>& dims, ReduceParams params,
                      std::vector<poplar::ComputeSet>& css,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {});
poplar::Tensor reduce(poplar::Graph& graph, const poplar::Tensor& in,
                      const std::vector<std::size_t>& dims, ReduceParams params,
                      std::vector<poplar::ComputeSet>& css,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {});
void reduceWithOutput(poplar::Graph& graph, const poplar::Tensor& in, const poplar::Tensor& out,
                      const std::vector<std::size_t>& dims, ReduceParams params,
                      poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {});
void reduceWithOutput(poplar::Graph& graph, const poplar::Tensor& in, const poplar::Tensor& out,
                      const std::vector<std::size_t>& dims, ReduceParams params,
                      std::vector<poplar::ComputeSet>& css,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {});

/// Many reductions at once, as many supersteps as one. Outputs that are given are written to; if
/// none is, they are made.
void reduceMany(poplar::Graph& graph, const std::vector<SingleReduceOp>& reductions,
                std::vector<poplar::Tensor>& outputs, poplar::program::Sequence& prog,
                const poplar::DebugContext& debugContext = {},
                const poplar::OptionFlags& options = {});

} // namespace popops
