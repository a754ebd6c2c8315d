// From programs to steps: each checked, named and planned once for every place it stands in.
#include <algorithm>

#include <fmt/format.h>

#include "machines/tile/copy_plan.h"
#include "machines/tile/executable.h"
#include "machines/tile/fault.h"
#include "machines/tile/memory.h"
#include "machines/tile/overlap.h"
#include "machines/tile/step_name.h"

namespace tropic::tile {

namespace {

bool holds_others(ProgramKind kind) {
    return kind == ProgramKind::sequence || kind == ProgramKind::repeat ||
           kind == ProgramKind::count_cycles || kind == ProgramKind::call;
}

StepKind kind_of(ProgramKind kind) {
    switch (kind) {
    case ProgramKind::execute:
        return StepKind::execute;
    case ProgramKind::copy:
    case ProgramKind::assign:
        return StepKind::copy;
    case ProgramKind::stream_in:
    case ProgramKind::stream_out:
    case ProgramKind::remote_in:
    case ProgramKind::remote_out:
        return StepKind::host_copy;
    case ProgramKind::host_call:
    case ProgramKind::print:
        return StepKind::host_call;
    case ProgramKind::sync:
        return StepKind::sync;
    default:
        return StepKind::control;
    }
}

class Compiler {
  public:
    Compiler(Executable& executable, const CompileOptions& options)
        : executable_(&executable), graph_(executable.graph.get()), options_(&options) {}

    void run(std::span<const ProgramPtr> programs) {
        const int parts = static_cast<int>(programs.size() + graph_->functions().size()) + 1;
        int done = 0;
        const auto tell = [&] {
            if (options_->progress) options_->progress(++done, parts);
        };
        for (const ProgramPtr& function : graph_->functions()) {
            executable_->roots.push_back(function);
            executable_->functions.push_back(add(*function, -1));
            tell();
        }
        for (const ProgramPtr& program : programs) {
            executable_->roots.push_back(program);
            executable_->programs.push_back(add(*program, -1));
            tell();
        }
    }

  private:
    std::uint32_t add(const Program& program, std::int32_t scope) {
        const auto index = static_cast<std::uint32_t>(executable_->steps.size());
        executable_->steps.emplace_back();
        executable_->steps[index].program = &program;
        check(program);
        if (!holds_others(program.kind)) plan(index, program, scope);
        const bool named = program.kind != ProgramKind::sequence || !program.name.empty();
        if (!program.children.empty() && named && program.kind != ProgramKind::count_cycles) {
            auto& scopes = executable_->profile.scopes;
            scopes.push_back(
                {program.name.empty() ? std::string(scope_name(program.kind)) : program.name,
                 scope});
            scope = static_cast<std::int32_t>(scopes.size() - 1);
        }
        std::vector<std::uint32_t> children;
        children.reserve(program.children.size());
        for (const ProgramPtr& child : program.children) children.push_back(add(*child, scope));
        executable_->steps[index].children = std::move(children);
        return index;
    }

    void check(const Program& program) {
        const auto one_element = [&](std::string_view what) {
            if (program.tensors[0].elements() == 1) return;
            fail(Fault::program,
                 fmt::format("{} is a tensor of shape {}", what,
                             to_text(program.tensors[0].shape())),
                 "a tensor of one element");
        };
        switch (program.kind) {
        case ProgramKind::while_true:
        case ProgramKind::while_false:
        case ProgramKind::branch:
        case ProgramKind::abort_if:
            one_element("the predicate of a program");
            break;
        case ProgramKind::choose:
            one_element("what a switch looks at");
            break;
        case ProgramKind::call:
            if (program.target >= graph_->functions().size()) {
                fail(Fault::program, "a call of a function of another graph",
                     "a function that this graph made");
            }
            break;
        case ProgramKind::execute:
            if (program.target >= graph_->compute_sets().size()) {
                fail(Fault::program, "execution of a compute set of another graph",
                     "a compute set that this graph made");
            }
            if (!program.tensors.empty()) {
                one_element("the exit status of a compute set");
                if (bytes_of(program.tensors[0].type()) != 1) {
                    fail(Fault::type, "the exit status of a compute set is no BOOL");
                }
            }
            break;
        default:
            break;
        }
        for (const Tensor& tensor : program.tensors) {
            tensor.for_each_run([&](const Run& run) {
                if (run.variable >= graph_->variables().size()) {
                    fail(Fault::program, "a program uses a tensor of another graph",
                         "tensors that this graph made");
                }
            });
        }
        if (program.kind != ProgramKind::execute && program.kind != ProgramKind::undefine) {
            check_writes(program);
        }
    }

    /// Elements that are written are variables, each written once.
    void check_writes(const Program& program) {
        std::vector<Run> writes = accesses_of(*graph_, program).writes;
        for (const Run& run : writes) {
            if (graph_->variable(run.variable).constant) {
                fail(Fault::program,
                     fmt::format("a program writes the constant {}",
                                 graph_->describe_variable(run.variable)),
                     "a variable");
            }
            if (run.stride == 0 && run.count > 1) refuse_repeated(run.variable, run.begin);
        }
        // Strided runs interleave as the columns of a matrix do; contiguous ones must not overlap.
        std::erase_if(writes, [](const Run& run) { return !run.contiguous(); });
        std::ranges::sort(writes, {}, [](const Run& r) { return std::pair(r.variable, r.begin); });
        for (std::size_t i = 1; i < writes.size(); ++i) {
            const Run& before = writes[i - 1];
            if (before.variable == writes[i].variable &&
                writes[i].begin < before.begin + before.count) {
                refuse_repeated(before.variable, writes[i].begin);
            }
        }
    }

