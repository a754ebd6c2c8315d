// Ordered frontiers: whatever changes a key puts its index into the bin of the worker for the new
// key, inline; only full bins and buckets far away go through the runtime.
#include <limits>

#include "compile/algorithm/body.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

#include "llvm/IR/Intrinsics.h"

namespace tropic::compile {

using cpu::AlgorithmRuntime;
using cpu::Bin;
using cpu::BucketsView;
using cpu::WorkerView;

namespace {

/// Differences of numbers of buckets fit 64 bits.
constexpr std::int64_t farthest = std::int64_t{1} << 61;

} // namespace

llvm::Value* Code::bucket_width() {
    const alg::Buckets& buckets = *setting.buckets;
    if (bucket_width_ == nullptr) {
        const llvm::IRBuilder<>::InsertPoint here = b.saveIP();
        b.SetInsertPoint(start_);
        bucket_width_ = value_as(*buckets.width, element_of(unit.variable(buckets.key).type));
        b.restoreIP(here);
    }
    return bucket_width_;
}

llvm::Value* Code::bucket_of(llvm::Value* key) {
    const alg::Type type = element_of(unit.variable(setting.buckets->key).type);
    const alg::Type wide = scalar_type(ElementType::int64);
    llvm::Value* const width = bucket_width();
    if (is_real(type)) {
        llvm::Value* const quotient =
            b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, b.CreateFDiv(key, width));
        return far_at_most(convert(quotient, type, wide));
    }
    // Nearly all widths are powers of two, and a shift is many times faster than a division.
    if (bucket_shift_ == nullptr) {
        const llvm::IRBuilder<>::InsertPoint here = b.saveIP();
        b.SetInsertPoint(start_);
        bucket_shift_ =
            b.CreateIntrinsic(llvm::Intrinsic::cttz, {width->getType()}, {width, b.getTrue()});
        llvm::Value* const bits = b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, width);
        bucket_shifts_ = b.CreateICmpEQ(bits, llvm::ConstantInt::get(bits->getType(), 1));
        b.restoreIP(here);
    }
    llvm::AllocaInst* const bucket = new_cell(key->getType(), "bucket");
    const bool with_sign = is_signed_type(type);
    when(
        bucket_shifts_,
        [&] {
            b.CreateStore(with_sign ? b.CreateAShr(key, bucket_shift_)
                                    : b.CreateLShr(key, bucket_shift_),
                          bucket);
        },
        [&] {
            b.CreateStore(with_sign ? divided_down(key, width) : b.CreateUDiv(key, width), bucket);
        });
    llvm::Value* number = b.CreateLoad(key->getType(), bucket);
    if (size_of(type.element) < 8) return convert(number, type, wide);
    if (!with_sign) {
        number = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, number, b.getInt64(farthest));
    }
    return far_at_most(number);
}

/// Rounded down, not towards zero: the width is more than zero.
llvm::Value* Code::divided_down(llvm::Value* key, llvm::Value* width) {
    llvm::Value* const quotient = b.CreateSDiv(key, width);
    llvm::Value* const rest = b.CreateSub(key, b.CreateMul(quotient, width));
    llvm::Value* const less = b.CreateICmpSLT(rest, llvm::Constant::getNullValue(rest->getType()));
    return b.CreateAdd(quotient, b.CreateSExt(less, quotient->getType()));
}

/// Keys that are farther away than anybody counts, infinity among them, share the last bucket.
llvm::Value* Code::far_at_most(llvm::Value* bucket) {
    llvm::Value* const below =
        b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, bucket, b.getInt64(farthest));
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, below, b.getInt64(-farthest));
}

/// The bins that the code fills itself: of the buckets from the current one on that have one.
/// They are where they are for as long as a function runs.
const Code::NearBins& Code::near_bins() {
    if (near_bins_.first == nullptr) {
        const llvm::IRBuilder<>::InsertPoint here = b.saveIP();
        b.SetInsertPoint(start_);
        llvm::Value* const first_bin = worker_field(offsetof(WorkerView, first_bin), unit.i64);
        llvm::Value* const behind =
            b.CreateAdd(first_bin, worker_field(offsetof(WorkerView, bin_count), unit.i64));
        llvm::Value* const until = worker_field(offsetof(WorkerView, until), unit.i64);
        llvm::Value* const first =
            b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, argument(2), first_bin);
        llvm::Value* const end = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, behind, until);
        llvm::Value* const there =
            b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, b.CreateSub(end, first), b.getInt64(0));
        llvm::Value* const bins =
            b.CreateGEP(unit.i8, worker_field(offsetof(WorkerView, bins), unit.pointer),
                        b.CreateMul(b.CreateSub(first, first_bin), b.getInt64(sizeof(Bin))));
        near_bins_ = {.first = first, .count = there, .bins = bins};
        b.restoreIP(here);
    }
    return near_bins_;
}

