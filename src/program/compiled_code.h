// Compiled code: found in the cache, or made and kept there.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "machines/cpu/loaded_program.h"
#include "tropic/context.h"

namespace tropic::program {

struct CodeRequest {
    bool cache = true;
    std::string cache_directory;
    const char* symbol = nullptr;     ///< what the code exports
    std::function<std::string()> key; ///< asked for if there is a cache
    std::function<compile::CompileResult(const std::string&)> compile; ///< to that file
};

struct CompiledCode {
    std::unique_ptr<cpu::LoadedProgram> loaded;
    std::vector<std::string> explanation; ///< where it came from, what was fused and chosen
};

/// Throws what the compiler throws.
CompiledCode find_or_compile(const CodeRequest& request);

/// Lets `make` write a file into a folder of its own, then writes what it made to `path` as all
/// output is written: whole or not at all, through links, into devices and pipes. What cannot be
/// written there is refused before anything is made.
void write_through(const std::string& path, const Context& context,
                   const std::function<void(const std::string&)>& make);

} // namespace tropic::program
