// Vertices for several types: each instance that programs name must be asked for.
#include <poplar/Vertex.hpp>

using namespace poplar;

template <class T> class Twice : public Vertex {
  public:
    Input<Vector<T>> in;
    Output<Vector<T>> out;

    bool compute() {
        for (unsigned i = 0; i < in.size(); ++i) out[i] = in[i] + in[i];
        return true;
    }
};

template class Twice<float>;
template class Twice<int>;

template <class T, bool negate> class Choose : public Vertex {
  public:
    Input<T> in;
    Output<T> out;

    bool compute() {
        *out = negate ? -*in : *in;
        return true;
    }
};

template class Choose<int, true>;
template class Choose<int, false>;
