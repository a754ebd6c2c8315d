// Changes that are put off. The loop over a member's edges only finds what would be changed, and to
// what, without a branch that nobody foresees; a second loop makes the changes of many members one
// after the other, each looking again. For members whose order nobody may count on.
#include "compile/algorithm/body.h"
#include "compile/algorithm/filter.h"

#include "llvm/IR/Intrinsics.h"

namespace tropic::compile {

using Kind = alg::Statement::Kind;
using Test = EdgeTest;

namespace {

/// So many changes are made together: enough for their loop to run straight on, few enough for what
/// they touch to be near still.
constexpr std::int64_t together = 64;
/// Edges of a row between two looks at how many there are.
constexpr std::int64_t stretch = 256;
static_assert(together + stretch <= Code::most_postponed);
/// Changes between asking for an element and changing it.
constexpr std::int64_t changes_ahead = 8;

/// The filter of a loop whose code does nothing but improve an element of the edge's end.
std::optional<EdgeFilter> improvement_of(const Unit& unit, const alg::Statement& s,
                                         alg::VariableId again) {
    if (s.kind != Kind::neighbours || s.edge >= 0 || s.body.size() != 1 ||
        s.body[0].kind != Kind::element) {
        return {};
    }
    std::optional<EdgeFilter> filter = filter_of(unit, s);
    if (!filter || filter->tests.size() != 1) return {};
    const Test& test = filter->tests[0];
    if (test.kind != Test::Kind::less && test.kind != Test::Kind::more) return {};
    // A row may improve what its own values are made of. That is seen late, and does not matter
    // where the member comes again whenever it is changed.
    if (!filter->group.apart.empty() && test.variable != again) return {};
    filter->group.apart.clear();
    return filter;
}

} // namespace

bool Code::improves_only(const Unit& unit, const alg::Statement& s, alg::VariableId key) {
    const auto filter = improvement_of(unit, s, key);
    return filter && filter->tests[0].kind == Test::Kind::less && filter->tests[0].variable == key;
}

bool Code::begin_postponing(const alg::Statement& s, alg::VariableId again) {
    const auto filter = improvement_of(unit, s, again);
    if (!filter) return false;
    const alg::Type type = element_of(unit.variable(filter->tests[0].variable).type);
    const auto room = static_cast<std::uint64_t>(most_postponed + Lanes::count(unit));
    llvm::Type* const list =
        llvm::StructType::get(unit.context, {llvm::ArrayType::get(unit.index, room),
                                             llvm::ArrayType::get(unit.value_type(type), room)});
    postponed_ = {.loop = &s,
                  .again = again,
                  .list = list,
                  .changes = new_cell(list, "changes"),
                  .count = new_cell(unit.i64, "postponed"),
                  .make = new_body(unit, "changes")};
    // The loop that finds changes has all registers to itself then.
    postponed_.make->addFnAttr(llvm::Attribute::NoInline);
    Code code(unit, postponed_.make, setting);
    code.postponed_ = postponed_;
    code.postponed_.changes = code.argument(5);
    code.write_changes();
    b.CreateStore(b.getInt64(0), postponed_.count);
    return true;
}

llvm::Value* Code::postponed_end(llvm::Value* number) {
    return b.CreateInBoundsGEP(postponed_.list, postponed_.changes,
                               {b.getInt64(0), b.getInt32(0), number});
}

llvm::Value* Code::postponed_value(llvm::Value* number) {
    return b.CreateInBoundsGEP(postponed_.list, postponed_.changes,
                               {b.getInt64(0), b.getInt32(1), number});
}

void Code::postpone(const alg::Statement& s) {
    const EdgeFilter filter = *improvement_of(unit, s, postponed_.again);
    const Test& test = filter.tests[0];
    const alg::Statement& change = s.body[0];
    const alg::Type type = element_of(unit.variable(test.variable).type);
    const Edges edges = edges_of(s.graph, s.inward, index(*s.first));
    const auto group = [&](llvm::Value* place, llvm::Value* inside) {
        EdgeGroup here = filter.group;
        here.place = place;
        here.inside = inside;
        const Lanes::Improvement found = Lanes(*this, std::move(here)).improvement(test);
        put_off(found.ends, found.values, found.better);
    };
    const auto one = [&](llvm::Value* place) {
        bind_edge(s.graph, s.inward, place, s.variable, s.weight, s.edge);
        llvm::Value* const given = value_as(*change.value, type);
        llvm::Value* const old =
            load(type, address(*change.target), test.variable, is_shared(*change.target));
        const bool less = test.kind == Test::Kind::less;
        llvm::Value* const better =
            compare(alg::Operation::less, type, less ? given : old, less ? old : given);
        put_off(b.CreateTrunc(index(change.target->operands[0]), unit.index), given, better);
    };
    const auto in_stretches = [&](const std::function<void(const Edges&)>& look) {
        loop(edges.begin, edges.end, b.getInt64(stretch), Pace::single,
             [&](llvm::Value* first, const Loop&) {
                 look({first, b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, edges.end,
                                                      b.CreateNSWAdd(first, b.getInt64(stretch)))});
                 make_enough_postponed();
             });
    };
    const auto one_by_one = [&](const Edges& some) {
        loop(some.begin, some.end, b.getInt64(1), Pace::single,
             [&](llvm::Value* place, const Loop&) { one(place); });
    };
    if (!unit.gathers) {
        in_stretches(one_by_one);
        return;
    }
    // Roads and meshes have nothing but short rows, and little else to do at each.
    when(
        is_long(edges),
        [&] {
            in_stretches([&](const Edges& some) {
                loop(some.begin, some.end, b.getInt64(Lanes::count(unit)), Pace::single,
                     [&](llvm::Value* place, const Loop&) {
                         group(place, lanes_inside(some, place));
                     });
            });
        },
        [&] {
            one_by_one(edges);
            make_enough_postponed();
        });
}

