#include "cli/program_results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/text_output.h"
#include "graph/files/byte_sink.h"
#include "tropic/coordinates.h"
#include "tropic/error.h"
#include "tropic/formats.h"

namespace tropic::cli {

namespace {

/// A vector as a matrix of one column.
Tensor as_column(const Tensor& vector, const Context& context) {
    const Tensor sparse = convert(vector, Format::sparse_vector(), context);
    CoordinateList list = coordinates_of(sparse, context);
    list.shape.push_back(1);
    for (CoordinateBlock& block : list.blocks) {
        block.coordinates.push_back(
            Array::zeros(list.index_type, block.size(), context, "column indices"));
    }
    return build(std::move(list), Format::csr(), Duplicates::keep, context);
}

/// Of a uint64 that no int64 is, the integer has the bits.
bool is_beyond(std::int64_t whole, double number) {
    return whole < 0 && number > 0;
}

std::string number_text(const RunResult& result, const std::string& name) {
    const auto whole = result.integers.find(name);
    const double number = result.number(name);
    if (whole == result.integers.end()) return fmt::format("{}", number);
    return is_beyond(whole->second, number)
               ? fmt::format("{}", static_cast<std::uint64_t>(whole->second))
               : fmt::format("{}", whole->second);
}

} // namespace

void write_text(const std::string& text, const std::string& file, const Context& context) {
    const auto sink = create_file(file, false, context);
    sink->write(text + '\n');
    sink->commit();
}

std::vector<std::string> write_result(const RunResult& result, const std::string& name,
                                      const std::string& file, const Context& context) {
    if (result.numbers.contains(name)) {
        write_text(number_text(result, name), file, context);
        return {};
    }
    Graph graph;
    graph.name = name;
    graph.source = "program";
    graph.tensor = result.tensor(name);
    if (graph.tensor.rank() == 1) graph.tensor = as_column(graph.tensor, context);
    return write_graph(graph, file, {}, context);
}

std::string results_text(const RunResult& result) {
    std::string out;
    for (const auto& [name, value] : result.numbers) out += row(name, number_text(result, name));
    for (const auto& [name, tensor] : result.tensors) {
        out += row(name, fmt::format("{}, {} entries of {}, stored as {}",
                                     fmt::join(tensor.shape(), " x "), tensor.entries(),
                                     name_of(tensor.type()), tensor.format().name()));
    }
    return out;
}

Json describe_results(const RunResult& result) {
    Json json = Json::object();
    for (const auto& [name, value] : result.numbers) {
        const auto whole = result.integers.find(name);
        if (whole == result.integers.end()) json[name] = value;
        else if (!is_beyond(whole->second, value)) json[name] = whole->second;
        else json[name] = static_cast<std::uint64_t>(whole->second);
    }
    for (const auto& [name, tensor] : result.tensors) {
        json[name] = {{"shape", tensor.shape()},
                      {"entries", tensor.entries()},
                      {"type", name_of(tensor.type())},
                      {"storage", tensor.format().name()}};
    }
    return json;
}

} // namespace tropic::cli
