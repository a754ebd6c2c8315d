#include <poplar/Vertex.hpp>

class Packed : public poplar::Vertex {
  public:
    unsigned low : 4;
    bool compute() { return true; }
};
