// The compiler's shared library, loaded when it is first needed: it brings MLIR with it, and a
// program that is in the cache runs without.
#pragma once

#include <string>

#include "compile/algorithm/compile_algorithm.h"
#include "compile/compiler.h"

namespace tropic::program {

/// The file of the compiler, which lies beside libtropic.
const std::string& compiler_path();

/// Tells one build of the compiler, and of what compiled code calls, from another.
std::string compiler_identity();

/// Compiles; throws Error(not_found) if there is no compiler, and what the compiler throws.
compile::CompileResult compile(const language::Program& program,
                               const compile::CompileOptions& options);

compile::CompileResult compile(const language::algorithm::Algorithm& algorithm,
                               const compile::CompileOptions& options);

/// For tests: another compiler from here on; null: the one in the library.
void replace_compiler(compile::CompileFunction function);

} // namespace tropic::program
