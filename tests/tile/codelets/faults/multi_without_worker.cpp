#include <poplar/Vertex.hpp>

class Multi : public poplar::MultiVertex {
  public:
    bool compute() { return true; }
};
