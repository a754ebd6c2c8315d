#include "compile/algorithm/edge_lists.h"

#include "compile/algorithm/lanes.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

#include "llvm/IR/Intrinsics.h"

namespace tropic::compile {

using cpu::GraphView;

namespace {

constexpr std::int64_t line_bytes = 64;

} // namespace

EdgeLists::EdgeLists(Code& code, const alg::Statement& s, std::int64_t enough)
    : code_(code), unit_(code.unit), b_(code.b), s_(s), keys_(code.setting.buckets->key),
      type_(element_of(unit_.variable(keys_).type)),
      stored_(element_of(unit_.variable(s.graph).type)),
      lanes_(static_cast<unsigned>(Lanes::count(unit_))), one_(unit_.value_type(type_)),
      many_(llvm::FixedVectorType::get(one_, lanes_)),
      indices_(llvm::FixedVectorType::get(unit_.index, lanes_)),
      crd_(side(offsetof(GraphView, in_crd), offsetof(GraphView, out_crd))),
      values_(side(offsetof(GraphView, in_values), offsetof(GraphView, out_values))),
      enough_(enough), edges_(new_list("edges")), count_(new_count("count")) {}

llvm::Value* EdgeLists::side(std::int64_t in, std::int64_t out) {
    return code_.view_field(s_.graph, s_.inward ? in : out, unit_.pointer);
}

llvm::AllocaInst* EdgeLists::new_list(const char* name, llvm::Type* type, std::int64_t size) {
    const auto room = static_cast<std::uint64_t>(size) + 2UL * lanes_;
    return code_.new_cell(llvm::ArrayType::get(type, room), name);
}

llvm::AllocaInst* EdgeLists::new_count(const char* name, std::int64_t start) {
    llvm::AllocaInst* const cell = code_.new_cell(unit_.i64, name);
    b_.CreateStore(b_.getInt64(start), cell);
    return cell;
}

void EdgeLists::add(llvm::AllocaInst* count, llvm::Value* more) {
    b_.CreateStore(b_.CreateNSWAdd(b_.CreateLoad(unit_.i64, count), more), count);
}

llvm::Value* EdgeLists::numbers_from(llvm::Value* first) {
    return b_.CreateAdd(splat(b_.CreateIntCast(first, unit_.index, true)),
                        b_.CreateStepVector(indices_));
}

void EdgeLists::pack(llvm::Value* all, llvm::Value* chosen, llvm::Value* to) {
    llvm::Value* const packed =
        b_.CreateIntrinsic(llvm::Intrinsic::experimental_vector_compress, {indices_},
                           {all, chosen, llvm::PoisonValue::get(indices_)});
    b_.CreateAlignedStore(packed, to, index_alignment());
}

llvm::Value* EdgeLists::how_many(llvm::Value* chosen) {
    llvm::Value* const mask = b_.CreateBitCast(chosen, b_.getIntNTy(lanes_));
    return b_.CreateZExt(b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, mask), unit_.i64);
}

llvm::Value* EdgeLists::load_indices(llvm::Value* from, llvm::Value* inside) {
    return b_.CreateMaskedLoad(indices_, from, index_alignment(), inside,
                               llvm::Constant::getNullValue(indices_));
}

llvm::Value* EdgeLists::index_at(llvm::Value* list, llvm::Value* at) {
    return b_.CreateSExt(b_.CreateLoad(unit_.index, place_in(list, at)), unit_.i64);
}

llvm::Value* EdgeLists::keys_at(llvm::Value* indices, llvm::Value* inside) {
    llvm::Value* const first = code_.address(keys_, b_.getInt64(0));
    return b_.CreateMaskedGather(many_, b_.CreateInBoundsGEP(one_, first, indices), key_alignment(),
                                 inside, llvm::Constant::getNullValue(many_));
}

llvm::Value* EdgeLists::ends_of(llvm::Value* edges, llvm::Value* inside) {
    return b_.CreateMaskedGather(indices_, b_.CreateInBoundsGEP(unit_.index, crd_, edges),
                                 index_alignment(), inside, llvm::Constant::getNullValue(indices_));
}

llvm::Value* EdgeLists::as_keys(llvm::Value* values) {
    alg::Type from = stored_;
    alg::Type to = type_;
    from.lanes = to.lanes = static_cast<int>(lanes_);
    return code_.convert(values, from, to);
}

/// Gathers fetch words of 4 bytes or more: of narrower values, others come along with them, up to 3
/// bytes behind the last one.
llvm::Value* EdgeLists::values_at(llvm::Value* edges, llvm::Value* inside) {
    const std::int64_t bytes = unit_.bytes_of(stored_);
    auto* const own = llvm::FixedVectorType::get(unit_.stored_type(stored_), lanes_);
    auto* const words = bytes < 4 ? llvm::FixedVectorType::get(unit_.i32, lanes_) : own;
    llvm::Value* const found = b_.CreateMaskedGather(words, place_of_values(edges),
                                                     llvm::Align(static_cast<std::uint64_t>(bytes)),
                                                     inside, llvm::Constant::getNullValue(words));
    return as_keys(bytes < 4 ? b_.CreateTrunc(found, own) : found);
}

