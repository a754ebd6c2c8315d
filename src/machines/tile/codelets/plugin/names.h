// Names and places in the syntax tree, as users know them.
#pragma once

#include <string>

#include <clang/Basic/SourceLocation.h>

namespace clang {
class ASTContext;
class CXXRecordDecl;
} // namespace clang

namespace tropic::tile::plugin {

/// As `addVertex` names it: with namespaces and template arguments, "ns::Sum<float,true>".
std::string vertex_name(const clang::ASTContext& context, const clang::CXXRecordDecl& record);

void add_problem(const clang::ASTContext& context, clang::SourceLocation location,
                 std::string message, std::string hint);

} // namespace tropic::tile::plugin
