// Reads Tropic's binary format. Nothing in the file is believed before it is checked: first the
// header and the table by their checksums, then every section against the size of the file, then
// the description, then the sizes of the arrays against each other. Only then, and only if asked
// for, the bytes of the arrays are read.
#include <cstring>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <xxhash.h>

#include "graph/files/binary.h"
#include "graph/files/mapped_file.h"
#include "graph/files/tropic_description.h"
#include "graph/files/tropic_layout.h"
#include "support/counted.h"
#include "support/parallel.h"

namespace tropic {

namespace {

using binary::Description;
using binary::Header;
using binary::Section;
using binary::SectionKind;

/// Memory that a described graph takes at most, as a multiple of the description's bytes.
constexpr std::uint64_t description_growth = 24;

std::string_view name_of(SectionKind kind) {
    switch (kind) {
    case SectionKind::description:
        return "the description";
    case SectionKind::positions:
        return "positions";
    case SectionKind::coordinates:
        return "coordinates";
    case SectionKind::values:
        return "values";
    case SectionKind::ids:
        return "vertex ids";
    case SectionKind::vertex_weights:
        return "vertex weights";
    case SectionKind::vertex_sizes:
        return "vertex sizes";
    }
    return "an unknown section";
}

class TropicReader {
  public:
    TropicReader(std::string_view bytes, std::shared_ptr<const void> owner, const std::string& file,
                 const Context& context)
        : bytes_(bytes), owner_(std::move(owner)), file_(file), context_(context) {}

    FileContent read(bool verify) {
        read_header();
        read_table();
        Graph graph = read_graph();
        if (verify) verify_blocks();
        if (const std::string misfit = binary::misfit_of(graph); !misfit.empty()) {
            fail(ErrorCode::corrupt, fmt::format("the arrays do not fit together: {}", misfit));
        }
        if (verify) verify_values(graph);
        FileContent content;
        content.tensor = std::move(graph.tensor);
        content.kind = graph.kind;
        content.ids = std::move(graph.ids);
        content.vertex_weights = std::move(graph.vertex_weights);
        content.constraints = graph.constraints;
        content.vertex_sizes = std::move(graph.vertex_sizes);
        content.name = std::move(graph.name);
        content.source = std::move(graph.source);
        content.steps = std::move(graph.steps);
        content.warnings = std::move(graph.warnings);
        return content;
    }

  private:
    /// A section with the place of its first checksum.
    struct Found {
        Section section;
        std::uint64_t bytes;
        std::uint64_t first_block;
        bool used = false;
    };

    [[noreturn]] void fail(ErrorCode code, std::string message,
                           std::string hint = "make the file again from its source",
                           std::string accepted = {}) const {
        throw Error({.code = code,
                     .message = std::move(message),
                     .file = file_,
                     .accepted = std::move(accepted),
                     .hint = std::move(hint)});
    }

    void read_header() {
        check_magic();
        if (bytes_.size() < sizeof(Header)) {
            fail(ErrorCode::truncated,
                 fmt::format("the file ends after {}, within the header of {}",
                             counted(static_cast<Index>(bytes_.size()), "bytes"), sizeof(Header)),
                 "copy the file again, or make it again from its source");
        }
        std::memcpy(&header_, bytes_.data(), sizeof(Header));
        if (header_.byte_order == binary::foreign_byte_order_mark) {
            fail(ErrorCode::unsupported,
                 "the file was written on a machine with the other byte order",
                 "convert it to a text format on that machine, such as matrix market");
        }
        const std::size_t covered = sizeof(Header) - sizeof(header_.checksum);
        if (XXH3_64bits(bytes_.data(), covered) != header_.checksum) {
            fail(ErrorCode::corrupt, "the header is damaged: its checksum does not match");
        }
        if (header_.byte_order != binary::byte_order_mark) {
            fail(ErrorCode::corrupt, "the header has no byte order mark");
        }
        if (header_.major > binary::major_version) {
            fail(ErrorCode::unsupported,
                 fmt::format("the file has version {}.{} of the format", header_.major,
                             header_.minor),
                 "read it with a newer Tropic",
                 fmt::format("versions up to {}.x", binary::major_version));
        }
        if (header_.major < binary::major_version) {
            fail(ErrorCode::corrupt,
                 fmt::format("the file has version {}.{} of the format, which never was",
                             header_.major, header_.minor));
        }
        if (header_.file_bytes > bytes_.size()) {
            fail(ErrorCode::truncated,
                 fmt::format("the file ends after {} of {} bytes", bytes_.size(),
                             header_.file_bytes),
                 "copy the file again, or make it again from its source");
        }
        if (header_.file_bytes < bytes_.size()) {
            fail(ErrorCode::corrupt,
                 fmt::format(
                     "the file goes on for {} behind its end",
                     counted(static_cast<Index>(bytes_.size() - header_.file_bytes), "bytes")),
                 "copy the file again, or make it again from its source");
        }
    }

