// Programs that a benchmark runs beside itself, mostly itself once more: a process of its own has a
// peak of memory of its own.
#pragma once

#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace tropic::bench {

/// What a shell's command prints.
inline std::string printed_by(const std::string& command) {
    // The commands are the benchmark's own, with the paths it was started with.
    std::FILE* pipe = popen(command.c_str(), "r"); // NOLINT(bugprone-command-processor)
    if (pipe == nullptr) throw std::runtime_error("cannot start " + command);
    std::string text;
    std::array<char, 4096> buffer{};
    while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) text += buffer.data();
    if (pclose(pipe) != 0) throw std::runtime_error("this failed: " + command);
    return text;
}

} // namespace tropic::bench
