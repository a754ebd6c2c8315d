// The processor that code is made for: this machine's, or a lesser one of its kind that the
// environment names, which other machines have.
#pragma once

#include <string>

namespace tropic::compile {

struct TargetProcessor {
    std::string name;     ///< as LLVM knows it
    std::string features; ///< as LLVM reads them; empty: those that the name stands for
    bool gathers;         ///< it has masks and gathers for vectors of 16 elements
};

/// Throws Error(usage) if TROPIC_PROCESSOR is no processor's name, and Error(unsupported) if this
/// machine could not run its code.
TargetProcessor target_processor();

} // namespace tropic::compile
