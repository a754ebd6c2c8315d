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

/// Farther is better while others keep memory busy; but what is asked for behind the end of a list
/// is asked for in vain, and the fronts of roads and meshes are short.
constexpr Code::Distances of_lists{cpu::list_room, 40, 20};
/// Of lists that several threads share: pieces are shorter, and each begins by asking.
constexpr Code::Distances of_pieces{32, 16, 8};
static_assert(of_pieces.positions <= cpu::list_room);
/// Members of buckets, which do more at each edge, need not look as far.
constexpr Code::Distances of_buckets{16, 8, 4};
/// The same for rows of a row's neighbours, which take longer to go through.
constexpr std::int64_t behind_ahead = 4;
/// Where vertices are looked at in their order and write elements that other threads have read.
constexpr std::int64_t writes_ahead = 64;
/// Edges between asking for what lies at the end of one and going along it.
constexpr std::int64_t edges_ahead = 128;
/// Of a row whose ends several threads write.
constexpr std::int64_t most_ends = 64;
/// Of a row; the machine foresees the rest of a long one.
constexpr std::int64_t most_lines = 8;
constexpr std::int64_t line_bytes = 64;
constexpr std::int64_t few_entries = 4;
/// Vectors whose elements are asked for; more would crowd out each other.
constexpr std::size_t most_vectors = 3;

/// Of an element at an index that may be none: nothing is said about where it lies.
llvm::Value* any_address(Code& code, alg::VariableId id, llvm::Value* index) {
    llvm::Value* const where = code.address(id, index);
    if (auto* const step = llvm::dyn_cast<llvm::GetElementPtrInst>(where)) {
        step->setNoWrapFlags(llvm::GEPNoWrapFlags::none());
    }
    return where;
}

void fetch_element(Code& code, alg::VariableId id, llvm::Value* index, bool to_write = false) {
    code.fetch(any_address(code, id, index), to_write);
}

bool is_read_of(const alg::Expression& e, alg::VariableId id) {
    return e.kind == Kind::variable && e.variable == id;
}

void add(std::vector<alg::VariableId>& list, alg::VariableId id) {
    if (list.size() < most_vectors && std::ranges::find(list, id) == list.end()) list.push_back(id);
}

} // namespace

void Code::fetch(llvm::Value* address, bool to_write) {
    constexpr int nearest_cache = 3;
    constexpr int data = 1; // not code
    b.CreateIntrinsic(
        llvm::Intrinsic::prefetch, {unit.pointer},
        {address, b.getInt32(to_write ? 1 : 0), b.getInt32(nearest_cache), b.getInt32(data)});
}

Code::Ahead Code::ahead_of(const Unit& unit, alg::VariableId label, alg::VariableId graph,
                           bool inward, const std::vector<alg::Statement>& body) {
    Ahead ahead{
        .graph = graph, .inward = inward, .at_members = {}, .at_neighbours = {}, .written = {}};
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
    // Few edges offer what is less, or more, than what is there.
    const auto seldom = [](alg::Operation operation) {
        return operation == alg::Operation::minimum || operation == alg::Operation::maximum;
    };
    const auto note_write = [&](const alg::Expression& target, alg::Operation operation) {
        const alg::Expression& place = target.operands[0];
        const bool there = place.kind == Kind::variable && neighbours.contains(place.variable);
        if (there && !seldom(operation)) ahead.written.insert(target.variable);
    };
    alg::for_each_statement(body, [&](const alg::Statement& s) {
        if (s.kind == alg::Statement::Kind::element) note_write(*s.target, s.operation);
    });
    visit_all([&](const alg::Expression& e) {
        if (e.kind == Kind::improve) note_write(e, e.monoid->operation);
    });
    return ahead;
}

llvm::Value* Code::item_of(llvm::Value* list, llvm::Value* place) {
    llvm::Value* const loaded =
        b.CreateLoad(unit.index, b.CreateInBoundsGEP(unit.index, list, place));
    return b.CreateSExt(loaded, unit.i64);
}

