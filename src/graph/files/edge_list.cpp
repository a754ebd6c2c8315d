// Edge lists: a source and a target id on each line, perhaps a weight, in SNAP's, GAP's and every
// spreadsheet's dialect. There is no header to trust: ids, their range and the type of the weights
// show while reading.
#include <array>

#include <fmt/format.h>

#include "graph/files/edge_list_layout.h"
#include "graph/files/entry_block.h"
#include "graph/files/id_gaps.h"
#include "graph/files/reader.h"
#include "support/counted.h"

namespace tropic {

namespace {

constexpr std::string_view id_hint =
    "ids must be whole numbers: give each name a number first, and keep the list of names beside";

struct Piece {
    CoordinateBlock block;
    std::array<IdRange, 2> ranges; ///< of the ids as they will be stored
    RoundedWeights rounded;
};

/// The lowest id, and what is taken off every id.
Index lowest_id(IdBase base) {
    return base == IdBase::one ? 1 : 0;
}

template <class Id> IdRange range_of(std::span<const Id> ids) {
    if (ids.empty()) return {};
    Id smallest = ids[0];
    Id largest = ids[0];
    for (const Id id : ids) {
        smallest = std::min(smallest, id);
        largest = std::max(largest, id);
    }
    return {smallest, largest};
}

template <class Id, class Value> class PieceParser {
  public:
    PieceParser(const EdgeListLayout& layout, IdBase base, const TextBlock& text,
                const Context& context)
        : layout_(layout), cursor_(text), first_(text.text.data()), lowest_(lowest_id(base)),
          entries_(count_lines(text), context) {
        // An id must leave room for the number of vertices.
        const Index high = std::numeric_limits<Index>::max() - (base == IdBase::zero ? 1 : 0);
        source_ = {"the source id", lowest_, high, layout.separator, id_hint};
        target_ = {"the target id", lowest_, high, layout.separator, id_hint};
        weight_ = {.reals = true,
                   .separator = layout.separator,
                   .hint = "add --weighted no to ignore the third column"};
        if (text.first_line == 1 && text.text.starts_with("\xef\xbb\xbf")) {
            cursor_.move_to(first_ + 3);
        }
    }

    Piece parse() {
        const char* p = cursor_.position();
        Index line = cursor_.line();
        const bool plain = layout_.columns == (EntryBlock<Id, Value>::has_values ? 3 : 2);
        while (p < cursor_.end()) {
            if (plain && parse_plain_line(p)) [[likely]] {
                ++line;
                continue;
            }
            cursor_.move_to(p, line);
            parse_line();
            cursor_.next_line();
            p = cursor_.position();
            line = cursor_.line();
        }
        Piece piece;
        piece.rounded = std::move(rounded_);
        piece.block = entries_.finish();
        for (std::size_t d = 0; d < 2; ++d) {
            piece.ranges[d] = range_of(piece.block.coordinates[d].template as<Id>());
        }
        return piece;
    }

  private:
    /// Nearly every line: digits, one separator, digits, perhaps another and a short number, and
    /// the end. False, with nothing done, for any other; keeps its place in a register.
    [[gnu::always_inline]] bool parse_plain_line(const char*& start) noexcept {
        const char* p = start;
        std::uint64_t source = 0;
        std::uint64_t target = 0;
        Value value{};
        if (!plain_digits(p, source) || !plain_separator(p) || !plain_digits(p, target)) {
            return false;
        }
        if constexpr (std::is_same_v<Value, double>) {
            if (!plain_separator(p) || !scan_short_real(p, cursor_.end(), value)) return false;
            if (std::abs(value) >= RoundedWeights::first_inexact) return false;
        } else if constexpr (!std::is_same_v<Value, NoValue>) {
            std::uint64_t weight = 0;
            if (!plain_separator(p) || !plain_digits(p, weight)) return false;
            if (!std::in_range<Value>(weight)) return false;
            value = static_cast<Value>(weight);
        }
        if (*p == '\r') ++p;
        if (*p != '\n' || !std::in_range<Id>(source) || !std::in_range<Id>(target)) return false;
        const auto lowest = static_cast<std::uint64_t>(lowest_);
        if (source < lowest || target < lowest) return false;
        entries_.add(static_cast<Id>(source - lowest), static_cast<Id>(target - lowest), value);
        start = p + 1;
        return true;
    }

    [[gnu::always_inline]] bool plain_digits(const char*& p, std::uint64_t& value) const noexcept {
        const auto digits = scan_digits(p, cursor_.end(), value);
        return digits > 0 && digits <= 18;
    }

    [[gnu::always_inline]] bool plain_separator(const char*& p) const noexcept {
        const char c = *p++;
        return c == layout_.separator ? c != ':' : c == '\t' && layout_.separator == ' ';
    }

    void parse_line() {
        cursor_.skip_blanks();
        if (cursor_.at_line_end() || is_edge_list_comment(cursor_.position()) ||
            cursor_.line() == layout_.header_line) {
            return;
        }
        line_start_ = cursor_.position();
        const Id source = static_cast<Id>(read_id<Id>(cursor_, source_) - lowest_);
        next_field();
        const Id target = static_cast<Id>(read_id<Id>(cursor_, target_) - lowest_);
        Index read = 2;
        Value value{};
        if constexpr (!std::is_same_v<Value, NoValue>) {
            next_field();
            const char* const start = cursor_.position();
            value = read_weight<Value>(cursor_, weight_);
            if constexpr (std::is_same_v<Value, double>) {
                rounded_.look({start, cursor_.position()}, value, cursor_.line());
            }
            read = 3;
        }
        cursor_.skip_blanks();
        if (layout_.columns > read) skip_columns(read);
        if (!cursor_.at_line_end()) [[unlikely]]
            fail_columns();
        entries_.add(source, target, value);
    }

    /// Over the separator behind a field to the start of the next.
    void next_field() {
        cursor_.skip_blanks();
        if (layout_.separator != ' ') {
            if (!skip_separator()) [[unlikely]]
                fail_columns();
            cursor_.skip_blanks();
        }
        if (cursor_.at_line_end()) [[unlikely]]
            fail_columns();
    }

    bool skip_separator() {
        const char* p = cursor_.position();
        if (*p != layout_.separator || (layout_.separator == ':' && p[1] != ':')) return false;
        cursor_.move_to(p + (layout_.separator == ':' ? 2 : 1));
        return true;
    }

    /// Counts the columns that are not used, for a line with another number of them is an error.
    void skip_columns(Index read) {
        for (; read < layout_.columns; ++read) {
            if (layout_.separator == ' ') {
                if (cursor_.at_line_end()) fail_columns();
                cursor_.move_to(cursor_.position() + cursor_.field().size());
                cursor_.skip_blanks();
            } else {
                if (!skip_separator()) fail_columns();
                const char* p = cursor_.position();
                while (*p != '\n' && *p != layout_.separator) ++p;
                cursor_.move_to(p);
            }
        }
    }

    [[noreturn]] void fail_columns() {
        const char* stop = line_start_;
        while (*stop != '\n') ++stop;
        const std::string_view line(line_start_, static_cast<std::size_t>(stop - line_start_));
        const auto fields = split_fields(line, layout_.separator);
        const auto found = static_cast<Index>(fields.size());
        const char* at = cursor_.position();
        if (found > layout_.columns) at = fields[layout_.columns].data();
        if (found == layout_.columns) { // as many, but one is empty or holds two numbers
            const bool empty = cursor_.at_line_end() || cursor_.peek() == layout_.separator;
            cursor_.fail(ErrorCode::syntax, at,
                         empty ? std::string("expected a number, found an empty field")
                               : fmt::format("expected the end of the field, found {}",
                                             quoted(cursor_.field())),
                         fmt::format("{} columns on every line, {}", layout_.columns,
                                     separator_name(layout_.separator)));
        }
        const bool comment = found > layout_.columns && (*at == '#' || *at == '%');
        std::string hint;
        if (comment) hint = "comments stand on lines of their own";
        else if (layout_.comment_in_it) {
            hint = fmt::format("line {} seems to end in a comment: comments stand on lines of "
                               "their own",
                               layout_.first_line);
        }
        cursor_.fail(ErrorCode::inconsistent, at,
                     fmt::format("{}, and the first edge (line {}) has {}",
                                 counted(found, "columns"), layout_.first_line, layout_.columns),
                     fmt::format("{} columns on every line, {}", layout_.columns,
                                 separator_name(layout_.separator)),
                     std::move(hint));
    }

    const EdgeListLayout& layout_;
    LineCursor cursor_;
    const char* first_;
    Index lowest_;
    EntryBlock<Id, Value> entries_;
    IdField source_;
    IdField target_;
    WeightField weight_;
    RoundedWeights rounded_;
    const char* line_start_ = nullptr;
};

struct Body {
    CoordinateList list;
    std::array<IdRange, 2> ranges;
    RoundedWeights rounded;
};

Body read_body(TextFile& file, const EdgeListLayout& layout, IdBase base) {
    EntryTypes narrowest;
    if (layout.weighted) narrowest.value = layout.reals ? ElementType::float64 : ElementType::int32;
    return with_narrowest_types(narrowest, [&](EntryTypes types) {
        file.rewind();
        Body body;
        body.list.index_type = types.index;
        body.list.value_type = types.value;
        visit_entry_types(types, [&](auto id, auto value) {
            using Parser = PieceParser<typename decltype(id)::type, typename decltype(value)::type>;
            parse_blocks(
                file, "reading",
                [&](const TextBlock& text) {
                    return Parser(layout, base, text, file.context()).parse();
                },
                [&](Piece&& piece) {
                    if (piece.block.size() == 0) return;
                    body.ranges[0].include(piece.ranges[0]);
                    body.ranges[1].include(piece.ranges[1]);
                    body.rounded.include(piece.rounded);
                    body.list.blocks.push_back(std::move(piece.block));
                });
        });
        return body;
    });
}

/// Ids that stand for themselves: the vertices are the ids in use.
void close_gaps(Body& body, bool bipartite, FileContent& content, const Context& context) {
    static constexpr std::array both = {0, 1};
    CoordinateList& list = body.list;
    const auto close = [&](std::span<const int> dimensions, IdRange range, std::string_view what) {
        IdMap map(list.blocks, dimensions, range, context);
        if (map.gaps() > 0) {
            content.steps.push_back({fmt::format("closed gaps in {}", what),
                                     {{"ids used", map.count()},
                                      {"smallest", range.smallest},
                                      {"largest", range.largest},
                                      {"gaps", map.gaps()}}});
        }
        return map;
    };
    const auto narrowed = [&](Index largest) {
        return list.index_type == ElementType::int32 ? ElementType::int32 : index_type_for(largest);
    };
    if (!bipartite) {
        IdRange range = body.ranges[0];
        range.include(body.ranges[1]);
        const IdMap map = close(both, range, "ids");
        list.index_type = narrowed(map.count());
        map.renumber(list.blocks, both, list.index_type, context);
        list.shape.assign(2, map.count());
        content.ids.assign(2, map.ids());
        return;
    }
    const std::span<const int> dimensions = both;
    const IdMap rows = close(dimensions.first(1), body.ranges[0], "source ids");
    const IdMap columns = close(dimensions.last(1), body.ranges[1], "target ids");
    const ElementType type = narrowed(std::max(rows.count(), columns.count()));
    rows.renumber(list.blocks, dimensions.first(1), type, context);
    columns.renumber(list.blocks, dimensions.last(1), type, context);
    list.index_type = type;
    list.shape = {rows.count(), columns.count()};
    content.ids = {rows.ids(), columns.ids()};
}

void warn_of_stated_counts(const EdgeListLayout& layout, bool bipartite, FileContent& content) {
    // Two kinds of vertices may be more than an Index counts.
    const auto rows = static_cast<std::uint64_t>(content.list.shape[0]);
    const auto columns = static_cast<std::uint64_t>(content.list.shape[1]);
    const auto compare = [&](std::string_view what, Index stated, std::uint64_t found) {
        if (stated < 0 || std::cmp_equal(stated, found)) return;
        content.warnings.push_back(fmt::format("a comment states {}, and {} {} read",
                                               counted(stated, what), found,
                                               found == 1 ? "was" : "were"));
    };
    compare("nodes", layout.stated_vertices, bipartite ? rows + columns : rows);
    compare("edges", layout.stated_edges, static_cast<std::uint64_t>(content.list.entries()));
}

} // namespace

FileContent read_edge_list(TextFile& file, const ReadOptions& options) {
    const EdgeListLayout layout = find_layout(file, options);
    Body body = read_body(file, layout, options.base);

    FileContent content;
    content.kind = layout.undirected ? EdgeKind::undirected_once : EdgeKind::directed;
    content.warnings = layout.warnings;
    body.rounded.warn("weights", content.warnings);
    content.source = fmt::format("edge list, {}{}{}", separator_name(layout.separator),
                                 layout.weighted ? ", weighted" : "",
                                 layout.header_line > 0 ? ", with a header line" : "");
    content.steps.push_back({"read edge list", {}});
    if (options.base == IdBase::as_listed) {
        close_gaps(body, options.bipartite, content, file.context());
    } else {
        Index rows = body.ranges[0].largest + 1;
        Index columns = body.ranges[1].largest + 1;
        if (!options.bipartite) rows = columns = std::max(rows, columns);
        body.list.shape = {rows, columns};
        content.ids.assign(2, VertexIds(lowest_id(options.base)));
    }
    content.list = std::move(body.list);
    Step& step = content.steps.front();
    if (options.bipartite) {
        content.kind = EdgeKind::bipartite;
        step.counts = {{"rows", content.list.shape[0]}, {"columns", content.list.shape[1]}};
    } else {
        step.counts = {{"vertices", content.list.shape[0]}};
    }
    step.counts.emplace_back("entries", content.list.entries());
    warn_of_stated_counts(layout, options.bipartite, content);
    return content;
}

} // namespace tropic
