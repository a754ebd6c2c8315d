// Loops over members: the body becomes a function that does a piece of the loop, on one thread or
// on several; what the pieces gathered is joined in their order.
#include "compile/algorithm/body.h"
#include "compile/algorithm/claim_together.h"
#include "compile/algorithm/filter.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

namespace tropic::compile {

using alg::Operation;
using cpu::AlgorithmRuntime;
using cpu::EachView;
using cpu::Frame;

namespace {

/// What a piece of the loop leaves behind.
struct Partial {
    alg::VariableId variable; ///< the gathered scalar; -1: of a reduction
    alg::Type type;
    std::int64_t offset;
};

class Partials {
  public:
    explicit Partials(Unit& unit) : unit_(unit) {}

    Partial add(alg::VariableId variable, const alg::Type& type) {
        const Partial made{variable, type, bytes_};
        bytes_ += (unit_.bytes_of(type) + 15) / 16 * 16;
        return made;
    }
    std::int64_t bytes() const { return (bytes_ + 63) / 64 * 64; }

  private:
    Unit& unit_;
    std::int64_t bytes_ = 0;
};

llvm::Value* piece(Code& code, llvm::Value* number, std::int64_t bytes) {
    llvm::Value* const all = code.b.CreateLoad(
        code.unit.pointer, code.at(code.b, code.frame(), offsetof(Frame, partials)));
    return code.b.CreateInBoundsGEP(code.unit.i8, all,
                                    code.b.CreateNSWMul(number, code.b.getInt64(bytes)));
}

/// Reals add up differently in another order.
bool depends_on_order(const Unit& unit, const alg::Type& type, Operation operation) {
    if (operation == Operation::minimum || operation == Operation::maximum) return false;
    if (type.record < 0) return is_real(type);
    for (const alg::Record::Field& field : unit.algorithm.records[type.record].fields) {
        if (is_real(field.type)) return true;
    }
    return false;
}

bool keeps_last(Operation operation) {
    return operation == Operation::none || operation == Operation::any ||
           operation == Operation::second;
}

/// Where folding with an operation starts, for statements without a monoid.
llvm::Value* identity_of(Code& code, const alg::Statement& s, const alg::Type& type) {
    if (s.monoid && s.monoid->identity) return code.value_as(*s.monoid->identity, type);
    const alg::Type wide = scalar_type(ElementType::int64);
    switch (s.operation) {
    case Operation::minimum:
        return code.infinity(type);
    case Operation::maximum:
        if (is_real(type)) return code.b.CreateFNeg(code.infinity(type));
        return is_signed_type(type) ? code.b.CreateNot(code.infinity(type))
                                    : llvm::Constant::getNullValue(code.unit.value_type(type));
    case Operation::multiply:
    case Operation::divide:
        return code.convert(code.b.getInt64(1), wide, type);
    case Operation::bit_and:
    case Operation::logical_and:
        return llvm::Constant::getAllOnesValue(code.unit.value_type(type));
    default:
        return llvm::Constant::getNullValue(code.unit.value_type(type));
    }
}

/// The operation that joins two pieces.
Operation joining(Operation operation) {
    if (operation == Operation::subtract) return Operation::add;
    return operation == Operation::divide ? Operation::multiply : operation;
}

/// A loop to be written: what its members do, and what comes before and after them in a piece.
struct Job {
    alg::VariableId label = -1;
    alg::VariableId members = -1;
    alg::SpaceId space = 0;
    alg::VariableId graph = -1;
    bool inward = false;
    bool ordered = false;
    bool alone = false;
    language::Place place;
    const char* name = "";
    Uses uses;
    VariableSet gathered;
    VariableSet rebuilt;
    std::int64_t partial_bytes = 0;
    alg::VariableId built = -1;     ///< the graph that the loop builds
    alg::VariableId words = -1;     ///< a set whose members, or whose others, are all that counts
    bool words_in = true;           ///< its members
    alg::VariableId collected = -1; ///< the set that gets those who pass `passes`, and no more
    std::function<llvm::Value*(Code&)> passes; ///< with the label bound
    Code::Ahead ahead;                         ///< of members of a list
    std::vector<EdgeTest> tests;               ///< of members, a vector at a time
    std::function<void(Code&)> begin;          ///< of a piece
    std::function<void(Code&)> member;         ///< with the label bound
    std::function<void(Code&)> end;            ///< of a piece
};

/// A body, and what it does with the bits of sets.
struct Written {
    llvm::Function* function;
    VariableSet marked;
    VariableSet list_only;
    std::map<alg::VariableId, alg::VariableId> claimed;
};

Written write_body(Unit& unit, const Job& job, bool atomic) {
    llvm::Function* const function = new_body(unit, job.name);
    Setting setting = setting_of(job.uses, atomic, job.members < 0);
    setting.gathered = job.gathered;
    const bool some = job.words >= 0 || !job.tests.empty();
    if (job.members >= 0) setting.member_label = job.label;
    else if (!some) setting.range_label = job.label;
    for (auto& [set, insert] : setting.inserts) insert.rebuilt = job.rebuilt.contains(set);
    Code code(unit, function, setting);
    job.begin(code);
    llvm::Value* list = nullptr;
    llvm::Value* all = nullptr;
    if (job.members >= 0) {
        list = code.view_field(job.members, offsetof(cpu::SetView, list), unit.pointer);
        all = code.view_field(job.members, offsetof(cpu::SetView, count), unit.i64);
    }
    const auto member = [&](llvm::Value* which, const Code::Loop& blocks) {
        if (atomic && job.members < 0) code.fetch_to_write(job.uses, which);
        code.bind_label(job.label, which);
        code.finish = blocks.next;
        job.member(code);
    };
    llvm::Value* const begin = code.argument(3);
    llvm::Value* const end = code.argument(4);
    if (job.collected >= 0) {
        code.make_set_of(job.collected, begin, end, [&](llvm::Value* which) {
            code.bind_label(job.label, which);
            return job.passes(code);
        });
    } else if (some) {
        const auto test = [&](llvm::Value* place, llvm::Value* inside) {
            EdgeGroup group{place, inside, job.graph, job.inward, job.label, -1, {}, true};
            return Lanes(code, std::move(group)).passing(job.tests);
        };
        const auto collect = [&](const Code::Edges& range, const Code::Passing& found) {
            if (job.words >= 0) code.collect_members(job.words, job.words_in, range, found);
            else code.collect_passing(range, found, test);
        };
        const auto ask = [&](llvm::Value* which) {
            code.fetch_row_of(job.graph, job.inward, which);
        };
        code.loop_passing({begin, end}, collect, job.graph >= 0 ? Code::Ask(ask) : nullptr, member);
    } else {
        if (list != nullptr && !job.ahead.empty()) code.fetch_first(list, begin, all, job.ahead);
        const auto pace = job.graph < 0 && list == nullptr ? Code::Pace::whole : Code::Pace::single;
        code.loop(begin, end, code.b.getInt64(1), pace,
                  [&](llvm::Value* number, const Code::Loop& blocks) {
                      if (list == nullptr) {
                          member(number, blocks);
                          return;
                      }
                      // Of the next piece, too, which is likely to be this worker's.
                      if (!job.ahead.empty()) code.fetch_ahead(list, number, job.ahead);
                      llvm::LoadInst* const loaded = code.b.CreateLoad(
                          unit.index, code.b.CreateInBoundsGEP(unit.index, list, number));
                      unit.mark(loaded, Memory::list, job.members);
                      member(code.b.CreateSExt(loaded, unit.i64), blocks);
                  });
    }
    job.end(code);
    code.write_back_appenders();
    code.b.CreateRetVoid();
    code.end_prologue();
    return {function, code.marked(), code.list_only(), code.claimed()};
}

/// Writes the bodies and calls them; returns the number of pieces.
llvm::Value* run(Code& code, const Job& job) {
    Unit& unit = code.unit;
    const bool atomics = !job.alone && job.uses.needs_atomics(job.members < 0);
    const bool one_for_both = job.uses.only_stores();
    const Written serial = write_body(unit, job, atomics && one_for_both);
    const Written parallel = atomics && !one_for_both ? write_body(unit, job, true) : serial;
    const Setting setting = setting_of(job.uses, false, job.members < 0);
    const InsertTable inserts =
        insert_table(unit, setting, job.rebuilt, serial.list_only, parallel.claimed);
    static_assert(sizeof(EachView) == 80);
    llvm::Constant* const view = constant_view(
        unit,
        {serial.function, parallel.function, inserts.views, int32_constant(unit, inserts.count),
         int32_constant(unit, job.members), int32_constant(unit, job.graph),
         int32_constant(unit, job.inward ? 1 : 0), int32_constant(unit, job.ordered ? 1 : 0),
         int32_constant(unit, job.alone ? 1 : 0), int32_constant(unit, 1 + job.uses.steps / 8),
         int32_constant(unit, job.built), llvm::ConstantInt::get(unit.i64, job.partial_bytes),
         unit.place(job.place), unit.line(job.place)});
    code.store_scalars(job.uses.scalars);
    code.store_scalars(job.uses.assigned);
    if (job.built >= 0) {
        code.b.CreateStore(code.space_size(unit.variable(job.built).type.columns),
                           code.at(code.b, code.frame(), offsetof(Frame, built_columns)));
    }
    VariableSet marked = serial.marked;
    marked.insert(parallel.marked.begin(), parallel.marked.end());
    for (const alg::VariableId set : job.rebuilt) marked.erase(set);
    code.mark(marked);
    llvm::Value* const count = job.members < 0 ? code.space_size(job.space) : code.b.getInt64(0);
    return code.call_runtime(offsetof(AlgorithmRuntime, each), unit.i64,
                             {code.frame(), view, count});
}

} // namespace

void Code::store_scalars(const VariableSet& scalars) {
    for (const alg::VariableId id : scalars) {
        store(unit.variable(id).type, scalar(id), slot(id), -1, false);
    }
}

void Code::load_scalars(const VariableSet& scalars) {
    for (const alg::VariableId id : scalars) {
        b.CreateStore(load(unit.variable(id).type, slot(id), -1, false), cell(id));
    }
}

namespace {

/// Whether a condition begins with "(not) in a set", of the label, in a loop that does not give
/// the set members of others: words without any are passed over at once.
void find_words(Job& job, const alg::Expression& condition) {
    using Kind = alg::Expression::Kind;
    const alg::Expression* first = &condition;
    while (first->kind == Kind::binary && first->operation == Operation::logical_and) {
        first = &first->operands[0];
    }
    const bool others = first->kind == Kind::complement;
    if (others) first = &first->operands[0];
    if (first->kind != Kind::member || first->operands[0].kind != Kind::variable) return;
    if (first->operands[0].variable != job.label || job.members >= 0) return;
    if (job.uses.inserted_shared.contains(first->variable)) return;
    job.words = first->variable;
    job.words_in = !others;
}

/// The set that a loop over a range makes anew of those who meet its condition, if that is all it
/// does: its bits are made a word at a time, without a branch that nobody could guess.
alg::VariableId collected_by(const Job& job, const alg::Statement& s) {
    using Kind = alg::Expression::Kind;
    const bool inserts = s.body.size() == 1 && s.each->condition && job.members < 0 &&
                         s.body[0].kind == alg::Statement::Kind::evaluate &&
                         s.body[0].value->kind == Kind::insert;
    if (!inserts || job.words >= 0 || !job.tests.empty()) return -1;
    const alg::Expression& insertion = *s.body[0].value;
    const bool own = is_label(insertion.operands[0], job.label) && !insertion.checked;
    return own && job.rebuilt.contains(insertion.variable) &&
                   !job.uses.inserted_shared.contains(insertion.variable) &&
                   job.uses.insert_places.at(insertion.variable) == 1
               ? insertion.variable
               : -1;
}

} // namespace

void Code::make_set_of(alg::VariableId set, llvm::Value* begin, llvm::Value* end,
                       const std::function<llvm::Value*(llvm::Value*)>& passes) {
    llvm::Value* const bits = view_field(set, offsetof(cpu::SetView, bits), unit.pointer);
    llvm::AllocaInst* const word = new_cell(unit.i64, "word");
    loop(begin, end, b.getInt64(64), Pace::single, [&](llvm::Value* first, const Loop&) {
        b.CreateStore(b.getInt64(0), word);
        llvm::Value* const behind = b.CreateBinaryIntrinsic(
            llvm::Intrinsic::smin, b.CreateNSWAdd(first, b.getInt64(64)), end);
        loop(first, behind, b.getInt64(1), Pace::whole, [&](llvm::Value* which, const Loop&) {
            llvm::Value* const bit = b.CreateShl(b.CreateZExt(passes(which), unit.i64),
                                                 b.CreateAnd(which, b.getInt64(63)));
            b.CreateStore(b.CreateOr(b.CreateLoad(unit.i64, word), bit), word);
        });
        llvm::Value* const made = b.CreateLoad(unit.i64, word);
        llvm::Value* const where = b.CreateInBoundsGEP(unit.i64, bits, b.CreateLShr(first, 6));
        unit.mark(b.CreateStore(made, where), Memory::bits, set);
        append(set, setting.inserts.at(set), first,
               b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, made));
    });
}

