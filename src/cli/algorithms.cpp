// The algorithms of the library as commands, all made from one table.
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/algorithm_columns.h"
#include "cli/algorithm_run.h"
#include "cli/commands.h"
#include "cli/number_argument.h"
#include "cli/outputs.h"
#include "cli/text_output.h"
#include "library/catalogue.h"
#include "library/perform.h"
#include "library/prepare.h"

namespace tropic::cli {

namespace {

using library::Entry;
using library::Method;

struct AlgorithmCommand {
    std::string graph;
    std::string method;
    std::string source;
    std::map<std::string, std::string> options;
    std::vector<std::string> outputs;
    Index top = -1;
    double timeout = 0;
    bool verify = false;
    bool explain = false;
    bool time = false;
    ShapeOptions shape;
};

Argument option_argument(const library::Option& option, const std::string& text) {
    const bool truth = option.range.of == library::Range::Of::truths;
    if (const auto value = truth ? parse_truth(text) : parse_number(text)) return *value;
    throw Error({.code = ErrorCode::usage,
                 .message = fmt::format("--{} does not understand '{}'", option.name, text),
                 .accepted = library::accepted_of(option.range)});
}

const Method& chosen_method(const Entry& entry, const std::string& name) {
    if (const Method* method = entry.method(name)) return *method;
    std::vector<std::string_view> names;
    names.reserve(entry.methods.size());
    for (const Method& method : entry.methods) names.push_back(method.name);
    throw Error({.code = ErrorCode::usage,
                 .message = fmt::format("{} has no method '{}'", entry.name, name),
                 .accepted = fmt::format("{}", fmt::join(names, ", "))});
}

/// That --source is an id, whether or not the graph has a vertex of it.
void require_id(const Entry& entry, const std::string& text) {
    if (text.empty()) {
        throw Error(
            {.code = ErrorCode::usage,
             .message = fmt::format("{} starts from a vertex, and none is given", entry.name),
             .hint = "--source ID, with the id the vertex has in the file"});
    }
    const std::size_t sign = text.starts_with('-') ? 1 : 0;
    if (sign < text.size() && text.find_first_not_of("0123456789", sign) == std::string::npos) {
        return;
    }
    throw Error({.code = ErrorCode::usage,
                 .message = fmt::format("--source does not understand '{}'", text),
                 .accepted = "the id that a vertex has in the file, a whole number"});
}

/// The position of the vertex with that id in the file.
Index source_of(const Graph& graph, const std::string& text) {
    Index id = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), id);
    const Index source = read.ec == std::errc{} ? graph.ids[0].find(id, graph.vertices()) : -1;
    if (source >= 0) return source;
    const Index n = graph.vertices();
    throw Error(
        {.code = ErrorCode::range,
         .message = fmt::format("there is no vertex {} in {}", text, graph.name),
         .accepted = n == 0 ? "nothing: the graph has no vertices"
                     : graph.ids[0].is_offset()
                         ? fmt::format("{} to {}", graph.ids[0][0], graph.ids[0][n - 1])
                         : "an id of the file, such as " + std::to_string(graph.ids[0][0])});
}

/// One call of an algorithm with all that is shown of it.
class AlgorithmCall {
  public:
    AlgorithmCall(const Entry& entry, const AlgorithmCommand& command, const RunOptions& options)
        : entry_(entry), command_(command), run_options_(options),
          run_(options, {.seconds = command.timeout, .what = std::string(entry.name)}),
          method_(chosen_method(entry, command.method)) {}

    void perform() {
        std::vector<OutputFile> files;
        files.reserve(command_.outputs.size());
        for (const std::string& output : command_.outputs) {
            const auto [name, file] = named_output(output);
            require_result(name, file);
            if (!is_standard_output(file)) require_table_file(file);
            files.push_back({"-o " + output, file});
        }
        check_outputs(files, run_options_.json, run_.context());
        require_not_read(files, {command_.graph});
        take_options();
        load();
        compute();
        collect();
        const bool wrong = command_.verify && !verdict_.correct();
        for (const std::string& output : command_.outputs) {
            if (!wrong) write(output);
        }
        run_.show_files();
        run_.finish_progress();
        if (run_options_.json) fmt::print("{}\n", dump(json()));
        else print();
        if (wrong) {
            throw Error(
                ErrorCode::internal,
                fmt::format("the result of {} is wrong: {}", entry_.name, verdict_.complaint),
                "report it with the command and its input");
        }
    }

