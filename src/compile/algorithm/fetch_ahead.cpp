// Loops over lists of vertices jump about in memory, where no machine foresees the next place; the
// list does. Asking for what later items need hides most of the way to memory: positions first,
// then the rows they say, then what lies at the ends of these rows.
#include <algorithm>

#include "compile/algorithm/code.h"
#include "language/algorithm/visit.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

namespace tropic::compile {

using cpu::GraphView;
using Kind = alg::Expression::Kind;
using Shape = alg::Type::Shape;

namespace {

// How many items ahead.
constexpr std::int64_t positions_ahead = 24;
constexpr std::int64_t rows_ahead = 16;
constexpr std::int64_t elements_ahead = 8;
/// Vectors whose elements are asked for; more would crowd out each other.
constexpr std::size_t most_vectors = 3;

void fetch(Code& code, llvm::Value* address) {
    // To be read, kept in all caches, data.
    code.b.CreateIntrinsic(llvm::Intrinsic::prefetch, {code.unit.pointer},
                           {address, code.b.getInt32(0), code.b.getInt32(3), code.b.getInt32(1)});
}

/// Asks for an element at an index that may be none: nothing is said about where it lies.
void fetch_element(Code& code, alg::VariableId id, llvm::Value* index) {
    llvm::Value* const where = code.address(id, index);
    if (auto* const step = llvm::dyn_cast<llvm::GetElementPtrInst>(where)) {
        step->setNoWrapFlags(llvm::GEPNoWrapFlags::none());
    }
    fetch(code, where);
}

bool is_read_of(const alg::Expression& e, alg::VariableId id) {
    return e.kind == Kind::variable && e.variable == id;
}

void add(std::vector<alg::VariableId>& list, alg::VariableId id) {
    if (list.size() < most_vectors && std::ranges::find(list, id) == list.end()) list.push_back(id);
}

} // namespace

Code::Ahead Code::ahead_of(const Unit& unit, alg::VariableId label, alg::VariableId graph,
                           bool inward, const std::vector<alg::Statement>& body) {
    Ahead ahead{.graph = graph, .inward = inward, .at_members = {}, .at_neighbours = {}};
    VariableSet neighbours;
    const auto visit_all = [&](const std::function<void(const alg::Expression&)>& visit) {
        for (const alg::Statement& s : body) alg::for_each_expression(s, visit);
    };
    if (graph >= 0) {
        alg::for_each_statement(body, [&](const alg::Statement& s) {
            if (s.kind == alg::Statement::Kind::neighbours && s.graph == graph &&
                s.inward == inward && is_read_of(*s.first, label)) {
                neighbours.insert(s.variable);
            }
        });
        visit_all([&](const alg::Expression& e) {
            if (e.kind != Kind::reduction) return;
            const alg::Reduction& r = *e.reduction;
            if (r.graph == graph && r.inward == inward && r.center && is_read_of(*r.center, label))
                neighbours.insert(r.label);
        });
    }
    visit_all([&](const alg::Expression& e) {
        if (e.kind != Kind::element && e.kind != Kind::improve && e.kind != Kind::swap) return;
        const alg::Variable& variable = unit.variable(e.variable);
        const Shape shape = variable.type.shape;
        if (variable.is_local || (shape != Shape::vector && shape != Shape::sparse)) return;
        const alg::Expression& place = e.operands[0];
        if (place.kind != Kind::variable) return;
        if (place.variable == label) add(ahead.at_members, e.variable);
        else if (neighbours.contains(place.variable)) add(ahead.at_neighbours, e.variable);
    });
    return ahead;
}

void Code::fetch_ahead(llvm::Value* list, llvm::Value* place, llvm::Value* end,
                       const Ahead& ahead) {
    llvm::Value* const last = b.CreateNSWSub(end, b.getInt64(1));
    const auto item = [&](std::int64_t distance) {
        llvm::Value* const later = b.CreateNSWAdd(place, b.getInt64(distance));
        llvm::Value* const there = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, later, last);
        llvm::Value* const loaded =
            b.CreateLoad(unit.index, b.CreateInBoundsGEP(unit.index, list, there));
        return b.CreateSExt(loaded, unit.i64);
    };
    if (!ahead.at_members.empty()) {
        llvm::Value* const member = item(rows_ahead);
        for (const alg::VariableId id : ahead.at_members) fetch_element(*this, id, member);
    }
    if (ahead.graph < 0) return;
    const auto field = [&](std::int64_t in, std::int64_t out) {
        return view_field(ahead.graph, ahead.inward ? in : out, unit.pointer);
    };
    llvm::Value* const pos = field(offsetof(GraphView, in_pos), offsetof(GraphView, out_pos));
    llvm::Value* const crd = field(offsetof(GraphView, in_crd), offsetof(GraphView, out_crd));
    fetch(*this, b.CreateInBoundsGEP(unit.index, pos, item(positions_ahead)));
    llvm::Value* const row = edges_of(ahead.graph, ahead.inward, item(rows_ahead)).begin;
    fetch(*this, b.CreateInBoundsGEP(unit.index, crd, row));
    if (!unit.variable(ahead.graph).type.pattern) {
        llvm::Value* const values =
            field(offsetof(GraphView, in_values), offsetof(GraphView, out_values));
        fetch(*this,
              b.CreateInBoundsGEP(unit.stored_type(unit.variable(ahead.graph).type), values, row));
    }
    if (ahead.at_neighbours.empty()) return;
    // The first and the last neighbour; of a row without any, what stands there is not looked at.
    const Edges edges = edges_of(ahead.graph, ahead.inward, item(elements_ahead));
    llvm::Value* const behind = b.CreateNSWSub(edges.end, b.getInt64(1));
    llvm::Value* const final =
        b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, behind, b.getInt64(0));
    for (llvm::Value* const edge : {edges.begin, final}) {
        llvm::Value* const neighbour = neighbour_at(ahead.graph, ahead.inward, edge);
        for (const alg::VariableId id : ahead.at_neighbours) fetch_element(*this, id, neighbour);
    }
}

} // namespace tropic::compile
