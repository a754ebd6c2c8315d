// Contexts for work that has to end in time.
#pragma once

#include <string>

#include "tropic/context.h"

namespace tropic {

/// The same context, with the same memory and whom it tells, for work that ends with
/// Error(cancelled) where it takes longer than so many seconds from now; `what` names it then, and
/// `hint` says what to try.
Context limited(const Context& context, double seconds, std::string what,
                std::string hint = "give it more time");

} // namespace tropic
