#include "cli/algorithm_run.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/algorithm_columns.h"
#include "cli/made_graphs.h"
#include "cli/number_argument.h"
#include "cli/outputs.h"
#include "cli/program_results.h"
#include "cli/same_ids.h"
#include "cli/scalar_results.h"
#include "cli/text_output.h"
#include "graph/files/compressor.h"
#include "graph/files/reader.h"
#include "program/given_number.h"
#include "support/letter_case.h"
#include "tropic/coordinates.h"

namespace tropic::cli {

std::string rounds_text(const std::vector<AlgorithmRound>& rounds) {
    if (rounds.empty()) return {};
    std::string out = fmt::format("  {:>6} {:>9} {:>12} {:>12}  {:<9} {:>12}\n", "choice", "round",
                                  "frontier", "edges", "direction", "seconds");
    for (const AlgorithmRound& round : rounds) {
        out +=
            fmt::format("  {:>6} {:>9} {:>12} {:>12}  {:<9} {:>12.9f}\n",
                        round.choice < 0 ? "bucket" : std::to_string(round.choice), round.iteration,
                        round.frontier, round.edges < 0 ? "-" : std::to_string(round.edges),
                        round.pull ? "pull" : "push", round.seconds);
    }
    return out;
}

Json rounds_json(const std::vector<AlgorithmRound>& rounds) {
    Json list = Json::array();
    for (const AlgorithmRound& round : rounds) {
        Json line = round.choice < 0 ? Json{{"bucket", round.iteration}}
                                     : Json{{"choice", round.choice}, {"round", round.iteration}};
        line["frontier"] = round.frontier;
        if (round.edges >= 0) line["edges"] = round.edges;
        line["direction"] = round.pull ? "pull" : "push";
        line["seconds"] = round.seconds;
        list.push_back(std::move(line));
    }
    return list;
}

namespace {

using Kind = AlgorithmVariable::Kind;

/// A matrix of one row or one column as a vector.
Tensor as_vector(const Graph& graph, const std::string& parameter, const Context& context) {
    const Tensor& matrix = graph.tensor;
    if (matrix.rank() == 1) return matrix;
    if (matrix.rank() != 2 || (matrix.dim(0) != 1 && matrix.dim(1) != 1)) {
        throw Error({.code = ErrorCode::inconsistent,
                     .message = fmt::format("{} is {}, and {} wants a vector", graph.name,
                                            fmt::join(matrix.shape(), " x "), parameter),
                     .accepted = "a matrix of one column"});
    }
    const int kept = matrix.dim(1) == 1 ? 0 : 1;
    CoordinateList list = coordinates_of(matrix, context);
    list.shape = {matrix.dim(kept)};
    for (CoordinateBlock& block : list.blocks) {
        block.coordinates = {std::move(block.coordinates[kept])};
    }
    return build(std::move(list), Format::sparse_vector(), Duplicates::keep, context);
}

/// One run of an algorithm with all that is shown of it.
class AlgorithmRun {
  public:
    AlgorithmRun(const Algorithm& algorithm, const ProgramArguments& arguments,
                 const RunOptions& options)
        : algorithm_(algorithm), arguments_(arguments), options_(options),
          run_(options, time_limit(arguments, algorithm.name())) {}

    void perform() {
        std::vector<OutputFile> files;
        for (const std::string& output : arguments_.outputs) {
            require_result(output);
            const auto [name, file] = parse_output(output);
            require_form(name, file);
            files.push_back({"-o " + name, file});
        }
        check_outputs(files, options_.json, run_.context());
        require_not_read(files, files_of_inputs(arguments_.inputs));
        bind_inputs();
        for (const std::string& setting : arguments_.settings) bind_setting(setting);
        AlgorithmRunOptions options;
        options.seed = options_.seed;
        options.time_statements = arguments_.time;
        options.record_rounds = arguments_.explain;
        if (!options_.json) {
            options.print = [&](std::string_view text) {
                run_.finish_progress();
                std::fwrite(text.data(), 1, text.size(), stdout);
                printed_ = true;
            };
        }
        AlgorithmResult result = algorithm_.run(values_, run_.context(), options);
        name_vertices(result);
        notes_.insert(notes_.end(), result.notes.begin(), result.notes.end());
        for (const std::string& output : arguments_.outputs) write(result, output);
        run_.show_files();
        run_.finish_progress();
        if (options_.json) fmt::print("{}\n", dump(json(result)));
        else show(result);
    }

