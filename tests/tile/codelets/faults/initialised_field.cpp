#include <poplar/Vertex.hpp>

class Initialised : public poplar::Vertex {
  public:
    int count = 5;
    bool compute() { return true; }
};
