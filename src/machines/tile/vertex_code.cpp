#include "machines/tile/vertex_code.h"

#include <algorithm>
#include <cstring>

namespace tropic::tile {

namespace {

constexpr std::size_t state_alignment = 16;
constexpr std::size_t buffer_alignment = 16;
constexpr std::size_t margin_bytes = 256; ///< around buffers in checked mode

std::size_t round_up(std::size_t bytes, std::size_t to) {
    return (bytes + to - 1) / to * to;
}

} // namespace

/// Runs twice over the vertices: first to see how much memory they take, then to fill it.
class VertexCodeBuilder {
  public:
    VertexCodeBuilder(VertexCode& code, const Executable& executable, const HostMemory& memory,
                      const VertexCodeOptions& options,
                      const std::unordered_map<const VertexType*, const VertexType*>& types)
        : code_(&code), executable_(&executable), graph_(executable.graph.get()), memory_(&memory),
          options_(&options), types_(&types) {}

    void run(ComputeSetId set) {
        std::vector<VertexId> order = graph_->compute_sets()[set].vertices;
        std::ranges::sort(order, {}, [&](VertexId v) {
            return std::pair(graph_->vertices()[v].tile, v); // in the order they were added
        });
        for (const VertexId v : order) place(v);
        code_->states_ = HostBuffer(states_);
        code_->buffers_ = HostBuffer(buffers_);
        if (options_->checked) code_->written_ = HostBuffer(elements_);
        filling_ = true;
        states_ = buffers_ = elements_ = 0;
        code_->vertices_.reserve(order.size());
        for (const VertexId v : order) place(v);
        for (std::uint32_t i = 0; i < order.size(); ++i) {
            const std::uint32_t tile = graph_->vertices()[order[i]].tile;
            if (code_->tiles_.empty() || code_->tiles_.back().tile != tile) {
                code_->tiles_.push_back({tile, i, i});
            }
            code_->tiles_.back().end = i + 1;
        }
    }

  private:
    void place(VertexId v) {
        const Vertex& vertex = graph_->vertices()[v];
        const std::size_t state = states_;
        states_ += round_up(std::max<std::size_t>(vertex.type->host_bytes, 1), state_alignment);
        RunnableVertex runnable;
        if (filling_) {
            state_ = code_->states_.data() + state;
            std::memcpy(state_, graph_->state(vertex), vertex.type->host_bytes);
            const auto replaced = types_->find(vertex.type);
            runnable.run = replaced == types_->end() ? vertex.type->run : replaced->second->run;
            runnable.state = state_;
            runnable.id = v;
            runnable.kind = vertex.type->kind;
            runnable.use_estimate = options_->trust_estimates && vertex.has_estimate;
            runnable.estimate = vertex.cycle_estimate;
            runnable.first_gathered = static_cast<std::uint32_t>(code_->gathered_.size());
            runnable.first_region = static_cast<std::uint32_t>(code_->regions_.size());
        }
        tile_ = vertex.tile;
        if (filling_ && options_->checked) add_members(*vertex.type);
        for (const Binding& binding : vertex.bindings) {
            const Field& field = vertex.type->fields[binding.field];
            if (!binding.connected) {
                place_own(binding, field);
            } else if (field.shape == FieldShape::list) {
                place_list(binding, field);
            } else {
                std::byte* data = place_edge(binding.edge, binding.field, 0, field);
                if (filling_) set_vector(state_ + field.offset, field, data, binding.edge.elements);
            }
        }
        if (filling_) {
            runnable.gathered =
                static_cast<std::uint32_t>(code_->gathered_.size()) - runnable.first_gathered;
            runnable.regions =
                static_cast<std::uint32_t>(code_->regions_.size()) - runnable.first_region;
            code_->vertices_.push_back(runnable);
        }
    }

    static void set_vector(std::byte* at, const Field& field, std::byte* data,
                           std::int64_t elements) {
        const auto size = static_cast<std::uint64_t>(elements) / field.vector_width;
        const bool sized = field.shape == FieldShape::span ||
                           (field.shape == FieldShape::list && field.inner_has_size);
        if (sized) {
            const SpanField span{data, size};
            std::memcpy(at, &span, sizeof span);
        } else {
            const PointerField pointer{data};
            std::memcpy(at, &pointer, sizeof pointer);
        }
    }

    /// Takes memory for a buffer; `shift` is where it begins behind an aligned address.
    std::byte* take(std::size_t bytes, std::size_t alignment, std::size_t shift = 0) {
        buffers_ = round_up(buffers_, std::max(alignment, buffer_alignment));
        if (options_->checked) buffers_ += margin_bytes;
        buffers_ += shift;
        std::byte* begin = filling_ ? code_->buffers_.data() + buffers_ : nullptr;
        buffers_ += bytes;
        if (options_->checked) buffers_ += margin_bytes;
        return begin;
    }

