// Remote buffers from the host's side.
#include <poplar/Engine.hpp>

#include <cstring>

#include "engine_core.h"
#include "machines/tile/fault.h"
#include "translate.h"

namespace poplar {

namespace tile = tropic::tile;
using core::translated;

namespace {

std::uint32_t find_remote(const tile::Graph& graph, StringRef handle) {
    for (std::uint32_t b = 0; b < graph.remote_buffers().size(); ++b) {
        if (graph.remote_buffers()[b].handle == std::string_view(handle)) return b;
    }
    tile::fail(tile::Fault::stream, "there is no remote buffer '" + handle.cloneAsString() + "'");
}

std::size_t row_bytes(const tile::RemoteBuffer& buffer) {
    return static_cast<std::size_t>(buffer.elements) * tile::bytes_of(buffer.type);
}

} // namespace

void Engine::copyFromRemoteBuffer(StringRef handle, void* w, int repeatIndex, unsigned) {
    translated([&] {
        const std::uint32_t buffer = find_remote(impl_->graph(), handle);
        std::memcpy(w, impl_->engine->remote_row(buffer, repeatIndex),
                    row_bytes(impl_->graph().remote_buffers()[buffer]));
    });
}

void Engine::copyToRemoteBuffer(const void* w, StringRef handle, int repeatIndex, unsigned) {
    translated([&] {
        const std::uint32_t buffer = find_remote(impl_->graph(), handle);
        std::memcpy(impl_->engine->remote_row(buffer, repeatIndex), w,
                    row_bytes(impl_->graph().remote_buffers()[buffer]));
    });
}

void Engine::copyFromRemoteBuffer(const RemoteBuffer& buffer, void* w, int repeatIndex,
                                  unsigned replicationIndex) {
    copyFromRemoteBuffer(buffer.handle(), w, repeatIndex, replicationIndex);
}

void Engine::copyToRemoteBuffer(const void* w, const RemoteBuffer& buffer, int repeatIndex,
                                unsigned replicationIndex) {
    copyToRemoteBuffer(w, buffer.handle(), repeatIndex, replicationIndex);
}

void Engine::copyFromRemoteBuffer(StringRef handle, void* w, std::uint64_t sizeInBytes,
                                  const std::vector<std::uint64_t>& repeatIndices, unsigned) {
    translated([&] {
        const std::uint32_t buffer = find_remote(impl_->graph(), handle);
        const std::size_t row = row_bytes(impl_->graph().remote_buffers()[buffer]);
        if (sizeInBytes != row * repeatIndices.size()) {
            tile::fail(tile::Fault::stream, "a buffer of " + std::to_string(sizeInBytes) +
                                                " bytes for rows of " + std::to_string(row));
        }
        auto* to = static_cast<std::byte*>(w);
        for (const std::uint64_t i : repeatIndices) {
            std::memcpy(to, impl_->engine->remote_row(buffer, static_cast<std::int64_t>(i)), row);
            to += row;
        }
    });
}

void Engine::copyToRemoteBuffer(const void* w, StringRef handle, std::uint64_t sizeInBytes,
                                const std::vector<std::uint64_t>& repeatIndices, unsigned) {
    translated([&] {
        const std::uint32_t buffer = find_remote(impl_->graph(), handle);
        const std::size_t row = row_bytes(impl_->graph().remote_buffers()[buffer]);
        if (sizeInBytes != row * repeatIndices.size()) {
            tile::fail(tile::Fault::stream, "a buffer of " + std::to_string(sizeInBytes) +
                                                " bytes for rows of " + std::to_string(row));
        }
        const auto* from = static_cast<const std::byte*>(w);
        for (const std::uint64_t i : repeatIndices) {
            std::memcpy(impl_->engine->remote_row(buffer, static_cast<std::int64_t>(i)), from, row);
            from += row;
        }
    });
}

} // namespace poplar
