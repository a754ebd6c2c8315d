// k-way partitioning with SCOTCH.
#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <string>

#include <fmt/format.h>
#include <scotch.h>

#include "graph/partition/adjacency.h"
#include "graph/partition/methods.h"
#include "support/memory.h"
#include "support/parallel.h"
#include "tropic/error.h"

namespace tropic {

namespace {

static_assert(sizeof(SCOTCH_Num) == sizeof(std::int32_t), "SCOTCH is expected with 32-bit indices");

/// What SCOTCH last complained about on this thread.
std::string& last_complaint() {
    thread_local std::string text;
    return text;
}

std::mutex& scotch_mutex() {
    static std::mutex mutex;
    return mutex;
}

} // namespace

} // namespace tropic

// SCOTCH leaves these to whoever links it (its own versions print). They come before those of
// libscotcherr in the search order because that library is only loaded on behalf of this one.
extern "C" {

[[gnu::visibility("default")]] void SCOTCH_errorProg(const char*) {}

[[gnu::visibility("default"), gnu::format(printf, 1, 2)]] void SCOTCH_errorPrint(const char* format,
                                                                                 ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tropic::last_complaint() = text;
}

[[gnu::visibility("default"), gnu::format(printf, 1, 2)]] void SCOTCH_errorPrintW(const char*,
                                                                                  ...) {}

} // extern "C"