    std::uint8_t* take_flags(std::int64_t elements) {
        if (!options_->checked) return nullptr;
        std::uint8_t* begin =
            filling_ ? reinterpret_cast<std::uint8_t*>(code_->written_.data()) + elements_
                     : nullptr;
        elements_ += static_cast<std::size_t>(elements);
        return begin;
    }

    void place_own(const Binding& binding, const Field& field) {
        const std::size_t bytes = static_cast<std::size_t>(binding.scratch) * bytes_of(field.type);
        std::byte* data = take(bytes, field.alignment);
        std::uint8_t* flags = take_flags(binding.scratch);
        if (!filling_) return;
        if (binding.initial != Binding::none && bytes > 0) {
            const std::vector<std::byte>& values = graph_->scratch_values()[binding.initial];
            std::memcpy(data, values.data(), std::min(bytes, values.size()));
            if (flags != nullptr) {
                std::memset(flags, 1, static_cast<std::size_t>(binding.scratch));
            }
        }
        set_vector(state_ + field.offset, field, data, binding.scratch);
        add_region(data, bytes, flags, binding.field, 0, field, true, no_words, 0);
    }

    void place_list(const Binding& binding, const Field& field) {
        const std::size_t entry = field.inner_has_size ? sizeof(SpanField) : sizeof(PointerField);
        std::byte* entries = take(entry * binding.list.size(), alignof(SpanField));
        for (std::size_t i = 0; i < binding.list.size(); ++i) {
            const Edge& edge = binding.list[i];
            std::byte* data = place_edge(edge, binding.field, static_cast<std::uint32_t>(i), field);
            if (filling_) set_vector(entries + i * entry, field, data, edge.elements);
        }
        if (!filling_) return;
        const ListField list{entries, binding.list.size()};
        std::memcpy(state_ + field.offset, &list, sizeof list);
        add_region(entries, entry * binding.list.size(), nullptr, binding.field, 0, field, false,
                   no_words, 0);
        if (!options_->checked) return;
        code_->regions_.back().entries = true;
        code_->regions_.back().element_bytes = static_cast<std::uint32_t>(entry);
    }

    /// Workers of one vertex share its plain members.
    void add_members(const VertexType& type) {
        if (type.kind == VertexKind::worker) return;
        for (std::uint32_t f = 0; f < type.fields.size(); ++f) {
            const Field& field = type.fields[f];
            if (field.role != FieldRole::state) continue;
            add_region(state_ + field.offset, field.host_bytes, nullptr, f, 0, field, true,
                       no_words, 0);
            code_->regions_.back().member = true;
        }
    }

    std::byte* place_edge(const Edge& edge, std::uint32_t field_index, std::uint32_t part,
                          const Field& field) {
        const std::span<const Run> runs = graph_->runs(edge);
        const std::size_t bytes = static_cast<std::size_t>(edge.elements) * bytes_of(field.type);
        if (!options_->checked && runs.size() == 1 && runs[0].contiguous() &&
            aligned(runs[0], field)) {
            return filling_ ? memory_->at(runs[0].variable, runs[0].begin) : nullptr;
        }
        const auto [words, shift] = tile_words(runs, field);
        std::byte* data = take(bytes, field.alignment, shift);
        std::uint8_t* flags = take_flags(edge.elements);
        if (!filling_) return data;
        Gathered gathered;
        gathered.buffer = data;
        gathered.written = flags;
        gathered.first_run = static_cast<std::uint32_t>(code_->runs_.size());
        gathered.runs = static_cast<std::uint32_t>(runs.size());
        gathered.element_bytes = static_cast<std::uint32_t>(bytes_of(field.type));
        gathered.scatter = field.role != FieldRole::input;
        for (const Run& run : runs) {
            MemoryRun memory_run;
            memory_run.begin = memory_->at(run.variable, run.begin);
            memory_run.stride = run.stride * memory_->element_bytes(run.variable);
            memory_run.count = run.count;
            if (options_->checked) {
                memory_run.written = memory_->written(run.variable) + run.begin;
                memory_run.written_stride = run.stride;
            }
            code_->runs_.push_back(memory_run);
        }
        code_->gathered_.push_back(gathered);
        add_region(data, bytes, flags, field_index, part, field, gathered.scatter, words, shift);
        return data;
    }

