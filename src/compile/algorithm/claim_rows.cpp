// Claims along rows of more than a few edges: whose ends can be claimed is found out first, for
// many edges, and they are claimed together. Elements that are read right behind others that are
// written wait for these on some processors, though they hardly ever are the same.
#include "compile/algorithm/body.h"
#include "language/algorithm/visit.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

#include "llvm/IR/Intrinsics.h"

namespace tropic::compile {

using Kind = alg::Expression::Kind;

namespace {

/// Edges looked at before any is claimed.
constexpr std::int64_t stretch = 64;

/// The vertex whose row it is, if that and what belongs to the edge are all that a claim knows:
/// what is gathered while members are gone through stays with their function.
alg::VariableId only_center(const Unit& unit, const alg::Statement& s, const Setting& setting) {
    if (s.first->kind != Kind::variable) return -1;
    const alg::VariableId center = s.first->variable;
    bool others = false;
    for (const alg::Statement& part : s.body) {
        alg::for_each_expression(part, [&](const alg::Expression& e) {
            others |= setting.gathered.contains(e.variable);
            if (e.variable < 0 || !unit.variable(e.variable).is_local) return;
            const bool known = e.variable == center || e.variable == s.variable ||
                               e.variable == s.weight || e.variable == s.edge;
            others |= !known || e.kind != Kind::variable;
        });
    }
    return others ? -1 : center;
}

} // namespace

bool Code::claims_along(const alg::Statement& s) const {
    if (!claims_once(s.body)) return false;
    const alg::Statement& claim = s.body[0];
    const VariableSet changed = {claimed_vector(claim), claimed_set(claim)};
    bool elsewhere = false;
    alg::for_each_expression(*claim.value, [&](const alg::Expression& e) {
        if (e.kind == Kind::reduction) elsewhere |= changed.contains(e.reduction->members);
        if (!changed.contains(e.variable)) return;
        const bool asks = e.kind == Kind::element || e.kind == Kind::member;
        const bool at_end =
            asks && e.operands[0].kind == Kind::variable && e.operands[0].variable == s.variable;
        elsewhere |= !at_end;
    });
    return !elsewhere;
}

void Code::claim_along(const alg::Statement& s, const Edges& edges) {
    const alg::VariableId center = only_center(unit, s, setting);
    if (center < 0 || !labels.contains(center)) {
        claim_row(s, edges);
        return;
    }
    // A function of its own: the loop over short rows has all registers to itself then.
    llvm::Function* const function = new_body(unit, "claim_row");
    function->addFnAttr(llvm::Attribute::NoInline);
    Code code(unit, function, setting);
    code.bind_label(center, code.argument(2));
    code.claim_row(s, {code.argument(3), code.argument(4)});
    code.write_back_appenders();
    code.b.CreateRetVoid();
    code.end_prologue();
    write_back_appenders();
    b.CreateCall(function, {frame(), worker(), index(*s.first), edges.begin, edges.end,
                            llvm::ConstantPointerNull::get(unit.pointer)});
    read_appenders();
}

void Code::claim_row(const alg::Statement& s, const Edges& edges) {
    llvm::Type* const list = llvm::ArrayType::get(unit.i64, stretch);
    llvm::AllocaInst* const wanted = new_cell(list, "wanted");
    llvm::AllocaInst* const count = new_cell(unit.i64, "wanted_count");
    const auto wanted_at = [&](llvm::Value* number) {
        return b.CreateInBoundsGEP(unit.i64, wanted, number);
    };
    const auto go_to = [&](llvm::Value* place) {
        bind_edge(s.graph, s.inward, place, s.variable, s.weight, s.edge);
    };
    const auto look = [&](llvm::Value* place, const Loop&) {
        go_to(place);
        llvm::Value* const before = b.CreateLoad(unit.i64, count);
        b.CreateStore(place, wanted_at(before));
        llvm::Value* const one = b.CreateZExt(truth(*s.body[0].value), unit.i64);
        b.CreateStore(b.CreateAdd(before, one), count);
    };
    const auto claim_one = [&](llvm::Value* number, const Loop&) {
        go_to(b.CreateLoad(unit.i64, wanted_at(number)));
        claim(s.body[0]);
    };
    const alg::VariableId target = claimed_vector(s.body[0]);
    llvm::Value* const one = b.getInt64(1);
    loop(edges.begin, edges.end, b.getInt64(stretch), Pace::single,
         [&](llvm::Value* first, const Loop&) {
             llvm::Value* const end = b.CreateBinaryIntrinsic(
                 llvm::Intrinsic::smin, edges.end, b.CreateNSWAdd(first, b.getInt64(stretch)));
             if (setting.atomic) {
                 llvm::Value* const later = b.CreateBinaryIntrinsic(
                     llvm::Intrinsic::smin, edges.end, b.CreateNSWAdd(end, b.getInt64(stretch)));
                 fetch_to_write(s.graph, s.inward, {end, later}, {target});
             }
             b.CreateStore(b.getInt64(0), count);
             loop(first, end, one, Pace::single, look);
             loop(b.getInt64(0), b.CreateLoad(unit.i64, count), one, Pace::single, claim_one);
         });
}

} // namespace tropic::compile
