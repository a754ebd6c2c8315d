// Carries out one run of a program, step by step, and notes what each cost.
#pragma once

#include "machines/tile/engine.h"

namespace tropic::tile {

struct Engine::StreamState {
    std::byte* begin = nullptr;
    std::size_t bytes = 0; ///< 0: no end is known, each transfer begins at the beginning
    std::size_t at = 0;
    StreamFunction function;
    bool connected = false;
};

class Interpreter {
  public:
    explicit Interpreter(Engine& engine);
    void run(std::uint32_t step);

  private:
    void run_children(const Step& step);
    void execute(const Step& step);
    void copy(const Step& step);
    void stream(const Step& step, bool to_device);
    void remote(const Step& step, bool to_device);
    void call_host(const Step& step);
    void assign(const Step& step);
    void undefine(const Step& step);
    void print(const Step& step);
    void repeat(const Step& step);
    void repeat_while(const Step& step, bool wanted);
    void branch(const Step& step);
    void choose(const Step& step);
    void count_cycles(const Step& step);
    void stamp(const Tensor& tensor, std::uint64_t cycles);
    [[noreturn]] void abort(const Step& step);

    bool predicate(const Step& step);
    std::int64_t read_integer(const Tensor& tensor);
    std::uint64_t host_cycles(std::uint64_t bytes) const;
    /// Adds a superstep: what it is made of but its step, iteration and beginning.
    void note(const Step& step, Superstep superstep);
    /// Deciding something that all tiles must know.
    void note_control(const Step& step);
    const VertexCode& code(ComputeSetId set);
    std::string step_name(const Step& step) const;

    Engine* engine_;
    const Executable* executable_;
    const Graph* graph_;
    const Machine* machine_;
    HostMemory* memory_;
    std::uint32_t iteration_ = 0; ///< of the innermost loop
    std::vector<const void*> host_inputs_;
    std::vector<void*> host_outputs_;
};

} // namespace tropic::tile
