// The JSON forms of what the commands report.
#pragma once

#include <nlohmann/json.hpp>

#include "tropic/error.h"
#include "tropic/graph.h"
#include "tropic/partition.h"
#include "tropic/statistics.h"

namespace tropic::cli {

/// Keys keep the order in which they are written.
using Json = nlohmann::ordered_json;

/// Indented text; bytes that are not UTF-8 (odd file names) are replaced.
std::string dump(const Json& json);

Json to_json(const Diagnostic& diagnostic);
Json to_json(const Step& step);
Json to_json(const std::vector<Step>& steps);
Json to_json(const DegreeSummary& degrees);
/// `square`: rows and columns are the same vertices.
Json to_json(const Statistics& statistics, bool square);
/// What the cut of a graph costs.
Json quality_json(const Graph& graph, const Partition& partition);

/// Name, source, kind, shape, entries, storage, steps and warnings.
Json describe(const Graph& graph);

} // namespace tropic::cli
