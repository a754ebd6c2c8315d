// The word a user probably meant.
#pragma once

#include <span>
#include <string_view>

namespace tropic {

/// The one of `words` that differs from `word` by the fewest changed, added, dropped or exchanged
/// letters, without regard to case; empty if none is near.
std::string_view nearest(std::string_view word, std::span<const std::string_view> words);

} // namespace tropic