void EdgeLists::fetch_values(const Code::Edges& edges) {
    const std::int64_t line = line_bytes / unit_.bytes_of(stored_);
    for (llvm::Value* const at : {edges.begin, b_.CreateNSWAdd(edges.begin, b_.getInt64(line)),
                                  b_.CreateNSWSub(edges.end, b_.getInt64(1))}) {
        code_.fetch(place_of_values(at));
    }
}

void EdgeLists::find_edges(llvm::Value* begin, llvm::Value* end,
                           const std::function<Row(llvm::Value*)>& row_of,
                           const std::function<void()>& look) {
    // Looking is much code, which stands here once: what is next is kept in cells.
    llvm::AllocaInst* const next = code_.new_cell(unit_.i64, "next");
    llvm::AllocaInst* const done_of_row = new_count("done_of_row");
    b_.CreateStore(begin, next);
    const auto left = [&] { return b_.CreateICmpSLT(b_.CreateLoad(unit_.i64, next), end); };
    llvm::BasicBlock* const piece = code_.block("piece");
    llvm::BasicBlock* const full = code_.block("full");
    llvm::BasicBlock* const done = code_.block("done");
    b_.CreateCondBr(left(), piece, done);
    b_.SetInsertPoint(piece);
    llvm::Value* const number = b_.CreateLoad(unit_.i64, next);
    Row row = row_of(number);
    llvm::Value* const row_begin = row.edges.begin;
    llvm::Value* const row_end = row.edges.end;
    row.edges.begin = b_.CreateNSWAdd(row_begin, b_.CreateLoad(unit_.i64, done_of_row));
    row.edges.end = b_.CreateBinaryIntrinsic(
        llvm::Intrinsic::smin, row_end, b_.CreateNSWAdd(row.edges.begin, b_.getInt64(stretch)));
    if (row.looked != nullptr) {
        add(row.looked, b_.CreateNSWSub(row.edges.end, row.edges.begin));
    }
    find_in_row(row);
    llvm::Value* const whole = b_.CreateICmpSGE(row.edges.end, row_end);
    b_.CreateStore(b_.CreateNSWAdd(number, b_.CreateZExt(whole, unit_.i64)), next);
    b_.CreateStore(
        b_.CreateSelect(whole, b_.getInt64(0), b_.CreateNSWSub(row.edges.end, row_begin)),
        done_of_row);
    llvm::Value* const room =
        b_.CreateICmpSLT(b_.CreateLoad(unit_.i64, count_), b_.getInt64(enough_));
    b_.CreateCondBr(b_.CreateAnd(room, left()), piece, full);
    b_.SetInsertPoint(full);
    look();
    b_.CreateCondBr(left(), piece, done);
    b_.SetInsertPoint(done);
}

void EdgeLists::find_in_row(const Row& row) {
    llvm::Value* const first = b_.CreateLoad(unit_.i64, count_);
    code_.loop(row.edges.begin, row.edges.end, b_.getInt64(lanes_), Code::Pace::single,
               [&](llvm::Value* place, const Code::Loop&) {
                   llvm::Value* const inside = code_.lanes_inside(row.edges, place);
                   llvm::Value* const value =
                       as_keys(Lanes(code_, {}).values_at(values_, stored_, place, inside));
                   llvm::Value* const wanted =
                       b_.CreateAnd(inside, b_.CreateICmpSLT(value, splat(row.bound)));
                   llvm::Value* const count = b_.CreateLoad(unit_.i64, count_);
                   pack(numbers_from(place), wanted, place_in(edges_, count));
                   llvm::Type* const one = row.beside->getType()->getScalarType();
                   b_.CreateAlignedStore(row.beside, b_.CreateInBoundsGEP(one, row.list, count),
                                         llvm::Align(one->getIntegerBitWidth() / 8));
                   add(count_, how_many(wanted));
               });
    fetch_ends(first);
}

/// Of the edges from a place of the list on: the first, the last and the one between them. Most
/// rows have few lines, and no edge there is worth a branch. What is not there may be anything.
void EdgeLists::fetch_ends(llvm::Value* first) {
    llvm::Value* const behind = b_.CreateNSWSub(b_.CreateLoad(unit_.i64, count_), b_.getInt64(1));
    llvm::Value* const last =
        b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, behind, b_.getInt64(0));
    llvm::Value* const between = b_.CreateLShr(b_.CreateNSWAdd(first, last), 1);
    for (llvm::Value* const at : {first, between, last}) {
        code_.fetch(b_.CreateGEP(unit_.index, crd_, index_at(edges_, at)));
    }
}

void EdgeLists::for_found(const std::function<void(llvm::Value*, llvm::Value*)>& body) {
    const Code::Edges all{b_.getInt64(0), b_.CreateLoad(unit_.i64, count_)};
    code_.loop(all.begin, all.end, b_.getInt64(lanes_), Code::Pace::single,
               [&](llvm::Value* at, const Code::Loop&) { body(at, code_.lanes_inside(all, at)); });
}

} // namespace tropic::compile
