// Control flow, and the statements that both levels have.
#include "compile/algorithm/code.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

#include "llvm/IR/MDBuilder.h"

namespace tropic::compile {

using Kind = alg::Statement::Kind;

Code::Code(Unit& given, llvm::Function* function, Setting what)
    : unit(given), b(given.context), setting(std::move(what)), function_(function),
      start_(llvm::BasicBlock::Create(given.context, "start", function)),
      body_(llvm::BasicBlock::Create(given.context, "body", function)), prologue_(start_) {
    b.SetInsertPoint(body_);
    llvm::FastMathFlags flags;
    flags.setAllowContract();
    b.setFastMathFlags(flags);
    prologue_.setFastMathFlags(flags);
}

void Code::end_prologue() {
    prologue_.CreateBr(body_);
}

llvm::BasicBlock* Code::block(const char* name) {
    return llvm::BasicBlock::Create(unit.context, name, function_);
}

void Code::go_on_in(llvm::BasicBlock* next) {
    if (is_open()) b.CreateBr(next);
    next->moveAfter(b.GetInsertBlock());
    b.SetInsertPoint(next);
}

void Code::jump(llvm::BasicBlock* target) {
    b.CreateBr(target);
    b.SetInsertPoint(block("dead"));
}

void Code::when(llvm::Value* condition, const Action& then, const Action& otherwise) {
    llvm::BasicBlock* const yes = block("then");
    llvm::BasicBlock* const done = block("done");
    llvm::BasicBlock* const no = otherwise ? block("else") : done;
    b.CreateCondBr(condition, yes, no);
    b.SetInsertPoint(yes);
    then();
    if (otherwise) {
        if (is_open()) b.CreateBr(done);
        b.SetInsertPoint(no);
        otherwise();
    }
    go_on_in(done);
}

void Code::fail_when(llvm::Value* condition, const Action& fail) {
    llvm::BasicBlock* const failing = block("fail");
    llvm::BasicBlock* const fine = block("fine");
    b.CreateCondBr(condition, failing, fine,
                   llvm::MDBuilder(unit.context).createBranchWeights(1, 1 << 20));
    b.SetInsertPoint(failing);
    fail();
    b.CreateUnreachable();
    b.SetInsertPoint(fine);
}

namespace {

/// What LLVM is told of a loop. Nothing is unrolled: rows are short, and code is to be made fast.
llvm::MDNode* hints(llvm::LLVMContext& context, Code::Pace pace) {
    const auto hint = [&](const char* name, llvm::Metadata* value) {
        llvm::SmallVector<llvm::Metadata*> parts{llvm::MDString::get(context, name)};
        if (value != nullptr) parts.push_back(value);
        return llvm::MDNode::get(context, parts);
    };
    const auto number = [&](std::uint32_t value) {
        return llvm::ConstantAsMetadata::get(
            llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value));
    };
    constexpr std::uint32_t sums_at_once = 4;
    llvm::SmallVector<llvm::Metadata*> all{nullptr};
    all.push_back(hint("llvm.loop.unroll.disable", nullptr));
    if (pace != Code::Pace::whole) all.push_back(hint("llvm.loop.vectorize.width", number(1)));
    if (pace == Code::Pace::row) {
        all.push_back(hint("llvm.loop.interleave.count", number(sums_at_once)));
    } else if (pace == Code::Pace::single) {
        all.push_back(hint("llvm.loop.interleave.count", number(1)));
    }
    llvm::MDNode* const made = llvm::MDNode::getDistinct(context, all);
    made->replaceOperandWith(0, made);
    return made;
}

} // namespace

void Code::loop(llvm::Value* begin, llvm::Value* end, llvm::Value* step, Pace pace,
                const std::function<void(llvm::Value*, const Loop&)>& body) {
    llvm::BasicBlock* const before = b.GetInsertBlock();
    llvm::BasicBlock* const head = block("head");
    llvm::BasicBlock* const inside = block("inside");
    const Loop blocks{block("next"), block("leave")};
    b.CreateBr(head);
    b.SetInsertPoint(head);
    llvm::PHINode* const i = b.CreatePHI(unit.i64, 2);
    i->addIncoming(begin, before);
    b.CreateCondBr(b.CreateICmpSLT(i, end), inside, blocks.leave);
    b.SetInsertPoint(inside);
    body(i, blocks);
    go_on_in(blocks.next);
    i->addIncoming(b.CreateNSWAdd(i, step), blocks.next);
    b.CreateBr(head)->setMetadata(llvm::LLVMContext::MD_loop, hints(unit.context, pace));
    blocks.leave->moveAfter(blocks.next);
    b.SetInsertPoint(blocks.leave);
}

void Code::check_cancelled() {
    call_runtime(offsetof(cpu::AlgorithmRuntime, check_cancelled), unit.nothing, {frame()});
}

