// Which elements lie side by side, and which tensors share elements.
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device();
    Graph graph(device.getTarget());
    const Tensor t = graph.addVariable(FLOAT, {4, 4}, "t");
    check::that(t.isContiguous(), "a variable is contiguous");
    check::that(t.slice(1, 3).isContiguous(), "and so are its rows");
    check::that(!t.slice(1, 3, 1).isContiguous(), "but not its columns");
    check::that(t.slice(0, 2).intersectsWith(t.slice(1, 3)), "they share row 1");
    check::that(!t.slice(0, 2).intersectsWith(t.slice(2, 4)), "they share nothing");
    check::equal(t.slice(1, 3, 1).getContiguousRegions().size(), 4U);
    check::equal(t.rank(), 2U);
    check::equal(t.dim(1), 4U);
    check::that(t.elementType() == FLOAT, "floats");
    return check::result();
}
