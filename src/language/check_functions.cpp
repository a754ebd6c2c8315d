// Functions: expanded where they are called, with variables and labels of their own.
#include <algorithm>

#include <fmt/format.h>

#include "language/checker.h"
#include "language/conversions.h"
#include "language/element_types.h"

namespace tropic::language {

namespace {

/// Calls inside of calls.
constexpr int deepest_calls = 100;

/// Statements and operands that calls may produce altogether: functions that call each other twice
/// grow with every level.
constexpr std::int64_t most_expanded = 100'000;

} // namespace

void Checker::report_no_value(const syntax::Expression& call) {
    report(ErrorCode::inconsistent, call.place, fmt::format("'{}' returns nothing", call.name),
           {.hint = fmt::format("end '{}' with: return x;", call.name)});
}

bool Checker::recursion_reported(const syntax::Function& function, const syntax::Expression& call) {
    std::string cycle = fmt::format("'{}'", function.name.text);
    for (const Frame* frame = frame_; frame != nullptr; frame = frame->caller()) {
        cycle = fmt::format("'{}' calls {}", frame->function().name.text, cycle);
        if (&frame->function() != &function) continue;
        report(ErrorCode::unsupported, call.place,
               fmt::format("functions cannot call themselves: {}", cycle),
               {.hint = "use a loop: for x in range(0, 10): ... end"});
        return true;
    }
    return false;
}

Checker::Returned Checker::expand(const syntax::Expression& call) {
    constexpr Returned unknown{.kind = Returned::Kind::unknown};
    const auto found = functions_.find(call.name);
    if (found == functions_.end()) {
        std::vector<std::string_view> known = {"print",     "printElapsedTime", "getTime",   "SUM",
                                               "transpose", "random",           "comet_read"};
        for (const auto& [name, function] : functions_) known.push_back(name);
        report(ErrorCode::not_found, call.place, fmt::format("unknown function '{}'", call.name),
               {.hint = did_you_mean(call.name, known)});
        return unknown;
    }
    const syntax::Function& function = *found->second;
    used_.insert(&function);
    if (recursion_reported(function, call)) return unknown;
    if (call.operands.size() != function.parameters.size()) {
        report(ErrorCode::inconsistent, call.place,
               fmt::format("'{}' takes {} argument{}, {} given", call.name,
                           function.parameters.size(), function.parameters.size() == 1 ? "" : "s",
                           call.operands.size()));
        return unknown;
    }
    if (calls_deep_ >= deepest_calls) {
        report(ErrorCode::range, call.place,
               fmt::format("calls nested more than {} levels deep", deepest_calls));
        return unknown;
    }
    if (expanded_ > most_expanded) {
        if (!std::exchange(too_large_reported_, true))
            diagnostics_.add(ErrorCode::range, call.place,
                             fmt::format("the program becomes too large: its calls expand to more "
                                         "than {} operations",
                                         most_expanded),
                             {.hint = "call functions from a loop"});
        return unknown;
    }
    ++expanded_;
    Frame frame(function, frame_, call.place);
    if (loops_deep_ > 0) {
        frame.round = out_;
        frame.round_begin = out_->size();
    }
    collect_assigned(function.body, frame.assigned);
    for (std::size_t p = 0; p < function.parameters.size(); ++p) {
        bind_parameter(frame, function.parameters[p], call.operands[p]);
    }
    Frame* caller = frame_;
    frame_ = &frame;
    ++calls_deep_;
    const Returned returned = check_body(function);
    --calls_deep_;
    frame_ = caller;
    return returned;
}

/// Arguments are checked in the caller's frame; the parameter is declared in the callee's.
void Checker::bind_parameter(Frame& frame, const syntax::Parameter& parameter,
                             const syntax::Expression& argument) {
    using Kind = syntax::Parameter::Kind;
    const auto give_up = [&] {
        frame.add(parameter.name.text,
                  {.kind = Symbol::Kind::unknown, .place = parameter.name.place});
    };
    if (is_built_in(parameter.name.text) || frame.find(parameter.name.text) != nullptr) {
        report(ErrorCode::inconsistent, parameter.name.place,
               fmt::format("parameter '{}' is declared twice, or is a function of the language",
                           parameter.name.text));
        return give_up();
    }
    Whole value = whole_value(argument, "an argument that is not the name of a tensor",
                              "assign it to a tensor first and pass that");
    if (!value.tensor && !value.scalar) return give_up();
    if (value.tensor && parameter.kind == Kind::scalar) {
        report(
            ErrorCode::inconsistent, argument.place,
            fmt::format("parameter '{}' is a scalar, and this is a tensor", parameter.name.text));
        return give_up();
    }
    if (value.scalar && parameter.kind == Kind::tensor) {
        report(ErrorCode::inconsistent, argument.place,
               fmt::format("parameter '{}' is a tensor, and this is a scalar", parameter.name.text),
               {.accepted = "the name of a tensor, or a call that returns one"});
        return give_up();
    }
    if (value.tensor) bind_tensor(frame, parameter, argument, *value.tensor);
    else bind_scalar(frame, parameter, std::move(*value.scalar));
}

/// The parameter is the argument itself, unless the function changes it or wants it otherwise.
void Checker::bind_tensor(Frame& frame, const syntax::Parameter& parameter,
                          const syntax::Expression& argument, VariableId variable) {
    Variable wanted = program_.variables[static_cast<std::size_t>(variable)];
    Symbol symbol{.kind = Symbol::Kind::tensor,
                  .id = variable,
                  .place = parameter.name.place,
                  .has_value = true};
    const auto give_up = [&] {
        frame.add(parameter.name.text,
                  {.kind = Symbol::Kind::unknown, .place = parameter.name.place});
    };
    bool copy = frame.assigned.contains(parameter.name.text);
    if (parameter.kind == syntax::Parameter::Kind::tensor) {
        const auto type = element_type(parameter.type);
        if (!type) return give_up();
        copy = copy || wanted.element != *type;
        wanted.element = *type;
        if (parameter.labelled) {
            if (parameter.labels.size() != wanted.shape.size()) {
                report(ErrorCode::inconsistent, argument.place,
                       fmt::format("parameter '{}' has {} dimension{}, and this tensor has {}",
                                   parameter.name.text, parameter.labels.size(),
                                   parameter.labels.size() == 1 ? "" : "s", wanted.shape.size()));
                return give_up();
            }
            const auto format = wanted.format;
            const auto presentation = wanted.presentation;
            if (!set_storage(wanted, parameter.storage)) return give_up();
            copy = copy || format != wanted.format || presentation != wanted.presentation;
        }
    }
    // A label of a parameter is that of the argument, so that it has a size when the program runs;
    // where it cannot be (two labels must stay two), the copy gives it one.
    const std::vector<LabelId> given = wanted.labels;
    const auto taken = [&](LabelId label) {
        return std::ranges::any_of(frame.labels_of_parameters,
                                   [&](LabelId other) { return other == label; });
    };
    for (std::size_t d = 0; d < wanted.shape.size(); ++d) {
        if (!parameter.labelled) continue;
        const syntax::Name& name = parameter.labels[d];
        const Symbol* known = frame.find(name.text);
        if (known == nullptr) {
            const bool own = given.empty() || taken(given[d]);
            copy = copy || own;
            const LabelId id = own ? new_label(name, wanted.shape[d]) : given[d];
            frame.labels_of_parameters.push_back(id);
            known = &frame.add(name.text, {.kind = Symbol::Kind::label,
                                           .id = id,
                                           .place = name.place,
                                           .from_parameter = true});
        } else if (known->kind != Symbol::Kind::label) {
            report(ErrorCode::inconsistent, name.place,
                   fmt::format("'{}' is another parameter, not a label", name.text));
            return give_up();
        }
        symbol.labels.push_back(known->id);
    }
    if (!parameter.labelled) symbol.labels = given;
    if (copy) wanted.labels = symbol.labels;
    if (copy) {
        Frame* caller = frame_;
        frame_ = &frame;
        const VariableId id = new_variable(parameter.name.text, parameter.name.place);
        frame_ = caller;
        wanted.name = program_.variables[static_cast<std::size_t>(id)].name;
        wanted.place = parameter.name.place;
        const ElementType type = wanted.element;
        program_.variables[static_cast<std::size_t>(id)] = std::move(wanted);
        std::vector<LabelId> labels;
        for (const Index size : program_.variables[static_cast<std::size_t>(id)].shape) {
            labels.push_back(new_label({fmt::format("d{}", labels.size()), {}}, size));
        }
        Statement statement;
        statement.place = argument.place;
        statement.variable = id;
        statement.labels = labels;
        statement.operands.push_back(converted(access(variable, labels, argument.place), type));
        emit(std::move(statement));
        symbol.id = id;
    }
    frame.add(parameter.name.text, std::move(symbol));
}

void Checker::bind_scalar(Frame& frame, const syntax::Parameter& parameter, Expression value) {
    const Place place = parameter.name.place;
    const Place given = value.place;
    std::optional<ElementType> type = value.element;
    if (!parameter.type.text.empty()) type = element_type(parameter.type);
    if (type && !is_float(*type) && is_float(value.element)) {
        report(ErrorCode::inconsistent, given,
               fmt::format("parameter '{}' is an integer, and this is not", parameter.name.text));
        type = std::nullopt;
    }
    if (!type) {
        frame.add(parameter.name.text, {.kind = Symbol::Kind::unknown, .place = place});
        return;
    }
    Frame* caller = frame_;
    frame_ = &frame;
    const VariableId id = new_scalar(parameter.name, *type);
    frame_ = caller;
    emit_assign(id, std::move(value), given);
}

namespace {

/// The first use of a name with labels: how many it has tells the rank of a tensor.
const syntax::Expression* find_access(const std::vector<syntax::Expression>& expressions,
                                      const std::string& name) {
    for (const syntax::Expression& expression : expressions) {
        if (expression.kind == syntax::Expression::Kind::access && expression.name == name) {
            return &expression;
        }
        if (const auto* found = find_access(expression.operands, name)) return found;
    }
    return nullptr;
}

const syntax::Expression* find_access(const std::vector<syntax::Statement>& statements,
                                      const std::string& name) {
    for (const syntax::Statement& statement : statements) {
        if (const auto* found = find_access(statement.values, name)) return found;
        if (const auto* found = find_access(statement.body, name)) return found;
    }
    return nullptr;
}

} // namespace

/// A parameter of a function that nobody calls: a tensor or a scalar if its type or its uses tell,
/// else of unknown kind, which never is a mistake.
void Checker::bind_unused(Frame& frame, const syntax::Parameter& parameter) {
    using Kind = syntax::Parameter::Kind;
    const syntax::Name& name = parameter.name;
    std::optional<ElementType> type = ElementType::float64;
    if (!parameter.type.text.empty()) type = element_type(parameter.type);
    Variable tensor;
    tensor.is_tensor = true;
    tensor.element = type.value_or(ElementType::float64);
    Symbol symbol{.kind = Symbol::Kind::tensor, .place = name.place, .has_value = true};
    for (const syntax::Name& label : parameter.labels) {
        const Symbol* known = frame.find(label.text);
        if (known == nullptr) {
            known = &frame.add(label.text, {.kind = Symbol::Kind::label,
                                            .id = new_label(label, -1),
                                            .place = label.place,
                                            .from_parameter = true});
        }
        tensor.shape.push_back(-1);
        if (known->kind == Symbol::Kind::label) symbol.labels.push_back(known->id);
    }
    const auto* access = find_access(frame.function().body, name.text);
    bool good = type && frame.find(name.text) == nullptr;
    if (good && parameter.kind == Kind::scalar) {
        new_scalar(name, *type);
        return;
    }
    if (parameter.labelled) good = set_storage(tensor, parameter.storage) && good;
    else if (access != nullptr) tensor.shape.assign(access->labels.size(), -1);
    else good = false;
    if (!good) {
        frame.add(name.text, {.kind = Symbol::Kind::unknown, .place = name.place});
        return;
    }
    symbol.id = new_variable(name.text, name.place);
    program_.variables[static_cast<std::size_t>(symbol.id)] = std::move(tensor);
    frame.add(name.text, std::move(symbol));
}

Checker::Returned Checker::check_body(const syntax::Function& function) {
    Returned returned;
    for (const syntax::Statement& statement : function.body) {
        const bool last = &statement == &function.body.back();
        if (last && statement.kind == syntax::Statement::Kind::return_value && !frame_->is_main()) {
            frame_->labels.entries.clear();
            return check_return(statement);
        }
        check_statement(statement);
        if (statement.kind == syntax::Statement::Kind::return_value) {
            returned.kind = Returned::Kind::unknown; // reported: it is not the last
        }
    }
    return returned;
}

Checker::Returned Checker::check_return(const syntax::Statement& statement) {
    if (statement.values.empty()) return {};
    constexpr Returned unknown{.kind = Returned::Kind::unknown};
    const syntax::Expression& value = statement.values[0];
    Whole result = whole_value(value, "what a function returns, if it is not the name of a tensor,",
                               "assign the expression to a tensor and return that");
    if (result.tensor) return {.kind = Returned::Kind::tensor, .variable = *result.tensor};
    if (!result.scalar) return unknown;
    const VariableId id = new_variable("return", value.place);
    const ElementType type = scalar_type(result.scalar->element);
    program_.variables[static_cast<std::size_t>(id)].element = type;
    emit_assign(id, std::move(*result.scalar), statement.place);
    return {.kind = Returned::Kind::scalar, .variable = id};
}

} // namespace tropic::language
