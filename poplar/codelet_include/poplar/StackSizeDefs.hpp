// How much stack a function takes, which the vendor's tools want to be told; the tile machine has
// no use for it.
#pragma once

#define DEF_STACK_USAGE(bytes, function)
#define DEF_STACK_SIZE_OWN(bytes, function)
#define DEF_FUNC_CALLS(function, callees)
#define DEF_FUNC_CALL_PTRS(function, callees)
