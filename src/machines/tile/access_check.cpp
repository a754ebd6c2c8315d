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
    kind_ = vertex.kind;
    state_ = vertex.state;
    regions_ = code.regions(vertex);
    last_ = 0;
    // The tile's workers are waited for before and after a vertex that needs all of them.
    if (kind_ == VertexKind::worker) return;
    words_.clear();
    races_.begin_vertex(regions_);
}

void AccessCheck::on_worker(int worker) {
    // Between two syncs workers run at the same time; what the supervisor did before is done.
    if (worker < 0 || worker_ < 0) races_.begin_phase();
    worker_ = worker;
}

std::string AccessCheck::worker_name(int worker) {
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
    if (region.entries) {
        return fmt::format("vector {} of field '{}' (which has {})", index, field.name, count);
    }
    if (region.member && count <= 1) return fmt::format("the plain member '{}'", field.name);
    return fmt::format("element {} of field '{}'{} (which has {})", index, field.name,
                       field.shape == FieldShape::list ? fmt::format("[{}]", region.part) : "",
                       count);
}

const FieldRegion* AccessCheck::find(const std::byte* address, std::uint32_t bytes,
                                     std::uint32_t line, bool store) {
    const auto holds = [&](const FieldRegion& region) {
        return address >= region.begin && address + bytes <= region.end;
    };
    if (last_ < regions_.size() && holds(regions_[last_])) return &regions_[last_];
    const VertexType& type = *graph_->vertices()[vertex_].type;
    const bool in_state = address >= state_ && address < state_ + type.host_bytes;
    const FieldRegion* nearest = nullptr;
    std::uint64_t least = 0;
    for (std::size_t r = 0; r < regions_.size(); ++r) {
        const FieldRegion& region = regions_[r];
        if (region.member != in_state) continue;
        if (holds(region)) {
            last_ = r;
            return &region;
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
    if (in_state) return nullptr;
    // So far from all fields that it is a pointer gone astray, which names no element.
    constexpr std::uint64_t astray = 1U << 20U;
    const std::string what = nearest == nullptr || least > astray ? "memory that no field has"
                                                                  : element(*nearest, address);
    fail(Fault::access,
         fmt::format("out of bounds: {} {} {}", place(line), store ? "writes" : "reads", what),
         "elements of the vertex's fields");
}

void AccessCheck::on_load(const void* address, std::uint32_t bytes, std::uint32_t line) {
    const auto* at = static_cast<const std::byte*>(address);
    const FieldRegion* const found = find(at, bytes, line, false);
    if (found == nullptr || bytes == 0) return;
    const FieldRegion& region = *found;
    if (region.writable && kind_ != VertexKind::worker) {
        check_sharing(region, at, bytes, line, false);
    }
    if (region.written == nullptr) return;
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
    const FieldRegion* const found = find(at, bytes, line, true);
    if (found == nullptr) return;
    const FieldRegion& region = *found;
    if (!region.writable) {
        fail(Fault::access,
             fmt::format("{} writes {}, which is an input", place(line), element(region, at)),
             "an Output or InOut");
    }
    if (bytes == 0) return;
    if (kind_ != VertexKind::worker) {
        check_sharing(region, at, bytes, line, true);
    } else if (region.element_bytes < word_bytes) {
        check_neighbours(region, at, bytes, line);
    }
    if (region.written == nullptr) return;
    const auto first = static_cast<std::size_t>(at - region.begin) / region.element_bytes;
    const auto last =
        static_cast<std::size_t>(at - region.begin + bytes - 1) / region.element_bytes;
    std::memset(region.written + first, 1, last - first + 1);
}

void AccessCheck::check_sharing(const FieldRegion& region, const std::byte* address,
                                std::uint32_t bytes, std::uint32_t line, bool store) {
    const auto offset = static_cast<std::uint64_t>(address - region.begin) + region.word_offset;
    const auto index = static_cast<std::size_t>(&region - regions_.data());
    const std::optional<Conflict> conflict =
        races_.note(index, offset, bytes, worker_, line, store);
    if (!conflict) return;
    const std::string what = fmt::format("race: {} {} {} while {} {} it (line {})", place(line),
                                         store ? "writes" : "reads", element(region, address),
                                         worker_name(conflict->worker),
                                         conflict->wrote ? "writes" : "reads", conflict->line);
    if (conflict->same_bytes) {
        fail(Fault::access, what, "elements that one worker writes and no other touches",
             "let each worker have elements of its own, and put the results together afterwards");
    }
    fail(Fault::access,
         fmt::format("race: {} writes {} while {} writes in the same 32-bit word (line {}): a "
                     "store of less than a word reads and writes all of it",
                     place(line), element(region, address), worker_name(conflict->worker),
                     conflict->line),
         "elements in words that one worker writes", "give each worker a multiple of 4 bytes");
}

void AccessCheck::check_neighbours(const FieldRegion& region, const std::byte* address,
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
