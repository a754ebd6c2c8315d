// Edges, a vector of them at a time: which ones can matter at all is found with gathers and
// comparisons; only those go through the code of one edge, which looks again. Most edges of most
// algorithms change nothing: their end has been seen, or is nearer already.
#pragma once

#include "compile/algorithm/code.h"

namespace tropic::compile {

/// What is known of a group of edges while it is looked at.
struct EdgeGroup {
    llvm::Value* place;  ///< of the first edge (i64)
    llvm::Value* inside; ///< which of the lanes are edges
    alg::VariableId graph;
    bool inward;
    alg::VariableId label;
    alg::VariableId weight;
    /// Locals that are set for each edge, before anything else is done.
    std::map<alg::VariableId, const alg::Expression*> given;
    /// Not edges but members side by side: `place` is the first one, the label is the member
    /// itself, and only what is its own is looked at.
    bool side_by_side = false;
};

/// Computes expressions for a group of edges.
class Lanes {
  public:
    Lanes(Code& code, EdgeGroup group) : code_(code), group_(std::move(group)) {}

    /// Whether it is made of what lanes can compute. `changing` are locals that do not keep their
    /// value from edge to edge, and variables of which other elements than that of the edge's end
    /// change.
    static bool can(const Unit& unit, const alg::Expression& e, const EdgeGroup& group,
                    const VariableSet& changing);

    /// Of the expression's type, or a vector of it.
    llvm::Value* value(const alg::Expression& e);
    llvm::Value* value_as(const alg::Expression& e, const alg::Type& type);
    /// Which of the edges pass all tests.
    llvm::Value* passing(const std::vector<struct EdgeTest>& tests);
    llvm::Value* is_member(alg::VariableId set);
    llvm::Value* element(alg::VariableId vector);
    llvm::Value* has_row();

    static int count(const Unit& unit) { return unit.wide ? 8 : 16; }

  private:
    llvm::Value* spread(llvm::Value* value);
    llvm::Value* label();
    /// Elements that lie side by side.
    llvm::Value* fetch(llvm::Type* type, llvm::Value* from, std::int64_t alignment);

    Code& code_;
    EdgeGroup group_;
    llvm::Value* label_ = nullptr;
};

/// What must hold of an edge that matters.
struct EdgeTest {
    enum class Kind : std::uint8_t {
        condition, ///< `expression` holds
        less,      ///< `expression` is less than element `variable` of the edge's end
        more,      ///< more
        outsider,  ///< the end is no member of `variable`
        row,       ///< the member has neighbours in the group's graph
    };
    Kind kind;
    const alg::Expression* expression = nullptr;
    alg::VariableId variable = -1;
};

/// What decides whether an edge matters: all of these hold, or nothing is done for it.
struct EdgeFilter {
    std::vector<EdgeTest> tests;
    EdgeGroup group;
};

/// What must hold of a member of a loop over a space, as far as vectors of members can find it
/// out; empty if they cannot.
std::vector<EdgeTest> member_tests(const Unit& unit, const alg::Statement& each, const Uses& uses);

/// The filter of a loop over neighbours, if it has one.
std::optional<EdgeFilter> filter_of(const Unit& unit, const alg::Statement& neighbours);

} // namespace tropic::compile
