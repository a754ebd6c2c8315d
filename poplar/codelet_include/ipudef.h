// The types of the vendor's compiler, under the name programs include them by.
#pragma once

#include <ipu_builtins.h>
