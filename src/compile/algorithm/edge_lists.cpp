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
    : code(code), unit(code.unit), b(code.b), statement(s), key_vector(code.setting.buckets->key),
      key_type(element_of(unit.variable(key_vector).type)),
      value_type(element_of(unit.variable(s.graph).type)),
      lane_count(static_cast<unsigned>(Lanes::count(unit))), key_word(unit.value_type(key_type)),
      key_words(llvm::FixedVectorType::get(key_word, lane_count)),
      index_words(llvm::FixedVectorType::get(unit.index, lane_count)),
      crd(side(offsetof(GraphView, in_crd), offsetof(GraphView, out_crd))),
      values(side(offsetof(GraphView, in_values), offsetof(GraphView, out_values))), enough(enough),
      edge_list(new_list("edges")), value_list(new_list("values", key_word, enough + stretch)),
      edge_count(new_count("count")) {}

llvm::Value* EdgeLists::side(std::int64_t in, std::int64_t out) {
    return code.view_field(statement.graph, statement.inward ? in : out, unit.pointer);
}

llvm::AllocaInst* EdgeLists::new_list(const char* name, llvm::Type* type, std::int64_t size) {
    const auto room = static_cast<std::uint64_t>(size) + 2UL * lane_count;
    return code.new_cell(llvm::ArrayType::get(type, room), name);
}

llvm::AllocaInst* EdgeLists::new_count(const char* name, std::int64_t start) {
    llvm::AllocaInst* const cell = code.new_cell(unit.i64, name);
    b.CreateStore(b.getInt64(start), cell);
    return cell;
}

void EdgeLists::add(llvm::AllocaInst* count, llvm::Value* more) {
    b.CreateStore(b.CreateNSWAdd(b.CreateLoad(unit.i64, count), more), count);
}

llvm::Value* EdgeLists::load_indices(llvm::Value* from, llvm::Value* inside) {
    return b.CreateMaskedLoad(index_words, from, unit.index_alignment(), inside,
                              llvm::Constant::getNullValue(index_words));
}

llvm::Value* EdgeLists::load_keys(llvm::Value* from, llvm::Value* inside) {
    return b.CreateMaskedLoad(key_words, from, key_alignment(), inside,
                              llvm::Constant::getNullValue(key_words));
}

llvm::Value* EdgeLists::index_at(llvm::Value* list, llvm::Value* at) {
    return b.CreateSExt(b.CreateLoad(unit.index, place_in(list, at)), unit.i64);
}

llvm::Value* EdgeLists::keys_at(llvm::Value* indices, llvm::Value* inside) {
    llvm::Value* const first = code.address(key_vector, b.getInt64(0));
    return b.CreateMaskedGather(key_words, b.CreateInBoundsGEP(key_word, first, indices),
                                key_alignment(), inside, llvm::Constant::getNullValue(key_words));
}

llvm::Value* EdgeLists::ends_of(llvm::Value* edges, llvm::Value* inside) {
    return b.CreateMaskedGather(index_words, b.CreateInBoundsGEP(unit.index, crd, edges),
                                unit.index_alignment(), inside,
                                llvm::Constant::getNullValue(index_words));
}

llvm::Value* EdgeLists::as_keys(llvm::Value* stored) {
    alg::Type from = value_type;
    alg::Type to = key_type;
    from.lanes = to.lanes = static_cast<int>(lane_count);
    return code.convert(stored, from, to);
}

void EdgeLists::fetch_values(const Code::Edges& edges) {
    const std::int64_t line = line_bytes / unit.bytes_of(value_type);
    for (llvm::Value* const at : {edges.begin, b.CreateNSWAdd(edges.begin, b.getInt64(line)),
                                  b.CreateNSWSub(edges.end, b.getInt64(1))}) {
        code.fetch(place_of_values(at));
    }
}

