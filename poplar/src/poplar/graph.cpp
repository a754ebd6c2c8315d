// Graphs: variables, places, streams and functions.
#include <poplar/Graph.hpp>

#include <algorithm>
#include <numeric>

#include "core.h"
#include "machines/tile/fault.h"
#include "translate.h"

namespace poplar {

namespace tile = tropic::tile;
using core::translated;

std::uint32_t core::Graph::tile(unsigned number) const {
    if (tiles.empty()) return number;
    if (number >= tiles.size()) {
        tile::fail(tile::Fault::tile_mapping,
                   "there is no tile " + std::to_string(number) + " in this virtual graph",
                   "a tile from 0 to " + std::to_string(tiles.size() - 1));
    }
    return tiles[number];
}

Graph::Graph(std::shared_ptr<core::Graph> impl) : impl_(std::move(impl)) {}

Graph::Graph(const Target& target, replication_factor r) {
    if (r.count != 1) {
        throw unsupported_error("replicated graphs are not modelled: a replication factor of 1");
    }
    impl_ = translated([&] {
        auto impl = std::make_shared<core::Graph>();
        impl->target = target;
        impl->graph = std::make_shared<tile::Graph>(target.impl().machine);
        impl->estimators = std::make_shared<std::map<std::string, PerfEstimateFunc>>();
        return impl;
    });
}

Graph::Graph(const Device& device, replication_factor r) : Graph(device.getTarget(), r) {}
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;
Graph::~Graph() = default;

const Target& Graph::getTarget() const {
    return impl_->target;
}

Graph Graph::getTopLevelGraph() {
    auto impl = std::make_shared<core::Graph>(*impl_);
    impl->tiles.clear();
    impl->target = Target(std::make_shared<const core::Target>(
        core::Target{impl->graph->machine(), impl_->target.getTargetType()}));
    return Graph(std::move(impl));
}

Graph Graph::createVirtualGraph(unsigned lowerTile, unsigned upperTile) {
    std::vector<unsigned> tiles(upperTile > lowerTile ? upperTile - lowerTile : 0);
    std::iota(tiles.begin(), tiles.end(), lowerTile);
    return createVirtualGraph(tiles);
}

Graph Graph::createVirtualGraph(const std::vector<unsigned>& perIpuTiles) {
    return translated([&] {
        auto impl = std::make_shared<core::Graph>(*impl_);
        impl->tiles.clear();
        const Target& target = impl_->target;
        for (unsigned chip = 0; chip < target.getNumIPUs(); ++chip) {
            for (const unsigned t : perIpuTiles) {
                if (t >= target.getTilesPerIPU()) {
                    tile::fail(tile::Fault::tile_mapping,
                               "a virtual graph with tile " + std::to_string(t) + " of each chip");
                }
                impl->tiles.push_back(impl_->tile(chip * target.getTilesPerIPU() + t));
            }
        }
        impl->target = target.createVirtualTarget(target.getNumIPUs(),
                                                  static_cast<unsigned>(perIpuTiles.size()));
        return Graph(std::move(impl));
    });
}

Graph Graph::createReplicatedGraph(unsigned replicationFactor) {
    if (replicationFactor != 1) {
        throw unsupported_error("replicated graphs are not modelled: a replication factor of 1");
    }
    return Graph(impl_);
}

Tensor Graph::addVariable(const Type& type, ArrayRef<std::size_t> shape,
                          const DebugContext& debugContext) {
    return translated([&] {
        return Tensor(impl_->graph->add_variable(core::to_tile(type), core::to_tile(shape),
                                                 debugContext.getPathName()));
    });
}

Tensor Graph::addVariable(const Type& type, ArrayRef<std::size_t> shape,
                          VariableMappingMethod mappingMethod, const DebugContext& debugContext) {
    Tensor t = addVariable(type, shape, debugContext);
    if (mappingMethod == VariableMappingMethod::LINEAR) {
        const std::size_t tiles = getTarget().getNumTiles();
        const std::size_t elements = t.numElements();
        const Tensor flat = t.flatten();
        for (std::size_t i = 0; i < tiles; ++i) {
            const std::size_t begin = elements * i / tiles;
            const std::size_t end = elements * (i + 1) / tiles;
            if (begin < end) setTileMapping(flat.slice(begin, end), static_cast<unsigned>(i));
        }
    }
    return t;
}

Tensor Graph::addConstantFrom(const Type& type, ArrayRef<std::size_t> shape, core::HostArray values,
                              const DebugContext& debugContext) {
    return translated([&] {
        return Tensor(impl_->graph->add_constant(core::to_tile(type), core::to_tile(shape),
                                                 core::convert(values, core::to_tile(type)),
                                                 debugContext.getPathName()));
    });
}

Tensor Graph::addConstantHalf(const Type& type, ArrayRef<std::size_t> shape, std::uint16_t value,
                              const DebugContext& debugContext) {
    return addConstantFrom(type, shape, {&value, 1, sizeof value, core::HostArray::Kind::half},
                           debugContext);
}

Tensor Graph::addConstantHalf(const Type& type, ArrayRef<std::size_t> shape,
                              const std::uint16_t* values, const DebugContext& debugContext) {
    const std::size_t count =
        std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
    return addConstantFrom(type, shape,
                           {values, count, sizeof(std::uint16_t), core::HostArray::Kind::half},
                           debugContext);
}

bool Graph::constantElement(const Tensor& t, core::Number* value) const {
    return translated([&] {
        if (t.numElements() != 1) {
            tile::fail(tile::Fault::shape,
                       "the value of a tensor of " + std::to_string(t.numElements()) + " elements",
                       "a tensor of one element");
        }
        const tile::Run place = t.view().runs().front();
        const tile::Variable& variable = impl_->graph->variable(place.variable);
        if (!variable.constant) return false;
        // A constant's values are given when it is made: one for all elements, or all of them.
        const std::vector<std::byte>& values = variable.initial.front().values;
        const std::size_t bytes = tile::bytes_of(variable.type);
        const std::size_t at =
            values.size() == bytes ? 0 : static_cast<std::size_t>(place.begin) * bytes;
        *value = core::number_of(values.data() + at, t.view().type());
        return true;
    });
}

Tensor Graph::clone(const Type& type, const Tensor& t, const DebugContext& debugContext,
                    TensorCloneMethod) {
    return translated([&] {
        std::string name = debugContext.getPathName();
        tile::Graph& graph = *impl_->graph;
        bool first = true;
        t.view().for_each_run([&](const tile::Run& run) {
            if (first && name.empty()) name = graph.variable(run.variable).name;
            first = false;
        });
        const tile::Tensor copy =
            graph.add_variable(core::to_tile(type), core::to_tile(t.shape()), name);
        const tile::Tensor flat = copy.flatten();
        std::int64_t at = 0;
        const auto place = [&](std::int64_t begin, std::int64_t end, std::uint32_t on) {
            if (on != tile::no_tile) graph.set_tile(flat.slice(at, at + end - begin, 0), on);
            at += end - begin;
        };
        for (const tile::Run& run : t.view().runs()) {
            const std::int64_t pieces = run.contiguous() ? 1 : run.count;
            for (std::int64_t i = 0; i < pieces; ++i) {
                const tile::TileMap& map = graph.variable(run.variable).map;
                map.for_each(run.at(i), run.at(i) + run.count / pieces, place);
            }
        }
        return Tensor(copy);
    });
}

void Graph::setTileMapping(const Tensor& t, unsigned tileNum) {
    translated([&] { impl_->graph->set_tile(t.view(), impl_->tile(tileNum)); });
}

void Graph::setTileMapping(const Tensor& t, const TileToTensorMapping& mapping) {
    translated([&] {
        const tile::Tensor flat = t.view().flatten();
        for (unsigned i = 0; i < mapping.size(); ++i) {
            for (const Interval& interval : mapping[i]) {
                impl_->graph->set_tile(flat.slice(static_cast<std::int64_t>(interval.begin()),
                                                  static_cast<std::int64_t>(interval.end()), 0),
                                       impl_->tile(i));
            }
        }
    });
}

Graph::TileToTensorMapping Graph::getTileMapping(const Tensor& t, bool* isComplete,
                                                 bool* isLinear) const {
    return translated([&] {
        TileToTensorMapping mapping(getTarget().getNumTiles());
        std::map<std::uint32_t, unsigned> numbers;
        for (unsigned i = 0; i < impl_->tiles.size(); ++i) numbers[impl_->tiles[i]] = i;
        std::size_t at = 0;
        bool complete = true;
        bool linear = true;
        unsigned last = 0;
        const auto add = [&](std::int64_t begin, std::int64_t end, std::uint32_t on) {
            const auto size = static_cast<std::size_t>(end - begin);
            const Interval interval(at, at + size);
            at += size;
            if (!numbers.empty()) {
                const auto found = numbers.find(on);
                on = found == numbers.end() ? tile::no_tile : found->second;
            }
            if (on == tile::no_tile) {
                complete = false;
                return;
            }
            linear = linear && on >= last;
            last = on;
            std::vector<Interval>& of_tile = mapping[on];
            if (!of_tile.empty() && of_tile.back().end() == interval.begin()) {
                of_tile.back() = Interval(of_tile.back().begin(), interval.end());
            } else {
                of_tile.push_back(interval);
            }
        };
        t.view().for_each_run([&](const tile::Run& run) {
            const tile::TileMap& map = impl_->graph->variable(run.variable).map;
            const std::int64_t pieces = run.contiguous() ? 1 : run.count;
            for (std::int64_t i = 0; i < pieces; ++i) {
                map.for_each(run.at(i), run.at(i) + run.count / pieces, add);
            }
        });
        if (isComplete != nullptr) *isComplete = complete;
        if (isLinear != nullptr) *isLinear = linear && complete;
        if (isComplete == nullptr && !complete) {
            tile::fail(tile::Fault::tile_mapping, "a part of the tensor is on no tile",
                       "a tile for every element",
                       "setTileMapping, or ask with getTileMapping(t, &isComplete)");
        }
        return mapping;
    });
}

std::vector<std::vector<Interval>>
Graph::getSortedContiguousRegions(const Tensor& t, ArrayRef<Interval> regions,
                                  bool removeAliasedIntervals,
                                  std::vector<std::size_t>* aliases) const {
    return translated([&] {
        struct Piece {
            tile::VariableId variable;
            std::int64_t begin;
            Interval interval;
        };
        std::vector<Piece> pieces;
        const tile::Tensor flat = t.view().flatten();
        for (const Interval& region : regions) {
            std::size_t at = region.begin();
            const auto part = flat.slice(static_cast<std::int64_t>(region.begin()),
                                         static_cast<std::int64_t>(region.end()), 0);
            for (const tile::Run& run : part.runs()) {
                const std::int64_t count = run.contiguous() ? 1 : run.count;
                const auto size = static_cast<std::size_t>(run.count / count);
                for (std::int64_t i = 0; i < count; ++i) {
                    pieces.push_back({run.variable, run.at(i), Interval(at, at + size)});
                    at += size;
                }
            }
        }
        std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
            return std::pair(a.variable, a.begin) < std::pair(b.variable, b.begin);
        });
        std::vector<std::vector<Interval>> result;
        if (aliases != nullptr) aliases->clear();
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            const Piece& piece = pieces[i];
            const bool same = i > 0 && pieces[i - 1].variable == piece.variable;
            const std::int64_t before =
                same
                    ? pieces[i - 1].begin + static_cast<std::int64_t>(pieces[i - 1].interval.size())
                    : 0;
            if (same && removeAliasedIntervals && piece.begin < before) continue;
            if (!same || piece.begin != before) {
                result.emplace_back();
                if (aliases != nullptr) aliases->push_back(0);
            }
            std::vector<Interval>& group = result.back();
            if (!group.empty() && group.back().end() == piece.interval.begin()) {
                group.back() = Interval(group.back().begin(), piece.interval.end());
            } else {
                group.push_back(piece.interval);
            }
        }
        return result;
    });
}

