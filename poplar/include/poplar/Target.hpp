// What a program can ask of the machine it runs on.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <poplar/OptionFlags.hpp>
#include <poplar/StringRef.hpp>
#include <poplar/TargetType.hpp>
#include <poplar/Type.hpp>

namespace poplar {

namespace core {
struct Target;
}

enum class IpuLinkConfiguration { Default, BarleyTwist, SlidingWindow };
enum class IpuLinkTopology { Mesh, Torus, Line };

class Target {
  public:
    Target();
    explicit Target(std::shared_ptr<const core::Target> impl);

    /// A GC200 unless `systemType` names another ("ipu1" is a GC2, "ipu2" a GC200, or a machine of
    /// Tropic such as "bow").
    static Target createIPUTarget(unsigned numIPUs, StringRef systemType,
                                  const OptionFlags& opts = {});
    static Target createIPUTarget(unsigned numIPUs, unsigned tilesPerIPU, StringRef systemType,
                                  const OptionFlags& opts = {});
    static Target createCPUTarget(bool accurateHalf = false, unsigned numIPUs = 1);

    TargetType getTargetType() const;
    StringRef getTargetArchString() const;
    StringRef getTargetSystemString() const;
    unsigned getNumIPUs() const;
    unsigned getNumTiles() const;
    unsigned getTilesPerIPU() const;
    unsigned getNumWorkerContexts() const;
    std::uint64_t getBytesPerTile() const;
    std::uint64_t getMemoryBytes() const;
    unsigned getExchangeBytesPerCycle() const;
    unsigned getMemcpyBytesPerCycle() const;
    unsigned getMinIPUSyncDelay() const;
    unsigned getGlobalSyncCycles() const;
    unsigned getNumStrideBits() const;
    unsigned getDataPathWidth() const;
    unsigned getFp16ConvUnitMaxPipelineDepth() const;
    unsigned getRptCountMax() const;
    unsigned getWorkerRegisterFileSize() const;
    unsigned getSharedIPUMemory() const;
    unsigned getTilesPerSharedExchangeBus() const;
    bool supportsExchangeBusSharing() const;
    unsigned getAtomicStoreGranularity() const;
    unsigned getInterleavedMemoryElementIndex() const;
    double getTileClockFrequency() const;
    double getIpuLinkBandwidth() const;
    unsigned getNumHosts() const { return 1; }
    unsigned getNumGlobalTiles() const { return getNumTiles(); }
    unsigned getTypeSize(const Type& type) const;
    /// How many elements of a type one instruction handles.
    unsigned getVectorWidth(const Type& type) const;
    unsigned getFloatVectorWidth() const { return getVectorWidth(FLOAT); }
    unsigned getHalfVectorWidth() const { return getVectorWidth(HALF); }

    /// The first chips of this machine.
    Target createVirtualTarget(unsigned numIPUs, unsigned tilesPerIPU) const;

    const core::Target& impl() const { return *impl_; }

    friend bool operator==(const Target& l, const Target& r);
    friend bool operator!=(const Target& l, const Target& r) { return !(l == r); }

  private:
    std::shared_ptr<const core::Target> impl_;
};

/// Arrays of half elements hold IEEE 754 binary16 on the host.
void copyFloatToDeviceHalf(const Target& target, const float* src, void* dst,
                           std::size_t numElements);
void copyDoubleToDeviceHalf(const Target& target, const double* src, void* dst,
                            std::size_t numElements);
void copyDeviceHalfToFloat(const Target& target, const void* src, float* dst,
                           std::size_t numElements);
void copyDeviceHalfToDouble(const Target& target, const void* src, double* dst,
                            std::size_t numElements);

} // namespace poplar
