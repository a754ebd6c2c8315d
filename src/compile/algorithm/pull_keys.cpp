// Lesser keys, taken from the other ends of edges instead of being offered there. Where everybody
// who waits in a bucket has a key of at least `base`, only edges whose value is less than what lies
// between `base` and a key can make that key less: most values of most rows are too large once the
// first buckets are done, and their ends are never looked at (Chakaravarthy et al., "Scalable
// single source shortest path algorithms for massively parallel systems", 2014).
#include "compile/algorithm/edge_lists.h"
#include "compile/algorithm/filter.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

#include "llvm/IR/Intrinsics.h"

namespace tropic::compile {

using cpu::WorkerView;
using Kind = alg::Expression::Kind;

namespace {

/// Members whose rows are looked for together.
constexpr std::int64_t block = 1024;
/// Edges whose ends are looked at together.
constexpr std::int64_t together = 512;
/// Rows between asking for one and going through it.
constexpr std::int64_t rows_ahead = 24;

class KeyPull : EdgeLists {
  public:
    KeyPull(Code& code, const alg::Statement& s)
        : EdgeLists(code, s, together), rows_(new_list("rows", unit.index, block)),
          members_(new_list("members")), ends_(new_list("ends")),
          row_count_(new_count("row_count")), looked_rows_(new_count("looked_rows")),
          looked_edges_(new_count("looked_edges")), looked_ends_(new_count("looked_ends")),
          last_(new_count("last", -1)), found_(code.new_cell(unit.i64, "found")) {
        b.CreateStore(code.worker_field(offsetof(WorkerView, found), unit.i64), found_);
    }

    void write() {
        llvm::Constant* const infinite = code.infinity(key_type);
        const auto later = [&](llvm::Value* key, std::int64_t field) {
            llvm::Value* const sum = b.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, key,
                                                             code.worker_field(field, unit.i64));
            return b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, sum,
                                           b.CreateSExt(infinite, unit.i64));
        };
        llvm::Value* const base =
            later(code.first_key(code.argument(2)), offsetof(WorkerView, pull_ahead));
        base_ = b.CreateTrunc(base, key_word);
        limit_ = code.first_key_of(offsetof(WorkerView, limit));
        offered_ = code.first_key_of(offsetof(WorkerView, offered));
        final_ = b.CreateBinaryIntrinsic(
            llvm::Intrinsic::smin, limit_,
            b.CreateTrunc(later(base, offsetof(WorkerView, least_value)), key_word));
        code.loop(code.argument(3), code.argument(4), b.getInt64(block), Code::Pace::single,
                  [&](llvm::Value* first, const Code::Loop&) {
                      find_rows(first);
                      go_through_rows();
                  });
        b.CreateStore(b.CreateLoad(unit.i64, found_),
                      code.at(b, code.worker(), offsetof(WorkerView, found)));
        add_to(offsetof(WorkerView, pulled_rows), looked_rows_);
        add_to(offsetof(WorkerView, pulled_edges), looked_edges_);
        add_to(offsetof(WorkerView, pulled_ends), looked_ends_);
    }

  private:
    void add_to(std::int64_t field, llvm::AllocaInst* count) {
        llvm::Value* const before = code.worker_field(field, unit.i64);
        b.CreateStore(b.CreateNSWAdd(before, b.CreateLoad(unit.i64, count)),
                      code.at(b, code.worker(), field));
    }
    llvm::Value* key_at(llvm::Value* index) {
        return code.load(key_type, code.address(key_vector, index), key_vector, true);
    }
    Code::Edges row_of(llvm::Value* member) {
        return code.edges_of(statement.graph, statement.inward, member);
    }

    /// Those of a block whose key might become less, into `rows_`.
    void find_rows(llvm::Value* first) {
        llvm::Value* const until = b.CreateBinaryIntrinsic(
            llvm::Intrinsic::smin, code.argument(4), b.CreateNSWAdd(first, b.getInt64(block)));
        b.CreateStore(b.getInt64(0), row_count_);
        code.loop(first, until, b.getInt64(lane_count), Code::Pace::single,
                  [&](llvm::Value* place, const Code::Loop&) {
                      llvm::Value* const inside = code.lanes_inside({first, until}, place);
                      llvm::Value* const key = b.CreateMaskedLoad(
                          key_words, code.address(key_vector, place), key_alignment(), inside,
                          llvm::Constant::getNullValue(key_words));
                      EdgeGroup group{
                          place, inside, statement.graph, statement.inward, statement.variable, -1,
                          {},    true};
                      llvm::Value* const has_row = Lanes(code, std::move(group)).has_row();
                      llvm::Value* const wanted = b.CreateAnd(
                          inside, b.CreateAnd(b.CreateICmpSGT(key, splat(final_)), has_row));
                      llvm::Value* const so_far = b.CreateLoad(unit.i64, row_count_);
                      code.pack(code.numbers_from(place), wanted, place_in(rows_, so_far));
                      add(row_count_, code.how_many(wanted));
                  });
        add(looked_rows_, b.CreateLoad(unit.i64, row_count_));
    }

    /// Finds the edges of rows that might make their keys less. Whoever waits has a key of at least
    /// `base_`; whoever does not has offered all that is less than `limit_`, and, with a key below
    /// `offered_`, everything.
    void go_through_rows() {
        llvm::Value* const count = b.CreateLoad(unit.i64, row_count_);
        llvm::Value* const final = b.CreateNSWSub(count, b.getInt64(1));
        const auto row = [&](llvm::Value* at) {
            llvm::Value* const later = b.CreateBinaryIntrinsic(
                llvm::Intrinsic::smin, b.CreateNSWAdd(at, b.getInt64(rows_ahead)), final);
            fetch_values(row_of(index_at(rows_, later)));
            llvm::Value* const member = index_at(rows_, at);
            llvm::Value* const key = key_at(member);
            llvm::Value* const least =
                b.CreateSelect(b.CreateICmpSLT(key, limit_), base_, offered_);
            return Row{.edges = row_of(member),
                       .bound = b.CreateNSWSub(key, least),
                       .member = b.CreateTrunc(member, unit.index),
                       .members = members_,
                       .looked = looked_edges_};
        };
        find_edges(b.getInt64(0), count, row, [&] { look_at_ends(); });
    }

