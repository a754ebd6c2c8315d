// Numbers, text and lists as bytes, and back. Whoever reads trusts nothing: what is cut off or
// larger than what is left is an Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tropic/error.h"

namespace tropic::tile {

class ByteWriter {
  public:
    template <class T> void number(T value) {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void text(std::string_view value) {
        number(static_cast<std::uint64_t>(value.size()));
        bytes_.append(value);
    }
    void bytes(std::span<const std::byte> value) {
        text({reinterpret_cast<const char*>(value.data()), value.size()});
    }
    /// Calls `each(item)` for the items, after their number.
    template <class Range, class Each> void list(const Range& range, const Each& each) {
        number(static_cast<std::uint64_t>(std::size(range)));
        for (const auto& item : range) each(item);
    }
    const std::string& written() const { return bytes_; }

  private:
    std::string bytes_;
};

class ByteReader {
  public:
    explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

    template <class T> T number() {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
        T value{};
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    /// One of the first `count` values of an enumeration.
    template <class T> T choice(std::uint32_t count) {
        const auto value = number<std::underlying_type_t<T>>();
        if (value >= count) refuse();
        return static_cast<T>(value);
    }
    bool truth() { return number<std::uint8_t>() != 0; }
    std::string text() { return std::string(take(number<std::uint64_t>())); }
    std::vector<std::byte> bytes() {
        const std::string_view value = take(number<std::uint64_t>());
        const auto* first = reinterpret_cast<const std::byte*>(value.data());
        return {first, first + value.size()};
    }
    /// Calls `each()` as often as there are items. An item takes at least a byte.
    template <class Each> void list(const Each& each) {
        const auto count = number<std::uint64_t>();
        if (count > rest_.size()) refuse();
        for (std::uint64_t i = 0; i < count; ++i) each();
    }
    bool at_end() const { return rest_.empty(); }

    [[noreturn]] static void refuse() {
        throw Error(ErrorCode::corrupt, "the stored executable is damaged",
                    "store it again: Executable::serialize");
    }

  private:
    std::string_view take(std::uint64_t count) {
        if (count > rest_.size()) refuse();
        const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(count));
        rest_.remove_prefix(taken.size());
        return taken;
    }

    std::string_view rest_;
};

} // namespace tropic::tile
