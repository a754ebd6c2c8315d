// How long a program of ten statements takes to compile, and how long a whole process takes that
// finds it compiled, on a small graph.
// `compile_bench --help` shows the options.
// Each is the time of a process of `tropic run`, from its start to its end; compiling is what a
// process with an empty cache takes longer than one that finds the program there.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arguments.h"

namespace {

constexpr const char* help = R"(A program of ten statements: compiled, and found compiled.
  --command PATH   of tropic (the one beside this program)
  --runs R         of which the median counts (15)
  --json FILE      the times once more
)";

const char* const ten_statements = R"(def main() {
    IndexLabel [i, j, k] = [?];
    Tensor<double> A([i, j], {CSR});
    Tensor<double> B([i, j], {CSR});
    Tensor<double> C([i, j], {CSR});
    Tensor<double> x([j], {Dense});
    Tensor<double> y([i], {Dense});
    A[i, j] = comet_read(0);
    x[j] = 1.0;
    y[i] = A[i, j] * x[j];
    B[i, j] = A[i, j] + A[j, i];
    C[i, k] = A[i, j] * B[j, k];
    C[i, k]<A> = A[i, j] @(+,pair) A[j, k];
    x[i] = C[i, j] @(min,+) y[j];
    y[i] = x[i] .* y[i];
    var total = SUM(y[i]);
    print(total);
}
)";

struct Cost {
    double seconds = 0;
    double cpu_seconds = 0; ///< of the process and what it started
};

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

Cost run(const std::vector<std::string>& words) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1, 0);
    const auto begin = std::chrono::steady_clock::now();
    pid_t child = 0;
    if (posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ) != 0) {
        throw std::runtime_error(fmt::format("cannot start {}", words[0]));
    }
    int status = 0;
    rusage usage = {};
    wait4(child, &status, 0, &usage);
    posix_spawn_file_actions_destroy(&actions);
    if (status != 0) throw std::runtime_error(fmt::format("{} failed", words[0]));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    return {took.count(), seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime)};
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// Medians of several runs, each after `prepare`.
template <class Prepare>
Cost measure(const std::vector<std::string>& words, int runs, const Prepare& prepare) {
    std::vector<double> wall;
    std::vector<double> cpu;
    for (int r = 0; r < runs; ++r) {
        prepare();
        const Cost cost = run(words);
        wall.push_back(cost.seconds);
        cpu.push_back(cost.cpu_seconds);
    }
    return {median(wall), median(cpu)};
}

} // namespace

int main(int argc, char** argv) {
    namespace fs = std::filesystem;
    using namespace tropic::bench;
    if (showed_help(argc, argv, help)) return 0;
    fs::path command = fs::read_symlink("/proc/self/exe").parent_path() / "tropic";
    std::string json_path;
    int runs = 15;
    for (int a = 1; a < argc; a += 2) {
        const std::string option = argv[a];
        if (a + 1 == argc) refuse_option(option);
        if (option == "--command") command = argv[a + 1];
        else if (option == "--runs") runs = number_of(option, argv[a + 1]);
        else if (option == "--json") json_path = argv[a + 1];
        else refuse_option(option);
    }
    try {
        const fs::path work = fs::temp_directory_path() / fmt::format("compile_bench.{}", getpid());
        const fs::path cache = work / "cache";
        fs::create_directories(work);
        const std::string program = work / "ten.tropic";
        std::ofstream(program) << ten_statements;
        setenv("TROPIC_CACHE_DIR", cache.c_str(), 1);
        const std::vector<std::string> words = {command, "run", program, "-i", "0=ring:100"};
        const Cost cold = measure(words, runs, [&] { fs::remove_all(cache); });
        const Cost warm = measure(words, runs, [] {});
        fs::remove_all(work);
        const double compile = 1e3 * (cold.seconds - warm.seconds);
        fmt::print("{:<44} {:>9} {:>9}\n", "ten statements, medians of " + std::to_string(runs),
                   "wall ms", "cpu ms");
        fmt::print("{:<44} {:>9.1f} {:>9.1f}\n", "process that compiles the program",
                   1e3 * cold.seconds, 1e3 * cold.cpu_seconds);
        fmt::print("{:<44} {:>9.1f} {:>9.1f}\n", "process that finds it compiled",
                   1e3 * warm.seconds, 1e3 * warm.cpu_seconds);
        fmt::print("{:<44} {:>9.1f} {:>9.1f}\n", "compiling", compile,
                   1e3 * (cold.cpu_seconds - warm.cpu_seconds));
        if (!json_path.empty()) {
            std::ofstream(json_path) << nlohmann::json{{"cold_ms", 1e3 * cold.seconds},
                                                       {"cached_ms", 1e3 * warm.seconds},
                                                       {"compile_ms", compile}}
                                            .dump(2)
                                     << "\n";
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "compile_bench: %s\n", error.what());
        return 1;
    }
    return 0;
}