void Code::count_steps(llvm::Value* steps) {
    // Of a nanosecond or some: looking costs nothing then, and nobody waits for it.
    constexpr std::int64_t between_looks = 1 << 20;
    if (steps_ == nullptr) {
        steps_ = new_cell(unit.i64, "steps");
        prologue_.CreateStore(b.getInt64(0), steps_);
    }
    b.CreateStore(b.CreateAdd(b.CreateLoad(unit.i64, steps_), steps), steps_);
    llvm::BasicBlock* const look = block("look");
    llvm::BasicBlock* const go_on = block("go_on");
    llvm::Value* const many =
        b.CreateICmpUGE(b.CreateLoad(unit.i64, steps_), b.getInt64(between_looks));
    b.CreateCondBr(many, look, go_on,
                   llvm::MDBuilder(unit.context).createBranchWeights(1, between_looks));
    b.SetInsertPoint(look);
    b.CreateStore(b.getInt64(0), steps_);
    check_cancelled();
    go_on_in(go_on);
}

bool Code::is_outermost() const {
    return !setting.member && loops_.empty();
}

void Code::note_progress(llvm::Value* done, llvm::Value* total) {
    using cpu::Frame;
    b.CreateStore(done, at(b, frame(), offsetof(Frame, rounds_done)));
    b.CreateStore(total, at(b, frame(), offsetof(Frame, rounds_total)));
}

void Code::note_round() {
    using cpu::Frame;
    llvm::Value* const done = b.CreateLoad(unit.i64, at(b, frame(), offsetof(Frame, rounds_done)));
    note_progress(b.CreateAdd(done, b.getInt64(1)), b.getInt64(0));
}

void Code::inside_loop(const Loop& blocks, const std::vector<alg::Statement>& body) {
    loops_.push_back(blocks);
    loops_.back().cleanups = cleanups_.size();
    ++loops_deep_;
    statements(body);
    --loops_deep_;
    loops_.pop_back();
}

void Code::leave_to(llvm::BasicBlock* target, std::size_t kept) {
    // What is cleaned up here is not inside itself any more.
    const std::vector<Action> all = cleanups_;
    while (cleanups_.size() > kept) {
        const Action cleanup = cleanups_.back();
        cleanups_.pop_back();
        cleanup();
    }
    cleanups_ = all;
    jump(target);
}

void Code::statements(const std::vector<alg::Statement>& list) {
    for (const alg::Statement& s : list) statement(s);
}

void Code::check_round() {
    if (setting.member) count_steps(b.getInt64(1));
    else check_cancelled();
}

void Code::repeat(const alg::Statement& s) {
    if (loops_deep_ == 0) edges_outermost_ = false;
    llvm::BasicBlock* const head = block("while");
    llvm::BasicBlock* const inside = block("inside");
    const bool first = s.kind == Kind::repeat;
    const Loop blocks{first ? head : block("until"), block("leave")};
    const bool outermost = is_outermost();
    if (outermost) note_progress(b.getInt64(0), b.getInt64(0));
    go_on_in(first ? head : inside);
    if (first) {
        if (outermost) note_round();
        check_round();
        b.CreateCondBr(truth(*s.value), inside, blocks.leave);
        b.SetInsertPoint(inside);
    }
    inside_loop(blocks, s.body);
    if (first) {
        if (is_open()) b.CreateBr(head);
    } else {
        go_on_in(blocks.next);
        if (outermost) note_round();
        check_round();
        b.CreateCondBr(truth(*s.value), blocks.leave, inside);
        head->eraseFromParent();
    }
    b.SetInsertPoint(blocks.leave);
}

