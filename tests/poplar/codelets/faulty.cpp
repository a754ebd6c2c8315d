// What codelets should not do.
#include <arch/gc_tile_defines.h>
#include <poplar/Vertex.hpp>

using namespace poplar;

class ReadBeyond : public Vertex {
  public:
    Input<Vector<int>> in;
    Output<int> out;

    bool compute() {
        *out = in[in.size()];
        return true;
    }
};

class WriteBeyond : public Vertex {
  public:
    Output<Vector<int>> out;

    bool compute() {
        for (unsigned i = 0; i <= out.size(); ++i) out[i] = 1;
        return true;
    }
};

// Four flags share a word, and every worker writes into all words.
class RacingFlags : public MultiVertex {
  public:
    Output<Vector<bool>> flags;

    bool compute(unsigned workerId) {
        for (unsigned i = workerId; i < flags.size(); i += numWorkers()) flags[i] = true;
        return true;
    }
};

// The same, a word a worker.
class PeacefulFlags : public MultiVertex {
  public:
    Output<Vector<bool>> flags;

    bool compute(unsigned workerId) {
        for (unsigned word = workerId; word < flags.size() / 4; word += numWorkers()) {
            for (unsigned i = 4 * word; i < 4 * word + 4; ++i) flags[i] = true;
        }
        return true;
    }
};

class CopyFirst : public Vertex {
  public:
    Input<Vector<int>> in;
    Output<int> out;

    bool compute() {
        *out = in[0];
        return true;
    }
};

// Six workers add to one element.
class RacingSum : public MultiVertex {
  public:
    Input<Vector<int>> in;
    InOut<int> sum;

    bool compute(unsigned workerId) {
        for (unsigned i = workerId; i < in.size(); i += numWorkers()) *sum += in[i];
        return true;
    }
};

// They leave what they find in a member that all share.
class RacingMember : public MultiVertex {
  public:
    Input<Vector<int>> in;
    Output<Vector<int>> out;
    int found;

    bool compute(unsigned workerId) {
        found = in[workerId];
        out[workerId] = 2 * found;
        return true;
    }
};

// Each looks at what its neighbour writes.
class RacingNeighbours : public MultiVertex {
  public:
    InOut<Vector<int>> values;

    bool compute(unsigned workerId) {
        values[workerId] = values[(workerId + 1) % numWorkers()];
        return true;
    }
};

// Workers with elements of their own, that the supervisor adds up when all are done.
class PeacefulPart : public Vertex {
  public:
    Input<Vector<int>> in;
    Output<Vector<short>> parts;
    int total;

    bool compute() {
        const unsigned worker = __builtin_ipu_get(CSR_W_WSR__INDEX) & CSR_W_WSR__CTXTID_M1__MASK;
        parts[2 * worker] = static_cast<short>(in[worker] + total);
        return true;
    }
};

class PeacefulSupervisor : public SupervisorVertex {
  public:
    Input<Vector<int>> in;
    Output<Vector<short>> parts;
    int total;

    __attribute__((target("supervisor"))) bool compute() {
        total = 100;
        start();
        for (unsigned i = 1; i < CTXT_WORKERS; ++i) parts[0] += parts[2 * i];
        total = 0;
        start();
        parts[1] = parts[0];
        return true;
    }

  private:
    __attribute__((target("supervisor"), always_inline)) void start() {
        asm volatile("setzi $m1, __runCodelet_PeacefulPart\n"
                     "runall $m1, $m0, 0\n"
                     "sync %[zone]\n" ::[zone] "i"(TEXCH_SYNCZONE_LOCAL)
                     : "$m1");
    }
};

// The second of the vectors, whether there is one or not.
class SecondVector : public Vertex {
  public:
    Vector<Input<Vector<int>>> in;
    Output<int> out;

    bool compute() {
        *out = in[1][0];
        return true;
    }
};
