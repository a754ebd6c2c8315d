#include <poplar/Vertex.hpp>

class Pointing : public poplar::Vertex {
  public:
    float* where;
    bool compute() { return true; }
};
