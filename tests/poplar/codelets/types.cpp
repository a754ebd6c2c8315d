// One vertex for each type of element.
#include <poplar/Vertex.hpp>

using namespace poplar;

template <class T> class PlusThree : public Vertex {
  public:
    Input<Vector<T>> in;
    Output<Vector<T>> out;

    bool compute() {
        for (unsigned i = 0; i < in.size(); ++i) out[i] = static_cast<T>(in[i] + T(3));
        return true;
    }
};

template class PlusThree<signed char>;
template class PlusThree<unsigned char>;
template class PlusThree<short>;
template class PlusThree<unsigned short>;
template class PlusThree<int>;
template class PlusThree<unsigned>;
template class PlusThree<long long>;
template class PlusThree<unsigned long long>;
template class PlusThree<float>;
template class PlusThree<half>;

class Flip : public Vertex {
  public:
    InOut<Vector<bool>> flags;

    bool compute() {
        for (unsigned i = 0; i < flags.size(); ++i) flags[i] = !flags[i];
        return true;
    }
};

class HalfToFloat : public Vertex {
  public:
    Input<Vector<half>> in;
    Output<Vector<float>> out;

    bool compute() {
        for (unsigned i = 0; i < in.size(); ++i) out[i] = static_cast<float>(in[i]) * 2.0F;
        return true;
    }
};
