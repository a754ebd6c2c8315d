// All of Tropic's public interface.
#pragma once

#include "tropic/algorithm.h"
#include "tropic/algorithms.h"
#include "tropic/array.h"
#include "tropic/context.h"
#include "tropic/coordinates.h"
#include "tropic/error.h"
#include "tropic/formats.h"
#include "tropic/generate.h"
#include "tropic/graph.h"
#include "tropic/partition.h"
#include "tropic/program.h"
#include "tropic/statistics.h"
#include "tropic/tensor.h"
#include "tropic/transform.h"
#include "tropic/types.h"
#include "tropic/verify.h"
