#include <poplar/Vertex.hpp>

class Precise : public poplar::Vertex {
  public:
    poplar::Output<double> out;
    bool compute() { return true; }
};
