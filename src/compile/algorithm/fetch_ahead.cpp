// Loops over lists of vertices jump about in memory, where no machine foresees the next place; the
// list does. Asking for the rows of later items hides most of the way to memory: positions
// first, then the rows they say, then what lies at the ends of these rows.
#include "compile/algorithm/code.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

#include "llvm/IR/Intrinsics.h"

namespace tropic::compile {

using cpu::GraphView;

namespace {

// How many items ahead.
constexpr std::int64_t positions_ahead = 16;
constexpr std::int64_t rows_ahead = 8;
constexpr std::int64_t elements_ahead = 4;

void fetch(Code& code, llvm::Value* address) {
    // To be read, kept in all caches, data.
    code.b.CreateIntrinsic(llvm::Intrinsic::prefetch, {code.unit.pointer},
                           {address, code.b.getInt32(0), code.b.getInt32(3), code.b.getInt32(1)});
}

} // namespace

void Code::fetch_ahead(llvm::Value* list, llvm::Value* place, llvm::Value* end,
                       alg::VariableId graph, bool inward, alg::VariableId gathered) {
    const auto field = [&](std::int64_t in, std::int64_t out) {
        return view_field(graph, inward ? in : out, unit.pointer);
    };
    llvm::Value* const pos = field(offsetof(GraphView, in_pos), offsetof(GraphView, out_pos));
    llvm::Value* const crd = field(offsetof(GraphView, in_crd), offsetof(GraphView, out_crd));
    llvm::Value* const last = b.CreateNSWSub(end, b.getInt64(1));
    const auto item = [&](std::int64_t ahead) {
        llvm::Value* const later = b.CreateNSWAdd(place, b.getInt64(ahead));
        llvm::Value* const there = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, later, last);
        llvm::Value* const loaded =
            b.CreateLoad(unit.index, b.CreateInBoundsGEP(unit.index, list, there));
        return b.CreateSExt(loaded, unit.i64);
    };
    fetch(*this, b.CreateInBoundsGEP(unit.index, pos, item(positions_ahead)));
    llvm::Value* const row = edges_of(graph, inward, item(rows_ahead)).begin;
    fetch(*this, b.CreateInBoundsGEP(unit.index, crd, row));
    if (!unit.variable(graph).type.pattern) {
        llvm::Value* const values =
            field(offsetof(GraphView, in_values), offsetof(GraphView, out_values));
        fetch(*this, b.CreateInBoundsGEP(unit.stored_type(unit.variable(graph).type), values, row));
    }
    if (gathered < 0) return;
    // The first and the last neighbour; of a row without any, what stands there is not looked at.
    const Edges edges = edges_of(graph, inward, item(elements_ahead));
    llvm::Value* const behind = b.CreateNSWSub(edges.end, b.getInt64(1));
    llvm::Value* const final =
        b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, behind, b.getInt64(0));
    for (llvm::Value* const edge : {edges.begin, final}) {
        llvm::Value* const neighbour = neighbour_at(graph, inward, edge);
        fetch(*this,
              b.CreateGEP(unit.stored_type(element_of(unit.variable(gathered).type)),
                          view_field(gathered, offsetof(cpu::VectorView, data), unit.pointer),
                          neighbour));
    }
}

} // namespace tropic::compile