void Code::each(const alg::Statement& s) {
    const alg::Each& e = *s.each;
    Job job;
    job.label = e.label;
    job.members = e.members;
    job.space = e.space;
    job.graph = e.graph;
    job.inward = e.inward;
    job.alone = e.alone;
    job.built = e.built;
    job.place = s.place;
    job.name = "each";
    collect(job.uses, unit, s.body);
    job.ahead = ahead_of(unit, e.label, e.graph, e.inward, s.body);
    if (e.condition) {
        collect(job.uses, unit, *e.condition);
        find_words(job, *e.condition);
        job.tests = member_tests(unit, s, job.uses);
    }
    job.gathered = job.uses.assigned;
    job.rebuilt.insert(e.rebuilt.begin(), e.rebuilt.end());
    job.collected = collected_by(job, s);
    job.passes = [&](Code& code) { return code.truth(*e.condition); };
    // A set that nobody inserts into is empty all the same.
    for (const alg::VariableId set : e.rebuilt) {
        if (!job.uses.inserted_own.contains(set)) job.uses.inserted_shared.insert(set);
    }
    Partials layout(unit);
    std::vector<Partial> partials;
    for (const alg::VariableId id : job.gathered) {
        partials.push_back(layout.add(id, unit.variable(id).type));
        const Operation operation = job.uses.gathering.at(id)->operation;
        job.ordered |= e.members >= 0 && depends_on_order(unit, unit.variable(id).type, operation);
    }
    job.partial_bytes = layout.bytes();
    job.begin = [&](Code& code) {
        if (e.built >= 0) code.begin_rows();
        if (e.members >= 0 && !e.condition) code.begin_collecting(s.body);
        for (const Partial& partial : partials) {
            const alg::Statement& how = *job.uses.gathering.at(partial.variable);
            code.bind(partial.variable,
                      keeps_last(how.operation)
                          ? code.load(partial.type, code.slot(partial.variable), -1, false)
                          : identity_of(code, how, partial.type));
        }
    };
    job.member = [&](Code& code) {
        const auto body = [&] {
            if (e.built >= 0) code.begin_row();
            code.statements(s.body);
            if (e.built >= 0) code.end_row(e.label);
        };
        if (e.condition) code.when(code.truth(*e.condition), body);
        else body();
    };
    job.end = [&](Code& code) {
        if (code.claims() != nullptr) code.claims()->claim_collected();
        if (e.built >= 0) code.write_back_rows();
        if (partials.empty()) return;
        llvm::Value* const mine = piece(code, code.argument(2), job.partial_bytes);
        for (const Partial& partial : partials) {
            code.store(partial.type, code.scalar(partial.variable),
                       code.at(code.b, mine, partial.offset), -1, false);
        }
    };
    llvm::Value* const pieces = run(*this, job);
    if (partials.empty()) return;
    std::map<alg::VariableId, llvm::Value*> before;
    for (const Partial& partial : partials) before[partial.variable] = scalar(partial.variable);
    loop(b.getInt64(0), pieces, b.getInt64(1), Pace::single, [&](llvm::Value* number, const Loop&) {
        llvm::Value* const from = piece(*this, number, job.partial_bytes);
        for (const Partial& partial : partials) {
            const alg::Statement& how = *job.uses.gathering.at(partial.variable);
            llvm::Value* const found = load(partial.type, at(b, from, partial.offset), -1, false);
            llvm::Value* const so_far = scalar(partial.variable);
            llvm::Value* const joined =
                keeps_last(how.operation)
                    ? b.CreateSelect(equal(partial.type, found, before[partial.variable]), so_far,
                                     found)
                    : combine(joining(how.operation), how.monoid.get(), partial.type, so_far, found,
                              how.place);
            bind(partial.variable, joined);
        }
    });
}

