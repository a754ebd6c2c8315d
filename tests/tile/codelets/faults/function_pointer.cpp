#include <poplar/Vertex.hpp>

static int one(int x) {
    return x + 1;
}
static int two(int x) {
    return x * 2;
}

class Indirect : public poplar::Vertex {
  public:
    poplar::InOut<int> n;
    bool compute() {
        int (*functions[])(int) = {one, two};
        *n = functions[*n & 1](*n);
        return true;
    }
};
