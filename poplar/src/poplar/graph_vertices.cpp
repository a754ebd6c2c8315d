// Codelets and vertices.
#include <poplar/Graph.hpp>

#include <filesystem>
#include <sstream>

#include "core.h"
#include "machines/tile/fault.h"
#include "translate.h"

namespace poplar {

namespace tile = tropic::tile;
using core::translated;

namespace {

std::vector<std::string> split_flags(StringRef flags) {
    std::istringstream words(flags.cloneAsString());
    std::vector<std::string> result;
    for (std::string word; words >> word;) result.push_back(word);
    return result;
}

void check_kind(CodeletFileType type) {
    if (type == CodeletFileType::Auto || type == CodeletFileType::CppSource) return;
    throw unsupported_error("codelets are compiled from C++ sources here");
}

} // namespace

void Graph::addCodelets(ArrayRef<std::string> xs, StringRef compileFlags) {
    translated([&] {
        tile::CodeletOptions options;
        options.files = xs.cloneAsVector();
        options.flags = split_flags(compileFlags);
        for (const std::string& file : options.files) {
            std::error_code ignored;
            if (std::filesystem::is_regular_file(file, ignored)) continue;
            throw file_load_error("there is no codelet file '" + file + "' (looked for in " +
                                  std::filesystem::current_path(ignored).string() + ")");
        }
        impl_->graph->add_codelets(options);
    });
}

void Graph::addCodelets(std::initializer_list<const char*> xs, StringRef compileFlags) {
    addCodelets(std::vector<std::string>(xs.begin(), xs.end()), compileFlags);
}

bool Graph::addCodelets(StringRef src, CodeletFileType type, StringRef compileFlags, StringRef) {
    check_kind(type);
    addCodelets(std::vector<std::string>{src}, compileFlags);
    return true;
}

bool Graph::addCodelets(StringRef src, CodeletFileType type, StringRef compileFlags,
                        std::ostream& compileOutput, StringRef targetName) {
    try {
        return addCodelets(src, type, compileFlags, targetName);
    } catch (const link_error& error) {
        compileOutput << error.output << '\n';
        throw;
    }
}

void Graph::addCodelets(std::stringstream& stream, StringRef compileFlags, CodeletFileType type) {
    check_kind(type);
    translated([&] {
        tile::CodeletOptions options;
        options.source = stream.str();
        options.flags = split_flags(compileFlags);
        impl_->graph->add_codelets(options);
    });
}

void Graph::addCodelets(std::stringstream& stream, StringRef compileFlags,
                        std::ostream& compileOutput, CodeletFileType type) {
    try {
        addCodelets(stream, compileFlags, type);
    } catch (const link_error& error) {
        compileOutput << error.output << '\n';
        throw;
    }
}

bool Graph::hasCodelet(StringRef codelet) const {
    return impl_->graph->has_codelet(codelet);
}

ComputeSet Graph::addComputeSet(const DebugContext& debugContext) {
    return ComputeSet(impl_->graph->add_compute_set(debugContext.getPathName()));
}

VertexRef Graph::addVertex(ComputeSet cs, StringRef vertexType) {
    return translated([&] { return VertexRef(impl_->graph->add_vertex(cs.getId(), vertexType)); });
}

VertexRef Graph::addVertex(ComputeSet cs, StringRef vertexType,
                           ArrayRef<ConnectionDesc> connections) {
    const VertexRef v = addVertex(cs, vertexType);
    for (const ConnectionDesc& connection : connections) {
        if (connection.list) {
            connect(v[connection.field], ArrayRef<Tensor>(connection.tensors));
        } else {
            connect(v[connection.field], connection.tensors[0]);
        }
    }
    return v;
}

VertexRef Graph::addExternalExchangeVertex(ComputeSet, StringRef vertexType, unsigned, unsigned) {
    throw unsupported_error("vertices that exchange outside the chip are not modelled: " +
                            vertexType.cloneAsString());
}

void Graph::connect(FieldRef field, const Tensor& tensor) {
    translated([&] {
        if (field.isIndexed()) {
            impl_->graph->connect(field.vertex().getId(), field.name(), field.index(),
                                  tensor.view());
        } else {
            impl_->graph->connect(field.vertex().getId(), field.name(), tensor.view());
        }
    });
}

void Graph::connect(FieldRef field, ArrayRef<Tensor> tensors) {
    translated([&] {
        std::vector<tile::Tensor> views;
        views.reserve(tensors.size());
        for (const Tensor& t : tensors) views.push_back(t.view());
        impl_->graph->connect_list(field.vertex().getId(), field.name(), views);
    });
}

void Graph::connectConstant(const FieldRef& field, core::HostArray value) {
    translated([&] {
        tile::Graph& graph = *impl_->graph;
        const tile::Field& described = graph.field_of(field.vertex().getId(), field.name());
        const tile::Tensor constant = graph.add_constant(
            described.type, {1}, core::convert(value, described.type), field.name());
        const std::uint32_t on = graph.vertices()[field.vertex().getId()].tile;
        graph.set_tile(constant, on == tile::no_tile ? 0 : on);
        connect(field, Tensor(constant));
    });
}

void Graph::setFieldSize(FieldRef field, std::size_t size) {
    translated([&] {
        impl_->graph->set_field_size(field.vertex().getId(), field.name(),
                                     static_cast<std::int64_t>(size));
    });
}

std::size_t Graph::getMaxFieldDim(StringRef vertexName, StringRef fieldName,
                                  unsigned dimIndex) const {
    return translated([&] {
        std::size_t most = 0;
        const auto& vertices = impl_->graph->vertices();
        const tile::VertexType* type = impl_->graph->find_type(vertexName);
        for (tile::VertexId v = 0; v < vertices.size(); ++v) {
            if (vertices[v].type != type) continue;
            const auto sizes = impl_->graph->field_sizes(v, fieldName);
            if (dimIndex == 0 && sizes.size() > 1) {
                most = std::max(most, sizes.size());
            } else {
                for (const std::int64_t size : sizes) {
                    most =
                        std::max(most, static_cast<std::size_t>(std::max<std::int64_t>(0, size)));
                }
            }
        }
        return most;
    });
}

double Graph::getMaxVertexFieldValue(StringRef, StringRef) const {
    throw unsupported_error("values of vertex fields are not tracked");
}

void Graph::initialise(const FieldRef& field, core::HostArray values, bool) {
    translated([&] {
        tile::Graph& graph = *impl_->graph;
        const tile::Field& described = graph.field_of(field.vertex().getId(), field.name());
        graph.set_field_value(field.vertex().getId(), field.name(),
                              core::convert(values, described.type));
    });
}

void Graph::setInitialValueHalf(FieldRef field, std::uint16_t value) {
    initialise(field, {&value, 1, sizeof value, core::HostArray::Kind::half}, true);
}

void Graph::setInitialValueHalf(FieldRef field, ArrayRef<std::uint16_t> values) {
    initialise(field,
               {values.data(), values.size(), sizeof(std::uint16_t), core::HostArray::Kind::half},
               false);
}

void Graph::setTileMapping(VertexRef v, unsigned tileNum) {
    translated([&] { impl_->graph->set_tile(v.getId(), impl_->tile(tileNum)); });
}

void Graph::setPerfEstimate(const VertexRef& v, std::uint64_t cycles, std::uint64_t) {
    translated([&] { impl_->graph->set_cycle_estimate(v.getId(), cycles); });
}

VertexPerfEstimate Graph::getPerfEstimate(const VertexRef& v) const {
    if (v.getId() >= impl_->graph->vertices().size()) {
        throw missing_perf_estimate("a vertex of another graph");
    }
    const tile::Vertex& vertex = impl_->graph->vertices()[v.getId()];
    if (vertex.has_estimate) return {vertex.cycle_estimate};
    const auto found = impl_->estimators->find(tile::normal_name(vertex.type->name));
    if (found != impl_->estimators->end()) {
        return found->second(VertexIntrospector(impl_.get(), v.getId()), getTarget());
    }
    throw missing_perf_estimate("no estimate was set for " + impl_->graph->describe(v.getId()));
}

void Graph::registerPerfEstimator(StringRef vertexTypeName, PerfEstimateFunc f) {
    (*impl_->estimators)[tile::normal_name(vertexTypeName)] = std::move(f);
}

VertexIntrospector::Field VertexIntrospector::getFieldInfo(const std::string& name) const {
    return translated([&] {
        const auto sizes = graph_->graph->field_sizes(vertex_, name);
        return Field(std::vector<std::size_t>(sizes.begin(), sizes.end()));
    });
}

} // namespace poplar
