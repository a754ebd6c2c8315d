#include "measure.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "check.h"
#include "graphs.h"

namespace tropic::bench {

namespace {

using nlohmann::json;

/// How often a contestant runs that took so long the first time.
int runs_for(double seconds, int wanted) {
    if (seconds > 20) return 1;
    if (seconds > 2) return std::min(wanted, 3);
    return wanted;
}

} // namespace

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

Times measure(Contestant& contestant, Kernel kernel, const BenchGraph& graph, int runs,
              std::int64_t& triangles, unsigned limit) {
    const std::vector<Task> tasks = make_tasks(kernel, graph, runs + 1);
    Times times;
    const auto run = [&](const Task& task) {
        if (limit > 0) alarm(limit);
        const double begin = now();
        contestant.run(task);
        const double seconds = now() - begin;
        if (limit > 0) alarm(0);
        return seconds;
    };
    const double first = run(tasks[0]);
    const Answer answer = contestant.answer(kernel);
    times.rounds = answer.rounds;
    if (kernel == Kernel::triangles) {
        if (triangles < 0) triangles = answer.count;
        if (answer.count != triangles) {
            times.complaint = fmt::format("{} triangles, not {}", answer.count, triangles);
        }
    } else {
        times.complaint = complaint_about(answer, tasks[0], graph);
    }
    const int timed = runs_for(first, runs);
    for (int number = 1; number <= timed; ++number) {
        times.seconds.push_back(run(tasks[static_cast<std::size_t>(number)]));
    }
    std::ranges::sort(times.seconds);
    return times;
}

std::string to_text(const Times& times) {
    return json{
        {"seconds", times.seconds}, {"rounds", times.rounds}, {"complaint", times.complaint}}
        .dump();
}

Times times_of(const std::string& text) {
    const json found = json::parse(text);
    return {.seconds = found["seconds"].get<std::vector<double>>(),
            .rounds = found["rounds"].get<int>(),
            .complaint = found["complaint"].get<std::string>()};
}

} // namespace tropic::bench
