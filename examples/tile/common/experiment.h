// What the examples share around the Poplar programs they build: a device, an engine over programs
// known by name, the times that the work took, and the reports at the end.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>
#include <poplar/Device.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "common/options.h"

namespace tile_example {

/// Microseconds by the host's clock, except for what the machine itself counted.
struct Timings {
    double graph_compilation = 0;
    double copy = 0;
    double execution = 0;
    double execution_cpu = 0; ///< of all threads together
    double copy_back = 0;
    std::uint64_t cycles = 0; ///< of the main program, as its own timer read them
    double ipu_report = 0;    ///< those cycles in microseconds
    double modelled_copy = 0; ///< what the machine's link to the host would have taken
    double modelled_copy_back = 0;
};

/// A device of the machine the options name.
poplar::Device open_device(const Options& options);

/// The path of a codelet file of the examples, such as "spmv/MatrixBlock.cpp".
std::string codelet_path(const std::string& name);

class Experiment {
  public:
    using Programs = std::map<std::string, poplar::program::Program>;

    /// Compiles the programs and loads the device.
    Experiment(const poplar::Graph& graph, const Programs& programs, const poplar::Device& device,
               const Options& options);
    ~Experiment();

    poplar::Engine& engine() { return engine_; }
    const Timings& timings() const { return timings_; }

    /// Run "copy", "main" and "copy_back" and note how long each took. The cycles are those that
    /// the program counted into `timer` (a handle of createHostRead).
    void copy();
    void run(const std::string& timer);
    void copy_back();

    /// Writes profile, trace and page where the options ask for them.
    void write_reports() const;

  private:
    double timed_run(const std::string& program);
    double modelled_microseconds() const;

    std::map<std::string, unsigned> number_of_;
    Options options_;
    double clock_hz_ = 0;
    Timings timings_;
    poplar::Engine engine_;
};

/// The timings as the thesis' programs print them.
nlohmann::json to_json(const Timings& timings);

/// Writes the JSON text where the options say.
void write_json(const nlohmann::json& json, const Options& options);

} // namespace tile_example
