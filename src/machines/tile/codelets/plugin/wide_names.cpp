#include "wide_names.h"

#include <algorithm>

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

namespace tropic::tile::plugin {

using namespace clang;

WideNames::WideNames(const CXXRecordDecl& record) {
    const auto* special = llvm::dyn_cast<ClassTemplateSpecializationDecl>(&record);
    const auto* written = special == nullptr ? nullptr : special->getTemplateArgsAsWritten();
    if (written == nullptr) return;
    std::vector<bool> said;
    for (const TemplateArgumentLoc& argument : written->arguments()) {
        said.push_back(says_64_bits(argument.getArgument()));
    }
    arguments_ = std::move(said);
}

WideNames WideNames::base(QualType written) const {
    WideNames names;
    const auto* special = written->getAs<TemplateSpecializationType>();
    if (special == nullptr) return names;
    for (const TemplateArgument& argument : special->template_arguments()) {
        names.arguments_.push_back(says_64_bits(argument));
    }
    return names;
}

bool WideNames::argument_says_64_bits(unsigned index) const {
    return index < arguments_.size() && arguments_[index];
}

bool WideNames::says_64_bits(const TemplateArgument& argument) const {
    return argument.getKind() == TemplateArgument::Type && says_64_bits(argument.getAsType());
}

bool WideNames::says_64_bits(QualType type) const {
    while (!type.isNull()) {
        if (const auto* named = type->getAs<TypedefType>()) {
            const llvm::StringRef name = named->getDecl()->getName();
            if (name.ends_with("64_t") || name.ends_with("intmax_t")) return true;
            type = named->desugar();
        } else if (const auto* argument = type->getAs<SubstTemplateTypeParmType>()) {
            if (!llvm::isa<TypeAliasTemplateDecl>(argument->getAssociatedDecl())) {
                return argument_says_64_bits(argument->getIndex());
            }
            type = argument->getReplacementType();
        } else if (const auto* special = type->getAs<TemplateSpecializationType>()) {
            return std::ranges::any_of(
                special->template_arguments(),
                [this](const TemplateArgument& inner) { return says_64_bits(inner); });
        } else if (const ArrayType* array = type->getAsArrayTypeUnsafe()) {
            type = array->getElementType();
        } else if (const auto* enumeration = type->getAs<EnumType>()) {
            type = enumeration->getDecl()->getIntegerType();
        } else {
            return false;
        }
    }
    return false;
}

} // namespace tropic::tile::plugin