void Code::fetch_position(const Ahead& ahead, llvm::Value* item) {
    for (const alg::VariableId id : ahead.at_members) fetch_element(*this, id, item);
    if (ahead.graph < 0) return;
    llvm::Value* const pos = view_field(
        ahead.graph, ahead.inward ? offsetof(GraphView, in_pos) : offsetof(GraphView, out_pos),
        unit.pointer);
    fetch(b.CreateInBoundsGEP(unit.index, pos, item));
}

void Code::fetch_ahead(const Ahead& ahead, const Distances& far,
                       const std::function<llvm::Value*(std::int64_t)>& item) {
    llvm::Value* const last = item(far.positions);
    fetch_position(ahead, last);
    if (ahead.graph < 0) return;
    llvm::Value* const later = item(far.rows);
    fetch_row(ahead, edges_of(ahead.graph, ahead.inward, later));
    if (!ahead.at_neighbours.empty() && claims_ == nullptr) {
        fetch_ends(ahead, edges_of(ahead.graph, ahead.inward, item(far.elements)));
    }
    fetch_beside(ahead, last, later);
}

void Code::fetch_beside(const Ahead& ahead, llvm::Value* later, llvm::Value* item) {
    llvm::Value* const nearby = view_field(ahead.graph, offsetof(GraphView, nearby), unit.i64);
    const auto fetch_sides = [&](llvm::Value* where) {
        fetch(b.CreateGEP(unit.i8, where, b.CreateNeg(nearby)));
        fetch(b.CreateGEP(unit.i8, where, nearby));
    };
    when(b.CreateICmpNE(nearby, b.getInt64(0)), [&] {
        llvm::Value* const pos = view_field(
            ahead.graph, ahead.inward ? offsetof(GraphView, in_pos) : offsetof(GraphView, out_pos),
            unit.pointer);
        fetch_sides(b.CreateGEP(unit.index, pos, later));
        llvm::Value* const row = edges_of(ahead.graph, ahead.inward, item).begin;
        for (const RowPart& part : row_parts(ahead)) {
            fetch_sides(b.CreateGEP(part.type, part.data, row));
        }
        for (const alg::VariableId id : ahead.at_neighbours) {
            fetch_sides(any_address(*this, id, item));
        }
    });
}

Code::Distances Code::distances() const {
    return setting.atomic ? of_pieces : of_lists;
}

void Code::fetch_ahead(llvm::Value* list, llvm::Value* place, const Ahead& ahead) {
    fetch_ahead(ahead, distances(), [&](std::int64_t distance) {
        return item_of(list, b.CreateNSWAdd(place, b.getInt64(distance)));
    });
}

void Code::fetch_ahead_in_bucket(llvm::Value* list, llvm::Value* place, llvm::Value* end,
                                 const Ahead& ahead) {
    llvm::Value* const last = b.CreateNSWSub(end, b.getInt64(1));
    fetch_ahead(ahead, of_buckets, [&](std::int64_t distance) {
        llvm::Value* const later = b.CreateNSWAdd(place, b.getInt64(distance));
        return item_of(list, b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, later, last));
    });
}

void Code::fetch_first(llvm::Value* list, llvm::Value* begin, llvm::Value* end,
                       const Ahead& ahead) {
    const auto first = [&](std::int64_t distance, const std::function<void(llvm::Value*)>& ask) {
        llvm::Value* const some = b.CreateNSWAdd(begin, b.getInt64(distance));
        loop(begin, b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, some, end), b.getInt64(1),
             Pace::single, [&](llvm::Value* place, const Loop&) { ask(item_of(list, place)); });
    };
    const Distances far = distances();
    first(far.positions, [&](llvm::Value* item) { fetch_position(ahead, item); });
    if (ahead.graph < 0) return;
    first(far.rows,
          [&](llvm::Value* item) { fetch_row(ahead, edges_of(ahead.graph, ahead.inward, item)); });
    if (ahead.at_neighbours.empty()) return;
    first(far.elements,
          [&](llvm::Value* item) { fetch_ends(ahead, edges_of(ahead.graph, ahead.inward, item)); });
}

