// What a run on a tile machine did, for people and programs: the profile as a file that can be
// read back, a trace for Perfetto, a page for a browser, and text. docs/profile-format.md
// documents the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "machines/tile/profile.h"

namespace tropic::report {

/// The whole profile as JSON. The same profile always gives the same text.
std::string profile_json(const tile::Profile& profile);

/// How much memory a profile may expand to: equal rows are stored once in a file, but not in a
/// Profile, so a small file can ask for a lot.
struct ReadLimits {
    std::uint64_t bytes = std::uint64_t{8} << 30;
};

/// Reads such a file, compressed or not. Throws Error, naming the place in the file, for anything
/// that is not a whole and consistent profile.
tile::Profile read_profile_json(const std::string& path, const ReadLimits& limits = {});

/// The same from text; `name` stands for the file in messages.
tile::Profile parse_profile_json(std::string_view text, const std::string& name,
                                 const ReadLimits& limits = {});

struct TraceOptions {
    /// Viewers open half a million events in seconds; each takes about 120 bytes of the file. What
    /// is left out beyond that is said in the trace.
    std::size_t most_events = 500'000;
};

/// A Chrome trace: a chip is a process, a tile a thread.
std::string chrome_trace(const tile::Profile& profile, const TraceOptions& options = {});

struct PageOptions {
    /// Tiles times supersteps whose compute cycles go into the page; about 3 bytes each in the
    /// file and 16 in the browser. Supersteps beyond are shown by their slowest tile only.
    std::size_t most_cells = 16'000'000;
};

/// One page with everything in it; it asks for nothing from a network.
std::string html_report(const tile::Profile& profile, const PageOptions& options = {});

/// The main figures for a terminal.
std::string text_summary(const tile::Profile& profile);

/// The same figures for a program, as JSON.
std::string summary_json(const tile::Profile& profile);

} // namespace tropic::report
