// The row of one tile that is nearest to the tree. A supervisor starts six workers, each of which
// looks at every sixth row, and then picks the best of their six answers: a MultiVertex could not
// bring the six together.
#ifndef __IPU_ARCH_VERSION__
#define __IPU_ARCH_VERSION__ 2
#endif

#include <arch/gc_tile_defines.h>
#include <climits>
#include <cstddef>
#include <poplar/Vertex.hpp>

using namespace poplar;

class ReduceBlock : public Vertex {
  public:
    Input<Vector<int>> dist;
    Input<Vector<unsigned>> dist_prev;

    unsigned row_offset;

    Output<int> block_dist;
    Output<unsigned> block_dist_from;
    Output<unsigned> block_dist_to;

    Vector<int> tmp1;      // each worker's distance
    Vector<unsigned> tmp2; // the end of that edge in the tree
    Vector<unsigned> tmp3; // and the one outside

    bool compute() {
        const unsigned worker = __builtin_ipu_get(CSR_W_WSR__INDEX) & CSR_W_WSR__CTXTID_M1__MASK;
        int best = INT_MAX;
        unsigned from = 0;
        unsigned to = 0;
        for (std::size_t i = worker; i < dist.size(); i += CTXT_WORKERS) {
            if (dist[i] < best) {
                best = dist[i];
                from = dist_prev[i];
                to = i + row_offset;
            }
        }
        tmp1[worker] = best;
        tmp2[worker] = from;
        tmp3[worker] = to;
        return true;
    }
};

// The same fields in the same order: the workers see the supervisor's.
class ReduceBlockSupervisor : public SupervisorVertex {
  public:
    Input<Vector<int>> dist;
    Input<Vector<unsigned>> dist_prev;

    unsigned row_offset;

    Output<int> block_dist;
    Output<unsigned> block_dist_from;
    Output<unsigned> block_dist_to;

    Vector<int> tmp1;
    Vector<unsigned> tmp2;
    Vector<unsigned> tmp3;

    __attribute__((target("supervisor"))) void collect() {
        const unsigned a = tmp1[0] < tmp1[1] ? 0 : 1;
        const unsigned b = tmp1[2] < tmp1[3] ? 2 : 3;
        const unsigned c = tmp1[4] < tmp1[5] ? 4 : 5;
        unsigned best = tmp1[a] < tmp1[b] ? a : b;
        best = tmp1[best] < tmp1[c] ? best : c;
        *block_dist = tmp1[best];
        *block_dist_from = tmp2[best];
        *block_dist_to = tmp3[best];
    }

    __attribute__((target("supervisor"))) bool compute() {
        __asm__ volatile("setzi $m1, __runCodelet_ReduceBlock\n"
                         "runall $m1, $m0, 0\n"
                         "sync %[sync_zone]\n" ::[sync_zone] "i"(TEXCH_SYNCZONE_LOCAL));
        collect();
        return true;
    }
};
