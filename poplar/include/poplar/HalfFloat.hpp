// Halves on the host: see copyFloatToDeviceHalf in Target.hpp.
#pragma once

#include <poplar/Target.hpp>
