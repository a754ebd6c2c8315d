// Binary graph files, which are mapped into memory: Tropic's own format (.tg, laid out in
// docs/binary-format.md), whose arrays are used where they lie, and GAP's serialized graphs (.sg,
// .wsg), whose arrays are not aligned and are copied.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/files/byte_sink.h"
#include "graph/files/reader.h"

namespace tropic {

/// Whether a file that begins so is Tropic's own, whole or damaged.
bool is_tropic_binary(std::string_view first_bytes);

/// The arrays of the result lie in the mapped file. With `options.verify` every byte is checked
/// against its checksum and every invariant of the tensor holds; without it the header, the
/// description and the sizes of all arrays are checked, and nothing else is read.
FileContent read_tropic_binary(const std::string& path, const ReadOptions& options,
                               const Context& context);

/// The same from a copy of `bytes`.
FileContent read_tropic_binary_from_memory(std::string_view bytes, const std::string& name,
                                           const ReadOptions& options, const Context& context);

/// Nothing is ever lost: the result is empty.
std::vector<std::string> write_tropic_binary(const Graph& graph, const std::string& path,
                                             const WriteOptions& options, const Context& context);

/// Writes the bytes of the file; committing is left to the caller.
void write_tropic_binary_to(const Graph& graph, ByteSink& sink, const Context& context);

/// Whether the sizes in the header agree with the size of the file: these files have no magic
/// number. 17 bytes are enough to tell, 25 tell it better.
bool is_gap_serialized(std::string_view first_bytes, std::uint64_t file_bytes);

/// The same for a file whose size is found out only if need be.
bool is_gap_serialized(std::string_view first_bytes,
                       const std::function<bool(std::uint64_t)>& ends_at);

/// Ids in range and rising offsets are always checked. `options.verify` adds that the incoming
/// edges of a directed file mirror its outgoing ones, and that an undirected one is symmetric.
FileContent read_gap_serialized(const std::string& path, const ReadOptions& options,
                                const Context& context);
FileContent read_gap_serialized_from_memory(std::string_view bytes, const std::string& name,
                                            const ReadOptions& options, const Context& context);

} // namespace tropic