namespace tropic {

namespace {

void require_success(int code, std::string_view doing) {
    if (code == 0) return;
    const std::string complaint = std::exchange(last_complaint(), {});
    throw Error(ErrorCode::internal,
                fmt::format("SCOTCH failed {}: {}", doing,
                            complaint.empty() ? "no reason given" : complaint),
                "partition with metis or into blocks");
}

/// An object of SCOTCH: initialised once it is made, released at the end.
template <class Object, int (*Initialise)(Object*), void (*Release)(Object*)> class Scoped {
  public:
    explicit Scoped(std::string_view what) { require_success(Initialise(&object_), what); }
    ~Scoped() { Release(&object_); }
    Scoped(const Scoped&) = delete;
    Scoped& operator=(const Scoped&) = delete;
    Object* get() { return &object_; }

  private:
    Object object_;
};

using ScotchGraph = Scoped<SCOTCH_Graph, SCOTCH_graphInit, SCOTCH_graphExit>;
using ScotchStrategy = Scoped<SCOTCH_Strat, SCOTCH_stratInit, SCOTCH_stratExit>;
using ScotchContext = Scoped<SCOTCH_Context, SCOTCH_contextInit, SCOTCH_contextExit>;

/// A context of its own makes the result depend on the seed alone: its random numbers are not those
/// of the process, and one thread takes every decision.
void set_up(ScotchContext& context, std::uint64_t seed) {
    require_success(SCOTCH_contextOptionSetNum(context.get(), SCOTCH_OPTIONNUMDETERMINISTIC, 1),
                    "asking for equal results");
    require_success(SCOTCH_contextThreadSpawn(context.get(), 1, nullptr), "choosing threads");
    require_success(SCOTCH_contextRandomClone(context.get()), "making random numbers");
    SCOTCH_contextRandomSeed(context.get(),
                             static_cast<SCOTCH_Num>((seed ^ (seed >> 31)) & 0x7fffffff));
    SCOTCH_contextRandomReset(context.get());
}

/// Whether some vertices have far more neighbours than most, as in networks of people or pages.
bool has_hubs(const Adjacency& adjacency) {
    constexpr Index far_more = 10;
    const auto pos = adjacency.pos();
    Index most = 0;
    for (std::size_t v = 1; v < pos.size(); ++v) most = std::max<Index>(most, pos[v] - pos[v - 1]);
    return most * adjacency.vertices() > far_more * adjacency.neighbours.size();
}

/// The share of vertices that will lie near the border of a part, as far as one can tell before
/// there are parts: in balls as large as one, around some vertices, what the last levels hold.
double share_near_borders(const Adjacency& adjacency, Index parts, const Context& context) {
    constexpr std::int32_t balls = 16;
    constexpr std::size_t levels_near = 3;
    const Index vertices = adjacency.vertices();
    const Index size = (vertices + parts - 1) / parts;
    constexpr std::string_view what = "what SCOTCH will take";
    Array marks = Array::zeros(ElementType::int32, vertices, context, what);
    Array members = Array::allocate(ElementType::int32, size, context, what);
    const auto last_ball = marks.mutable_as<std::int32_t>();
    const auto member = members.mutable_as<std::int32_t>();
    Index inside = 0;
    Index near = 0;
    for (std::int32_t ball = 1; ball <= balls; ++ball) {
        Index count = 0;
        const auto take = [&](std::int32_t v) {
            if (count < size && std::exchange(last_ball[v], ball) != ball) member[count++] = v;
        };
        take(static_cast<std::int32_t>((2 * ball - 1) * vertices / (Index{2} * balls)));
        std::vector<Index> levels = {0}; // where each begins among the members
        for (Index next = 0; next < count && count < size;) {
            levels.push_back(count);
            for (const Index end = count; next < end; ++next) {
                const std::int32_t v = member[next];
                for (Index e = adjacency.pos()[v]; e < adjacency.pos()[v + 1]; ++e) {
                    take(adjacency.adj()[e]);
                }
            }
        }
        inside += count;
        if (count < size) continue; // all that hangs together: it has no border
        near += count - levels[levels.size() - std::min(levels.size(), levels_near)];
    }
    return static_cast<double>(near) / static_cast<double>(inside);
}

/// What SCOTCH takes, by measurement: for the levels of coarser graphs of its bisections, or, with
/// its own strategy for all but small graphs, for the surroundings of the borders of all parts,
/// which it improves in a graph of their own. Random graphs, where borders are everywhere, take
/// nine times as much as meshes in few parts.
std::uint64_t memory_of_scotch(const Adjacency& adjacency, Index parts, bool hubs,
                               const Context& context) {
    const auto vertices = static_cast<double>(adjacency.vertices());
    const auto neighbours = static_cast<double>(adjacency.neighbours.size());
    double bytes = neighbours * 47 + vertices * 280;
    if (!hubs) {
        const double borders = neighbours * 24 + share_near_borders(adjacency, parts, context) *
                                                     (neighbours * 124 + vertices * 430);
        const bool small = adjacency.vertices() <= std::max<Index>(10000, 20 * parts);
        bytes = small ? std::min(bytes, borders) : borders;
    }
    return static_cast<std::uint64_t>(bytes) + static_cast<std::uint64_t>(parts) * 128;
}

/// SCOTCH's own strategy improves a cut until nothing is left to improve. Around hubs that takes
/// most of the time for nothing: kron:15 in 64 parts took 38 s, with three passes on every level of
/// recursive bisection 1.4 s and a smaller cut. Graphs without hubs get better cuts from its own.
void choose_strategy(ScotchStrategy& strategy, bool hubs, const Partition& result) {
    if (!hubs) {
        require_success(SCOTCH_stratGraphMapBuild(strategy.get(), SCOTCH_STRATDEFAULT,
                                                  static_cast<SCOTCH_Num>(result.parts),
                                                  result.options.imbalance),
                        "making a strategy");
        return;
    }
    const std::string improve =
        fmt::format("f{{bal={:.6f},move=80,pass=3}}", result.options.imbalance);
    const std::string text = fmt::format("r{{job=t,map=t,poli=S,sep=m{{vert=120,rat=0.95,"
                                         "low=h{{pass=4}}{0},asc=b{{bnd={0},org={0}}}}}}}",
                                         improve);
    require_success(SCOTCH_stratGraphMap(strategy.get(), text.c_str()), "making a strategy");
}

/// The weights SCOTCH can balance: one for each vertex.
Array loads_of(const VertexWeights& weights, Index vertices, Partition& result,
               const Context& context) {
    if (weights.constraints <= 1) return weights.weights;
    result.warnings.push_back(fmt::format(
        "SCOTCH balances one vertex weight: the first of {} is used", weights.constraints));
    Array loads = Array::allocate(ElementType::int32, vertices, context, "vertex weights");
    const auto from = weights.weights.as<std::int32_t>();
    const auto to = loads.mutable_as<std::int32_t>();
    for (Index v = 0; v < vertices; ++v) to[v] = from[v * weights.constraints];
    return loads;
}

} // namespace

void partition_scotch(const Graph& graph, const Tensor& csr, Partition& result,
                      const Context& context) {
    const Adjacency adjacency = adjacency_for("SCOTCH", csr, result, context);
    const Index vertices = adjacency.vertices();
    const VertexWeights weights = vertex_weights_for("SCOTCH", graph, result, context);
    if (!weights.sizes.empty()) {
        result.warnings.emplace_back("SCOTCH has no use for vertex sizes: they are ignored");
    }
    const Array loads = loads_of(weights, vertices, result, context);
    const bool hubs = has_hubs(adjacency);
    constexpr std::string_view purpose = "partitioning with SCOTCH";
    const std::uint64_t memory = memory_of_scotch(adjacency, result.parts, hubs, context);
    const MemoryCharge charge(context.budget(), memory, purpose);
    require_of_limits(memory, purpose);
    result.part_of =
        Array::allocate(ElementType::int32, vertices, context, "the parts of the vertices");

    const std::scoped_lock lock(scotch_mutex());
    last_complaint().clear();
    ScotchContext scotch("starting");
    set_up(scotch, result.options.seed);
    ScotchGraph plain("making a graph");
    ScotchGraph bound("making a graph");
    const auto pointer = [](const Array& array) {
        return array.empty() ? nullptr : array.as<std::int32_t>().data();
    };
    const SCOTCH_Num no_neighbour = 0;
    require_success(
        SCOTCH_graphBuild(plain.get(), 0, static_cast<SCOTCH_Num>(vertices), adjacency.pos().data(),
                          adjacency.pos().data() + 1, pointer(loads), nullptr,
                          static_cast<SCOTCH_Num>(adjacency.neighbours.size()),
                          adjacency.adj().empty() ? &no_neighbour : adjacency.adj().data(),
                          pointer(adjacency.edge_weights)),
        "taking the graph");
    require_success(SCOTCH_contextBindGraph(scotch.get(), plain.get(), bound.get()),
                    "taking the graph");
    ScotchStrategy strategy("making a strategy");
    choose_strategy(strategy, hubs, result);
    require_success(SCOTCH_graphPart(bound.get(), static_cast<SCOTCH_Num>(result.parts),
                                     strategy.get(),
                                     result.part_of.mutable_as<std::int32_t>().data()),
                    "partitioning");
    if (!adjacency.edge_weights.empty()) {
        result.quality.cut_weight = weight_of_cut(csr, adjacency, result.part_of, context);
    }
}

} // namespace tropic
