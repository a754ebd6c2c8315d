// A graph and its programs, checked and planned: every step with what it exchanges, and where
// everything lies. Nothing here changes while it runs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "machines/tile/exchange.h"
#include "machines/tile/graph.h"
#include "machines/tile/placement.h"
#include "machines/tile/profile.h"
#include "machines/tile/program.h"

namespace tropic::tile {

inline constexpr std::uint32_t no_step = 0xffffffff;

/// A copy of evenly spaced elements, as the host carries it out.
struct RunCopy {
    Run from;
    Run to; ///< as many
};

/// A node of a program where it stands in the text.
struct Step {
    const Program* program = nullptr;
    std::uint32_t profile = no_step; ///< of Profile::steps; none for those that only hold others
    std::vector<std::uint32_t> children;
    std::uint32_t exchange = no_step; ///< of Executable::exchanges
    std::uint32_t copies = no_step;   ///< of Executable::copies
};

struct CopyPlan {
    std::vector<RunCopy> runs;
    bool through_buffer = false; ///< source and target share elements
};

struct CompileOptions {
    bool allow_out_of_memory = false;
    std::string program_name;
    std::function<void(int, int)> progress; ///< parts done, of how many; may be empty
};

struct Executable {
    explicit Executable(std::shared_ptr<const Graph> g) : graph(std::move(g)), placement(*graph) {}

    std::shared_ptr<const Graph> graph;
    Placement placement;
    std::vector<ProgramPtr> roots; ///< keep the programs that steps point to
    std::vector<Step> steps;
    std::vector<std::uint32_t> programs;  ///< the step each program begins with
    std::vector<std::uint32_t> functions; ///< and each function
    std::vector<ExchangePlan> exchanges;  ///< of copies and host copies
    std::vector<CopyPlan> copies;
    std::unordered_map<ComputeSetId, ComputeSetExchange> compute_sets; ///< those that are executed
    Profile profile; ///< all of it that is known before a run
};

/// Throws TileError for what is wrong with the graph or the programs. Out of memory is one of
/// these, but `failed` then holds the profile of what was to be placed.
std::shared_ptr<const Executable> compile(std::shared_ptr<const Graph> graph,
                                          std::span<const ProgramPtr> programs,
                                          const CompileOptions& options, Profile* failed = nullptr);

/// The elements a step reads and writes, itself, without its children.
struct StepAccess {
    std::vector<Run> reads;
    std::vector<Run> writes;
};
StepAccess accesses_of(const Graph& graph, const Program& program);

} // namespace tropic::tile
