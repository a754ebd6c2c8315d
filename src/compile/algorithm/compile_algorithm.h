// The door to the compiler for algorithms.
#pragma once

#include "compile/compiler.h"
#include "language/algorithm/algorithm.h"

namespace tropic::compile {

/// Stages `llvm`, `assembly` and `shared_object`, which exports cpu::algorithm_symbol. Throws
/// tropic::Error.
CompileResult compile(const language::algorithm::Algorithm& algorithm,
                      const CompileOptions& options);

/// The same under a name that can be looked up in the library.
inline constexpr const char* compile_algorithm_symbol = "tropic_compile_algorithm";
using CompileAlgorithmFunction = void (*)(const language::algorithm::Algorithm&,
                                          const CompileOptions&, CompileResult&);

} // namespace tropic::compile
