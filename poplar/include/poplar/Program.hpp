// Programs: values that say what a device does, in what order.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <poplar/ArrayRef.hpp>
#include <poplar/ComputeSet.hpp>
#include <poplar/DataStream.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/HostArray.hpp>
#include <poplar/HostFunction.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/PrintTensor.hpp>
#include <poplar/SyncType.hpp>
#include <poplar/Tensor.hpp>

namespace tropic::tile {
struct Program;
}

namespace poplar {

/// A program that is compiled once and called from several places.
class Function {
  public:
    Function() = default;
    explicit Function(std::uint32_t id) : id_(id) {}
    std::uint32_t getId() const { return id_; }
    friend bool operator==(const Function& l, const Function& r) { return l.id_ == r.id_; }

  private:
    std::uint32_t id_ = 0xffffffff;
};

using FunctionId = Function;

namespace program {

/// Any program; copies are independent of each other.
class Program {
  public:
    Program();
    bool isEmpty() const;
    std::size_t hash() const;
    friend bool operator==(const Program& l, const Program& r) { return l.node_ == r.node_; }
    friend bool operator!=(const Program& l, const Program& r) { return !(l == r); }

    const std::shared_ptr<const tropic::tile::Program>& node() const { return node_; }
    explicit Program(std::shared_ptr<const tropic::tile::Program> node) : node_(std::move(node)) {}

  protected:
    std::shared_ptr<const tropic::tile::Program> node_;
};

class Sequence : public Program {
  public:
    Sequence(const DebugContext& debugContext = {});
    Sequence(std::initializer_list<Program> programs, const DebugContext& debugContext = {});
    Sequence(const std::vector<Program>& programs, const DebugContext& debugContext = {});
    template <class First, class Second, class... Rest,
              class = std::enable_if_t<std::is_base_of_v<Program, std::decay_t<First>> &&
                                       std::is_base_of_v<Program, std::decay_t<Second>>>>
    Sequence(First&& first, Second&& second, Rest&&... rest)
        : Sequence({Program(first), Program(second), Program(rest)...}) {}

    void add(const Program& p);
    void add_front(const Program& p);
};

class Execute : public Program {
  public:
    explicit Execute(ComputeSet cs, const DebugContext& debugContext = {});
    /// Sets `exitStatus` to whether every vertex returned true.
    Execute(ComputeSet cs, Tensor exitStatus, const DebugContext& debugContext = {});
};

class Repeat : public Program {
  public:
    Repeat(unsigned count, const Program& p, const DebugContext& debugContext = {});
    Repeat(unsigned count, const Program& p, bool nonSyncing, const DebugContext& debugContext);
};

/// Runs `cond`; while `predicate` is true, runs `body` and `cond` again.
class RepeatWhileTrue : public Program {
  public:
    RepeatWhileTrue(const Program& cond, Tensor predicate, const Program& body,
                    const DebugContext& debugContext = {});
};

class RepeatWhileFalse : public Program {
  public:
    RepeatWhileFalse(const Program& cond, Tensor predicate, const Program& body,
                     const DebugContext& debugContext = {});
};

class If : public Program {
  public:
    If(Tensor predicate, const Program& trueBody, const Program& falseBody,
       const DebugContext& debugContext = {});
};

class Switch : public Program {
  public:
    using Cases = std::vector<std::pair<std::int32_t, Program>>;

