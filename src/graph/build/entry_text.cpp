#include "graph/build/entry_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graph/build/expand.h"

namespace tropic {

std::string entry_text(const Tensor& tensor, const std::vector<VertexIds>& ids, Index entry) {
    const auto rank = static_cast<std::size_t>(tensor.rank());
    std::vector<std::int64_t> of_level(rank);
    std::vector<std::int64_t*> out(rank);
    for (std::size_t l = 0; l < rank; ++l) out[l] = &of_level[l];
    building::expand(tensor, entry, entry + 1, out);
    std::vector<Index> named(rank);
    for (std::size_t l = 0; l < rank; ++l) {
        const auto d = static_cast<std::size_t>(tensor.format().order[l]);
        named[d] = d < ids.size() ? ids[d][of_level[l]] : of_level[l];
    }
    if (rank == 2) return fmt::format("the edge from {} to {}", named[0], named[1]);
    return fmt::format("entry {}", fmt::join(named, " "));
}

} // namespace tropic
