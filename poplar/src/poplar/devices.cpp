// Devices: models of machines, never busy.
#include <poplar/DeviceManager.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/TropicProfile.hpp>
#include <poplar/exceptions.hpp>

#include <cstdlib>
#include <numeric>

#include "core.h"
#include "machines/tile/machine_file.h"
#include "translate.h"

namespace poplar {

namespace {

/// The chip that devices are made of: TROPIC_TILE_MACHINE, or a GC200.
tropic::tile::Machine chosen_machine() {
    const char* name = std::getenv("TROPIC_TILE_MACHINE");
    return core::translated([&] {
        return tropic::tile::find_machine(name == nullptr || *name == '\0' ? "gc200" : name);
    });
}

Device make_device(tropic::tile::Machine machine, TargetType type, unsigned id) {
    return core::translated([&] {
        tropic::tile::check_machine(machine);
        return Device(
            Target(std::make_shared<const core::Target>(core::Target{std::move(machine), type})),
            id);
    });
}

constexpr unsigned device_sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 32, 64};

Device device_of(unsigned chips, TargetType type, unsigned id) {
    auto machine = chosen_machine();
    if (type == TargetType::CPU) return {Target::createCPUTarget(false, chips), id};
    // A machine chosen with several chips is the smallest device there is.
    machine.chips = std::max(machine.chips, chips);
    return make_device(std::move(machine), type, id);
}

} // namespace

Device::Device() = default;
Device::Device(Target target, unsigned id) : target_(std::move(target)), id_(id) {}

Device Device::createCPUDevice(const OptionFlags&) {
    return {Target::createCPUTarget(), 0};
}

Device Device::createSimulatorDevice(const Target& target, const OptionFlags&) {
    return {target, 0};
}

bool Device::attach() const {
    attached_ = true;
    return true;
}

void Device::detach() const {
    attached_ = false;
}

std::vector<int> Device::getDriverIDs() const {
    std::vector<int> ids(target_.getNumIPUs());
    std::iota(ids.begin(), ids.end(), 0);
    return ids;
}

std::vector<int> Device::getNumaNodesUsedByIPUs() const {
    return {0};
}

std::map<std::string, std::string> Device::getAttributes() const {
    return {{"machine", target_.getTargetSystemString()}, {"model", "Tropic"}};
}

Device Device::createVirtualDevice(unsigned tilesPerIPU) const {
    return {target_.createVirtualTarget(target_.getNumIPUs(), tilesPerIPU), id_};
}

DeviceManager::DeviceManager() = default;

std::size_t DeviceManager::getNumDevices() const {
    return std::size(device_sizes);
}

std::vector<Device> DeviceManager::getDevices(const OptionFlags&) const {
    std::vector<Device> devices;
    devices.reserve(std::size(device_sizes));
    for (unsigned i = 0; i < std::size(device_sizes); ++i) {
        devices.push_back(device_of(device_sizes[i], TargetType::IPU, i));
    }
    return devices;
}

std::vector<Device> DeviceManager::getDevices(TargetType type, unsigned requiredNumIPUs,
                                              const OptionFlags&) const {
    if (requiredNumIPUs == 0 || requiredNumIPUs > tropic::tile::most_chips) return {};
    return {device_of(requiredNumIPUs, type, requiredNumIPUs - 1)};
}

Device DeviceManager::getDevice(unsigned deviceManagerId, const OptionFlags&) const {
    if (deviceManagerId >= std::size(device_sizes)) {
        throw poplar_error("there is no device " + std::to_string(deviceManagerId) + ", but 0 to " +
                           std::to_string(std::size(device_sizes) - 1));
    }
    return device_of(device_sizes[deviceManagerId], TargetType::IPU, deviceManagerId);
}

Device DeviceManager::acquireAvailableDevice(unsigned numIpus, const OptionFlags&) const {
    Device device = device_of(numIpus, TargetType::IPU, numIpus == 0 ? 0 : numIpus - 1);
    device.attach();
    return device;
}

Device DeviceManager::acquireDeviceById(unsigned id, const OptionFlags&) const {
    Device device = getDevice(id);
    device.attach();
    return device;
}

std::vector<unsigned> DeviceManager::getChildDeviceIds(unsigned, unsigned numChildIpus) const {
    return {numChildIpus == 0 ? 0 : numChildIpus - 1};
}

IPUModel::IPUModel(char const* IPUVersion) : version_(IPUVersion == nullptr ? "" : IPUVersion) {
    const Target target = Target::createIPUTarget(1, version_);
    tilesPerIPU = target.getTilesPerIPU();
    numWorkerContexts = target.getNumWorkerContexts();
    memoryBytesPerTile = target.getBytesPerTile();
    tileClockFrequency = target.getTileClockFrequency();
    exchangeBytesPerCycle = target.getExchangeBytesPerCycle();
    memcpyBytesPerCycle = target.getMemcpyBytesPerCycle();
    minIPUSyncDelay = target.getMinIPUSyncDelay();
    globalSyncCycles = target.getGlobalSyncCycles();
}

Device IPUModel::createDevice(OptionFlags, bool, unsigned deviceManagerId) const {
    auto machine = Target::createIPUTarget(1, version_).impl().machine;
    machine.chips = numIPUs;
    machine.tiles_per_chip = tilesPerIPU;
    machine.workers = numWorkerContexts;
    machine.bytes_per_tile = memoryBytesPerTile;
    machine.clock_hz = tileClockFrequency;
    machine.exchange_bytes_per_cycle = exchangeBytesPerCycle;
    machine.local_copy_bytes_per_cycle = memcpyBytesPerCycle;
    machine.sync_cycles = minIPUSyncDelay;
    machine.global_sync_cycles = globalSyncCycles;
    return make_device(std::move(machine), TargetType::IPU_MODEL, deviceManagerId);
}

Device createTropicDevice(StringRef nameOrFile) {
    auto machine = core::translated([&] { return tropic::tile::find_machine(nameOrFile); });
    return make_device(std::move(machine), TargetType::IPU_MODEL, 0);
}

} // namespace poplar
