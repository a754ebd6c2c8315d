#include <poplar/Vertex.hpp>

asm(".section .text");

class Plain : public poplar::Vertex {
  public:
    bool compute() { return true; }
};
