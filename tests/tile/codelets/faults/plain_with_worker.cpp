#include <poplar/Vertex.hpp>

class Plain : public poplar::Vertex {
  public:
    bool compute(unsigned worker) { return worker == 0; }
};
