#include "language/check.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "language/check_sizes.h"
#include "language/checker.h"
#include "language/parser.h"
#include "language/text_length.h"
#include "language/values.h"

namespace tropic::language {

namespace {

/// Scalars found to hold reals make a new round; each adds at least one, and a few are usual.
constexpr int most_rounds = 8;

syntax::Tree parsed(const Source& source, Diagnostics& diagnostics) {
    require_short(source);
    syntax::Tree tree = parse(source, diagnostics);
    if (!tree.whole) diagnostics.raise_if_any();
    return tree;
}

/// What a loop makes must have a size before it, to be something where the loop does not run.
void check_values(const Program& program, Diagnostics& diagnostics) {
    const auto name_of = [&](VariableId id) {
        const std::string& name = program.variables[static_cast<std::size_t>(id)].name;
        return name.substr(name.rfind('.') + 1); // without its function
    };
    const auto report = [&](VariableId id, Place place) {
        diagnostics.add(ErrorCode::inconsistent, place,
                        fmt::format("'{}' has no value here: a loop is the first to assign it, and "
                                    "its size is not known before the loop",
                                    name_of(id)),
                        {.hint = "give its labels sizes, or read a tensor with them before the "
                                 "loop"});
    };
    const std::vector<bool> left = follow_values(program, report);
    for (const VariableId id : program.outputs) {
        if (left[static_cast<std::size_t>(id)]) continue;
        diagnostics.add(ErrorCode::usage, program.variables[static_cast<std::size_t>(id)].place,
                        fmt::format("'{}' has no value when the program ends", name_of(id)));
    }
}

constexpr std::array<std::string_view, 8> built_ins = {"print",      "printElapsedTime", "getTime",
                                                       "SUM",        "transpose",        "random",
                                                       "comet_read", "read_from_file"};

} // namespace

bool is_built_in(std::string_view name) noexcept {
    return std::ranges::find(built_ins, name) != built_ins.end();
}

// --- reporting ---

void Checker::report(ErrorCode code, Place place, std::string message, Advice advice) {
    if (frame_ != nullptr && frame_->caller() != nullptr) {
        // A function is checked at each call; the first complaint about a place is enough.
        if (!reported_in_calls_.emplace(place.line, place.column).second) return;
        message += fmt::format(" (in '{}', called in line {})", frame_->function().name.text,
                               frame_->called().line);
    }
    diagnostics_.add(code, place, std::move(message), std::move(advice));
}

void Checker::report_unknown(const syntax::Name& name, Symbol::Kind wanted) {
    const bool label = wanted == Symbol::Kind::label;
    const bool tensor = wanted == Symbol::Kind::tensor;
    std::string hint;
    if (!diagnostics_.full()) hint = did_you_mean(name.text, frame_->names(wanted));
    if (hint.empty() && label) hint = fmt::format("IndexLabel [{}] = [?];", name.text);
    report(ErrorCode::not_found, name.place,
           fmt::format("unknown {} '{}'",
                       label    ? "label"
                       : tensor ? "tensor"
                                : "variable",
                       name.text),
           {.hint = std::move(hint)});
    poison(name); // once is enough
}

// --- the whole ---

void Checker::index_functions() {
    for (const syntax::Function& function : tree_.functions) {
        const syntax::Name& name = function.name;
        if (is_built_in(name.text)) {
            report(
                ErrorCode::inconsistent, name.place,
                fmt::format("'{}' is a function of the language and cannot be defined", name.text));
            continue;
        }
        const auto [place, added] = functions_.emplace(name.text, &function);
        if (!added) {
            report(ErrorCode::inconsistent, name.place,
                   fmt::format("function '{}' is defined twice; first in line {}", name.text,
                               place->second->name.place.line));
        }
    }
}

void Checker::check_main() {
    const auto found = functions_.find("main");
    if (found == functions_.end()) {
        constexpr std::array<std::string_view, 1> wanted = {"main"};
        std::string hint;
        for (const auto& [name, function] : functions_) {
            if (!did_you_mean(name, wanted).empty()) hint = fmt::format("rename '{}'", name);
        }
        const Place place = tree_.functions.empty() ? Place{.line = 1, .column = 1, .length = 1}
                                                    : tree_.functions.front().name.place;
        report(ErrorCode::not_found, place, "the program has no function 'main'",
               {.accepted = "def main() { ... }", .hint = std::move(hint)});
        return;
    }
    const syntax::Function& function = *found->second;
    used_.insert(&function);
    if (!function.parameters.empty()) {
        report(ErrorCode::syntax, function.parameters.front().name.place,
               "'main' takes no parameters",
               {.hint = "a declared tensor that is never assigned is an input of the program"});
    }
    Frame frame(function, nullptr, {});
    collect_assigned(function.body, frame.assigned);
    frame_ = &frame;
    out_ = &program_.statements;
    for (const syntax::Parameter& parameter : function.parameters) poison(parameter.name);
    check_body(function);
    find_outputs();
    frame_ = nullptr;
}

void Checker::check_unused() {
    for (const syntax::Function& function : tree_.functions) {
        if (used_.contains(&function) || function.name.text == "main") continue;
        used_.insert(&function);
        std::vector<Statement> unwanted;
        Frame frame(function, nullptr, {});
        collect_assigned(function.body, frame.assigned);
        frame_ = &frame;
        out_ = &unwanted;
        for (const syntax::Parameter& parameter : function.parameters) {
            bind_unused(frame, parameter);
        }
        check_body(function);
        frame_ = nullptr;
    }
}

void Checker::find_outputs() {
    for (const std::string& name : options_.outputs) {
        const auto found = main_names_.find(name);
        if (found == main_names_.end()) {
            std::vector<std::string_view> known;
            known.reserve(main_names_.size());
            for (const auto& [other, id] : main_names_) known.push_back(other);
            diagnostics_.add(ErrorCode::usage, {},
                             fmt::format("the program has no variable '{}' to output", name),
                             {.accepted = fmt::format("{}", fmt::join(known, ", ")),
                              .hint = did_you_mean(name, known)});
            continue;
        }
        Symbol* symbol = frame_->find(name);
        if (symbol != nullptr && symbol->kind == Symbol::Kind::tensor) {
            require_value({name, symbol->place}, *symbol);
        }
        program_.outputs.push_back(found->second);
    }
}

Program Checker::run() {
    program_.file = diagnostics_.source().file();
    program_.text = diagnostics_.source().text();
    index_functions();
    check_main();
    const Program checked = program_; // unused functions leave nothing behind
    check_unused();
    program_ = checked;
    program_.statements.insert(program_.statements.begin(),
                               std::make_move_iterator(inputs_.begin()),
                               std::make_move_iterator(inputs_.end()));
    return std::move(program_);
}

Program check_program(std::string text, std::string file_name, const CheckOptions& options) {
    const Source source(std::move(text), std::move(file_name));
    Diagnostics diagnostics(source);
    const syntax::Tree tree = parsed(source, diagnostics);
    WidenedScalars widened;
    for (int round = 0;; ++round) {
        const std::size_t before = widened.size();
        if (round == most_rounds) widened.emplace(0, 0); // all scalars
        Program program = Checker(tree, options, diagnostics, widened).run();
        diagnostics.raise_if_any();
        if (widened.size() != before && round != most_rounds) continue;
        check_sizes(program, diagnostics);
        check_values(program, diagnostics);
        diagnostics.raise_if_any();
        return program;
    }
}

std::string print_tree(std::string text, std::string file_name) {
    const Source source(std::move(text), std::move(file_name));
    Diagnostics diagnostics(source);
    const syntax::Tree tree = parsed(source, diagnostics);
    diagnostics.raise_if_any();
    return to_text(tree);
}

} // namespace tropic::language
