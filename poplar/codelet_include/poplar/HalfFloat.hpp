// half, under the name of the header that programs include for it.
#pragma once

#include <poplar/VectorTypes.hpp>
