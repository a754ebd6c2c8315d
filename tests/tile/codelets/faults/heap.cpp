#include <poplar/Vertex.hpp>

class Heap : public poplar::Vertex {
  public:
    poplar::Input<int> n;
    poplar::Output<int> out;
    bool compute() {
        int* memory = new int[*n];
        memory[*n - 1] = 3;
        *out = memory[0];
        return true;
    }
};
