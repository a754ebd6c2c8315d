// Runs compiled programs on a device.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

#include <poplar/ArrayRef.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Device.hpp>
#include <poplar/Executable.hpp>
#include <poplar/Graph.hpp>
#include <poplar/HostFunction.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/StreamCallback.hpp>
#include <poplar/StringRef.hpp>
#include <poplar/exceptions.hpp>

namespace poplar {

namespace core {
struct Engine;
}

/// A profile as the engine holds it when asked.
class Report {
  public:
    explicit Report(std::string json) : json_(std::move(json)) {}
    /// In the format of Tropic's --profile.
    const std::string& json() const { return json_; }
    friend std::ostream& operator<<(std::ostream& os, const Report& r) { return os << r.json_; }

  private:
    std::string json_;
};

class Engine {
  public:
    using ProgressFunc = poplar::ProgressFunc;
    struct TimerTimePoint {
        std::chrono::system_clock::time_point time;
    };

    Engine(const Graph& graph, ArrayRef<program::Program> progs, const OptionFlags& opt = {},
           ProgressFunc progressCallBack = {}, const DebugContext& debugContext = {});
    Engine(const Graph& graph, program::Program prog, const OptionFlags& opt = {},
           ProgressFunc progressCallBack = {}, const DebugContext& debugContext = {});
    Engine(Executable exe, const OptionFlags& opt = {});
    Engine(Engine&&) noexcept;
    Engine& operator=(Engine&&) noexcept;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;
    ~Engine();

    void prepare(const Device& device);
    void deploy();
    void load(const Device& device);
    void run(unsigned prog = 0, const std::string& debugName = "");
    void loadAndRun(const Device& device, unsigned prog = 0);
    void stop() {}
    TimerTimePoint getTimeStamp();

    void connectStream(StringRef handle, void* begin, void* end);
    void connectStream(StringRef handle, void* p);
    void connectStream(StringRef handle, const void* begin, const void* end);
    void connectStream(StringRef handle, const void* p);
    template <class T> void connectStream(StringRef handle, ArrayRef<T> data) {
        connectStream(handle, static_cast<const void*>(data.data()),
                      static_cast<const void*>(data.data() + data.size()));
    }
    void connectStreamToCallback(StringRef handle, StreamCallbackHandle f);
    void connectStreamToCallback(StringRef handle, unsigned index, StreamCallbackHandle f);
    void connectHostFunction(StringRef handle, unsigned index, HostCallbackFunction callback);
    void connectHostFunction(StringRef handle, unsigned index,
                             std::unique_ptr<HostCallback> callback);

    /// Through a handle made by createHostRead or createHostWrite; `end` is checked if given.
    void readTensor(StringRef handle, void* buf, void* bufEnd);
    void readTensor(StringRef handle, void* buf);
    template <class T> void readTensor(StringRef handle, std::vector<T>& values) {
        readTensor(handle, values.data(), values.data() + values.size());
    }
    void writeTensor(StringRef handle, const void* buf, const void* bufEnd);
    void writeTensor(StringRef handle, const void* buf);
    template <class T> void writeTensor(StringRef handle, ArrayRef<T> values) {
        writeTensor(handle, values.data(), values.data() + values.size());
    }

    void copyFromRemoteBuffer(StringRef handle, void* w, int repeatIndex,
                              unsigned replicationIndex = 0);
    void copyFromRemoteBuffer(const RemoteBuffer& buffer, void* w, int repeatIndex,
                              unsigned replicationIndex = 0);
    void copyToRemoteBuffer(const void* w, StringRef handle, int repeatIndex,
                            unsigned replicationIndex = 0);
    void copyToRemoteBuffer(const void* w, const RemoteBuffer& buffer, int repeatIndex,
                            unsigned replicationIndex = 0);
    /// `sizeInBytes` bytes, the rows of the buffer at `repeatIndices` one after the other.
    void copyFromRemoteBuffer(StringRef handle, void* w, std::uint64_t sizeInBytes,
                              const std::vector<std::uint64_t>& repeatIndices,
                              unsigned replicationIndex = 0);
    void copyToRemoteBuffer(const void* w, StringRef handle, std::uint64_t sizeInBytes,
                            const std::vector<std::uint64_t>& repeatIndices,
                            unsigned replicationIndex = 0);

    void enableExecutionProfiling();
    void disableExecutionProfiling();
    void resetExecutionProfile();
    void printProfileSummary(std::ostream& outputStream, const OptionFlags& opt = {});
    Report getReport(bool reportExecution = true);
    void reportIntervals(std::ostream& outputStream);
    void outputTimerReport(std::ostream& outputStream) { reportIntervals(outputStream); }
    void setPrintStream(std::ostream& stream);
    void setPrintTensorStream(std::ostream& stream);
    std::vector<std::string> listStreams() const;

    core::Engine& impl() const { return *impl_; }

  private:
    std::unique_ptr<core::Engine> impl_;
};

} // namespace poplar