  private:
    static NamedWord parse_output(const std::string& output) {
        return parse_named(output, "-o",
                           "NAME=FILE: a result of the algorithm and where to write it",
                           "such as -o level=level.mtx");
    }

    /// What cannot be written is said before the run, not behind it. A number is a line of text,
    /// which is no file of a graph.
    void require_form(const std::string& name, const std::string& file) const {
        const AlgorithmVariable* const variable = result_named(name);
        if (variable == nullptr) return;
        if (variable->kind == Kind::number) {
            const bool text = is_table_file(file) && !has_suffix(without_compression(file), ".mtx");
            if (text || !format_to_write(file)) return;
            throw Error({.code = ErrorCode::usage,
                         .message = fmt::format("the suffix of {} is that of a graph, and {} is a "
                                                "number",
                                                file, name),
                         .accepted = ".txt .csv .tsv .json, or none",
                         .hint = fmt::format("such as -o {}={}.txt", name, name)});
        }
        const bool graph = variable->kind == Kind::graph;
        if (format_to_write(file) || (!graph && is_table_file(file))) return;
        throw Error(
            {.code = ErrorCode::usage,
             .message = fmt::format("the suffix of {} names no form that {} can have", file, name),
             .accepted = graph ? writable_suffixes() + ", text also with .gz .xz .zst"
                               : ".csv .tsv .txt .json .mtx .tns .tg, text also with .gz "
                                 ".xz .zst",
             .hint = fmt::format("such as -o {}={}.mtx", name, name)});
    }

    /// Before it is computed.
    void require_result(const std::string& output) const {
        const auto [name, file] = parse_output(output);
        std::vector<std::string> names;
        for (const AlgorithmVariable* part : parts()) names.push_back(part->name);
        if (std::ranges::find(names, name) != names.end()) return;
        throw Error({.code = ErrorCode::usage,
                     .message = fmt::format("{} has no result {}", algorithm_.name(), name),
                     .accepted = fmt::format("{}", fmt::join(names, ", "))});
    }

