#include <poplar/Vertex.hpp>

static int calls = 0;

class Global : public poplar::Vertex {
  public:
    poplar::Output<int> out;
    bool compute() {
        *out = ++calls;
        return true;
    }
};
