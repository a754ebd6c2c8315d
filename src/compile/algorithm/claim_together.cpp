// Edges are only collected at first. Then all ends that are free are found, by vectors where there
// are any; all these are claimed, the last who does so wins; and who has won is looked up. Elements
// that are read right behind others that are written wait for these on some processors, though they
// hardly ever are the same: all that is read is read before anything is written. And nobody has to
// guess how many edges a row has.
#include "compile/algorithm/claim_together.h"

#include <numeric>

#include "compile/algorithm/body.h"
#include "compile/algorithm/lanes.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

#include "llvm/IR/Intrinsics.h"

namespace tropic::compile {

using Kind = alg::Statement::Kind;
using Pace = Code::Pace;
using Loop = Code::Loop;

namespace {

/// Edges whose ends are claimed together: few enough to stay in the nearest cache.
constexpr std::int64_t together = 1024;
/// Edges of a row between two looks at how many there are.
constexpr std::int64_t stretch = 256;

/// Vectors are written as a whole.
llvm::Type* list_type(const Unit& unit) {
    const auto room = static_cast<std::uint64_t>(together + stretch + Lanes::count(unit));
    llvm::Type* const numbers = llvm::ArrayType::get(unit.index, room);
    return llvm::StructType::get(unit.context, {numbers, numbers});
}

} // namespace

bool Code::begin_collecting(const std::vector<alg::Statement>& body) {
    if (body.size() != 1 || body[0].kind != Kind::neighbours) return false;
    const alg::Statement& s = body[0];
    if (!is_label(*s.first, setting.member_label)) return false;
    labels.insert({setting.member_label, s.variable}); // as whoever binds them will
    const std::optional<MemberClaim> claim =
        claims_along(s) ? member_claim(s.body[0]) : std::nullopt;
    if (!claim) return false;
    claims_ = std::make_shared<ClaimTogether>(*this, s, *claim);
    if (setting.atomic) claimed_[claim->set] = claim->vector;
    else list_only_.insert(claim->set);
    return true;
}

ClaimTogether::ClaimTogether(Code& code, const alg::Statement& loop, const Code::MemberClaim& claim)
    : code_(code), unit_(code.unit), b_(code.b), loop_(loop), claim_(claim),
      element_type_(element_of(code.unit.variable(claim.vector).type)),
      lanes_(static_cast<unsigned>(Lanes::count(code.unit))), list_(list_type(code.unit)),
      edges_(code.new_cell(list_, "collected")),
      count_(code.new_cell(code.unit.i64, "collected_count")),
      function_(new_body(code.unit, "claims")) {
    function_->addFnAttr(llvm::Attribute::NoInline);
    Code claiming(unit_, function_, code.setting);
    claiming.labels = code.labels;
    ClaimTogether(claiming, *this, claiming.argument(5)).write_claims();
    b_.CreateStore(b_.getInt64(0), count_);
}

ClaimTogether::ClaimTogether(Code& code, const ClaimTogether& collecting, llvm::Value* edges)
    : code_(code), unit_(code.unit), b_(code.b), loop_(collecting.loop_), claim_(collecting.claim_),
      element_type_(collecting.element_type_), lanes_(collecting.lanes_), list_(collecting.list_),
      edges_(edges) {}

llvm::Value* ClaimTogether::end_at(llvm::Value* number) {
    return b_.CreateInBoundsGEP(list_, edges_, {b_.getInt64(0), b_.getInt32(0), number});
}

llvm::Value* ClaimTogether::member_at(llvm::Value* number) {
    return b_.CreateInBoundsGEP(list_, edges_, {b_.getInt64(0), b_.getInt32(1), number});
}

/// There is something behind the last edge of a graph and the last that is collected: vectors need
/// not end where rows do.
void ClaimTogether::collect_part(const Code::Edges& part) {
    const llvm::Align alignment = unit_.index_alignment();
    llvm::Value* const crd = code_.view_field(loop_.graph,
                                              loop_.inward ? offsetof(cpu::GraphView, in_crd)
                                                           : offsetof(cpu::GraphView, out_crd),
                                              unit_.pointer);
    llvm::Value* const member = b_.CreateTrunc(code_.index(*loop_.first), unit_.index);
    llvm::Value* const before = b_.CreateLoad(unit_.i64, count_);
    const auto copy = [&](llvm::Value* place, unsigned some) {
        llvm::Value* const to = b_.CreateNSWAdd(before, b_.CreateNSWSub(place, part.begin));
        llvm::Value* const ends =
            b_.CreateAlignedLoad(llvm::FixedVectorType::get(unit_.index, some),
                                 b_.CreateInBoundsGEP(unit_.index, crd, place), alignment);
        b_.CreateAlignedStore(ends, end_at(to), alignment);
        b_.CreateAlignedStore(b_.CreateVectorSplat(some, member), member_at(to), alignment);
    };
    // Most rows of roads and meshes fit into half a vector.
    const unsigned half = lanes_ / 2;
    copy(part.begin, half);
    code_.loop(b_.CreateNSWAdd(part.begin, b_.getInt64(half)), part.end, b_.getInt64(lanes_),
               Pace::single, [&](llvm::Value* place, const Loop&) { copy(place, lanes_); });
    b_.CreateStore(b_.CreateNSWAdd(before, b_.CreateNSWSub(part.end, part.begin)), count_);
    code_.when(b_.CreateICmpSGE(b_.CreateLoad(unit_.i64, count_), b_.getInt64(together)),
               [&] { claim_collected(); });
}

void ClaimTogether::collect_row() {
    const Code::Edges edges = code_.edges_of(loop_.graph, loop_.inward, code_.index(*loop_.first));
    code_.count_edges(edges, false);
    llvm::Value* const many =
        b_.CreateICmpSGT(b_.CreateNSWSub(edges.end, edges.begin), b_.getInt64(stretch));
    const auto in_stretches = [&] {
        code_.loop(edges.begin, edges.end, b_.getInt64(stretch), Pace::single,
                   [&](llvm::Value* first, const Loop&) {
                       llvm::Value* const next = b_.CreateNSWAdd(first, b_.getInt64(stretch));
                       collect_part({first, b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin,
                                                                     edges.end, next)});
                   });
    };
    code_.when(many, in_stretches, [&] { collect_part(edges); });
}

