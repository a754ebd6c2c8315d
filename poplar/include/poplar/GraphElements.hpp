#pragma once

#include <poplar/ComputeSet.hpp>
#include <poplar/DataStream.hpp>
#include <poplar/HostFunction.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/VertexRef.hpp>