void Code::count(const alg::Statement& s) {
    if (loops_deep_ == 0) edges_outermost_ = false;
    const alg::Type& type = unit.variable(s.variable).type;
    const alg::Type wide = scalar_type(ElementType::int64);
    llvm::Value* const begin = value_as(*s.first, wide);
    llvm::Value* const end = value_as(*s.value, wide);
    llvm::Value* const step = s.step ? value_as(*s.step, wide) : b.getInt64(1);
    const bool fixed = !s.step || s.step->kind == alg::Expression::Kind::constant;
    const bool outermost = is_outermost();
    // What a statement of the program costs at least, whatever it is.
    constexpr std::int64_t program_round = 1 << 12;
    // Loops of a length that the text says are counted as a whole, and stay free of calls.
    constexpr std::uint64_t most_at_once = 1 << 16;
    const auto* const from = llvm::dyn_cast<llvm::ConstantInt>(begin);
    const auto* const to = llvm::dyn_cast<llvm::ConstantInt>(end);
    const bool few = setting.member && from != nullptr && to != nullptr &&
                     (to->getValue() - from->getValue()).abs().ult(most_at_once);
    if (few) count_steps(b.getInt64((to->getValue() - from->getValue()).abs().getZExtValue()));
    const auto body = [&](llvm::Value* i, const Loop& blocks) {
        // Downwards both are negative.
        if (outermost) note_progress(b.CreateSub(i, begin), b.CreateSub(end, begin));
        if (!few) count_steps(b.getInt64(setting.member ? 1 : program_round));
        b.CreateStore(convert(i, wide, type), cell(s.variable));
        labels.erase(s.variable);
        inside_loop(blocks, s.body);
    };
    if (fixed && (!s.step || s.step->integer > 0)) {
        loop(begin, end, step, Pace::whole, body);
        return;
    }
    // Downwards, or nobody knows which way: the number of rounds is computed first.
    fail_when(b.CreateICmpEQ(step, b.getInt64(0)), [&] {
        call_runtime(offsetof(cpu::AlgorithmRuntime, fail), unit.nothing,
                     {frame(), unit.text("the step of this loop is 0"), unit.place(s.place)});
    });
    llvm::Value* const down = b.CreateICmpSLT(step, b.getInt64(0));
    llvm::Value* const distance =
        b.CreateSelect(down, b.CreateSub(begin, end), b.CreateSub(end, begin));
    llvm::Value* const stride = b.CreateSelect(down, b.CreateNeg(step), step);
    llvm::Value* const rounds =
        b.CreateSDiv(b.CreateAdd(distance, b.CreateSub(stride, b.getInt64(1))), stride);
    loop(b.getInt64(0), rounds, b.getInt64(1), Pace::single,
         [&](llvm::Value* round, const Loop& blocks) {
             body(b.CreateAdd(begin, b.CreateMul(round, step)), blocks);
         });
}

llvm::Value* Code::given_value(const alg::Statement& s, const alg::Type& type) {
    const alg::Type& own = s.value->type;
    const bool divisor = s.operation == alg::Operation::divide && !is_real(type) &&
                         own.element == ElementType::int64 && !own.vertex &&
                         own.lanes == type.lanes;
    return divisor ? value(*s.value) : value_as(*s.value, type);
}

void Code::statement(const alg::Statement& s) {
    switch (s.kind) {
    case Kind::scalar: {
        const alg::Type& type = unit.variable(s.variable).type;
        llvm::Value* const given = given_value(s, type);
        const bool kept = unit.variable(s.variable).is_local || !setting.member ||
                          setting.gathered.contains(s.variable);
        if (!kept) {
            // The body of a loop over buckets: all workers share the scalar itself.
            alg::Expression target;
            target.kind = alg::Expression::Kind::variable;
            target.variable = s.variable;
            target.type = type;
            target.place = s.place;
            update(target, s.operation, s.monoid.get(), given);
            return;
        }
        const Reordering reordering(*this);
        llvm::Value* const now =
            s.operation == alg::Operation::none
                ? given
                : combine(s.operation, s.monoid.get(), type, scalar(s.variable), given, s.place);
        b.CreateStore(now, cell(s.variable));
        labels.erase(s.variable);
        return;
    }
    case Kind::element: {
        const alg::Type type = element_of(unit.variable(s.target->variable).type);
        llvm::Value* const given = given_value(s, type);
        update(*s.target, s.operation, s.monoid.get(), given);
        return;
    }
    case Kind::evaluate:
        value(*s.value);
        return;
    case Kind::branch:
        if (claim(s)) return;
        when(
            truth(*s.value), [&] { statements(s.body); },
            s.otherwise.empty() ? Action{} : [&] { statements(s.otherwise); });
        return;
    case Kind::repeat:
    case Kind::until:
        repeat(s);
        return;
    case Kind::count:
        count(s);
        return;
    case Kind::leave:
        leave_to(loops_.back().leave, loops_.back().cleanups);
        return;
    case Kind::next:
        if (loops_.empty()) leave_to(finish, 0);
        else leave_to(loops_.back().next, loops_.back().cleanups);
        return;
    case Kind::finish:
        leave_to(finish, 0);
        return;
    case Kind::fail:
        fail_when(b.CreateNot(truth(*s.value)), [&] {
            call_runtime(offsetof(cpu::AlgorithmRuntime, fail), unit.nothing,
                         {frame(), unit.text(s.name), unit.place(s.place)});
        });
        return;
    case Kind::neighbours:
        neighbours(s);
        return;
    case Kind::marks:
        marks(s);
        return;
    case Kind::workspace:
        workspace(s);
        return;
    case Kind::visit:
        visit(s);
        return;
    case Kind::append:
        append_entry(s);
        return;
    default:
        if (!whole(s)) unit.refuse(s.place, "this statement cannot stand here");
    }
}

} // namespace tropic::compile
