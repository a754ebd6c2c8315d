// Claims of the ends of many rows' edges, made together, where a claim gives an element the index
// of the member who claims it. Edges are only collected at first. Then all ends that are free are
// found, by vectors where there are any; all these are claimed, the last who does so wins; and who
// has won is looked up. Elements that are read right behind others that are written wait for these
// on some processors, though they hardly ever are the same: all that is read is read before
// anything is written. And nobody has to guess how many edges a row has.
#include <numeric>

#include "compile/algorithm/body.h"
#include "compile/algorithm/lanes.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

#include "llvm/IR/Intrinsics.h"

namespace tropic::compile {

using Kind = alg::Statement::Kind;

namespace {

/// Edges whose ends are claimed together: few enough to stay in the nearest cache.
constexpr std::int64_t together = 1024;
/// Edges of a row between two looks at how many there are.
constexpr std::int64_t stretch = 256;

} // namespace

bool Code::begin_collecting(const std::vector<alg::Statement>& body) {
    if (body.size() != 1 || body[0].kind != Kind::neighbours) return false;
    const alg::Statement& s = body[0];
    if (!is_label(*s.first, setting.member_label)) return false;
    labels.insert({setting.member_label, s.variable}); // as whoever binds them will
    const std::optional<MemberClaim> claim =
        claims_along(s) ? member_claim(s.body[0]) : std::nullopt;
    if (!claim) return false;
    // Vectors are written as a whole.
    const auto room = static_cast<std::uint64_t>(together + stretch + Lanes::count(unit));
    llvm::Type* const numbers = llvm::ArrayType::get(unit.index, room);
    llvm::Type* const list = llvm::StructType::get(unit.context, {numbers, numbers});
    collected_ = {.loop = &s,
                  .list = list,
                  .edges = new_cell(list, "collected"),
                  .count = new_cell(unit.i64, "collected_count"),
                  .claim = new_body(unit, "claims")};
    // The loop that collects has all registers to itself then.
    collected_.claim->addFnAttr(llvm::Attribute::NoInline);
    Code code(unit, collected_.claim, setting);
    code.collected_ = collected_;
    code.collected_.edges = code.argument(5);
    code.labels = labels;
    code.write_claims();
    b.CreateStore(b.getInt64(0), collected_.count);
    if (setting.atomic) claimed_[claim->set] = claim->vector;
    else list_only_.insert(claim->set);
    return true;
}

llvm::Value* Code::collected_end(llvm::Value* number) {
    return b.CreateInBoundsGEP(collected_.list, collected_.edges,
                               {b.getInt64(0), b.getInt32(0), number});
}

llvm::Value* Code::collected_member(llvm::Value* number) {
    return b.CreateInBoundsGEP(collected_.list, collected_.edges,
                               {b.getInt64(0), b.getInt32(1), number});
}

/// There is something behind the last edge of a graph and the last that is collected: vectors need
/// not end where rows do.
void Code::collect_part(const Edges& part) {
    const alg::Statement& s = *collected_.loop;
    const auto lanes = static_cast<unsigned>(Lanes::count(unit));
    const llvm::Align alignment = unit.index_alignment();
    llvm::Value* const crd = view_field(
        s.graph, s.inward ? offsetof(cpu::GraphView, in_crd) : offsetof(cpu::GraphView, out_crd),
        unit.pointer);
    llvm::Value* const member = b.CreateTrunc(index(*s.first), unit.index);
    llvm::Value* const before = b.CreateLoad(unit.i64, collected_.count);
    const auto copy = [&](llvm::Value* place, unsigned some) {
        llvm::Value* const to = b.CreateNSWAdd(before, b.CreateNSWSub(place, part.begin));
        llvm::Value* const ends =
            b.CreateAlignedLoad(llvm::FixedVectorType::get(unit.index, some),
                                b.CreateInBoundsGEP(unit.index, crd, place), alignment);
        b.CreateAlignedStore(ends, collected_end(to), alignment);
        b.CreateAlignedStore(b.CreateVectorSplat(some, member), collected_member(to), alignment);
    };
    // Most rows of roads and meshes fit into half a vector.
    const unsigned half = lanes / 2;
    copy(part.begin, half);
    loop(b.CreateNSWAdd(part.begin, b.getInt64(half)), part.end, b.getInt64(lanes), Pace::single,
         [&](llvm::Value* place, const Loop&) { copy(place, lanes); });
    b.CreateStore(b.CreateNSWAdd(before, b.CreateNSWSub(part.end, part.begin)), collected_.count);
    when(b.CreateICmpSGE(b.CreateLoad(unit.i64, collected_.count), b.getInt64(together)),
         [&] { claim_collected(); });
}

void Code::collect_row(const alg::Statement& s) {
    const Edges edges = edges_of(s.graph, s.inward, index(*s.first));
    count_edges(edges, false);
    llvm::Value* const many =
        b.CreateICmpSGT(b.CreateNSWSub(edges.end, edges.begin), b.getInt64(stretch));
    const auto in_stretches = [&] {
        loop(edges.begin, edges.end, b.getInt64(stretch), Pace::single,
             [&](llvm::Value* first, const Loop&) {
                 collect_part(
                     {first, b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, edges.end,
                                                     b.CreateNSWAdd(first, b.getInt64(stretch)))});
             });
    };
    when(many, in_stretches, [&] { collect_part(edges); });
}

