// The elements of all variables while programs run: one buffer for each variable, in order of its
// elements, whatever tiles they are on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "machines/tile/graph.h"

namespace tropic::tile {

/// Zeroed memory at a multiple of 64 bytes, touched only when it is used.
class HostBuffer {
  public:
    HostBuffer() = default;
    explicit HostBuffer(std::size_t bytes);

    std::byte* data() const { return data_; }
    std::size_t size() const { return size_; }

  private:
    struct Free {
        void operator()(void* memory) const;
    };
    std::unique_ptr<void, Free> memory_;
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

class HostMemory {
  public:
    /// With initial values in place. `tracked`: remembers which elements were ever written.
    HostMemory(const Graph& graph, bool tracked);

    std::byte* data(VariableId variable) const { return buffers_[variable].data(); }
    std::byte* at(VariableId variable, std::int64_t element) const {
        return buffers_[variable].data() + element * sizes_[variable];
    }
    std::int64_t element_bytes(VariableId variable) const { return sizes_[variable]; }

    bool tracked() const { return !written_.empty(); }
    /// One byte for each element: whether it was ever written.
    std::uint8_t* written(VariableId variable) const {
        return reinterpret_cast<std::uint8_t*>(written_[variable].data());
    }
    void mark(const Run& run, bool is_written) const;

    /// Elements in the tensor's order, packed.
    void read(const Tensor& tensor, std::byte* to) const;
    void write(const Tensor& tensor, const std::byte* from) const;
    /// One value for all elements.
    void fill(const Tensor& tensor, const std::byte* value) const;

  private:
    std::vector<HostBuffer> buffers_;
    std::vector<std::int64_t> sizes_;
    std::vector<HostBuffer> written_;
};

/// Copies `count` elements of `bytes` each, strides in bytes.
void copy_strided(std::byte* to, std::int64_t to_stride, const std::byte* from,
                  std::int64_t from_stride, std::int64_t count, std::int64_t bytes);

} // namespace tropic::tile