void Code::put_off(llvm::Value* ends, llvm::Value* values, llvm::Value* chosen) {
    llvm::Value* const count = b.CreateLoad(unit.i64, postponed_.count);
    const auto count_more = [&](llvm::Value* more) {
        b.CreateStore(b.CreateNSWAdd(count, more), postponed_.count);
    };
    if (values->getType()->isVectorTy()) {
        pack(ends, chosen, postponed_end(count));
        pack(values, chosen, postponed_value(count));
        count_more(how_many(chosen));
        return;
    }
    b.CreateStore(ends, postponed_end(count));
    b.CreateStore(values, postponed_value(count));
    count_more(b.CreateZExt(chosen, unit.i64));
}

void Code::make_enough_postponed() {
    llvm::Value* const count = b.CreateLoad(unit.i64, postponed_.count);
    when(b.CreateICmpSGE(count, b.getInt64(together)), [&] { make_postponed(); });
}

void Code::make_postponed() {
    llvm::Value* const count = b.CreateLoad(unit.i64, postponed_.count);
    b.CreateCall(postponed_.make,
                 {frame(), worker(), argument(2), b.getInt64(0), count, postponed_.changes});
    b.CreateStore(b.getInt64(0), postponed_.count);
}

void Code::write_changes() {
    const alg::Statement& s = *postponed_.loop;
    const alg::Statement& change = s.body[0];
    const alg::Type type = element_of(unit.variable(change.target->variable).type);
    llvm::Value* const end = argument(4);
    const auto end_at = [&](llvm::Value* k) {
        return b.CreateSExt(b.CreateLoad(unit.index, postponed_end(k)), unit.i64);
    };
    loop(argument(3), end, b.getInt64(1), Pace::single, [&](llvm::Value* k, const Loop&) {
        if (setting.atomic) {
            // The line may be another thread's, and an atomic operation waits for it alone.
            llvm::Value* const later = b.CreateBinaryIntrinsic(
                llvm::Intrinsic::smin, b.CreateNSWAdd(k, b.getInt64(changes_ahead)),
                b.CreateNSWSub(end, b.getInt64(1)));
            fetch(address(change.target->variable, end_at(later)), true);
        }
        llvm::Value* const value = b.CreateLoad(unit.value_type(type), postponed_value(k));
        bind_label(s.variable, end_at(k));
        update(*change.target, change.operation, change.monoid.get(), value);
    });
    b.CreateRetVoid();
    end_prologue();
}

} // namespace tropic::compile
