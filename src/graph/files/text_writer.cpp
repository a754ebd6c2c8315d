#include "graph/files/text_writer.h"

#include <fmt/format.h>

#include "graph/build/squeeze.h"
#include "support/counted.h"

namespace tropic {

namespace {

template <class T> void put_value(TextPiece& text, const void* data, Index i) {
    text.number(static_cast<const T*>(data)[i]);
}

template <class T> void put_whole(TextPiece& text, const void* data, Index i) {
    text.number(static_cast<std::int64_t>(static_cast<const T*>(data)[i]));
}

void put_one(TextPiece& text, const void*, Index) {
    text.put('1');
}

bool is_dense(const Tensor& tensor) {
    return tensor.format() == Format::dense(tensor.rank());
}

void note_zeros(Index before, Index after, std::vector<std::string>& notes) {
    const Index zeros = before - after;
    if (zeros == 0) return;
    notes.push_back(
        fmt::format("{} {} not written", counted(zeros, "zeros"), zeros == 1 ? "was" : "were"));
}

} // namespace

ValueWriter::ValueWriter(const Array& values, bool whole) : data_(values.data()), put_(put_one) {
    if (values.type() == ElementType::pattern) return;
    if (whole && is_float(values.type())) {
        put_ = values.type() == ElementType::float32 ? put_whole<float> : put_whole<double>;
        return;
    }
    put_ = visit_type(values.type(),
                      [](auto tag) -> Put { return put_value<typename decltype(tag)::type>; });
}

IdWriter::IdWriter(const VertexIds& ids, Index offset) : offset_(offset) {
    if (ids.is_offset()) offset_ += ids.offset();
    else if (ids.table().type() == ElementType::int32)
        narrow_ = ids.table().as<std::int32_t>().data();
    else wide_ = ids.table().as<std::int64_t>().data();
}

Tensor as_csr(const Graph& graph, const Context& context, std::vector<std::string>& notes) {
    const Tensor& tensor = graph.tensor;
    if (tensor.format() != Format::csr()) {
        Tensor result = convert(tensor, Format::csr(), context);
        if (is_dense(tensor)) note_zeros(tensor.entries(), result.entries(), notes);
        return result;
    }
    if (tensor.sorted()) return tensor;
    return build(coordinates_of(tensor, context), Format::csr(), Duplicates::keep, context);
}

CompactGraph as_compact_csr(const Graph& graph, const Context& context,
                            std::vector<std::string>& notes) {
    const building::Squeezed squeezed =
        building::squeeze_if_hypersparse(graph.tensor, building::Numbering::alike, context);
    CompactGraph result{graph, {}, VertexIds(0)};
    if (squeezed.matrix.dim(0) != graph.tensor.dim(0)) {
        result.graph.tensor = squeezed.matrix;
        for (VertexIds& ids : result.graph.ids) ids = ids.compose(squeezed.row_ids, context);
        result.positions = VertexIds(squeezed.row_ids);
    }
    result.matrix = as_csr(result.graph, context, notes);
    return result;
}

CoordinateList as_list(const Tensor& tensor, const Context& context,
                       std::vector<std::string>& notes) {
    if (!is_dense(tensor)) return coordinates_of(tensor, context);
    const Tensor sparse = convert(tensor, Format::coo(tensor.rank()), context);
    note_zeros(tensor.entries(), sparse.entries(), notes);
    return coordinates_of(sparse, context);
}

} // namespace tropic
