// Streams between host and device, buffers beside the device, and functions of the host.
#pragma once

#include <cstdint>
#include <string>

#include <poplar/ReplicatedStreamMode.hpp>
#include <poplar/Type.hpp>

namespace poplar {

enum class DataStreamType {
    HostToDeviceFIFO,
    DeviceToHostFIFO,
    HostToDeviceBuffer,
    DeviceToHostBuffer
};

class DataStream {
  public:
    DataStream() = default;
    DataStream(std::uint32_t id, std::string handle, DataStreamType type, Type elementType,
               std::size_t elements)
        : id_(id), handle_(std::move(handle)), type_(type), element_(elementType),
          elements_(elements) {}
    const std::string& handle() const { return handle_; }
    DataStreamType type() const { return type_; }
    Type elementType() const { return element_; }
    std::size_t numElements() const { return elements_; }
    unsigned replicationFactor() const { return 1; }
    ReplicatedStreamMode replicatedMode() const { return ReplicatedStreamMode::REPLICATE; }
    std::uint32_t getId() const { return id_; }
    friend bool operator==(const DataStream& l, const DataStream& r) { return l.id_ == r.id_; }

  private:
    std::uint32_t id_ = 0xffffffff;
    std::string handle_;
    DataStreamType type_ = DataStreamType::HostToDeviceFIFO;
    Type element_;
    std::size_t elements_ = 0;
};

class RemoteBuffer {
  public:
    RemoteBuffer() = default;
    RemoteBuffer(std::uint32_t id, std::string handle, Type elementType, std::size_t elements,
                 std::size_t repeats)
        : id_(id), handle_(std::move(handle)), element_(elementType), elements_(elements),
          repeats_(repeats) {}
    const std::string& handle() const { return handle_; }
    Type elementType() const { return element_; }
    std::size_t numElements() const { return elements_; }
    std::size_t getRepeats() const { return repeats_; }
    bool isRearrangeOnHost() const { return false; }
    bool isOptimisedForMemory() const { return false; }
    std::uint32_t getId() const { return id_; }
    friend bool operator==(const RemoteBuffer& l, const RemoteBuffer& r) { return l.id_ == r.id_; }

  private:
    std::uint32_t id_ = 0xffffffff;
    std::string handle_;
    Type element_;
    std::size_t elements_ = 0;
    std::size_t repeats_ = 1;
};

} // namespace poplar
