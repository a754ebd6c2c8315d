// Many reductions at once, into tensors that are there already.
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <popops/Reduce.hpp>
#include <popops/codelets.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    for (const unsigned rows : {6U, 7U, 50U}) {
        const unsigned parts = 3;
        const Device device = check::device(9);
        Graph graph(device.getTarget());
        popops::addCodelets(graph);
        const Tensor partial = graph.addVariable(FLOAT, {parts, rows}, "partial");
        const Tensor out = graph.addVariable(FLOAT, {rows}, "out");
        for (unsigned p = 0; p < parts; ++p) graph.setTileMapping(partial[p], 2 * p + 1);
        graph.setTileMapping(out, 4);
        std::vector<float> values(parts * rows);
        for (unsigned i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 11);
        graph.setInitialValue(partial, ArrayRef<float>(values));
        std::vector<popops::SingleReduceOp> reductions;
        std::vector<Tensor> outputs;
        const Tensor by_row = partial.transpose();
        for (unsigned r = 0; r < rows; ++r) {
            reductions.push_back({by_row[r], {0}, {popops::Operation::ADD}});
            outputs.push_back(out[r]);
        }
        Sequence sequence;
        popops::reduceMany(graph, reductions, outputs, sequence);
        graph.createHostRead("out", out);
        Engine engine(graph, sequence);
        engine.load(device);
        engine.run(0);
        std::vector<float> found(rows);
        engine.readTensor("out", found.data(), found.data() + rows);
        std::vector<float> expected(rows);
        for (unsigned i = 0; i < values.size(); ++i) expected[i % rows] += values[i];
        check::equal(found, expected);
    }
    return check::result();
}
