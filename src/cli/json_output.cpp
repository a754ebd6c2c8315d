#include "cli/json_output.h"

#include <cmath>

#include "cli/text_output.h"

namespace tropic::cli {

namespace {

/// JSON has neither infinities nor the mean of both.
Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

Json number(const ExactValue& value) {
    if (const auto* real = std::get_if<double>(&value)) return number(*real);
    return std::visit([](auto whole) { return Json(whole); }, value);
}

} // namespace

std::string dump(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Json to_json(const Diagnostic& d) {
    Json json = {{"kind", name_of(d.code)}, {"message", d.message}};
    if (!d.file.empty()) json["file"] = d.file;
    if (d.line > 0) json["line"] = d.line;
    if (d.column > 0) json["column"] = d.column;
    if (!d.source_line.empty()) json["source_line"] = d.source_line;
    if (!d.accepted.empty()) json["accepted"] = d.accepted;
    if (!d.hint.empty()) json["try"] = d.hint;
    return json;
}

Json to_json(const Step& step) {
    Json counts = Json::object();
    for (const auto& [name, count] : step.counts) counts[name] = count;
    return {{"step", step.what}, {"counts", counts}};
}

Json to_json(const std::vector<Step>& steps) {
    Json json = Json::array();
    for (const Step& step : steps) json.push_back(to_json(step));
    return json;
}

Json to_json(const DegreeSummary& d) {
    return {{"min", d.min}, {"median", d.median}, {"mean", d.mean},
            {"max", d.max}, {"zeros", d.zeros},   {"log2_counts", d.log2_counts}};
}

Json to_json(const Statistics& s, bool square) {
    Json json = {{"rows", s.rows},
                 {"columns", s.cols},
                 {"entries", s.entries},
                 {"duplicates", s.duplicates},
                 {"empty_rows", s.empty_rows},
                 {"empty_columns", s.empty_columns}};
    if (square) {
        json["self_loops"] = s.self_loops;
        json["isolated"] = s.isolated;
        json["pattern_symmetric"] = s.pattern_symmetric;
        json["value_symmetric"] = s.value_symmetric;
    }
    json["row_degrees"] = to_json(s.row_degrees);
    json["column_degrees"] = to_json(s.column_degrees);
    if (s.values) {
        json["values"] = {{"min", number(s.values->exact_min)},
                          {"max", number(s.values->exact_max)},
                          {"mean", number(s.values->mean)},
                          {"zeros", s.values->zeros},
                          {"negatives", s.values->negatives}};
    }
    return json;
}

Json quality_json(const Graph& graph, const Partition& partition) {
    const PartitionQuality& q = partition.quality;
    Json json = {{"communication_volume", q.communication_volume},
                 {"vertex_balance", q.vertex_balance},
                 {"entry_balance", q.entry_balance}};
    if (has_weight_balance(graph, partition)) json["weight_balance"] = q.weight_balance;
    // Blocks of a matrix cut no edges.
    if (partition.options.method != PartitionMethod::block_2d) {
        json["edge_cut"] = q.edge_cut;
        if (q.cut_weight) json["cut_weight"] = *q.cut_weight;
        json["cut_entries"] = q.cut_entries;
        json["boundary_vertices"] = q.boundary_vertices;
    }
    return json;
}

Json describe(const Graph& graph) {
    Json json = {{"name", graph.name}, {"source", graph.source}, {"shape", graph.tensor.shape()}};
    if (graph.tensor.rank() == 2) {
        json["kind"] = name_of(graph.kind);
        json["vertices"] = graph.vertices();
    }
    json.update({{"entries", graph.entries()},
                 {"type", name_of(graph.tensor.type())},
                 {"storage", graph.tensor.format().name()},
                 {"bytes", graph.tensor.bytes()},
                 {"steps", to_json(graph.steps)},
                 {"warnings", graph.warnings}});
    if (graph.constraints > 0) json["vertex_weights"] = graph.constraints;
    if (!graph.vertex_sizes.empty()) json["vertex_sizes"] = true;
    return json;
}

} // namespace tropic::cli
