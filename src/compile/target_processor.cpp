#include "compile/target_processor.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tropic/error.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

namespace tropic::compile {

namespace {

constexpr const char* variable = "TROPIC_PROCESSOR";
constexpr const char* masks_and_gathers = "avx512f";

/// A level of the x86-64 psABI, and what it has beyond the one before it.
struct Level {
    std::string_view name;
    std::vector<std::string_view> features;
    bool gathers;
};

const std::array<Level, 4>& levels() {
    static const std::array<Level, 4> all = {
        {{"x86-64", {}, false},
         {"x86-64-v2", {"cx16", "popcnt", "sahf", "sse4.2"}, false},
         {"x86-64-v3", {"avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"}, false},
         {"x86-64-v4", {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}, true}}};
    return all;
}

TargetProcessor named(std::string_view name) {
    const auto level =
        std::ranges::find_if(levels(), [&](const Level& one) { return one.name == name; });
    const bool is_x86 = llvm::Triple(llvm::sys::getProcessTriple()).isX86_64();
    if (level == levels().end() || !is_x86) {
        throw Error({.code = is_x86 ? ErrorCode::usage : ErrorCode::unsupported,
                     .message = fmt::format("{} is '{}'", variable, name),
                     .accepted = is_x86 ? "x86-64, x86-64-v2, x86-64-v3 or x86-64-v4"
                                        : "nothing on this kind of processor",
                     .hint = "unset it to compile for the processor of this machine"});
    }
    const auto host = llvm::sys::getHostCPUFeatures();
    for (const Level& needed : std::span(levels().begin(), level + 1)) {
        for (const std::string_view feature : needed.features) {
            if (host.lookup(feature)) continue;
            throw Error({.code = ErrorCode::unsupported,
                         .message = fmt::format("{} is '{}', and this processor has no {}",
                                                variable, name, feature),
                         .hint = "name a lesser one, or unset it to compile for this processor"});
        }
    }
    return {std::string(name), {}, level->gathers};
}

TargetProcessor host() {
    TargetProcessor made{llvm::sys::getHostCPUName().str(), {}, false};
    for (const auto& [name, on] : llvm::sys::getHostCPUFeatures()) {
        made.features +=
            fmt::format("{}{}{}", made.features.empty() ? "" : ",", on ? "+" : "-", name.str());
        made.gathers |= on && name == masks_and_gathers;
    }
    return made;
}

} // namespace

TargetProcessor target_processor() {
    const char* const name = std::getenv(variable);
    return name == nullptr || *name == '\0' ? host() : named(name);
}

} // namespace tropic::compile
