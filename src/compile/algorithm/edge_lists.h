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
        return new_list(name, unit.index, enough + stretch);
    }
    llvm::AllocaInst* new_count(const char* name, std::int64_t start = 0);
    void add(llvm::AllocaInst* count, llvm::Value* more);

    /// Asks for the values of a row: the first ones and the last; the machine foresees the rest.
    void fetch_values(const Code::Edges& edges);
    struct Row {
        Code::Edges edges;
        llvm::Value* bound;
        llvm::Value* more = nullptr;         ///< a key that is added to the values of its edges
        llvm::Value* member = nullptr;       ///< an index that is kept beside them in
        llvm::AllocaInst* members = nullptr; ///< this list
        llvm::AllocaInst* looked = nullptr;  ///< counts edges
    };
    /// Goes through rows begin .. end - 1 and finds the edges whose value is less than the row's
    /// bound: they come to `edge_list`, their values to `value_list`, and `look` is called
    /// whenever they have enough of them, and at the end; they are empty then. Asks for what says
    /// where they lead.
    void find_edges(llvm::Value* begin, llvm::Value* end,
                    const std::function<Row(llvm::Value*)>& row_of,
                    const std::function<void()>& look);
    /// Calls body(place, which of the lanes are edges) for the edges that were found, a vector of
    /// them at a time.
    void for_found(const std::function<void(llvm::Value*, llvm::Value*)>& body);

    llvm::Value* splat(llvm::Value* value) { return b.CreateVectorSplat(lane_count, value); }
    llvm::Value* place_in(llvm::Value* list, llvm::Value* at) {
        return b.CreateInBoundsGEP(unit.index, list, at);
    }
    llvm::Value* load_indices(llvm::Value* from, llvm::Value* inside);
    llvm::Value* load_keys(llvm::Value* from, llvm::Value* inside);
    llvm::Value* key_in(llvm::Value* list, llvm::Value* at) {
        return b.CreateInBoundsGEP(key_word, list, at);
    }
    llvm::Value* index_at(llvm::Value* list, llvm::Value* at);
    llvm::Value* keys_at(llvm::Value* indices, llvm::Value* inside);
    llvm::Value* ends_of(llvm::Value* edges, llvm::Value* inside);
    llvm::Align key_alignment() const {
        return llvm::Align(static_cast<std::uint64_t>(unit.bytes_of(key_type)));
    }

    Code& code;
    Unit& unit;
    llvm::IRBuilder<>& b;
    const alg::Statement& statement;
    alg::VariableId key_vector;
    alg::Type key_type;   ///< of keys
    alg::Type value_type; ///< of the graph's values, which may be narrower
    unsigned lane_count;
    llvm::Type* key_word;
    llvm::FixedVectorType* key_words;
    llvm::FixedVectorType* index_words;
    llvm::Value* crd;
    llvm::Value* values;
    std::int64_t enough;
    llvm::AllocaInst* edge_list;
    llvm::AllocaInst* value_list; ///< beside edge_list: values as keys, and what was added to them
    llvm::AllocaInst* edge_count; ///< of both

  private:
    llvm::Value* side(std::int64_t in, std::int64_t out);
    llvm::Value* as_keys(llvm::Value* stored);
    llvm::Value* place_of_values(llvm::Value* at) {
        return b.CreateGEP(unit.stored_type(value_type), values, at);
    }
    void find_in_row(const Row& row);
    void fetch_ends(llvm::Value* first);
};

} // namespace tropic::compile