void EdgeLists::find_edges(llvm::Value* begin, llvm::Value* end,
                           const std::function<Row(llvm::Value*)>& row_of,
                           const std::function<void()>& look) {
    // Looking is much code, which stands here once: what is next is kept in cells.
    llvm::AllocaInst* const next = code.new_cell(unit.i64, "next");
    llvm::AllocaInst* const done_of_row = new_count("done_of_row");
    b.CreateStore(begin, next);
    const auto left = [&] { return b.CreateICmpSLT(b.CreateLoad(unit.i64, next), end); };
    llvm::BasicBlock* const piece = code.block("piece");
    llvm::BasicBlock* const full = code.block("full");
    llvm::BasicBlock* const done = code.block("done");
    b.CreateCondBr(left(), piece, done);
    b.SetInsertPoint(piece);
    llvm::Value* const number = b.CreateLoad(unit.i64, next);
    Row row = row_of(number);
    llvm::Value* const row_begin = row.edges.begin;
    llvm::Value* const row_end = row.edges.end;
    row.edges.begin = b.CreateNSWAdd(row_begin, b.CreateLoad(unit.i64, done_of_row));
    row.edges.end = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, row_end,
                                            b.CreateNSWAdd(row.edges.begin, b.getInt64(stretch)));
    if (row.looked != nullptr) {
        add(row.looked, b.CreateNSWSub(row.edges.end, row.edges.begin));
    }
    find_in_row(row);
    llvm::Value* const whole = b.CreateICmpSGE(row.edges.end, row_end);
    b.CreateStore(b.CreateNSWAdd(number, b.CreateZExt(whole, unit.i64)), next);
    b.CreateStore(b.CreateSelect(whole, b.getInt64(0), b.CreateNSWSub(row.edges.end, row_begin)),
                  done_of_row);
    llvm::Value* const room =
        b.CreateICmpSLT(b.CreateLoad(unit.i64, edge_count), b.getInt64(enough));
    b.CreateCondBr(b.CreateAnd(room, left()), piece, full);
    b.SetInsertPoint(full);
    look();
    b.CreateStore(b.getInt64(0), edge_count);
    b.CreateCondBr(left(), piece, done);
    b.SetInsertPoint(done);
}

void EdgeLists::find_in_row(const Row& row) {
    llvm::Value* const first = b.CreateLoad(unit.i64, edge_count);
    code.loop(row.edges.begin, row.edges.end, b.getInt64(lane_count), Code::Pace::single,
              [&](llvm::Value* place, const Code::Loop&) {
                  llvm::Value* const inside = code.lanes_inside(row.edges, place);
                  llvm::Value* const value =
                      as_keys(Lanes(code, {}).values_at(values, value_type, place, inside));
                  llvm::Value* const wanted =
                      b.CreateAnd(inside, b.CreateICmpSLT(value, splat(row.bound)));
                  llvm::Value* const count = b.CreateLoad(unit.i64, edge_count);
                  code.pack(code.numbers_from(place), wanted, place_in(edge_list, count));
                  llvm::Value* const kept =
                      row.more == nullptr ? value : b.CreateAdd(value, splat(row.more));
                  code.pack(kept, wanted, key_in(value_list, count));
                  if (row.member != nullptr) {
                      b.CreateAlignedStore(splat(row.member), place_in(row.members, count),
                                           unit.index_alignment());
                  }
                  add(edge_count, code.how_many(wanted));
              });
    fetch_ends(first);
}

/// Of the edges from a place of the list on: the first, the last and the one between them. Most
/// rows have few lines, and no edge there is worth a branch. What is not there may be anything.
void EdgeLists::fetch_ends(llvm::Value* first) {
    llvm::Value* const behind = b.CreateNSWSub(b.CreateLoad(unit.i64, edge_count), b.getInt64(1));
    llvm::Value* const last = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, behind, b.getInt64(0));
    llvm::Value* const between = b.CreateLShr(b.CreateNSWAdd(first, last), 1);
    for (llvm::Value* const at : {first, between, last}) {
        code.fetch(b.CreateGEP(unit.index, crd, index_at(edge_list, at)));
    }
}

void EdgeLists::for_found(const std::function<void(llvm::Value*, llvm::Value*)>& body) {
    const Code::Edges all{b.getInt64(0), b.CreateLoad(unit.i64, edge_count)};
    code.loop(all.begin, all.end, b.getInt64(lane_count), Code::Pace::single,
              [&](llvm::Value* at, const Code::Loop&) { body(at, code.lanes_inside(all, at)); });
}

} // namespace tropic::compile
