// Reads the fields of a vertex class from its compiled declaration: role, shape, element type and
// where each lies in the state.
#pragma once

#include "findings.h"

namespace clang {
class ASTContext;
class CXXRecordDecl;
} // namespace clang

namespace tropic::tile::plugin {

/// Fills in the fields and sizes of `vertex`. What cannot be connected or set becomes a problem.
void read_fields(const clang::ASTContext& context, const clang::CXXRecordDecl& record,
                 VertexFinding& vertex);

} // namespace tropic::tile::plugin
