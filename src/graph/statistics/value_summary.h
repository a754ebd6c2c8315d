// Minimum, maximum, mean and signs of stored values.
#pragma once

#include "tropic/statistics.h"

namespace tropic {

/// Of any element type but `pattern`. NaN is in the mean only; if there is nothing else, minimum
/// and maximum are NaN too.
ValueSummary summarise_values(const Array& values, const Context& context);

} // namespace tropic
