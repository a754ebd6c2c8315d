// What can be computed for several elements at a time.
#pragma once

#include "ir/ga.h"

namespace tropic::compile {

/// Of the vectors that entries are taken together in.
inline constexpr unsigned vector_bits = 512;

inline bool has_lane_type(mlir::Type element) {
    const unsigned bits = element.getIntOrFloatBitWidth();
    return bits == 32 || bits == 64;
}

inline bool has_lane_operation(ga::Operator op, mlir::Type element) {
    switch (op) {
    case ga::Operator::add:
    case ga::Operator::subtract:
    case ga::Operator::multiply:
    case ga::Operator::minimum:
    case ga::Operator::maximum:
    case ga::Operator::first:
    case ga::Operator::second:
    case ga::Operator::any:
    case ga::Operator::pair:
        return true;
    case ga::Operator::divide:
        return mlir::isa<mlir::FloatType>(element);
    case ga::Operator::logical_or:
    case ga::Operator::logical_and:
        break;
    }
    return false;
}

} // namespace tropic::compile
