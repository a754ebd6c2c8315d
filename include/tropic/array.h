// A contiguous run of elements of one type, shared by handle: owned memory (counted against a
// MemoryBudget, on huge pages where large), a mapped file, or memory borrowed from the caller.
#pragma once

#include <algorithm>
#include <cassert>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "tropic/context.h"
#include "tropic/types.h"

namespace tropic {

class Array {
  public:
    /// No elements, type `pattern`.
    Array() = default;

    /// Uninitialised elements. Throws Error(out_of_memory), naming `purpose`, before allocating
    /// over the context's limit. `pattern` arrays have a size but no memory.
    static Array allocate(ElementType type, Index size, const Context& context,
                          std::string_view purpose);

    /// All elements zero.
    static Array zeros(ElementType type, Index size, const Context& context,
                       std::string_view purpose);

    /// Memory of the caller's, not copied; `owner`, if given, keeps it alive.
    static Array borrow(ElementType type, const void* data, Index size,
                        std::shared_ptr<const void> owner = {});

    /// A copy of the caller's elements.
    template <class T>
    static Array copy_of(std::span<const T> elements, const Context& context,
                         std::string_view purpose) {
        Array array =
            allocate(element_type_of<T>(), static_cast<Index>(elements.size()), context, purpose);
        std::copy(elements.begin(), elements.end(), array.mutable_as<T>().begin());
        return array;
    }

    ElementType type() const noexcept { return type_; }
    Index size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    std::size_t bytes() const noexcept { return static_cast<std::size_t>(size_) * size_of(type_); }
    const void* data() const noexcept { return data_; }

    /// Whether the elements are the caller's or a file's: what lies behind them may be anybody's.
    bool is_borrowed() const noexcept { return read_only_; }

    /// Throws Error(inconsistent) if the elements are of another type.
    template <class T> std::span<const T> as() const {
        if (type_ != element_type_of<T>()) [[unlikely]]
            fail_type(element_type_of<T>());
        return {static_cast<const T*>(data_), static_cast<std::size_t>(size_)};
    }

    /// Only for the code that has just allocated the array: arrays are shared, so a published one
    /// is never written to. Borrowed and mapped arrays are read-only.
    template <class T> std::span<T> mutable_as() noexcept {
        assert(type_ == element_type_of<T>() && !read_only_);
        return {static_cast<T*>(const_cast<void*>(data_)), static_cast<std::size_t>(size_)};
    }
    void* mutable_data() noexcept {
        assert(!read_only_);
        return const_cast<void*>(data_);
    }

    /// Element `i` of an int32 or int64 array, widened. For single looks, not for loops.
    Index index_at(Index i) const noexcept;

    /// Element `i` as a double, whatever the type; 1 for `pattern`. For single looks, not for
    /// loops.
    double value_at(Index i) const noexcept;

    /// Drops the tail; the memory goes back to the system where it is whole pages.
    void shrink(Index size);

  private:
    [[noreturn]] void fail_type(ElementType wanted) const;

    ElementType type_ = ElementType::pattern;
    bool read_only_ = false;
    Index size_ = 0;
    const void* data_ = nullptr;
    std::shared_ptr<const void> owner_;
};

/// The array with elements converted to `type`; throws Error(range) naming the first value that
/// does not fit (floating-point rounding is not a misfit). Returns the same array if nothing
/// changes.
Array cast(const Array& array, ElementType type, const Context& context);

} // namespace tropic
