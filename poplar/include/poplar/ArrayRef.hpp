// A view of consecutive elements that someone else owns.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace poplar {

template <class T> class ArrayRef {
  public:
    using value_type = T;
    using element_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using const_reference = const T&;
    using reference = const T&;
    using const_pointer = const T*;
    using pointer = const T*;
    using const_iterator = const T*;
    using iterator = const T*;
    using const_reverse_iterator = std::reverse_iterator<const_iterator>;
    using reverse_iterator = const_reverse_iterator;

    ArrayRef() noexcept = default;
    ArrayRef(const T* p, std::size_t length) noexcept : pointer_(p), length_(length) {}
    ArrayRef(const T* begin, const T* end) noexcept
        : pointer_(begin), length_(static_cast<std::size_t>(end - begin)) {}
    ArrayRef(std::initializer_list<T> list) noexcept : length_(list.size()) {
        pointer_ = list.begin(); // assigned: compilers warn of a member initialised so
    }
    template <class Allocator>
    ArrayRef(const std::vector<T, Allocator>& v) noexcept : pointer_(v.data()), length_(v.size()) {}
    template <std::size_t N>
    ArrayRef(const std::array<T, N>& a) noexcept : pointer_(a.data()), length_(N) {}
    template <std::size_t N> ArrayRef(const T (&a)[N]) noexcept : pointer_(a), length_(N) {}

    const T& operator[](std::size_t i) const { return pointer_[i]; }
    const T& at(std::size_t i) const {
        if (i >= length_) throw std::out_of_range("ArrayRef::at");
        return pointer_[i];
    }
    const T* data() const noexcept { return pointer_; }
    std::size_t size() const noexcept { return length_; }
    bool empty() const noexcept { return length_ == 0; }
    const T& front() const { return pointer_[0]; }
    const T& back() const { return pointer_[length_ - 1]; }
    const_iterator begin() const noexcept { return pointer_; }
    const_iterator end() const noexcept { return pointer_ + length_; }
    const_iterator cbegin() const noexcept { return begin(); }
    const_iterator cend() const noexcept { return end(); }
    const_reverse_iterator rbegin() const noexcept { return const_reverse_iterator(end()); }
    const_reverse_iterator rend() const noexcept { return const_reverse_iterator(begin()); }

    std::vector<std::remove_cv_t<T>> cloneAsVector() const { return {begin(), end()}; }
    operator std::vector<std::remove_cv_t<T>>() const { return cloneAsVector(); }

  private:
    const T* pointer_ = nullptr;
    std::size_t length_ = 0;
};

template <class T> ArrayRef(const T*, std::size_t) -> ArrayRef<T>;
template <class T> ArrayRef(const T*, const T*) -> ArrayRef<T>;
template <class T> ArrayRef(std::initializer_list<T>) -> ArrayRef<T>;
template <class T, class A> ArrayRef(const std::vector<T, A>&) -> ArrayRef<T>;
template <class T, std::size_t N> ArrayRef(const std::array<T, N>&) -> ArrayRef<T>;
template <class T, std::size_t N> ArrayRef(const T (&)[N]) -> ArrayRef<T>;

template <class T> bool operator==(const ArrayRef<T>& l, const ArrayRef<T>& r) {
    if (l.size() != r.size()) return false;
    for (std::size_t i = 0; i < l.size(); ++i) {
        if (!(l[i] == r[i])) return false;
    }
    return true;
}

} // namespace poplar
