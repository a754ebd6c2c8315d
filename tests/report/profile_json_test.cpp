// Profiles as files: what is written is read back, and what is broken is refused by name.
#include <fstream>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/json_place.h"
#include "report/number_arrays.h"
#include "report/tile_report.h"
#include "same_profile.h"
#include "synthetic.h"
#include "tropic/error.h"

namespace tropic {

namespace {

using Json = nlohmann::json;
using testing::expect_same;
using ::testing::HasSubstr;

tile::Profile round_trip(const tile::Profile& profile) {
    return report::parse_profile_json(report::profile_json(profile), "profile.json");
}

TEST(ProfileJson, ReadsBackWhatItWrites) {
    expect_same(round_trip(testing::small_profile()), testing::small_profile());
    expect_same(round_trip(testing::empty_profile()), testing::empty_profile());
    const tile::Profile chips = testing::synthetic_search({.chips = 4, .supersteps = 23});
    expect_same(round_trip(chips), chips);
    const tile::Profile failed = testing::out_of_memory_profile();
    expect_same(round_trip(failed), failed);
}

TEST(ProfileJson, ReadsBackRandomProfiles) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE(seed);
        const tile::Profile profile = testing::random_profile(seed);
        expect_same(round_trip(profile), profile);
    }
}

TEST(ProfileJson, IsJsonOfTheDocumentedShape) {
    const Json json = Json::parse(report::profile_json(testing::small_profile()));
    EXPECT_EQ(json["format"], "tropic tile profile");
    EXPECT_EQ(json["version"], 1);
    EXPECT_EQ(json["machine"]["tiles_per_chip"], 4);
    EXPECT_EQ(json["steps"][0]["before"]["tile"], Json::parse("[0,1]"));
    EXPECT_EQ(json["steps"][1]["kind"], "copy");
    EXPECT_EQ(json["compute_rows"], Json::parse("[[1000,500,250,250],[]]"));
    EXPECT_EQ(json["supersteps"]["compute_row"], Json::parse("[0,0,1,1]"));
    EXPECT_EQ(json["supersteps"]["start_cycle"], Json::parse("[0,1290,2580,3070]"));
    EXPECT_EQ(json["memory"]["shared"], Json::parse("[100,300,0,0]"));
    EXPECT_EQ(json["memory_items"][1]["bytes"], Json::parse("[100,300]"));
    EXPECT_EQ(json["rearrangements"][0]["why"], "odd number of bytes");
}

