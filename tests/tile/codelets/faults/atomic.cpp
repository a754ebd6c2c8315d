#include <poplar/Vertex.hpp>

class Atomic : public poplar::Vertex {
  public:
    poplar::InOut<int> n;
    bool compute() {
        __atomic_fetch_add(&*n, 1, __ATOMIC_SEQ_CST);
        return true;
    }
};
