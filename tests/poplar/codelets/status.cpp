// Vertices that say how it went.
#include <poplar/Vertex.hpp>

using namespace poplar;

class IsPositive : public Vertex {
  public:
    Input<int> value;

    bool compute() { return *value > 0; }
};

class Nothing : public Vertex {
  public:
    Output<int> value;

    void compute() { *value = 7; }
};