// 1472 tiles and 1000 supersteps, 598 of them with compute cycles of their own: three bytes a
// cycle.
TEST(ProfileJson, IsCompact) {
    const std::string text = report::profile_json(testing::synthetic_search());
    EXPECT_LT(text.size(), 598U * 1472 * 3 + 400'000);
    tile::Profile same = testing::synthetic_search();
    for (tile::Superstep& s : same.supersteps) {
        if (!s.compute.empty()) s.compute = same.supersteps[1].compute;
    }
    EXPECT_LT(report::profile_json(same).size(), 400'000U);
}

TEST(NumberArrays, TakeTheShortestWay) {
    const auto text = [](const std::vector<std::uint64_t>& numbers) {
        std::string out;
        report::append_numbers(out, numbers);
        return out;
    };
    EXPECT_EQ(text({}), "[]");
    EXPECT_EQ(text({7}), "[7]");
    EXPECT_EQ(text({5, 6, 7, 8}), "{\"range\":[5,4]}");
    EXPECT_EQ(text(std::vector<std::uint64_t>(28, 100)), "{\"runs\":[100,28]}");
    EXPECT_EQ(text({0x1234, 0x5678, 0xffff, 60000, 50000, 40000, 30000}),
              "{\"u16\":\"NBJ4Vv//YOpQw0CcMHU=\"}");
    EXPECT_EQ(text({200, 100, 201, 101, 202, 102, 203}), "{\"u8\":\"yGTJZcpmyw==\"}");
}

TEST(NumberArrays, ReadEveryWay) {
    const std::vector<std::pair<std::string, std::vector<std::uint64_t>>> table = {
        {"[]", {}},
        {"[1,2,18446744073709551615]", {1, 2, 18446744073709551615U}},
        {R"({"range":[7,3]})", {7, 8, 9}},
        {R"({"range":[7,0]})", {}},
        {R"({"runs":[4,2,0,1]})", {4, 4, 0}},
        {R"({"u8":"AQL/"})", {1, 2, 255}},
        {R"({"u16":"NBJ4Vg=="})", {0x1234, 0x5678}},
        {R"({"u32":"eFY0Eg=="})", {0x12345678}},
        {R"({"u64":"8N68mnhWNBI="})", {0x123456789abcdef0}},
        {R"({"u8":""})", {}},
    };
    for (const auto& [text, numbers] : table) {
        std::string problem;
        EXPECT_EQ(report::read_numbers(Json::parse(text), 10, problem), numbers) << text;
        EXPECT_EQ(problem, "") << text;
    }
}

TEST(NumberArrays, RefuseWhatIsWrong) {
    const std::vector<std::pair<std::string, std::string>> table = {
        {"7", "not an array of numbers but number"},
        {"[1,-2]", "it holds -2, which is not a whole number"},
        {"[1,2.5]", "it holds 2.5, which is not a whole number"},
        {"[1,\"x\"]", "it holds string"},
        {"[1,2,3,4,5,6,7,8,9,10,11]", "it holds 11 numbers"},
        {R"({"range":[1]})", "its range is not [FIRST, COUNT]"},
        {R"({"range":[0,11]})", "it holds 11 numbers"},
        {R"({"range":[18446744073709551615,2]})", "beyond 64 bits"},
        {R"({"runs":[1,2,3]})", "not pairs"},
        {R"({"runs":[1,6,2,5]})", "more than 10 numbers"},
        {R"({"runs":[1,18446744073709551615]})", "more than 10 numbers"},
        {R"({"u8":"AQI"})", "not a whole number of u8 values"},
        {R"({"u16":"AQL/"})", "not a whole number of u16 values"},
        {R"({"u8":"A*I="})", "wrong letter at position 1"},
        {R"({"u8":"AQIDBAUGBwgJCgsM"})", "it holds 12 numbers"},
        {R"({"u128":"AQI="})", "unknown way, \"u128\""},
        {R"({"u8":7})", "unknown way"},
    };
    for (const auto& [text, message] : table) {
        std::string problem;
        EXPECT_TRUE(report::read_numbers(Json::parse(text), 10, problem).empty()) << text;
        EXPECT_THAT(problem, HasSubstr(message)) << text;
    }
}

struct Fault {
    std::string what;
    std::function<void(Json&)> make;
    std::string message;
};

// Each breaks one thing in a good profile.
TEST(ProfileFaults, AreNamed) {
    const std::vector<Fault> faults = {
        {"format", [](Json& j) { j["format"] = "other"; },
         "p.json: the file is not a profile of a tile machine"},
        {"trace", [](Json& j) { j = {{"traceEvents", Json::array()}}; },
         "p.json: the file is a trace, not a profile"},
        {"array", [](Json& j) { j = Json::array(); }, "not a profile of a tile machine"},
        {"version", [](Json& j) { j["version"] = 2; }, "version is 2: written by a newer Tropic"},
        {"missing", [](Json& j) { j.erase("steps"); }, "p.json: steps is missing"},
        {"type", [](Json& j) { j["program"] = 7; }, "program is 7\n  accepted: a text"},
        {"negative", [](Json& j) { j["cycles"] = -1; }, "cycles is -1"},
        {"fraction", [](Json& j) { j["cycles"] = 1.5; }, "cycles is 1.5"},
        {"clock", [](Json& j) { j["machine"]["clock_hz"] = "fast"; },
         "machine.clock_hz is \"fast\""},
        {"wide", [](Json& j) { j["machine"]["workers"] = 5'000'000'000; },
         "machine.workers is 5000000000"},
        {"tiles", [](Json& j) { j["machine"]["chips"] = 0; }, "machine has 0 tiles"},
        {"many", [](Json& j) { j["machine"]["chips"] = 1'000'000; }, "machine has 4000000 tiles"},
        {"parent", [](Json& j) { j["scopes"][1]["parent"] = 2; },
         "scopes[1].parent is 2, but there are 2 scopes"},
        {"circle", [](Json& j) { j["scopes"][0]["parent"] = 1; }, "scopes[0] is inside itself"},
        {"kind", [](Json& j) { j["steps"][0]["kind"] = "jump"; },
         "steps[0].kind is \"jump\"\n  accepted: execute, copy, host_copy"},
        {"columns", [](Json& j) { j["steps"][0]["before"]["cycles"] = {1}; },
         "steps[0].before.cycles holds 1 numbers, but there are 2 tiles taking part"},
        {"tile", [](Json& j) { j["steps"][0]["before"]["tile"] = {0, 4}; },
         "steps[0].before.tile holds 4 at position 1\n  accepted: at most 3"},
        {"row", [](Json& j) { j["compute_rows"][0] = {1, 2, 3}; },
         "compute_rows[0] holds 3 numbers, but there are 4 tiles"},
        {"row number", [](Json& j) { j["supersteps"]["compute_row"][2] = 9; },
         "supersteps.compute_row holds 9 at position 2"},
        {"step", [](Json& j) { j["supersteps"]["step"] = {0, 0, 1, 3}; },
         "supersteps.step holds 3 at position 3\n  accepted: at most 2"},
        {"no steps", [](Json& j) { j["steps"] = Json::array(); },
         "supersteps needs steps, but has none"},
        {"count", [](Json& j) { j["supersteps"]["count"] = 5; },
         "supersteps.step holds 4 numbers, but there are 5 supersteps"},
        {"huge count", [](Json& j) { j["supersteps"]["count"] = 4'000'000'000; },
         "supersteps.count needs more memory than profiles may take"},
        {"base64", [](Json& j) { j["supersteps"]["start_cycle"] = {{"u8", "####"}}; },
         "supersteps.start_cycle cannot be read: its base64 text has a wrong letter"},
        {"memory", [](Json& j) { j["memory"]["always_live"] = {1, 2}; },
         "memory.always_live holds 2 numbers, but there are 4 tiles"},
        {"item", [](Json& j) { j["memory_items"][0]["always_live"] = "yes"; },
         "memory_items[0].always_live is \"yes\"\n  accepted: true or false"},
        {"rearrangement", [](Json& j) { j["rearrangements"][0]["step"] = 3; },
         "rearrangements[0].step is 3, but there are 3 steps"},
    };
    const Json good = Json::parse(report::profile_json(testing::small_profile()));
    for (const Fault& fault : faults) {
        Json broken = good;
        fault.make(broken);
        try {
            report::parse_profile_json(broken.dump(), "p.json");
            ADD_FAILURE() << fault.what << " is not noticed";
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), HasSubstr(fault.message)) << fault.what;
        }
    }
}

TEST(ProfileFaults, TextThatIsNoJsonIsNamedByPlace) {
    const std::string good = report::profile_json(testing::small_profile());
    const std::vector<std::pair<std::string, std::string>> table = {
        {"", "p.json: the file is empty"},
        {"hello", "p.json:1:1: this is not JSON"},
        {"{\n  \"format\": tropic}", "p.json:2:15: this is not JSON"},
        {good.substr(0, good.size() / 2), "the file ends too early"},
        {"{\"format\": 1e999}", "p.json: a number is too large"},
        {std::string(100'000, '['), "the file ends too early"},
        {"\xff\xfe", "p.json:1:1: this is not JSON"},
    };
    for (const auto& [text, message] : table) {
        try {
            report::parse_profile_json(text, "p.json");
            ADD_FAILURE() << text.substr(0, 40) << " is not noticed";
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), HasSubstr(message)) << text.substr(0, 40);
        }
    }
}

// A few bytes that stand for terabytes: a run of a million tiles, used a million times.
TEST(ProfileFaults, ExpansionIsLimited) {
    Json json = Json::parse(report::profile_json(testing::small_profile()));
    json["machine"]["tiles_per_chip"] = 1'000'000;
    json["compute_rows"] = {{{"runs", {7, 1'000'000}}}};
    const std::uint64_t count = 1'000'000;
    json["supersteps"]["count"] = count;
    for (auto& [name, column] : json["supersteps"].items()) {
        if (name != "count") column = {{"runs", {0, count}}};
    }
    json["memory"] = {
        {"always_live", Json::array()}, {"shared", Json::array()}, {"padding", Json::array()}};
    try {
        report::parse_profile_json(json.dump(), "p.json", {.bytes = 512U << 20});
        FAIL() << "not noticed";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("supersteps.compute_row needs more memory"));
    }
}

TEST(ProfileFiles, AreReadByPath) {
    const std::string path = ::testing::TempDir() + "tropic_profile_test.json";
    std::ofstream(path) << report::profile_json(testing::small_profile());
    expect_same(report::read_profile_json(path), testing::small_profile());
    EXPECT_THROW(report::read_profile_json(path + ".missing"), Error);
    EXPECT_THROW(report::read_profile_json(::testing::TempDir()), Error);
}

} // namespace

} // namespace tropic
