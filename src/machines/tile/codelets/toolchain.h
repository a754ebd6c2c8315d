// What compiles codelets: clang and its linker, and our own files beside this library (the plugin
// that finds vertices and counts, the runtime, the headers that codelets include).
#pragma once

#include <string>
#include <vector>

namespace tropic::tile::codelets {

struct Toolchain {
    std::string clang;
    std::string linker;
    std::string plugin;
    std::string runtime;
    std::string include;
    std::string identity; ///< changes with any of them

    /// Throws Error if something is not there.
    static const Toolchain& instance();
};

} // namespace tropic::tile::codelets
