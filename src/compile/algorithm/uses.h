// What the code of a member touches: which elements others may write while it runs decides where
// atomic operations are needed.
#pragma once

#include <functional>
#include <map>
#include <set>

#include "compile/algorithm/unit.h"

namespace tropic::compile {

using VariableSet = std::set<alg::VariableId>;

struct Uses {
    VariableSet scalars;        ///< of the program, read
    VariableSet assigned;       ///< of the program, written
    VariableSet written_own;    ///< elements of the member's own
    VariableSet written_shared; ///< elements of anybody
    VariableSet changed_shared; ///< of those: by more than a plain store
    VariableSet read_shared;    ///< elements of anybody
    /// Elements whose parts belong together: records, and lanes that anybody stores or combines by
    /// an operation of the program.
    VariableSet whole;
    /// Lanes that nobody but the member stores or combines so: they are whole where several workers
    /// may have the same member.
    VariableSet whole_if_shared;
    VariableSet inserted_own;                     ///< sets that get the member itself
    VariableSet inserted_shared;                  ///< sets that get anybody
    VariableSet looked_up;                        ///< sets asked for members
    std::map<alg::VariableId, int> insert_places; ///< how many insert into a set
    std::map<alg::VariableId, int> write_places;  ///< how many change elements of a vector
    /// The statement that gathers a scalar; the first, where there are several.
    std::map<alg::VariableId, const alg::Statement*> gathering;
    int steps = 0; ///< a measure of the work

    /// Data whose elements somebody else may write while the code runs.
    VariableSet contended() const;
    /// Whether the code for several threads differs from that for one. With `own_words`, nobody
    /// else touches the word of a set that holds the member's bit.
    bool needs_atomics(bool own_words) const;
    /// Whether it differs in nothing but stores that nobody reads: one code does for both.
    bool only_stores() const;
};

/// Adds what they use.
void collect(Uses& uses, const Unit& unit, const std::vector<alg::Statement>& statements);
void collect(Uses& uses, const Unit& unit, const alg::Expression& expression);
void collect(Uses& uses, const Unit& unit, const alg::Monoid& monoid);

} // namespace tropic::compile
