// A value in a JSON file together with where it stands ("steps[3].before.tile"), so that whatever
// is wrong with it can be named.
#pragma once

#include <concepts>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace tropic::report {

class JsonPlace {
  public:
    using Json = nlohmann::json;

    JsonPlace(const Json& json, std::string file, std::string path = {})
        : json_(&json), file_(std::move(file)), path_(std::move(path)) {}

    /// Throws Error(inconsistent): "FILE: PLACE PROBLEM".
    [[noreturn]] void fail(std::string_view problem, std::string_view accepted = {}) const;

    /// Throw if there is no such member, or this is no object or array.
    JsonPlace at(std::string_view key) const;
    bool has(std::string_view key) const;
    std::vector<JsonPlace> elements() const;

    std::string text() const;
    bool boolean() const;
    double real() const; ///< finite, not negative
    std::uint64_t whole(std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const;
    template <std::unsigned_integral Number> Number as() const {
        return static_cast<Number>(whole(std::numeric_limits<Number>::max()));
    }

    /// -1, or the position of one of `count` things.
    std::int32_t parent(std::size_t count) const;

    /// The position of one of `words`, for an enumeration.
    std::size_t one_of(std::span<const std::string_view> words) const;

    /// An array in any of the ways of number_arrays.h, all of its numbers at most `largest`.
    std::vector<std::uint64_t> numbers(std::uint64_t most, std::uint64_t largest) const;

    /// Exactly as many as this many of something: "there are 1472 tiles".
    std::vector<std::uint64_t> numbers_for(std::uint64_t count, std::string_view things,
                                           std::uint64_t largest) const;

  private:
    const Json* json_;
    std::string file_;
    std::string path_;
};

} // namespace tropic::report
