// Edges of many rows whose values say that they might matter, side by side: where they lead is
// looked at when there are enough of them for their ways to memory to overlap.
#pragma once

#include <functional>

#include "compile/algorithm/code.h"

namespace tropic::compile {

/// Writes code for a loop over neighbours that offers them the sum of a key and the edge's value
/// (Code::can_pull).
class EdgeLists {
  protected:
    /// `enough` edges are looked at together.
    EdgeLists(Code& code, const alg::Statement& s, std::int64_t enough);

    /// Edges of a row between two looks at how many there are: this many more may come.
    static constexpr std::int64_t stretch = 128;

    /// With room for a vector behind the last.
    llvm::AllocaInst* new_list(const char* name, llvm::Type* type, std::int64_t size);
    /// Of indices, for what is kept beside edges.
    llvm::AllocaInst* new_list(const char* name) {
        return new_list(name, unit_.index, enough_ + stretch);
    }
    llvm::AllocaInst* new_count(const char* name, std::int64_t start = 0);
    void add(llvm::AllocaInst* count, llvm::Value* more);

    /// Asks for the values of a row: the first ones and the last; the machine foresees the rest.
    void fetch_values(const Code::Edges& edges);
    struct Row {
        Code::Edges edges;
        llvm::Value* bound;
        llvm::Value* beside;                ///< a vector that is kept beside its edges,
        llvm::Value* list;                  ///< here
        llvm::AllocaInst* looked = nullptr; ///< counts edges
    };
    /// Goes through rows begin .. end - 1 and finds the edges whose value is less than the row's
    /// bound: they come to `edges_`, and `look` empties that whenever it has enough of them, and at
    /// the end. Asks for what says where they lead.
    void find_edges(llvm::Value* begin, llvm::Value* end,
                    const std::function<Row(llvm::Value*)>& row_of,
                    const std::function<void()>& look);
    /// Calls body(place, which of the lanes are edges) for the edges that were found, a vector of
    /// them at a time.
    void for_found(const std::function<void(llvm::Value*, llvm::Value*)>& body);

    llvm::Value* splat(llvm::Value* value) { return b_.CreateVectorSplat(lanes_, value); }
    llvm::Value* numbers_from(llvm::Value* first);
    llvm::Value* place_in(llvm::Value* list, llvm::Value* at) {
        return b_.CreateInBoundsGEP(unit_.index, list, at);
    }
    /// Writes the chosen ones of a vector side by side from a place of a list on.
    void pack(llvm::Value* all, llvm::Value* chosen, llvm::Value* to);
    llvm::Value* how_many(llvm::Value* chosen);
    llvm::Value* load_indices(llvm::Value* from, llvm::Value* inside);
    llvm::Value* index_at(llvm::Value* list, llvm::Value* at);
    llvm::Value* keys_at(llvm::Value* indices, llvm::Value* inside);
    llvm::Value* ends_of(llvm::Value* edges, llvm::Value* inside);
    /// The values of edges from all over the graph, as keys.
    llvm::Value* values_at(llvm::Value* edges, llvm::Value* inside);
    llvm::Value* place_of_values(llvm::Value* at) {
        return b_.CreateGEP(unit_.stored_type(stored_), values_, at);
    }
    llvm::Align index_alignment() const { return llvm::Align(unit_.wide ? 8 : 4); }
    llvm::Align key_alignment() const {
        return llvm::Align(static_cast<std::uint64_t>(unit_.bytes_of(type_)));
    }

    Code& code_;
    Unit& unit_;
    llvm::IRBuilder<>& b_;
    const alg::Statement& s_;
    alg::VariableId keys_;
    alg::Type type_;   ///< of keys
    alg::Type stored_; ///< of the graph's values, which may be narrower
    unsigned lanes_;
    llvm::Type* one_;
    llvm::FixedVectorType* many_;
    llvm::FixedVectorType* indices_;
    llvm::Value* crd_;
    llvm::Value* values_;
    std::int64_t enough_;
    llvm::AllocaInst* edges_;
    llvm::AllocaInst* count_; ///< of edges_

  private:
    llvm::Value* side(std::int64_t in, std::int64_t out);
    llvm::Value* as_keys(llvm::Value* values);
    void find_in_row(const Row& row);
    void fetch_ends(llvm::Value* first);
};

} // namespace tropic::compile
