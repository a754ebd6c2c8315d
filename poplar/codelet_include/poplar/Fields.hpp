// Field types of vertices. `Input`, `Output` and `InOut` are connected to tensors; a plain `Vector`
// is scratch memory. Members must stay as they are: the engine writes them by their offsets
// (ScalarField, PointerField, SpanField and ListField of the tile machine).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace poplar {

/// How a tile stores a vector's address. All that matters here is whether the size is kept.
enum class VectorLayout {
    NOT_SET,
    SPAN,
    SHORT_SPAN,
    ONE_PTR,
    SCALED_PTR32,
    SCALED_PTR64,
    SCALED_PTR128,
    COMPACT_PTR,
};

/// How a tile stores the addresses of several vectors.
enum class VectorListLayout {
    NOT_SET,
    ONE_PTR,
    SCALED_PTR32,
    SCALED_PTR64,
    SCALED_PTR128,
    COMPACT_PTR,
    DELTAN,
    DELTANELEMENTS,
    COMPACT_DELTAN,
};

template <class T, VectorLayout layout = VectorLayout::SPAN, unsigned minAlign = 0,
          bool interleaved = false>
class Vector;
template <class T, VectorListLayout layout = VectorListLayout::DELTAN, unsigned minAlign = 0,
          bool interleaved = false>
class VectorList;
template <class T> class Input;
template <class T> class Output;
template <class T> class InOut;

namespace detail {

constexpr bool has_size(VectorLayout layout) {
    return layout == VectorLayout::SPAN || layout == VectorLayout::SHORT_SPAN ||
           layout == VectorLayout::NOT_SET;
}

/// A type of its own, so that writing a 64-bit element cannot seem to change a size.
enum class Size : std::uint64_t {};

/// A vector without a size.
template <class T> class Pointer {
  public:
    using value_type = std::remove_const_t<T>;

    T& operator[](std::size_t index) const { return begin_[index]; }
    T& operator*() const { return *begin_; }
    T* operator->() const { return begin_; }
    T* data() const { return begin_; }
    T* begin() const { return begin_; }

  private:
    T* begin_;
};

/// A vector with a size.
template <class T> class Span {
  public:
    using value_type = std::remove_const_t<T>;
    using iterator = T*;
    using const_iterator = const T*;

    T& operator[](std::size_t index) const { return begin_[index]; }
    T& operator*() const { return *begin_; }
    T* data() const { return begin_; }
    T* begin() const { return begin_; }
    T* end() const { return begin_ + size(); }
    const T* cbegin() const { return begin(); }
    const T* cend() const { return end(); }
    T& front() const { return *begin_; }
    T& back() const { return begin_[size() - 1]; }
    /// On a tile, where sizes have 32 bits.
    unsigned size() const { return static_cast<unsigned>(size_); }
    bool empty() const { return size() == 0; }

  private:
    T* begin_;
    Size size_;
};

template <class T, bool sized> using Elements = std::conditional_t<sized, Span<T>, Pointer<T>>;

/// A connected scalar: used like the element itself.
template <class T> class Scalar {
  public:
    using value_type = std::remove_const_t<T>;

    T& operator*() const { return *element_; }
    T* operator->() const { return element_; }
    operator T&() const { return *element_; }
    T& get() const { return *element_; }

  protected:
    T* element_;
};

template <class Self, class T> class WritableScalar : public Scalar<T> {
  public:
    const Self& operator=(const T& value) const {
        *this->element_ = value;
        return self();
    }
    template <class U> const Self& operator+=(const U& value) const {
        *this->element_ += value;
        return self();
    }
    template <class U> const Self& operator-=(const U& value) const {
        *this->element_ -= value;
        return self();
    }
    template <class U> const Self& operator*=(const U& value) const {
        *this->element_ *= value;
        return self();
    }
    template <class U> const Self& operator/=(const U& value) const {
        *this->element_ /= value;
        return self();
    }
    template <class U> const Self& operator%=(const U& value) const {
        *this->element_ %= value;
        return self();
    }
    template <class U> const Self& operator&=(const U& value) const {
        *this->element_ &= value;
        return self();
    }
    template <class U> const Self& operator|=(const U& value) const {
        *this->element_ |= value;
        return self();
    }
    template <class U> const Self& operator^=(const U& value) const {
        *this->element_ ^= value;
        return self();
    }
    T& operator++() const { return ++*this->element_; }
    T operator++(int) const { return (*this->element_)++; }
    T& operator--() const { return --*this->element_; }
    T operator--(int) const { return (*this->element_)--; }

  private:
    const Self& self() const { return static_cast<const Self&>(*this); }
};

/// Whether elements are fields of their own, so that a vector of them is a list.
template <class T> struct IsField : std::false_type {};
template <class T> struct IsField<Input<T>> : std::true_type {};
template <class T> struct IsField<Output<T>> : std::true_type {};
template <class T> struct IsField<InOut<T>> : std::true_type {};
template <class T, VectorLayout l, unsigned a, bool i>
struct IsField<Vector<T, l, a, i>> : std::true_type {};

} // namespace detail

