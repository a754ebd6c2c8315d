#include <poplar/Vertex.hpp>

class Broken : public poplar::Vertex {
  public:
    poplar::Input<int> in;
    bool compute() {
        *in = 1;
        return 2 + ;
    }
};
