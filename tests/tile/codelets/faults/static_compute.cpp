#include <poplar/Vertex.hpp>

class Static : public poplar::Vertex {
  public:
    static bool compute() { return true; }
};