  private:
    /// The result that [NAME=]FILE names, or nothing, and the file. No name has a slash: ./a=b.csv
    /// is a file.
    static std::pair<std::string, std::string> named_output(const std::string& output) {
        const auto sign = output.find('=');
        if (output.find('/') < sign) return {"", output};
        if (sign == 0 || output.empty() || sign + 1 == output.size()) {
            throw Error({.code = ErrorCode::usage,
                         .message = fmt::format("-o does not understand '{}'", output),
                         .accepted = "FILE, or NAME=FILE: a result and where to write it"});
        }
        if (sign == std::string::npos) return {"", output};
        return {output.substr(0, sign), output.substr(sign + 1)};
    }

    /// What there is nothing to write of is said before it is computed.
    void require_result(const std::string& name, const std::string& file) const {
        std::vector<std::string_view> names;
        names.reserve(method_.columns.size());
        for (const library::Column& column : method_.columns) names.push_back(column.result);
        if (name.empty() ? !names.empty() : std::ranges::find(names, name) != names.end()) return;
        throw Error(
            {.code = ErrorCode::usage,
             .message = names.empty()
                            ? fmt::format("{} has only numbers as results, nothing to write to a "
                                          "file",
                                          entry_.name)
                            : fmt::format("{} has no result {} to write", entry_.name, name),
             .accepted = fmt::format("{}", fmt::join(names, ", ")),
             .hint = names.empty() || !is_table_file(file)
                         ? ""
                         : fmt::format("for a file {0}={1}: -o {2}={0}={1}, or -o ./{0}={1}", name,
                                       file, names.front())});
    }

    /// Whether what goes to standard output is a file, beside which nothing else may be printed.
    bool fills_standard_output() const {
        return std::ranges::any_of(command_.outputs, [](const std::string& output) {
            return is_standard_output(named_output(output).second);
        });
    }

    /// What is wrong with them is said before the graph is read.
    void take_options() {
        if (entry_.source) require_id(entry_, command_.source);
        for (const library::Option& option : entry_.options) {
            const auto text = command_.options.find(std::string(option.name));
            if (text == command_.options.end() || text->second.empty()) continue;
            given_.emplace(option.name, option_argument(option, text->second));
        }
        check_command_line([&] { library::check_options(entry_, method_, given_); });
    }

    void load() {
        // Users and items, documents and words: what has factors or topics is of two kinds.
        ShapeOptions shape = command_.shape;
        shape.two_kinds = entry_.lanes.has_value();
        Graph graph = run_.load(command_.graph, shape);
        notes_ = graph.warnings;
        graph =
            library::shaped(std::move(graph), entry_.shape, entry_.name, notes_, run_.context());
        if (entry_.source) source_ = source_of(graph, command_.source);
        graph_ = PreparedGraph(std::move(graph));
    }

    void compute() {
        AlgorithmRunOptions options;
        options.seed = run_options_.seed;
        options.time_statements = command_.time;
        options.record_rounds = command_.explain;
        library::Performance done =
            library::perform(entry_, method_, graph_, source_, given_, options, run_.context());
        algorithm_ = done.algorithm;
        options_ = std::move(done.options);
        result_ = std::move(done.result);
        notes_.insert(notes_.end(), result_.notes.begin(), result_.notes.end());
        if (command_.verify) {
            verdict_ = method_.verify({graph_.graph(), source_, options_, result_}, run_.context());
        }
    }

    void collect() {
        for (const library::Column& column : method_.columns) {
            for (const AlgorithmVariable& variable : algorithm_->results()) {
                if (variable.name != column.result) continue;
                columns_.emplace_back(graph_.graph(), variable, result_.tensor(variable.name),
                                      column.summary, run_.context());
            }
        }
    }

    std::vector<const ResultColumn*> columns_from(std::string_view name) const {
        std::vector<const ResultColumn*> list;
        for (const ResultColumn& column : columns_) {
            if (name.empty() || column.name() == name) list.push_back(&column);
        }
        return list;
    }

    /// Whether -o names that result.
    bool is_written(const std::string& result) const {
        return std::ranges::any_of(command_.outputs, [&](const std::string& output) {
            return named_output(output).first == result;
        });
    }

    void write(const std::string& output) {
        const auto [name, file] = named_output(output);
        const auto list = columns_from(name);
        if (std::string note = numbering_note(*list.front(), file); !note.empty()) {
            notes_.push_back(std::move(note));
        }
        for (const std::string& other : write_columns(list, file, run_.context())) {
            if (is_written(other)) continue;
            notes_.push_back(fmt::format("{} is not in {}, which has {}: -o {}=FILE writes it",
                                         other, file, list.front()->name(), other));
        }
    }

