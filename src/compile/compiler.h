// The door to the compiler, which is a shared library of its own (libtropic_compiler): it needs
// MLIR, takes tens of milliseconds to load, and is loaded only when a program is not in the cache.
#pragma once

#include <string>
#include <vector>

#include "language/program.h"

namespace tropic::compile {

enum class Stage : std::uint8_t {
    ga,            ///< graph algebra: whole tensors
    it,            ///< index trees: one kernel each, after fusion
    loops,         ///< scf, arith and llvm dialects
    llvm,          ///< LLVM IR, optimised
    assembly,      ///< of the host
    shared_object, ///< a file that exports cpu::program_symbol
};

struct CompileOptions {
    Stage stage = Stage::shared_object;
    std::string output; ///< shared_object: the file to write, replaced as a whole
    bool wide = false;  ///< 64-bit coordinates and positions instead of 32-bit ones
    /// The program is nothing but a text, that of stage ga, it or loops, and goes on from there.
    bool resume = false;
};

struct CompileResult {
    std::string text;                   ///< of a stage that is text
    std::vector<std::string> explained; ///< what was fused, chosen and why, a line each
};

/// Throws tropic::Error; what the compiler cannot do yet is refused with Error(unsupported) at its
/// place in the program.
CompileResult compile(const language::Program& program, const CompileOptions& options);

/// `compile` under a name that can be looked up in the library.
inline constexpr const char* compile_symbol = "tropic_compile";
using CompileFunction = void (*)(const language::Program&, const CompileOptions&, CompileResult&);

} // namespace tropic::compile
