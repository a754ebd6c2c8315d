// How long a text may be.
#pragma once

#include "language/source.h"

namespace tropic::language {

/// Programs are written by people; throws Error(range) for what is too long to be one.
void require_short(const Source& source);

} // namespace tropic::language
