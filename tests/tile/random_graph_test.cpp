// Random graphs against plain arrays: vertices on random views of randomly placed variables, and
// copies between them, with and without checks.
#include <random>

#include <gtest/gtest.h>

#include "machines/tile/engine.h"
#include "native_codelets.h"

namespace tropic::tile {

namespace {

class RandomGraph {
  public:
    explicit RandomGraph(unsigned seed) : random_(seed), g_(5) {
        for (const char* name : {"a", "b", "c"}) {
            const Tensor tensor = g_.variable(name, 36);
            std::vector<std::int32_t> values(36);
            for (std::int32_t& value : values) value = static_cast<std::int32_t>(pick(-99, 99));
            g_.graph->set_initial_value(tensor, std::as_bytes(std::span(values)));
            for (std::int64_t begin = 0; begin < 36;) {
                const std::int64_t end = std::min<std::int64_t>(36, begin + pick(1, 9));
                g_.graph->set_tile(tensor.slice(begin, end, 0), tile());
                begin = end;
            }
            tensors_.push_back(tensor);
            values_.push_back(values);
        }
        std::vector<ProgramPtr> steps;
        for (int step = 0; step < 6; ++step) steps.push_back(pick(0, 1) == 0 ? add() : move());
        program_ = sequence(std::move(steps));
    }

    void check(bool checked) {
        EngineOptions options;
        options.checked = checked;
        Engine engine(compile(g_.graph, std::vector<ProgramPtr>{program_}, {}), options);
        engine.load();
        engine.run(0);
        if (checked) ASSERT_EQ(engine.cycles(), cycles_);
        cycles_ = engine.cycles();
        for (std::size_t v = 0; v < tensors_.size(); ++v) {
            std::vector<std::int32_t> found(36);
            engine.read_tensor(tensors_[v], reinterpret_cast<std::byte*>(found.data()));
            ASSERT_EQ(found, values_[v]) << "variable " << v;
        }
    }

  private:
    std::int64_t pick(std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(random_);
    }
    std::uint32_t tile() { return static_cast<std::uint32_t>(pick(0, 4)); }

    /// A view of all elements of a variable, in some order.
    Tensor any_order(std::size_t variable) {
        Tensor view = tensors_[variable];
        switch (pick(0, 3)) {
        case 0:
            return view;
        case 1:
            return view.reverse(0);
        case 2: {
            const std::vector<std::size_t> order{1, 0};
            return view.reshape({4, 9}).shuffle(order).flatten();
        }
        default: {
            const std::int64_t cut = pick(1, 35);
            const std::vector<Tensor> parts{view.slice(cut, 36, 0), view.slice(0, cut, 0)};
            return Tensor::concat(parts, 0);
        }
        }
    }

    std::int32_t& value(const Tensor& view, std::int64_t i) {
        const auto run = view.slice(i, i + 1, 0).runs().front();
        return values_[run.variable][static_cast<std::size_t>(run.begin)];
    }

    ProgramPtr add() {
        const auto from = static_cast<std::size_t>(pick(0, 2));
        const std::size_t to = (from + static_cast<std::size_t>(pick(1, 2))) % 3;
        const Tensor in = any_order(from);
        const Tensor out = any_order(to);
        const ComputeSetId set = g_.graph->add_compute_set("add");
        for (std::int64_t begin = 0; begin < 36;) {
            const std::int64_t end = std::min<std::int64_t>(36, begin + pick(1, 12));
            const auto amount = static_cast<std::int32_t>(pick(-9, 9));
            g_.set(g_.add(set, in.slice(begin, end, 0), out.slice(begin, end, 0), tile()), "add",
                   amount);
            for (std::int64_t i = begin; i < end; ++i) value(out, i) = value(in, i) + amount;
            begin = end;
        }
        return execute(set);
    }

    ProgramPtr move() {
        // Of a variable to itself, too.
        const Tensor from = any_order(static_cast<std::size_t>(pick(0, 2)));
        const Tensor to = any_order(static_cast<std::size_t>(pick(0, 2)));
        std::vector<std::int32_t> moved;
        for (std::int64_t i = 0; i < 36; ++i) moved.push_back(value(from, i));
        for (std::int64_t i = 0; i < 36; ++i) value(to, i) = moved[static_cast<std::size_t>(i)];
        return copy(from, to);
    }

    std::mt19937 random_;
    SmallGraph g_;
    std::vector<Tensor> tensors_;
    std::vector<std::vector<std::int32_t>> values_;
    ProgramPtr program_;
    std::uint64_t cycles_ = 0;
};

} // namespace

TEST(RandomGraph, ResultsAreThoseOfPlainArrays) {
    for (unsigned seed = 0; seed < 150; ++seed) {
        RandomGraph graph(seed);
        graph.check(false);
        graph.check(true);
        if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed;
    }
}

} // namespace tropic::tile
