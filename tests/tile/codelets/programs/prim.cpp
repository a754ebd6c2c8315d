// Prim's algorithm: distances of one column, the nearest vertex of a block, the nearest of all.
#ifndef __IPU_ARCH_VERSION__
#define __IPU_ARCH_VERSION__ 2
#endif

#include "print.h"
#include <arch/gc_tile_defines.h>
#include <cmath>
#include <float.h>
#include <limits.h>
#include <poplar/Vertex.hpp>

using namespace poplar;

class PrimsBlock : public MultiVertex {
  public:
    Input<Vector<int>> weights;
    Input<Vector<unsigned>> rows;
    Input<Vector<unsigned>> columns;
    Input<unsigned> current;
    unsigned row_offset;
    InOut<Vector<int>> dist;
    InOut<Vector<unsigned>> dist_prev;

    auto compute(unsigned workerId) -> bool {
        if (workerId == 0 && current >= row_offset && current - row_offset < dist.size()) {
            dist[current - row_offset] = INT_MAX;
            dist_prev[current - row_offset] = UINT_MAX;
        }
        for (size_t i = columns[current] + workerId; i < columns[current + 1];
             i += MultiVertex::numWorkers()) {
            unsigned row = rows[i];
            if (weights[i] < dist[row] && dist_prev[row] != UINT_MAX) {
                dist[row] = weights[i];
                dist_prev[row] = *current;
            }
        }
        return true;
    }
};

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
        unsigned workerId = __builtin_ipu_get(CSR_W_WSR__INDEX) & CSR_W_WSR__CTXTID_M1__MASK;
        unsigned workers = CTXT_WORKERS;
        int best_dist = INT_MAX;
        unsigned from = 0;
        unsigned to = 0;
        for (size_t i = workerId; i < block_dist.size(); i += workers) {
            if (block_dist[i] < best_dist) {
                best_dist = block_dist[i];
                from = block_dist_from[i];
                to = block_dist_to[i];
            }
        }
        tmp1[workerId] = best_dist;
        tmp2[workerId] = from;
        tmp3[workerId] = to;
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
        unsigned res1 = tmp1[0] < tmp1[1] ? 0 : 1;
        unsigned res2 = tmp1[2] < tmp1[3] ? 2 : 3;
        unsigned res3 = tmp1[4] < tmp1[5] ? 4 : 5;
        res1 = tmp1[res1] < tmp1[res2] ? res1 : res2;
        res1 = tmp1[res1] < tmp1[res3] ? res1 : res3;
        if (tmp1[res1] == INT_MAX) {
            *should_continue = false;
        } else {
            *current = tmp3[res1];
            connection[tmp3[res1]] = tmp2[res1];
            *should_continue = true;
        }
    }

    __attribute__((target("supervisor"))) bool compute() {
        __asm__ volatile("setzi    $m1, __runCodelet_GatherResult\n"
                         "runall   $m1, $m0, 0 \n"
                         "sync     %[sync_zone]\n" ::[sync_zone] "i"(TEXCH_SYNCZONE_LOCAL));
        collect();
        return true;
    }
};
