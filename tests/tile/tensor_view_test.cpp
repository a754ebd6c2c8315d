// Views against a naive tensor that lists its elements one by one: random chains of operations.
#include <random>

#include <gtest/gtest.h>

#include "machines/tile/fault.h"
#include "machines/tile/tensor.h"

namespace tropic::tile {

namespace {

struct Naive {
    Shape shape;
    std::vector<std::pair<VariableId, std::int64_t>> elements;
};

std::vector<std::pair<VariableId, std::int64_t>> elements_of_view(const Tensor& tensor) {
    std::vector<std::pair<VariableId, std::int64_t>> elements;
    tensor.for_each_run([&](const Run& run) {
        for (std::int64_t i = 0; i < run.count; ++i) elements.emplace_back(run.variable, run.at(i));
    });
    return elements;
}

Naive whole(VariableId variable, const Shape& shape) {
    Naive naive{shape, {}};
    for (std::int64_t i = 0; i < elements_of(shape); ++i) naive.elements.emplace_back(variable, i);
    return naive;
}

/// Elements chosen by a function from an index of the new shape to one of the old.
template <class Choose> Naive choose(const Naive& old, Shape shape, const Choose& from) {
    Naive result{shape, {}};
    Shape at(shape.size(), 0);
    for (std::int64_t n = elements_of(shape); n > 0; --n) {
        const Shape source = from(at);
        std::int64_t flat = 0;
        for (std::size_t d = 0; d < old.shape.size(); ++d) flat = flat * old.shape[d] + source[d];
        result.elements.push_back(old.elements[static_cast<std::size_t>(flat)]);
        for (std::size_t d = shape.size(); d-- > 0;) {
            if (++at[d] < shape[d]) break;
            at[d] = 0;
        }
    }
    return result;
}

class Chain {
  public:
    explicit Chain(unsigned seed) : random_(seed) {
        const Shape shape{pick(1, 4), pick(1, 5), pick(1, 4)};
        view_ = Tensor(0, ElementType::float32, shape);
        naive_ = whole(0, shape);
    }

    void step() {
        switch (pick(0, 8)) {
        case 0:
            return slice();
        case 1:
            return shuffle();
        case 2:
            return reverse();
        case 3:
            return broadcast();
        case 4:
            return repeat();
        case 5:
            return reshape();
        case 6:
            return concat();
        case 7:
            return sub_sample();
        default:
            return index();
        }
    }

    void check() const {
        ASSERT_EQ(view_.shape(), naive_.shape);
        ASSERT_EQ(elements_of_view(view_), naive_.elements);
        std::vector<std::pair<VariableId, std::int64_t>> joined;
        for (const Run& run : view_.runs()) {
            for (std::int64_t i = 0; i < run.count; ++i)
                joined.emplace_back(run.variable, run.at(i));
        }
        ASSERT_EQ(joined, naive_.elements);
        bool side_by_side = true;
        for (std::size_t i = 1; i < joined.size(); ++i) {
            side_by_side = side_by_side && joined[i].first == joined[0].first &&
                           joined[i].second == joined[i - 1].second + 1;
        }
        ASSERT_EQ(view_.single_run().has_value(), !joined.empty() && side_by_side);
    }

  private:
    std::int64_t pick(std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(random_);
    }
    std::size_t dimension() {
        return static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(view_.rank()) - 1));
    }

