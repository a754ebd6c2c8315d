#include "cli/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "support/deadline.h"
#include "support/wider_type.h"

namespace tropic::cli {

namespace {

[[noreturn]] void refuse_word(std::string_view option, const std::string& word,
                              std::string_view accepted) {
    throw Error({.code = ErrorCode::usage,
                 .message = fmt::format("{} does not know '{}'", option, word),
                 .accepted = std::string(accepted)});
}

IdBase parse_base(const std::string& word) {
    if (word == "listed") return IdBase::as_listed;
    if (word == "0") return IdBase::zero;
    if (word == "1") return IdBase::one;
    refuse_word("--ids", word, "listed (close gaps), 0 (count from 0), 1 (count from 1)");
}

Duplicates parse_rule(std::string_view option, const std::string& word) {
    Duplicates rule{};
    if (!parse_duplicates(word, rule)) {
        refuse_word(option, word, "keep, sum, min, max, first, last");
    }
    return rule;
}

Triangle parse_triangle(const std::string& word) {
    if (word == "lower") return Triangle::lower;
    if (word == "upper") return Triangle::upper;
    if (word == "strictly-lower") return Triangle::strictly_lower;
    if (word == "strictly-upper") return Triangle::strictly_upper;
    refuse_word("--triangle", word, "lower, upper, strictly-lower, strictly-upper");
}

Order parse_order(const std::string& word) {
    if (word == "random") return Order::random;
    if (word == "degree") return Order::degree_descending;
    if (word == "degree-ascending") return Order::degree_ascending;
    refuse_word("--permute", word, "random (uses --seed), degree, degree-ascending");
}

ReadOptions read_options(const ShapeOptions& shape, bool verify) {
    ReadOptions options;
    options.verify = verify;
    if (!shape.format.empty()) {
        FileFormat format{};
        if (!parse_file_format(shape.format, format)) {
            refuse_word("--format", shape.format,
                        "mtx, el, metis, dimacs, gset, gap, tns, tg (see tropic formats)");
        }
        options.format = format;
    }
    if (!shape.base.empty()) options.base = parse_base(shape.base);
    options.bipartite = shape.bipartite || shape.two_kinds;
    options.warn_of_unused = shape.bipartite || !shape.base.empty() || !shape.weighted.empty();
    if (shape.weighted == "yes") options.weighted = true;
    else if (shape.weighted == "no") options.weighted = false;
    else if (!shape.weighted.empty()) refuse_word("--weighted", shape.weighted, "yes, no");
    if (!shape.duplicates.empty())
        options.duplicates = parse_rule("--duplicates", shape.duplicates);
    return options;
}

std::optional<ElementType> parse_type(const std::string& word) {
    if (word.empty()) return {};
    ElementType type{};
    if (!parse_element_type(word, type)) {
        refuse_word("--type", word,
                    "pattern, bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, "
                    "float32, float64");
    }
    return type;
}

Format parse_storage(const std::string& word, int rank) {
    Format format;
    if (!parse_format(word, rank, format)) {
        refuse_word("--storage", word,
                    rank == 2 ? "csr, csc, dcsr, dcsc, coo, dense" : "coo, csf, dense");
    }
    return format;
}

/// Whether sums of the tensor's values overflow no sooner in `type`, which holds all of them.
bool gives_room(ElementType type, const Tensor& tensor) {
    if (reaches_as_far(type, tensor.type())) return true;
    if (!reaches_further_up(type, tensor.type())) return false;
    return visit_type(tensor.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        return std::ranges::none_of(tensor.values().template as<T>(),
                                    [](T value) { return value < T{0}; });
    });
}

Context context_for(const RunOptions& options, const TimeLimit& limit,
                    const std::shared_ptr<ProgressLine>& progress) {
    ContextOptions context;
    context.threads = options.threads;
    if (!options.memory.empty()) context.memory_limit = parse_bytes(options.memory);
    if (!options.quiet) {
        context.progress = [progress](const Progress& step) { progress->show(step); };
    }
    context.cancelled = interrupted();
    const Context unlimited(std::move(context));
    return limit.seconds > 0 ? limited(unlimited, limit.seconds, limit.what, limit.hint)
                             : unlimited;
}

} // namespace

