#include <iostream>
#include <poplar/Vertex.hpp>

class Streams : public poplar::Vertex {
  public:
    poplar::Output<int> out;
    bool compute() {
        std::cout << *out;
        return true;
    }
};
