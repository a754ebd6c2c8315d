#include <poplar/Vertex.hpp>

__attribute__((noinline)) int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

class Recursive : public poplar::Vertex {
  public:
    poplar::InOut<int> n;
    bool compute() {
        *n = fibonacci(*n);
        return true;
    }
};
