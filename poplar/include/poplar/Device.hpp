// A machine that programs run on.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <poplar/OptionFlags.hpp>
#include <poplar/Target.hpp>

namespace poplar {

class Device {
  public:
    Device();
    Device(Target target, unsigned id);
    static Device createCPUDevice(const OptionFlags& opts = {});
    static Device createSimulatorDevice(const Target& target, const OptionFlags& opts = {});

    unsigned getId() const { return id_; }
    const Target& getTarget() const { return target_; }
    /// A model is never busy: always true.
    bool attach() const;
    void detach() const;
    bool isAttached() const { return attached_; }
    bool hasRemoteBuffers() const { return true; }
    bool supportsRemoteBuffers() const { return true; }
    void reset() const {}
    std::vector<int> getDriverIDs() const;
    int getNumaNode() const { return 0; }
    std::vector<int> getNumaNodesUsedByIPUs() const;
    std::map<std::string, std::string> getAttributes() const;
    Device createVirtualDevice(unsigned tilesPerIPU) const;

  private:
    Target target_;
    unsigned id_ = 0;
    mutable bool attached_ = false;
};

} // namespace poplar
