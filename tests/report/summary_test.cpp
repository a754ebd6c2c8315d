// The summary: golden files of what is printed, and figures against sums made another way.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/page.h"
#include "report/summary.h"
#include "report/tile_report.h"
#include "synthetic.h"

namespace tropic {

namespace {

using Json = nlohmann::json;

/// Compares with golden/NAME.txt; TROPIC_UPDATE_GOLDEN=1 writes it.
void expect_golden(const std::string& name, const std::string& text) {
    const std::string path = std::string(TROPIC_GOLDEN_DIR) + "/" + name + ".txt";
    if (std::getenv("TROPIC_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
    std::ifstream file(path);
    std::ostringstream golden;
    golden << file.rdbuf();
    EXPECT_EQ(text, golden.str()) << "see " << path;
}

TEST(TextSummary, IsAsItWas) {
    expect_golden("small", report::text_summary(testing::small_profile()));
    expect_golden("search", report::text_summary(testing::synthetic_search()));
    expect_golden("chips",
                  report::text_summary(testing::synthetic_search({.chips = 4, .supersteps = 13})));
    expect_golden("empty", report::text_summary(testing::empty_profile()));
    expect_golden("out_of_memory", report::text_summary(testing::out_of_memory_profile()));
    tile::Profile dropped = testing::small_profile();
    dropped.dropped_supersteps = 1234;
    dropped.cycles += 5'000'000;
    expect_golden("dropped", report::text_summary(dropped));
}

TEST(TextSummary, TakesAnyProfileAndPrintsNoControlCharacters) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const std::string text = report::text_summary(testing::random_profile(seed));
        for (const char c : text) {
            ASSERT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << "seed " << seed;
        }
        EXPECT_TRUE(Json::accept(report::summary_json(testing::random_profile(seed))));
    }
}

// A profile that an engine left half filled must not break a report.
TEST(Summary, TakesPositionsThatLeadNowhere) {
    tile::Profile profile = testing::small_profile();
    profile.supersteps[0].step = 99;
    profile.steps[1].parent = 99;
    profile.scopes[0].parent = 1; // a circle
    profile.rearrangements[0].step = 99;
    profile.steps[0].before[0].tile = 99;
    profile.memory_items[0].pieces[0].tile = 99;
    profile.supersteps[1].compute.resize(2);
    EXPECT_FALSE(report::text_summary(profile).empty());
    EXPECT_TRUE(Json::accept(report::summary_json(profile)));
    EXPECT_TRUE(Json::accept(report::chrome_trace(profile)));
    EXPECT_FALSE(report::html_report(profile).empty());
}

// Control code is the same on all tiles; vertices that were not recorded by tile are said so, and
// have no balance.
TEST(Summary, SaysWhatWasNotRecordedByTile) {
    tile::Profile profile = testing::small_profile();
    profile.supersteps[0].compute.clear();
    profile.supersteps[2].compute_cycles = 200; // of a copy: control code
    report::Summary summary = report::summarise(profile);
    EXPECT_EQ(summary.not_by_tile, 1U);
    EXPECT_DOUBLE_EQ(summary.balance, 0.5);
    EXPECT_EQ(summary.tiles[3].compute, 1000U + 250 + 200);
    EXPECT_THAT(report::text_summary(profile),
                ::testing::HasSubstr("of 1 superstep only the slowest tile is known"));
    profile.supersteps[1].compute.clear();
    summary = report::summarise(profile);
    EXPECT_EQ(summary.balance, 0);
    EXPECT_THAT(report::text_summary(profile), ::testing::HasSubstr("balance             -"));
}

TEST(Summary, AddsUp) {
    const tile::Profile profile = testing::synthetic_search({.supersteps = 103});
    const Json json = Json::parse(report::summary_json(profile));
    const auto sum = [&](const char* key) {
        std::uint64_t total = 0;
        for (const Json& step : json["steps"]) total += step[key].get<std::uint64_t>();
        return total;
    };
    EXPECT_EQ(sum("cycles"), profile.cycles);
    for (const char* key : {"compute_cycles", "exchange_cycles", "sync_cycles", "host_cycles"}) {
        EXPECT_EQ(sum(key), json[key]) << key;
    }
    EXPECT_EQ(sum("runs"), profile.supersteps.size());
    EXPECT_EQ(sum("bytes_exchanged"), json["bytes_exchanged"]);
    double busy = 0;
    double slowest = 0;
    for (const tile::Superstep& s : profile.supersteps) {
        for (const std::uint32_t cycles : s.compute) busy += cycles;
        slowest += static_cast<double>(s.compute_cycles) * 1472;
    }
    EXPECT_DOUBLE_EQ(json["balance"], busy / slowest);
    std::uint64_t previous = ~std::uint64_t{0};
    for (const Json& tile : json["fullest_tiles"]) {
        EXPECT_LE(tile["bytes"].get<std::uint64_t>(), previous);
        previous = tile["bytes"];
    }
}

TEST(HtmlReport, HoldsTheProfileAndNothingFromElsewhere) {
    tile::Profile profile = testing::small_profile();
    profile.program = "</title></script>{{style}}";
    const std::string page = report::html_report(profile);
    EXPECT_THAT(page,
                ::testing::HasSubstr("<title>&lt;/title&gt;&lt;/script&gt;{{style}} on gc200"));
    const std::string begin = "id=\"profile\" data-detail=\"4\">";
    const std::size_t at = page.find(begin) + begin.size();
    const Json json = Json::parse(page.substr(at, page.find("</script>", at) - at));
    EXPECT_EQ(json, Json::parse(report::profile_json(profile)));
    for (const char* outside : {"http:", "https:", "src=", "@import", "url("}) {
        EXPECT_EQ(page.find(outside), std::string::npos) << outside;
    }
}

TEST(HtmlReport, LargeOnesAreBoundAndSaySo) {
    const tile::Profile profile =
        testing::synthetic_search({.tiles_per_chip = 64, .supersteps = 203});
    const std::string page = report::html_report(profile, {.most_cells = 640});
    EXPECT_THAT(page, ::testing::HasSubstr("data-detail=\"10\""));
    EXPECT_LT(page.size(), report::html_report(profile).size());
}

} // namespace

} // namespace tropic