void ClaimTogether::claim_collected() {
    code_.write_back_appenders();
    b_.CreateCall(function_, {code_.frame(), code_.worker(), code_.argument(2), b_.getInt64(0),
                              b_.CreateLoad(unit_.i64, count_), edges_});
    code_.read_appenders();
    b_.CreateStore(b_.getInt64(0), count_);
}

void ClaimTogether::write_claims() {
    const bool atomic = code_.setting.atomic;
    const Code::Edges found = {b_.getInt64(0), find_free()};
    code_.loop(found.begin, found.end, b_.getInt64(1), Pace::single,
               [&](llvm::Value* number, const Loop&) {
                   const Edge one = edge(number);
                   set_element(one.end, one.member);
                   // Who has won against other threads is known when all are done.
                   if (!atomic) return;
                   code_.append(claim_.set, code_.setting.inserts.at(claim_.set), one.end,
                                b_.getInt64(1), one.member);
               });
    if (!atomic) append_winners(found);
    code_.write_back_appenders();
    b_.CreateRetVoid();
    code_.end_prologue();
}

/// A row may have an edge twice, which must not be claimed twice.
llvm::Value* ClaimTogether::find_free() {
    const Code::Edges all = {b_.getInt64(0), code_.argument(4)};
    llvm::Value* const free = code_.value_as(claim_.free, element_type_);
    if (unit_.gathers) return find_free_in_lanes(all, free);
    llvm::AllocaInst* const found = code_.new_cell(unit_.i64, "found");
    b_.CreateStore(all.begin, found);
    llvm::AllocaInst* const previous = code_.new_cell(unit_.i64, "previous");
    b_.CreateStore(b_.getInt64(-1), previous);
    code_.loop(
        all.begin, all.end, b_.getInt64(1), Pace::single, [&](llvm::Value* number, const Loop&) {
            const Edge one = edge(number);
            llvm::Value* const other = b_.CreateICmpNE(one.end, b_.CreateLoad(unit_.i64, previous));
            b_.CreateStore(one.end, previous);
            llvm::Value* const is_free = b_.CreateICmpEQ(element(one.end), free);
            llvm::Value* const to = b_.CreateLoad(unit_.i64, found);
            b_.CreateStore(b_.CreateTrunc(one.end, unit_.index), end_at(to));
            b_.CreateStore(one.member, member_at(to));
            llvm::Value* const more = b_.CreateZExt(b_.CreateAnd(other, is_free), unit_.i64);
            b_.CreateStore(b_.CreateNSWAdd(to, more), found);
        });
    return b_.CreateLoad(unit_.i64, found);
}

