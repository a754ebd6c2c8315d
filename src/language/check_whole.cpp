// Whole tensors: what is not part of an expression, and assignments without labels.
#include <algorithm>

#include <fmt/format.h>

#include "language/checker.h"

namespace tropic::language {

/// The value of an expression that is not part of another: a whole tensor (A, A[i, j], f(x)) or a
/// scalar. `what` and `hint` are for what is neither.
Checker::Whole Checker::whole_value(const syntax::Expression& expression, std::string_view what,
                                    std::string_view hint) {
    using Kind = syntax::Expression::Kind;
    const syntax::Name name{expression.name, expression.place};
    const Symbol* symbol = expression.kind == Kind::name ? frame_->find(name.text) : nullptr;
    if (expression.kind == Kind::access ||
        (symbol != nullptr && symbol->kind == Symbol::Kind::tensor)) {
        return whole_tensor(expression);
    }
    if (expression.kind == Kind::call && !is_built_in(name.text) && !expression.labelled) {
        const Returned returned = expand(expression);
        if (returned.kind == Returned::Kind::tensor) return {.tensor = returned.variable};
        if (returned.kind == Returned::Kind::scalar) {
            return {.scalar = scalar(returned.variable, name.place)};
        }
        if (returned.kind == Returned::Kind::nothing) report_no_value(expression);
        return {};
    }
    return {.scalar = check_scalar_value(expression, what, hint)};
}

Checker::Whole Checker::whole_tensor(const syntax::Expression& expression) {
    const syntax::Name name{expression.name, expression.place};
    Symbol* symbol = find_tensor(name);
    if (expression.kind == syntax::Expression::Kind::access) {
        const auto labels = resolve_labels(expression.labels);
        if (symbol == nullptr || !labels || !all_distinct(expression.labels, "in a whole tensor") ||
            !bind_labels(*symbol, name, expression.labels, *labels)) {
            return {};
        }
    }
    if (symbol == nullptr || !require_value(name, *symbol)) return {};
    return {.tensor = symbol->id};
}

/// C = f(A); C = B; C += f(A);
void Checker::assign_whole(const syntax::Statement& statement) {
    using Kind = syntax::Expression::Kind;
    const syntax::Name& name = statement.name;
    const syntax::Expression& right = statement.values[0];
    const Symbol* other = right.kind == Kind::name ? frame_->find(right.name) : nullptr;
    const bool is_tensor = other != nullptr && other->kind == Symbol::Kind::tensor;
    const bool is_call = right.kind == Kind::call && !right.labelled && !is_built_in(right.name);
    Whole value;
    if (is_tensor || is_call) {
        value = whole_value(right, "what is assigned", "");
        if (!value.tensor && !value.scalar) return give_up(name);
    }
    const Symbol* symbol = frame_->find(name.text);
    if (!value.tensor) {
        report_whole(statement, symbol);
        return give_up(name);
    }
    if (symbol == nullptr && !is_free(name)) return;
    if (symbol == nullptr && statement.accumulate) return report_nothing_to_add_to(name);
    if (symbol != nullptr && !same_shape(name, symbol->id, value, right)) return give_up(name);
    Statement result;
    result.place = statement.place;
    result.accumulate = statement.accumulate;
    result.labels = whole_labels(symbol == nullptr ? *value.tensor : symbol->id);
    finish_assignment(name, result, access(*value.tensor, result.labels, right.place));
    if (symbol == nullptr) frame_->find(name.text)->labels.clear(); // nobody can name them
}

/// Something without labels is assigned that is no whole tensor.
void Checker::report_whole(const syntax::Statement& statement, const Symbol* symbol) {
    const std::string& name = statement.name.text;
    if (symbol != nullptr) {
        report(ErrorCode::inconsistent, statement.name.place,
               fmt::format("tensor '{}' needs its labels here", name),
               {.accepted = "without labels: the name of a tensor, or a call that returns one",
                .hint = fmt::format("{}{} = ...;", name, labels_hint(*symbol))});
        return;
    }
    report(ErrorCode::not_found, statement.name.place, fmt::format("unknown variable '{}'", name),
           {.hint = fmt::format("var {} = ...; for a scalar, {}[i, j] = ...; for a tensor", name,
                                name)});
}

/// Whether as much is known that the two can agree.
bool Checker::same_shape(const syntax::Name& target, VariableId variable, const Whole& value,
                         const syntax::Expression& right) {
    const auto& shape = program_.variables[static_cast<std::size_t>(variable)].shape;
    const auto& given = program_.variables[static_cast<std::size_t>(*value.tensor)].shape;
    const std::string source = right.kind == syntax::Expression::Kind::call
                                   ? fmt::format("the result of '{}'", right.name)
                                   : fmt::format("'{}'", right.name);
    if (shape.size() != given.size()) {
        report(ErrorCode::inconsistent, right.place,
               fmt::format("{} has {} dimension{}, and '{}' has {}", source, given.size(),
                           given.size() == 1 ? "" : "s", target.text, shape.size()));
        return false;
    }
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] < 0 || given[d] < 0 || shape[d] == given[d]) continue;
        report(ErrorCode::inconsistent, right.place,
               fmt::format("dimension {} of {} has size {}, and that of '{}' has size {}", d + 1,
                           source, given[d], target.text, shape[d]));
        return false;
    }
    return true;
}

/// Labels for all dimensions: those of the declaration, if each stands for one dimension.
std::vector<LabelId> Checker::whole_labels(VariableId variable) {
    const Variable& tensor = program_.variables[static_cast<std::size_t>(variable)];
    const std::set<LabelId> distinct(tensor.labels.begin(), tensor.labels.end());
    if (distinct.size() == tensor.shape.size()) return tensor.labels;
    const std::vector<Index> shape = tensor.shape;
    std::vector<LabelId> labels;
    labels.reserve(shape.size());
    for (const Index size : shape) {
        labels.push_back(new_label({fmt::format("d{}", labels.size()), {}}, size));
    }
    return labels;
}

/// "[i, j]": how a tensor could be written with labels.
std::string Checker::labels_hint(const Symbol& tensor) const {
    if (!tensor.labels.empty()) return text_of(tensor.labels);
    constexpr std::string_view letters = "ijklmnopqrstuvwx";
    const auto rank = program_.variables[static_cast<std::size_t>(tensor.id)].shape.size();
    std::string text;
    for (std::size_t d = 0; d < rank; ++d) {
        text += fmt::format("{}{}", d == 0 ? "" : ", ", letters[d]);
    }
    return fmt::format("[{}]", text);
}

} // namespace tropic::language
