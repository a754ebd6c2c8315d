#include <poplar/Vertex.hpp>

struct Pair {
    int first, second;
};

class Paired : public poplar::Vertex {
  public:
    Pair pair;
    bool compute() { return true; }
};
