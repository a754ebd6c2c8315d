#include "common/experiment.h"

#include <chrono>
#include <ctime>
#include <fstream>
#include <iostream>

#include <nlohmann/json.hpp>
#include <poplar/TropicProfile.hpp>
#include <tropic/error.h>

namespace tile_example {

namespace {

double now() {
    return std::chrono::duration<double, std::micro>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

double cpu_now() {
    return 1e6 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

poplar::OptionFlags engine_options(const Options& options) {
    poplar::OptionFlags flags;
    if (options.threads > 0) flags.set("tropic.threads", std::to_string(options.threads));
    if (options.checked) flags.set("tropic.checked", "true");
    return flags;
}

bool wants_reports(const Options& options) {
    return !options.profile.empty() || !options.trace.empty() || !options.report.empty();
}

poplar::Engine make_engine(const poplar::Graph& graph,
                           const std::vector<poplar::program::Program>& programs,
                           const Options& options) {
    poplar::OptionFlags flags = engine_options(options);
    try {
        return {graph, programs, flags};
    } catch (const poplar::graph_memory_allocation_error&) {
        if (!wants_reports(options)) throw;
    }
    // There is no engine to ask for reports; one that is told of them writes them as it refuses.
    if (!options.profile.empty()) flags.set("tropic.profile", options.profile);
    if (!options.trace.empty()) flags.set("tropic.trace", options.trace);
    if (!options.report.empty()) flags.set("tropic.report", options.report);
    return {graph, programs, flags};
}

void write_text(const std::string& path, const std::string& text) {
    std::ofstream file(path);
    file << text;
    if (!file.flush()) {
        throw tropic::Error(tropic::ErrorCode::io, "cannot write " + path);
    }
}

} // namespace

poplar::Device open_device(const Options& options) {
    return poplar::createTropicDevice(options.machine);
}

std::string codelet_path(const std::string& name) {
    return std::string(TILE_EXAMPLE_CODELETS) + "/" + name;
}

Experiment::Experiment(const poplar::Graph& graph, const Programs& programs,
                       const poplar::Device& device, const Options& options)
    : options_(options), clock_hz_(device.getTarget().getTileClockFrequency()), engine_([&] {
          std::vector<poplar::program::Program> list;
          for (const auto& [name, program] : programs) {
              number_of_[name] = static_cast<unsigned>(list.size());
              list.push_back(program);
          }
          const double begin = now();
          poplar::Engine engine = make_engine(graph, list, options);
          engine.load(device);
          timings_.graph_compilation = now() - begin;
          if (wants_reports(options))
              engine.enableExecutionProfiling(); // what every tile did, not the slowest
          return engine;
      }()) {}

Experiment::~Experiment() = default;

double Experiment::modelled_microseconds() const {
    return 1e6 * static_cast<double>(poplar::tropicCycles(engine_)) / clock_hz_;
}

double Experiment::timed_run(const std::string& program) {
    const double begin = now();
    engine_.run(number_of_.at(program), program);
    return now() - begin;
}

void Experiment::copy() {
    const double before = modelled_microseconds();
    timings_.copy = timed_run("copy");
    timings_.modelled_copy = modelled_microseconds() - before;
}

void Experiment::run(const std::string& timer) {
    const double cpu_before = cpu_now();
    timings_.execution = timed_run("main");
    timings_.execution_cpu = cpu_now() - cpu_before;
    engine_.readTensor(timer, &timings_.cycles, &timings_.cycles + 1);
    timings_.ipu_report = 1e6 * static_cast<double>(timings_.cycles) / clock_hz_;
}

void Experiment::copy_back() {
    const double before = modelled_microseconds();
    timings_.copy_back = timed_run("copy_back");
    timings_.modelled_copy_back = modelled_microseconds() - before;
}

void Experiment::write_reports() const {
    if (!options_.profile.empty()) {
        write_text(options_.profile, poplar::tropicProfileJson(engine_));
    }
    if (!options_.trace.empty()) write_text(options_.trace, poplar::tropicTrace(engine_));
    if (!options_.report.empty()) {
        write_text(options_.report, poplar::tropicHtmlReport(engine_));
    }
}

nlohmann::json to_json(const Timings& timings) {
    return {{"copy", timings.copy},
            {"execution", timings.execution},
            {"execution_cpu", timings.execution_cpu},
            {"copy_back", timings.copy_back},
            {"graph_compilation", timings.graph_compilation},
            {"cycles", timings.cycles},
            {"ipu_report", timings.ipu_report},
            {"modelled_copy", timings.modelled_copy},
            {"modelled_copy_back", timings.modelled_copy_back}};
}

void write_json(const nlohmann::json& json, const Options& options) {
    const std::string text = json.dump(2) + "\n";
    if (options.json.empty() || options.json == "-") {
        std::cout << text;
    } else {
        write_text(options.json, text);
    }
}

} // namespace tile_example