    /// Codelets may rely on the alignment they ask for.
    bool aligned(const Run& run, const Field& field) const {
        const auto address = reinterpret_cast<std::uintptr_t>(memory_->at(run.variable, run.begin));
        return address % std::max<std::uint32_t>(1, field.alignment) == 0;
    }

    /// For elements that lie in place on the vertex's tile: where, in words, and how far behind a
    /// word the first begins.
    std::pair<std::uint64_t, std::size_t> tile_words(std::span<const Run> runs,
                                                     const Field& field) const {
        if (!options_->checked || runs.size() != 1 || !runs[0].contiguous()) return {no_words, 0};
        const Run& run = runs[0];
        std::uint64_t words = no_words;
        std::size_t shift = 0;
        int segments = 0;
        executable_->placement.map(run.variable).for_each(run, [&](const Segment& segment) {
            if (++segments > 1 || segment.tile != tile_) {
                words = no_words; // some of it is elsewhere: it is put together first
                return;
            }
            const auto at = static_cast<std::uint64_t>(segment.local) * bytes_of(field.type);
            constexpr std::uint64_t word = 4;
            constexpr std::uint64_t variable_bits = 32;
            words = (std::uint64_t{run.variable} << variable_bits) | (at / word);
            shift = at % word;
        });
        if (words == no_words) shift = 0;
        return {words, shift};
    }

    void add_region(const std::byte* data, std::size_t bytes, std::uint8_t* flags,
                    std::uint32_t field_index, std::uint32_t part, const Field& field,
                    bool writable, std::uint64_t words, std::size_t shift) {
        if (!options_->checked) return;
        FieldRegion region;
        region.begin = data;
        region.end = data + bytes;
        region.written = flags;
        region.field = field_index;
        region.part = part;
        region.element_bytes = static_cast<std::uint32_t>(bytes_of(field.type));
        region.writable = writable;
        // Regions of a vertex's own are told apart by their addresses.
        constexpr std::uint64_t own = std::uint64_t{1} << 63;
        region.first_word =
            words != no_words ? words : own | (reinterpret_cast<std::uintptr_t>(data) / 4);
        region.word_offset = static_cast<std::uint32_t>(shift);
        code_->regions_.push_back(region);
    }

    static constexpr std::uint64_t no_words = ~std::uint64_t{0};

    VertexCode* code_;
    const Executable* executable_;
    const Graph* graph_;
    const HostMemory* memory_;
    const VertexCodeOptions* options_;
    const std::unordered_map<const VertexType*, const VertexType*>* types_;
    bool filling_ = false;
    std::size_t states_ = 0;
    std::size_t buffers_ = 0;
    std::size_t elements_ = 0;
    std::byte* state_ = nullptr;
    std::uint32_t tile_ = 0;
};

VertexCode::VertexCode(const Executable& executable, ComputeSetId set, const HostMemory& memory,
                       const VertexCodeOptions& options,
                       const std::unordered_map<const VertexType*, const VertexType*>& types) {
    VertexCodeBuilder(*this, executable, memory, options, types).run(set);
}

void VertexCode::gather(const RunnableVertex& vertex) const {
    for (std::uint32_t g = 0; g < vertex.gathered; ++g) {
        const Gathered& gathered = gathered_[vertex.first_gathered + g];
        std::byte* to = gathered.buffer;
        std::uint8_t* flags = gathered.written;
        for (std::uint32_t r = 0; r < gathered.runs; ++r) {
            const MemoryRun& run = runs_[gathered.first_run + r];
            copy_strided(to, gathered.element_bytes, run.begin, run.stride, run.count,
                         gathered.element_bytes);
            to += run.count * gathered.element_bytes;
            if (flags == nullptr) continue;
            for (std::int64_t i = 0; i < run.count; ++i) {
                *flags++ = run.written[i * run.written_stride];
            }
        }
    }
}

void VertexCode::scatter(const RunnableVertex& vertex) const {
    for (std::uint32_t g = 0; g < vertex.gathered; ++g) {
        const Gathered& gathered = gathered_[vertex.first_gathered + g];
        if (!gathered.scatter) continue;
        const std::byte* from = gathered.buffer;
        const std::uint8_t* flags = gathered.written;
        for (std::uint32_t r = 0; r < gathered.runs; ++r) {
            const MemoryRun& run = runs_[gathered.first_run + r];
            copy_strided(run.begin, run.stride, from, gathered.element_bytes, run.count,
                         gathered.element_bytes);
            from += run.count * gathered.element_bytes;
            if (flags == nullptr) continue;
            for (std::int64_t i = 0; i < run.count; ++i) {
                run.written[i * run.written_stride] = *flags++;
            }
        }
    }
}

} // namespace tropic::tile
