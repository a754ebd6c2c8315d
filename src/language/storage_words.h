// The storage formats of declarations: {CSR}, Dense, {D, CU}...
#pragma once

#include "language/diagnostics.h"
#include "language/syntax_tree.h"

namespace tropic::language {

struct Storage {
    Format format;
    Presentation presentation = Presentation::plain;
};

/// What the words mean for a tensor of that rank; none after reporting why they mean nothing.
std::optional<Storage> parse_storage(const syntax::StorageWords& words, int rank,
                                     Diagnostics& diagnostics);

} // namespace tropic::language