llvm::Value* ClaimTogether::find_free_in_lanes(const Code::Edges& all, llvm::Value* free) {
    llvm::AllocaInst* const found = code_.new_cell(unit_.i64, "found");
    b_.CreateStore(all.begin, found);
    auto* const indices = llvm::FixedVectorType::get(unit_.index, lanes_);
    llvm::Value* const all_free = b_.CreateVectorSplat(lanes_, free);
    llvm::AllocaInst* const previous = code_.new_cell(indices, "previous");
    b_.CreateStore(llvm::Constant::getAllOnesValue(indices), previous);
    llvm::SmallVector<int> one_before(lanes_);
    std::iota(one_before.begin(), one_before.end(), static_cast<int>(lanes_) - 1);
    code_.loop(
        all.begin, all.end, b_.getInt64(lanes_), Pace::single,
        [&](llvm::Value* first, const Loop&) {
            llvm::Value* const inside = code_.lanes_inside(all, first);
            const Edge group = edges(first);
            llvm::Value* const before =
                b_.CreateShuffleVector(b_.CreateLoad(indices, previous), group.end, one_before);
            b_.CreateStore(group.end, previous);
            llvm::Value* const other = b_.CreateICmpNE(group.end, before);
            llvm::Value* const is_free = b_.CreateICmpEQ(elements(group.end, inside), all_free);
            llvm::Value* const chosen = b_.CreateLogicalAnd(inside, b_.CreateAnd(other, is_free));
            llvm::Value* const to = b_.CreateLoad(unit_.i64, found);
            code_.pack(group.end, chosen, end_at(to));
            code_.pack(group.member, chosen, member_at(to));
            b_.CreateStore(b_.CreateNSWAdd(to, code_.how_many(chosen)), found);
        });
    return b_.CreateLoad(unit_.i64, found);
}

void ClaimTogether::append_winners(const Code::Edges& found) {
    const Setting::Insert& how = code_.setting.inserts.at(claim_.set);
    if (!unit_.gathers) {
        code_.loop(found.begin, found.end, b_.getInt64(1), Pace::single,
                   [&](llvm::Value* number, const Loop&) {
                       const Edge one = edge(number);
                       llvm::Value* const own = b_.CreateICmpEQ(element(one.end), one.member);
                       code_.append(claim_.set, how, one.end, b_.CreateZExt(own, unit_.i64));
                   });
        return;
    }
    code_.loop(found.begin, found.end, b_.getInt64(lanes_), Pace::single,
               [&](llvm::Value* first, const Loop&) {
                   llvm::Value* const inside = code_.lanes_inside(found, first);
                   const Edge group = edges(first);
                   llvm::Value* const own =
                       b_.CreateICmpEQ(elements(group.end, inside), group.member);
                   code_.append_lanes(claim_.set, how, group.end, b_.CreateLogicalAnd(inside, own));
               });
}

ClaimTogether::Edge ClaimTogether::edge(llvm::Value* number) {
    llvm::Value* const end = b_.CreateLoad(unit_.index, end_at(number));
    return {b_.CreateSExt(end, unit_.i64), b_.CreateLoad(unit_.index, member_at(number))};
}

/// Behind the last edge there is anything: what is made of it counts for nothing.
ClaimTogether::Edge ClaimTogether::edges(llvm::Value* first) {
    auto* const indices = llvm::FixedVectorType::get(unit_.index, lanes_);
    const llvm::Align alignment = unit_.index_alignment();
    return {b_.CreateAlignedLoad(indices, end_at(first), alignment),
            b_.CreateAlignedLoad(indices, member_at(first), alignment)};
}

/// Of those that other threads write meanwhile, some of these.
llvm::Value* ClaimTogether::element(llvm::Value* which) {
    return code_.load(element_type_, code_.address(claim_.vector, which), claim_.vector,
                      code_.setting.atomic);
}

void ClaimTogether::set_element(llvm::Value* which, llvm::Value* value) {
    code_.store(element_type_, value, code_.address(claim_.vector, which), claim_.vector,
                code_.setting.atomic);
}

llvm::Value* ClaimTogether::elements(llvm::Value* which, llvm::Value* inside) {
    llvm::Type* const indices = which->getType();
    llvm::Value* const base = code_.address(claim_.vector, b_.getInt64(0));
    return b_.CreateMaskedGather(indices, b_.CreateInBoundsGEP(unit_.index, base, which),
                                 unit_.index_alignment(), inside,
                                 llvm::Constant::getNullValue(indices));
}

} // namespace tropic::compile
