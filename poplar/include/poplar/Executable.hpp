// A graph and its programs, compiled.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <vector>

#include <poplar/ArrayRef.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>

namespace poplar {

namespace core {
struct Executable;
}

/// Told of each part of compilation: done, of how many.
using ProgressFunc = std::function<void(int, int)>;

class Executable {
  public:
    Executable() = default;
    explicit Executable(std::shared_ptr<core::Executable> impl) : impl_(std::move(impl)) {}
    /// Writes all that running it needs: the machine, the graph, the programs and the compiled
    /// codelets. Options given when it was compiled are among it.
    void serialize(std::ostream& out) const;
    /// Throws graph_object_load_error for what is no executable.
    static Executable deserialize(std::istream& in);

    const std::shared_ptr<core::Executable>& impl() const { return impl_; }

  private:
    std::shared_ptr<core::Executable> impl_;
};

Executable compileGraph(const Graph& graph, ArrayRef<program::Program> progs,
                        const OptionFlags& opt = {}, ProgressFunc progressCallBack = {},
                        const DebugContext& debugContext = {});

} // namespace poplar
