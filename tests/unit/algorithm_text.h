// Checked algorithms as text, for tables in tests.
#pragma once

#include <string>

#include "language/algorithm/check.h"
#include "tropic/error.h"

namespace tropic::language::algorithm {

/// Without the first line; or what is wrong, one message a line.
inline std::string checked(const std::string& text, bool optimise = false) {
    try {
        const std::string all =
            to_text(check_algorithm(text, "test.tropic", CheckOptions{.optimise = optimise}));
        return all.substr(all.find('\n') + 1);
    } catch (const Error& error) {
        std::string messages;
        for (const Diagnostic& diagnostic : error.diagnostics()) {
            messages += std::to_string(diagnostic.line) + ":" + std::to_string(diagnostic.column) +
                        ": " + diagnostic.message + "\n";
        }
        return messages;
    }
}

} // namespace tropic::language::algorithm
