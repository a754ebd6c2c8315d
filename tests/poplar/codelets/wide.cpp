// Members and elements of 64 bits by their names, which are those of `long` on some hosts.
#include <cstdint>
#include <poplar/Vertex.hpp>

using namespace poplar;

class AddWide : public Vertex {
  public:
    Input<Vector<int64_t>> in;
    Output<Vector<std::uint64_t, VectorLayout::ONE_PTR>> out;
    Vector<Input<Vector<uint64_t>>> lists;
    InOut<int64_t> total;
    int64_t add;
    uint64_t factors[2];

    bool compute() {
        for (unsigned i = 0; i < in.size(); ++i) {
            out[i] = static_cast<uint64_t>(in[i] + add) * factors[i % 2] + lists[1][i];
            *total += in[i];
        }
        return true;
    }
};

// A template for LONGLONG is found under that name, whichever it was instantiated with.
template <class T> class Largest : public Vertex {
  public:
    Input<Vector<T>> in;
    Output<T> out;

    bool compute() {
        T largest = in[0];
        for (const T& element : in) largest = largest < element ? element : largest;
        *out = largest;
        return true;
    }
};
template class Largest<std::int64_t>;
template class Largest<unsigned long long>;

// Through a base, another name and an enumeration.
using Word = std::uint64_t;
enum class Mode : std::int64_t { negate = -1, keep = 1 };
template <class T> class Connected : public Vertex {
  public:
    InOut<T> value;
    Input<Mode> mode;
};
class Turn : public Connected<Word> {
  public:
    bool compute() {
        if (*mode == Mode::negate) *value = ~*value;
        return true;
    }
};