void Code::fetch_ends(const Ahead& ahead, const Edges& edges) {
    // The first and the last neighbour; of a row without any, what stands there is not looked at.
    llvm::Value* const behind = b.CreateNSWSub(edges.end, b.getInt64(1));
    llvm::Value* const final =
        b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, behind, b.getInt64(0));
    for (llvm::Value* const edge : {edges.begin, final}) {
        llvm::Value* const neighbour = neighbour_at(ahead.graph, ahead.inward, edge);
        for (const alg::VariableId id : ahead.at_neighbours) fetch_element(*this, id, neighbour);
    }
    if (!setting.atomic || ahead.written.empty()) return;
    // Fronts whose rows are short stay together, and take too much from each other.
    when(b.CreateICmpSGT(b.CreateNSWSub(edges.end, edges.begin), b.getInt64(few_entries)), [&] {
        llvm::Value* const some = b.CreateNSWAdd(edges.begin, b.getInt64(most_ends));
        llvm::Value* const end = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, edges.end, some);
        fetch_to_write(ahead.graph, ahead.inward, {edges.begin, end},
                       {ahead.written.begin(), ahead.written.end()});
    });
}

void Code::fetch_to_write(alg::VariableId graph, bool inward, const Edges& edges,
                          const std::vector<alg::VariableId>& vectors) {
    loop(edges.begin, edges.end, b.getInt64(1), Pace::single, [&](llvm::Value* edge, const Loop&) {
        llvm::Value* const neighbour = neighbour_at(graph, inward, edge);
        for (const alg::VariableId id : vectors) fetch_element(*this, id, neighbour, true);
    });
}

std::vector<Code::RowPart> Code::row_parts(const Ahead& ahead) {
    const auto field = [&](std::int64_t in, std::int64_t out) {
        return view_field(ahead.graph, ahead.inward ? in : out, unit.pointer);
    };
    const std::int64_t index_bytes = unit.wide ? 8 : 4;
    std::vector<RowPart> parts = {{field(offsetof(GraphView, in_crd), offsetof(GraphView, out_crd)),
                                   unit.index, index_bytes}};
    const alg::Type& type = unit.variable(ahead.graph).type;
    if (!type.pattern) {
        parts.push_back({field(offsetof(GraphView, in_values), offsetof(GraphView, out_values)),
                         unit.stored_type(type), unit.bytes_of(element_of(type))});
    }
    return parts;
}

void Code::fetch_row(const Ahead& ahead, const Edges& edges) {
    const std::vector<RowPart> parts = row_parts(ahead);
    // A step goes a line on in the widest of them.
    std::int64_t widest = 1;
    for (const RowPart& part : parts) widest = std::max(widest, part.bytes);
    const std::int64_t step = line_bytes / widest;
    const auto fetch_at = [&](llvm::Value* at) {
        for (const RowPart& part : parts) fetch(b.CreateGEP(part.type, part.data, at));
    };
    fetch_at(edges.begin);
    // A row need not begin where a line does: its last entry may be on one more, but of a row of a
    // few it hardly ever is.
    when(b.CreateICmpSGT(b.CreateNSWSub(edges.end, edges.begin), b.getInt64(few_entries)), [&] {
        llvm::Value* const most = b.CreateNSWAdd(edges.begin, b.getInt64(step * most_lines));
        llvm::Value* const end = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, edges.end, most);
        fetch_at(b.CreateNSWSub(end, b.getInt64(1)));
        loop(b.CreateNSWAdd(edges.begin, b.getInt64(step)), end, b.getInt64(step), Pace::single,
             [&](llvm::Value* at, const Loop&) { fetch_at(at); });
    });
}

void Code::fetch_row_of(alg::VariableId graph, bool inward, llvm::Value* vertex) {
    llvm::Value* const crd = view_field(
        graph, inward ? offsetof(GraphView, in_crd) : offsetof(GraphView, out_crd), unit.pointer);
    fetch(b.CreateGEP(unit.index, crd, edges_of(graph, inward, vertex).begin));
}

