// The ways to use the six workers of a tile.
#ifndef __IPU_ARCH_VERSION__
#define __IPU_ARCH_VERSION__ 2
#endif

#include <arch/gc_tile_defines.h>
#include <poplar/Vertex.hpp>

using namespace poplar;

class WhoAmI : public MultiVertex {
  public:
    Output<Vector<unsigned>> worker;

    bool compute(unsigned workerId) {
        for (unsigned i = workerId; i < worker.size(); i += numWorkers()) worker[i] = workerId;
        return true;
    }
};

class MaximumWorker : public Vertex {
  public:
    Input<Vector<int>> values;
    Output<int> maximum;
    Vector<int> best;

    bool compute() {
        const unsigned worker = __builtin_ipu_get(CSR_W_WSR__INDEX) & CSR_W_WSR__CTXTID_M1__MASK;
        int mine = -1000000;
        for (unsigned i = worker; i < values.size(); i += CTXT_WORKERS) {
            if (values[i] > mine) mine = values[i];
        }
        best[worker] = mine;
        return true;
    }
};

class MaximumSupervisor : public SupervisorVertex {
  public:
    Input<Vector<int>> values;
    Output<int> maximum;
    Vector<int> best;

    __attribute__((target("supervisor"))) bool compute() {
        __asm__ volatile("setzi $m1, __runCodelet_MaximumWorker\n"
                         "runall $m1, $m0, 0\n"
                         "sync %[zone]\n" ::[zone] "i"(TEXCH_SYNCZONE_LOCAL));
        int found = best[0];
        for (unsigned w = 1; w < 6; ++w) {
            if (best[w] > found) found = best[w];
        }
        *maximum = found;
        return true;
    }
};

class CountSupervisor : public SupervisorVertex {
  public:
    Input<Vector<int>> values;
    Output<int> positive;

    __attribute__((target("supervisor"))) bool compute() {
        int count = 0;
        for (unsigned i = 0; i < values.size(); ++i) {
            if (values[i] > 0) ++count;
        }
        *positive = count;
        return true;
    }
};
