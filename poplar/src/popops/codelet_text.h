// The text of codelets that the operations write for themselves: one for each expression or
// reduction and the types it meets, compiled when it is first needed and then taken from the cache.
#pragma once

#include <string>
#include <vector>

#include <poplar/Graph.hpp>
#include <popops/Expr.hpp>
#include <popops/OperationDef.hpp>

namespace popops {

/// The type's name in a codelet.
std::string code_type(const poplar::Type& type);

/// `type` of a value whose code is `text`.
struct CodeValue {
    std::string text;
    poplar::Type type;
};

/// The value of an expression over placeholders with the given code and types. Throws
/// poputil::poplibs_error for operands that do not go together.
CodeValue code_of(const expr::Expr& expr, const std::vector<CodeValue>& placeholders);

/// Makes the vertex of a body known to the graph, unless it is, and returns its name. The name is
/// `what` and a hash of the body, in which it is written as @NAME@.
std::string add_vertex_type(poplar::Graph& graph, const std::string& what, const std::string& body);

/// The loop of a MultiVertex over `count`, `statement` using `i`. Workers take whole words, so that
/// no two of them write into one.
std::string worker_loop(const poplar::Type& written, const std::string& count,
                        const std::string& statement);

} // namespace popops
