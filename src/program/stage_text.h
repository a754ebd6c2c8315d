// Texts that stand for a program on its way to the machine (tropic compile --emit ga, it, loops)
// instead of one in the language.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "language/program.h"

namespace tropic::program {

/// They begin with the word `module`, which no program does.
bool is_stage_text(std::string_view text);

/// What such a text reads, in its order, each once, and where the first of that name stands.
struct StageInput {
    std::string name;
    language::Place place;
};
std::vector<StageInput> inputs_of_stage(const std::string& text);

} // namespace tropic::program