/// Scratch memory, private to the vertex; or, of connected vectors, a list of them.
template <class T, VectorLayout layout, unsigned minAlign, bool interleaved>
class Vector : public detail::Elements<T, detail::has_size(layout) || detail::IsField<T>::value> {};

template <class T> class Input : public detail::Scalar<const T> {};
template <class T> class Output : public detail::WritableScalar<Output<T>, T> {
  public:
    using detail::WritableScalar<Output<T>, T>::operator=;
    Output() = default;
    Output(const Output&) = default;
    Output& operator=(const Output& other) {
        *this->element_ = *other;
        return *this;
    }
};
template <class T> class InOut : public detail::WritableScalar<InOut<T>, T> {
  public:
    using detail::WritableScalar<InOut<T>, T>::operator=;
    InOut() = default;
    InOut(const InOut&) = default;
    InOut& operator=(const InOut& other) {
        *this->element_ = *other;
        return *this;
    }
};

template <class T, VectorLayout layout, unsigned minAlign, bool interleaved>
class Input<Vector<T, layout, minAlign, interleaved>>
    : public detail::Elements<const T, detail::has_size(layout)> {};
template <class T, VectorLayout layout, unsigned minAlign, bool interleaved>
class Output<Vector<T, layout, minAlign, interleaved>>
    : public detail::Elements<T, detail::has_size(layout)> {};
template <class T, VectorLayout layout, unsigned minAlign, bool interleaved>
class InOut<Vector<T, layout, minAlign, interleaved>>
    : public detail::Elements<T, detail::has_size(layout)> {};

// Vectors of vectors, whichever of the two the direction is written around.
template <class T, VectorLayout inner, unsigned innerAlign, bool innerInterleaved,
          VectorLayout layout, unsigned minAlign, bool interleaved>
class Input<Vector<Vector<T, inner, innerAlign, innerInterleaved>, layout, minAlign, interleaved>>
    : public detail::Span<const Input<Vector<T, inner, innerAlign, innerInterleaved>>> {};
template <class T, VectorLayout inner, unsigned innerAlign, bool innerInterleaved,
          VectorLayout layout, unsigned minAlign, bool interleaved>
class Output<Vector<Vector<T, inner, innerAlign, innerInterleaved>, layout, minAlign, interleaved>>
    : public detail::Span<const Output<Vector<T, inner, innerAlign, innerInterleaved>>> {};
template <class T, VectorLayout inner, unsigned innerAlign, bool innerInterleaved,
          VectorLayout layout, unsigned minAlign, bool interleaved>
class InOut<Vector<Vector<T, inner, innerAlign, innerInterleaved>, layout, minAlign, interleaved>>
    : public detail::Span<const InOut<Vector<T, inner, innerAlign, innerInterleaved>>> {};

template <class T, VectorListLayout layout, unsigned minAlign, bool interleaved>
class Input<VectorList<T, layout, minAlign, interleaved>>
    : public detail::Span<const Input<Vector<T, VectorLayout::SPAN, minAlign>>> {};
template <class T, VectorListLayout layout, unsigned minAlign, bool interleaved>
class Output<VectorList<T, layout, minAlign, interleaved>>
    : public detail::Span<const Output<Vector<T, VectorLayout::SPAN, minAlign>>> {};
template <class T, VectorListLayout layout, unsigned minAlign, bool interleaved>
class InOut<VectorList<T, layout, minAlign, interleaved>>
    : public detail::Span<const InOut<Vector<T, VectorLayout::SPAN, minAlign>>> {};

} // namespace poplar
