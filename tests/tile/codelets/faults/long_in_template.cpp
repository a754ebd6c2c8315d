#include <poplar/Vertex.hpp>

template <class T> class Wide : public poplar::Vertex {
  public:
    poplar::Output<T> out;
    bool compute() {
        *out = 1;
        return true;
    }
};
template class Wide<unsigned long>;