void Code::claim_collected() {
    if (collected_.loop == nullptr) return;
    write_back_appenders();
    b.CreateCall(collected_.claim, {frame(), worker(), argument(2), b.getInt64(0),
                                    b.CreateLoad(unit.i64, collected_.count), collected_.edges});
    read_appenders();
    b.CreateStore(b.getInt64(0), collected_.count);
}

void Code::write_claims() {
    const MemberClaim claim = *member_claim(collected_.loop->body[0]);
    const Edges found = {b.getInt64(0), find_free(claim)};
    loop(found.begin, found.end, b.getInt64(1), Pace::single, [&](llvm::Value* k, const Loop&) {
        const CollectedEdge edge = collected_edge(k);
        store_element(claim.vector, edge.end, edge.member);
        // Who has won against other threads is known when all are done.
        if (!setting.atomic) return;
        append(claim.set, setting.inserts.at(claim.set), edge.end, b.getInt64(1), edge.member);
    });
    if (!setting.atomic) append_winners(claim, found);
    write_back_appenders();
    b.CreateRetVoid();
    end_prologue();
}

/// A row may have an edge twice, which must not be claimed twice.
llvm::Value* Code::find_free(const MemberClaim& claim) {
    const Edges all = {b.getInt64(0), argument(4)};
    llvm::Value* const free = value_as(claim.free, element_of(unit.variable(claim.vector).type));
    llvm::AllocaInst* const found = new_cell(unit.i64, "found");
    b.CreateStore(all.begin, found);
    const auto keep = [&](llvm::Value* more) {
        b.CreateStore(b.CreateNSWAdd(b.CreateLoad(unit.i64, found), more), found);
    };
    if (!unit.gathers) {
        llvm::AllocaInst* const previous = new_cell(unit.i64, "previous");
        b.CreateStore(b.getInt64(-1), previous);
        loop(all.begin, all.end, b.getInt64(1), Pace::single, [&](llvm::Value* k, const Loop&) {
            const CollectedEdge edge = collected_edge(k);
            llvm::Value* const other = b.CreateICmpNE(edge.end, b.CreateLoad(unit.i64, previous));
            b.CreateStore(edge.end, previous);
            llvm::Value* const is_free = b.CreateICmpEQ(load_element(claim.vector, edge.end), free);
            llvm::Value* const to = b.CreateLoad(unit.i64, found);
            b.CreateStore(b.CreateTrunc(edge.end, unit.index), collected_end(to));
            b.CreateStore(edge.member, collected_member(to));
            keep(b.CreateZExt(b.CreateAnd(other, is_free), unit.i64));
        });
        return b.CreateLoad(unit.i64, found);
    }
    const int lanes = Lanes::count(unit);
    auto* const indices = llvm::FixedVectorType::get(unit.index, static_cast<unsigned>(lanes));
    llvm::Value* const all_free = b.CreateVectorSplat(static_cast<unsigned>(lanes), free);
    llvm::AllocaInst* const previous = new_cell(indices, "previous");
    b.CreateStore(llvm::Constant::getAllOnesValue(indices), previous);
    llvm::SmallVector<int> one_before(static_cast<std::size_t>(lanes));
    std::iota(one_before.begin(), one_before.end(), lanes - 1);
    loop(all.begin, all.end, b.getInt64(lanes), Pace::single, [&](llvm::Value* first, const Loop&) {
        llvm::Value* const inside = lanes_inside(all, first);
        const CollectedEdge edges = collected_edges(first);
        llvm::Value* const before =
            b.CreateShuffleVector(b.CreateLoad(indices, previous), edges.end, one_before);
        b.CreateStore(edges.end, previous);
        llvm::Value* const other = b.CreateICmpNE(edges.end, before);
        llvm::Value* const is_free =
            b.CreateICmpEQ(load_elements(claim.vector, edges.end, inside), all_free);
        llvm::Value* const chosen = b.CreateLogicalAnd(inside, b.CreateAnd(other, is_free));
        llvm::Value* const to = b.CreateLoad(unit.i64, found);
        pack(edges.end, chosen, collected_end(to));
        pack(edges.member, chosen, collected_member(to));
        keep(how_many(chosen));
    });
    return b.CreateLoad(unit.i64, found);
}

