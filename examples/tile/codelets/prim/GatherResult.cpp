// The best of all tiles' answers joins the tree. One tile does it; as in ReduceBlock, a supervisor
// starts six workers and compares their answers.
#ifndef __IPU_ARCH_VERSION__
#define __IPU_ARCH_VERSION__ 2
#endif

#include <arch/gc_tile_defines.h>
#include <climits>
#include <cstddef>
#include <poplar/Vertex.hpp>

using namespace poplar;

class GatherResult : public Vertex {
  public:
    Input<Vector<int>> block_dist;
    Input<Vector<unsigned>> block_dist_from;
    Input<Vector<unsigned>> block_dist_to;

    Output<unsigned> current;
    InOut<Vector<unsigned>> connection;

    Output<bool> should_continue;

    Vector<int> tmp1;
    Vector<unsigned> tmp2;
    Vector<unsigned> tmp3;

    bool compute() {
        const unsigned worker = __builtin_ipu_get(CSR_W_WSR__INDEX) & CSR_W_WSR__CTXTID_M1__MASK;
        int best = INT_MAX;
        unsigned from = 0;
        unsigned to = 0;
        for (std::size_t i = worker; i < block_dist.size(); i += CTXT_WORKERS) {
            if (block_dist[i] < best) {
                best = block_dist[i];
                from = block_dist_from[i];
                to = block_dist_to[i];
            }
        }
        tmp1[worker] = best;
        tmp2[worker] = from;
        tmp3[worker] = to;
        return true;
    }
};

class GatherResultSupervisor : public SupervisorVertex {
  public:
    Input<Vector<int>> block_dist;
    Input<Vector<unsigned>> block_dist_from;
    Input<Vector<unsigned>> block_dist_to;

    Output<unsigned> current;
    InOut<Vector<unsigned>> connection;

    Output<bool> should_continue;

    Vector<int> tmp1;
    Vector<unsigned> tmp2;
    Vector<unsigned> tmp3;

    __attribute__((target("supervisor"))) void collect() {
        const unsigned a = tmp1[0] < tmp1[1] ? 0 : 1;
        const unsigned b = tmp1[2] < tmp1[3] ? 2 : 3;
        const unsigned c = tmp1[4] < tmp1[5] ? 4 : 5;
        unsigned best = tmp1[a] < tmp1[b] ? a : b;
        best = tmp1[best] < tmp1[c] ? best : c;
        if (tmp1[best] == INT_MAX) {
            *should_continue = false;
        } else {
            *current = tmp3[best];
            connection[tmp3[best]] = tmp2[best];
            *should_continue = true;
        }
    }

    __attribute__((target("supervisor"))) bool compute() {
        __asm__ volatile("setzi $m1, __runCodelet_GatherResult\n"
                         "runall $m1, $m0, 0\n"
                         "sync %[sync_zone]\n" ::[sync_zone] "i"(TEXCH_SYNCZONE_LOCAL));
        collect();
        return true;
    }
};
