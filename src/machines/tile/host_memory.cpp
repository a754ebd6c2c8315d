#include "machines/tile/host_memory.h"

#include <cstdlib>
#include <cstring>

#include "machines/tile/fault.h"

namespace tropic::tile {

namespace {

constexpr std::size_t line = 64;

template <class Value>
void copy_elements(std::byte* to, std::int64_t to_stride, const std::byte* from,
                   std::int64_t from_stride, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        Value value;
        std::memcpy(&value, from + i * from_stride, sizeof(Value));
        std::memcpy(to + i * to_stride, &value, sizeof(Value));
    }
}

} // namespace

HostBuffer::HostBuffer(std::size_t bytes) : size_(bytes) {
    memory_.reset(std::calloc(1, bytes + 2 * line)); // room to align, and a margin behind
    if (!memory_) {
        throw Error(ErrorCode::out_of_memory, "the host has no memory left for the model's tiles");
    }
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
    data_ = static_cast<std::byte*>(memory_.get()) + (line - address % line) % line;
}

void HostBuffer::Free::operator()(void* memory) const {
    std::free(memory);
}

void copy_strided(std::byte* to, std::int64_t to_stride, const std::byte* from,
                  std::int64_t from_stride, std::int64_t count, std::int64_t bytes) {
    if (to_stride == bytes && from_stride == bytes) {
        std::memmove(to, from, static_cast<std::size_t>(count * bytes));
        return;
    }
    switch (bytes) {
    case 1:
        return copy_elements<std::uint8_t>(to, to_stride, from, from_stride, count);
    case 2:
        return copy_elements<std::uint16_t>(to, to_stride, from, from_stride, count);
    case 4:
        return copy_elements<std::uint32_t>(to, to_stride, from, from_stride, count);
    default:
        return copy_elements<std::uint64_t>(to, to_stride, from, from_stride, count);
    }
}

HostMemory::HostMemory(const Graph& graph, bool tracked) {
    buffers_.reserve(graph.variables().size());
    for (const Variable& variable : graph.variables()) {
        const auto bytes = static_cast<std::int64_t>(bytes_of(variable.type));
        sizes_.push_back(bytes);
        buffers_.emplace_back(static_cast<std::size_t>(variable.elements * bytes));
        if (tracked) written_.emplace_back(static_cast<std::size_t>(variable.elements));
        const auto id = static_cast<VariableId>(buffers_.size() - 1);
        for (const InitialValue& initial : variable.initial) {
            const Run& run = initial.run;
            const bool one = initial.values.size() == static_cast<std::size_t>(bytes);
            copy_strided(at(id, run.begin), run.stride * bytes, initial.values.data(),
                         one ? 0 : bytes, run.count, bytes);
            if (tracked) mark(run, true);
        }
    }
}

void HostMemory::mark(const Run& run, bool is_written) const {
    if (!tracked()) return;
    std::uint8_t* flags = written(run.variable);
    if (run.contiguous()) {
        std::memset(flags + run.begin, is_written ? 1 : 0, static_cast<std::size_t>(run.count));
    } else {
        for (std::int64_t i = 0; i < run.count; ++i) flags[run.at(i)] = is_written ? 1 : 0;
    }
}

void HostMemory::read(const Tensor& tensor, std::byte* to) const {
    tensor.for_each_run([&](const Run& run) {
        const std::int64_t bytes = sizes_[run.variable];
        copy_strided(to, bytes, at(run.variable, run.begin), run.stride * bytes, run.count, bytes);
        to += run.count * bytes;
    });
}

void HostMemory::write(const Tensor& tensor, const std::byte* from) const {
    tensor.for_each_run([&](const Run& run) {
        const std::int64_t bytes = sizes_[run.variable];
        copy_strided(at(run.variable, run.begin), run.stride * bytes, from, bytes, run.count,
                     bytes);
        mark(run, true);
        from += run.count * bytes;
    });
}

void HostMemory::fill(const Tensor& tensor, const std::byte* value) const {
    tensor.for_each_run([&](const Run& run) {
        const std::int64_t bytes = sizes_[run.variable];
        copy_strided(at(run.variable, run.begin), run.stride * bytes, value, 0, run.count, bytes);
        mark(run, true);
    });
}

} // namespace tropic::tile
