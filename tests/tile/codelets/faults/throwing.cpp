#include <poplar/Vertex.hpp>

class Throws : public poplar::Vertex {
  public:
    bool compute() { throw 1; }
};
