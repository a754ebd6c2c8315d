// Programs and tensors as bytes, and back.
#pragma once

#include <map>
#include <vector>

#include "machines/tile/graph.h"
#include "machines/tile/stored_bytes.h"

namespace tropic::tile {

void store_runs(ByteWriter& writer, std::span<const Run> runs);
void store_tensor(ByteWriter& writer, const Tensor& tensor);
/// Of variables that the graph has.
std::vector<Run> load_runs(ByteReader& reader, const Graph& graph);
Tensor load_tensor(ByteReader& reader, const Graph& graph);

/// Nodes are stored once, however many programs share them: children before those that hold them.
class ProgramStore {
  public:
    void store(ByteWriter& writer, const ProgramPtr& program);

  private:
    void add(ByteWriter& nodes, const ProgramPtr& program);

    std::map<const Program*, std::uint32_t> numbers_;
    std::uint64_t fresh_ = 0;
};

class ProgramLoader {
  public:
    explicit ProgramLoader(const Graph& graph) : graph_(&graph) {}
    ProgramPtr load(ByteReader& reader);

  private:
    ProgramPtr load_node(ByteReader& reader);

    const Graph* graph_;
    std::vector<ProgramPtr> nodes_;
};

} // namespace tropic::tile
