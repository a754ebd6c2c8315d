// What is known of the sizes of labels, and checks that they agree.
#include "compile/program/lowering.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

namespace tropic::compile {

namespace {

struct KnownSize {
    Value tensor;
    int dimension;
    std::string name;
};

} // namespace

void ProgramLowering::require_equal_sizes(const Statement& statement) {
    std::map<LabelId, std::vector<KnownSize>> uses;
    const auto add = [&](VariableId id, const std::vector<LabelId>& labels) {
        if (!values_[id]) return;
        for (std::size_t d = 0; d < labels.size(); ++d) {
            uses[labels[d]].push_back(
                {values_[id], static_cast<int>(d),
                 fmt::format("{}'s dimension {}", program_.variables[id].name, d + 1)});
        }
    };
    const std::function<void(const Expression&)> visit = [&](const Expression& expression) {
        if (expression.kind == Expression::Kind::access) {
            add(expression.variable, expression.labels);
        }
        for (const Expression& operand : expression.operands) visit(operand);
    };
    for (const Expression& operand : statement.operands) visit(operand);
    if (statement.mask) add(statement.mask->variable, statement.mask->labels);
    if (statement.mask || statement.accumulate) add(statement.variable, statement.labels);
    const mlir::Location at = location(statement.place);
    for (const auto& [label, sizes] : uses) {
        std::set<std::pair<void*, int>> seen{
            {sizes[0].tensor.getAsOpaquePointer(), sizes[0].dimension}};
        for (const KnownSize& other : sizes) {
            if (!seen.insert({other.tensor.getAsOpaquePointer(), other.dimension}).second) {
                continue;
            }
            ga::RequireEqualOp::create(
                builder_, at, size_of_dimension(sizes[0].tensor, sizes[0].dimension, at),
                size_of_dimension(other.tensor, other.dimension, at), program_.labels[label].name,
                sizes[0].name, other.name, text(statement.place));
        }
    }
}

Value ProgramLowering::size_of_dimension(Value tensor, int dimension, mlir::Location at) {
    return ga::SizeOp::create(builder_, at, builder_.getI64Type(), tensor, dimension).getResult();
}

llvm::SmallVector<Value> ProgramLowering::sizes_for(const Statement& statement) {
    const Variable& variable = program_.variables[statement.variable];
    const mlir::Location at = location(statement.place);
    llvm::SmallVector<Value> sizes;
    for (int d = 0; d < variable.rank(); ++d) {
        std::vector<LabelId> candidates;
        if (d < static_cast<int>(variable.labels.size())) {
            candidates.push_back(variable.labels[d]);
        }
        if (d < static_cast<int>(statement.labels.size())) {
            candidates.push_back(statement.labels[d]);
        }
        Value size;
        if (variable.shape[d] >= 0) size = constant(variable.shape[d], at);
        else if (values_[statement.variable]) {
            size = size_of_dimension(values_[statement.variable], d, at);
        }
        for (const LabelId label : candidates) {
            if (!size) size = size_of_label(label, at);
        }
        if (!size) {
            refuse(statement.place,
                   fmt::format("the size of dimension {} of '{}' is not known here", d + 1,
                               variable.name),
                   "give its label a size, or read a tensor with that label first");
        }
        sizes.push_back(size);
    }
    return sizes;
}

Value ProgramLowering::size_of_label(LabelId label, mlir::Location at) {
    if (program_.labels[label].size >= 0) return constant(program_.labels[label].size, at);
    for (const auto& [id, dimension] : label_places_[label]) {
        if (values_[id]) return size_of_dimension(values_[id], dimension, at);
    }
    return {};
}

void ProgramLowering::learn_sizes(VariableId id, const std::vector<LabelId>& labels) {
    for (std::size_t d = 0; d < labels.size(); ++d) {
        label_places_[labels[d]].emplace(id, static_cast<int>(d));
    }
}

void ProgramLowering::learn_from_accesses(const Statement& statement) {
    const std::function<void(const Expression&)> visit = [&](const Expression& expression) {
        if (expression.kind == Expression::Kind::access && values_[expression.variable]) {
            learn_sizes(expression.variable, expression.labels);
        }
        for (const Expression& operand : expression.operands) visit(operand);
    };
    for (const Expression& operand : statement.operands) visit(operand);
    if (statement.mask && values_[statement.mask->variable]) {
        learn_sizes(statement.mask->variable, statement.mask->labels);
    }
}

Value ProgramLowering::empty_for(const Statement& statement, ga::TensorType type) {
    const auto known_before = label_places_;
    learn_from_accesses(statement);
    Value empty;
    if (sizes_known(statement)) {
        empty =
            ga::EmptyOp::create(builder_, location(statement.place), type, sizes_for(statement));
    }
    label_places_ = known_before;
    return empty;
}

bool ProgramLowering::sizes_known(const Statement& statement) {
    const Variable& variable = program_.variables[statement.variable];
    const auto known = [&](LabelId label) {
        const auto& places = label_places_[label];
        return program_.labels[label].size >= 0 ||
               std::any_of(places.begin(), places.end(),
                           [&](const auto& place) { return bool(values_[place.first]); });
    };
    for (std::size_t d = 0; d < variable.shape.size(); ++d) {
        if (variable.shape[d] >= 0) continue;
        if (d < variable.labels.size() && known(variable.labels[d])) continue;
        if (d < statement.labels.size() && known(statement.labels[d])) continue;
        return false;
    }
    return true;
}

} // namespace tropic::compile
