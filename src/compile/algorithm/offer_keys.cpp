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
    KeyOffer(Code& code, const alg::Statement& s) : EdgeLists(code, s, together) {
        static_assert(together + stretch <= Code::most_postponed);
    }

    void write(llvm::Value* begin, llvm::Value* end) {
        limit_ = code.first_key_of(offsetof(WorkerView, limit));
        llvm::Value* const list = code.argument(5);
        llvm::Value* const last = b.CreateNSWSub(end, b.getInt64(1));
        llvm::Value* const pos = code.view_field(statement.graph,
                                                 statement.inward ? offsetof(GraphView, in_pos)
                                                                  : offsetof(GraphView, out_pos),
                                                 unit.pointer);
        const auto row = [&](llvm::Value* number) {
            const auto later = [&](std::int64_t distance) {
                llvm::Value* const there = b.CreateNSWAdd(number, b.getInt64(distance));
                return index_at(list, b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, there, last));
            };
            code.fetch(place_in(pos, later(2 * rows_ahead)));
            fetch_values(row_of(later(rows_ahead)));
            llvm::Value* const member = index_at(list, number);
            llvm::Value* const key = code.load(key_type, code.address(key_vector, member),
                                               key_vector, code.setting.atomic);
            return Row{.edges = row_of(member), .bound = b.CreateNSWSub(limit_, key), .more = key};
        };
        find_edges(begin, end, row, [&] { look_at_ends(); });
    }

  private:
    Code::Edges row_of(llvm::Value* member) {
        return code.edges_of(statement.graph, statement.inward, member);
    }

    void look_at_ends() {
        for_found([&](llvm::Value* at, llvm::Value* inside) {
            llvm::Value* const edge = load_indices(place_in(edge_list, at), inside);
            llvm::Value* const end = ends_of(edge, inside);
            llvm::Value* const sum = load_keys(key_in(value_list, at), inside);
            llvm::Value* const better = b.CreateICmpSLT(sum, keys_at(end, inside));
            code.put_off(end, sum, b.CreateAnd(inside, better));
        });
        code.make_postponed();
    }

    llvm::Value* limit_ = nullptr;
};

} // namespace

void Code::offer_keys(const alg::Statement& s, llvm::Value* begin, llvm::Value* end) {
    KeyOffer(*this, s).write(begin, end);
}

} // namespace tropic::compile
