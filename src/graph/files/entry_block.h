// Collects the entries of one block of text: matrix entries with an optional value, in arrays sized
// by an upper bound and cut to what was found.
#pragma once

#include <algorithm>

#include "graph/files/fields.h"
#include "tropic/coordinates.h"

namespace tropic {

template <class Id, class Value> class EntryBlock {
  public:
    static constexpr bool has_values = !std::is_same_v<Value, NoValue>;
    static constexpr ElementType value_type() {
        if constexpr (has_values) return element_type_of<Value>();
        else return ElementType::pattern;
    }

    EntryBlock(Index capacity, const Context& context)
        : from_(allocate_ids(capacity, context)), to_(allocate_ids(capacity, context)),
          values_(Array::allocate(value_type(), capacity, context, "the values being read")) {
        from_data_ = from_.template mutable_as<Id>().data();
        to_data_ = to_.template mutable_as<Id>().data();
        if constexpr (has_values) values_data_ = values_.template mutable_as<Value>().data();
    }

    void add(Id from, Id to, Value value) noexcept {
        from_data_[size_] = from;
        to_data_[size_] = to;
        if constexpr (has_values) values_data_[size_] = value;
        ++size_;
    }

    Index size() const noexcept { return size_; }

    CoordinateBlock finish() {
        from_.shrink(size_);
        to_.shrink(size_);
        values_.shrink(size_);
        CoordinateBlock block;
        block.coordinates.push_back(std::move(from_));
        block.coordinates.push_back(std::move(to_));
        block.values = std::move(values_);
        return block;
    }

  private:
    static Array allocate_ids(Index capacity, const Context& context) {
        return Array::allocate(element_type_of<Id>(), capacity, context, "the ids being read");
    }

    Array from_;
    Array to_;
    Array values_;
    Id* from_data_ = nullptr;
    Id* to_data_ = nullptr;
    std::conditional_t<has_values, Value, char>* values_data_ = nullptr;
    Index size_ = 0;
};

} // namespace tropic
