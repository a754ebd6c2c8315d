// Slices by range, interval, lists of intervals and dimension.
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device();
    Graph graph(device.getTarget());
    const Tensor t = graph.addVariable(INT, {4, 6}, "t");
    check::equal(t.slice(1, 3).shape(), std::vector<std::size_t>{2, 6});
    check::equal(t.slice(1, 3, 1).shape(), std::vector<std::size_t>{4, 2});
    check::equal(t.slice(Interval(2, 5), 1).shape(), std::vector<std::size_t>{4, 3});
    check::equal(t.slice({1, 2}, {3, 6}).shape(), std::vector<std::size_t>{2, 4});
    check::equal(t[2].shape(), std::vector<std::size_t>{6});
    check::equal(t[2][5].shape(), std::vector<std::size_t>{});
    check::equal(t[2][5].numElements(), 1U);
    const std::vector<Tensor> parts = t.slices({Interval(0, 1), Interval(3, 6)}, 1);
    check::equal(parts.size(), 2U);
    check::equal(parts[1].shape(), std::vector<std::size_t>{4, 3});
    check::equal(t.slice(2, 2).numElements(), 0U);
    check::throws<poplar_error>([&] { t.slice(3, 5); });
    check::throws<poplar_error>([&] { t[4]; });
    check::throws<poplar_error>([&] { t.slice(0, 1, 2); });
    return check::result();
}
