#include <poplar/Vertex.hpp>

int elsewhere();
static const int start = elsewhere();

class Started : public poplar::Vertex {
  public:
    poplar::Output<int> out;
    bool compute() {
        *out = start;
        return true;
    }
};
