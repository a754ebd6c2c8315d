// Parses one block of vertex lines of a METIS file: for each line the vertex's size, its weights,
// and its neighbours with the weights of their edges, as the header says.
#pragma once

#include <exception>

#include <fmt/format.h>

#include "graph/files/fields.h"
#include "support/counted.h"
#include "tropic/array.h"

namespace tropic {

struct MetisHeader {
    HeaderLine line;
    Index vertices = 0;
    Index edges = 0;
    bool sizes = false;
    bool edge_weights = false;
    Index constraints = 0; ///< weights of each vertex
    std::string format = "0";
};

/// What a block says about its vertices, in order. Vertex numbers are not known yet: comments may
/// stand between vertex lines, so only all blocks before it together tell where this one begins.
struct MetisPiece {
    Array neighbours;
    Array weights;        ///< of edges
    Array degrees;        ///< int32, one for each vertex line
    Array vertex_sizes;   ///< int64
    Array vertex_weights; ///< int64
    Index listed_sizes = 0;
    Index largest = 0;     ///< of sizes and vertex weights
    Index busy_lines = 0;  ///< vertex lines up to and including the last one that is not blank
    Index first_blank = 0; ///< vertex lines before the first blank one, all if there is none
    std::exception_ptr blank_error; ///< of that line, where every vertex must have weights
    std::exception_ptr error;       ///< of the line behind the vertices above: parsing ended there
};

template <class Id, class Value> class MetisPieceParser {
  public:
    static constexpr bool weighted = !std::is_same_v<Value, NoValue>;

    MetisPieceParser(const MetisHeader& header, const TextBlock& text, const Context& context)
        : header_(header), context_(context), cursor_(text),
          neighbour_{.what = "a neighbour", .high = header.vertices} {
        const Index lines = count_lines(text);
        const Index fields = count_blanks(text) + 1;
        neighbours_ = allocate<Id>(piece_.neighbours, fields / (weighted ? 2 : 1) + 1);
        if constexpr (weighted) weights_ = allocate<Value>(piece_.weights, fields / 2 + 1);
        degrees_ = allocate<std::int32_t>(piece_.degrees, lines);
        if (header.sizes) sizes_ = allocate<std::int64_t>(piece_.vertex_sizes, lines);
        if (header.constraints > 0) {
            vertex_weights_ = allocate<std::int64_t>(piece_.vertex_weights,
                                                     std::min(lines * header.constraints, fields));
        }
    }

    MetisPiece parse() {
        piece_.first_blank = -1;
        // Whether a line is a vertex's at all depends on those before: errors wait for their turn.
        try {
            parse_lines();
        } catch (const Error& error) {
            if (error.diagnostic().line == 0) throw;
            piece_.error = std::current_exception();
            entries_ = line_entries_;
            weights_read_ = line_weights_;
        }
        if (piece_.first_blank < 0) piece_.first_blank = vertices_;
        cut();
        return std::move(piece_);
    }

  private:
    void parse_lines() {
        for (; !cursor_.done(); cursor_.next_line()) {
            cursor_.skip_blanks();
            if (cursor_.peek() == '%') continue;
            line_entries_ = entries_;
            line_weights_ = weights_read_;
            if (cursor_.at_line_end()) blank_line();
            else vertex_line();
            ++vertices_;
        }
    }

    template <class T> T* allocate(Array& array, Index size) {
        array = Array::allocate(element_type_of<T>(), size, context_, "the graph being read");
        return array.mutable_as<T>().data();
    }

    static Index count_blanks(const TextBlock& text) {
        Index blanks = 0;
        for (const char c : text.text) blanks += c == ' ' || c == '\t' || c == '\n' || c == '\r';
        return blanks;
    }

    /// A vertex without neighbours; where sizes are listed, of size 1.
    void blank_line() {
        if (piece_.first_blank < 0) {
            piece_.first_blank = vertices_;
            if (header_.constraints > 0) piece_.blank_error = missing_weights();
        }
        degrees_[vertices_] = 0;
        if (header_.sizes) {
            sizes_[vertices_] = 1;
            piece_.largest = std::max<Index>(piece_.largest, 1);
        }
    }

    std::exception_ptr missing_weights() const {
        try {
            cursor_.fail(ErrorCode::syntax, cursor_.position(),
                         "expected a vertex weight, found the end of the line",
                         fmt::format("{} for each vertex, as the header says",
                                     counted(header_.constraints, "weights")));
        } catch (const Error&) {
            return std::current_exception();
        }
    }

    void vertex_line() {
        if (header_.sizes) {
            sizes_[vertices_] = vertex_number("the vertex size");
            ++piece_.listed_sizes;
        }
        for (Index c = 0; c < header_.constraints; ++c) {
            vertex_weights_[weights_read_++] = vertex_number("a vertex weight");
        }
        const char* start = cursor_.position();
        read_neighbours();
        if (entries_ - line_entries_ > std::numeric_limits<std::int32_t>::max()) {
            cursor_.fail(ErrorCode::unsupported, start,
                         "a vertex with more than 2147483647 neighbours");
        }
        degrees_[vertices_] = static_cast<std::int32_t>(entries_ - line_entries_);
        piece_.busy_lines = vertices_ + 1;
    }

    Index vertex_number(std::string_view what) {
        cursor_.skip_blanks();
        const WeightField field{.what = what, .low = 0};
        const auto number = read_weight<std::int64_t>(cursor_, field);
        piece_.largest = std::max(piece_.largest, number);
        return number;
    }

    void read_neighbours() {
        const WeightField weight{.what = "the weight of an edge",
                                 .low = 1,
                                 .hint = "METIS wants whole weights of at least 1: use Matrix "
                                         "Market or an edge list for others"};
        for (;;) {
            cursor_.skip_blanks();
            if (cursor_.at_line_end()) return;
            neighbours_[entries_] = static_cast<Id>(read_id<Index>(cursor_, neighbour_) - 1);
            if constexpr (weighted) {
                cursor_.skip_blanks();
                weights_[entries_] = read_weight<Value>(cursor_, weight);
            }
            ++entries_;
        }
    }

    void cut() {
        piece_.neighbours.shrink(entries_);
        if constexpr (weighted) piece_.weights.shrink(entries_);
        else piece_.weights = Array::allocate(ElementType::pattern, entries_, context_, {});
        piece_.degrees.shrink(vertices_);
        if (header_.sizes) piece_.vertex_sizes.shrink(vertices_);
        if (header_.constraints > 0) piece_.vertex_weights.shrink(weights_read_);
    }

    const MetisHeader& header_;
    const Context& context_;
    LineCursor cursor_;
    IdField neighbour_;
    MetisPiece piece_;
    Id* neighbours_ = nullptr;
    std::conditional_t<weighted, Value, char>* weights_ = nullptr;
    std::int32_t* degrees_ = nullptr;
    std::int64_t* sizes_ = nullptr;
    std::int64_t* vertex_weights_ = nullptr;
    Index vertices_ = 0;
    Index entries_ = 0;
    Index weights_read_ = 0;
    // Before the line that is being read.
    Index line_entries_ = 0;
    Index line_weights_ = 0;
};

} // namespace tropic