    /// Columns with the rows of the first one, and which rows of them to show.
    std::pair<std::vector<const ResultColumn*>, std::vector<Index>> table() const {
        constexpr Index shown = 10;
        std::vector<const ResultColumn*> list;
        std::vector<Index> rows;
        const bool wanted = command_.top >= 0 || (entry_.ranking && command_.outputs.empty());
        if (columns_.empty() || !wanted) return {list, rows};
        for (const ResultColumn& column : columns_) {
            if (column.rows() == columns_.front().rows()) list.push_back(&column);
        }
        const Index count = command_.top >= 0 ? command_.top : shown;
        if (entry_.ranking) return {list, columns_.front().largest(count)};
        for (Index row = 0; row < std::min(count, columns_.front().size()); ++row) {
            rows.push_back(row);
        }
        return {list, rows};
    }

    std::string number_text(const std::string& name) const {
        const auto whole = result_.integers.find(name);
        return whole != result_.integers.end() ? std::to_string(whole->second)
                                               : short_number(result_.number(name));
    }

    void print() {
        run_.warn(notes_);
        if (!fills_standard_output()) print_results();
        if (command_.explain) {
            for (const std::string& line : algorithm_->explanation()) {
                fmt::print(stderr, "  {}\n", line);
            }
            fmt::print(stderr, "{}", rounds_text(result_.rounds));
        }
        if (command_.time) {
            fmt::print(stderr, "{}", times_text(result_.times));
            fmt::print(stderr, "  {:>12.6f} s in all, {:.6f} s before it to bind the graph\n",
                       result_.seconds, result_.binding_seconds);
        }
    }

    void print_results() const {
        for (const AlgorithmVariable& variable : algorithm_->results()) {
            if (result_.numbers.contains(variable.name)) {
                fmt::print("{}", row(variable.name, number_text(variable.name)));
            }
        }
        for (const ResultColumn& column : columns_) {
            fmt::print("{}", row(column.name(), column.summary_text()));
        }
        if (command_.verify) {
            fmt::print("{}", row("verified", verdict_.correct() ? "correct, by " + verdict_.method
                                                                : "WRONG: " + verdict_.complaint));
        }
        if (const auto [list, rows] = table(); !rows.empty()) {
            fmt::print("\n{}", columns_text(list, rows));
        }
    }

    /// Whether an option is a number that need not be whole.
    bool is_real(const std::string& name) const {
        const auto& parameters = algorithm_->parameters();
        const auto found = std::ranges::find(parameters, name, &AlgorithmVariable::name);
        return found != parameters.end() && is_float(found->element);
    }

    /// Whole numbers as such, those that were given with all their digits.
    Json option_json(const std::string& name, double value) const {
        if (const auto given = given_.find(name); given != given_.end()) {
            const auto& exact = given->second.value();
            if (const auto* whole = std::get_if<std::int64_t>(&exact)) return *whole;
            if (const auto* large = std::get_if<std::uint64_t>(&exact)) return *large;
        }
        if (!is_real(name)) return static_cast<std::int64_t>(value);
        return value;
    }

    Json json() const {
        Json json = {{"algorithm", entry_.name},
                     {"method", method_.name},
                     {"graph", describe(graph_.graph())}};
        if (entry_.source) json["source"] = graph_.graph().ids[0][source_];
        for (const auto& [name, value] : options_) json["options"][name] = option_json(name, value);
        Json results = Json::object();
        for (const AlgorithmVariable& variable : algorithm_->results()) {
            const std::string& name = variable.name;
            if (!result_.numbers.contains(name)) continue;
            const auto whole = result_.integers.find(name);
            if (whole != result_.integers.end()) results[name] = whole->second;
            else results[name] = result_.number(name);
        }
        for (const ResultColumn& column : columns_) results[column.name()] = column.summary_json();
        json["results"] = std::move(results);
        if (const auto [list, rows] = table(); !rows.empty())
            json["top"] = columns_json(list, rows);
        if (command_.verify) {
            json["verified"] = {{"correct", verdict_.correct()}, {"method", verdict_.method}};
            if (!verdict_.correct()) json["verified"]["complaint"] = verdict_.complaint;
        }
        if (!notes_.empty()) json["notes"] = notes_;
        if (command_.explain) {
            json["explanation"] = algorithm_->explanation();
            json["rounds"] = rounds_json(result_.rounds);
        }
        if (command_.time) {
            json["seconds"] = result_.seconds;
            json["binding_seconds"] = result_.binding_seconds;
        }
        return json;
    }

    const Entry& entry_;
    const AlgorithmCommand& command_;
    const RunOptions& run_options_;
    Run run_;
    const Method& method_;
    PreparedGraph graph_;
    const Algorithm* algorithm_ = nullptr;
    Index source_ = -1;
    std::map<std::string, Argument> given_;
    std::map<std::string, double> options_;
    AlgorithmResult result_;
    std::vector<ResultColumn> columns_;
    Verdict verdict_;
    std::vector<std::string> notes_;
};

