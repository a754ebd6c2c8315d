// The profile's file format, for those who write it whole (profile_json) or embed it (the page).
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "machines/tile/profile.h"

namespace tropic::report {

/// Compute cycles by tile are written for the first `detailed` supersteps only.
std::string write_profile(const tile::Profile& profile,
                          std::size_t detailed = std::numeric_limits<std::size_t>::max());

} // namespace tropic::report
