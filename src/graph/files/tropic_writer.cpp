// Writes Tropic's binary format in one stream: the checksums come first in the file, so the arrays
// are read twice, once by all threads to sum them up and once to write them. Nothing is copied.
#include <cstring>
#include <memory>
#include <new>

#include <fmt/format.h>
#include <xxhash.h>

#include "graph/files/binary.h"
#include "graph/files/tropic_description.h"
#include "graph/files/tropic_layout.h"
#include "support/parallel.h"
#include "tropic/error.h"

namespace tropic {

namespace {

using binary::Header;
using binary::Section;
using binary::SectionKind;

/// Bytes handed to the sink at once, between looks at cancellation and progress.
constexpr std::uint64_t write_bytes = 16u << 20;

constexpr std::uint64_t round_up(std::uint64_t number, std::uint64_t multiple) {
    return (number + multiple - 1) / multiple * multiple;
}

constexpr std::array<char, binary::page_alignment> zeros{};

/// A section to be, with the bytes that go into it.
struct Part {
    Section section;
    std::string_view bytes;
};

class TropicWriter {
  public:
    TropicWriter(const Graph& graph, ByteSink& sink, const Context& context)
        : sink_(sink), context_(context), description_(binary::encode_description(graph)) {
        collect(graph);
        place();
    }

    void write() {
        const std::string table = table_bytes();
        Header header{};
        header.magic = binary::magic;
        header.byte_order = binary::byte_order_mark;
        header.major = binary::major_version;
        header.minor = binary::minor_version;
        header.file_bytes = file_bytes_;
        header.table_bytes = table.size();
        header.table_checksum = XXH3_64bits(table.data(), table.size());
        header.sections = static_cast<std::uint32_t>(parts_.size());
        header.block_bytes = binary::block_bytes;
        header.checksum = XXH3_64bits(&header, sizeof(Header) - sizeof(header.checksum));
        put({reinterpret_cast<const char*>(&header), sizeof(Header)});
        put(table);
        for (const Part& part : parts_) {
            put(part.bytes);
            put({zeros.data(), part.section.extent - part.bytes.size()});
        }
    }

  private:
    void collect(const Graph& graph) {
        add(SectionKind::description, 0, ElementType::uint8,
            static_cast<Index>(description_.size()), description_);
        const std::vector<Level>& levels = graph.tensor.levels();
        for (std::size_t l = 0; l < levels.size(); ++l) {
            if (levels[l].kind == LevelKind::compressed) {
                add(SectionKind::positions, l, levels[l].pos);
            }
            if (levels[l].kind != LevelKind::dense) {
                add(SectionKind::coordinates, l, levels[l].crd);
            }
        }
        add(SectionKind::values, 0, graph.tensor.values());
        int next = 0;
        const std::vector<int> tables = binary::tables_of_ids(graph);
        for (std::size_t d = 0; d < tables.size(); ++d) {
            if (tables[d] == next) add(SectionKind::ids, next++, graph.ids[d].table());
        }
        add(SectionKind::vertex_weights, 0, graph.vertex_weights);
        add(SectionKind::vertex_sizes, 0, graph.vertex_sizes);
    }

    void add(SectionKind kind, std::size_t part, const Array& array) {
        if (array.type() == ElementType::pattern) return;
        add(kind, part, array.type(), array.size(),
            {static_cast<const char*>(array.data()), array.bytes()});
    }

    void add(SectionKind kind, std::size_t part, ElementType type, Index elements,
             std::string_view bytes) {
        parts_.push_back({.section = {.kind = kind,
                                      .part = static_cast<std::uint16_t>(part),
                                      .type = static_cast<std::uint32_t>(type),
                                      .offset = 0,
                                      .elements = static_cast<std::uint64_t>(elements),
                                      .extent = 0},
                          .bytes = bytes});
    }

    /// Gives every section its offset; what lies between two sections belongs to the first.
    void place() {
        for (const Part& part : parts_) {
            blocks_ += binary::blocks_of(part.bytes.size(), binary::block_bytes);
        }
        std::uint64_t at = sizeof(Header) + round_up(parts_.size() * sizeof(Section) + blocks_ * 8,
                                                     binary::alignment);
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            Part& part = parts_[p];
            part.section.offset = at;
            const bool next_is_large =
                p + 1 < parts_.size() && parts_[p + 1].bytes.size() >= binary::page_aligned_from;
            at = round_up(at + part.bytes.size(),
                          next_is_large ? binary::page_alignment : binary::alignment);
            part.section.extent = at - part.section.offset;
        }
        file_bytes_ = at;
    }

    /// The sections and the checksums of their blocks, padded up to the first section.
    std::string table_bytes() const {
        std::string table(parts_.front().section.offset - sizeof(Header), '\0');
        char* at = table.data();
        for (const Part& part : parts_) {
            std::memcpy(at, &part.section, sizeof(Section));
            at += sizeof(Section);
        }
        for (const Part& part : parts_) {
            const std::uint64_t blocks = binary::blocks_of(part.bytes.size(), binary::block_bytes);
            parallel_each(context_, static_cast<Index>(blocks), [&](Index block) {
                context_.check_cancelled();
                const std::uint64_t sum = checksum(part, static_cast<std::uint64_t>(block), blocks);
                std::memcpy(at + static_cast<std::uint64_t>(block) * sizeof(sum), &sum,
                            sizeof(sum));
            });
            at += blocks * sizeof(std::uint64_t);
        }
        return table;
    }

    static std::uint64_t checksum(const Part& part, std::uint64_t block, std::uint64_t blocks) {
        const std::uint64_t begin = block * binary::block_bytes;
        const std::string_view bytes = part.bytes.substr(begin, binary::block_bytes);
        const std::uint64_t padding = part.section.extent - part.bytes.size();
        if (block + 1 < blocks || padding == 0) return XXH3_64bits(bytes.data(), bytes.size());
        const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(),
                                                                             &XXH3_freeState);
        if (!state) throw std::bad_alloc();
        XXH3_64bits_reset(state.get());
        XXH3_64bits_update(state.get(), bytes.data(), bytes.size());
        XXH3_64bits_update(state.get(), zeros.data(), padding);
        return XXH3_64bits_digest(state.get());
    }

    void put(std::string_view bytes) {
        while (!bytes.empty()) {
            context_.check_cancelled();
            const std::string_view piece = bytes.substr(0, write_bytes);
            sink_.write(piece);
            bytes.remove_prefix(piece.size());
            written_ += piece.size();
            context_.report("writing", written_, file_bytes_);
        }
    }

    ByteSink& sink_;
    const Context& context_;
    std::string description_;
    std::vector<Part> parts_;
    std::uint64_t blocks_ = 0;
    std::uint64_t file_bytes_ = 0;
    std::uint64_t written_ = 0;
};

} // namespace

void write_tropic_binary_to(const Graph& graph, ByteSink& sink, const Context& context) {
    constexpr int most_levels = 0xffff;
    std::string misfit = binary::misfit_of(graph);
    if (graph.tensor.rank() > most_levels) misfit = "more than 65535 dimensions";
    if (!misfit.empty()) {
        throw Error({.code = ErrorCode::inconsistent,
                     .message = fmt::format("the graph cannot be written: {}", misfit),
                     .file = std::string(sink.path())});
    }
    TropicWriter(graph, sink, context).write();
}

std::vector<std::string> write_tropic_binary(const Graph& graph, const std::string& path,
                                             const WriteOptions&, const Context& context) {
    const auto sink = create_file(path, true, context);
    write_tropic_binary_to(graph, *sink, context);
    sink->commit();
    return {};
}

} // namespace tropic
