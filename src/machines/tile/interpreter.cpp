#include "machines/tile/interpreter.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "machines/tile/fault.h"
#include "machines/tile/print_tensor.h"
#include "machines/tile/run_compute_set.h"
#include "tropic/context.h"

namespace tropic::tile {

Interpreter::Interpreter(Engine& engine)
    : engine_(&engine), executable_(engine.executable_.get()), graph_(executable_->graph.get()),
      machine_(&graph_->machine()), memory_(engine.memory_.get()) {}

void Interpreter::run(std::uint32_t index) {
    const Step& step = executable_->steps[index];
    switch (step.program->kind) {
    case ProgramKind::sequence:
        return run_children(step);
    case ProgramKind::execute:
        return execute(step);
    case ProgramKind::copy:
        return copy(step);
    case ProgramKind::stream_in:
        return stream(step, true);
    case ProgramKind::stream_out:
        return stream(step, false);
    case ProgramKind::remote_in:
        return remote(step, true);
    case ProgramKind::remote_out:
        return remote(step, false);
    case ProgramKind::repeat:
        return repeat(step);
    case ProgramKind::while_true:
        return repeat_while(step, true);
    case ProgramKind::while_false:
        return repeat_while(step, false);
    case ProgramKind::branch:
        return branch(step);
    case ProgramKind::choose:
        return choose(step);
    case ProgramKind::call:
        engine_->profile_.cycles += machine_->call_cycles;
        return run(executable_->functions[step.program->target]);
    case ProgramKind::host_call:
        return call_host(step);
    case ProgramKind::assign:
        return assign(step);
    case ProgramKind::undefine:
        return undefine(step);
    case ProgramKind::sync: {
        Superstep superstep;
        superstep.sync_cycles = executable_->profile.steps[step.profile].sync_cycles;
        return note(step, std::move(superstep));
    }
    case ProgramKind::print:
        return print(step);
    case ProgramKind::abort:
        abort(step);
    case ProgramKind::abort_if:
        if (predicate(step)) abort(step);
        return;
    case ProgramKind::count_cycles:
        return count_cycles(step);
    case ProgramKind::cycle_stamp: {
        Superstep superstep;
        superstep.sync_cycles = executable_->profile.steps[step.profile].sync_cycles;
        superstep.compute_cycles = machine_->cycle_stamp_cycles;
        note(step, std::move(superstep));
        return stamp(step.program->tensors[0], engine_->profile_.cycles);
    }
    }
}

void Interpreter::run_children(const Step& step) {
    for (const std::uint32_t child : step.children) run(child);
}

std::string Interpreter::step_name(const Step& step) const {
    return executable_->profile.steps[step.profile].name;
}

void Interpreter::note(const Step& step, Superstep superstep) {
    Profile& profile = engine_->profile_;
    superstep.step = step.profile;
    superstep.iteration = iteration_;
    superstep.start_cycle = profile.cycles;
    profile.cycles += superstep.exchange_before_cycles + superstep.compute_cycles +
                      superstep.exchange_after_cycles + superstep.sync_cycles +
                      superstep.host_cycles;
    if (!engine_->options_.recording) return;
    engine_->bytes_kept_ += superstep.compute.size() * sizeof(std::uint32_t);
    if (profile.supersteps.size() >= engine_->options_.most_supersteps ||
        engine_->bytes_kept_ > engine_->options_.most_bytes) {
        ++profile.dropped_supersteps;
        return;
    }
    profile.supersteps.push_back(std::move(superstep));
}

void Interpreter::note_control(const Step& step) {
    Superstep superstep;
    superstep.sync_cycles = executable_->profile.steps[step.profile].sync_cycles;
    superstep.compute_cycles = machine_->branch_cycles;
    note(step, std::move(superstep));
}

const VertexCode& Interpreter::code(ComputeSetId set) {
    std::unique_ptr<VertexCode>& code = engine_->code_[set];
    if (!code) {
        const VertexCodeOptions options{.checked = engine_->options_.checked,
                                        .trust_estimates = engine_->options_.trust_estimates};
        code = std::make_unique<VertexCode>(*executable_, set, *memory_, options,
                                            engine_->checked_types_);
    }
    return *code;
}

void Interpreter::execute(const Step& step) {
    const ComputeSetId set = step.program->target;
    const ComputeSetExchange& exchange = executable_->compute_sets.at(set);
    const VertexCode& vertices = code(set);
    bool all_true = true;
    const std::uint64_t compute =
        run_compute_set(*engine_->context_, *graph_, vertices, engine_->options_.checked,
                        engine_->tile_cycles_, engine_->print_, &all_true);
    Superstep superstep;
    superstep.exchange_before_cycles = exchange.before.cycles(*machine_);
    superstep.exchange_after_cycles = exchange.after.cycles(*machine_);
    superstep.compute_cycles = compute;
    superstep.sync_cycles = executable_->profile.steps[step.profile].sync_cycles;
    if (engine_->options_.by_tile) superstep.compute = engine_->tile_cycles_;
    for (const TileVertices& tile : vertices.tiles()) engine_->tile_cycles_[tile.tile] = 0;
    if (!step.program->tensors.empty()) {
        // The tiles vote as they synchronise.
        const std::byte status{static_cast<std::uint8_t>(all_true ? 1 : 0)};
        memory_->write(step.program->tensors[0], &status);
    }
    note(step, std::move(superstep));
}

void Interpreter::copy(const Step& step) {
    const CopyPlan& plan = executable_->copies[step.copies];
    if (plan.through_buffer) {
        const Tensor& from = step.program->tensors[0];
        const auto bytes = static_cast<std::size_t>(from.elements()) * bytes_of(from.type());
        if (engine_->scratch_.size() < bytes) engine_->scratch_.resize(bytes);
        memory_->read(from, engine_->scratch_.data());
        memory_->write(step.program->tensors[1], engine_->scratch_.data());
    } else {
        for (const RunCopy& pair : plan.runs) {
            const std::int64_t bytes = memory_->element_bytes(pair.to.variable);
            copy_strided(memory_->at(pair.to.variable, pair.to.begin), pair.to.stride * bytes,
                         memory_->at(pair.from.variable, pair.from.begin), pair.from.stride * bytes,
                         pair.to.count, bytes);
            if (!memory_->tracked()) continue;
            for (std::int64_t i = 0; i < pair.to.count; ++i) {
                memory_->written(pair.to.variable)[pair.to.at(i)] =
                    memory_->written(pair.from.variable)[pair.from.at(i)];
            }
        }
    }
    Superstep superstep;
    superstep.exchange_before_cycles = executable_->exchanges[step.exchange].cycles(*machine_);
    superstep.sync_cycles = executable_->profile.steps[step.profile].sync_cycles;
    note(step, std::move(superstep));
}

void Interpreter::assign(const Step& step) {
    const Tensor& tensor = step.program->tensors[0];
    const std::vector<std::byte>& values = step.program->values;
    if (values.size() == bytes_of(tensor.type())) {
        memory_->fill(tensor, values.data());
    } else {
        memory_->write(tensor, values.data());
    }
    Superstep superstep;
    superstep.exchange_before_cycles = executable_->exchanges[step.exchange].cycles(*machine_);
    note(step, std::move(superstep));
}

void Interpreter::undefine(const Step& step) {
    step.program->tensors[0].for_each_run([&](const Run& run) { memory_->mark(run, false); });
}

std::int64_t Interpreter::read_integer(const Tensor& tensor) {
    std::byte element[8] = {};
    memory_->read(tensor, element);
    return element_integer(tensor.type(), element);
}

bool Interpreter::predicate(const Step& step) {
    const Tensor& tensor = step.program->tensors[0];
    if (memory_->tracked()) {
        tensor.for_each_run([&](const Run& run) {
            if (memory_->written(run.variable)[run.begin] != 0) return;
            fail(Fault::access,
                 fmt::format("uninitialised: '{}' looks at element {} of {}, which was never "
                             "written",
                             step_name(step), run.begin, graph_->describe_variable(run.variable)));
        });
    }
    note_control(step);
    std::byte element[8] = {};
    memory_->read(tensor, element);
    return element_value(tensor.type(), element) != 0;
}

void Interpreter::repeat(const Step& step) {
    const std::uint32_t outer = iteration_;
    for (std::uint64_t i = 0; i < step.program->count; ++i) {
        iteration_ = static_cast<std::uint32_t>(i);
        run_children(step);
        engine_->profile_.cycles += machine_->loop_cycles;
    }
    iteration_ = outer;
}

void Interpreter::repeat_while(const Step& step, bool wanted) {
    const std::uint32_t outer = iteration_;
    for (iteration_ = 0;; ++iteration_) {
        run(step.children[0]);
        if (predicate(step) != wanted) break;
        run(step.children[1]);
    }
    iteration_ = outer;
}

void Interpreter::branch(const Step& step) {
    run(step.children[predicate(step) ? 0 : 1]);
}

void Interpreter::choose(const Step& step) {
    note_control(step);
    const Program& program = *step.program;
    const std::int64_t value = read_integer(program.tensors[0]);
    for (std::size_t c = 0; c < program.cases.size(); ++c) {
        if (program.cases[c] == value) return run(step.children[c + 1]);
    }
    if (program.bounds_checked) {
        fail(Fault::aborted,
             fmt::format("'{}' found {}, for which it has no case", step_name(step), value));
    }
    run(step.children[0]);
}

void Interpreter::count_cycles(const Step& step) {
    // Tiles meet before the count begins, and again when it ends.
    engine_->profile_.cycles += machine_->sync_cycles;
    const std::uint64_t begin = engine_->profile_.cycles;
    run_children(step);
    engine_->profile_.cycles += machine_->sync_cycles + machine_->cycle_stamp_cycles;
    stamp(step.program->tensors[0], engine_->profile_.cycles - begin);
}

void Interpreter::stamp(const Tensor& tensor, std::uint64_t cycles) {
    std::byte words[sizeof cycles];
    std::memcpy(words, &cycles, sizeof cycles);
    memory_->write(tensor, words);
}

void Interpreter::abort(const Step& step) {
    const std::string& message = step.program->message;
    fail(Fault::aborted, message.empty() ? "the program aborted" : message);
}

} // namespace tropic::tile