void Code::push_to_bucket(llvm::Value* index, llvm::Value* key) {
    llvm::Value* const wanted = bucket_of(key);
    const NearBins& bins = near_bins();
    llvm::Value* const number = b.CreateSub(wanted, bins.first);
    llvm::BasicBlock* const near = block("near");
    llvm::BasicBlock* const room = block("room");
    llvm::BasicBlock* const slow = block("slow");
    llvm::BasicBlock* const done = block("pushed");
    b.CreateCondBr(b.CreateICmpULT(number, bins.count), near, slow);
    b.SetInsertPoint(near);
    llvm::Value* const bin =
        b.CreateInBoundsGEP(unit.i8, bins.bins, b.CreateNSWMul(number, b.getInt64(sizeof(Bin))));
    llvm::Value* const count_at = at(b, bin, offsetof(Bin, count));
    llvm::Value* const count = b.CreateLoad(unit.i64, count_at);
    llvm::Value* const capacity = b.CreateLoad(unit.i64, at(b, bin, offsetof(Bin, capacity)));
    b.CreateCondBr(b.CreateICmpSLT(count, capacity), room, slow);
    b.SetInsertPoint(room);
    llvm::Value* const items = b.CreateLoad(unit.pointer, at(b, bin, offsetof(Bin, items)));
    unit.mark(b.CreateStore(b.CreateTrunc(index, unit.index),
                            b.CreateInBoundsGEP(unit.index, items, count)),
              Memory::list, -1);
    b.CreateStore(b.CreateAdd(count, b.getInt64(1)), count_at);
    b.CreateBr(done);
    b.SetInsertPoint(slow);
    llvm::Value* const current = argument(2);
    llvm::Value* const late = b.CreateICmpSLT(wanted, current);
    llvm::Value* const bucket = b.CreateSelect(late, current, wanted);
    // What belongs before the current bucket is marked by its sign, so that its key does not look
    // like that of an item which has been done since it was put here.
    llvm::Value* const item = b.CreateXor(index, b.CreateSExt(late, unit.i64));
    when(b.CreateICmpSLT(bucket, worker_field(offsetof(WorkerView, until), unit.i64)), [&] {
        call_runtime(offsetof(AlgorithmRuntime, bucket_push), unit.nothing,
                     {frame(), worker(), bucket, item});
    });
    go_on_in(done);
}

