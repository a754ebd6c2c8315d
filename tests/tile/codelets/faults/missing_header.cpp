#include "no_such_header.h"
#include <poplar/Vertex.hpp>

class Broken : public poplar::Vertex {
  public:
    bool compute() { return true; }
};