void Graph::reorderToSimplify(Tensor*, ArrayRef<Tensor*>, bool) const {}

void Graph::initialise(const Tensor& t, core::HostArray values, bool scalar) {
    translated([&] {
        if (scalar && t.numElements() != 1 && values.count == 1) {
            impl_->graph->set_initial_value(t.view(), core::convert(values, t.view().type()));
            return;
        }
        if (!scalar && values.count != t.numElements()) {
            tile::fail(tile::Fault::shape,
                       std::to_string(values.count) + " initial values for a tensor of " +
                           std::to_string(t.numElements()) + " elements",
                       "one for each element");
        }
        impl_->graph->set_initial_value(t.view(), core::convert(values, t.view().type()));
    });
}

void Graph::setInitialValueHalf(const Tensor& t, std::uint16_t value) {
    initialise(t, {&value, 1, sizeof value, core::HostArray::Kind::half}, true);
}

void Graph::setInitialValueHalf(const Tensor& t, ArrayRef<std::uint16_t> values) {
    initialise(t,
               {values.data(), values.size(), sizeof(std::uint16_t), core::HostArray::Kind::half},
               false);
}

DataStream Graph::addHostToDeviceFIFO(StringRef handle, const Type& elementType,
                                      std::size_t numElements, ReplicatedStreamMode,
                                      const OptionFlags&) {
    return translated([&] {
        const std::uint32_t id = impl_->graph->add_stream(
            {handle, core::to_tile(elementType), static_cast<std::int64_t>(numElements), true});
        return DataStream(id, handle, DataStreamType::HostToDeviceFIFO, elementType, numElements);
    });
}

