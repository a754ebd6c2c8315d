// A model of a machine that the program describes itself.
#pragma once

#include <cstdint>

#include <poplar/Device.hpp>

namespace poplar {

class IPUModel {
  public:
    /// As `createDevice` finds it set; what is left alone is that of `IPUVersion` ("ipu1" is a GC2,
    /// "ipu2" a GC200, or the name of one of Tropic's machines).
    explicit IPUModel(char const* IPUVersion = "ipu2");

    unsigned numIPUs = 1;
    unsigned tilesPerIPU = 0;
    unsigned tilesPerSharedExchangeBus = 2;
    unsigned numWorkerContexts = 6;
    std::uint64_t memoryBytesPerTile = 0;
    double tileClockFrequency = 0;
    unsigned exchangeBytesPerCycle = 4;
    unsigned memcpyBytesPerCycle = 8;
    unsigned minIPUSyncDelay = 0;
    unsigned globalSyncCycles = 0;
    unsigned numStrideBits = 10;
    unsigned dataPathWidth = 64;
    unsigned fp16ConvUnitMaxPipelineDepth = 4;
    bool supervisorInstrFetchDelay = false;
    bool compileIPUCode = true;

    Device createDevice(OptionFlags opts = {}, bool accurateHalf = false,
                        unsigned deviceManagerId = 0) const;

  private:
    std::string version_;
};

} // namespace poplar
