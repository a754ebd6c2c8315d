#include "names.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/Support/raw_ostream.h>

#include "findings.h"
#include "wide_names.h"

namespace tropic::tile::plugin {

namespace {

std::string text_of(const clang::ASTContext& context, const clang::TemplateArgument& argument,
                    bool says_64_bits) {
    if (argument.getKind() == clang::TemplateArgument::Type) {
        const clang::QualType type = argument.getAsType().getCanonicalType();
        if (type->isFloat16Type()) return "half";
        // What programs call LONGLONG, however this host spells it.
        if (says_64_bits && type->isSpecificBuiltinType(clang::BuiltinType::Long)) {
            return "long long";
        }
        if (says_64_bits && type->isSpecificBuiltinType(clang::BuiltinType::ULong)) {
            return "unsigned long long";
        }
    }
    std::string text;
    llvm::raw_string_ostream out(text);
    argument.print(context.getPrintingPolicy(), out, false);
    return text;
}

} // namespace

std::string vertex_name(const clang::ASTContext& context, const clang::CXXRecordDecl& record) {
    std::string name;
    for (const clang::DeclContext* scope = record.getDeclContext(); scope != nullptr;
         scope = scope->getParent()) {
        const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(scope);
        if (space != nullptr && !space->isAnonymousNamespace() && !space->isInline()) {
            name.insert(0, space->getName().str() + "::");
        }
        if (const auto* outer = llvm::dyn_cast<clang::CXXRecordDecl>(scope)) {
            name.insert(0, outer->getName().str() + "::");
        }
    }
    name += record.getName();
    const auto* special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record);
    if (special == nullptr) return name;
    name += '<';
    const char* separator = "";
    const WideNames names(record);
    unsigned index = 0;
    for (const clang::TemplateArgument& argument : special->getTemplateArgs().asArray()) {
        name += separator + text_of(context, argument, names.argument_says_64_bits(index++));
        separator = ",";
    }
    return name + ">";
}

void add_problem(const clang::ASTContext& context, clang::SourceLocation location,
                 std::string message, std::string hint) {
    const clang::PresumedLoc place = context.getSourceManager().getPresumedLoc(
        context.getSourceManager().getExpansionLoc(location));
    Problem problem;
    if (place.isValid()) {
        problem.file = place.getFilename();
        problem.line = place.getLine();
        problem.column = place.getColumn();
    }
    problem.message = std::move(message);
    problem.hint = std::move(hint);
    findings().problems.push_back(std::move(problem));
}

} // namespace tropic::tile::plugin
