// Includes what it does not use.
#include <iostream>
#include <poplar/Vertex.hpp>
#include <vector>

class One : public poplar::Vertex {
  public:
    poplar::Output<int> out;
    bool compute() {
        *out = 1;
        return true;
    }
};