    void bind_inputs() {
        std::vector<std::string> unnamed;
        for (const std::string& word : arguments_.inputs) {
            // Generator expressions may contain = themselves.
            const std::string name = word.substr(0, word.find('='));
            const bool plain = std::ranges::all_of(
                name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
            if (name.size() == word.size() || !plain) unnamed.push_back(word);
            else bind_input(algorithm_.parameter(name), word.substr(name.size() + 1));
        }
        std::size_t next = 0;
        for (const AlgorithmVariable& parameter : algorithm_.parameters()) {
            if (parameter.kind != Kind::graph || values_.values().contains(parameter.name))
                continue;
            if (next < unnamed.size()) {
                bind_input(parameter, unnamed[next++]);
                continue;
            }
            throw Error({.code = ErrorCode::usage,
                         .message = fmt::format("graph {} of {} is not given", parameter.name,
                                                algorithm_.name()),
                         .hint = fmt::format("-i {}=FILE, or a generator such as -i {}=kron:10",
                                             parameter.name, parameter.name)});
        }
        if (next < unnamed.size()) {
            throw Error({.code = ErrorCode::usage,
                         .message = fmt::format("'{}' is one graph too many", unnamed[next])});
        }
    }

    void bind_input(const AlgorithmVariable& parameter, const std::string& path) {
        if (parameter.kind == Kind::number) {
            throw Error(
                {.code = ErrorCode::usage,
                 .message = fmt::format("{} is no graph but {}", parameter.name, parameter.type),
                 .hint = fmt::format("--set {}=VALUE", parameter.name)});
        }
        Graph graph = run_.load(path, {});
        notes_.insert(notes_.end(), graph.warnings.begin(), graph.warnings.end());
        if (parameter.kind != Kind::graph && parameter.kind != Kind::table) {
            values_.set(parameter.name, as_vector(graph, parameter.name, run_.context()));
            return;
        }
        if (parameter.kind == Kind::table) {
            values_.set(parameter.name, graph.tensor);
            return;
        }
        if (!graph_) graph_ = std::make_unique<Graph>(graph);
        else note_other_ids(parameter, graph);
        graphs_.emplace(parameter.name, graph);
        values_.set(parameter.name, std::move(graph));
    }

    /// Vertices of several graphs are the same where they have the same place.
    void note_other_ids(const AlgorithmVariable& parameter, const Graph& graph) {
        const bool same_space = parameter.type.find('(') == std::string::npos;
        if (!same_space || !graph.is_square() || !graph_->is_square()) return;
        if (graph.vertices() != graph_->vertices()) return; // the algorithm complains
        const Index k = first_other_id(*graph_, 0, graph, 0);
        if (k < 0) return;
        notes_.push_back(fmt::format("{} and {} have different ids, the first of them {} and {}: "
                                     "vertices were matched in their order",
                                     graph_->name, graph.name, graph_->ids[0][k], graph.ids[0][k]));
    }

    void bind_setting(const std::string& setting) {
        const auto [name, word] =
            parse_named(setting, "--set", "NAME=VALUE: a parameter of the algorithm and its value",
                        "such as --set source=3");
        const AlgorithmVariable& parameter = algorithm_.parameter(name);
        if (parameter.kind != Kind::number) {
            throw Error({.code = ErrorCode::usage,
                         .message = fmt::format("{} is no number but {}", name, parameter.type),
                         .hint = fmt::format("-i {}=FILE", name)});
        }
        values_.set(name,
                    parameter.vertex ? Argument(vertex(name, word)) : number(parameter, word));
    }

    static Argument number(const AlgorithmVariable& parameter, const std::string& word) {
        const bool truth = parameter.element == ElementType::boolean;
        const std::optional<Argument> given = truth ? parse_truth(word) : parse_number(word);
        if (!given) {
            throw Error({.code = ErrorCode::usage,
                         .message = fmt::format("{} cannot be '{}'", parameter.name, word),
                         .accepted = truth                         ? "true or false"
                                     : is_float(parameter.element) ? "a number"
                                                                   : "a whole number"});
        }
        check_command_line([&] {
            program::require_fits(parameter.name, *program::number_of(*given), parameter.element,
                                  parameter.type);
        });
        return *given;
    }

    /// The position of the vertex with that id in the file.
    Index vertex(const std::string& name, const std::string& word) const {
        if (word == "none") return -1;
        Index id = 0;
        const char* const end = word.data() + word.size();
        const auto read = std::from_chars(word.data(), end, id);
        if (read.ec == std::errc::invalid_argument || read.ptr != end) {
            throw Error({.code = ErrorCode::usage,
                         .message = fmt::format("{} cannot be '{}'", name, word),
                         .accepted = "the id that a vertex has in the file, or none"});
        }
        const bool known = read.ec == std::errc{};
        if (!graph_ || graph_->ids.empty()) {
            if (known) return id;
        } else if (const Index found = known ? graph_->ids[0].find(id, graph_->vertices()) : -1;
                   found >= 0) {
            return found;
        }
        throw Error({.code = ErrorCode::range,
                     .message = fmt::format("{} is '{}', and {} has no such vertex", name, word,
                                            graph_ ? graph_->name : "the graph"),
                     .accepted = "the id that a vertex has in the file"});
    }

    /// Vertices among the numbers get the ids of the file.
    void name_vertices(AlgorithmResult& result) const {
        if (!graph_ || graph_->ids.empty()) return;
        for (const AlgorithmVariable* variable : parts()) {
            const auto number = result.integers.find(variable->name);
            if (!variable->vertex || number == result.integers.end() || number->second < 0) {
                continue;
            }
            number->second = graph_->ids[0][number->second];
            result.numbers[variable->name] = static_cast<double>(number->second);
        }
    }

    /// The results, with fields of records in the place of these.
    std::vector<const AlgorithmVariable*> parts() const {
        std::vector<const AlgorithmVariable*> list;
        for (const AlgorithmVariable& variable : algorithm_.results()) {
            if (variable.fields.empty()) list.push_back(&variable);
            for (const AlgorithmVariable& field : variable.fields) list.push_back(&field);
        }
        return list;
    }

    const AlgorithmVariable* result_named(const std::string& name) const {
        for (const AlgorithmVariable* part : parts()) {
            if (part->name == name) return part;
        }
        return nullptr;
    }

    /// A result as a column in the ids of the graph it belongs to, if it belongs to one.
    std::optional<ResultColumn> column_of(const AlgorithmResult& result, const std::string& name) {
        const AlgorithmVariable* const variable = result_named(name);
        if (variable == nullptr || !graph_) return {};
        if (variable->kind == Kind::graph) return {};
        if (variable->kind == Kind::number || !result.tensors.contains(name)) return {};
        // Of the space's graph, if the space names one.
        const Graph* graph = graph_.get();
        if (const auto open = variable->type.find('('); open != std::string::npos) {
            const auto close = variable->type.find(')', open);
            const auto named = graphs_.find(variable->type.substr(open + 1, close - open - 1));
            if (named == graphs_.end()) return {};
            graph = &named->second;
        }
        const bool counts = variable->element != ElementType::boolean && !variable->vertex;
        return ResultColumn(*graph, *variable, result.tensor(name),
                            counts ? library::Summary::distances : library::Summary::values,
                            run_.context());
    }

    void write(const AlgorithmResult& result, const std::string& output) {
        const auto [name, file] = parse_output(output);
        const auto variable =
            std::ranges::find(algorithm_.results(), name, &AlgorithmVariable::name);
        if (variable != algorithm_.results().end() && variable->kind == Kind::graph) {
            const auto more =
                write_graph(made_graph(*variable, result.tensor(name), graph_.get(), graphs_), file,
                            {}, run_.context());
            notes_.insert(notes_.end(), more.begin(), more.end());
            return;
        }
        if (const auto column = column_of(result, name); column && is_table_file(file)) {
            write_columns({&*column}, file, run_.context());
            if (std::string note = numbering_note(*column, file); !note.empty()) {
                notes_.push_back(std::move(note));
            }
            return;
        }
        const AlgorithmVariable* const number = result_named(name);
        if (number != nullptr && number->kind == Kind::number && number->lanes == 1) {
            write_text(scalar_text(*number, result), file, run_.context());
            return;
        }
        const auto more = write_result(result, name, file, run_.context());
        notes_.insert(notes_.end(), more.begin(), more.end());
    }

    void show(const AlgorithmResult& result) {
        run_.warn(notes_);
        // An algorithm that shows nothing of its own is told of in its stead.
        if (!printed_ && arguments_.outputs.empty()) show_results(result);
        if (arguments_.explain) {
            for (const std::string& line : algorithm_.explanation()) {
                fmt::print(stderr, "  {}\n", line);
            }
            fmt::print(stderr, "{}", rounds_text(result.rounds));
        }
        if (arguments_.time) {
            fmt::print(stderr, "{}  {:>12.6f} s in all, {:.6f} s before it for the arguments\n",
                       times_text(result.times), result.seconds, result.binding_seconds);
        }
    }

    void show_results(const AlgorithmResult& result) {
        RunResult others = result;
        for (const AlgorithmVariable* variable : parts()) {
            if (variable->kind == Kind::graph) {
                fmt::print("{}",
                           row(variable->name,
                               edges_preview(made_graph(*variable, result.tensor(variable->name),
                                                        graph_.get(), graphs_))));
                others.tensors.erase(variable->name);
                continue;
            }
            if (const auto column = column_of(result, variable->name)) {
                fmt::print("{}", row(variable->name, column->preview()));
                others.tensors.erase(variable->name);
            }
        }
        for (const AlgorithmVariable* variable : parts()) {
            if (variable->kind != Kind::number) continue;
            fmt::print("{}", row(variable->name, scalar_text(*variable, result)));
            others.numbers.erase(variable->name);
            others.tensors.erase(variable->name);
        }
        fmt::print("{}", results_text(others));
    }

    /// Numbers first, as they are declared.
    Json results_json(const AlgorithmResult& result) const {
        RunResult others = result;
        Json json = Json::object();
        for (const AlgorithmVariable* variable : parts()) {
            if (variable->kind != Kind::number) continue;
            json[variable->name] = scalar_json(*variable, result);
            others.numbers.erase(variable->name);
            others.tensors.erase(variable->name);
        }
        json.update(describe_results(others));
        return json;
    }

    Json json(const AlgorithmResult& result) const {
        Json json = {{"program", arguments_.program},
                     {"algorithm", algorithm_.name()},
                     {"printed", result.printed},
                     {"results", results_json(result)}};
        if (!notes_.empty()) json["remarks"] = notes_;
        if (arguments_.explain) {
            json["explanation"] = algorithm_.explanation();
            json["rounds"] = rounds_json(result.rounds);
        }
        if (arguments_.time) {
            json["times"] = times_json(result.times);
            json["seconds"] = result.seconds;
            json["binding_seconds"] = result.binding_seconds;
        }
        return json;
    }

    const Algorithm& algorithm_;
    const ProgramArguments& arguments_;
    const RunOptions& options_;
    Run run_;
    std::unique_ptr<Graph> graph_; ///< the first, whose ids name vertices
    std::map<std::string, Graph> graphs_;
    Arguments values_;
    std::vector<std::string> notes_;
    bool printed_ = false;
};

Json describe(const std::vector<AlgorithmVariable>& variables, bool parameters) {
    Json list = Json::array();
    for (const AlgorithmVariable& variable : variables) {
        Json json = {{"name", variable.name}, {"type", variable.type}};
        if (parameters && !variable.required) json["default"] = variable.initial;
        if (!variable.comment.empty()) json["comment"] = variable.comment;
        list.push_back(std::move(json));
    }
    return list;
}

} // namespace

TimeLimit time_limit(const ProgramArguments& arguments, std::string what) {
    return {.seconds = arguments.timeout,
            .what = std::move(what),
            .hint = "give it more time, or look for a loop that does not end"};
}

std::vector<std::string> files_of_inputs(const std::vector<std::string>& words) {
    std::vector<std::string> files = words;
    for (const std::string& word : words) files.push_back(word.substr(word.find('=') + 1));
    return files;
}

NamedWord parse_named(const std::string& text, const char* option, const char* accepted,
                      const char* hint) {
    const auto sign = text.find('=');
    if (sign == 0 || sign == std::string::npos || sign + 1 == text.size()) {
        throw Error({.code = ErrorCode::usage,
                     .message = fmt::format("{} does not understand '{}'", option, text),
                     .accepted = accepted,
                     .hint = hint});
    }
    return {text.substr(0, sign), text.substr(sign + 1)};
}

void run_algorithm(const std::string& text, const ProgramArguments& arguments,
                   const RunOptions& run_options) {
    AlgorithmOptions options;
    options.function = arguments.function;
    options.wide = arguments.wide;
    options.check = arguments.check;
    options.cache = !arguments.no_cache;
    for (const std::string& word : arguments.types) {
        const auto [name, type] =
            parse_named(word, "--type", "NAME=TYPE: a type that the text declares",
                        "such as --type weight=double");
        options.types[name] = type;
    }
    const Algorithm algorithm = Algorithm::from_text(text, options, arguments.program);
    AlgorithmRun(algorithm, arguments, run_options).perform();
}

Json describe(const Algorithm& algorithm, const std::string& file) {
    return {{"program", file},
            {"ok", true},
            {"algorithm", algorithm.name()},
            {"parameters", describe(algorithm.parameters(), true)},
            {"results", describe(algorithm.results(), false)}};
}

std::string times_text(const std::vector<StatementTime>& times) {
    std::string out;
    for (const StatementTime& time : times) {
        out += fmt::format("  {:>12.6f} s {:>8} x  {}: {}\n", time.seconds, time.runs, time.place,
                           time.text);
    }
    return out;
}

Json times_json(const std::vector<StatementTime>& times) {
    Json list = Json::array();
    for (const StatementTime& time : times) {
        list.push_back({{"place", time.place},
                        {"text", time.text},
                        {"seconds", time.seconds},
                        {"runs", time.runs}});
    }
    return list;
}

} // namespace tropic::cli