namespace {

CLI::Validator number_that(bool (*holds)(double), const char* accepted) {
    return {[=](const std::string& text) {
                double number = 0;
                const char* const end = text.data() + text.size();
                const auto read = std::from_chars(text.data(), end, number);
                const bool fine = read.ec == std::errc{} && read.ptr == end && holds(number);
                return fine ? std::string() : fmt::format("'{}' is not {}", text, accepted);
            },
            ""};
}

} // namespace

CLI::Validator zero_or_more() {
    return number_that([](double number) { return number >= 0; }, "a number of 0 or more");
}

CLI::Validator more_than_zero() {
    return number_that([](double number) { return number > 0; }, "a number of more than 0");
}

void RunOptions::add_to(CLI::App& command) {
    constexpr const char* group = "Running";
    command.add_flag("--json", json, "Print the result as JSON")->group(group);
    command.add_option("--threads", threads, "Threads to use (default: one per core)")
        ->check(CLI::Range(1, 256).description(""))
        ->type_name("N")
        ->group(group);
    command.add_option("--memory", memory, "Refuse to use more memory than this, e.g. 4GB, 512MiB")
        ->type_name("SIZE")
        ->group(group);
    command
        .add_option("--seed", seed, "Seed of everything random (default: 1)")
        // Unsigned: CLI11 takes a larger number for the largest there is.
        ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{std::numeric_limits<Index>::max()})
                    .description(""))
        ->type_name("N")
        ->group(group);
    command.add_flag("-q,--quiet", quiet, "No progress, no warnings")->group(group);
}

void ShapeOptions::add_reading_to(CLI::App& command) {
    constexpr const char* group = "Reading";
    command.add_option("--format", format, "Format of the input, if it is not to be recognised")
        ->type_name("mtx|el|metis|dimacs|gset|gap|tns|tg")
        ->group(group);
    command
        .add_option("--ids", base,
                    "Edge lists: ids as listed with gaps closed, or counted from 0 or 1")
        ->type_name("listed|0|1")
        ->group(group);
    command
        .add_flag("--bipartite", bipartite, "Edge lists: sources and targets are different things")
        ->group(group);
    command
        .add_option("--weighted", weighted,
                    "Edge lists: read the third column as weights, or ignore it")
        ->type_name("yes|no")
        ->group(group);
}

void ShapeOptions::add_shaping_to(CLI::App& command) {
    constexpr const char* group = "Shaping (applied in this order)";
    const auto option = [&](const char* name, auto& target, const char* help) {
        return command.add_option(name, target, help)->group(group);
    };
    const auto flag = [&](const char* name, bool& target, const char* help) {
        command.add_flag(name, target, help)->group(group);
    };
    option("--duplicates", duplicates, "What becomes of repeated entries (default: keep)")
        ->type_name("keep|sum|min|max|first|last");
    flag("--symmetrise", symmetrise, "Add the reverse of every edge");
    option("--conflicts", conflicts,
           "Symmetrising: the value where both directions differ (default: first)")
        ->type_name("sum|min|max|first|last");
    flag("--drop-loops", drop_loops, "Drop entries from a vertex to itself");
    option("--triangle", triangle, "Keep one triangle of the matrix")
        ->type_name("lower|upper|strictly-lower|strictly-upper");
    flag("--drop-isolated", drop_isolated, "Drop vertices without entries");
    option("--permute", permute, "Renumber the vertices")
        ->type_name("random|degree|degree-ascending");
    flag("--transpose", transpose, "Exchange rows and columns");
    option(
        "--type", type,
        "Convert values; pattern drops them. A wider type comes before sums, and counts what has "
        "no values")
        ->type_name("pattern|bool|int8..int64|uint8..uint64|float32|float64");
    option("--storage", storage, "How the graph is stored in memory and in .tg files")
        ->type_name("csr|csc|dcsr|dcsc|coo|csf|dense");
}

void TimeLimit::add_option(CLI::App& command, double& seconds) {
    command
        .add_option("--timeout", seconds,
                    "End the command if it takes longer, with nothing written")
        ->check(more_than_zero())
        ->type_name("SECONDS");
}