void Code::fetch_to_write(const Uses& uses, llvm::Value* vertex) {
    for (const alg::VariableId id : uses.written_own) {
        if (!uses.read_shared.contains(id)) continue;
        fetch_element(*this, id, b.CreateNSWAdd(vertex, b.getInt64(writes_ahead)), true);
    }
}

void Code::loop_asking_ahead(const alg::Statement& s, const Edges& edges,
                             const std::function<void(llvm::Value*, const Loop&)>& one) {
    const auto plain = [&] { loop(edges.begin, edges.end, b.getInt64(1), Pace::single, one); };
    const Ahead ends = ahead_of(unit, s.variable, -1, s.inward, s.body);
    // Edges of other rows, mostly, which come next only where all rows are gone through in order.
    if (ends.at_members.empty() || !is_read_of(*s.first, setting.range_label)) {
        plain();
        return;
    }
    llvm::Value* const entries = view_field(s.graph, offsetof(cpu::GraphView, entries), unit.i64);
    const auto ahead_of_place = [&](llvm::Value* place) {
        return b.CreateNSWAdd(place, b.getInt64(edges_ahead));
    };
    const auto asking = [&](llvm::Value* place, const Loop& blocks) {
        llvm::Value* const end = neighbour_at(s.graph, s.inward, ahead_of_place(place));
        for (const alg::VariableId id : ends.at_members) fetch_element(*this, id, end);
        one(place, blocks);
    };
    when(
        b.CreateICmpSLE(ahead_of_place(edges.end), entries),
        [&] { loop(edges.begin, edges.end, b.getInt64(1), Pace::single, asking); }, plain);
}

Code::Ahead Code::rows_behind(alg::VariableId label, const std::vector<alg::Statement>& body) {
    Ahead ahead;
    for (const alg::Statement& s : body) {
        alg::for_each_expression(s, [&](const alg::Expression& e) {
            if (ahead.graph >= 0 || e.kind != Kind::reduction) return;
            const alg::Reduction& r = *e.reduction;
            if (r.graph < 0 || !r.center || !is_read_of(*r.center, label)) return;
            ahead.graph = r.graph;
            ahead.inward = r.inward;
        });
    }
    alg::for_each_statement(body, [&](const alg::Statement& s) {
        if (ahead.graph >= 0 || s.kind != alg::Statement::Kind::neighbours) return;
        if (!is_read_of(*s.first, label)) return;
        ahead.graph = s.graph;
        ahead.inward = s.inward;
    });
    return ahead;
}

void Code::fetch_rows_behind(alg::VariableId graph, bool inward, llvm::Value* place,
                             llvm::Value* end, const Ahead& ahead) {
    llvm::Value* const last = b.CreateNSWSub(end, b.getInt64(1));
    const auto neighbour = [&](std::int64_t distance) {
        llvm::Value* const later = b.CreateNSWAdd(place, b.getInt64(distance));
        return neighbour_at(graph, inward,
                            b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, later, last));
    };
    llvm::Value* const pos = view_field(
        ahead.graph, ahead.inward ? offsetof(GraphView, in_pos) : offsetof(GraphView, out_pos),
        unit.pointer);
    llvm::Value* const crd = view_field(
        ahead.graph, ahead.inward ? offsetof(GraphView, in_crd) : offsetof(GraphView, out_crd),
        unit.pointer);
    fetch(b.CreateInBoundsGEP(unit.index, pos, neighbour(2 * behind_ahead)));
    llvm::Value* const row = edges_of(ahead.graph, ahead.inward, neighbour(behind_ahead)).begin;
    fetch(b.CreateInBoundsGEP(unit.index, crd, row));
    fetch(b.CreateGEP(unit.index, crd, b.CreateNSWAdd(row, b.getInt64(16))));
}

} // namespace tropic::compile