void Code::append_winners(const MemberClaim& claim, const Edges& found) {
    const Setting::Insert& how = setting.inserts.at(claim.set);
    if (!unit.gathers) {
        loop(found.begin, found.end, b.getInt64(1), Pace::single, [&](llvm::Value* k, const Loop&) {
            const CollectedEdge edge = collected_edge(k);
            llvm::Value* const own =
                b.CreateICmpEQ(load_element(claim.vector, edge.end), edge.member);
            append(claim.set, how, edge.end, b.CreateZExt(own, unit.i64));
        });
        return;
    }
    loop(found.begin, found.end, b.getInt64(Lanes::count(unit)), Pace::single,
         [&](llvm::Value* first, const Loop&) {
             llvm::Value* const inside = lanes_inside(found, first);
             const CollectedEdge edges = collected_edges(first);
             llvm::Value* const own =
                 b.CreateICmpEQ(load_elements(claim.vector, edges.end, inside), edges.member);
             append_lanes(claim.set, how, edges.end, b.CreateLogicalAnd(inside, own));
         });
}

Code::CollectedEdge Code::collected_edge(llvm::Value* number) {
    llvm::Value* const end = b.CreateLoad(unit.index, collected_end(number));
    return {b.CreateSExt(end, unit.i64), b.CreateLoad(unit.index, collected_member(number))};
}

Code::CollectedEdge Code::collected_edges(llvm::Value* first) {
    const auto lanes = static_cast<unsigned>(Lanes::count(unit));
    auto* const indices = llvm::FixedVectorType::get(unit.index, lanes);
    const llvm::Align alignment = unit.index_alignment();
    // Behind the last edge there is anything: what is made of it counts for nothing.
    return {b.CreateAlignedLoad(indices, collected_end(first), alignment),
            b.CreateAlignedLoad(indices, collected_member(first), alignment)};
}

/// Elements that are indices; of those that other threads write meanwhile, some of these.
llvm::Value* Code::load_element(alg::VariableId vector, llvm::Value* which) {
    const alg::Type type = element_of(unit.variable(vector).type);
    return load(type, address(vector, which), vector, setting.atomic);
}

void Code::store_element(alg::VariableId vector, llvm::Value* which, llvm::Value* value) {
    const alg::Type type = element_of(unit.variable(vector).type);
    store(type, value, address(vector, which), vector, setting.atomic);
}

llvm::Value* Code::load_elements(alg::VariableId vector, llvm::Value* which, llvm::Value* inside) {
    llvm::Type* const indices = which->getType();
    llvm::Value* const base = address(vector, b.getInt64(0));
    return b.CreateMaskedGather(indices, b.CreateInBoundsGEP(unit.index, base, which),
                                unit.index_alignment(), inside,
                                llvm::Constant::getNullValue(indices));
}

} // namespace tropic::compile
