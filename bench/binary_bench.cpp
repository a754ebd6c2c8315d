// How long Tropic's own format takes to open and to write, and GAP's to read, on a graph of about a
// gigabyte; beside them a plain copy of as many bytes in memory, the measure of what the machine
// can do. `binary_bench --help` shows the options.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "arguments.h"
#include "graph/files/binary.h"
#include "support/parallel.h"

namespace tropic {
namespace {

constexpr const char* help = R"(Tropic's own format and GAP's, written and opened.
  --millions N     entries of the graph, in millions (125)
  --folder DIR     where files are written, which are removed afterwards (/tmp)
  --json FILE      the table once more
)";

constexpr int repetitions = 5;

/// Rows of equal length, columns spread over the whole range and ascending.
Graph make_graph(Index entries, const Context& context) {
    constexpr Index degree = 16;
    const Index n = entries / degree;
    Array pos = Array::allocate(ElementType::int32, n + 1, context, "pos");
    Array crd = Array::allocate(ElementType::int32, n * degree, context, "crd");
    Array values = Array::allocate(ElementType::int32, n * degree, context, "values");
    const auto p = pos.mutable_as<std::int32_t>();
    const auto c = crd.mutable_as<std::int32_t>();
    const auto v = values.mutable_as<std::int32_t>();
    p[0] = 0;
    parallel_ranges(context, n, 1 << 14, [&](Index begin, Index end) {
        for (Index row = begin; row < end; ++row) {
            p[row + 1] = static_cast<std::int32_t>((row + 1) * degree);
            for (Index e = 0; e < degree; ++e) {
                c[row * degree + e] =
                    static_cast<std::int32_t>(n / degree * e + (row * 7919 + e) % (n / degree));
                v[row * degree + e] = static_cast<std::int32_t>(1 + (row + e) % 255);
            }
        }
    });
    Graph graph;
    graph.name = "bench";
    graph.ids.resize(2);
    graph.tensor = Tensor({n, n}, Format::csr(),
                          {Level{}, Level{.kind = LevelKind::compressed, .pos = pos, .crd = crd}},
                          values, true, true);
    return graph;
}

/// Prints median and range, and keeps them for the JSON file.
class Table {
  public:
    void measure(const char* what, double gigabytes, const std::function<void()>& work) {
        std::vector<double> seconds;
        for (int r = 0; r < repetitions; ++r) {
            const auto start = std::chrono::steady_clock::now();
            work();
            seconds.push_back(
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        }
        std::sort(seconds.begin(), seconds.end());
        const double median = seconds[repetitions / 2];
        std::printf("%-34s %10.3f ms  (%.3f to %.3f)  %9.2f GB/s\n", what, median * 1e3,
                    seconds.front() * 1e3, seconds.back() * 1e3, gigabytes / median);
        std::fflush(stdout);
        rows_.push_back({{"what", what}, {"gigabytes", gigabytes}, {"seconds", seconds}});
    }

    const nlohmann::json& rows() const { return rows_; }

  private:
    nlohmann::json rows_ = nlohmann::json::array();
};

void run(Table& table, Index entries, const std::string& folder) {
    const Context context;
    const Graph graph = make_graph(entries, context);
    const std::string own = folder + "/binary_bench.tg";
    const std::string gap = folder + "/binary_bench.wsg";
    const double size = static_cast<double>(graph.tensor.bytes()) * 1e-9;
    std::printf("%.2f GB, %lld entries, %d threads, medians of %d\n", size,
                static_cast<long long>(graph.entries()), context.threads(), repetitions);
    {
        Array copy = Array::allocate(ElementType::int32, graph.entries(), context, "a copy");
        std::memset(copy.mutable_data(), 1, copy.bytes());
        table.measure(
            "copy of the values in memory", static_cast<double>(copy.bytes()) * 1e-9,
            [&] { std::memcpy(copy.mutable_data(), graph.tensor.values().data(), copy.bytes()); });
    }
    table.measure("write .tg", size, [&] { write_tropic_binary(graph, own, {}, context); });
    table.measure("open .tg, header only", size,
                  [&] { read_tropic_binary(own, {.verify = false}, context); });
    table.measure("open .tg, verified", size, [&] { read_tropic_binary(own, {}, context); });
    const Context one({.threads = 1});
    table.measure("open .tg, verified, one thread", size,
                  [&] { read_tropic_binary(own, {}, one); });
    std::filesystem::remove(own);
    double gap_size = 0;
    table.measure("write .wsg (with transpose)", size * 2, [&] {
        const auto sink = create_file(gap, true, context);
        write_gap_serialized(graph, *sink, {}, context);
        sink->commit();
        gap_size = static_cast<double>(std::filesystem::file_size(gap)) * 1e-9;
    });
    table.measure("read .wsg", gap_size / 2,
                  [&] { read_gap_serialized(gap, {.verify = false}, context); });
    table.measure("read .wsg, verified", gap_size, [&] { read_gap_serialized(gap, {}, context); });
    std::filesystem::remove(gap);
}

} // namespace
} // namespace tropic

int main(int argc, char** argv) {
    using namespace tropic::bench;
    if (showed_help(argc, argv, tropic::help)) return 0;
    std::string json;
    std::string folder = "/tmp";
    tropic::Index millions = 125;
    for (int i = 1; i < argc; i += 2) {
        const std::string option = argv[i];
        if (i + 1 == argc) refuse_option(option);
        if (option == "--json") json = argv[i + 1];
        else if (option == "--folder") folder = argv[i + 1];
        else if (option == "--millions") millions = number_of<tropic::Index>(option, argv[i + 1]);
        else refuse_option(option);
    }
    try {
        tropic::Table table;
        tropic::run(table, millions * 1'000'000, folder);
        if (!json.empty()) std::ofstream(json) << table.rows().dump(2) << '\n';
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