    void check_magic() const {
        if (bytes_.empty()) fail(ErrorCode::truncated, "the file is empty");
        const std::size_t size = std::min(bytes_.size(), binary::magic.size());
        if (std::memcmp(bytes_.data(), binary::magic.data(), size) == 0) return;
        if (is_tropic_binary(bytes_)) {
            fail(ErrorCode::corrupt,
                 "line ends in the first bytes were changed: the file was copied as if it were "
                 "text",
                 "copy the file again in binary mode");
        }
        fail(ErrorCode::corrupt, "this is no Tropic file: its first bytes are others",
             "let the format be recognised, or name it with --format");
    }

    void read_table() {
        const std::uint64_t room = bytes_.size() - sizeof(Header);
        if (header_.table_bytes > room || header_.table_bytes % binary::alignment != 0 ||
            header_.sections > header_.table_bytes / sizeof(Section) || header_.block_bytes == 0) {
            fail(ErrorCode::corrupt, "the sizes in the header contradict each other");
        }
        const std::string_view table = bytes_.substr(sizeof(Header), header_.table_bytes);
        if (XXH3_64bits(table.data(), table.size()) != header_.table_checksum) {
            fail(ErrorCode::corrupt, "the section table is damaged: its checksum does not match");
        }
        std::uint64_t end = sizeof(Header) + header_.table_bytes;
        std::uint64_t blocks = 0;
        for (std::uint32_t s = 0; s < header_.sections; ++s) {
            Found found{};
            std::memcpy(&found.section, table.data() + s * sizeof(Section), sizeof(Section));
            found.first_block = blocks;
            check_section(found, s, end);
            end += found.section.extent;
            // Sections lie one behind the other in the file, so this sum cannot overflow.
            blocks += binary::blocks_of(found.bytes, header_.block_bytes);
            const auto key = std::pair(found.section.kind, found.section.part);
            if (!sections_.emplace(key, found).second) {
                fail(ErrorCode::corrupt, fmt::format("the file has {} of part {} twice",
                                                     name_of(key.first), key.second));
            }
        }
        const std::uint64_t room_for_blocks =
            (header_.table_bytes - header_.sections * sizeof(Section)) / sizeof(std::uint64_t);
        if (end != bytes_.size() || blocks > room_for_blocks) {
            fail(ErrorCode::corrupt, "the sections do not fill the file");
        }
        checksums_ = table.substr(header_.sections * sizeof(Section));
    }

    void check_section(Found& found, std::uint32_t number, std::uint64_t end) const {
        const Section& section = found.section;
        const bool known_type = section.type < static_cast<std::uint32_t>(element_type_count) &&
                                section.type != static_cast<std::uint32_t>(ElementType::pattern);
        if (!known_type) {
            fail(ErrorCode::corrupt, fmt::format("section {} ({}) has elements of unknown type {}",
                                                 number, name_of(section.kind), section.type));
        }
        if (section.offset != end || section.extent > bytes_.size() - end ||
            section.extent % binary::alignment != 0 ||
            __builtin_mul_overflow(section.elements,
                                   size_of(static_cast<ElementType>(section.type)), &found.bytes) ||
            found.bytes > section.extent ||
            section.extent - found.bytes >= binary::page_alignment) {
            fail(ErrorCode::corrupt,
                 fmt::format("section {} ({}) does not lie within the file as it should", number,
                             name_of(section.kind)));
        }
    }

