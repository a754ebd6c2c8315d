#include <poplar/Vertex.hpp>

class Wide : public poplar::Vertex {
  public:
    poplar::Input<poplar::Vector<long>> in;
    bool compute() { return true; }
};
