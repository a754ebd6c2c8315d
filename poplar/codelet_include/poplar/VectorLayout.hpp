// Layouts of vectors, under the name of the header that programs include for them.
#pragma once

#include <poplar/Fields.hpp>
