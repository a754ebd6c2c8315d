// Compiled code: found in the cache, or made and kept there.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "machines/cpu/loaded_program.h"

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

} // namespace tropic::program
