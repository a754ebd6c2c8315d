// Targets: a machine's figures under Poplar's names.
#include <poplar/Target.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <cstring>

#include "core.h"
#include "machines/tile/machine_file.h"
#include "translate.h"

namespace poplar {

namespace {

/// The SDK's names of systems, and Tropic's of machines.
std::string machine_name(StringRef system) {
    std::string name = system;
    if (name.starts_with("ipu21")) return "bow";
    if (name.empty() || name.starts_with("ipu2") || name == "IPU-POD64") return "gc200";
    if (name.starts_with("ipu1")) return "gc2";
    return name;
}

Target make_target(tropic::tile::Machine machine, TargetType type) {
    return core::translated([&] {
        tropic::tile::check_machine(machine);
        return Target(std::make_shared<const core::Target>(core::Target{std::move(machine), type}));
    });
}

} // namespace

Target::Target() : Target(createIPUTarget(1, "ipu2")) {}
Target::Target(std::shared_ptr<const core::Target> impl) : impl_(std::move(impl)) {}

Target Target::createIPUTarget(unsigned numIPUs, StringRef systemType, const OptionFlags&) {
    auto machine =
        core::translated([&] { return tropic::tile::find_machine(machine_name(systemType)); });
    machine.chips = numIPUs;
    return make_target(std::move(machine), TargetType::IPU);
}

Target Target::createIPUTarget(unsigned numIPUs, unsigned tilesPerIPU, StringRef systemType,
                               const OptionFlags&) {
    auto machine =
        core::translated([&] { return tropic::tile::find_machine(machine_name(systemType)); });
    machine.chips = numIPUs;
    machine.tiles_per_chip = tilesPerIPU;
    return make_target(std::move(machine), TargetType::IPU);
}

Target Target::createCPUTarget(bool, unsigned numIPUs) {
    auto machine = tropic::tile::find_machine("gc200");
    machine.name = "cpu";
    machine.chips = numIPUs;
    machine.tiles_per_chip = 1;
    machine.workers = 1;
    machine.bytes_per_tile = 1ULL << 32;
    return make_target(std::move(machine), TargetType::CPU);
}

TargetType Target::getTargetType() const {
    return impl_->type;
}
StringRef Target::getTargetArchString() const {
    if (impl_->type == TargetType::CPU) return "cpu";
    return impl_->machine.name.starts_with("gc2") && !impl_->machine.name.starts_with("gc200")
               ? "ipu1"
               : "ipu2";
}
StringRef Target::getTargetSystemString() const {
    return impl_->machine.name;
}
unsigned Target::getNumIPUs() const {
    return impl_->machine.chips;
}
unsigned Target::getNumTiles() const {
    return impl_->machine.tiles();
}
unsigned Target::getTilesPerIPU() const {
    return impl_->machine.tiles_per_chip;
}
unsigned Target::getNumWorkerContexts() const {
    return impl_->machine.workers;
}
std::uint64_t Target::getBytesPerTile() const {
    return impl_->machine.bytes_per_tile;
}
std::uint64_t Target::getMemoryBytes() const {
    return getBytesPerTile() * getNumTiles();
}
unsigned Target::getExchangeBytesPerCycle() const {
    return impl_->machine.exchange_bytes_per_cycle;
}
unsigned Target::getMemcpyBytesPerCycle() const {
    return impl_->machine.local_copy_bytes_per_cycle;
}
unsigned Target::getMinIPUSyncDelay() const {
    return impl_->machine.sync_cycles;
}
unsigned Target::getGlobalSyncCycles() const {
    return impl_->machine.global_sync_cycles;
}
unsigned Target::getNumStrideBits() const {
    return 10;
}
unsigned Target::getDataPathWidth() const {
    return 64;
}
unsigned Target::getFp16ConvUnitMaxPipelineDepth() const {
    return 4;
}
unsigned Target::getRptCountMax() const {
    return 4095;
}
unsigned Target::getWorkerRegisterFileSize() const {
    return 16;
}
unsigned Target::getSharedIPUMemory() const {
    return 0;
}
unsigned Target::getTilesPerSharedExchangeBus() const {
    return 2;
}
bool Target::supportsExchangeBusSharing() const {
    return true;
}
unsigned Target::getAtomicStoreGranularity() const {
    return 4;
}
unsigned Target::getInterleavedMemoryElementIndex() const {
    return 0;
}
double Target::getTileClockFrequency() const {
    return impl_->machine.clock_hz;
}
double Target::getIpuLinkBandwidth() const {
    return impl_->machine.link_bytes_per_second;
}

unsigned Target::getTypeSize(const Type& type) const {
    return static_cast<unsigned>(tropic::tile::bytes_of(core::to_tile(type)));
}

unsigned Target::getVectorWidth(const Type& type) const {
    if (!type.isFloatingPoint()) return 1;
    return getDataPathWidth() / 8 / getTypeSize(type);
}

Target Target::createVirtualTarget(unsigned numIPUs, unsigned tilesPerIPU) const {
    auto machine = impl_->machine;
    machine.chips = numIPUs;
    machine.tiles_per_chip = tilesPerIPU;
    return make_target(std::move(machine), impl_->type);
}

bool operator==(const Target& l, const Target& r) {
    if (l.getTargetType() != r.getTargetType()) return false;
    const auto& parameters = tropic::tile::machine_parameters();
    return std::all_of(parameters.begin(), parameters.end(), [&](const auto& parameter) {
        return parameter.of(l.impl().machine) == parameter.of(r.impl().machine);
    });
}

void copyFloatToDeviceHalf(const Target&, const float* src, void* dst, std::size_t numElements) {
    auto* to = static_cast<std::uint16_t*>(dst);
    for (std::size_t i = 0; i < numElements; ++i) to[i] = core::half_bits(src[i]);
}

void copyDoubleToDeviceHalf(const Target&, const double* src, void* dst, std::size_t numElements) {
    auto* to = static_cast<std::uint16_t*>(dst);
    for (std::size_t i = 0; i < numElements; ++i) {
        const auto half = static_cast<_Float16>(src[i]);
        std::memcpy(&to[i], &half, sizeof half);
    }
}

void copyDeviceHalfToFloat(const Target&, const void* src, float* dst, std::size_t numElements) {
    const auto* from = static_cast<const std::uint16_t*>(src);
    for (std::size_t i = 0; i < numElements; ++i) dst[i] = core::half_value(from[i]);
}

void copyDeviceHalfToDouble(const Target&, const void* src, double* dst, std::size_t numElements) {
    const auto* from = static_cast<const std::uint16_t*>(src);
    for (std::size_t i = 0; i < numElements; ++i) dst[i] = core::half_value(from[i]);
}

} // namespace poplar
