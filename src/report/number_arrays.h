// Arrays of whole numbers in a profile's file, each written in the shortest of four ways:
//   [3,1,4]             as they are
//   {"range":[5,1472]}  1472 numbers from 5 on, each one more than the last
//   {"runs":[0,28,7,2]} pairs of a value and how often it comes: 28 zeros, two sevens
//   {"u16":"AQAC..."}   base64 of little-endian numbers of 8, 16, 32 or 64 bits
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace tropic::report {

void append_numbers(std::string& out, std::span<const std::uint64_t> numbers);

/// Reads any of the four. Gives up with a message, in the user's words, in `problem` for anything
/// else and for more than `most` numbers.
std::vector<std::uint64_t> read_numbers(const nlohmann::json& json, std::uint64_t most,
                                        std::string& problem);

} // namespace tropic::report
