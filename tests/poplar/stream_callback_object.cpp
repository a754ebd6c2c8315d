// An object behind a stream: each copy fetches, and tells when the data was used.
#include <memory>
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

namespace {

struct Counts {
    int fetched = 0;
    int completed = 0;
};

class Numbers : public StreamCallback {
  public:
    explicit Numbers(Counts& counts) : counts_(counts) {}

    Result prefetch(void*) override { return Result::NotAvailable; }
    void fetch(void* p) override {
        ++counts_.fetched;
        for (int i = 0; i < 4; ++i) static_cast<int*>(p)[i] = 100 * counts_.fetched + i;
    }
    void complete() override { ++counts_.completed; }

  private:
    Counts& counts_;
};

} // namespace

int main() {
    const Device device = check::device();
    Graph graph(device.getTarget());
    const Tensor data = graph.addVariable(INT, {4}, "data");
    graph.setTileMapping(data, 0);
    const DataStream in = graph.addHostToDeviceFIFO("in", INT, 4);
    graph.createHostRead("data", data);
    Engine engine(graph, Copy(in, data));

    Counts counts;
    engine.connectStreamToCallback("in", std::make_unique<Numbers>(counts));
    engine.load(device);
    std::vector<int> found(4);
    for (int run = 1; run <= 3; ++run) {
        engine.run(0);
        engine.readTensor("data", found.data(), found.data() + found.size());
        check::equal(found,
                     std::vector<int>{100 * run, 100 * run + 1, 100 * run + 2, 100 * run + 3});
    }
    check::that(counts.fetched >= 3, "three runs fetch three times");
    check::that(counts.completed >= 3, "and complete three times");
    return check::result();
}
