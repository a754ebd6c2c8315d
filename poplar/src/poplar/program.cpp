// Programs over the machine's: values that share nodes and copy them before they change.
#include <poplar/Program.hpp>
#include <poplar/exceptions.hpp>

#include <functional>

#include "core.h"
#include "machines/tile/fault.h"
#include "machines/tile/program.h"
#include "translate.h"

namespace poplar::program {

namespace {

namespace tile = tropic::tile;
using Node = tile::Program;
using tile::ProgramKind;

std::shared_ptr<Node> make(ProgramKind kind, const DebugContext& debugContext) {
    auto node = std::make_shared<Node>();
    node->kind = kind;
    node->name = debugContext.getPathName();
    return node;
}

std::shared_ptr<Node> make(ProgramKind kind, const std::vector<Tensor>& tensors,
                           const DebugContext& debugContext) {
    auto node = make(kind, debugContext);
    for (const Tensor& t : tensors) node->tensors.push_back(t.view());
    return node;
}

/// The node to change: a copy if anyone else has it.
Node& own(std::shared_ptr<const Node>& node) {
    if (node.use_count() > 1) node = std::make_shared<Node>(*node);
    return const_cast<Node&>(*node); // every node is made as one that is not const
}

std::shared_ptr<Node> make_copy(ProgramKind kind, std::uint32_t target, const Type& type,
                                std::size_t elements, const std::string& handle,
                                const Tensor& tensor, const DebugContext& debugContext) {
    auto node = make(kind, {tensor}, debugContext);
    node->target = target;
    core::translated([&] {
        if (tensor.elementType() != type) {
            tile::fail(tile::Fault::type, "'" + handle + "' has elements of type " +
                                              type.toString().str() +
                                              ", and is copied to or from a tensor of " +
                                              tensor.elementType().toString().str());
        }
        if (tensor.numElements() != elements) {
            tile::fail(tile::Fault::shape, "'" + handle + "' has " + std::to_string(elements) +
                                               " elements, and is copied to or from a tensor of " +
                                               std::to_string(tensor.numElements()));
        }
    });
    return node;
}

std::shared_ptr<Node> make_remote(ProgramKind kind, const RemoteBuffer& buffer,
                                  const Tensor& tensor, const Tensor* offset,
                                  const DebugContext& debugContext) {
    const std::size_t rows = offset == nullptr ? 1 : offset->numElements();
    auto node = make_copy(kind, buffer.getId(), buffer.elementType(), buffer.numElements() * rows,
                          buffer.handle(), tensor, debugContext);
    if (offset != nullptr) node->tensors.push_back(offset->view());
    return node;
}

std::shared_ptr<Node> make_print(const std::string& title, const Tensor& t,
                                 const PrintTensorFmt& fmt, const DebugContext& debugContext) {
    auto node = make(ProgramKind::print, {t}, debugContext);
    node->message = title;
    node->format = {fmt.summariseThreshold,
                    fmt.edgeItems,
                    fmt.maxLineWidth,
                    fmt.digits,
                    static_cast<std::uint8_t>(fmt.floatFormat),
                    fmt.separator,
                    fmt.openBracket,
                    fmt.closeBracket};
    return node;
}

std::shared_ptr<Node> make_switch(const Tensor& control, const Switch::Cases& cases,
                                  const Program& defaultCase, bool checked,
                                  const DebugContext& debugContext) {
    auto node = make(ProgramKind::choose, {control}, debugContext);
    node->children.push_back(defaultCase.node());
    node->bounds_checked = checked;
    for (const auto& [value, body] : cases) {
        node->cases.push_back(value);
        node->children.push_back(body.node());
    }
    return node;
}

} // namespace

Program::Program() : node_(make(ProgramKind::sequence, {})) {}

bool Program::isEmpty() const {
    return node_->kind == ProgramKind::sequence && node_->children.empty();
}

std::size_t Program::hash() const {
    return std::hash<const void*>()(node_.get());
}

Sequence::Sequence(const DebugContext& debugContext)
    : Program(make(ProgramKind::sequence, debugContext)) {}

Sequence::Sequence(std::initializer_list<Program> programs, const DebugContext& debugContext)
    : Sequence(std::vector<Program>(programs), debugContext) {}

Sequence::Sequence(const std::vector<Program>& programs, const DebugContext& debugContext)
    : Sequence(debugContext) {
    for (const Program& p : programs) add(p);
}

void Sequence::add(const Program& p) {
    std::shared_ptr<const Node> added = p.node(); // before our own node changes
    own(node_).children.push_back(std::move(added));
}

void Sequence::add_front(const Program& p) {
    std::shared_ptr<const Node> added = p.node();
    Node& node = own(node_);
    node.children.insert(node.children.begin(), std::move(added));
}

Execute::Execute(ComputeSet cs, const DebugContext& debugContext)
    : Program([&] {
          auto node = make(ProgramKind::execute, debugContext);
          node->target = cs.getId();
          return node;
      }()) {}

Execute::Execute(ComputeSet cs, Tensor exitStatus, const DebugContext& debugContext)
    : Program([&] {
          auto node = make(ProgramKind::execute, {exitStatus}, debugContext);
          node->target = cs.getId();
          return node;
      }()) {}

Repeat::Repeat(unsigned count, const Program& p, const DebugContext& debugContext)
    : Program([&] {
          auto node = make(ProgramKind::repeat, debugContext);
          node->count = count;
          node->children = {p.node()};
          return node;
      }()) {}

Repeat::Repeat(unsigned count, const Program& p, bool, const DebugContext& debugContext)
    : Program(Repeat(count, p, debugContext)) {}

RepeatWhileTrue::RepeatWhileTrue(const Program& cond, Tensor predicate, const Program& body,
                                 const DebugContext& debugContext)
    : Program([&] {
          auto node = make(ProgramKind::while_true, {predicate}, debugContext);
          node->children = {cond.node(), body.node()};
          return node;
      }()) {}

RepeatWhileFalse::RepeatWhileFalse(const Program& cond, Tensor predicate, const Program& body,
                                   const DebugContext& debugContext)
    : Program([&] {
          auto node = make(ProgramKind::while_false, {predicate}, debugContext);
          node->children = {cond.node(), body.node()};
          return node;
      }()) {}

If::If(Tensor predicate, const Program& trueBody, const Program& falseBody,
       const DebugContext& debugContext)
    : Program([&] {
          auto node = make(ProgramKind::branch, {predicate}, debugContext);
          node->children = {trueBody.node(), falseBody.node()};
          return node;
      }()) {}

Switch::Switch(Tensor control, const DebugContext& debugContext)
    : Program(make_switch(control, {}, Program(), false, debugContext)) {}
Switch::Switch(Tensor control, const Program& defaultCase, const DebugContext& debugContext)
    : Program(make_switch(control, {}, defaultCase, false, debugContext)) {}
Switch::Switch(Tensor control, const Cases& cases, const DebugContext& debugContext)
    : Program(make_switch(control, cases, Program(), false, debugContext)) {}
Switch::Switch(Tensor control, const Cases& cases, const Program& defaultCase,
               const DebugContext& debugContext)
    : Program(make_switch(control, cases, defaultCase, false, debugContext)) {}

Switch Switch::switchWithBoundsChecking(Tensor control, const Cases& cases,
                                        const DebugContext& debugContext) {
    Switch result(control, debugContext);
    result.node_ = make_switch(control, cases, Program(), true, debugContext);
    return result;
}

Switch Switch::switchWithUnreachableDefault(Tensor control, const DebugContext& debugContext) {
    return switchWithBoundsChecking(control, {}, debugContext);
}

Switch Switch::switchWithUnreachableDefault(Tensor control, const Cases& cases,
                                            const DebugContext& debugContext) {
    return switchWithBoundsChecking(control, cases, debugContext);
}

Switch& Switch::add(std::int32_t value, const Program& body) {
    std::shared_ptr<const Node> added = body.node();
    Node& node = own(node_);
    node.cases.push_back(value);
    node.children.push_back(std::move(added));
    return *this;
}

Call::Call(Function f, const DebugContext& debugContext)
    : Program([&] {
          auto node = make(ProgramKind::call, debugContext);
          node->target = f.getId();
          return node;
      }()) {}

Call::Call(HostFunction f, std::vector<Tensor> inputs, std::vector<Tensor> outputs,
           const DebugContext& debugContext)
    : Program([&] {
          std::vector<Tensor> tensors = inputs;
          tensors.insert(tensors.end(), outputs.begin(), outputs.end());
          auto node = make(ProgramKind::host_call, tensors, debugContext);
          node->target = f.getId();
          node->count = inputs.size();
          const auto check = [&](const std::vector<HostFunction::Argument>& wanted,
                                 const std::vector<Tensor>& given) {
              bool fits = wanted.size() == given.size();
              for (std::size_t i = 0; fits && i < wanted.size(); ++i) {
                  fits = wanted[i].elementType == given[i].elementType() &&
                         wanted[i].numElements == given[i].numElements();
              }
              if (!fits) {
                  throw control_program_error("the arguments of host function '" + f.handle() +
                                              "' are not those it was declared with");
              }
          };
          check(f.inputs(), inputs);
          check(f.outputs(), outputs);
          return node;
      }()) {}

Copy::Copy(Tensor src, Tensor dst, bool, const DebugContext& debugContext)
    : Program(make(ProgramKind::copy, {src, dst}, debugContext)) {
    core::translated([&] {
        if (src.elementType() != dst.elementType()) {
            tile::fail(tile::Fault::type,
                       "a copy of " + src.getDebugStr() + " to " + dst.getDebugStr(),
                       "tensors of one type", "popops::cast");
        }
        if (src.numElements() != dst.numElements()) {
            tile::fail(tile::Fault::shape,
                       "a copy of " + src.getDebugStr() + " to " + dst.getDebugStr(),
                       "tensors of as many elements");
        }
    });
}

Copy::Copy(const DataStream& stream, Tensor dst, bool, const DebugContext& debugContext)
    : Program(make_copy(ProgramKind::stream_in, stream.getId(), stream.elementType(),
                        stream.numElements(), stream.handle(), dst, debugContext)) {
    if (stream.type() != DataStreamType::HostToDeviceFIFO) {
        throw control_program_error("stream '" + stream.handle() + "' goes to the host");
    }
}

Copy::Copy(Tensor src, const DataStream& stream, bool, const DebugContext& debugContext)
    : Program(make_copy(ProgramKind::stream_out, stream.getId(), stream.elementType(),
                        stream.numElements(), stream.handle(), src, debugContext)) {
    if (stream.type() != DataStreamType::DeviceToHostFIFO) {
        throw control_program_error("stream '" + stream.handle() + "' comes from the host");
    }
}

Copy::Copy(const RemoteBuffer& buffer, Tensor dst, const DebugContext& debugContext)
    : Program(make_remote(ProgramKind::remote_in, buffer, dst, nullptr, debugContext)) {}
Copy::Copy(const RemoteBuffer& buffer, Tensor dst, Tensor offset, const DebugContext& debugContext)
    : Program(make_remote(ProgramKind::remote_in, buffer, dst, &offset, debugContext)) {}
Copy::Copy(Tensor src, const RemoteBuffer& buffer, const DebugContext& debugContext)
    : Program(make_remote(ProgramKind::remote_out, buffer, src, nullptr, debugContext)) {}
Copy::Copy(Tensor src, const RemoteBuffer& buffer, Tensor offset, const DebugContext& debugContext)
    : Program(make_remote(ProgramKind::remote_out, buffer, src, &offset, debugContext)) {}

WriteUndef::WriteUndef(Tensor t, const DebugContext& debugContext)
    : Program(make(ProgramKind::undefine, {t}, debugContext)) {}

AssignConstant::AssignConstant(Tensor t, core::HostArray values, const DebugContext& debugContext)
    : Program([&] {
          auto node = make(ProgramKind::assign, {t}, debugContext);
          if (values.count != 1 && values.count != t.numElements()) {
              throw tensor_creation_failed("one value for all elements, or one for each");
          }
          node->values = core::convert(values, t.view().type());
          return node;
      }()) {}

Sync::Sync(SyncType type, const DebugContext& debugContext)
    : Program([&] {
          auto node = make(ProgramKind::sync, debugContext);
          node->count = type == SyncType::INTERNAL ? 0 : 1;
          return node;
      }()) {}

Nop::Nop(const DebugContext& debugContext) : Program(make(ProgramKind::sequence, debugContext)) {}

PrintTensor::PrintTensor(Tensor t, const DebugContext& debugContext)
    : Program(make_print("", t, {}, debugContext)) {}
PrintTensor::PrintTensor(StringRef title, Tensor t, const DebugContext& debugContext)
    : Program(make_print(title, t, {}, debugContext)) {}
PrintTensor::PrintTensor(Tensor t, const PrintTensorFmt& fmt, const DebugContext& debugContext)
    : Program(make_print("", t, fmt, debugContext)) {}
PrintTensor::PrintTensor(StringRef title, Tensor t, const PrintTensorFmt& fmt,
                         const DebugContext& debugContext)
    : Program(make_print(title, t, fmt, debugContext)) {}

Abort::Abort(const DebugContext& debugContext) : Abort(debugContext.getPathName(), debugContext) {}
Abort::Abort(const std::string& message, const DebugContext& debugContext)
    : Program([&] {
          auto node = make(ProgramKind::abort, debugContext);
          node->message = message;
          return node;
      }()) {}

AbortOnCondition::AbortOnCondition(Tensor predicate, const DebugContext& debugContext)
    : AbortOnCondition(predicate, debugContext.getPathName(), debugContext) {}
AbortOnCondition::AbortOnCondition(Tensor predicate, const std::string& message,
                                   const DebugContext& debugContext)
    : Program([&] {
          auto node = make(ProgramKind::abort_if, {predicate}, debugContext);
          node->message = message;
          return node;
      }()) {}

} // namespace poplar::program
