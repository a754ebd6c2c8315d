// Writes made-up profiles, and the pages made of them, to a directory: what the browser tests open.
//   tropic_sample_profiles DIRECTORY [NAME...]
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "report/tile_report.h"
#include "synthetic.h"

namespace {

using tropic::tile::Profile;

/// The small profile with markup in every name: a page must show it, not obey it.
Profile hostile() {
    const std::string markup = "</script><img src=x onerror=alert(1)><!-- {{profile}} &amp; \"'";
    Profile profile = tropic::testing::small_profile();
    profile.program = markup;
    profile.machine.name = markup;
    for (auto& scope : profile.scopes) scope.name = markup;
    for (auto& step : profile.steps) step.name = markup;
    for (auto& item : profile.memory_items) item.name = markup;
    for (auto& r : profile.rearrangements) r.tensor = r.why = markup;
    for (auto& time : profile.host_times) time.what = markup;
    profile.failure = markup;
    return profile;
}

/// The small profile without a record of each tile.
Profile untold() {
    Profile profile = tropic::testing::small_profile();
    for (auto& superstep : profile.supersteps) superstep.compute.clear();
    return profile;
}

bool write(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) std::fprintf(stderr, "cannot write %s\n", path.c_str());
    return static_cast<bool>(file);
}

} // namespace

int main(int argc, char** argv) {
    using namespace tropic::testing;
    if (argc < 2) {
        std::fprintf(stderr, "usage: tropic_sample_profiles DIRECTORY [NAME...]\n");
        return 2;
    }
    const std::string directory = argv[1];
    const std::vector<std::string> wanted(argv + 2, argv + argc);
    const std::vector<std::pair<std::string, std::function<Profile()>>> samples = {
        {"search", [] { return synthetic_search(); }},
        {"chips", [] { return synthetic_search({.chips = 4, .supersteps = 103}); }},
        {"long", [] { return synthetic_search({.tiles_per_chip = 64, .supersteps = 20'003}); }},
        {"small", [] { return small_profile(); }},
        {"empty", [] { return empty_profile(); }},
        {"memory", [] { return out_of_memory_profile(); }},
        {"hostile", [] { return hostile(); }},
        {"untold", [] { return untold(); }},
    };
    bool written = true;
    for (const auto& [name, make] : samples) {
        if (!wanted.empty() && std::ranges::find(wanted, name) == wanted.end()) continue;
        const Profile profile = make();
        // The long one has more than fits, so that the page has to say what it leaves out.
        const tropic::report::PageOptions page{.most_cells =
                                                   name == "long" ? 64U * 5'000 : 16'000'000U};
        std::string path = directory;
        path.append("/").append(name);
        written = write(path + ".json", tropic::report::profile_json(profile)) && written;
        written = write(path + ".html", tropic::report::html_report(profile, page)) && written;
        written = write(path + ".summary.json", tropic::report::summary_json(profile)) && written;
    }
    return written ? 0 : 1;
}
