// What the readers of edge-like text formats share: header lines taken apart, ids and weights read
// with errors that say what to do, and parsing in the narrowest types that hold every number.
#pragma once

#include <cmath>

#include "graph/files/line_cursor.h"

namespace tropic {

/// Bodies are parsed optimistically narrow. A number that does not fit throws one of these, and
/// `with_narrowest_types` starts the file again with a wider type.
struct WidenIndex {};
struct WidenValue {
    ElementType to;
};

struct EntryTypes {
    ElementType index = ElementType::int32;
    ElementType value = ElementType::pattern;
};

/// `body(types)` with types widened for as long as it asks for that; it must rewind the file
/// itself.
template <class Body> auto with_narrowest_types(EntryTypes types, const Body& body) {
    for (;;) {
        try {
            return body(types);
        } catch (const WidenIndex&) {
            types.index = ElementType::int64;
        } catch (const WidenValue& widen) {
            types.value = widen.to;
        }
    }
}

/// Stands for the value of entries that have none.
struct NoValue {};

/// Calls `action(TypeTag<Id>, TypeTag<Value>)`; Value is int32, int64, uint64 or double.
template <class Action> decltype(auto) visit_value_types(EntryTypes types, const Action& action) {
    return visit_index(types.index, [&](auto id) -> decltype(auto) {
        switch (types.value) {
        case ElementType::int32:
            return action(id, TypeTag<std::int32_t>{});
        case ElementType::int64:
            return action(id, TypeTag<std::int64_t>{});
        case ElementType::uint64:
            return action(id, TypeTag<std::uint64_t>{});
        default:
            return action(id, TypeTag<double>{});
        }
    });
}

/// The same, with NoValue for the Value of entries without one.
template <class Action> decltype(auto) visit_entry_types(EntryTypes types, const Action& action) {
    if (types.value != ElementType::pattern) return visit_value_types(types, action);
    return visit_index(types.index,
                       [&](auto id) -> decltype(auto) { return action(id, TypeTag<NoValue>{}); });
}

/// A field that names a vertex: a whole number in [low, high].
struct IdField {
    std::string_view what; ///< "the source id"
    Index low = 1;
    Index high = std::numeric_limits<Index>::max();
    char separator = ' ';
    std::string_view text_hint = {}; ///< what to try when the field is not a number at all
    std::string_view range_hint = "correct the number of vertices in the header, or the id";
};

/// A field with a weight. Where reals are allowed, a whole-number type asks to be widened: to the
/// 64-bit type that holds all numbers if there is one, else to float64.
struct WeightField {
    std::string_view what = "the weight";
    bool reals = false;
    Index low = std::numeric_limits<Index>::min();
    char separator = ' ';
    std::string_view hint = {};
};

/// Reads what the fast paths below do not: signs, long numbers, errors.
Index slow_id(LineCursor& cursor, const IdField& field);
Index slow_weight(LineCursor& cursor, const WeightField& field);
std::uint64_t slow_unsigned_weight(LineCursor& cursor, const WeightField& field);
[[noreturn]] void fail_id(const LineCursor& cursor, const char* start, const IdField& field);
[[noreturn]] void fail_weight(const LineCursor& cursor, const char* start,
                              const WeightField& field);

inline bool ends_field(char c, char separator) noexcept {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == separator;
}

/// Short runs of digits, the rule by far; -1 for anything else, with the cursor left in place.
inline Index short_digits(LineCursor& cursor, char separator) noexcept {
    const char* p = cursor.position();
    std::uint64_t value = 0;
    const auto digits = scan_digits(p, cursor.end(), value);
    if (digits == 0 || digits > 18 || !ends_field(*p, separator)) [[unlikely]]
        return -1;
    cursor.move_to(p);
    return static_cast<Index>(value);
}

/// The id, which must fit `Id`: WidenIndex otherwise.
template <class Id> Id read_id(LineCursor& cursor, const IdField& field) {
    const char* const start = cursor.position();
    Index id = short_digits(cursor, field.separator);
    if (id < 0) [[unlikely]]
        id = slow_id(cursor, field);
    if (id < field.low || id > field.high) [[unlikely]]
        fail_id(cursor, start, field);
    if constexpr (sizeof(Id) < sizeof(Index)) {
        if (id > std::numeric_limits<Id>::max()) [[unlikely]]
            throw WidenIndex{};
    }
    return static_cast<Id>(id);
}

template <class Value> Value read_weight(LineCursor& cursor, const WeightField& field) {
    if constexpr (std::is_same_v<Value, double>) {
        return advised([&] { return cursor.real<double>(field.what, field.separator); },
                       cursor.at_line_end() ? std::string_view() : field.hint);
    } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
        const Index weight = short_digits(cursor, field.separator);
        if (weight < 0) [[unlikely]]
            return slow_unsigned_weight(cursor, field);
        return static_cast<std::uint64_t>(weight);
    } else {
        const char* const start = cursor.position();
        Index weight = short_digits(cursor, field.separator);
        if (weight < 0) [[unlikely]]
            weight = slow_weight(cursor, field);
        if (weight < field.low) [[unlikely]]
            fail_weight(cursor, start, field);
        if (!std::in_range<Value>(weight)) [[unlikely]]
            throw WidenValue{ElementType::int64};
        return static_cast<Value>(weight);
    }
}

/// Whole numbers among reals, which become reals as well, and those of them that this changes.
class RoundedWeights {
  public:
    /// From here on neighbouring doubles are no longer neighbouring whole numbers.
    static constexpr double first_inexact = 0x1p53;

    /// Looks at a number that was read from `text`, a whole field.
    void look(std::string_view text, double value, Index line) {
        if (std::abs(value) >= first_inexact) [[unlikely]]
            look_closely(text, value, line);
    }
    /// What was seen further down in the file.
    void include(const RoundedWeights& later);
    /// Says how many there were, where the first one is and what became of it.
    void warn(std::string_view things, std::vector<std::string>& warnings) const;

  private:
    void look_closely(std::string_view text, double value, Index line);

    Index count_ = 0;
    Index line_ = 0;
    std::string first_;
    std::string became_;
};

/// Refuses whatever is left of a line that should have ended.
void expect_line_end(LineCursor& cursor, std::string_view line_shape);

/// A header line kept beyond the next read, in fields.
class HeaderLine {
  public:
    HeaderLine() = default;
    HeaderLine(const TextFile& file, std::string_view line);

    std::size_t size() const noexcept { return fields_.size(); }
    std::string_view field(std::size_t i) const {
        return std::string_view(text_).substr(fields_[i].first, fields_[i].second);
    }

    /// The whole number in field `i`; `shape` says how the line should look.
    Index number(const TextFile& file, std::size_t i, std::string_view what, Index low, Index high,
                 std::string_view shape) const;

    /// An error at field `i` (or behind the last one).
    [[noreturn]] void fail(const TextFile& file, std::size_t i, ErrorCode code, std::string message,
                           std::string accepted = {}, std::string hint = {}) const;

  private:
    std::string text_;
    Index line_ = 0;
    std::vector<std::pair<std::size_t, std::size_t>> fields_; ///< offset and length
};

/// Throws unless the header's promise of `promised` things in field `i` was kept.
void check_count(const TextFile& file, const HeaderLine& header, std::size_t i,
                 std::string_view things, Index promised, Index found);

/// Lines of a block, an upper bound for its entries.
inline Index count_lines(const TextBlock& block) noexcept {
    return std::count(block.text.begin(), block.text.end(), '\n') + 1;
}

} // namespace tropic
