// What loops and branches on the device are decided by.
#include <poplar/Vertex.hpp>

using namespace poplar;

class CountDown : public Vertex {
  public:
    InOut<int> counter;
    Output<bool> more;

    bool compute() {
        *counter -= 1;
        *more = *counter > 0;
        return true;
    }
};

class Collatz : public Vertex {
  public:
    InOut<unsigned> value;
    InOut<unsigned> steps;
    Output<bool> done;

    bool compute() {
        if (*value != 1) {
            *value = *value % 2 == 0 ? *value / 2 : 3 * *value + 1;
            *steps += 1;
        }
        *done = *value == 1;
        return true;
    }
};

class Below : public Vertex {
  public:
    Input<int> value;
    int limit;
    Output<bool> result;

    bool compute() {
        *result = *value < limit;
        return true;
    }
};
