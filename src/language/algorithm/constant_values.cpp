#include "language/algorithm/constant_values.h"

#include <fmt/format.h>

#include "language/element_types.h"

namespace tropic::language::algorithm {

std::int64_t wrapped(std::int64_t bits, const Type& type) {
    if (type.vertex) return bits;
    if (type.element == ElementType::boolean) return bits != 0 ? 1 : 0;
    const auto unused = static_cast<int>(64 - 8 * size_of(type.element));
    const auto high = static_cast<std::int64_t>(static_cast<std::uint64_t>(bits) << unused);
    const bool is_signed = holds_integer(type.element, -1);
    return is_signed ? high >> unused
                     : static_cast<std::int64_t>(static_cast<std::uint64_t>(high) >> unused);
}

double rounded(double number, const Type& type) {
    return type.element == ElementType::float32 ? static_cast<float>(number) : number;
}

double real_value(const Expression& constant, const Type& type) {
    if (is_float(constant.type.element)) return rounded(constant.number, type);
    const auto nearest = [&](auto integer) -> double {
        if (type.element == ElementType::float32) return static_cast<float>(integer);
        return static_cast<double>(integer);
    };
    return is_beyond_int64(constant) ? nearest(static_cast<std::uint64_t>(constant.integer))
                                     : nearest(constant.integer);
}

bool fits(const Expression& constant, const Type& type) {
    if (is_beyond_int64(constant)) return type.element == ElementType::uint64;
    return holds_integer(type.element, constant.integer);
}

std::string integer_text(const Expression& constant) {
    return is_beyond_int64(constant)
               ? fmt::format("{}", static_cast<std::uint64_t>(constant.integer))
               : fmt::format("{}", constant.integer);
}

bool is_beyond_int64(const Expression& e) {
    return e.kind == Expression::Kind::constant && e.type.element == ElementType::uint64 &&
           e.integer < 0;
}

} // namespace tropic::language::algorithm
