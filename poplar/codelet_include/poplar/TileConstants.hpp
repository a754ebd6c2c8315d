// Constants of the tile, under the name of the header that programs include for them.
#pragma once

#include <arch/gc_tile_defines.h>