    Graph read_graph() {
        Found* found = find(SectionKind::description, 0);
        if (found == nullptr || found->section.offset != sizeof(Header) + header_.table_bytes ||
            found->section.type != static_cast<std::uint32_t>(ElementType::uint8)) {
            fail(ErrorCode::corrupt, "the file has no description of the graph");
        }
        verify_section(*found);
        context_.budget()->require(found->bytes * description_growth,
                                   "the description of the graph");
        const bool newer = header_.minor > binary::minor_version;
        Description description = binary::decode_description(
            bytes_.substr(found->section.offset, found->bytes), newer, file_);

        std::vector<Level> levels;
        for (std::size_t l = 0; l < description.format.levels.size(); ++l) {
            Level& level = levels.emplace_back();
            level.kind = description.format.levels[l];
            if (level.kind == LevelKind::compressed) level.pos = array(SectionKind::positions, l);
            if (level.kind != LevelKind::dense) level.crd = array(SectionKind::coordinates, l);
        }
        if (description.entries < 0) fail(ErrorCode::corrupt, "the number of entries is negative");
        Array values = Array::borrow(ElementType::pattern, nullptr, description.entries);
        if (description.value_type != ElementType::pattern) values = array(SectionKind::values, 0);
        if (values.type() != description.value_type || values.size() != description.entries) {
            fail(ErrorCode::corrupt,
                 fmt::format("{} of type {} where the description has {} of type {}",
                             counted(values.size(), "values"), tropic::name_of(values.type()),
                             description.entries, tropic::name_of(description.value_type)));
        }
        Graph graph = std::move(description.graph);
        graph.tensor =
            Tensor(std::move(description.shape), std::move(description.format), std::move(levels),
                   std::move(values), description.unique, description.sorted);
        for (std::size_t d = 0; d < graph.ids.size(); ++d) {
            const int number = description.id_tables[d];
            if (number < 0) continue;
            Array table = array(SectionKind::ids, number);
            // An empty table would silently stand for ids that count from 0.
            if (table.empty()) fail(ErrorCode::corrupt, "a table of vertex ids is empty");
            graph.ids[d] = VertexIds(std::move(table));
        }
        if (find(SectionKind::vertex_weights, 0) != nullptr) {
            graph.vertex_weights = array(SectionKind::vertex_weights, 0);
        }
        if (find(SectionKind::vertex_sizes, 0) != nullptr) {
            graph.vertex_sizes = array(SectionKind::vertex_sizes, 0);
        }
        check_all_used(newer, graph);
        return graph;
    }

    Found* find(SectionKind kind, std::size_t part) {
        if (part > std::numeric_limits<std::uint16_t>::max()) return nullptr;
        const auto at = sections_.find({kind, static_cast<std::uint16_t>(part)});
        if (at == sections_.end()) return nullptr;
        at->second.used = true;
        return &at->second;
    }

    Array array(SectionKind kind, std::size_t part) {
        const Found* found = find(kind, part);
        if (found == nullptr) {
            fail(ErrorCode::corrupt,
                 fmt::format("the file has no {} of part {}", name_of(kind), part));
        }
        return Array::borrow(static_cast<ElementType>(found->section.type),
                             bytes_.data() + found->section.offset,
                             static_cast<Index>(found->section.elements), owner_);
    }

    /// A newer minor version may have added sections; this one knows all of its own.
    void check_all_used(bool newer, Graph& graph) const {
        for (const auto& [key, found] : sections_) {
            if (found.used) continue;
            if (!newer) {
                fail(ErrorCode::corrupt,
                     fmt::format("the file has {} of part {}, which the graph has no use for",
                                 name_of(key.first), key.second));
            }
            graph.warnings.push_back(fmt::format(
                "section {} of part {} was ignored: the file was written by a newer Tropic",
                static_cast<int>(key.first), key.second));
        }
    }

