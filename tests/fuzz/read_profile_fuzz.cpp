// Arbitrary bytes as a profile of the tile machine; what is accepted must be fit for every report.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cpu_limit.h"
#include "report/tile_report.h"
#include "tropic/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const tropic::fuzz::CpuLimit limit;
    namespace report = tropic::report;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const auto profile = report::parse_profile_json(text, "input.json", {.bytes = 16 << 20});
        const std::string written = report::profile_json(profile);
        if (report::profile_json(report::parse_profile_json(written, "again.json")) != written) {
            std::abort();
        }
        if (report::text_summary(profile).empty() || report::summary_json(profile).empty() ||
            report::chrome_trace(profile, {.most_events = 1000}).empty() ||
            report::html_report(profile, {.most_cells = 1000}).empty()) {
            std::abort();
        }
    } catch (const tropic::Error&) {
    }
    return 0;
}
