// Lesser keys, taken from the other ends of edges instead of being offered there. Where everybody
// who waits in a bucket has a key of at least `base`, only edges whose value is less than what lies
// between `base` and a key can make that key less: most values of most rows are too large once the
// first buckets are done, and their ends are never looked at (Chakaravarthy et al., "Scalable
// single source shortest path algorithms for massively parallel systems", 2014).
#include "compile/algorithm/filter.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

#include "llvm/IR/Intrinsics.h"

namespace tropic::compile {

using cpu::GraphView;
using cpu::WorkerView;
using Kind = alg::Expression::Kind;

namespace {

/// Members whose rows are looked for together.
constexpr std::int64_t block = 1024;
/// Edges whose ends are looked at together: enough for their ways to memory to overlap.
constexpr std::int64_t together = 512;
/// Rows between asking for one and going through it.
constexpr std::int64_t rows_ahead = 24;
constexpr std::int64_t line_bytes = 64;

class KeyPull {
  public:
    KeyPull(Code& code, const alg::Statement& s)
        : code_(code), unit_(code.unit), b_(code.b), s_(s), keys_(code.setting.buckets->key),
          type_(element_of(unit_.variable(keys_).type)),
          stored_(element_of(unit_.variable(s.graph).type)),
          lanes_(static_cast<unsigned>(Lanes::count(unit_))), one_(unit_.value_type(type_)),
          many_(llvm::FixedVectorType::get(one_, lanes_)),
          indices_(llvm::FixedVectorType::get(unit_.index, lanes_)) {
        crd_ = side(offsetof(GraphView, in_crd), offsetof(GraphView, out_crd));
        values_ = side(offsetof(GraphView, in_values), offsetof(GraphView, out_values));
        rows_ = new_list("rows", block);
        members_ = new_list("members", together);
        edges_ = new_list("edges", together);
        ends_ = new_list("ends", together);
        row_count_ = new_count("row_count");
        count_ = new_count("count");
        looked_rows_ = new_count("looked_rows");
        looked_edges_ = new_count("looked_edges");
        looked_ends_ = new_count("looked_ends");
        last_ = new_count("last", -1);
        found_ = code_.new_cell(unit_.i64, "found");
        b_.CreateStore(code_.worker_field(offsetof(WorkerView, found), unit_.i64), found_);
    }

    void write() {
        llvm::Constant* const limit = code_.infinity(type_);
        const auto later = [&](llvm::Value* key, std::int64_t field) {
            llvm::Value* const sum = b_.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, key,
                                                              code_.worker_field(field, unit_.i64));
            return b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, sum,
                                            b_.CreateSExt(limit, unit_.i64));
        };
        llvm::Value* const base =
            later(code_.first_key(code_.argument(2)), offsetof(WorkerView, pull_ahead));
        base_ = b_.CreateTrunc(base, one_);
        final_ = b_.CreateTrunc(later(base, offsetof(WorkerView, least_value)), one_);
        code_.loop(code_.argument(3), code_.argument(4), b_.getInt64(block), Code::Pace::single,
                   [&](llvm::Value* first, const Code::Loop&) {
                       find_rows(first);
                       go_through_rows();
                   });
        look_at_ends();
        b_.CreateStore(b_.CreateLoad(unit_.i64, found_),
                       code_.at(b_, code_.worker(), offsetof(WorkerView, found)));
        add_to(offsetof(WorkerView, pulled_rows), looked_rows_);
        add_to(offsetof(WorkerView, pulled_edges), looked_edges_);
        add_to(offsetof(WorkerView, pulled_ends), looked_ends_);
    }

