// Whether reports of progress reach anybody: work that goes round quickly asks once.
#pragma once

#include "tropic/context.h"

namespace tropic {

bool is_listened_to(const Context& context);

} // namespace tropic
