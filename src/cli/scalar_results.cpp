#include "cli/scalar_results.h"

#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tropic::cli {

namespace {

/// A number of any type.
struct Number {
    double real = 0;
    std::int64_t integer = 0; ///< of integers and truths; of a uint64 its bits
};

/// The largest value of an integer type stands for infinity.
bool is_infinite(const AlgorithmVariable& variable, const Number& number) {
    if (variable.vertex || variable.element == ElementType::boolean) return false;
    return visit_type(variable.element, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_floating_point_v<T>) {
            return number.real == std::numeric_limits<T>::infinity();
        } else {
            return sizeof(T) >= 4 &&
                   static_cast<T>(number.integer) == std::numeric_limits<T>::max();
        }
    });
}

std::string text_of(const AlgorithmVariable& variable, const Number& number) {
    if (variable.vertex && number.integer < 0) return "none";
    if (is_infinite(variable, number)) return "inf";
    switch (variable.element) {
    case ElementType::boolean:
        return number.integer != 0 ? "true" : "false";
    case ElementType::uint64:
        return std::to_string(static_cast<std::uint64_t>(number.integer));
    case ElementType::float32:
        return fmt::format("{}", static_cast<float>(number.real));
    case ElementType::float64:
        return fmt::format("{}", number.real);
    default:
        return std::to_string(number.integer);
    }
}

Json json_of(const AlgorithmVariable& variable, const Number& number) {
    if ((variable.vertex && number.integer < 0) || is_infinite(variable, number)) return nullptr;
    if (variable.element == ElementType::boolean) return number.integer != 0;
    if (is_float(variable.element)) return number.real;
    if (variable.element == ElementType::uint64) return static_cast<std::uint64_t>(number.integer);
    return number.integer;
}

std::vector<Number> numbers_of(const AlgorithmVariable& variable, const RunResult& result) {
    if (variable.lanes == 1) {
        const auto whole = result.integers.find(variable.name);
        return {{result.number(variable.name),
                 whole == result.integers.end() ? std::int64_t{0} : whole->second}};
    }
    const Array& lanes = result.tensor(variable.name).values();
    std::vector<Number> numbers;
    visit_type(lanes.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        for (const T lane : lanes.as<T>()) {
            Number number{.real = static_cast<double>(lane)};
            if constexpr (std::is_integral_v<T>) number.integer = static_cast<std::int64_t>(lane);
            numbers.push_back(number);
        }
    });
    return numbers;
}

} // namespace

std::string scalar_text(const AlgorithmVariable& variable, const RunResult& result) {
    std::vector<std::string> texts;
    for (const Number& number : numbers_of(variable, result)) {
        texts.push_back(text_of(variable, number));
    }
    return variable.lanes == 1 ? texts[0] : fmt::format("({})", fmt::join(texts, " "));
}

Json scalar_json(const AlgorithmVariable& variable, const RunResult& result) {
    Json list = Json::array();
    for (const Number& number : numbers_of(variable, result)) {
        list.push_back(json_of(variable, number));
    }
    return variable.lanes == 1 ? list[0] : list;
}

} // namespace tropic::cli
