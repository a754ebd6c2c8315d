// Random tensors: number i of a stream is a hash of seed, stream, how often the stream was drawn
// from before, and i, so that the same seed gives the same tensors for every number of threads and
// every order of levels.
#include "graph/generators/random.h"

#include <numeric>

#include "machines/cpu/session.h"
#include "support/parallel.h"
#include "tropic/coordinates.h"

namespace tropic::cpu {

namespace {

template <class T> T uniform(std::uint64_t bits) {
    if constexpr (std::is_same_v<T, double>) return generators::unit_real(bits);
    else if constexpr (std::is_same_v<T, float>) return static_cast<float>(bits >> 40) * 0x1p-24f;
    else return static_cast<T>(bits >> 63);
}

} // namespace

TensorView* random(Session* session, std::int64_t type, const FormatView* view,
                   const std::int64_t* shape, std::int64_t stream) {
    using generators::golden_ratio;
    using generators::mix;
    const Context& context = session->context();
    const Format format = to_format(*view);
    const std::vector<Index> extents = to_shape(*view, shape);
    Array values = dense_values(*session, static_cast<ElementType>(type), extents);
    const std::uint64_t round = session->random_rounds[stream]++;
    const std::uint64_t first =
        mix(mix(session->options.seed + golden_ratio) ^
            mix((static_cast<std::uint64_t>(stream) + 0x7261'6e64) * golden_ratio));
    const std::uint64_t key = round == 0 ? first : mix(first ^ mix(round * golden_ratio));
    visit_type(values.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const auto out = values.mutable_as<T>();
        parallel_ranges(context, values.size(), 1 << 14, [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                out[i] = uniform<T>(mix(key + static_cast<std::uint64_t>(i) * golden_ratio));
            }
        });
    });
    const int rank = static_cast<int>(extents.size());
    // Numbers are drawn in the order of the dimensions, whatever that of the levels.
    const Tensor drawn(extents, Format::dense(rank), std::vector<Level>(extents.size()),
                       std::move(values), true, true);
    TensorView* const made = adopt(*session, drawn);
    if (format == drawn.format()) return made;
    std::vector<std::int8_t> identity(extents.size());
    std::iota(identity.begin(), identity.end(), std::int8_t{0});
    TensorView* const result = convert(session, made, identity.data(), type, view);
    release(session, made);
    return result;
}

} // namespace tropic::cpu
