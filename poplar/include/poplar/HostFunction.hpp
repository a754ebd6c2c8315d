// Functions of the host that a program calls.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <poplar/ArrayRef.hpp>
#include <poplar/Type.hpp>

namespace poplar {

class HostFunction {
  public:
    struct Argument {
        Type elementType;
        std::size_t numElements = 0;
    };

    HostFunction() = default;
    HostFunction(std::uint32_t id, std::string handle, std::vector<Argument> inputs,
                 std::vector<Argument> outputs)
        : id_(id), handle_(std::move(handle)), inputs_(std::move(inputs)),
          outputs_(std::move(outputs)) {}
    const std::string& handle() const { return handle_; }
    const std::vector<Argument>& inputs() const { return inputs_; }
    const std::vector<Argument>& outputs() const { return outputs_; }
    std::uint32_t getId() const { return id_; }

  private:
    std::uint32_t id_ = 0xffffffff;
    std::string handle_;
    std::vector<Argument> inputs_;
    std::vector<Argument> outputs_;
};

/// The host's side of a HostFunction.
class HostCallback {
  public:
    virtual ~HostCallback() = default;
    virtual void operator()(ArrayRef<const void*> inputs, ArrayRef<void*> outputs) = 0;
};

using HostCallbackFunction =
    std::function<void(ArrayRef<const void*> inputs, ArrayRef<void*> outputs)>;

} // namespace poplar
