#pragma once

#include <poplar/Graph.hpp>
