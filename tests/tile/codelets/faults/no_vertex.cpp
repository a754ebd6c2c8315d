#include <poplar/Vertex.hpp>

template <class T> class Sum : public poplar::Vertex {
  public:
    poplar::Input<poplar::Vector<T>> in;
    bool compute() { return true; }
};
