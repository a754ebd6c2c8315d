// How fast and in how little memory Matrix Market files are read and written, against scipy and
// igraph measured in the same run on the same edges.
// `read_bench --help` shows the options. Every measurement is a process of its own, so that its
// peak memory is its own.
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arguments.h"
#include "process.h"
#include "tropic/error.h"
#include "tropic/formats.h"

namespace tropic {
namespace {

constexpr const char* help = R"(Matrix Market files read and written, against scipy and igraph.
  --entries N               of each file (30000000)
  --vertices N              (4000000)
  --runs R                  of which the median counts; peers run once (3)
  --no-peers                only Tropic
  --folder DIR              where files are written, which are removed afterwards (that of temporary ones)
  --json FILE               the table once more
  --read FILE THREADS       only one reading, as JSON
  --write FILE OUT THREADS  only one writing, as JSON
)";

using nlohmann::json;

std::uint64_t hash(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

/// Random edges with `base` as the first id; weights of full precision if `weighted`.
void write_edges(const std::string& path, const std::string& header, Index entries,
                 std::uint64_t vertices, std::uint64_t base, bool weighted) {
    std::ofstream out(path, std::ios::binary);
    out << header;
    std::vector<char> buffer(1 << 20);
    char* at = buffer.data();
    char* const full = buffer.data() + buffer.size() - 128;
    for (Index e = 0; e < entries; ++e) {
        const auto key = static_cast<std::uint64_t>(e) * 4;
        at = std::to_chars(at, full + 128, hash(key) % vertices + base).ptr;
        *at++ = ' ';
        at = std::to_chars(at, full + 128, hash(key + 1) % vertices + base).ptr;
        if (weighted) {
            *at++ = ' ';
            const double weight = static_cast<double>(hash(key + 2) >> 11) * 0x1p-53;
            at = std::to_chars(at, full + 128, weight).ptr;
        }
        *at++ = '\n';
        if (at >= full || e + 1 == entries) {
            out.write(buffer.data(), at - buffer.data());
            at = buffer.data();
        }
    }
    if (!out.flush()) throw Error(ErrorCode::io, "cannot write " + path);
}

double processor_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

template <class Work> json timed(const Work& work) {
    const double processor = processor_seconds();
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    return {{"wall", wall.count()}, {"processor", processor_seconds() - processor}};
}

int read_once(const std::string& path, int threads) {
    const Context context({.threads = threads});
    Graph graph;
    json result = timed([&] { graph = read_graph(path, {}, context); });
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    result["peak"] = usage.ru_maxrss * 1024;
    result["bytes"] = graph.tensor.bytes();
    result["entries"] = graph.entries();
    fmt::print("{}\n", result.dump());
    return 0;
}

int write_once(const std::string& path, const std::string& target, int threads) {
    const Context context({.threads = threads});
    const Graph graph = read_graph(path, {}, context);
    fmt::print("{}\n", timed([&] { write_graph(graph, target, {}, context); }).dump());
    return 0;
}

/// Runs a command that prints JSON.
json run(const std::string& command) {
    return json::parse(bench::printed_by(command));
}

/// The run with the median wall time; all wall times beside it.
json median_of(int runs, const std::string& command) {
    std::vector<json> results;
    results.reserve(static_cast<std::size_t>(runs));
    for (int i = 0; i < runs; ++i) results.push_back(run(command));
    std::ranges::sort(results, {}, [](const json& r) { return r["wall"].get<double>(); });
    json result = results[results.size() / 2];
    for (const json& each : results) result["walls"].push_back(each["wall"]);
    return result;
}

constexpr std::string_view scipy_script =
    "import sys,time,json,resource,scipy.io\n"
    "def clock():\n"
    "    u=resource.getrusage(resource.RUSAGE_SELF)\n"
    "    return time.monotonic(),u.ru_utime+u.ru_stime\n"
    "a=clock();m=scipy.io.mmread(sys.argv[1]);b=clock()\n"
    "r={'read':{'wall':b[0]-a[0],'processor':b[1]-a[1]}}\n"
    "if len(sys.argv)>2:\n"
    "    c=clock();scipy.io.mmwrite(sys.argv[2],m);d=clock()\n"
    "    r['write']={'wall':d[0]-c[0],'processor':d[1]-c[1]}\n"
    "print(json.dumps(r))\n";

class Bench {
  public:
    explicit Bench(std::string self) : self_(std::move(self)) {}

    Index entries = 30'000'000;
    std::uint64_t vertices = 4'000'000;
    int runs = 3;
    bool peers = true;
    std::string folder;

    json measure() {
        fmt::print("{} entries, {} vertices, medians of {} runs (peers run once)\n\n", entries,
                   vertices, runs);
        fmt::print("{:<24}{:>10}{:>12}{:>10}{:>10}\n", "", "wall s", "processor s", "ratio",
                   "wanted");
        for (const bool weighted : {false, true}) measure_reading(weighted);
        return std::move(results_);
    }

  private:
    std::string file(std::string_view name) const { return folder + "/" + std::string(name); }

    void row(const std::string& what, const json& result, double ratio = 0,
             std::string_view wanted = "") {
        results_[what] = result;
        if (ratio > 0) results_[what]["ratio"] = ratio;
        fmt::print("{:<24}{:>10.3f}{:>12.3f}{:>10}{:>10}\n", what, result["wall"].get<double>(),
                   result["processor"].get<double>(), ratio > 0 ? fmt::format("{:.2f}", ratio) : "",
                   wanted);
        std::fflush(stdout);
    }

    static double ratio(const json& slow, const json& fast) {
        return slow["wall"].get<double>() / fast["wall"].get<double>();
    }

    void measure_reading(bool weighted) {
        const std::string kind = weighted ? "real" : "pattern";
        const std::string path = file(kind + ".mtx");
        const std::string out = file("out.mtx");
        write_edges(path,
                    fmt::format("%%MatrixMarket matrix coordinate {} general\n{} {} {}\n", kind,
                                vertices, vertices, entries),
                    entries, vertices, 1, weighted);
        const std::string read = fmt::format("'{}' --read '{}' ", self_, path);
        const json one = median_of(runs, read + "1");
        const json two = median_of(runs, read + "2");
        row("read " + kind + ", 1 thread", one);
        row("read " + kind + ", 2 threads", two, ratio(one, two), ">= 1.7");
        const double peak = two["peak"].get<double>() / two["bytes"].get<double>();
        fmt::print("{:<24}{:>10.0f} MB of memory at the peak{:>7.2f}{:>10}\n",
                   "  graph of " + std::to_string(two["bytes"].get<Index>() / 1'000'000) + " MB",
                   two["peak"].get<double>() / 1e6, peak, "<= 2.5");
        results_["read " + kind + ", 2 threads"]["peak over graph"] = peak;
        const std::string write = fmt::format("'{}' --write '{}' '{}' ", self_, path, out);
        const json write_one = median_of(runs, write + "1");
        const json write_two = median_of(runs, write + "2");
        row("write " + kind + ", 1 thread", write_one);
        row("write " + kind + ", 2 threads", write_two, ratio(write_one, write_two));
        if (peers) measure_peers(kind, path, out, two, write_two);
        std::filesystem::remove(path);
        std::filesystem::remove(out);
    }

    void measure_peers(const std::string& kind, const std::string& path, const std::string& out,
                       const json& read, const json& write) {
        const std::string script = file("peer.py");
        std::ofstream(script) << scipy_script;
        const json scipy = run(fmt::format("/usr/bin/python3 '{}' '{}' '{}'", script, path, out));
        row("scipy mmread " + kind, scipy["read"], ratio(scipy["read"], read), ">= 10");
        row("scipy mmwrite " + kind, scipy["write"], ratio(scipy["write"], write), ">= 10");
        const std::string igraph =
            (std::filesystem::path(self_).parent_path() / "igraph_peer").string();
        if (kind != "pattern" || !std::filesystem::exists(igraph)) return;
        const std::string edges = file("edges.el");
        write_edges(edges, "", entries, vertices, 0, false);
        const json peer = run(fmt::format("'{}' '{}'", igraph, edges));
        row("igraph edge list", peer, ratio(peer, read), ">= 5");
        std::filesystem::remove(edges);
    }

    std::string self_;
    json results_;
};

/// A folder that is removed with everything in it.
struct Folder {
    std::string path;
    explicit Folder(const std::string& parent) {
        path = parent + "/tropic-bench-XXXXXX";
        if (mkdtemp(path.data()) == nullptr) throw Error(ErrorCode::io, "no folder in " + parent);
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
};

int measure(const std::vector<std::string>& arguments) {
    Bench job(std::filesystem::read_symlink("/proc/self/exe").string());
    std::string parent = std::filesystem::temp_directory_path().string();
    std::string report;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& name = arguments[i];
        if (name == "--no-peers") {
            job.peers = false;
            continue;
        }
        if (i + 1 == arguments.size()) throw Error(ErrorCode::usage, name + " wants a value");
        const std::string& value = arguments[++i];
        if (name == "--entries") job.entries = bench::number_of<Index>(name, value);
        else if (name == "--vertices") job.vertices = bench::number_of<std::uint64_t>(name, value);
        else if (name == "--runs") job.runs = bench::number_of(name, value);
        else if (name == "--json") report = value;
        else if (name == "--folder") parent = value;
        else throw Error(ErrorCode::usage, "unknown option " + name);
    }
    const Folder folder(parent);
    job.folder = folder.path;
    const json results = job.measure();
    if (!report.empty()) std::ofstream(report) << results.dump(2) << '\n';
    return 0;
}

int start(const std::vector<std::string>& arguments) {
    if (arguments.size() == 3 && arguments[0] == "--read") {
        return read_once(arguments[1], bench::number_of("threads", arguments[2]));
    }
    if (arguments.size() == 4 && arguments[0] == "--write") {
        return write_once(arguments[1], arguments[2], bench::number_of("threads", arguments[3]));
    }
    return measure(arguments);
}

} // namespace
} // namespace tropic

int main(int count, char** arguments) {
    if (tropic::bench::showed_help(count, arguments, tropic::help)) return 0;
    try {
        return tropic::start({arguments + 1, arguments + count});
    } catch (const std::exception& error) {
        fmt::print(stderr, "read_bench: {}\n", error.what());
        return 1;
    }
}
