// Entries of a graph that a loop builds: appended to memory of the worker's, which the runtime puts
// together behind the loop.
#include "compile/algorithm/code.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

namespace tropic::compile {

using cpu::AlgorithmRuntime;
using cpu::Frame;
using cpu::RowBuffer;
using cpu::WorkerView;

namespace {

constexpr std::int64_t buffer_field(std::size_t offset) {
    return static_cast<std::int64_t>(offsetof(WorkerView, rows) + offset);
}

} // namespace

void Code::load_rows() {
    b.CreateStore(worker_field(buffer_field(offsetof(RowBuffer, columns)), unit.pointer),
                  rows_.columns);
    b.CreateStore(worker_field(buffer_field(offsetof(RowBuffer, values)), unit.pointer),
                  rows_.values);
    b.CreateStore(worker_field(buffer_field(offsetof(RowBuffer, count)), unit.i64), rows_.count);
    b.CreateStore(worker_field(buffer_field(offsetof(RowBuffer, capacity)), unit.i64),
                  rows_.capacity);
}

void Code::begin_rows() {
    rows_ = {new_cell(unit.pointer, "columns"), new_cell(unit.pointer, "values"),
             new_cell(unit.i64, "count"),       new_cell(unit.i64, "capacity"),
             new_cell(unit.i64, "entries"),     new_cell(unit.i64, "last")};
    load_rows();
}

void Code::begin_row() {
    b.CreateStore(b.getInt64(0), rows_.entries);
    b.CreateStore(b.getInt64(-1), rows_.last);
}

void Code::end_row(alg::VariableId label) {
    llvm::Value* const all =
        b.CreateLoad(unit.pointer, at(b, frame(), offsetof(Frame, built_rows)));
    alg::Expression row;
    row.kind = alg::Expression::Kind::variable;
    row.variable = label;
    row.type = unit.variable(label).type;
    llvm::Value* const place = b.CreateNSWAdd(index(row), b.getInt64(1));
    b.CreateStore(b.CreateTrunc(b.CreateLoad(unit.i64, rows_.entries), unit.index),
                  b.CreateInBoundsGEP(unit.index, all, place));
}

void Code::write_back_rows() {
    b.CreateStore(b.CreateLoad(unit.i64, rows_.count),
                  at(b, worker(), buffer_field(offsetof(RowBuffer, count))));
}

void Code::append_entry(const alg::Statement& s) {
    if (rows_.count == nullptr) unit.refuse(s.place, "no graph is being built here");
    const alg::Type& type = unit.variable(s.variable).type;
    llvm::Value* const column = index(*s.first);
    llvm::Value* const given =
        type.pattern || !s.value ? nullptr : value_as(*s.value, element_of(type));
    when(b.CreateICmpNE(column, b.CreateLoad(unit.i64, rows_.last)), [&] {
        llvm::Value* const before = b.CreateLoad(unit.i64, rows_.count);
        when(b.CreateICmpEQ(before, b.CreateLoad(unit.i64, rows_.capacity)), [&] {
            write_back_rows();
            call_runtime(offsetof(AlgorithmRuntime, more_rows), unit.nothing, {frame(), worker()});
            load_rows();
        });
        llvm::Value* const count = b.CreateLoad(unit.i64, rows_.count);
        unit.mark(b.CreateStore(b.CreateTrunc(column, unit.index),
                                b.CreateInBoundsGEP(
                                    unit.index, b.CreateLoad(unit.pointer, rows_.columns), count)),
                  Memory::list, s.variable);
        if (given != nullptr) {
            store(element_of(type), given,
                  b.CreateInBoundsGEP(unit.stored_type(type),
                                      b.CreateLoad(unit.pointer, rows_.values), count),
                  s.variable, false);
        }
        b.CreateStore(b.CreateAdd(count, b.getInt64(1)), rows_.count);
        b.CreateStore(b.CreateAdd(b.CreateLoad(unit.i64, rows_.entries), b.getInt64(1)),
                      rows_.entries);
        b.CreateStore(column, rows_.last);
    });
}

} // namespace tropic::compile