    void slice() {
        if (view_.rank() == 0) return;
        const std::size_t d = dimension();
        const std::int64_t begin = pick(0, naive_.shape[d]);
        const std::int64_t end = pick(begin, naive_.shape[d]);
        if (begin == end) return; // empty tensors have tests of their own
        view_ = view_.slice(begin, end, d);
        Shape shape = naive_.shape;
        shape[d] = end - begin;
        naive_ = choose(naive_, shape, [&](Shape at) {
            at[d] += begin;
            return at;
        });
    }
    void index() {
        if (view_.rank() == 0) return;
        const std::int64_t i = pick(0, naive_.shape[0] - 1);
        view_ = view_.index(i);
        const Shape shape(naive_.shape.begin() + 1, naive_.shape.end());
        naive_ = choose(naive_, shape, [&](Shape at) {
            at.insert(at.begin(), i);
            return at;
        });
    }
    void shuffle() {
        std::vector<std::size_t> order(view_.rank());
        for (std::size_t d = 0; d < order.size(); ++d) order[d] = d;
        std::shuffle(order.begin(), order.end(), random_);
        view_ = view_.shuffle(order);
        Shape shape(order.size());
        for (std::size_t d = 0; d < order.size(); ++d) shape[d] = naive_.shape[order[d]];
        naive_ = choose(naive_, shape, [&](const Shape& at) {
            Shape from(at.size());
            for (std::size_t d = 0; d < at.size(); ++d) from[order[d]] = at[d];
            return from;
        });
    }
    void reverse() {
        if (view_.rank() == 0) return;
        const std::size_t d = dimension();
        view_ = view_.reverse(d);
        naive_ = choose(naive_, naive_.shape, [&](Shape at) {
            at[d] = naive_.shape[d] - 1 - at[d];
            return at;
        });
    }
    void sub_sample() {
        if (view_.rank() == 0) return;
        const std::size_t d = dimension();
        const std::int64_t step = pick(1, 3);
        view_ = view_.sub_sample(step, d);
        Shape shape = naive_.shape;
        shape[d] = (shape[d] + step - 1) / step;
        naive_ = choose(naive_, shape, [&](Shape at) {
            at[d] *= step;
            return at;
        });
    }
    void broadcast() {
        if (view_.rank() == 0 || view_.elements() > 2000) return;
        const std::size_t d = dimension();
        const std::int64_t n = pick(1, 3);
        view_ = view_.broadcast(n, d);
        Shape shape = naive_.shape;
        const std::int64_t extent = shape[d];
        shape[d] *= n;
        naive_ = choose(naive_, shape, [&](Shape at) {
            at[d] %= extent;
            return at;
        });
    }
    void repeat() {
        if (view_.rank() == 0 || view_.elements() > 2000) return;
        const std::size_t d = dimension();
        const std::int64_t n = pick(1, 3);
        view_ = view_.repeat_entries(n, d);
        Shape shape = naive_.shape;
        shape[d] *= n;
        naive_ = choose(naive_, shape, [&](Shape at) {
            at[d] /= n;
            return at;
        });
    }
    void reshape() {
        // Splits a factor off every dimension it divides, then joins two neighbours.
        Shape shape;
        for (const std::int64_t extent : naive_.shape) {
            const std::int64_t factor = pick(1, 3);
            if (extent % factor == 0 && shape.size() < 6) {
                shape.push_back(extent / factor);
                shape.push_back(factor);
            } else {
                shape.push_back(extent);
            }
        }
        if (shape.size() > 1 && pick(0, 1) == 1) {
            const auto d =
                static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(shape.size()) - 2));
            shape[d] *= shape[d + 1];
            shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(d) + 1);
        }
        if (pick(0, 2) == 0) shape = {elements_of(naive_.shape)};
        view_ = view_.reshape(shape);
        naive_.shape = shape;
    }
    void concat() {
        if (view_.rank() == 0 || view_.elements() > 2000) return;
        const std::size_t d = dimension();
        // With itself, or with a variable of its own.
        Tensor other = view_;
        Naive naive_other = naive_;
        if (pick(0, 1) == 1) {
            Shape shape = naive_.shape;
            shape[d] = pick(1, 3);
            ++variables_;
            other = Tensor(variables_, ElementType::float32, shape);
            naive_other = whole(variables_, shape);
        }
        const std::vector<Tensor> parts{view_, other};
        view_ = Tensor::concat(parts, d);
        const Naive first = naive_;
        Shape shape = first.shape;
        shape[d] += naive_other.shape[d];
        Naive joined{shape, {}};
        const std::int64_t outer = elements_of(std::span(shape).first(d));
        const auto append = [&](const Naive& naive, std::int64_t o) {
            const std::int64_t size = elements_of(naive.shape) / outer;
            joined.elements.insert(joined.elements.end(), naive.elements.begin() + o * size,
                                   naive.elements.begin() + (o + 1) * size);
        };
        for (std::int64_t o = 0; o < outer; ++o) {
            append(first, o);
            append(naive_other, o);
        }
        naive_ = joined;
    }

    std::mt19937 random_;
    VariableId variables_ = 0;
    Tensor view_;
    Naive naive_;
};

} // namespace

TEST(TensorView, RandomChainsShowTheElementsTheyShould) {
    for (unsigned seed = 0; seed < 400; ++seed) {
        Chain chain(seed);
        for (int step = 0; step < 9; ++step) {
            chain.step();
            chain.check();
            if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed << " step " << step;
        }
    }
}

TEST(TensorView, ALargeTransposeIsCheapToSlice) {
    // 38 x 38 x 27594, shuffled and indexed as a library reduction does: never listed.
    const Tensor results(0, ElementType::float32, {38, 38, 27594});
    const std::vector<std::size_t> order{0, 2, 1};
    const Tensor shuffled = results.shuffle(order);
    std::int64_t checked = 0;
    for (std::int64_t block = 0; block < 38; ++block) {
        const Tensor rows = shuffled.index(block);
        for (std::int64_t y = 0; y < 27594; y += 13) {
            const auto runs = rows.index(y).runs();
            ASSERT_EQ(runs.size(), 1U);
            ASSERT_EQ(runs[0].stride, 27594);
            ASSERT_EQ(runs[0].begin, block * 38 * 27594 + y);
            ++checked;
        }
    }
    EXPECT_EQ(checked, 38 * 2123);
}

TEST(TensorView, EmptyAndScalarTensors) {
    const Tensor scalar(3, ElementType::int32, {});
    EXPECT_EQ(scalar.elements(), 1);
    EXPECT_EQ(scalar.flatten().shape(), Shape{1});
    const Tensor vector(1, ElementType::int32, {4});
    const Tensor empty = vector.slice(2, 2, 0);
    EXPECT_EQ(empty.elements(), 0);
    EXPECT_TRUE(empty.runs().empty());
    const std::vector<Tensor> parts{empty, vector, empty};
    EXPECT_EQ(Tensor::concat(parts, 0), vector);
    EXPECT_EQ(empty.broadcast(3, 0).elements(), 0);
}

TEST(TensorView, WhatIsNotThereIsRefused) {
    const Tensor t(0, ElementType::int32, {2, 3});
    EXPECT_THROW(t.slice(1, 4, 1), TileError);
    EXPECT_THROW(t.slice(2, 1, 0), TileError);
    EXPECT_THROW(t.slice(0, 1, 2), TileError);
    EXPECT_THROW(t.index(2), TileError);
    EXPECT_THROW(t.reshape({5}), TileError);
    EXPECT_THROW(t.reinterpret(ElementType::float16), TileError);
    EXPECT_THROW(t.reshape({std::int64_t{1} << 40, std::int64_t{1} << 40}), TileError);
    const std::vector<std::size_t> twice{0, 0};
    EXPECT_THROW(t.shuffle(twice), TileError);
}

} // namespace tropic::tile
