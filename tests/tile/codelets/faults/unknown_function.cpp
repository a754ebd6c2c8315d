#include <poplar/Vertex.hpp>

int elsewhere(int);

class Calls : public poplar::Vertex {
  public:
    poplar::Output<int> out;
    bool compute() {
        *out = elsewhere(1);
        return true;
    }
};