llvm::Value* Code::reduce_in_parallel(const alg::Expression& e) {
    const alg::Reduction& r = *e.reduction;
    Job job;
    job.label = r.label;
    job.members = r.members;
    job.space = r.space;
    job.place = e.place;
    job.name = "reduce";
    if (r.condition) {
        collect(job.uses, unit, *r.condition);
        find_words(job, *r.condition);
    }
    collect(job.uses, unit, r.value);
    collect(job.uses, unit, r.monoid);
    const alg::Type type = element_of(r.value.type);
    job.ordered = r.members >= 0 && depends_on_order(unit, type, r.monoid.operation);
    // The neighbours of the label, where the value goes along them.
    if (r.value.kind == alg::Expression::Kind::reduction && r.value.reduction->graph >= 0 &&
        is_label(*r.value.reduction->center, r.label)) {
        job.graph = r.value.reduction->graph;
        job.inward = r.value.reduction->inward;
        job.ahead.graph = job.graph;
        job.ahead.inward = job.inward;
    }
    Partials layout(unit);
    const Partial value = layout.add(-1, type);
    const Partial found = layout.add(-1, scalar_type(ElementType::boolean));
    const Partial argument = layout.add(-1, scalar_type(ElementType::int64));
    job.partial_bytes = layout.bytes();
    std::optional<Fold> inner;
    job.begin = [&](Code& code) { inner.emplace(code.begin_fold(r)); };
    job.member = [&](Code& code) { code.fold_member(*inner, nullptr); };
    job.end = [&](Code& code) {
        llvm::Value* const mine = piece(code, code.argument(2), job.partial_bytes);
        const auto put = [&](const Partial& partial, llvm::AllocaInst* from) {
            if (from == nullptr) return;
            code.store(partial.type, code.b.CreateLoad(from->getAllocatedType(), from),
                       code.at(code.b, mine, partial.offset), -1, false);
        };
        put(value, inner->value);
        put(found, inner->found);
        put(argument, inner->argument);
    };
    llvm::Value* const pieces = run(*this, job);
    const Fold outer = begin_fold(r);
    loop(b.getInt64(0), pieces, b.getInt64(1), Pace::single, [&](llvm::Value* number, const Loop&) {
        llvm::Value* const from = piece(*this, number, job.partial_bytes);
        const auto get = [&](const Partial& partial) {
            return load(partial.type, at(b, from, partial.offset), -1, false);
        };
        join_fold(outer, get(value), outer.found != nullptr ? get(found) : b.getTrue(),
                  outer.argument != nullptr ? get(argument) : nullptr);
    });
    return end_fold(outer, e.type);
}

} // namespace tropic::compile
