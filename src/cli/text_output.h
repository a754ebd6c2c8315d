// The plain-text forms of what the commands report.
#pragma once

#include <string>

#include "tropic/graph.h"
#include "tropic/partition.h"
#include "tropic/statistics.h"

namespace tropic::cli {

/// A whole number with all its digits as far as they are known, another one in six.
std::string short_number(double number);

/// One line "label   value" with aligned values.
std::string row(std::string_view label, std::string_view value);

/// "entries in file 12, mirrored 10".
std::string counts_text(const Step& step);

/// The steps, one a line, under a heading; empty if there are none.
std::string steps_text(const std::vector<Step>& steps);

/// Format, storage, kind and size.
std::string graph_text(const Graph& graph);

/// Loops, duplicates, symmetry, degrees with a histogram, values.
/// `square`: rows and columns are the same vertices.
std::string statistics_text(const Statistics& statistics, bool square);

std::string partition_text(const Graph& graph, const Partition& partition);

/// Whether a partition has a balance of vertex weights.
bool has_weight_balance(const Graph& graph, const Partition& partition);

} // namespace tropic::cli
