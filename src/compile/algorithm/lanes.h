// Expressions for several edges, or several members of a space, at once.
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
    /// Locals at which the tests read elements that an edge ending there would change: in a group
    /// with such an edge, all edges are looked at one after the other.
    VariableSet apart = {};
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
    /// Of a test for less or more: which edges pass it, where they end, and what they would put
    /// there.
    struct Improvement {
        llvm::Value* better;
        llvm::Value* ends;
        llvm::Value* values;
    };
    Improvement improvement(const EdgeTest& test);
    /// Which of the edges pass all tests.
    llvm::Value* passing(const std::vector<EdgeTest>& tests);
    llvm::Value* is_member(alg::VariableId set);
    llvm::Value* element(alg::VariableId vector);
    llvm::Value* has_row();
    /// Values of a graph side by side, as they are stored. What is not `inside` may be anything.
    llvm::Value* values_at(llvm::Value* values, const alg::Type& type, llvm::Value* place,
                           llvm::Value* inside);

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

inline bool is_label(const alg::Expression& e, alg::VariableId label) {
    return e.kind == alg::Expression::Kind::variable && e.variable == label;
}

/// Gathers fetch words of 4 or 8 bytes.
inline bool can_gather(const Unit& unit, const alg::Type& type) {
    return type.record < 0 && type.lanes == 1 && unit.bytes_of(type) >= 4;
}

} // namespace tropic::compile