    /// Whether the bytes of a block are those that were written.
    bool block_is_sound(const Found& found, std::uint64_t block) const {
        const std::uint64_t count = binary::blocks_of(found.bytes, header_.block_bytes);
        const std::uint64_t begin = block * header_.block_bytes;
        const std::uint64_t end =
            block + 1 == count ? found.section.extent : begin + header_.block_bytes;
        const std::string_view piece = bytes_.substr(found.section.offset + begin, end - begin);
        MappedFile::populate(piece);
        std::uint64_t expected = 0;
        std::memcpy(&expected,
                    checksums_.data() + (found.first_block + block) * sizeof(std::uint64_t),
                    sizeof(expected));
        return XXH3_64bits(piece.data(), piece.size()) == expected;
    }

    void verify_section(const Found& found) const {
        const auto count = static_cast<Index>(binary::blocks_of(found.bytes, header_.block_bytes));
        const Index broken = parallel_combine(
            context_, count, 1, Index{-1},
            [&](Index block, Index) {
                context_.check_cancelled();
                return block_is_sound(found, static_cast<std::uint64_t>(block)) ? Index{-1} : block;
            },
            [](Index a, Index b) { return a >= 0 ? a : b; });
        if (broken < 0) return;
        const std::uint64_t at =
            found.section.offset + static_cast<std::uint64_t>(broken) * header_.block_bytes;
        fail(ErrorCode::corrupt,
             fmt::format("{} {} damaged: the checksum of the block at byte {} does not match",
                         name_of(found.section.kind),
                         found.section.kind == SectionKind::description ? "is" : "are", at),
             "copy the file again, or make it again from its source");
    }

    void verify_blocks() const {
        for (const auto& [key, found] : sections_) {
            context_.report("verifying", found.section.offset, bytes_.size());
            if (key.first != SectionKind::description) verify_section(found);
        }
        context_.report("verifying", bytes_.size(), bytes_.size());
    }

    /// Sound checksums only say that the bytes are the writer's. Whoever uses the arrays relies on
    /// the invariants, whoever wrote them.
    void verify_values(const Graph& graph) const {
        verify_booleans(graph.tensor.values());
        verify_booleans(graph.vertex_weights);
        verify_booleans(graph.vertex_sizes);
        try {
            graph.tensor.check(context_);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::corrupt) throw;
            Diagnostic diagnostic = error.diagnostic();
            diagnostic.file = file_;
            diagnostic.hint = "make the file again from its source";
            throw Error(diagnostic);
        }
    }

    /// A bool that is neither 0 nor 1 is undefined behaviour for whoever reads it.
    void verify_booleans(const Array& array) const {
        if (array.type() != ElementType::boolean) return;
        const auto* bytes = static_cast<const unsigned char*>(array.data());
        const bool sound = parallel_combine(
            context_, array.size(), Index{1} << 20, true,
            [&](Index begin, Index end) {
                unsigned char all = 0;
                for (Index i = begin; i < end; ++i) all |= bytes[i];
                return all <= 1;
            },
            [](bool a, bool b) { return a && b; });
        if (!sound) fail(ErrorCode::corrupt, "a value of type bool is neither 0 nor 1");
    }

    std::string_view bytes_;
    std::shared_ptr<const void> owner_;
    const std::string& file_;
    const Context& context_;
    Header header_{};
    std::map<std::pair<SectionKind, std::uint16_t>, Found> sections_;
    std::string_view checksums_;
};

} // namespace

bool is_tropic_binary(std::string_view first_bytes) {
    constexpr std::size_t enough = 4;
    return first_bytes.size() >= enough &&
           std::memcmp(first_bytes.data(), binary::magic.data(), enough) == 0;
}

FileContent read_tropic_binary(const std::string& path, const ReadOptions& options,
                               const Context& context) {
    const auto file = MappedFile::open(path);
    return TropicReader(file->bytes(), file, path, context).read(options.verify);
}

FileContent read_tropic_binary_from_memory(std::string_view bytes, const std::string& name,
                                           const ReadOptions& options, const Context& context) {
    const auto copy = std::make_shared<Array>(Array::allocate(
        ElementType::uint8, static_cast<Index>(bytes.size()), context, "a copy of the file"));
    if (!bytes.empty()) std::memcpy(copy->mutable_data(), bytes.data(), bytes.size());
    const std::string_view copied(static_cast<const char*>(copy->data()), bytes.size());
    return TropicReader(copied, copy, name, context).read(options.verify);
}

} // namespace tropic
