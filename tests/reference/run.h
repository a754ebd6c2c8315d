// Runs a checked program statement by statement, the slow and obvious way: the oracle that compiled
// programs are compared with.
#pragma once

#include <iosfwd>
#include <map>
#include <string>

#include "reference/evaluate.h"

namespace tropic::reference {

/// The file of each input, by its name ("0" for comet_read(0)).
using Inputs = std::map<std::string, std::string>;

/// Writes to `out` what the program prints and returns what its variables hold at the end. Throws
/// tropic::Error for sizes that contradict each other, missing inputs and the like. Variables may
/// have values before the program starts: those in `start`, stored as their formats say.
Memory run(const language::Program& program, const Inputs& inputs, std::ostream& out,
           Memory start = {});

/// The entries of a file as a table: those of the triangle (Statement::read_mode), equal
/// coordinates added up.
Table read_table(const std::string& path, ElementType element, int read_mode);

} // namespace tropic::reference
