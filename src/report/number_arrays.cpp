#include "report/number_arrays.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tropic::report {

namespace {

using Json = nlohmann::json;
using Numbers = std::vector<std::uint64_t>;

constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

struct Width {
    std::string_view key;
    std::size_t bytes;
};
constexpr std::array<Width, 4> widths = {{{"u8", 1}, {"u16", 2}, {"u32", 4}, {"u64", 8}}};

const Width& width_for(std::uint64_t largest) {
    for (const Width& width : widths) {
        if (width.bytes == 8 || largest >> (8 * width.bytes) == 0) return width;
    }
    return widths.back();
}

std::size_t digits(std::uint64_t number) {
    std::size_t count = 1;
    for (; number >= 10; number /= 10) ++count;
    return count;
}

std::size_t base64_size(std::size_t bytes) {
    return (bytes + 2) / 3 * 4;
}

void append_base64(std::string& out, std::span<const std::uint64_t> numbers, std::size_t bytes) {
    std::uint32_t held = 0;
    int bits = 0;
    std::size_t written = 0;
    for (const std::uint64_t number : numbers) {
        for (std::size_t b = 0; b < bytes; ++b) {
            held = (held << 8) | (number >> (8 * b) & 0xff);
            for (bits += 8; bits >= 6; ++written) {
                bits -= 6;
                out += letters[held >> bits & 63];
            }
        }
    }
    if (bits > 0) {
        out += letters[held << (6 - bits) & 63];
        ++written;
    }
    for (; written % 4 != 0; ++written) out += '=';
}

std::array<std::int8_t, 256> letter_values() {
    std::array<std::int8_t, 256> values{};
    values.fill(-1);
    for (std::size_t i = 0; i < letters.size(); ++i) {
        values[static_cast<unsigned char>(letters[i])] = static_cast<std::int8_t>(i);
    }
    return values;
}

Numbers read_base64(std::string_view text, std::size_t bytes, std::uint64_t most,
                    std::string& problem) {
    static const std::array<std::int8_t, 256> values = letter_values();
    std::string_view body = text;
    while (body.ends_with('=') && text.size() - body.size() < 2) body.remove_suffix(1);
    const std::size_t decoded = body.size() * 3 / 4;
    if (text.size() % 4 != 0 || decoded % bytes != 0) {
        problem = fmt::format("its base64 text of {} letters is not a whole number of u{} values",
                              text.size(), 8 * bytes);
        return {};
    }
    if (decoded / bytes > most) {
        problem = fmt::format("it holds {} numbers", decoded / bytes);
        return {};
    }
    Numbers numbers;
    numbers.reserve(decoded / bytes);
    std::uint32_t held = 0;
    int bits = 0;
    std::size_t at = 0;
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < body.size(); ++i) {
        const std::int8_t value = values[static_cast<unsigned char>(body[i])];
        if (value < 0) {
            problem = fmt::format("its base64 text has a wrong letter at position {}", i);
            return {};
        }
        held = (held << 6) | static_cast<std::uint32_t>(value);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        number |= static_cast<std::uint64_t>(held >> bits & 0xff) << (8 * at);
        if (++at == bytes) {
            numbers.push_back(number);
            at = 0;
            number = 0;
        }
    }
    return numbers;
}

/// A whole number, not negative; anything else is the problem.
std::uint64_t read_number(const Json& json, std::string& problem) {
    if (json.is_number_unsigned()) return json.get<std::uint64_t>();
    if (problem.empty()) {
        problem = fmt::format("it holds {}, which is not a whole number from 0 on",
                              json.is_number() ? json.dump() : json.type_name());
    }
    return 0;
}

Numbers read_plain(const Json& json, std::uint64_t most, std::string& problem) {
    if (json.size() > most) {
        problem = fmt::format("it holds {} numbers", json.size());
        return {};
    }
    Numbers numbers;
    numbers.reserve(json.size());
    for (const Json& number : json) numbers.push_back(read_number(number, problem));
    return numbers;
}

