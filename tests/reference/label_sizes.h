// How large labels are while a program runs. A label has its size from the program text, from the
// tensors a statement uses it with, or from any tensor declared with it that has a value already.
#pragma once

#include <string>

#include "reference/evaluate.h"
#include "tropic/error.h"

namespace tropic::reference {

/// What is known of labels that have no size in the text, kept from statement to statement.
class KnownSizes {
  public:
    explicit KnownSizes(const language::Program& program) : program_(program) {}

    /// The sizes of all labels in an expression. Throws Error(inconsistent) where they differ.
    LabelSizes of(const language::Expression& expression, const Memory& memory) const;

    /// The sizes of all labels of an assignment to a tensor, its target's among them.
    LabelSizes of(const language::Statement& assignment, const Memory& memory) const;

    /// The variable has that shape from now on, and so have the labels it was declared with.
    void learn(language::VariableId variable, const std::vector<Index>& shape);

    /// Remembers what a statement found out.
    void learn(const LabelSizes& sizes);
    const LabelSizes& all() const noexcept { return known_; }

  private:
    void add(LabelSizes& sizes, language::LabelId label, Index size,
             const language::Place& place) const;
    void collect(LabelSizes& sizes, const language::Expression& expression,
                 const Memory& memory) const;
    Index target_size(const language::Statement& assignment, std::size_t dimension,
                      const Memory& memory) const;

    const language::Program& program_;
    LabelSizes known_;
};

/// An error of the program's user at a place in its text.
[[noreturn]] void fail(const language::Program& program, const language::Place& place,
                       ErrorCode code, const std::string& message);

} // namespace tropic::reference
