#include "machines/tile/access_check.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "machines/tile/fault.h"

namespace tropic::tile {

namespace {

constexpr std::uint64_t word_bytes = 4;

} // namespace

void AccessCheck::begin_tile(std::uint32_t tile) {
    tile_ = tile;
    words_.clear();
}

void AccessCheck::begin_vertex(const VertexCode& code, const RunnableVertex& vertex) {
    vertex_ = vertex.id;
    regions_ = code.regions(vertex);
    last_ = 0;
}

std::string AccessCheck::worker_name(int worker) const {
    return worker < 0 ? "the supervisor" : fmt::format("worker {}", worker);
}

std::string AccessCheck::place(std::uint32_t line) const {
    const VertexType& type = *graph_->vertices()[vertex_].type;
    return fmt::format("{} on tile {}, {}, {}:{}", graph_->describe(vertex_), tile_,
                       worker_name(worker_), type.source_file, line);
}

std::string AccessCheck::element(const FieldRegion& region, const std::byte* address) const {
    const Field& field = graph_->vertices()[vertex_].type->fields[region.field];
    const std::int64_t distance = address - region.begin;
    const auto size = static_cast<std::int64_t>(region.element_bytes);
    const std::int64_t index = distance >= 0 ? distance / size : -((size - 1 - distance) / size);
    const std::int64_t count = (region.end - region.begin) / size;
    return fmt::format("element {} of field '{}'{} (which has {})", index, field.name,
                       field.shape == FieldShape::list ? fmt::format("[{}]", region.part) : "",
                       count);
}

const FieldRegion& AccessCheck::find(const std::byte* address, std::uint32_t bytes,
                                     std::uint32_t line, bool store) {
    const auto holds = [&](const FieldRegion& region) {
        return address >= region.begin && address + bytes <= region.end;
    };
    if (last_ < regions_.size() && holds(regions_[last_])) return regions_[last_];
    const FieldRegion* nearest = nullptr;
    std::uint64_t least = 0;
    for (std::size_t r = 0; r < regions_.size(); ++r) {
        const FieldRegion& region = regions_[r];
        if (holds(region)) {
            last_ = r;
            return region;
        }
        const auto before =
            static_cast<std::uint64_t>(std::max<std::int64_t>(0, region.begin - address));
        const auto behind =
            static_cast<std::uint64_t>(std::max<std::int64_t>(0, address - region.end + 1));
        if (nearest == nullptr || before + behind < least) {
            nearest = &region;
            least = before + behind;
        }
    }
    const std::string what =
        nearest == nullptr
            ? "memory that no field has"
            : element(*nearest,
                      address < nearest->begin ? address : std::max(address, nearest->begin));
    fail(Fault::access,
         fmt::format("out of bounds: {} {} {} ", place(line), store ? "writes" : "reads", what),
         "elements of the vertex's fields");
}

void AccessCheck::on_load(const void* address, std::uint32_t bytes, std::uint32_t line) {
    const auto* at = static_cast<const std::byte*>(address);
    const FieldRegion& region = find(at, bytes, line, false);
    if (region.written == nullptr || bytes == 0) return;
    const auto first = static_cast<std::size_t>(at - region.begin) / region.element_bytes;
    const auto last =
        static_cast<std::size_t>(at - region.begin + bytes - 1) / region.element_bytes;
    for (std::size_t e = first; e <= last; ++e) {
        if (region.written[e] != 0) continue;
        fail(Fault::access,
             fmt::format("uninitialised: {} reads {}, which was never written", place(line),
                         element(region, region.begin + e * region.element_bytes)),
             "elements with an initial value, or that something wrote before");
    }
}

void AccessCheck::on_store(const void* address, std::uint32_t bytes, std::uint32_t line) {
    const auto* at = static_cast<const std::byte*>(address);
    const FieldRegion& region = find(at, bytes, line, true);
    if (!region.writable) {
        fail(Fault::access,
             fmt::format("{} writes {}, which is an input", place(line), element(region, at)),
             "an Output or InOut");
    }
    if (bytes == 0) return;
    if (region.element_bytes < word_bytes) check_race(region, at, bytes, line);
    if (region.written == nullptr) return;
    const auto first = static_cast<std::size_t>(at - region.begin) / region.element_bytes;
    const auto last =
        static_cast<std::size_t>(at - region.begin + bytes - 1) / region.element_bytes;
    std::memset(region.written + first, 1, last - first + 1);
}

void AccessCheck::check_race(const FieldRegion& region, const std::byte* address,
                             std::uint32_t bytes, std::uint32_t line) {
    const auto offset = static_cast<std::uint64_t>(address - region.begin) + region.word_offset;
    for (std::uint64_t word = offset / word_bytes; word <= (offset + bytes - 1) / word_bytes;
         ++word) {
        const auto [found, added] = words_.try_emplace(
            region.first_word + word, Writer{vertex_, worker_, region.field, line});
        if (added || found->second.worker == worker_) continue;
        const Writer& other = found->second;
        const Field& field = graph_->vertices()[other.vertex].type->fields[other.field];
        fail(Fault::access,
             fmt::format("race: {} writes {} while {} writes field '{}' of {} (line {}) in the "
                         "same 32-bit word: a store of less than a word reads and writes all of it",
                         place(line), element(region, address), worker_name(other.worker),
                         field.name, graph_->describe(other.vertex), other.line),
             "elements in words that one worker writes", "give each worker a multiple of 4 bytes");
    }
}

} // namespace tropic::tile
