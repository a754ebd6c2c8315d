#include <poplar/Vertex.hpp>

class Assembly : public poplar::SupervisorVertex {
  public:
    poplar::Output<int> out;
    bool compute() {
        asm volatile("setzi $m1, 5\n"
                     "add $m1, $m1, $m2\n");
        return true;
    }
};
