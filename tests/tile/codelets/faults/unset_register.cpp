#include <poplar/Vertex.hpp>

class Known : public poplar::Vertex {
  public:
    bool compute() { return true; }
};

class Supervisor : public poplar::SupervisorVertex {
  public:
    bool compute() {
        asm volatile("runall $m3, $m0, 0\nsync 0");
        return true;
    }
};
