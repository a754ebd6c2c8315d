// What `print` shows. A tensor is a sequence of arrays, each a line "data = " and a line of
// elements with a comma behind each: pos and crd for every level, then the values.
//
//   dense level        its size | -1
//   compressed level   positions | coordinates
//   singleton level    -1 | coordinates
//
// Formats that are computed on as another are shown as what they are (of matrices):
//
//   ELL          rows | -1 | longest row | -1 | -1 | columns of every slot, -1 where a row is
//                shorter | values, 0 there
//   BCSR         blocks of 2 x 2: block rows | -1 | positions | block columns | 2 | -1 | 2 | -1 |
//                the values of every block by rows, 0 where there is no entry
//   CSB          blocks of the least power of two whose square covers the longer side: block rows |
//                -1 | block columns | -1 | positions of the blocks | rows in the block | -1 |
//                columns in the block | values
//   ModeGeneric  all dimensions but the last as coordinates, that one dense: 0, fibres | first
//                coordinates | (-1 | coordinates for each further one) | size | -1 | values, 0
//                where there is no entry
#include <array>
#include <bit>
#include <charconv>

#include "graph/build/expand.h"
#include "machines/cpu/session.h"
#include "tropic/coordinates.h"

namespace tropic::cpu {

namespace {

enum class Presentation : std::int64_t { plain, ell, bcsr, csb, mode_generic };

constexpr Index bcsr_block = 2;

/// Collects text and hands it on in large pieces.
class Printer {
  public:
    explicit Printer(const Session& session) : session_(session) {}

    void text(std::string_view text) { pending_ += text; }

    template <class T> void number(T value) {
        std::array<char, 40> digits;
        char* end = nullptr;
        if constexpr (std::is_same_v<T, bool>) {
            end = std::to_chars(digits.begin(), digits.end(), value ? 1 : 0).ptr;
        } else if constexpr (std::is_floating_point_v<T>) {
            // As C++ streams do by default: six significant digits.
            end = std::to_chars(digits.begin(), digits.end(), static_cast<double>(value),
                                std::chars_format::general, 6)
                      .ptr;
        } else {
            end = std::to_chars(digits.begin(), digits.end(), value).ptr;
        }
        pending_.append(digits.begin(), end);
        constexpr std::size_t enough = 1 << 16;
        if (pending_.size() >= enough) flush();
    }

    void begin() { text("data = \n"); }
    template <class T> void element(T value) {
        number(value);
        pending_ += ',';
    }
    void end() { text("\n"); }

    /// An array of one element.
    void single(Index value) {
        begin();
        element(value);
        end();
    }

    /// The elements of an array, whatever their type.
    void array(const Array& array) {
        begin();
        visit_type(array.type(), [&](auto tag) {
            using T = typename decltype(tag)::type;
            for (const T value : array.as<T>()) element(value);
        });
        end();
    }

    template <class T> void list(const std::vector<T>& values) {
        begin();
        for (const T value : values) element(value);
        end();
    }

    void flush() {
        if (session_.options.print && !pending_.empty()) session_.options.print(pending_);
        pending_.clear();
    }

  private:
    const Session& session_;
    std::string pending_;
};

void print_plain(Printer& out, const Tensor& tensor) {
    const bool all_dense = std::ranges::all_of(
        tensor.format().levels, [](LevelKind kind) { return kind == LevelKind::dense; });
    for (int l = 0; l < tensor.rank() && !all_dense; ++l) {
        const Level& level = tensor.level(l);
        if (level.kind == LevelKind::dense) out.single(tensor.dim(tensor.format().order[l]));
        else if (level.kind == LevelKind::compressed) out.array(level.pos);
        else out.single(-1);
        if (level.kind == LevelKind::dense) out.single(-1);
        else out.array(level.crd);
    }
    out.array(tensor.values());
}

/// The nonzero entries of a tensor by rows, as lists: small things are printed in these formats.
struct EntryLists {
    std::vector<std::vector<Index>> at; ///< by dimension
    Index count = 0;
    Tensor coo;

