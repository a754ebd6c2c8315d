// The types of elements.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <type_traits>

#include <poplar/StringRef.hpp>

namespace poplar {

class Type {
  public:
    /// In the order of the machine's own element types, so that one converts to the other.
    enum class Kind : std::uint8_t {
        BOOL,
        CHAR,
        UNSIGNED_CHAR,
        SHORT,
        UNSIGNED_SHORT,
        INT,
        UNSIGNED_INT,
        LONGLONG,
        UNSIGNED_LONGLONG,
        HALF,
        FLOAT,
    };

    constexpr Type() noexcept = default;
    explicit constexpr Type(Kind kind) noexcept : kind_(kind) {}

    constexpr Kind kind() const noexcept { return kind_; }
    StringRef toString() const;
    bool isFloatingPoint() const noexcept { return kind_ >= Kind::HALF; }
    bool isIntegral() const noexcept { return kind_ > Kind::BOOL && kind_ < Kind::HALF; }
    bool isSimple() const noexcept { return true; }
    std::size_t hash() const noexcept { return static_cast<std::size_t>(kind_); }

    friend constexpr bool operator==(const Type& l, const Type& r) noexcept {
        return l.kind_ == r.kind_;
    }
    friend constexpr bool operator!=(const Type& l, const Type& r) noexcept { return !(l == r); }
    friend constexpr bool operator<(const Type& l, const Type& r) noexcept {
        return l.kind_ < r.kind_;
    }

  private:
    Kind kind_ = Kind::FLOAT;
};

std::ostream& operator<<(std::ostream& os, const Type& t);

inline constexpr Type BOOL{Type::Kind::BOOL};
inline constexpr Type CHAR{Type::Kind::CHAR};
inline constexpr Type SIGNED_CHAR{Type::Kind::CHAR};
inline constexpr Type UNSIGNED_CHAR{Type::Kind::UNSIGNED_CHAR};
inline constexpr Type SHORT{Type::Kind::SHORT};
inline constexpr Type UNSIGNED_SHORT{Type::Kind::UNSIGNED_SHORT};
inline constexpr Type INT{Type::Kind::INT};
inline constexpr Type UNSIGNED_INT{Type::Kind::UNSIGNED_INT};
inline constexpr Type LONGLONG{Type::Kind::LONGLONG};
inline constexpr Type UNSIGNED_LONGLONG{Type::Kind::UNSIGNED_LONGLONG};
/// `long` has 32 bits on a tile.
inline constexpr Type LONG{Type::Kind::INT};
inline constexpr Type UNSIGNED_LONG{Type::Kind::UNSIGNED_INT};
inline constexpr Type HALF{Type::Kind::HALF};
inline constexpr Type FLOAT{Type::Kind::FLOAT};

/// The type of an element that holds a T of the host: equivalent_device_type<float>().value.
template <class T> struct equivalent_device_type;
#define TROPIC_DEVICE_TYPE(T, TYPE)                                                                \
    template <> struct equivalent_device_type<T> {                                                 \
        static constexpr Type value = TYPE;                                                        \
    };
TROPIC_DEVICE_TYPE(bool, BOOL)
TROPIC_DEVICE_TYPE(char, CHAR)
TROPIC_DEVICE_TYPE(signed char, CHAR)
TROPIC_DEVICE_TYPE(unsigned char, UNSIGNED_CHAR)
TROPIC_DEVICE_TYPE(short, SHORT)
TROPIC_DEVICE_TYPE(unsigned short, UNSIGNED_SHORT)
TROPIC_DEVICE_TYPE(int, INT)
TROPIC_DEVICE_TYPE(unsigned, UNSIGNED_INT)
TROPIC_DEVICE_TYPE(long, LONGLONG)
TROPIC_DEVICE_TYPE(unsigned long, UNSIGNED_LONGLONG)
TROPIC_DEVICE_TYPE(long long, LONGLONG)
TROPIC_DEVICE_TYPE(unsigned long long, UNSIGNED_LONGLONG)
TROPIC_DEVICE_TYPE(float, FLOAT)
TROPIC_DEVICE_TYPE(double, FLOAT)
#undef TROPIC_DEVICE_TYPE

} // namespace poplar

template <> struct std::hash<poplar::Type> {
    std::size_t operator()(const poplar::Type& t) const noexcept { return t.hash(); }
};