    [[noreturn]] void refuse_repeated(VariableId variable, std::int64_t element) const {
        fail(Fault::program,
             fmt::format("a program writes element {} of {} twice in one step", element,
                         graph_->describe_variable(variable)),
             "a tensor that shows no element twice");
    }

    void plan(std::uint32_t index, const Program& program, std::int32_t scope) {
        auto& steps = executable_->profile.steps;
        ProfileStep step;
        step.name = step_name(*graph_, program);
        step.kind = kind_of(program.kind);
        step.parent = scope;
        plan_exchange(index, program, step);
        const Machine& machine = graph_->machine();
        if (!step.before.empty() || !step.after.empty()) {
            step.exchange_setup_cycles = machine.exchange_setup_cycles;
        }
        executable_->steps[index].profile = static_cast<std::uint32_t>(steps.size());
        steps.push_back(std::move(step));
    }

    void plan_exchange(std::uint32_t index, const Program& program, ProfileStep& step) {
        const Machine& machine = graph_->machine();
        const auto sync = [&](bool between_chips) {
            return between_chips ? machine.global_sync_cycles : machine.sync_cycles;
        };
        switch (program.kind) {
        case ProgramKind::execute: {
            const ComputeSetExchange& plan = compute_set(program.target);
            step.vertices =
                static_cast<std::uint32_t>(graph_->compute_sets()[program.target].vertices.size());
            step.before = plan.before.tiles;
            step.after = plan.after.tiles;
            step.sync_cycles = sync(plan.before.between_chips);
            if (!plan.after.empty()) step.sync_cycles += sync(plan.after.between_chips);
            note_rearrangements(plan.before);
            note_rearrangements(plan.after);
            break;
        }
        case ProgramKind::copy: {
            ExchangePlan plan = plan_copy(executable_->placement, program.tensors[0],
                                          program.tensors[1], step.name);
            step.before = plan.tiles;
            step.sync_cycles = sync(plan.between_chips);
            note_rearrangements(plan);
            keep(index, std::move(plan), copy_elements(program.tensors[0], program.tensors[1]));
            break;
        }
        case ProgramKind::assign: {
            ExchangePlan plan =
                plan_host_copy(executable_->placement, program.tensors[0], true, step.name);
            for (TileExchange& tile : plan.tiles) {
                tile.bytes_local = tile.bytes_received;
                tile.bytes_received = 0;
                tile.cycles = static_cast<std::uint32_t>(
                    (tile.bytes_local + machine.local_copy_bytes_per_cycle - 1) /
                    machine.local_copy_bytes_per_cycle);
            }
            step.before = plan.tiles;
            keep(index, std::move(plan), {});
            break;
        }
        case ProgramKind::stream_in:
        case ProgramKind::stream_out:
        case ProgramKind::remote_in:
        case ProgramKind::remote_out: {
            const bool to_device =
                program.kind == ProgramKind::stream_in || program.kind == ProgramKind::remote_in;
            ExchangePlan plan =
                plan_host_copy(executable_->placement, program.tensors[0], to_device, step.name);
            step.before = plan.tiles;
            step.sync_cycles = sync(machine.chips > 1);
            keep(index, std::move(plan), {});
            break;
        }
        case ProgramKind::sync:
            step.sync_cycles = sync(program.count != 0);
            break;
        case ProgramKind::undefine:
        case ProgramKind::abort:
            break;
        default:
            // What decides must be somewhere, and all tiles wait for it.
            for (const Tensor& tensor : program.tensors) {
                static_cast<void>(plan_host_copy(executable_->placement, tensor, false, step.name));
            }
            step.sync_cycles = sync(machine.chips > 1);
            break;
        }
    }

    void keep(std::uint32_t index, ExchangePlan plan, CopyPlan copies) {
        Step& step = executable_->steps[index];
        step.exchange = static_cast<std::uint32_t>(executable_->exchanges.size());
        executable_->exchanges.push_back(std::move(plan));
        step.copies = static_cast<std::uint32_t>(executable_->copies.size());
        executable_->copies.push_back(std::move(copies));
    }

    void note_rearrangements(const ExchangePlan& plan) {
        for (Rearrangement entry : plan.rearrangements) {
            entry.step = static_cast<std::uint32_t>(executable_->profile.steps.size());
            executable_->profile.rearrangements.push_back(std::move(entry));
        }
    }

    const ComputeSetExchange& compute_set(ComputeSetId id) {
        const auto found = executable_->compute_sets.find(id);
        if (found != executable_->compute_sets.end()) return found->second;
        check_connected(*graph_, id);
        check_overlaps(*graph_, id);
        return executable_->compute_sets.emplace(id, plan_compute_set(executable_->placement, id))
            .first->second;
    }

    Executable* executable_;
    const Graph* graph_;
    const CompileOptions* options_;
};

} // namespace

std::shared_ptr<const Executable> compile(std::shared_ptr<const Graph> graph,
                                          std::span<const ProgramPtr> programs,
                                          const CompileOptions& options, Profile* failed) {
    auto executable = std::make_shared<Executable>(std::move(graph));
    executable->profile.program = options.program_name;
    executable->profile.machine = executable->graph->machine();
    Compiler(*executable, options).run(programs);
    plan_memory(*executable);
    if (options.progress) { // memory is the last part
        const auto parts = static_cast<int>(programs.size() + executable->functions.size()) + 1;
        options.progress(parts, parts);
    }
    try {
        check_memory(*executable);
    } catch (const TileError& error) {
        executable->profile.failure = error.what();
        if (failed != nullptr) *failed = executable->profile;
        if (!options.allow_out_of_memory) throw;
    }
    return executable;
}

} // namespace tropic::tile
