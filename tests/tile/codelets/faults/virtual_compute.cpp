#include <poplar/Vertex.hpp>

class Virtual : public poplar::Vertex {
  public:
    virtual bool compute() { return true; }
};
