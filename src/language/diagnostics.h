// Collects what is wrong with a program, so that a user sees all of it in one go.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "language/source.h"
#include "tropic/error.h"

namespace tropic::language {

/// What to say beside the message; both may stay empty.
struct Advice {
    std::string accepted = {};
    std::string hint = {};
};

class Diagnostics {
  public:
    /// More than this many are counted, not kept.
    static constexpr std::size_t kept = 20;

    /// `source` must outlive this.
    explicit Diagnostics(const Source& source) : source_(source) {}

    /// The same message at the same place counts once: a function is checked at each of its calls.
    void add(ErrorCode code, Place place, std::string message, Advice advice = {});

    bool any() const noexcept { return !list_.empty(); }

    /// Whether what is added from now on is only counted.
    bool full() const noexcept { return list_.size() == kept; }

    /// Throws what was collected, in the order of the text, if anything was.
    void raise_if_any();

    const Source& source() const noexcept { return source_; }

  private:
    const Source& source_;
    std::vector<Diagnostic> list_;
    std::int64_t left_out_ = 0;
};

/// "did you mean 'word'?" for the nearest of `words`; empty if none is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> words);

} // namespace tropic::language
