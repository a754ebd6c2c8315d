#include <poplar/Vertex.hpp>
#include "no_such_header.h"

class Broken : public poplar::Vertex {
  public:
    bool compute() { return true; }
};
