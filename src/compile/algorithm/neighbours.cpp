// Loops over neighbours and members, and asking who is one.
#include "compile/algorithm/claim_together.h"
#include "compile/algorithm/filter.h"
#include "language/algorithm/visit.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"

namespace tropic::compile {

using cpu::GraphView;
using cpu::SetView;
using Shape = alg::Type::Shape;

void Code::bind(alg::VariableId local, llvm::Value* value) {
    b.CreateStore(value, cell(local));
}

void Code::bind_label(alg::VariableId local, llvm::Value* index) {
    const alg::Type& type = unit.variable(local).type;
    labels.insert(local);
    llvm::AllocaInst*& wide = wide_cells_[local];
    if (wide == nullptr) wide = new_cell(unit.i64, "label");
    b.CreateStore(index, wide);
    bind(local, convert(index, scalar_type(ElementType::int64), type));
}

Code::Edges Code::edges_of(alg::VariableId graph, bool inward, llvm::Value* vertex) {
    llvm::Value* const pos = view_field(
        graph, inward ? offsetof(GraphView, in_pos) : offsetof(GraphView, out_pos), unit.pointer);
    const auto position = [&](llvm::Value* number) {
        llvm::LoadInst* const loaded =
            b.CreateLoad(unit.index, b.CreateInBoundsGEP(unit.index, pos, number));
        if (setting.member) unit.mark_constant(loaded);
        return b.CreateSExt(loaded, unit.i64);
    };
    llvm::Value* const begin = position(vertex);
    return {begin, position(b.CreateNSWAdd(vertex, b.getInt64(1)))};
}

llvm::Value* Code::neighbour_at(alg::VariableId graph, bool inward, llvm::Value* place) {
    llvm::Value* const crd = view_field(
        graph, inward ? offsetof(GraphView, in_crd) : offsetof(GraphView, out_crd), unit.pointer);
    llvm::LoadInst* const loaded =
        b.CreateLoad(unit.index, b.CreateInBoundsGEP(unit.index, crd, place));
    if (setting.member) unit.mark_constant(loaded);
    return b.CreateSExt(loaded, unit.i64);
}

void Code::bind_edge(alg::VariableId graph, bool inward, llvm::Value* place, alg::VariableId label,
                     alg::VariableId weight, alg::VariableId edge) {
    const alg::Type wide = scalar_type(ElementType::int64);
    if (label >= 0) {
        bind_label(label, neighbour_at(graph, inward, place));
    }
    if (weight >= 0) {
        const alg::Type& type = unit.variable(weight).type;
        const alg::Type& stored = unit.variable(graph).type;
        if (stored.pattern) {
            bind(weight, convert(b.getInt64(1), wide, type));
        } else {
            llvm::Value* const values = view_field(
                graph, inward ? offsetof(GraphView, in_values) : offsetof(GraphView, out_values),
                unit.pointer);
            llvm::Value* const from = b.CreateInBoundsGEP(unit.stored_type(stored), values, place);
            llvm::Value* const loaded = load(element_of(stored), from, graph, false);
            bind(weight, convert(loaded, element_of(stored), type));
        }
    }
    if (edge >= 0) {
        llvm::Value* number = place;
        if (inward) {
            llvm::Value* const edges =
                view_field(graph, offsetof(GraphView, in_edge), unit.pointer);
            llvm::LoadInst* const loaded =
                b.CreateLoad(unit.index, b.CreateInBoundsGEP(unit.index, edges, place));
            if (setting.member) unit.mark_constant(loaded);
            number = b.CreateSExt(loaded, unit.i64);
        }
        bind_label(edge, number);
    }
}

llvm::Value* Code::first_not_less(const Edges& edges, alg::VariableId graph, bool inward,
                                  llvm::Value* wanted) {
    llvm::AllocaInst* const low = new_cell(unit.i64, "low");
    llvm::AllocaInst* const high = new_cell(unit.i64, "high");
    b.CreateStore(edges.begin, low);
    b.CreateStore(edges.end, high);
    llvm::BasicBlock* const head = block("head");
    llvm::BasicBlock* const inside = block("inside");
    llvm::BasicBlock* const done = block("done");
    go_on_in(head);
    llvm::Value* const first = b.CreateLoad(unit.i64, low);
    llvm::Value* const last = b.CreateLoad(unit.i64, high);
    b.CreateCondBr(b.CreateICmpSLT(first, last), inside, done);
    b.SetInsertPoint(inside);
    llvm::Value* const middle = b.CreateAdd(first, b.CreateLShr(b.CreateSub(last, first), 1));
    llvm::Value* const less = b.CreateICmpSLT(neighbour_at(graph, inward, middle), wanted);
    b.CreateStore(b.CreateSelect(less, b.CreateAdd(middle, b.getInt64(1)), first), low);
    b.CreateStore(b.CreateSelect(less, last, middle), high);
    b.CreateBr(head);
    b.SetInsertPoint(done);
    return first;
}

llvm::Value* Code::edge_between(const alg::Expression& e) {
    const Edges edges = edges_of(e.variable, e.inward, index(e.operands[0]));
    llvm::Value* const wanted = index(e.operands[1]);
    llvm::Value* const first = first_not_less(edges, e.variable, e.inward, wanted);
    llvm::AllocaInst* const found = new_cell(unit.i64, "edge");
    b.CreateStore(b.getInt64(-1), found);
    when(b.CreateICmpSLT(first, edges.end), [&] {
        llvm::Value* const same = b.CreateICmpEQ(neighbour_at(e.variable, e.inward, first), wanted);
        b.CreateStore(b.CreateSelect(same, first, b.getInt64(-1)), found);
    });
    return b.CreateLoad(unit.i64, found);
}

void Code::count_edges(const Edges& edges, bool further) {
    constexpr std::uint64_t guess = 6; // 64 steps for each
    llvm::Value* const count = b.CreateSub(edges.end, edges.begin);
    if (loops_deep_ == 0) {
        edges_outermost_ = true;
        if (further) count_steps(b.CreateShl(count, guess));
    } else if (loops_deep_ > 1 || !edges_outermost_) {
        count_steps(count);
    }
}

namespace {

bool has_folds(const alg::Expression& e) {
    bool found = false;
    alg::for_each_expression(e, [&](const alg::Expression& part) {
        found = found || part.kind == alg::Expression::Kind::reduction;
    });
    return found;
}

bool has_loops(const std::vector<alg::Statement>& body) {
    using Kind = alg::Statement::Kind;
    bool found = false;
    alg::for_each_statement(body, [&](const alg::Statement& s) {
        found = found || s.kind == Kind::neighbours || s.kind == Kind::count ||
                s.kind == Kind::repeat || s.kind == Kind::until || s.kind == Kind::visit;
    });
    for (const alg::Statement& s : body) {
        alg::for_each_expression(s, [&](const alg::Expression& part) {
            found = found || part.kind == alg::Expression::Kind::reduction;
        });
    }
    return found;
}

} // namespace

bool Code::leads_on(const alg::Reduction& r) {
    return has_folds(r.value) || (r.condition && has_folds(*r.condition));
}

void Code::neighbours(const alg::Statement& s) {
    if (postponed_.loop == &s) {
        postpone(s);
        return;
    }
    if (claims_ && claims_->is_of(s)) {
        claims_->collect_row();
        return;
    }
    const Edges edges = edges_of(s.graph, s.inward, index(*s.first));
    count_edges(edges, has_loops(s.body));
    const Ahead behind = setting.member ? rows_behind(s.variable, s.body) : Ahead{};
    const auto one = [&](llvm::Value* place, const Loop& blocks) {
        if (!behind.empty()) fetch_rows_behind(s.graph, s.inward, place, edges.end, behind);
        bind_edge(s.graph, s.inward, place, s.variable, s.weight, s.edge);
        if (is_branch_free(s.body)) {
            for (const alg::Statement& branch : s.body) without_branch(branch);
            return;
        }
        inside_loop(blocks, s.body);
    };
    const auto all = [&] { loop(edges.begin, edges.end, b.getInt64(1), Pace::single, one); };
    const bool along = claims_along(s);
    const auto filter =
        unit.gathers && setting.member && !along ? filter_of(unit, s) : std::optional<EdgeFilter>();
    const auto test = [&](llvm::Value* place, llvm::Value* inside) {
        EdgeGroup group = filter->group;
        group.place = place;
        group.inside = inside;
        return Lanes(*this, std::move(group)).passing(filter->tests);
    };
    const auto further = [&] {
        if (filter) when(is_long(edges), [&] { loop_groups(edges, test, one); }, all);
        else all();
    };
    // Shortest rows first: where there are any, there is little else to do.
    labels.insert(s.variable); // as whoever binds it will
    if (along) claim_short(s, edges, [&] { claim_along(s, edges); });
    else if (claims_once(s.body)) claim_short(s, edges, further);
    else if (adds_up(s)) add_up_short(s, edges, [&] { loop_asking_ahead(s, edges, one); });
    else further();
}

llvm::Value* Code::bits_of(alg::VariableId id) {
    if (const Workspace* const own = workspace_of(id)) return own->bits;
    return view_field(id, offsetof(SetView, bits), unit.pointer);
}

llvm::Value* Code::is_member(alg::VariableId id, llvm::Value* index) {
    if (unit.variable(id).type.shape == Shape::marks) {
        llvm::LoadInst* const mark =
            b.CreateLoad(unit.i8, b.CreateInBoundsGEP(unit.i8, marks_.at(id), index));
        unit.mark(mark, Memory::bits, id);
        mark->setMetadata(llvm::LLVMContext::MD_range,
                          llvm::MDBuilder(unit.context).createRange(b.getInt8(0), b.getInt8(2)));
        return b.CreateICmpNE(mark, b.getInt8(0));
    }
    llvm::Value* const bits = bits_of(id);
    llvm::Value* const number = b.CreateLShr(index, 6);
    llvm::LoadInst* const word =
        b.CreateLoad(unit.i64, b.CreateInBoundsGEP(unit.i64, bits, number));
    unit.mark(word, Memory::bits, id);
    if (setting.atomic && setting.inserts.contains(id)) {
        word->setAtomic(llvm::AtomicOrdering::Monotonic);
    }
    llvm::Value* const shifted = b.CreateLShr(word, b.CreateAnd(index, b.getInt64(63)));
    return b.CreateTrunc(shifted, unit.i1);
}

void Code::loop_members(alg::VariableId set,
                        const std::function<void(llvm::Value*, const Loop&)>& body) {
    if (const Workspace* const own = workspace_of(set)) {
        count_steps(b.CreateLoad(unit.i64, own->count));
        loop_workspace(*own, body);
        return;
    }
    llvm::Value* const size = view_field(set, offsetof(SetView, size), unit.i64);
    count_steps(size);
    loop_bits(set, true, b.getInt64(0), size, body);
}

void Code::loop_bits(alg::VariableId set, bool members, llvm::Value* begin, llvm::Value* end,
                     const std::function<void(llvm::Value*, const Loop&)>& body) {
    llvm::Value* const bits = view_field(set, offsetof(SetView, bits), unit.pointer);
    llvm::Value* const first = b.CreateLShr(begin, 6);
    llvm::Value* const words = b.CreateLShr(b.CreateAdd(end, b.getInt64(63)), 6);
    llvm::AllocaInst* const rest = new_cell(unit.i64, "rest");
    llvm::BasicBlock* const done = block("done");
    loop(first, words, b.getInt64(1), Pace::single, [&](llvm::Value* number, const Loop& outer) {
        llvm::LoadInst* const word =
            b.CreateLoad(unit.i64, b.CreateInBoundsGEP(unit.i64, bits, number));
        unit.mark(word, Memory::bits, set);
        llvm::Value* wanted = word;
        if (!members) {
            // Bits behind the end are 0 and must not become members.
            llvm::Value* const left = b.CreateSub(end, b.CreateShl(number, 6));
            llvm::Value* const kept = b.CreateLShr(
                b.getInt64(-1), b.CreateSelect(b.CreateICmpSLT(left, b.getInt64(64)),
                                               b.CreateSub(b.getInt64(64), left), b.getInt64(0)));
            wanted = b.CreateAnd(b.CreateNot(word), kept);
        }
        b.CreateStore(wanted, rest);
        each_bit(rest, {outer.next, done}, [&](llvm::Value* bit, const Loop& blocks) {
            body(b.CreateAdd(b.CreateShl(number, 6), bit), blocks);
        });
    });
    go_on_in(done);
}

void Code::marks(const alg::Statement& s) {
    if (!setting.member) unit.refuse(s.place, "`with` stands only inside `each`");
    // A byte for every vertex, in memory of the worker's that is zero but while it is used: half
    // the instructions of bits for each neighbour that is looked up.
    llvm::Value*& bytes = marks_[s.variable];
    if (bytes == nullptr) {
        const std::int64_t size =
            s.inward ? offsetof(GraphView, rows) : offsetof(GraphView, columns);
        bytes = worker_memory(4L * s.variable, view_field(s.graph, size, unit.i64));
    }
    llvm::Value* const map = bytes;
    const Edges edges = edges_of(s.graph, s.inward, index(*s.first));
    const auto set_all = [=, this, &s](bool mark) {
        loop(edges.begin, edges.end, b.getInt64(1), Pace::single,
             [&](llvm::Value* place, const Loop&) {
                 llvm::Value* const j = neighbour_at(s.graph, s.inward, place);
                 unit.mark(
                     b.CreateStore(b.getInt8(mark ? 1 : 0), b.CreateInBoundsGEP(unit.i8, map, j)),
                     Memory::bits, s.variable);
             });
    };
    set_all(true);
    const auto unmark = [=] { set_all(false); };
    cleanups_.emplace_back(unmark);
    statements(s.body);
    cleanups_.pop_back();
    if (is_open()) unmark();
}

} // namespace tropic::compile