Run::Run(const RunOptions& options, const TimeLimit& limit)
    : options_(options), progress_(std::make_shared<ProgressLine>()),
      context_(context_for(options, limit, progress_)) {}

Graph Run::load(const std::string& input, const ShapeOptions& shape, bool verify) {
    ReadOptions reading = read_options(shape, verify);
    std::optional<ElementType> type = parse_type(shape.type);
    const bool is_file = CLI::ExistingPath(input).empty();
    const bool is_generated = !is_file && is_generator_expression(input);
    const bool merge_later = is_generated || (type && reading.duplicates == Duplicates::sum);
    const Duplicates rule = reading.duplicates;
    if (merge_later) reading.duplicates = Duplicates::keep;
    Graph graph = is_generated ? generate(input, {.seed = options_.seed}, context_)
                               : read_graph(input, reading, context_);
    // What is to be added up gets a wider type first: sums may need it.
    const bool adds_up = shape.duplicates == "sum" || shape.conflicts == "sum";
    if (type && adds_up && gives_room(*type, graph.tensor)) {
        graph = cast(std::move(graph), *type, context_);
        type.reset();
    }
    if (merge_later && !shape.duplicates.empty()) {
        graph = merge_duplicates(std::move(graph), rule, context_);
    }
    if (!shape.conflicts.empty() && (!shape.symmetrise || shape.conflicts == "keep")) {
        throw Error({.code = ErrorCode::usage,
                     .message = "--conflicts says which value wins where --symmetrise finds two",
                     .accepted = "--symmetrise --conflicts sum|min|max|first|last"});
    }
    if (shape.symmetrise) {
        const Duplicates winner = shape.conflicts.empty()
                                      ? Duplicates::first
                                      : parse_rule("--conflicts", shape.conflicts);
        graph = tropic::symmetrise(std::move(graph), winner, context_);
    }
    if (shape.drop_loops) graph = drop_self_loops(std::move(graph), context_);
    if (!shape.triangle.empty()) {
        graph = tropic::triangle(std::move(graph), parse_triangle(shape.triangle), context_);
    }
    if (shape.drop_isolated) graph = tropic::drop_isolated(std::move(graph), context_);
    if (!shape.permute.empty()) {
        graph =
            tropic::permute(std::move(graph), parse_order(shape.permute), options_.seed, context_);
    }
    if (shape.transpose) graph = tropic::transpose(std::move(graph), context_);
    if (type) graph = cast(std::move(graph), *type, context_);
    if (!shape.storage.empty()) {
        const Format format = parse_storage(shape.storage, graph.tensor.rank());
        graph = store_as(std::move(graph), format, context_);
    }
    finish_progress();
    return graph;
}

void Run::warn(const std::vector<std::string>& warnings) {
    if (options_.quiet || options_.json) return;
    finish_progress();
    for (const std::string& warning : warnings) print_warning(warning);
}

std::uint64_t parse_bytes(const std::string& text) {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [unit_begin, error] = std::from_chars(text.data(), end, value);
    std::string unit;
    for (const char* c = unit_begin; c != end; ++c) {
        if (*c != ' ') unit += static_cast<char>(std::toupper(static_cast<unsigned char>(*c)));
    }
    constexpr std::string_view prefixes = "KMGTPE";
    double scale = 1;
    bool known = unit.empty() || unit == "B";
    if (!known) {
        const std::size_t power = prefixes.find(unit[0]);
        const std::string rest = unit.substr(1);
        known = power != std::string_view::npos && (rest.empty() || rest == "B" || rest == "IB");
        if (known) scale = std::pow(rest == "IB" ? 1024.0 : 1000.0, static_cast<double>(power + 1));
    }
    const double bytes = value * scale;
    if (error != std::errc{} || !known || !(bytes >= 1) || bytes > 9e18) {
        throw Error({.code = ErrorCode::usage,
                     .message = fmt::format("--memory does not understand '{}'", text),
                     .accepted = "a number of bytes with a unit: 4GB, 512MiB, 800000000"});
    }
    return static_cast<std::uint64_t>(bytes);
}

const std::shared_ptr<std::atomic<bool>>& interrupted() {
    static const auto flag = std::make_shared<std::atomic<bool>>(false);
    return flag;
}

} // namespace tropic::cli
