// What options and the environment say about an engine, and the files it leaves.
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>

#include <poplar/exceptions.hpp>

#include "core.h"
#include "report/tile_report.h"
#include "translate.h"

namespace poplar::core {

namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

bool boolean(const std::string& name, const std::string& value) {
    if (value == "true" || value == "1" || value == "on" || value == "yes") return true;
    if (value == "false" || value == "0" || value == "off" || value == "no") return false;
    throw invalid_option("option " + name + " cannot be '" + value + "': true or false");
}

std::uint64_t number(const std::string& name, const std::string& value) {
    std::uint64_t result = 0;
    const char* end = value.data() + value.size();
    const auto [rest, code] = std::from_chars(value.data(), end, result);
    if (code != std::errc() || rest != end) {
        throw invalid_option("option " + name + " cannot be '" + value + "': a number");
    }
    return result;
}

/// Options of the SDK that say how its compiler or its drivers work: they mean nothing here.
bool harmless(const std::string& name) {
    static constexpr const char* families[] = {
        "autoReport.", "debug.",           "exchange.", "opt.",          "prng.",
        "profiler.",   "streamCallbacks.", "target.",   "graph.",        "ipu.",
        "memory.",     "rearrangements.",  "compiler.", "virtualGraph.", "floatingPointBehaviour."};
    for (const char* family : families) {
        if (name.starts_with(family)) return true;
    }
    return false;
}

void write_file(const std::string& path, const std::string& text) {
    std::error_code ignored;
    const std::filesystem::path parent = std::filesystem::path(path).parent_path();
    if (!parent.empty()) std::filesystem::create_directories(parent, ignored);
    std::ofstream stream(path, std::ios::binary);
    stream << text;
    if (!stream.flush()) throw poplar_error("cannot write the profile to '" + path + "'");
}

/// The path, or if this process wrote it before, for another engine, one with a number.
std::string fresh_path(const std::string& path) {
    static std::mutex mutex;
    static std::map<std::string, int> written;
    const std::scoped_lock lock(mutex);
    const int times = ++written[path];
    if (times == 1) return path;
    std::filesystem::path numbered(path);
    const std::string stem = numbered.stem().string() + "-" + std::to_string(times);
    return numbered.replace_filename(stem + numbered.extension().string()).string();
}

void apply_reports(EngineSettings& settings, const OptionFlags& options) {
    // The SDK's reports are binary files for its own viewer; ours stand in their place.
    bool wanted = false;
    std::string directory = ".";
    for (const auto& [name, value] : options) {
        if (name == "autoReport.directory") {
            directory = value;
        } else if (name.starts_with("autoReport.all") || name.starts_with("autoReport.output")) {
            wanted = wanted || boolean(name, value);
        }
    }
    if (!wanted) return;
    if (settings.profile.empty()) settings.profile = directory + "/profile.json";
    if (settings.report.empty()) settings.report = directory + "/report.html";
}

} // namespace

EngineSettings read_settings(const OptionFlags& given) {
    OptionFlags options;
    if (const std::string json = environment("POPLAR_ENGINE_OPTIONS"); !json.empty()) {
        readJSON(json, options);
    }
    for (const auto& [name, value] : given) options.set(name, value);

    EngineSettings settings;
    settings.profile = environment("TROPIC_TILE_PROFILE");
    settings.trace = environment("TROPIC_TILE_TRACE");
    settings.report = environment("TROPIC_TILE_REPORT");
    if (const std::string text = environment("TROPIC_TILE_CHECKED"); !text.empty()) {
        settings.engine.checked = boolean("TROPIC_TILE_CHECKED", text);
    }
    if (const std::string text = environment("TROPIC_TILE_THREADS"); !text.empty()) {
        settings.engine.threads = static_cast<int>(number("TROPIC_TILE_THREADS", text) & 0xffff);
    }
    for (const auto& [name, value] : options) {
        if (name == "tropic.profile") {
            settings.profile = value;
        } else if (name == "tropic.trace") {
            settings.trace = value;
        } else if (name == "tropic.report") {
            settings.report = value;
        } else if (name == "tropic.checked") {
            settings.engine.checked = boolean(name, value);
        } else if (name == "tropic.threads") {
            settings.engine.threads = static_cast<int>(number(name, value) & 0xffff);
        } else if (name == "tropic.trustPerfEstimates") {
            settings.engine.trust_estimates = boolean(name, value);
        } else if (name == "tropic.supersteps") {
            settings.engine.most_supersteps = number(name, value);
        } else if (name == "debug.allowOutOfMemory") {
            settings.allow_out_of_memory = boolean(name, value);
        } else if (name == "debug.instrument") {
            settings.engine.by_tile = settings.engine.by_tile || boolean(name, value);
        } else if (!harmless(name)) {
            throw invalid_option(
                "there is no engine option '" + name +
                "': those of the SDK, and tropic.profile, tropic.trace, tropic.report, "
                "tropic.checked, tropic.threads, tropic.supersteps, tropic.trustPerfEstimates");
        }
    }
    apply_reports(settings, options);
    settings.engine.by_tile = settings.engine.by_tile || settings.writes();
    return settings;
}

std::string write_profile(const EngineSettings& settings, const tile::Profile& profile) {
    std::string written;
    if (!settings.report.empty()) {
        written = fresh_path(settings.report);
        write_file(written, tropic::report::html_report(profile));
    }
    if (!settings.trace.empty()) {
        write_file(fresh_path(settings.trace), tropic::report::chrome_trace(profile));
    }
    if (!settings.profile.empty()) {
        written = fresh_path(settings.profile);
        write_file(written, tropic::report::profile_json(profile));
    }
    return written;
}

} // namespace poplar::core
