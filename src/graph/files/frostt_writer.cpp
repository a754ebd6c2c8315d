// Writes FROSTT .tns tensors of any rank: coordinates from 1 and a value on each line.
#include <fmt/format.h>

#include "graph/files/reader.h"
#include "graph/files/text_writer.h"
#include "graph/files/write_checks.h"

namespace tropic {

namespace {

/// The format has no header, so that empty slices behind the last entry are lost.
void note_lost_shape(const CoordinateList& list, const Context& context,
                     std::vector<std::string>& notes) {
    for (std::size_t d = 0; d < list.shape.size(); ++d) {
        Index largest = -1;
        for (const CoordinateBlock& block : list.blocks) {
            visit_index(list.index_type, [&](auto tag) {
                const auto crd = block.coordinates[d].as<typename decltype(tag)::type>();
                largest = std::max(largest, parallel_combine(
                                                context, block.size(), 1 << 16, Index{-1},
                                                [&](Index begin, Index end) {
                                                    return Index{*std::max_element(
                                                        crd.begin() + begin, crd.begin() + end)};
                                                },
                                                [](Index a, Index b) { return std::max(a, b); }));
            });
        }
        if (largest + 1 == list.shape[d]) continue;
        notes.push_back(
            fmt::format("the size {} of dimension {} is not said: the last entry there is at {}",
                        list.shape[d], d + 1, largest + 1));
    }
}

} // namespace

std::vector<std::string> write_frostt(const Graph& graph, ByteSink& sink, const WriteOptions&,
                                      const Context& context) {
    std::vector<std::string> notes;
    if (graph.tensor.rank() == 0) {
        refuse_to_write(sink, "FROSTT files cannot hold a tensor without dimensions",
                        "a rank of at least 1", {});
    }
    require_no_nan(graph.tensor.values(), sink, context);
    const CoordinateList list = as_list(graph.tensor, context, notes);
    if (list.entries() == 0) {
        // Only the extended header can say a tensor without entries.
        std::string header = fmt::format("{}\n", list.rank());
        for (const Index size : list.shape) header += fmt::format("{} ", size);
        header.back() = '\n';
        sink.write(header);
        return notes;
    }
    if (list.value_type == ElementType::pattern) notes.emplace_back("values of 1 were written");
    note_lost_reals(graph.tensor.values(), context, notes);
    note_undirected(graph, notes);
    note_two_kinds(graph, notes);
    note_ids_from_one(graph, notes);
    note_vertex_data(graph, notes);
    note_lost_shape(list, context, notes);
    for (const CoordinateBlock& block : list.blocks) {
        const ValueWriter values(block.values);
        write_block_entries(sink, block, context,
                            [&](TextPiece& text, const std::vector<Index>& at, Index entry) {
                                for (const Index coordinate : at) {
                                    text.number(coordinate + 1);
                                    text.put(' ');
                                }
                                values.put(text, entry);
                                text.put('\n');
                            });
    }
    return notes;
}

} // namespace tropic