Numbers read_range(const Json& json, std::uint64_t most, std::string& problem) {
    if (!json.is_array() || json.size() != 2) {
        problem = "its range is not [FIRST, COUNT]";
        return {};
    }
    const std::uint64_t first = read_number(json[0], problem);
    const std::uint64_t count = read_number(json[1], problem);
    if (problem.empty() && count > most) problem = fmt::format("it holds {} numbers", count);
    if (problem.empty() && count > std::numeric_limits<std::uint64_t>::max() - first) {
        problem = "its range ends beyond 64 bits";
    }
    if (!problem.empty()) return {};
    Numbers numbers(count);
    for (std::uint64_t i = 0; i < count; ++i) numbers[i] = first + i;
    return numbers;
}

Numbers read_runs(const Json& json, std::uint64_t most, std::string& problem) {
    if (!json.is_array() || json.size() % 2 != 0) {
        problem = "its runs are not pairs [VALUE, COUNT, VALUE, COUNT, ...]";
        return {};
    }
    Numbers numbers;
    for (std::size_t i = 0; i < json.size() && problem.empty(); i += 2) {
        const std::uint64_t value = read_number(json[i], problem);
        const std::uint64_t count = read_number(json[i + 1], problem);
        if (problem.empty() && count > most - numbers.size()) {
            problem = fmt::format("its runs hold more than {} numbers", most);
        }
        if (problem.empty()) numbers.insert(numbers.end(), count, value);
    }
    return numbers;
}

} // namespace

void append_numbers(std::string& out, std::span<const std::uint64_t> numbers) {
    std::uint64_t largest = 0;
    std::size_t plain = 2;
    std::size_t run_text = std::string_view("{'runs':[]}").size();
    bool ascending = numbers.size() > 2;
    std::size_t run_begin = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        largest = std::max(largest, numbers[i]);
        plain += digits(numbers[i]) + 1;
        if (i > 0 && numbers[i] != numbers[i - 1] + 1) ascending = false;
        if (i + 1 == numbers.size() || numbers[i + 1] != numbers[i]) {
            run_text += digits(numbers[i]) + digits(i + 1 - run_begin) + 2;
            run_begin = i + 1;
        }
    }
    const Width& width = width_for(largest);
    const std::size_t packed = base64_size(numbers.size() * width.bytes) + width.key.size() + 7;
    if (ascending) {
        fmt::format_to(std::back_inserter(out), "{{\"range\":[{},{}]}}", numbers[0],
                       numbers.size());
    } else if (plain <= run_text && plain <= packed) {
        out += '[';
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            fmt::format_to(std::back_inserter(out), "{}{}", i == 0 ? "" : ",", numbers[i]);
        }
        out += ']';
    } else if (run_text <= packed) {
        out += "{\"runs\":[";
        for (std::size_t begin = 0, end = 0; begin < numbers.size(); begin = end) {
            while (end < numbers.size() && numbers[end] == numbers[begin]) ++end;
            fmt::format_to(std::back_inserter(out), "{}{},{}", begin == 0 ? "" : ",",
                           numbers[begin], end - begin);
        }
        out += "]}";
    } else {
        fmt::format_to(std::back_inserter(out), "{{\"{}\":\"", width.key);
        append_base64(out, numbers, width.bytes);
        out += "\"}";
    }
}

std::vector<std::uint64_t> read_numbers(const Json& json, std::uint64_t most,
                                        std::string& problem) {
    Numbers numbers;
    if (json.is_array()) {
        numbers = read_plain(json, most, problem);
    } else if (json.is_object() && json.size() == 1) {
        const std::string& key = json.begin().key();
        const Json& value = json.begin().value();
        const auto* const width = std::ranges::find(widths, std::string_view(key), &Width::key);
        if (key == "range") {
            numbers = read_range(value, most, problem);
        } else if (key == "runs") {
            numbers = read_runs(value, most, problem);
        } else if (width != widths.end() && value.is_string()) {
            numbers = read_base64(value.get_ref<const std::string&>(), width->bytes, most, problem);
        } else {
            problem = fmt::format("it is written in an unknown way, \"{}\"", key);
        }
    } else {
        problem = fmt::format("it is not an array of numbers but {}", json.type_name());
    }
    if (!problem.empty()) numbers.clear();
    return numbers;
}

} // namespace tropic::report