std::string shape_text(library::Shape shape) {
    switch (shape) {
    case library::Shape::edges:
        return "The graph must be square. A file that lists undirected edges once is read as one "
               "that lists both directions.";
    case library::Shape::undirected:
        return "The graph must be square; directions do not count: both of every edge are taken, "
               "and a note says so.";
    case library::Shape::simple:
        return "The graph must be square; directions, loops and duplicates do not count, and a "
               "note says what was changed.";
    case library::Shape::matrix:
        break;
    }
    return "Any matrix will do, rectangular ones too.";
}

std::string footer_of(const Entry& entry) {
    std::string out;
    if (entry.methods.size() > 1) {
        out += "Methods (the first is the default):\n";
        for (const Method& method : entry.methods) {
            out += fmt::format("  {:<18}{}\n", method.name, method.summary);
        }
        out += "\n";
    }
    out += fmt::format("{}\nThe algorithm itself: library/{}.tropic. Vertices are named by the ids "
                       "of the file.\n\nExamples:\n{}",
                       shape_text(entry.shape), entry.name, entry.examples);
    out.pop_back();
    return out;
}

void add_options(CLI::App& command, const Entry& entry, AlgorithmCommand& given, Shared& shared) {
    command.add_option("GRAPH", given.graph, "A file, or a generator expression such as kron:16")
        ->required();
    if (entry.source) {
        command.add_option("--source", given.source, "The vertex to start from, by its id")
            ->type_name("ID");
    }
    if (entry.methods.size() > 1) {
        command.add_option("--method", given.method, "How to compute it")->type_name("NAME");
    }
    for (const library::Option& option : entry.options) {
        const std::string name(option.name);
        if (name == "seed") continue; // shared with everything else that is random
        command
            .add_option("--" + name, given.options[name],
                        fmt::format("{}{}", option.help,
                                    option.initial.empty()
                                        ? ""
                                        : fmt::format(" (default: {})", option.initial)))
            ->type_name("VALUE");
    }
    command
        .add_option("--top", given.top,
                    entry.ranking ? "Show the N largest (default: 10)" : "Show the first N")
        ->check(zero_or_more())
        ->type_name("N");
    command
        .add_option("-o,--output", given.outputs,
                    "Write the results, or the one named: .csv, .tsv, .json or .mtx; - is standard "
                    "output, as .csv")
        ->type_name("[NAME=]FILE")
        ->allow_extra_args(false);
    command.add_flag("--verify", given.verify, "Check the result by another method");
    TimeLimit::add_option(command, given.timeout);
    command.add_flag("--time", given.time, "Show how long each statement took");
    command.add_flag("--explain", given.explain,
                     "Show how it was compiled, and the frontier and direction of every round");
    given.shape.add_reading_to(command);
    given.shape.add_shaping_to(command);
    shared.run.add_to(command);
    command.footer(footer_of(entry));
}

void list_algorithms() {
    library::Theme theme{};
    bool first = true;
    for (const Entry& entry : library::catalogue()) {
        if (first || entry.theme != theme) {
            fmt::print("{}{}\n", first ? "" : "\n", name_of(entry.theme));
        }
        first = false;
        theme = entry.theme;
        fmt::print("  {:<26}{}\n", entry.name, entry.summary);
        if (entry.methods.size() == 1) continue;
        std::vector<std::string_view> names;
        names.reserve(entry.methods.size());
        for (const Method& method : entry.methods) names.push_back(method.name);
        fmt::print("  {:<26}  --method {}\n", "", fmt::join(names, ", "));
    }
    fmt::print("  {:<26}{}\n", "spgemm", "Sparse matrix times sparse matrix");
    fmt::print("\ntropic NAME --help explains one, with examples; {} holds their texts.\n",
               "library/");
}

} // namespace

void add_algorithms(CLI::App& program, Shared& shared, std::string_view word) {
    CLI::App* list = program.add_subcommand("algorithms", "The algorithms of the library");
    list->callback(list_algorithms);
    for (const Entry& entry : library::catalogue()) {
        CLI::App* command =
            program.add_subcommand(std::string(entry.name), std::string(entry.summary));
        command->group("Algorithms");
        // Help for all of them takes longer than running a small one.
        if (word != entry.name) continue;
        auto given = std::make_shared<AlgorithmCommand>();
        add_options(*command, entry, *given, shared);
        command->callback([given, &entry, &shared] {
            // Of generators and permutations, too, where the method has nothing random.
            const auto& options = chosen_method(entry, given->method).options;
            if (std::ranges::find(options, "seed") != options.end() && shared.run.seed != 1) {
                given->options["seed"] = std::to_string(shared.run.seed);
            }
            AlgorithmCall(entry, *given, shared.run).perform();
        });
    }
}

} // namespace tropic::cli