    EntryLists(const Tensor& tensor, const Context& context)
        : coo(tropic::convert(tensor, Format::coo(tensor.rank()), context)) {
        count = coo.entries();
        for (int l = 0; l < coo.rank(); ++l) {
            std::vector<Index> coordinates;
            coordinates.reserve(static_cast<std::size_t>(count));
            for (Index e = 0; e < count; ++e) coordinates.push_back(coo.level(l).crd.index_at(e));
            at.push_back(std::move(coordinates));
        }
    }
};

/// Elements of a padded array: entry e's value at place[e] of `size` zeros.
void print_spread(Printer& out, const Array& values, const std::vector<Index>& place, Index size) {
    visit_type(values.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const auto from = values.as<T>();
        std::vector<T> padded(static_cast<std::size_t>(size));
        for (std::size_t e = 0; e < place.size(); ++e) padded[place[e]] = from[e];
        out.begin();
        for (const T value : padded) out.element(value);
        out.end();
    });
}

void print_ell(Printer& out, const Tensor& matrix, const EntryLists& entries) {
    const Index rows = matrix.dim(0);
    std::vector<Index> length(static_cast<std::size_t>(rows));
    std::vector<Index> slot;
    for (const Index row : entries.at[0]) slot.push_back(length[row]++);
    const Index width = length.empty() ? 0 : *std::max_element(length.begin(), length.end());
    std::vector<Index> columns(static_cast<std::size_t>(rows * width), -1);
    std::vector<Index> place;
    for (Index e = 0; e < entries.count; ++e) {
        place.push_back(entries.at[0][e] * width + slot[e]);
        columns[place.back()] = entries.at[1][e];
    }
    out.single(rows);
    out.single(-1);
    out.single(width);
    out.single(-1);
    out.single(-1);
    out.list(columns);
    print_spread(out, entries.coo.values(), place, rows * width);
}

void print_bcsr(Printer& out, const Tensor& matrix, const EntryLists& entries) {
    const Index block_rows = (matrix.dim(0) + bcsr_block - 1) / bcsr_block;
    std::vector<std::vector<Index>> columns(static_cast<std::size_t>(block_rows));
    for (Index e = 0; e < entries.count; ++e) {
        columns[entries.at[0][e] / bcsr_block].push_back(entries.at[1][e] / bcsr_block);
    }
    std::vector<Index> pos = {0};
    std::vector<Index> crd;
    for (auto& row : columns) {
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
        crd.insert(crd.end(), row.begin(), row.end());
        pos.push_back(static_cast<Index>(crd.size()));
    }
    std::vector<Index> place;
    for (Index e = 0; e < entries.count; ++e) {
        const Index i = entries.at[0][e];
        const Index j = entries.at[1][e];
        const auto& row = columns[i / bcsr_block];
        const Index block =
            pos[i / bcsr_block] +
            (std::lower_bound(row.begin(), row.end(), j / bcsr_block) - row.begin());
        place.push_back((block * bcsr_block + i % bcsr_block) * bcsr_block + j % bcsr_block);
    }
    out.single(block_rows);
    out.single(-1);
    out.list(pos);
    out.list(crd);
    for (int side = 0; side < 2; ++side) {
        out.single(bcsr_block);
        out.single(-1);
    }
    print_spread(out, entries.coo.values(), place,
                 static_cast<Index>(crd.size()) * bcsr_block * bcsr_block);
}

void print_csb(Printer& out, const Tensor& matrix, const EntryLists& entries) {
    const auto side = std::max<Index>({matrix.dim(0), matrix.dim(1), 1});
    Index block = 1;
    while (block * block < side) block *= 2;
    const Index block_rows = (matrix.dim(0) + block - 1) / block;
    const Index block_cols = (matrix.dim(1) + block - 1) / block;
    std::vector<Index> pos(static_cast<std::size_t>(block_rows * block_cols) + 1);
    std::vector<Index> block_of;
    for (Index e = 0; e < entries.count; ++e) {
        block_of.push_back(entries.at[0][e] / block * block_cols + entries.at[1][e] / block);
        ++pos[block_of.back() + 1];
    }
    for (std::size_t b = 1; b < pos.size(); ++b) pos[b] += pos[b - 1];
    std::vector<Index> next(pos.begin(), pos.end() - 1);
    std::vector<Index> place;
    std::vector<Index> rows(static_cast<std::size_t>(entries.count));
    std::vector<Index> cols(static_cast<std::size_t>(entries.count));
    for (Index e = 0; e < entries.count; ++e) {
        place.push_back(next[block_of[e]]++);
        rows[place.back()] = entries.at[0][e] % block;
        cols[place.back()] = entries.at[1][e] % block;
    }
    out.single(block_rows);
    out.single(-1);
    out.single(block_cols);
    out.single(-1);
    out.list(pos);
    out.list(rows);
    out.single(-1);
    out.list(cols);
    print_spread(out, entries.coo.values(), place, entries.count);
}

void print_mode_generic(Printer& out, const Tensor& tensor, const EntryLists& entries) {
    const int outer = tensor.rank() - 1;
    const Index width = tensor.dim(outer);
    std::vector<std::vector<Index>> fibres(static_cast<std::size_t>(outer));
    std::vector<Index> place;
    Index count = 0;
    for (Index e = 0; e < entries.count; ++e) {
        bool starts = e == 0;
        for (int d = 0; d < outer && !starts; ++d)
            starts = entries.at[d][e] != entries.at[d][e - 1];
        if (starts) {
            ++count;
            for (int d = 0; d < outer; ++d) fibres[d].push_back(entries.at[d][e]);
        }
        place.push_back((count - 1) * width + entries.at[outer][e]);
    }
    for (int d = 0; d < outer; ++d) {
        if (d == 0) out.list(std::vector<Index>{0, count});
        else out.single(-1);
        out.list(fibres[d]);
    }
    out.single(width);
    out.single(-1);
    print_spread(out, entries.coo.values(), place, count * width);
}

} // namespace

void print_tensor(Session* session, TensorView* view, std::int64_t, const FormatView*,
                  std::int64_t presentation) {
    const Tensor tensor = in_order(stored(view).tensor, session->context());
    const auto shown = static_cast<Presentation>(presentation);
    Printer out(*session);
    const bool matrix = tensor.rank() == 2;
    if (shown == Presentation::ell && matrix) {
        print_ell(out, tensor, EntryLists(tensor, session->context()));
    } else if (shown == Presentation::bcsr && matrix) {
        print_bcsr(out, tensor, EntryLists(tensor, session->context()));
    } else if (shown == Presentation::csb && matrix) {
        print_csb(out, tensor, EntryLists(tensor, session->context()));
    } else if (shown == Presentation::mode_generic && tensor.rank() > 1) {
        print_mode_generic(out, tensor, EntryLists(tensor, session->context()));
    } else {
        print_plain(out, tensor);
    }
    out.flush();
}

void print_real(Session* session, double value) {
    Printer out(*session);
    out.number(value);
    out.end();
    out.flush();
}

void print_integer(Session* session, std::int64_t value) {
    Printer out(*session);
    out.number(value);
    out.end();
    out.flush();
}

void print_elapsed(Session* session, double seconds) {
    Printer out(*session);
    out.text("ELAPSED_TIME = ");
    out.number(seconds);
    out.end();
    out.flush();
}

} // namespace tropic::cpu