DataStream Graph::addDeviceToHostFIFO(StringRef handle, const Type& elementType,
                                      std::size_t numElements, const OptionFlags&) {
    return translated([&] {
        const std::uint32_t id = impl_->graph->add_stream(
            {handle, core::to_tile(elementType), static_cast<std::int64_t>(numElements), false});
        return DataStream(id, handle, DataStreamType::DeviceToHostFIFO, elementType, numElements);
    });
}

RemoteBuffer Graph::addRemoteBuffer(StringRef handle, const Type& elementType,
                                    std::size_t numElements, std::size_t repeats, bool, bool) {
    return translated([&] {
        const std::uint32_t id = impl_->graph->add_remote_buffer(
            {handle, core::to_tile(elementType), static_cast<std::int64_t>(numElements),
             static_cast<std::int64_t>(repeats)});
        return RemoteBuffer(id, handle, elementType, numElements, repeats);
    });
}

HostFunction Graph::addHostFunction(StringRef handle, ArrayRef<HostFunction::Argument> inputs,
                                    ArrayRef<HostFunction::Argument> outputs, const OptionFlags&) {
    return translated([&] {
        tile::HostFunction function;
        function.handle = handle;
        for (const auto& a : inputs) {
            function.inputs.push_back(
                {core::to_tile(a.elementType), static_cast<std::int64_t>(a.numElements)});
        }
        for (const auto& a : outputs) {
            function.outputs.push_back(
                {core::to_tile(a.elementType), static_cast<std::int64_t>(a.numElements)});
        }
        const std::uint32_t id = impl_->graph->add_host_function(std::move(function));
        return HostFunction(id, handle, inputs.cloneAsVector(), outputs.cloneAsVector());
    });
}

void Graph::createHostWrite(StringRef handle, const Tensor& t, bool, const DebugContext&) {
    translated([&] { impl_->graph->add_host_access(handle, t.view(), false, true); });
}

void Graph::createHostRead(StringRef handle, const Tensor& t, bool, const DebugContext&) {
    translated([&] { impl_->graph->add_host_access(handle, t.view(), true, false); });
}

Function Graph::addFunction(const program::Program& program) {
    return Function(impl_->graph->add_function(program.node()));
}

} // namespace poplar
