// Edges of many rows whose ends are claimed together.
#pragma once

#include "compile/algorithm/code.h"

namespace tropic::compile {

/// Writes code for the one loop over neighbours that the code of a member is, whose body is a claim
/// of a member (Code::member_claim).
class ClaimTogether {
  public:
    /// To be claimed by a function of its own: the loop that collects has all registers to itself.
    ClaimTogether(Code& code, const alg::Statement& loop, const Code::MemberClaim& claim);

    bool is_of(const alg::Statement& s) const { return &loop_ == &s; }
    /// Adds the edges of the row at hand to those that are collected.
    void collect_row();
    /// Claims the ends of all edges that have been collected.
    void claim_collected();

  private:
    /// The end of a collected edge (i64) and the member it comes from, an index; or vectors of
    /// both.
    struct Edge {
        llvm::Value* end;
        llvm::Value* member;
    };

    /// The code of the function that claims.
    ClaimTogether(Code& code, const ClaimTogether& collecting, llvm::Value* edges);

    llvm::Value* end_at(llvm::Value* number);    ///< where it is kept
    llvm::Value* member_at(llvm::Value* number); ///< the same
    Edge edge(llvm::Value* number);
    Edge edges(llvm::Value* first);
    void collect_part(const Code::Edges& part);
    void write_claims();
    /// Moves the edges whose ends are free to the front; how many there are.
    llvm::Value* find_free();
    llvm::Value* find_free_in_lanes(const Code::Edges& all, llvm::Value* free);
    /// Appends the ends that have been given the members their edges come from.
    void append_winners(const Code::Edges& found);
    llvm::Value* element(llvm::Value* which);
    llvm::Value* elements(llvm::Value* which, llvm::Value* inside);
    void set_element(llvm::Value* which, llvm::Value* value);

    Code& code_;
    Unit& unit_;
    llvm::IRBuilder<>& b_;
    const alg::Statement& loop_;
    Code::MemberClaim claim_;
    alg::Type element_type_; ///< of what is claimed: indices
    unsigned lanes_;
    llvm::Type* list_;   ///< a structure of ends, and of the members they come from
    llvm::Value* edges_; ///< one of these
    llvm::AllocaInst* count_ = nullptr;
    llvm::Function* function_ = nullptr; ///< with the signature of cpu::EachBody
};

} // namespace tropic::compile
