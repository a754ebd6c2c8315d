// The index-tree dialect in C++.
#pragma once

#include "ir/ga.h"

#include "ir/it_dialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/it_types.h.inc"

#define GET_OP_CLASSES
#include "ir/it_ops.h.inc"
