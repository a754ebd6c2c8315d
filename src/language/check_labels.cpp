// Labels in statements: which they are, what sizes they have, and which of them an expression has
// of itself.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "language/checker.h"
#include "language/conversions.h"

namespace tropic::language {

namespace {

/// Far beyond what anyone writes; keeps lists of labels short everywhere.
constexpr std::size_t highest_rank = 16;

} // namespace

std::optional<std::vector<LabelId>>
Checker::resolve_labels(const std::vector<syntax::Name>& names) {
    if (names.size() > highest_rank) {
        report(ErrorCode::range, names[highest_rank].place,
               fmt::format("{} labels; a tensor has at most {} dimensions", names.size(),
                           highest_rank));
        return std::nullopt;
    }
    std::vector<LabelId> labels;
    bool good = true;
    for (const syntax::Name& name : names) {
        const Symbol* symbol = frame_->find(name.text);
        if (symbol == nullptr) {
            report_unknown(name, Symbol::Kind::label);
            good = false;
        } else if (symbol->kind == Symbol::Kind::unknown) {
            good = false;
        } else if (symbol->kind != Symbol::Kind::label) {
            report(ErrorCode::inconsistent, name.place,
                   fmt::format("'{}' is a {}, not a label", name.text,
                               symbol->kind == Symbol::Kind::tensor ? "tensor" : "scalar"),
                   {.accepted = "labels declared with IndexLabel"});
            good = false;
        } else {
            labels.push_back(symbol->id);
        }
    }
    if (!good) return std::nullopt;
    return labels;
}

bool Checker::bind_size(LabelId label, Index size, const std::string& tensor, Place place) {
    const int bit = frame_->labels.bit(label);
    if (bit < 0) {
        report(ErrorCode::range, place,
               fmt::format("more than {} labels in one statement", LabelTable::most));
        return false;
    }
    LabelTable::Entry& entry = frame_->labels.entries[static_cast<std::size_t>(bit)];
    const Label& declared = program_.labels[static_cast<std::size_t>(label)];
    if (entry.size < 0) entry.size = declared.size;
    if (size < 0) return true;
    if (entry.size < 0) {
        entry.size = size;
        entry.source = tensor;
        return true;
    }
    if (entry.size == size) return true;
    report(ErrorCode::inconsistent, place,
           entry.source.empty()
               ? fmt::format("label '{}' has size {}, and this dimension of {} has size {}",
                             declared.name, entry.size, tensor, size)
               : fmt::format("label '{}' has size {} in {}, and this dimension of {} has size {}",
                             declared.name, entry.size, entry.source, tensor, size));
    return false;
}

/// Whether `tensor` can be used with these labels.
bool Checker::bind_labels(const Symbol& tensor, const syntax::Name& name,
                          const std::vector<syntax::Name>& names,
                          const std::vector<LabelId>& labels) {
    const std::vector<Index> shape = program_.variables[static_cast<std::size_t>(tensor.id)].shape;
    if (shape.size() != labels.size()) {
        report(ErrorCode::inconsistent, name.place,
               fmt::format("{} has {} dimension{}, {} label{} given", name.text, shape.size(),
                           shape.size() == 1 ? "" : "s", labels.size(),
                           labels.size() == 1 ? "" : "s"));
        return false;
    }
    bool good = true;
    for (std::size_t d = 0; d < labels.size(); ++d) {
        good = bind_size(labels[d], shape[d], name.text, names[d].place) && good;
    }
    return good;
}

bool Checker::all_distinct(const std::vector<syntax::Name>& names, std::string_view what) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (names[i].text != names[j].text) continue;
            report(ErrorCode::inconsistent, names[i].place,
                   fmt::format("label '{}' stands twice {}", names[i].text, what));
            return false;
        }
    }
    return true;
}

LabelSet Checker::set_of(const std::vector<LabelId>& labels) {
    LabelSet set = 0;
    for (const LabelId label : labels) {
        const int bit = frame_->labels.bit(label);
        if (bit >= 0) set |= LabelSet{1} << bit;
    }
    return set;
}

LabelSet Checker::natural_labels(const std::vector<syntax::Name>& names) {
    LabelSet set = 0;
    for (const syntax::Name& name : names) {
        const Symbol* symbol = frame_->find(name.text);
        if (symbol == nullptr || symbol->kind != Symbol::Kind::label) continue;
        const int bit = frame_->labels.bit(symbol->id);
        if (bit >= 0) set |= LabelSet{1} << bit;
    }
    return set;
}

/// The labels an expression has when nobody asks for others: a product keeps those that only one
/// of its operands has.
LabelSet Checker::natural_labels(const syntax::Expression& expression) {
    using Kind = syntax::Expression::Kind;
    switch (expression.kind) {
    case Kind::number:
    case Kind::name:
        return 0;
    case Kind::access:
    case Kind::label_list:
        return natural_labels(expression.labels);
    case Kind::call:
        if (expression.labelled) return natural_labels(expression.labels);
        if (expression.name != "transpose" || expression.operands.size() != 2) return 0;
        return natural_labels(expression.operands[1]);
    case Kind::negate:
        return natural_labels(expression.operands[0]);
    case Kind::multiply:
    case Kind::semiring:
        return natural_labels(expression.operands[0]) ^ natural_labels(expression.operands[1]);
    case Kind::add:
    case Kind::subtract:
    case Kind::divide:
    case Kind::dot:
    case Kind::monoid:
        break;
    }
    return natural_labels(expression.operands[0]) | natural_labels(expression.operands[1]);
}

std::string Checker::text_of(LabelSet set) const {
    std::vector<LabelId> labels;
    for (std::size_t b = 0; b < frame_->labels.entries.size(); ++b) {
        if ((set >> b & 1) != 0) labels.push_back(frame_->labels.entries[b].id);
    }
    return text_of(labels);
}

std::string Checker::text_of(const std::vector<LabelId>& labels) const {
    std::vector<std::string_view> names;
    for (const LabelId label : labels) {
        names.push_back(program_.labels[static_cast<std::size_t>(label)].name);
    }
    return fmt::format("[{}]", fmt::join(names, ", "));
}

/// The labels of `set` in the order in which two operands have them.
std::vector<LabelId> Checker::in_order(LabelSet set, const Expression& left,
                                       const Expression& right) {
    std::vector<LabelId> labels;
    for (const Expression* operand : {&left, &right}) {
        for (const LabelId label : operand->labels) {
            const LabelSet bit = set_of({label});
            if ((set & bit) == 0) continue;
            labels.push_back(label);
            set &= ~bit;
        }
    }
    return labels;
}

} // namespace tropic::language