    void look_at_ends() {
        add(looked_ends_, b.CreateLoad(unit.i64, edge_count));
        for_found([&](llvm::Value* at, llvm::Value* inside) {
            llvm::Value* const edge = load_indices(place_in(edge_list, at), inside);
            b.CreateAlignedStore(ends_of(edge, inside), place_in(ends_, at),
                                 unit.index_alignment());
        });
        // What is left stays at the front of the lists.
        llvm::AllocaInst* const kept = new_count("kept");
        for_found([&](llvm::Value* at, llvm::Value* inside) {
            llvm::Value* const member = load_indices(place_in(members_, at), inside);
            llvm::Value* const end = load_indices(place_in(ends_, at), inside);
            llvm::Value* const there = keys_at(end, inside);
            llvm::Value* const here = keys_at(member, inside);
            llvm::Value* const value = load_keys(key_in(value_list, at), inside);
            // Not by the sum: infinity and something more is less than anything.
            llvm::Value* const better = b.CreateAnd(
                b.CreateICmpSLT(there, here), b.CreateICmpSLT(value, b.CreateSub(here, there)));
            llvm::Value* const chosen = b.CreateAnd(inside, better);
            llvm::Value* const so_far = b.CreateLoad(unit.i64, kept);
            code.pack(end, chosen, place_in(ends_, so_far));
            code.pack(value, chosen, key_in(value_list, so_far));
            code.pack(member, chosen, place_in(members_, so_far));
            add(kept, code.how_many(chosen));
        });
        code.loop(b.getInt64(0), b.CreateLoad(unit.i64, kept), b.getInt64(1), Code::Pace::single,
                  [&](llvm::Value* at, const Code::Loop&) { change(at); });
    }

    /// Looks once more: another edge of the same row may have been better.
    void change(llvm::Value* at) {
        llvm::Value* const member = index_at(members_, at);
        llvm::Value* const value = b.CreateLoad(key_word, key_in(value_list, at));
        llvm::Value* const sum = b.CreateAdd(key_at(index_at(ends_, at)), value);
        code.when(b.CreateICmpSLT(sum, key_at(member)), [&] {
            code.store(key_type, sum, code.address(key_vector, member), key_vector, true);
            // The changes of a row come one after the other.
            llvm::Value* const is_new = b.CreateICmpNE(member, b.CreateLoad(unit.i64, last_));
            b.CreateStore(member, last_);
            llvm::Value* const found = b.CreateLoad(unit.i64, found_);
            unit.mark(
                b.CreateStore(b.CreateTrunc(member, unit.index), place_in(code.argument(5), found)),
                Memory::list, -1);
            add(found_, b.CreateZExt(is_new, unit.i64));
        });
    }

    llvm::Value* base_ = nullptr;    ///< nobody who waits has a lesser key
    llvm::Value* limit_ = nullptr;   ///< keys from here on were not offered,
    llvm::Value* offered_ = nullptr; ///< but by those with a key below this one
    llvm::Value* final_ = nullptr;   ///< keys up to this do not become less
    llvm::AllocaInst* rows_;
    llvm::AllocaInst* members_;
    llvm::AllocaInst* ends_;
    llvm::AllocaInst* row_count_;
    llvm::AllocaInst* looked_rows_;
    llvm::AllocaInst* looked_edges_;
    llvm::AllocaInst* looked_ends_;
    llvm::AllocaInst* last_;
    llvm::AllocaInst* found_;
};

} // namespace

namespace {

/// Whether every number of one integer type is one of the other.
bool holds_all_of(const alg::Type& type, const alg::Type& other) {
    if (type.element == other.element) return true;
    return size_of(other.element) < size_of(type.element) && is_signed_type(type);
}

} // namespace

bool Code::can_pull(const Unit& unit, const alg::Statement& s, const alg::Buckets& buckets) {
    const alg::Type key = element_of(unit.variable(buckets.key).type);
    const alg::Type& graph = unit.variable(s.graph).type;
    if (graph.pattern || is_truth(graph) || is_real(graph) || graph.record >= 0 ||
        graph.lanes > 1 || !holds_all_of(key, graph)) {
        return false;
    }
    const alg::Expression& sum = *s.body[0].value;
    if (sum.kind != Kind::binary || sum.operation != alg::Operation::add ||
        sum.type.element != key.element || !is_label(*s.first, buckets.label)) {
        return false;
    }
    const auto is_key = [&](const alg::Expression& e) {
        return e.kind == Kind::element && e.variable == buckets.key && e.operands.size() == 1 &&
               is_label(e.operands[0], buckets.label);
    };
    const auto is_value = [&](const alg::Expression& e) {
        const alg::Expression& inner = e.kind == Kind::convert ? e.operands[0] : e;
        return s.weight >= 0 && is_label(inner, s.weight) && inner.type.element == graph.element &&
               holds_all_of(key, e.type);
    };
    const alg::Expression& left = sum.operands[0];
    const alg::Expression& right = sum.operands[1];
    return (is_key(left) && is_value(right)) || (is_key(right) && is_value(left));
}

void Code::pull_keys(const alg::Statement& s) {
    KeyPull(*this, s).write();
}

} // namespace tropic::compile
