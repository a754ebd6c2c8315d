// Compiled with a definition and a directory for headers given by the program.
#include "shift.hpp"
#include <poplar/Vertex.hpp>

using namespace poplar;

class Shift : public Vertex {
  public:
    Input<int> in;
    Output<int> out;

    bool compute() {
        *out = shifted(*in) + EXTRA;
        return true;
    }
};