  private:
    llvm::Value* side(std::int64_t in, std::int64_t out) {
        return code_.view_field(s_.graph, s_.inward ? in : out, unit_.pointer);
    }
    /// Of indices, with room for a vector behind the last.
    llvm::AllocaInst* new_list(const char* name, std::int64_t size) {
        const auto room = static_cast<std::uint64_t>(size) + 2UL * lanes_;
        return code_.new_cell(llvm::ArrayType::get(unit_.index, room), name);
    }
    llvm::AllocaInst* new_count(const char* name, std::int64_t start = 0) {
        llvm::AllocaInst* const cell = code_.new_cell(unit_.i64, name);
        b_.CreateStore(b_.getInt64(start), cell);
        return cell;
    }
    void add(llvm::AllocaInst* count, llvm::Value* more) {
        b_.CreateStore(b_.CreateNSWAdd(b_.CreateLoad(unit_.i64, count), more), count);
    }
    void add_to(std::int64_t field, llvm::AllocaInst* count) {
        llvm::Value* const before = code_.worker_field(field, unit_.i64);
        b_.CreateStore(b_.CreateNSWAdd(before, b_.CreateLoad(unit_.i64, count)),
                       code_.at(b_, code_.worker(), field));
    }
    llvm::Value* splat(llvm::Value* value) { return b_.CreateVectorSplat(lanes_, value); }
    llvm::Value* numbers_from(llvm::Value* first) {
        return b_.CreateAdd(splat(b_.CreateIntCast(first, unit_.index, true)),
                            b_.CreateStepVector(indices_));
    }
    llvm::Align index_alignment() const { return llvm::Align(unit_.wide ? 8 : 4); }
    llvm::Align key_alignment() const {
        return llvm::Align(static_cast<std::uint64_t>(unit_.bytes_of(type_)));
    }
    llvm::Value* place_in(llvm::Value* list, llvm::Value* at) {
        return b_.CreateInBoundsGEP(unit_.index, list, at);
    }
    /// Writes the chosen ones of a vector side by side from a place of a list on.
    void pack(llvm::Value* all, llvm::Value* chosen, llvm::Value* to) {
        llvm::Value* const packed =
            b_.CreateIntrinsic(llvm::Intrinsic::experimental_vector_compress, {indices_},
                               {all, chosen, llvm::PoisonValue::get(indices_)});
        b_.CreateAlignedStore(packed, to, index_alignment());
    }
    llvm::Value* how_many(llvm::Value* chosen) {
        llvm::Value* const mask = b_.CreateBitCast(chosen, b_.getIntNTy(lanes_));
        return b_.CreateZExt(b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, mask), unit_.i64);
    }
    llvm::Value* load_indices(llvm::Value* from, llvm::Value* inside) {
        return b_.CreateMaskedLoad(indices_, from, index_alignment(), inside,
                                   llvm::Constant::getNullValue(indices_));
    }
    llvm::Value* keys_at(llvm::Value* indices, llvm::Value* inside) {
        llvm::Value* const first = code_.address(keys_, b_.getInt64(0));
        return b_.CreateMaskedGather(many_, b_.CreateInBoundsGEP(one_, first, indices),
                                     key_alignment(), inside, llvm::Constant::getNullValue(many_));
    }
    llvm::Value* place_of_values(llvm::Value* at) {
        return b_.CreateInBoundsGEP(unit_.stored_type(stored_), values_, at);
    }
    llvm::Value* as_keys(llvm::Value* values) {
        alg::Type from = stored_;
        alg::Type to = type_;
        from.lanes = to.lanes = static_cast<int>(lanes_);
        return code_.convert(values, from, to);
    }
    /// The values of edges from all over the graph. Gathers fetch words of 4 bytes or more: of
    /// narrower values, others come along with them, up to 3 bytes behind the last one.
    llvm::Value* values_at(llvm::Value* edges, llvm::Value* inside) {
        const std::int64_t bytes = unit_.bytes_of(stored_);
        auto* const own = llvm::FixedVectorType::get(unit_.stored_type(stored_), lanes_);
        auto* const words = bytes < 4 ? llvm::FixedVectorType::get(unit_.i32, lanes_) : own;
        llvm::Value* const found = b_.CreateMaskedGather(
            words, place_of_values(edges), llvm::Align(static_cast<std::uint64_t>(bytes)), inside,
            llvm::Constant::getNullValue(words));
        return as_keys(bytes < 4 ? b_.CreateTrunc(found, own) : found);
    }
    llvm::Value* key_at(llvm::Value* index) {
        return code_.load(type_, code_.address(keys_, index), keys_, true);
    }
    llvm::Value* index_at(llvm::Value* list, llvm::Value* at) {
        return b_.CreateSExt(b_.CreateLoad(unit_.index, place_in(list, at)), unit_.i64);
    }

    /// Those of a block whose key might become less, into `rows_`.
    void find_rows(llvm::Value* first) {
        llvm::Value* const until = b_.CreateBinaryIntrinsic(
            llvm::Intrinsic::smin, code_.argument(4), b_.CreateNSWAdd(first, b_.getInt64(block)));
        b_.CreateStore(b_.getInt64(0), row_count_);
        code_.loop(first, until, b_.getInt64(lanes_), Code::Pace::single,
                   [&](llvm::Value* place, const Code::Loop&) {
                       llvm::Value* const inside = code_.lanes_inside({first, until}, place);
                       llvm::Value* const key =
                           b_.CreateMaskedLoad(many_, code_.address(keys_, place), key_alignment(),
                                               inside, llvm::Constant::getNullValue(many_));
                       EdgeGroup group{place,       inside, s_.graph, s_.inward,
                                       s_.variable, -1,     {},       true};
                       llvm::Value* const has_row = Lanes(code_, std::move(group)).has_row();
                       llvm::Value* const wanted = b_.CreateAnd(
                           inside, b_.CreateAnd(b_.CreateICmpSGT(key, splat(final_)), has_row));
                       llvm::Value* const so_far = b_.CreateLoad(unit_.i64, row_count_);
                       pack(numbers_from(place), wanted, place_in(rows_, so_far));
                       add(row_count_, how_many(wanted));
                   });
        add(looked_rows_, b_.CreateLoad(unit_.i64, row_count_));
    }

    void go_through_rows() {
        llvm::Value* const count = b_.CreateLoad(unit_.i64, row_count_);
        llvm::Value* const final = b_.CreateNSWSub(count, b_.getInt64(1));
        code_.loop(b_.getInt64(0), count, b_.getInt64(1), Code::Pace::single,
                   [&](llvm::Value* at, const Code::Loop&) {
                       llvm::Value* const later = b_.CreateBinaryIntrinsic(
                           llvm::Intrinsic::smin, b_.CreateNSWAdd(at, b_.getInt64(rows_ahead)),
                           final);
                       fetch_values(index_at(rows_, later));
                       go_through(index_at(rows_, at));
                   });
    }

    /// Asks for the values of a row: the first ones and the last; the machine foresees the rest.
    void fetch_values(llvm::Value* member) {
        const Code::Edges edges = code_.edges_of(s_.graph, s_.inward, member);
        const std::int64_t line = line_bytes / unit_.bytes_of(stored_);
        for (llvm::Value* const at : {edges.begin, b_.CreateNSWAdd(edges.begin, b_.getInt64(line)),
                                      b_.CreateNSWSub(edges.end, b_.getInt64(1))}) {
            code_.fetch(b_.CreateGEP(unit_.stored_type(stored_), values_, at));
        }
    }

    /// Finds the edges of a row that might make its key less.
    void go_through(llvm::Value* member) {
        llvm::Value* const between = b_.CreateNSWSub(key_at(member), base_);
        const Code::Edges edges = code_.edges_of(s_.graph, s_.inward, member);
        add(looked_edges_, b_.CreateNSWSub(edges.end, edges.begin));
        llvm::Value* const row = splat(b_.CreateTrunc(member, unit_.index));
        code_.loop(edges.begin, edges.end, b_.getInt64(lanes_), Code::Pace::single,
                   [&](llvm::Value* place, const Code::Loop&) {
                       llvm::Value* const inside = code_.lanes_inside(edges, place);
                       llvm::Value* const value =
                           as_keys(Lanes(code_, {}).values_at(values_, stored_, place, inside));
                       llvm::Value* const wanted =
                           b_.CreateAnd(inside, b_.CreateICmpSLT(value, splat(between)));
                       llvm::Value* const count = b_.CreateLoad(unit_.i64, count_);
                       pack(numbers_from(place), wanted, place_in(edges_, count));
                       b_.CreateAlignedStore(row, place_in(members_, count), index_alignment());
                       add(count_, how_many(wanted));
                       llvm::Value* const full = b_.CreateICmpSGE(b_.CreateLoad(unit_.i64, count_),
                                                                  b_.getInt64(together));
                       code_.when(full, [&] { look_at_ends(); });
                   });
    }

    void look_at_ends() {
        llvm::Value* const count = b_.CreateLoad(unit_.i64, count_);
        add(looked_ends_, count);
        const Code::Edges all{b_.getInt64(0), count};
        const auto groups = [&](const std::function<void(llvm::Value*, llvm::Value*)>& body) {
            code_.loop(
                all.begin, all.end, b_.getInt64(lanes_), Code::Pace::single,
                [&](llvm::Value* at, const Code::Loop&) { body(at, code_.lanes_inside(all, at)); });
        };
        groups([&](llvm::Value* at, llvm::Value* inside) {
            llvm::Value* const edge = load_indices(place_in(edges_, at), inside);
            llvm::Value* const end = b_.CreateMaskedGather(
                indices_, b_.CreateInBoundsGEP(unit_.index, crd_, edge), index_alignment(), inside,
                llvm::Constant::getNullValue(indices_));
            b_.CreateAlignedStore(end, place_in(ends_, at), index_alignment());
        });
        // What is left stays at the front of the lists.
        llvm::AllocaInst* const kept = new_count("kept");
        groups([&](llvm::Value* at, llvm::Value* inside) {
            llvm::Value* const edge = load_indices(place_in(edges_, at), inside);
            llvm::Value* const member = load_indices(place_in(members_, at), inside);
            llvm::Value* const end = load_indices(place_in(ends_, at), inside);
            llvm::Value* const there = keys_at(end, inside);
            llvm::Value* const here = keys_at(member, inside);
            llvm::Value* const value = values_at(edge, inside);
            // Not by the sum: infinity and something more is less than anything.
            llvm::Value* const better = b_.CreateAnd(
                b_.CreateICmpSLT(there, here), b_.CreateICmpSLT(value, b_.CreateSub(here, there)));
            llvm::Value* const chosen = b_.CreateAnd(inside, better);
            llvm::Value* const so_far = b_.CreateLoad(unit_.i64, kept);
            pack(edge, chosen, place_in(edges_, so_far));
            pack(member, chosen, place_in(members_, so_far));
            add(kept, how_many(chosen));
        });
        code_.loop(b_.getInt64(0), b_.CreateLoad(unit_.i64, kept), b_.getInt64(1),
                   Code::Pace::single, [&](llvm::Value* at, const Code::Loop&) { change(at); });
        b_.CreateStore(b_.getInt64(0), count_);
    }

    /// Looks once more: another edge of the same row may have been better.
    void change(llvm::Value* at) {
        llvm::Value* const edge = index_at(edges_, at);
        llvm::Value* const member = index_at(members_, at);
        llvm::Value* const end =
            b_.CreateSExt(b_.CreateLoad(unit_.index, place_in(crd_, edge)), unit_.i64);
        llvm::Value* const value = code_.convert(
            b_.CreateLoad(unit_.stored_type(stored_), place_of_values(edge)), stored_, type_);
        llvm::Value* const sum = b_.CreateAdd(key_at(end), value);
        code_.when(b_.CreateICmpSLT(sum, key_at(member)), [&] {
            code_.store(type_, sum, code_.address(keys_, member), keys_, true);
            // The changes of a row come one after the other.
            llvm::Value* const is_new = b_.CreateICmpNE(member, b_.CreateLoad(unit_.i64, last_));
            b_.CreateStore(member, last_);
            llvm::Value* const found = b_.CreateLoad(unit_.i64, found_);
            unit_.mark(b_.CreateStore(b_.CreateTrunc(member, unit_.index),
                                      place_in(code_.argument(5), found)),
                       Memory::list, -1);
            add(found_, b_.CreateZExt(is_new, unit_.i64));
        });
    }

    Code& code_;
    Unit& unit_;
    llvm::IRBuilder<>& b_;
    const alg::Statement& s_;
    alg::VariableId keys_;
    alg::Type type_;   ///< of keys
    alg::Type stored_; ///< of the graph's values, which may be narrower
    unsigned lanes_;
    llvm::Type* one_;
    llvm::FixedVectorType* many_;
    llvm::FixedVectorType* indices_;
    llvm::Value* crd_ = nullptr;
    llvm::Value* values_ = nullptr;
    llvm::Value* base_ = nullptr;  ///< nobody who waits has a lesser key
    llvm::Value* final_ = nullptr; ///< keys up to this do not become less
    llvm::AllocaInst* rows_ = nullptr;
    llvm::AllocaInst* members_ = nullptr;
    llvm::AllocaInst* edges_ = nullptr;
    llvm::AllocaInst* ends_ = nullptr;
    llvm::AllocaInst* row_count_ = nullptr;
    llvm::AllocaInst* count_ = nullptr; ///< of edges_
    llvm::AllocaInst* looked_rows_ = nullptr;
    llvm::AllocaInst* looked_edges_ = nullptr;
    llvm::AllocaInst* looked_ends_ = nullptr;
    llvm::AllocaInst* last_ = nullptr;
    llvm::AllocaInst* found_ = nullptr;
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
