// Programs as trees: what the tiles do, in what order. Nodes never change once they are part of a
// program, so that programs may share them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "machines/tile/tensor.h"

namespace tropic::tile {

enum class ProgramKind : std::uint8_t {
    sequence,     ///< children
    execute,      ///< target: compute set; tensors: none, or whether all vertices returned true
    copy,         ///< tensors: from, to
    stream_in,    ///< target: stream; tensors: to
    stream_out,   ///< target: stream; tensors: from
    remote_in,    ///< target: remote buffer; tensors: to, offsets
    remote_out,   ///< target: remote buffer; tensors: from, offsets
    repeat,       ///< count; children: body
    while_true,   ///< tensors: predicate; children: condition, body
    while_false,  ///< the same
    branch,       ///< tensors: predicate; children: true, false
    choose,       ///< tensors: control; children: default, cases
    call,         ///< target: function
    host_call,    ///< target: host function; tensors: inputs, then outputs; count: inputs
    assign,       ///< tensors: to; values: one element or all
    undefine,     ///< tensors: what holds nothing from here on
    sync,         ///< count: 1 if global
    print,        ///< tensors: what; name: title
    abort,        ///< message
    abort_if,     ///< tensors: predicate; message
    count_cycles, ///< tensors: two words; children: body
    cycle_stamp,  ///< tensors: two words
};

/// How a tensor is printed.
struct PrintFormat {
    std::uint32_t summarise_threshold = 1000;
    std::uint32_t edge_items = 3;
    std::uint32_t line_width = 75;
    std::uint32_t digits = 4;
    std::uint8_t float_format = 0; ///< automatic, fixed, scientific, none
    char separator = ',';
    char open = '[';
    char close = ']';
};

struct Program {
    ProgramKind kind = ProgramKind::sequence;
    std::string name;
    std::uint32_t target = 0;
    std::uint64_t count = 0;
    std::vector<std::shared_ptr<const Program>> children;
    std::vector<Tensor> tensors;
    std::vector<std::byte> values;
    std::vector<std::int64_t> cases; ///< of choose: the value of each child but the first
    bool bounds_checked = false;     ///< of choose: a value without a case is an error
    std::string message;
    PrintFormat format;
};

using ProgramPtr = std::shared_ptr<const Program>;

} // namespace tropic::tile