void Code::buckets(const alg::Statement& s) {
    const alg::Buckets& given = *s.buckets;
    const alg::Type key_type = element_of(unit.variable(given.key).type);
    if (key_type.record >= 0 || key_type.lanes > 1 || is_truth(key_type)) {
        unit.refuse(s.place, "the keys of buckets are numbers");
    }
    Uses uses;
    collect(uses, unit, s.body);
    collect(uses, unit, *given.width);
    // Everybody changes everybody's keys; what is own to a member may be another worker's as well.
    for (VariableSet* const own : {&uses.written_own, &uses.assigned}) {
        uses.written_shared.insert(own->begin(), own->end());
    }
    uses.whole.insert(uses.whole_if_shared.begin(), uses.whole_if_shared.end());
    uses.inserted_shared.insert(uses.inserted_own.begin(), uses.inserted_own.end());
    uses.written_shared.insert(given.key);
    Ahead ahead = ahead_of(unit, given.label, given.graph, given.inward, s.body);
    const bool finds =
        s.body.size() == 1 && improves_only(unit, s.body[0], given.key) && can_find(unit, key_type);
    const bool pulls = finds && can_pull(unit, s.body[0], given);
    enum class Part : std::uint8_t { members, distribute };
    const auto write = [&](bool atomic, Part part) {
        llvm::Function* const function =
            new_body(unit, part == Part::members ? "bucket" : "distribute");
        Setting allowed = setting_of(uses, atomic, false);
        allowed.buckets = &given;
        Code code(unit, function, allowed);
        const auto key_of = [&](llvm::Value* item) {
            return code.load(key_type, code.address(given.key, item), given.key, atomic);
        };
        const auto item_at = [&](llvm::Value* number) {
            llvm::LoadInst* const loaded = code.b.CreateLoad(
                unit.index, code.b.CreateInBoundsGEP(unit.index, code.argument(5), number));
            unit.mark(loaded, Memory::list, -1);
            return code.b.CreateSExt(loaded, unit.i64);
        };
        llvm::Value* const begin = code.argument(3);
        llvm::Value* end = code.argument(4);
        if (part == Part::members) {
            // Most items have been done since they were put here, by way of a lesser key: they
            // leave the list before their rows are asked for.
            llvm::AllocaInst* const kept = code.new_cell(unit.i64, "kept");
            code.b.CreateStore(begin, kept);
            Ahead keys;
            keys.at_members.push_back(given.key);
            code.loop(
                begin, end, code.b.getInt64(1), Pace::single,
                [&](llvm::Value* number, const Loop&) {
                    code.fetch_ahead_in_bucket(code.argument(5), number, code.argument(4), keys);
                    llvm::Value* const marked = item_at(number);
                    llvm::Value* const late = code.b.CreateICmpSLT(marked, code.b.getInt64(0));
                    llvm::Value* const item =
                        code.b.CreateXor(marked, code.b.CreateSExt(late, unit.i64));
                    llvm::Value* const count = code.b.CreateLoad(unit.i64, kept);
                    llvm::StoreInst* const stored = code.b.CreateStore(
                        code.b.CreateTrunc(item, unit.index),
                        code.b.CreateInBoundsGEP(unit.index, code.argument(5), count));
                    unit.mark(stored, Memory::list, -1);
                    llvm::Value* const bucket = code.bucket_of(key_of(item));
                    llvm::Value* const current = code.b.CreateICmpEQ(bucket, code.argument(2));
                    llvm::Value* const before = code.b.CreateICmpSLT(bucket, code.argument(2));
                    llvm::Value* const stays =
                        code.b.CreateOr(current, code.b.CreateAnd(late, before));
                    code.b.CreateStore(code.b.CreateAdd(count, code.b.CreateZExt(stays, unit.i64)),
                                       kept);
                });
            end = code.b.CreateLoad(unit.i64, kept);
        }
        const bool postpones = part == Part::members && !s.body.empty() &&
                               code.begin_postponing(s.body.back(), given.key);
        // The keys of members have just been looked at.
        if (part == Part::members) std::erase(ahead.at_members, given.key);
        const auto go_through = [&] {
            code.loop(begin, end, code.b.getInt64(1), Pace::single,
                      [&](llvm::Value* number, const Loop& blocks) {
                          if (part == Part::members) {
                              code.fetch_ahead_in_bucket(code.argument(5), number, end, ahead);
                          }
                          llvm::Value* const member = item_at(number);
                          llvm::Value* const key = key_of(member);
                          if (part == Part::distribute) {
                              code.push_to_bucket(member, key);
                              return;
                          }
                          code.bind_label(given.label, member);
                          code.finish = blocks.next;
                          llvm::BasicBlock* const current = code.block("current");
                          code.b.CreateCondBr(
                              code.b.CreateICmpSLE(code.bucket_of(key), code.argument(2)), current,
                              blocks.next);
                          code.b.SetInsertPoint(current);
                          code.statements(s.body);
                      });
        };
        if (part == Part::members && pulls) {
            llvm::Value* const limit = code.worker_field(offsetof(WorkerView, limit), unit.i64);
            code.when(
                code.b.CreateICmpSLT(limit,
                                     code.b.getInt64(std::numeric_limits<std::int64_t>::max())),
                [&] { code.offer_keys(s.body[0], begin, end); }, go_through);
        } else {
            go_through();
        }
        if (postpones) code.make_postponed();
        code.write_back_appenders();
        code.b.CreateRetVoid();
        code.end_prologue();
        return function;
    };
    llvm::Function* const serial = write(false, Part::members);
    llvm::Function* const parallel = write(true, Part::members);
    llvm::Function* const distribute = write(true, Part::distribute);
    const auto write_alone = [&](const char* name, const std::function<void(Code&)>& body) {
        llvm::Function* const function = new_body(unit, name);
        Setting allowed = setting_of(uses, false, false);
        allowed.buckets = &given;
        Code code(unit, function, allowed);
        body(code);
        code.b.CreateRetVoid();
        code.end_prologue();
        return function;
    };
    llvm::Constant* find = llvm::ConstantPointerNull::get(unit.pointer);
    llvm::Constant* pull = find;
    if (finds) find = write_alone("find", [](Code& code) { code.find_members(); });
    if (pulls) pull = write_alone("pull", [&](Code& code) { code.pull_keys(s.body[0]); });
    const InsertTable inserts = insert_table(unit, setting_of(uses, false, false), {}, {}, {});
    static_assert(sizeof(BucketsView) == 88);
    llvm::Constant* const view = constant_view(
        unit, {serial, parallel, distribute, find, pull, inserts.views,
               int32_constant(unit, inserts.count), int32_constant(unit, given.start),
               int32_constant(unit, given.bucket), int32_constant(unit, given.graph),
               int32_constant(unit, given.inward ? 1 : 0), int32_constant(unit, given.key),
               unit.place(s.place), unit.line(s.place)});
    llvm::Value* const width = value_as(*given.width, key_type);
    llvm::Value* const fine = compare(alg::Operation::less, key_type,
                                      llvm::Constant::getNullValue(width->getType()), width);
    fail_when(b.CreateNot(fine), [&] {
        call_runtime(
            offsetof(AlgorithmRuntime, fail), unit.nothing,
            {frame(), unit.text("the width of buckets must be more than 0"), unit.place(s.place)});
    });
    VariableSet scalars = uses.assigned;
    scalars.insert(uses.scalars.begin(), uses.scalars.end());
    if (given.bucket >= 0) scalars.insert(given.bucket);
    store_scalars(scalars);
    mark(uses.looked_up);
    mark(uses.inserted_shared);
    llvm::Value* const whole_width =
        is_real(key_type) ? b.getInt64(0)
                          : b.CreateIntCast(width, unit.i64, is_signed_type(key_type));
    call_runtime(offsetof(AlgorithmRuntime, buckets), unit.nothing, {frame(), view, whole_width});
    load_scalars(uses.assigned);
}

} // namespace tropic::compile
