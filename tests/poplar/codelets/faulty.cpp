// What codelets should not do.
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
