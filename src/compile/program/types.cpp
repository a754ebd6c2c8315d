// What labels, places, types and formats of a program are called in graph algebra.
#include "compile/program/lowering.h"

#include <fmt/format.h>

#include "compile/element_types.h"
#include "language/source.h"
#include "tropic/error.h"

namespace tropic::compile {

void ProgramLowering::name_labels() {
    std::set<std::string> taken;
    for (const language::Label& label : program_.labels) {
        std::string name = label.name;
        for (int number = 1; !taken.insert(name).second; ++number) {
            name = fmt::format("{}_{}", label.name, number);
        }
        label_names_.push_back(builder_.getStringAttr(name));
    }
}

mlir::Location ProgramLowering::location(const Place& place) {
    return mlir::FileLineColLoc::get(&context_, program_.file, static_cast<unsigned>(place.line),
                                     static_cast<unsigned>(place.column));
}

std::string ProgramLowering::text(const Place& place) {
    return fmt::format("line {}, column {}", place.line, place.column);
}

void ProgramLowering::refuse(const Place& place, std::string message, std::string hint) const {
    Diagnostic diagnostic;
    diagnostic.code = ErrorCode::unsupported;
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    diagnostic.file = program_.file;
    diagnostic.line = place.line;
    diagnostic.column = place.column;
    diagnostic.source_line = language::Source(program_.text, program_.file).line(place.line);
    throw Error(std::move(diagnostic));
}

mlir::ArrayAttr ProgramLowering::labels_attr(const std::vector<LabelId>& labels) {
    llvm::SmallVector<mlir::Attribute> names;
    for (const LabelId label : labels) names.push_back(label_names_[label]);
    return builder_.getArrayAttr(names);
}

ga::TensorType ProgramLowering::tensor_type(ElementType element, const Format& format) {
    llvm::SmallVector<int8_t> kinds;
    llvm::SmallVector<int8_t> order;
    for (const LevelKind kind : format.levels) kinds.push_back(static_cast<int8_t>(kind));
    for (const int dimension : format.order) order.push_back(static_cast<int8_t>(dimension));
    return ga::TensorType::get(&context_, element_type(element, context_), kinds, order);
}

Format ProgramLowering::natural_format(bool dense, int rank) {
    if (dense) return Format::dense(rank);
    return rank == 2 ? Format::csr() : Format::csf(rank);
}

bool ProgramLowering::is_dense(const Labelled& operand) {
    return mlir::cast<ga::TensorType>(operand.value.getType()).isDense();
}

ga::TensorType ProgramLowering::natural_type(const Expression& expression, bool dense) {
    return tensor_type(expression.element,
                       natural_format(dense, static_cast<int>(expression.labels.size())));
}

ga::TensorType ProgramLowering::declared_type(const Variable& variable, bool dense) {
    return tensor_type(variable.element,
                       variable.format ? *variable.format : natural_format(dense, variable.rank()));
}

ga::TensorType ProgramLowering::type_for(VariableId id, bool dense) {
    const Variable& variable = program_.variables[id];
    if (variable.format || !values_[id]) return declared_type(variable, dense);
    return mlir::cast<ga::TensorType>(values_[id].getType());
}

void ProgramLowering::collect_storage(const Expression& expression, int rank,
                                      std::set<std::pair<Levels, Levels>>& found) {
    if (expression.kind == Expression::Kind::access && values_[expression.variable]) {
        const auto type = mlir::cast<ga::TensorType>(values_[expression.variable].getType());
        if (type.rank() == rank && !type.isDense() && type.getKinds().back() != 0) {
            found.emplace(Levels(type.getKinds()), Levels(type.getOrder()));
        }
    }
    for (const Expression& operand : expression.operands) {
        collect_storage(operand, rank, found);
    }
}

ga::TensorType ProgramLowering::inferred_type(const Variable& variable,
                                              const Statement& statement) {
    std::set<std::pair<Levels, Levels>> found;
    collect_storage(statement.operands[0], variable.rank(), found);
    if (found.size() != 1) return declared_type(variable, false);
    return ga::TensorType::get(&context_, element_type(variable.element, context_),
                               found.begin()->first, found.begin()->second);
}

void ProgramLowering::explain_format(const Statement& statement) {
    const Variable& variable = program_.variables[statement.variable];
    const auto type = mlir::cast<ga::TensorType>(values_[statement.variable].getType());
    Format format;
    for (const std::int8_t kind : type.getKinds()) {
        format.levels.push_back(static_cast<LevelKind>(kind));
    }
    format.order.assign(type.getOrder().begin(), type.getOrder().end());
    std::set<std::pair<Levels, Levels>> found;
    collect_storage(statement.operands[0], variable.rank(), found);
    const char* const why = type.isDense()      ? "it has a value everywhere"
                            : found.size() == 1 ? "as what it is made of"
                            : found.empty()     ? "nothing it is made of says how"
                                                : "what it is made of differs in format";
    std::string text =
        fmt::format("{}:{}: {} has no declared format; stored as {}, {}", statement.place.line,
                    statement.place.column, variable.name, format.name(), why);
    // A loop may have been rehearsed before.
    if (llvm::is_contained(explained_, text)) return;
    explained_.push_back(std::move(text));
}

} // namespace tropic::compile
