// Finds the machines there are: models, as many chips as asked for. TROPIC_TILE_MACHINE names the
// kind of chip (gc200 if it is not set).
#pragma once

#include <vector>

#include <poplar/Device.hpp>

namespace poplar {

class DeviceManager {
  public:
    DeviceManager();
    static DeviceManager createDeviceManager() { return DeviceManager(); }

    std::size_t getNumDevices() const;
    std::vector<Device> getDevices(const OptionFlags& opts = {}) const;
    std::vector<Device> getDevices(TargetType type, unsigned requiredNumIPUs,
                                   const OptionFlags& opts = {}) const;
    /// Device n is that of n + 1 chips, up to 16, then 32 and 64.
    Device getDevice(unsigned deviceManagerId, const OptionFlags& opts = {}) const;
    Device acquireAvailableDevice(unsigned numIpus = 1, const OptionFlags& opts = {}) const;
    Device acquireDeviceById(unsigned id, const OptionFlags& opts = {}) const;
    std::vector<unsigned> getChildDeviceIds(unsigned parentId, unsigned numChildIpus = 1) const;
};

} // namespace poplar
