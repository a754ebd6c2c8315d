#include "reference/label_sizes.h"

namespace tropic::reference {

using language::Expression;
using language::LabelId;
using language::Place;
using language::Statement;
using language::Variable;

void fail(const language::Program& program, const Place& place, ErrorCode code,
          const std::string& message) {
    Diagnostic diagnostic;
    diagnostic.code = code;
    diagnostic.message = message;
    diagnostic.file = program.file;
    diagnostic.line = place.line;
    diagnostic.column = place.column;
    throw Error(diagnostic);
}

void KnownSizes::add(LabelSizes& sizes, LabelId label, Index size, const Place& place) const {
    const auto [known, added] = sizes.emplace(label, size);
    if (added || known->second == size) return;
    fail(program_, place, ErrorCode::inconsistent,
         "label " + program_.labels[label].name + " has the sizes " +
             std::to_string(known->second) + " and " + std::to_string(size));
}

void KnownSizes::collect(LabelSizes& sizes, const Expression& expression,
                         const Memory& memory) const {
    for (const Expression& operand : expression.operands) collect(sizes, operand, memory);
    if (expression.kind != Expression::Kind::access) return;
    const auto tensor = memory.tensors.find(expression.variable);
    if (tensor == memory.tensors.end()) {
        fail(program_, expression.place, ErrorCode::usage,
             program_.variables[expression.variable].name + " has no value yet");
    }
    for (std::size_t d = 0; d < expression.labels.size(); ++d) {
        add(sizes, expression.labels[d], tensor->second.shape[d], expression.place);
    }
}

Index KnownSizes::target_size(const Statement& assignment, std::size_t dimension,
                              const Memory& memory) const {
    const auto tensor = memory.tensors.find(assignment.variable);
    if (tensor != memory.tensors.end()) return tensor->second.shape[dimension];
    const Variable& variable = program_.variables[assignment.variable];
    if (variable.shape[dimension] >= 0) return variable.shape[dimension];
    if (variable.labels.empty()) return -1;
    const auto declared = known_.find(variable.labels[dimension]);
    return declared == known_.end() ? -1 : declared->second;
}

LabelSizes KnownSizes::of(const Expression& expression, const Memory& memory) const {
    LabelSizes sizes;
    collect(sizes, expression, memory);
    return sizes;
}

LabelSizes KnownSizes::of(const Statement& assignment, const Memory& memory) const {
    LabelSizes sizes = of(assignment.operands[0], memory);
    if (assignment.mask) {
        const auto mask = memory.tensors.find(assignment.mask->variable);
        if (mask == memory.tensors.end()) {
            fail(program_, assignment.mask->place, ErrorCode::usage, "the mask has no value yet");
        }
        for (std::size_t d = 0; d < assignment.mask->labels.size(); ++d) {
            add(sizes, assignment.mask->labels[d], mask->second.shape[d], assignment.mask->place);
        }
    }
    for (std::size_t d = 0; d < assignment.labels.size(); ++d) {
        const LabelId label = assignment.labels[d];
        const Index size = target_size(assignment, d, memory);
        if (size >= 0) add(sizes, label, size, assignment.place);
        if (sizes.contains(label)) continue;
        const auto known = known_.find(label);
        if (known != known_.end()) sizes.insert(*known);
        else if (program_.labels[label].size >= 0) sizes[label] = program_.labels[label].size;
        else {
            fail(program_, assignment.place, ErrorCode::usage,
                 "nothing says how large label " + program_.labels[label].name + " is");
        }
    }
    return sizes;
}

void KnownSizes::learn(language::VariableId variable, const std::vector<Index>& shape) {
    const std::vector<LabelId>& labels = program_.variables[variable].labels;
    for (std::size_t d = 0; d < labels.size(); ++d) {
        add(known_, labels[d], shape[d], program_.variables[variable].place);
    }
}

void KnownSizes::learn(const LabelSizes& sizes) {
    known_.insert(sizes.begin(), sizes.end());
}

} // namespace tropic::reference
