// Declarations of labels and tensors.
#include <algorithm>

#include <fmt/format.h>

#include "language/checker.h"
#include "language/element_types.h"
#include "language/storage_words.h"

namespace tropic::language {

void Checker::poison(const syntax::Name& name) {
    if (frame_->find(name.text) == nullptr) {
        frame_->add(name.text, {.kind = Symbol::Kind::unknown, .place = name.place});
    }
}

bool Checker::is_free(const syntax::Name& name) {
    if (is_built_in(name.text)) {
        report(ErrorCode::inconsistent, name.place,
               fmt::format("'{}' is a function of the language and cannot be declared", name.text));
        return false;
    }
    const Symbol* known = frame_->find(name.text);
    if (known == nullptr || known->kind == Symbol::Kind::unknown) return true;
    report(ErrorCode::inconsistent, name.place,
           fmt::format("'{}' is declared twice; first in line {}, column {}", name.text,
                       known->place.line, known->place.column),
           {.hint = known->kind == Symbol::Kind::scalar
                        ? fmt::format("to give it another value: {} = ...;", name.text)
                        : ""});
    return false;
}

LabelId Checker::new_label(const syntax::Name& name, Index size) {
    program_.labels.push_back({.name = name.text, .size = size});
    return static_cast<LabelId>(program_.labels.size()) - 1;
}

VariableId Checker::new_variable(const std::string& name, Place place) {
    Variable variable;
    const auto id = static_cast<VariableId>(program_.variables.size());
    if (frame_->is_main()) {
        variable.name = name;
        main_names_[name] = id;
    } else {
        variable.name = fmt::format("{}.{}", frame_->function().name.text, name);
    }
    variable.place = place;
    program_.variables.push_back(std::move(variable));
    return id;
}

/// Declares a scalar whose first value has that type.
VariableId Checker::new_scalar(const syntax::Name& name, ElementType first) {
    const VariableId id = new_variable(name.text, name.place);
    const bool real = is_float(first) || widened_.contains({0, 0}) ||
                      widened_.contains({name.place.line, name.place.column});
    program_.variables[static_cast<std::size_t>(id)].element =
        real ? ElementType::float64 : ElementType::int64;
    frame_->add(name.text, {.kind = Symbol::Kind::scalar, .id = id, .place = name.place});
    return id;
}

/// The number of values; -1 for '?'.
std::optional<Index> Checker::size_of_label(const syntax::LabelSize& size) {
    if (size.step < 1) {
        report(ErrorCode::range, size.place, "the step of a range must be at least 1");
        return std::nullopt;
    }
    if (!size.high) return -1;
    if (*size.high <= size.low) {
        report(ErrorCode::range, size.place,
               size.low == 0 ? std::string("the size of a label must be at least 1")
                             : fmt::format("the range {}:{} is empty", size.low, *size.high));
        return std::nullopt;
    }
    return (*size.high - size.low - 1) / size.step + 1;
}

void Checker::check_labels(const syntax::Statement& statement) {
    const std::size_t sizes = statement.sizes.size();
    if (sizes != 1 && sizes != statement.labels.size()) {
        report(ErrorCode::inconsistent, statement.sizes.back().place,
               fmt::format("{} sizes for {} labels", sizes, statement.labels.size()),
               {.accepted = "one size for all labels, or one for each"});
        for (const syntax::Name& name : statement.labels) poison(name);
        return;
    }
    std::vector<std::optional<Index>> values;
    values.reserve(sizes);
    for (const syntax::LabelSize& size : statement.sizes) values.push_back(size_of_label(size));
    for (std::size_t l = 0; l < statement.labels.size(); ++l) {
        const syntax::Name& name = statement.labels[l];
        const std::optional<Index>& size = values[sizes == 1 ? 0 : l];
        Symbol* known = frame_->find(name.text);
        if (known != nullptr && known->kind == Symbol::Kind::label && known->from_parameter) {
            // Declared by the parameter list already; a size of its own makes it another label.
            known->from_parameter = false;
            known->place = name.place;
            if (size && *size >= 0) known->id = new_label(name, *size);
            continue;
        }
        if (!is_free(name)) continue;
        if (!size) {
            poison(name);
            continue;
        }
        frame_->add(
            name.text,
            {.kind = Symbol::Kind::label, .id = new_label(name, *size), .place = name.place});
    }
}

std::optional<ElementType> Checker::element_type(const syntax::Name& word) {
    const auto type = parse_type_word(word.text);
    if (!type) {
        constexpr std::array<std::string_view, 14> known = {
            "double", "float", "int",    "bool",   "int8",   "int16",   "int32",
            "int64",  "uint8", "uint16", "uint32", "uint64", "float32", "float64"};
        report(ErrorCode::not_found, word.place,
               fmt::format("unknown element type '{}'", word.text),
               {.accepted = "double, float, int, bool, int8 to int64, uint8 to uint64, float32, "
                            "float64",
                .hint = did_you_mean(word.text, known)});
    }
    return type;
}

bool Checker::set_storage(Variable& variable, const std::optional<syntax::StorageWords>& words) {
    if (!words) return true;
    const auto storage = parse_storage(*words, variable.rank(), diagnostics_);
    if (!storage) return false;
    variable.format = storage->format;
    variable.presentation = storage->presentation;
    if (storage->format != Format::dense(variable.rank())) return true;
    auto bytes = static_cast<Index>(size_of(variable.element));
    for (const Index size : variable.shape) {
        if (size > 0 && __builtin_mul_overflow(bytes, size, &bytes)) {
            report(ErrorCode::range, words->place,
                   "a dense tensor of this size is larger than any memory");
            return false;
        }
    }
    return true;
}

void Checker::check_tensors(const syntax::Statement& statement) {
    const auto type = element_type(statement.tensors.front().type);
    for (const syntax::TensorDeclaration& tensor : statement.tensors) {
        const auto labels = resolve_labels(tensor.labels);
        const bool free = is_free(tensor.name);
        Variable shape_of;
        shape_of.is_tensor = true;
        shape_of.element = type.value_or(ElementType::float64);
        shape_of.shape.resize(tensor.labels.size(), -1);
        for (std::size_t d = 0; labels && d < labels->size(); ++d) {
            shape_of.shape[d] = program_.labels[static_cast<std::size_t>((*labels)[d])].size;
        }
        const bool stored = set_storage(shape_of, tensor.storage);
        if (!free) continue;
        if (!type || !labels || !stored) {
            poison(tensor.name);
            continue;
        }
        shape_of.labels = *labels;
        const VariableId id = new_variable(tensor.name.text, tensor.name.place);
        Variable& variable = program_.variables[static_cast<std::size_t>(id)];
        shape_of.name = variable.name;
        shape_of.place = variable.place;
        variable = std::move(shape_of);
        frame_->add(tensor.name.text, {.kind = Symbol::Kind::tensor,
                                       .id = id,
                                       .place = tensor.name.place,
                                       .labels = *labels});
        if (loops_deep_ > 0) emit(forgetting(id, tensor.name.place));
    }
}

} // namespace tropic::language
