#include "reference/evaluate.h"

#include <algorithm>
#include <chrono>

#include "tropic/error.h"

namespace tropic::reference {

using language::Expression;
using language::LabelId;
using language::Meeting;
using language::Operator;
using language::Program;

namespace {

Labelled scalar(ElementType element, const Number& value) {
    return {{}, constant_table(element, {}, value)};
}

Table converted(Table table, ElementType element) {
    for (auto& [at, value] : table.entries) value = convert(value, table.element, element);
    table.element = element;
    return table;
}

std::vector<Index> sizes_of(const std::vector<LabelId>& labels, const LabelSizes& sizes) {
    std::vector<Index> shape;
    for (const LabelId label : labels) shape.push_back(sizes.at(label));
    return shape;
}

/// Entries whose coordinates are equal wherever the labels are.
Labelled access(const Table& table, const std::vector<LabelId>& labels) {
    Labelled result;
    std::vector<std::size_t> first; // first[d]: where the label of dimension d occurred first
    for (std::size_t d = 0; d < labels.size(); ++d) {
        const auto found = std::find(labels.begin(), labels.end(), labels[d]);
        first.push_back(static_cast<std::size_t>(found - labels.begin()));
        if (first[d] != d) continue;
        result.labels.push_back(labels[d]);
        result.table.shape.push_back(table.shape[d]);
    }
    result.table.element = table.element;
    result.table.dense = table.dense;
    for (const auto& [at, value] : table.entries) {
        Coordinates kept;
        bool agrees = true;
        for (std::size_t d = 0; d < at.size(); ++d) {
            agrees = agrees && at[d] == at[first[d]];
            if (first[d] == d) kept.push_back(at[d]);
        }
        if (agrees) result.table.entries[kept] = value;
    }
    return result;
}

/// Label by label, the coordinate of an entry.
using Assignment = std::map<LabelId, Index>;

Assignment assignment(const std::vector<LabelId>& labels, const Coordinates& at) {
    Assignment result;
    for (std::size_t d = 0; d < labels.size(); ++d) result[labels[d]] = at[d];
    return result;
}

bool agree(const Assignment& left, const Assignment& right) {
    return std::all_of(left.begin(), left.end(), [&](const auto& item) {
        const auto other = right.find(item.first);
        return other == right.end() || other->second == item.second;
    });
}

Coordinates coordinates(const std::vector<LabelId>& labels, const Assignment& at) {
    Coordinates result;
    for (const LabelId label : labels) result.push_back(at.at(label));
    return result;
}

Labelled product(const Expression& expression, const Labelled& left, const Labelled& right,
                 const LabelSizes& sizes) {
    // For each place of the result: what met there, by the values of the reduced labels.
    std::map<Coordinates, std::map<Coordinates, Number>> met;
    for (const auto& [left_at, left_value] : left.table.entries) {
        const Assignment left_labels = assignment(left.labels, left_at);
        for (const auto& [right_at, right_value] : right.table.entries) {
            const Assignment right_labels = assignment(right.labels, right_at);
            if (!agree(left_labels, right_labels)) continue;
            Assignment all = left_labels;
            all.insert(right_labels.begin(), right_labels.end());
            met[coordinates(expression.labels, all)][coordinates(expression.reduced, all)] =
                apply(expression.op, left_value, right_value, expression.element);
        }
    }
    const bool dense = left.table.dense && right.table.dense;
    Labelled result{
        expression.labels,
        unassigned(expression.element, sizes_of(expression.labels, sizes),
                   dense || expression.labels.empty()),
    };
    for (const auto& [at, terms] : met) {
        Number total = terms.begin()->second;
        for (auto term = std::next(terms.begin()); term != terms.end(); ++term) {
            total = apply(expression.add, total, term->second, expression.element);
        }
        result.table.entries[at] = total;
    }
    return result;
}

Labelled elementwise(const Expression& expression, const Labelled& left, const Labelled& right,
                     const LabelSizes& sizes) {
    if (left.labels.empty() || right.labels.empty()) {
        const Labelled& tensor = left.labels.empty() ? right : left;
        return {tensor.labels, combine_with_scalar(expression.op, left.table, right.table)};
    }
    return {expression.labels,
            combine(expression.op, expression.meeting, spread(left, expression.labels, sizes),
                    spread(right, expression.labels, sizes))};
}

Number sum(const Table& table) {
    Number total;
    bool first = true;
    for (const auto& [at, value] : table.entries) {
        total = first ? value : apply(Operator::add, total, value, table.element);
        first = false;
    }
    return total;
}

double seconds() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

} // namespace

Table spread(const Labelled& value, const std::vector<LabelId>& labels, const LabelSizes& sizes) {
    std::vector<LabelId> missing;
    for (const LabelId label : labels) {
        const bool has = std::count(value.labels.begin(), value.labels.end(), label) > 0;
        if (!has) missing.push_back(label);
    }
    const std::vector<Coordinates> repeats = all_coordinates(sizes_of(missing, sizes));
    Table result{value.table.element, sizes_of(labels, sizes), value.table.dense, {}};
    for (const auto& [at, number] : value.table.entries) {
        for (const Coordinates& repeat : repeats) {
            Assignment place = assignment(value.labels, at);
            place.merge(assignment(missing, repeat));
            result.entries[coordinates(labels, place)] = number;
        }
    }
    return result;
}

Table combine(Operator op, Meeting meeting, const Table& left, const Table& right) {
    const bool either = meeting == Meeting::either;
    Table result{left.element, left.shape, false, {}};
    result.dense = either ? left.dense || right.dense : left.dense && right.dense;
    for (const auto& [at, value] : left.entries) {
        const auto other = right.entries.find(at);
        if (other != right.entries.end()) {
            result.entries[at] = apply(op, value, other->second, result.element);
        } else if (either) result.entries[at] = value;
    }
    for (const auto& [at, value] : right.entries) {
        if (!either || left.entries.contains(at)) continue;
        result.entries[at] = op == Operator::subtract ? negate(value, result.element) : value;
    }
    return result;
}

Table combine_with_scalar(Operator op, const Table& left, const Table& right) {
    Table result = left.rank() == 0 ? right : left;
    for (auto& [at, value] : result.entries) {
        const Number& a = left.rank() == 0 ? left.entries.at({}) : value;
        const Number& b = right.rank() == 0 ? right.entries.at({}) : value;
        value = apply(op, a, b, result.element);
    }
    return result;
}

Labelled evaluate(const Expression& expression, const Program& program, const Memory& memory,
                  const LabelSizes& sizes) {
    const ElementType element = expression.element;
    std::vector<Labelled> operands;
    for (const Expression& operand : expression.operands) {
        Labelled value = evaluate(operand, program, memory, sizes);
        const bool keeps_type = expression.kind == Expression::Kind::cast;
        if (!keeps_type) value.table = converted(std::move(value.table), element);
        operands.push_back(std::move(value));
    }
    switch (expression.kind) {
    case Expression::Kind::constant:
        return scalar(element, is_float(element) ? make_number(element, expression.number)
                                                 : make_number(element, expression.integer));
    case Expression::Kind::scalar:
        return scalar(element, memory.scalars.at(expression.variable));
    case Expression::Kind::access:
        return access(memory.tensors.at(expression.variable), expression.labels);
    case Expression::Kind::negate:
        for (auto& [at, value] : operands[0].table.entries) value = negate(value, element);
        return operands[0];
    case Expression::Kind::elementwise:
        return elementwise(expression, operands[0], operands[1], sizes);
    case Expression::Kind::product:
        return product(expression, operands[0], operands[1], sizes);
    case Expression::Kind::sum:
        return scalar(element, sum(operands[0].table));
    case Expression::Kind::time:
        return scalar(element, make_number(element, seconds()));
    case Expression::Kind::cast:
        operands[0].table = converted(std::move(operands[0].table), element);
        return operands[0];
    }
    throw Error(ErrorCode::internal, "a kind of expression the reference does not know");
}

} // namespace tropic::reference
