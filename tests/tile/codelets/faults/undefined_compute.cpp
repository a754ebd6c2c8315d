#include <poplar/Vertex.hpp>

class External : public poplar::Vertex {
  public:
    IS_EXTERNAL_CODELET(true);
    bool compute();
};
