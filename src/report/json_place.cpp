#include "report/json_place.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/number_arrays.h"
#include "tropic/error.h"

namespace tropic::report {

namespace {

/// A value as a message shows it: short.
std::string shown(const nlohmann::json& json) {
    constexpr std::size_t widest = 40;
    if (json.is_object()) return "an object";
    if (json.is_array()) return "an array";
    std::string text = json.dump(-1, ' ', true);
    if (text.size() > widest) text = text.substr(0, widest) + "...";
    return text;
}

} // namespace

void JsonPlace::fail(std::string_view problem, std::string_view accepted) const {
    throw Error({.code = ErrorCode::inconsistent,
                 .message = fmt::format("{} {}", path_.empty() ? "the file" : path_, problem),
                 .file = file_,
                 .accepted = std::string(accepted),
                 .hint = path_.empty() ? "" : "docs/profile-format.md describes the format"});
}

bool JsonPlace::has(std::string_view key) const {
    return json_->is_object() && json_->contains(key);
}

JsonPlace JsonPlace::at(std::string_view key) const {
    if (!json_->is_object()) fail(fmt::format("is {}", shown(*json_)), "an object");
    const std::string path = path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
    const auto found = json_->find(key);
    if (found == json_->end()) JsonPlace(*json_, file_, path).fail("is missing");
    return {*found, file_, path};
}

std::vector<JsonPlace> JsonPlace::elements() const {
    if (!json_->is_array()) fail(fmt::format("is {}", shown(*json_)), "an array");
    std::vector<JsonPlace> places;
    places.reserve(json_->size());
    for (std::size_t i = 0; i < json_->size(); ++i) {
        places.emplace_back((*json_)[i], file_, fmt::format("{}[{}]", path_, i));
    }
    return places;
}

std::string JsonPlace::text() const {
    if (!json_->is_string()) fail(fmt::format("is {}", shown(*json_)), "a text");
    return json_->get<std::string>();
}

bool JsonPlace::boolean() const {
    if (!json_->is_boolean()) fail(fmt::format("is {}", shown(*json_)), "true or false");
    return json_->get<bool>();
}

double JsonPlace::real() const {
    const double value = json_->is_number() ? json_->get<double>() : -1;
    if (!std::isfinite(value) || value < 0) {
        fail(fmt::format("is {}", shown(*json_)), "a number from 0 on");
    }
    return value;
}

std::uint64_t JsonPlace::whole(std::uint64_t most) const {
    if (!json_->is_number_unsigned() || json_->get<std::uint64_t>() > most) {
        fail(fmt::format("is {}", shown(*json_)), fmt::format("a whole number from 0 to {}", most));
    }
    return json_->get<std::uint64_t>();
}

std::int32_t JsonPlace::parent(std::size_t count) const {
    const bool outermost = json_->is_number_integer() && *json_ == -1;
    if (outermost) return -1;
    if (!json_->is_number_unsigned() || json_->get<std::uint64_t>() >= count) {
        fail(fmt::format("is {}, but there are {} scopes", shown(*json_), count),
             "-1 for the outermost, or the position of a scope from 0 on");
    }
    return json_->get<std::int32_t>();
}

std::size_t JsonPlace::one_of(std::span<const std::string_view> words) const {
    const auto found = json_->is_string()
                           ? std::ranges::find(words, json_->get_ref<const std::string&>())
                           : words.end();
    if (found == words.end()) {
        fail(fmt::format("is {}", shown(*json_)), fmt::format("{}", fmt::join(words, ", ")));
    }
    return static_cast<std::size_t>(found - words.begin());
}

std::vector<std::uint64_t> JsonPlace::numbers(std::uint64_t most, std::uint64_t largest) const {
    std::string problem;
    std::vector<std::uint64_t> numbers = read_numbers(*json_, most, problem);
    if (!problem.empty()) {
        fail(fmt::format("cannot be read: {}", problem), fmt::format("at most {} numbers", most));
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] > largest) {
            fail(fmt::format("holds {} at position {}", numbers[i], i),
                 fmt::format("at most {}", largest));
        }
    }
    return numbers;
}

std::vector<std::uint64_t> JsonPlace::numbers_for(std::uint64_t count, std::string_view things,
                                                  std::uint64_t largest) const {
    std::vector<std::uint64_t> result = numbers(count, largest);
    if (result.size() != count) {
        fail(fmt::format("holds {} numbers, but there are {} {}", result.size(), count, things));
    }
    return result;
}

} // namespace tropic::report