    explicit Switch(Tensor control, const DebugContext& debugContext = {});
    Switch(Tensor control, const Program& defaultCase, const DebugContext& debugContext = {});
    Switch(Tensor control, const Cases& cases, const DebugContext& debugContext = {});
    Switch(Tensor control, const Cases& cases, const Program& defaultCase,
           const DebugContext& debugContext = {});
    static Switch switchWithBoundsChecking(Tensor control, const Cases& cases,
                                           const DebugContext& debugContext = {});
    static Switch switchWithUnreachableDefault(Tensor control,
                                               const DebugContext& debugContext = {});
    static Switch switchWithUnreachableDefault(Tensor control, const Cases& cases,
                                               const DebugContext& debugContext = {});
    Switch& add(std::int32_t value, const Program& body);
};

class Call : public Program {
  public:
    explicit Call(Function f, const DebugContext& debugContext = {});
    explicit Call(HostFunction f, std::vector<Tensor> inputs = {}, std::vector<Tensor> outputs = {},
                  const DebugContext& debugContext = {});
};

class Copy : public Program {
  public:
    Copy(Tensor src, Tensor dst, bool dontOutline = false, const DebugContext& debugContext = {});
    Copy(Tensor src, Tensor dst, const DebugContext& debugContext)
        : Copy(std::move(src), std::move(dst), false, debugContext) {}
    Copy(Tensor src, Tensor dst, const char* debugContext)
        : Copy(std::move(src), std::move(dst), false, DebugContext(debugContext)) {}
    Copy(const DataStream& stream, Tensor dst, bool optimiseMemory = false,
         const DebugContext& debugContext = {});
    Copy(const DataStream& stream, Tensor dst, const char* debugContext)
        : Copy(stream, std::move(dst), false, DebugContext(debugContext)) {}
    Copy(Tensor src, const DataStream& stream, bool optimiseMemory = false,
         const DebugContext& debugContext = {});
    Copy(Tensor src, const DataStream& stream, const char* debugContext)
        : Copy(std::move(src), stream, false, DebugContext(debugContext)) {}
    /// With one offset, or one for each row of the tensor.
    Copy(const RemoteBuffer& buffer, Tensor dst, const DebugContext& debugContext = {});
    Copy(const RemoteBuffer& buffer, Tensor dst, Tensor offset,
         const DebugContext& debugContext = {});
    Copy(Tensor src, const RemoteBuffer& buffer, const DebugContext& debugContext = {});
    Copy(Tensor src, const RemoteBuffer& buffer, Tensor offset,
         const DebugContext& debugContext = {});
};

/// The elements hold nothing from here on.
class WriteUndef : public Program {
  public:
    explicit WriteUndef(Tensor t, const DebugContext& debugContext = {});
};

class AssignConstant : public Program {
  public:
    template <class T>
    AssignConstant(Tensor t, ArrayRef<T> values, const DebugContext& debugContext = {})
        : AssignConstant(std::move(t), core::HostArray::of(values.data(), values.size()),
                         debugContext) {}
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    AssignConstant(Tensor t, T value, const DebugContext& debugContext = {})
        : AssignConstant(std::move(t), core::HostArray::of(&value, 1), debugContext) {}

  private:
    AssignConstant(Tensor t, core::HostArray values, const DebugContext& debugContext);
};

class Sync : public Program {
  public:
    explicit Sync(SyncType type, const DebugContext& debugContext = {});
};

class Nop : public Program {
  public:
    Nop(const DebugContext& debugContext = {});
};

class PrintTensor : public Program {
  public:
    explicit PrintTensor(Tensor t, const DebugContext& debugContext = {});
    PrintTensor(StringRef title, Tensor t, const DebugContext& debugContext = {});
    PrintTensor(Tensor t, const PrintTensorFmt& fmt, const DebugContext& debugContext = {});
    PrintTensor(StringRef title, Tensor t, const PrintTensorFmt& fmt,
                const DebugContext& debugContext = {});
};

/// Ends the run with an error that carries the message.
class Abort : public Program {
  public:
    explicit Abort(const DebugContext& debugContext = {});
    Abort(const std::string& message, const DebugContext& debugContext);
};

class AbortOnCondition : public Program {
  public:
    explicit AbortOnCondition(Tensor predicate, const DebugContext& debugContext = {});
    AbortOnCondition(Tensor predicate, const std::string& message,
                     const DebugContext& debugContext);
};

} // namespace program
} // namespace poplar
