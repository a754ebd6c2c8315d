// How fast and in how little memory matrices are built and transposed, against std::sort and a
// plain counting sort measured in the same run.
// `build_bench --help` shows the options.
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arguments.h"
#include "process.h"
#include "support/memory.h"
#include "tropic/transform.h"

namespace tropic {
namespace {

constexpr const char* help =
    R"(Matrices built and transposed, against std::sort and a plain counting sort.
  --entries N      of each matrix (64000000)
  --scale S        2^S rows and columns (22)
  --runs R         of which the median counts (3)
  --json FILE      the table once more
  --peak TYPE N    only one matrix of N entries, pattern or float64, and its peak memory
)";

std::uint64_t hash(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

struct Edge {
    std::int32_t from;
    std::int32_t to;
};

/// Edge e of a shuffled input of some shape over 2^scale vertices.
Edge edge(std::string_view shape, Index e, int scale) {
    const std::uint64_t mask = (std::uint64_t{1} << scale) - 1;
    const std::uint64_t random = hash(static_cast<std::uint64_t>(e));
    Edge made{static_cast<std::int32_t>(random & mask),
              static_cast<std::int32_t>((random >> 32) & mask)};
    if (shape == "one row") made.from = 17;
    if (shape == "star") ((random >> 63) != 0 ? made.from : made.to) = 17;
    if (shape == "kron") {
        std::uint64_t from = 0;
        std::uint64_t to = 0;
        for (int bit = 0; bit < scale; ++bit) {
            const std::uint64_t r = hash(random + static_cast<std::uint64_t>(bit)) % 100;
            from = from * 2 + (r >= 76 ? 1 : 0);
            to = to * 2 + ((r >= 57 && r < 76) || r >= 95 ? 1 : 0);
        }
        // An odd factor permutes the vertices, so that the heavy ones are spread.
        made = {static_cast<std::int32_t>((from * 0x9e3779b1) & mask),
                static_cast<std::int32_t>((to * 0x9e3779b1) & mask)};
    }
    return made;
}

CoordinateList make_list(std::string_view shape, Index entries, int scale, ElementType values,
                         const Context& context) {
    constexpr Index block_entries = 1 << 18;
    CoordinateList list;
    list.shape = {Index{1} << scale, Index{1} << scale};
    list.value_type = values;
    for (Index begin = 0; begin < entries; begin += block_entries) {
        const Index size = std::min(block_entries, entries - begin);
        CoordinateBlock block;
        for (int d = 0; d < 2; ++d) {
            block.coordinates.push_back(Array::allocate(ElementType::int32, size, context, "list"));
        }
        block.values = Array::allocate(values, size, context, "list");
        const auto from = block.coordinates[0].mutable_as<std::int32_t>();
        const auto to = block.coordinates[1].mutable_as<std::int32_t>();
        for (Index i = 0; i < size; ++i) {
            const Edge made = edge(shape, begin + i, scale);
            from[i] = made.from;
            to[i] = made.to;
            if (values == ElementType::float64) {
                block.values.mutable_as<double>()[i] = static_cast<double>(i);
            }
        }
        list.blocks.push_back(std::move(block));
    }
    return list;
}

/// Its own memory, so that it can be built from again.
CoordinateList copy(const CoordinateList& list, const Context& context) {
    CoordinateList result = list;
    const auto fresh = [&](Array& array) {
        Array made = Array::allocate(array.type(), array.size(), context, "list");
        if (array.bytes() > 0) std::memcpy(made.mutable_data(), array.data(), array.bytes());
        array = made;
    };
    for (CoordinateBlock& block : result.blocks) {
        for (Array& array : block.coordinates) fresh(array);
        fresh(block.values);
    }
    return result;
}

/// Seconds on the clock, and of processors (of all threads), which other load disturbs less.
struct Seconds {
    double wall = 0;
    double cpu = 0;
};

/// The medians of `work`, with `prepare` before each run not counted.
Seconds median(int runs, const std::function<void()>& prepare, const std::function<void()>& work) {
    std::vector<double> wall;
    std::vector<double> cpu;
    for (int run = 0; run < runs; ++run) {
        prepare();
        const auto start = std::chrono::steady_clock::now();
        const auto cpu_start = std::clock();
        work();
        wall.push_back(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        cpu.push_back(static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC);
    }
    std::sort(wall.begin(), wall.end());
    std::sort(cpu.begin(), cpu.end());
    return {wall[wall.size() / 2], cpu[cpu.size() / 2]};
}

/// A transpose as textbooks have it: count, scan, scatter.
Seconds plain_counting_sort(const Tensor& csr, int runs) {
    const auto pos = csr.level(1).pos.as<std::int32_t>();
    const auto crd = csr.level(1).crd.as<std::int32_t>();
    const Index rows = csr.dim(0);
    const Context context;
    Array starts_array;
    Array out_array;
    return median(
        runs,
        [&] {
            starts_array = Array::zeros(ElementType::int32, csr.dim(1) + 1, context, "starts");
            out_array = Array::allocate(ElementType::int32, csr.entries(), context, "entries");
        },
        [&] {
            const auto starts = starts_array.mutable_as<std::int32_t>();
            const auto out = out_array.mutable_as<std::int32_t>();
            for (const std::int32_t col : crd) ++starts[col + 1];
            for (Index col = 0; col < csr.dim(1); ++col) starts[col + 1] += starts[col];
            for (Index row = 0; row < rows; ++row) {
                for (Index p = pos[row]; p < pos[row + 1]; ++p) {
                    out[starts[crd[p]]++] = static_cast<std::int32_t>(row);
                }
            }
        });
}

struct Bench {
    Index entries = 64'000'000;
    int scale = 22;
    int runs = 3;
    nlohmann::json results = nlohmann::json::array();

    void row(const std::string& what, Seconds seconds, Seconds against, const std::string& peer) {
        const double ratio = against.wall / seconds.wall;
        const double cpu_ratio = against.cpu / seconds.cpu;
        fmt::print("{:<44} {:>8.3f} s {:>8.3f} cpu-s {:>7.2f} x ({:.2f} x in cpu-s) {}\n", what,
                   seconds.wall, seconds.cpu, ratio, cpu_ratio, peer);
        std::fflush(stdout);
        results.push_back({{"what", what},
                           {"seconds", seconds.wall},
                           {"cpu_seconds", seconds.cpu},
                           {"ratio", ratio},
                           {"cpu_ratio", cpu_ratio},
                           {"against", peer}});
    }

    Seconds sort_baselines() {
        std::vector<std::uint64_t> packed(entries);
        const Seconds of_packed = median(
            1,
            [&] {
                for (Index e = 0; e < entries; ++e) {
                    const Edge made = edge("random", e, scale);
                    packed[e] = static_cast<std::uint64_t>(made.from) << 32 |
                                static_cast<std::uint64_t>(made.to);
                }
            },
            [&] { std::sort(packed.begin(), packed.end()); });
        packed = {};
        std::vector<Edge> edges(entries);
        const Seconds of_pairs = median(
            1,
            [&] {
                for (Index e = 0; e < entries; ++e) edges[e] = edge("random", e, scale);
            },
            [&] {
                std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
                    return a.from != b.from ? a.from < b.from : a.to < b.to;
                });
            });
        const Seconds best{std::min(of_packed.wall, of_pairs.wall),
                           std::min(of_packed.cpu, of_pairs.cpu)};
        row("std::sort of packed 64-bit edges", of_packed, best, "the faster sort");
        row("std::sort of pairs of int32", of_pairs, best, "the faster sort");
        return best;
    }

    void building(Seconds baseline) {
        struct Input {
            const char* shape;
            ElementType values;
            Duplicates rule;
        };
        const std::vector<Input> inputs = {
            {"random", ElementType::pattern, Duplicates::keep},
            {"kron", ElementType::pattern, Duplicates::keep},
            {"kron", ElementType::pattern, Duplicates::first},
            {"star", ElementType::pattern, Duplicates::keep},
            {"one row", ElementType::pattern, Duplicates::keep},
            {"random", ElementType::float64, Duplicates::keep},
            {"kron", ElementType::float64, Duplicates::sum},
        };
        for (const Input& input : inputs) {
            const CoordinateList list = make_list(input.shape, entries, scale, input.values, {});
            for (const int threads : {1, 2}) {
                const Context context({.threads = threads});
                CoordinateList work;
                const Seconds seconds = median(
                    runs, [&] { work = copy(list, {}); },
                    [&] { build(std::move(work), Format::csr(), input.rule, context); });
                row(fmt::format("build csr, {} {} {}, {} thread(s)", input.shape,
                                name_of(input.values), name_of(input.rule), threads),
                    seconds, baseline, "std::sort of random edges");
            }
        }
    }

    void transposing() {
        for (const char* shape : {"random", "kron"}) {
            const Tensor csr = build(make_list(shape, entries, scale, ElementType::pattern, {}),
                                     Format::csr(), Duplicates::keep);
            const Seconds plain = plain_counting_sort(csr, runs);
            row(fmt::format("one plain counting sort, {}", shape), plain, plain, "itself");
            for (const int threads : {1, 2}) {
                const Context context({.threads = threads});
                const Seconds seconds = median(runs, [] {}, [&] { transpose(csr, context); });
                row(fmt::format("transpose, {}, {} thread(s)", shape, threads), seconds, plain,
                    "one plain counting sort");
            }
        }
    }

    void memory(const char* program) {
        for (const char* values : {"pattern", "float64"}) {
            const std::string command = fmt::format("{} --peak {} 30000000", program, values);
            nlohmann::json peak;
            try {
                peak = nlohmann::json::parse(bench::printed_by(command));
            } catch (const std::exception& error) {
                fmt::print(stderr, "peak memory, {}: {}\n", values, error.what());
                continue;
            }
            fmt::print("30 million entries, {}: list {} MB, graph {} MB, peak resident {:.2f} x, "
                       "peak accounted {:.2f} x the graph\n",
                       values, peak["list_mb"].get<int>(), peak["graph_mb"].get<int>(),
                       peak["resident_ratio"].get<double>(), peak["accounted_ratio"].get<double>());
            results.push_back(peak);
        }
    }
};

int report_peak(std::string_view values, Index entries) {
    const Context context({.threads = 2});
    const auto resident = [] {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        return static_cast<double>(usage.ru_maxrss) * 1024;
    };
    const double before = resident();
    const ElementType type = values == "pattern" ? ElementType::pattern : ElementType::float64;
    CoordinateList list = make_list("random", entries, 22, type, context);
    const auto list_bytes = static_cast<double>(context.budget()->used());
    const Tensor csr = build(std::move(list), Format::csr(), Duplicates::keep, context);
    const auto graph_bytes = static_cast<double>(csr.bytes());
    const nlohmann::json result = {
        {"what", fmt::format("peak memory, {}", values)},
        {"list_mb", static_cast<int>(list_bytes / 1e6)},
        {"graph_mb", static_cast<int>(graph_bytes / 1e6)},
        {"resident_ratio", (resident() - before) / graph_bytes},
        {"accounted_ratio", static_cast<double>(context.budget()->peak()) / graph_bytes},
    };
    fmt::print("{}\n", result.dump());
    return 0;
}

/// Touches as much memory as the runs will use: a virtual machine's first touch of a page can cost
/// several times all later ones, and whoever is measured first would pay for it.
void warm_up(Index bytes) {
    Array array = Array::allocate(ElementType::uint8, bytes, {}, "warming up");
    std::memset(array.mutable_data(), 1, array.bytes());
}

int run(int argc, char** argv) {
    if (bench::showed_help(argc, argv, help)) return 0;
    Bench job;
    std::string json_file;
    for (int a = 1; a < argc; a += 2) {
        const std::string_view option = argv[a];
        if (option == "--peak" && a + 2 < argc)
            return report_peak(argv[a + 1], bench::number_of<Index>(option, argv[a + 2]));
        if (a + 1 == argc) bench::refuse_option(option);
        if (option == "--entries") job.entries = bench::number_of<Index>(option, argv[a + 1]);
        else if (option == "--scale") job.scale = bench::number_of(option, argv[a + 1]);
        else if (option == "--runs") job.runs = bench::number_of(option, argv[a + 1]);
        else if (option == "--json") json_file = argv[a + 1];
        else bench::refuse_option(option);
    }
    fmt::print("{} entries, 2^{} rows and columns, medians of {} runs\n", job.entries, job.scale,
               job.runs);
    warm_up(job.entries * 64);
    job.building(job.sort_baselines());
    job.transposing();
    job.memory(argv[0]);
    if (!json_file.empty()) std::ofstream(json_file) << job.results.dump(2) << '\n';
    return 0;
}

} // namespace
} // namespace tropic

int main(int argc, char** argv) {
    return tropic::run(argc, argv);
}
