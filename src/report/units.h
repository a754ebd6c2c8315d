// Numbers as the reports print them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "support/memory.h"

namespace tropic::report {

/// "1,234,567".
std::string grouped(std::uint64_t number);

/// "12.3 us", "4.56 ms", "1.2 s": three digits.
std::string time_text(double seconds);

/// "624 KiB" where it is whole, as memories are; "1.5 MB" otherwise.
std::string memory_text(std::uint64_t bytes);

/// "12.3 %" of a share of 0.123.
std::string percent(double share);

double share_of(std::uint64_t part, std::uint64_t whole);

/// "landing zone" of "landing_zone".
std::string spaced(std::string_view word);

} // namespace tropic::report
