// Keys offered to the ends of edges, but only those that are less than a limit. Of the members of a
// bucket of a dense graph, most edges are too heavy to be of use to anybody: their values, which
// lie side by side, tell, and where they lead is not looked at. Who might still want what is not
// offered takes it from there (pull_keys.cpp).
#include "compile/algorithm/edge_lists.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

#include "llvm/IR/Intrinsics.h"

namespace tropic::compile {

using cpu::GraphView;
using cpu::WorkerView;

namespace {

/// Edges whose ends are looked at together. What becomes of them has room where changes wait.
constexpr std::int64_t together = 192;
/// Members between asking for a row and going through it; twice as many for where it begins.
constexpr std::int64_t rows_ahead = 16;

class KeyOffer : EdgeLists {
  public:
    KeyOffer(Code& code, const alg::Statement& s)
        : EdgeLists(code, s, together), offers_(new_list("offers", one_, together + stretch)) {
        static_assert(together + stretch <= Code::most_postponed);
    }

    void write(llvm::Value* begin, llvm::Value* end) {
        limit_ = code_.first_key_of(offsetof(WorkerView, limit));
        llvm::Value* const list = code_.argument(5);
        llvm::Value* const last = b_.CreateNSWSub(end, b_.getInt64(1));
        llvm::Value* const pos = code_.view_field(
            s_.graph, s_.inward ? offsetof(GraphView, in_pos) : offsetof(GraphView, out_pos),
            unit_.pointer);
        const auto row = [&](llvm::Value* number) {
            const auto later = [&](std::int64_t distance) {
                llvm::Value* const there = b_.CreateNSWAdd(number, b_.getInt64(distance));
                return index_at(list, b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, there, last));
            };
            code_.fetch(place_in(pos, later(2 * rows_ahead)));
            fetch_values(row_of(later(rows_ahead)));
            llvm::Value* const member = index_at(list, number);
            llvm::Value* const key =
                code_.load(type_, code_.address(keys_, member), keys_, code_.setting.atomic);
            return Row{.edges = row_of(member),
                       .bound = b_.CreateNSWSub(limit_, key),
                       .beside = splat(key),
                       .list = offers_};
        };
        find_edges(begin, end, row, [&] { look_at_ends(); });
    }

  private:
    Code::Edges row_of(llvm::Value* member) { return code_.edges_of(s_.graph, s_.inward, member); }
    llvm::Value* offer_at(llvm::Value* at) { return b_.CreateInBoundsGEP(one_, offers_, at); }

    void look_at_ends() {
        for_found([&](llvm::Value* at, llvm::Value* inside) {
            llvm::Value* const edge = load_indices(place_in(edges_, at), inside);
            llvm::Value* const end = ends_of(edge, inside);
            llvm::Value* const key = b_.CreateMaskedLoad(
                many_, offer_at(at), key_alignment(), inside, llvm::Constant::getNullValue(many_));
            llvm::Value* const sum = b_.CreateAdd(key, values_at(edge, inside));
            llvm::Value* const better = b_.CreateICmpSLT(sum, keys_at(end, inside));
            code_.put_off(end, sum, b_.CreateAnd(inside, better));
        });
        b_.CreateStore(b_.getInt64(0), count_);
        code_.make_postponed();
    }

    llvm::AllocaInst* offers_; ///< the keys that belong to edges_
    llvm::Value* limit_ = nullptr;
};

} // namespace

void Code::offer_keys(const alg::Statement& s, llvm::Value* begin, llvm::Value* end) {
    KeyOffer(*this, s).write(begin, end);
}

} // namespace tropic::compile
