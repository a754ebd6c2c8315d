// Traces: valid events, tiles that never do two things at once, sums that are the profile's.
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/summary.h"
#include "report/tile_report.h"
#include "synthetic.h"

namespace tropic {

namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

struct Track {
    std::vector<std::pair<double, double>> slices; ///< start and end, microseconds
    std::map<std::string, std::uint64_t> cycles;   ///< by category
};

/// Complete events by process and thread; checks that every event is one of the two kinds used.
std::map<std::pair<int, int>, Track> tracks_of(const Json& trace) {
    std::map<std::pair<int, int>, Track> tracks;
    for (const Json& event : trace.at("traceEvents")) {
        const std::string kind = event.at("ph");
        if (kind == "M") continue;
        EXPECT_EQ(kind, "X");
        EXPECT_TRUE(event.at("name").is_string());
        Track& track = tracks[{event.at("pid"), event.at("tid")}];
        const double start = event.at("ts");
        const double duration = event.at("dur");
        EXPECT_GE(start, 0);
        EXPECT_GE(duration, 0);
        track.slices.emplace_back(start, start + duration);
        track.cycles[event.at("cat")] += event.at("args").at("cycles").get<std::uint64_t>();
    }
    return tracks;
}

constexpr int program_process = 1;

void expect_tiles_sound(const std::map<std::pair<int, int>, Track>& tracks) {
    for (const auto& [where, track] : tracks) {
        if (where.first == program_process) continue;
        for (std::size_t i = 1; i < track.slices.size(); ++i) {
            // Text has a tenth of a nanosecond: nothing may overlap by more than rounding of it.
            ASSERT_LE(track.slices[i - 1].second, track.slices[i].first + 1e-6)
                << "thread " << where.second << " slice " << i;
        }
    }
}

/// What each tile's slices must add up to.
void expect_sums(const tile::Profile& profile, const Json& trace) {
    const auto tracks = tracks_of(trace);
    expect_tiles_sound(tracks);
    const report::Summary summary = report::summarise(profile);
    for (std::uint32_t t = 0; t < profile.machine.tiles(); ++t) {
        const int pid = static_cast<int>(2 + t / profile.machine.tiles_per_chip);
        const auto found = tracks.find({pid, static_cast<int>(t + 1)});
        ASSERT_NE(found, tracks.end()) << "tile " << t;
        std::map<std::string, std::uint64_t> cycles = found->second.cycles;
        EXPECT_EQ(cycles["compute"], summary.tiles[t].compute) << "tile " << t;
        EXPECT_EQ(cycles["exchange"], summary.tiles[t].exchange) << "tile " << t;
        EXPECT_EQ(cycles["host"], summary.cycles.host) << "tile " << t;
        EXPECT_EQ(cycles["compute"] + cycles["exchange"] + cycles["host"] + cycles["sync"],
                  summary.cycles.total())
            << "tile " << t;
    }
}

TEST(ChromeTrace, AddsUpToTheProfile) {
    for (const tile::Profile& profile :
         {testing::small_profile(),
          testing::synthetic_search({.tiles_per_chip = 60, .supersteps = 53}),
          testing::synthetic_search({.chips = 2, .tiles_per_chip = 70, .supersteps = 23})}) {
        expect_sums(profile, Json::parse(report::chrome_trace(profile)));
    }
}

TEST(ChromeTrace, NamesChipsTilesAndSteps) {
    const tile::Profile profile =
        testing::synthetic_search({.chips = 2, .tiles_per_chip = 4, .supersteps = 8});
    const Json trace = Json::parse(report::chrome_trace(profile));
    std::map<std::string, std::vector<std::string>> names;
    std::map<std::string, int> slices;
    for (const Json& event : trace["traceEvents"]) {
        if (event["ph"] == "M" && event["args"].contains("name")) {
            names[event["name"]].push_back(event["args"]["name"]);
        }
        if (event["ph"] == "X") ++slices[event["name"]];
    }
    EXPECT_THAT(names["process_name"],
                ::testing::ElementsAre("breadth-first search on kron:18", "gc200x2, chip 0",
                                       "gc200x2, chip 1"));
    EXPECT_THAT(names["thread_name"],
                ::testing::ElementsAre("steps", "tile 0", "tile 1", "tile 2", "tile 3", "tile 4",
                                       "tile 5", "tile 6", "tile 7"));
    EXPECT_EQ(slices["expand frontier"], 8);                             // on each tile
    EXPECT_EQ(slices["repeat while true / level / expand frontier"], 1); // of the program
    EXPECT_EQ(trace["otherData"]["left_out"], "");
}

TEST(ChromeTrace, SmallOneByHand) {
    const Json trace = Json::parse(report::chrome_trace(testing::small_profile()));
    std::vector<std::string> seen;
    for (const Json& event : trace["traceEvents"]) {
        if (event["ph"] != "X" || event["tid"] != 2 || event["pid"] != 2) continue; // tile 1
        seen.push_back(fmt::format("{} {:.3f} {}", event["name"].get<std::string>(),
                                   event["ts"].get<double>(), event["args"]["cycles"].get<int>()));
    }
    EXPECT_THAT(seen, ::testing::ElementsAre(
                          "sync 0.000 90", "exchange 0.090 200", "add 0.290 500", "sync 0.790 500",
                          "sync 1.290 90", "exchange 1.380 200", "add 1.580 500", "sync 2.080 500",
                          "sync 2.580 490", "sync 3.070 90", "host 3.160 6840"));
}

TEST(ChromeTrace, LargeOnesAreBoundAndSaySo) {
    const tile::Profile profile = testing::synthetic_search();
    for (const std::size_t most : {std::size_t{100'000}, std::size_t{5'000}, std::size_t{10}}) {
        const Json trace = Json::parse(report::chrome_trace(profile, {.most_events = most}));
        EXPECT_LE(trace["traceEvents"].size(), most + 20) << most;
        const auto tracks = tracks_of(trace);
        expect_tiles_sound(tracks);
        EXPECT_THAT(trace["otherData"]["left_out"].get<std::string>(), HasSubstr("of 1472 tiles"));
        if (most < 12 * 1003) {
            EXPECT_THAT(trace["otherData"]["left_out"].get<std::string>(),
                        HasSubstr("of 1003 supersteps"));
        }
    }
    // The tiles that are shown are those that the others waited for.
    const Json trace = Json::parse(report::chrome_trace(profile, {.most_events = 100'000}));
    const auto tracks = tracks_of(trace);
    const report::Summary summary = report::summarise(profile);
    std::uint32_t busiest = 0;
    for (std::uint32_t t = 0; t < 1472; ++t) {
        if (summary.tiles[t].compute > summary.tiles[busiest].compute) busiest = t;
    }
    EXPECT_TRUE(tracks.contains({2, static_cast<int>(busiest + 1)})) << "tile " << busiest;
}

TEST(ChromeTrace, TakesAnyProfile) {
    EXPECT_TRUE(tracks_of(Json::parse(report::chrome_trace(testing::empty_profile()))).empty());
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        SCOPED_TRACE(seed);
        const tile::Profile profile = testing::random_profile(seed);
        const Json trace = Json::parse(report::chrome_trace(profile));
        expect_tiles_sound(tracks_of(trace));
    }
}

} // namespace

} // namespace tropic
