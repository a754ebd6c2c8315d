// The graph: variables, vertices and how they are connected, spread over the tiles of a target.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <poplar/ArrayRef.hpp>
#include <poplar/CodeletFileType.hpp>
#include <poplar/ComputeSet.hpp>
#include <poplar/DataStream.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Device.hpp>
#include <poplar/HostArray.hpp>
#include <poplar/HostFunction.hpp>
#include <poplar/Interval.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/ReplicatedStreamMode.hpp>
#include <poplar/StringRef.hpp>
#include <poplar/Target.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/TensorCloneMethod.hpp>
#include <poplar/Type.hpp>
#include <poplar/TypeTraits.hpp>
#include <poplar/VariableMappingMethod.hpp>
#include <poplar/VertexRef.hpp>
#include <poplar/exceptions.hpp>

namespace poplar {

namespace core {
struct Graph;
}

/// How many copies of the graph run; one is what can be modelled.
struct replication_factor {
    explicit replication_factor(unsigned n) : count(n) {}
    unsigned count;
};

/// What a perf estimator says of a vertex.
struct VertexPerfEstimate {
    VertexPerfEstimate() = default;
    VertexPerfEstimate(std::uint64_t cycles, std::uint64_t flops = 0)
        : cycles(cycles), flops(flops) {}
    std::uint64_t cycles = 0;
    std::uint64_t flops = 0;
};

/// What a perf estimator may ask of a vertex.
class VertexIntrospector {
  public:
    class Field {
      public:
        explicit Field(std::vector<std::size_t> sizes) : sizes_(std::move(sizes)) {}
        std::size_t size() const { return sizes_.size() == 1 ? sizes_[0] : sizes_.size(); }
        std::size_t getSizeAtIndex(std::size_t i) const { return sizes_.at(i); }

      private:
        std::vector<std::size_t> sizes_;
    };
    VertexIntrospector(const core::Graph* graph, std::uint32_t vertex)
        : graph_(graph), vertex_(vertex) {}
    Field getFieldInfo(const std::string& name) const;

  private:
    const core::Graph* graph_;
    std::uint32_t vertex_;
};

using PerfEstimateFunc =
    std::function<VertexPerfEstimate(const VertexIntrospector&, const Target&)>;

class Graph {
  public:
    /// A field and what it is connected to, for addVertex.
    struct ConnectionDesc {
        ConnectionDesc(StringRef field, Tensor t) : field(field), tensors{std::move(t)} {}
        ConnectionDesc(StringRef field, std::vector<Tensor> ts)
            : field(field), tensors(std::move(ts)), list(true) {}
        ConnectionDesc(StringRef field, ArrayRef<Tensor> ts)
            : field(field), tensors(ts.cloneAsVector()), list(true) {}
        std::string field;
        std::vector<Tensor> tensors;
        bool list = false;
    };
    using TileToTensorMapping = std::vector<std::vector<Interval>>;

    explicit Graph(const Target& target, replication_factor r = replication_factor(1));
    explicit Graph(const Device& device, replication_factor r = replication_factor(1));
    Graph(Graph&&) noexcept;
    Graph& operator=(Graph&&) noexcept;
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    ~Graph();

    const Target& getTarget() const;
    unsigned getReplicationFactor() const { return 1; }
    Graph getTopLevelGraph();
    /// The same graph, with tiles numbered from `beginTile`.
    Graph createVirtualGraph(unsigned lowerTile, unsigned upperTile);
    Graph createVirtualGraph(const std::vector<unsigned>& perIpuTiles);
    Graph createReplicatedGraph(unsigned replicationFactor);

    /// Compiles C++ codelets now, or takes them from the cache. Throws link_error.
    bool addCodelets(StringRef src, CodeletFileType type = CodeletFileType::Auto,
                     StringRef compileFlags = "", StringRef targetName = "");
    bool addCodelets(StringRef src, CodeletFileType type, StringRef compileFlags,
                     std::ostream& compileOutput, StringRef targetName = "");
    void addCodelets(ArrayRef<std::string> xs, StringRef compileFlags = "");
    void addCodelets(std::initializer_list<const char*> xs, StringRef compileFlags = "");
    void addCodelets(std::initializer_list<std::string> xs, StringRef compileFlags = "") {
        addCodelets(ArrayRef<std::string>(xs), compileFlags);
    }
    void addCodelets(std::stringstream& stream, StringRef compileFlags = "",
                     CodeletFileType type = CodeletFileType::CppSource);
    void addCodelets(std::stringstream& stream, StringRef compileFlags, std::ostream& compileOutput,
                     CodeletFileType type = CodeletFileType::CppSource);
    bool hasCodelet(StringRef codelet) const;

    Tensor addVariable(const Type& type, ArrayRef<std::size_t> shape,
                       const DebugContext& debugContext = {});
    Tensor addVariable(const Type& type, ArrayRef<std::size_t> shape,
                       VariableMappingMethod mappingMethod, const DebugContext& debugContext = {});
    Tensor addLinearlyMappedVariable(const Type& type, ArrayRef<std::size_t> shape,
                                     const DebugContext& debugContext = {}) {
        return addVariable(type, shape, VariableMappingMethod::LINEAR, debugContext);
    }
    template <class T>
    Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, ArrayRef<T> values,
                       const DebugContext& debugContext = {}) {
        return addConstantFrom(type, shape, core::HostArray::of(values.data(), values.size()),
                               debugContext);
    }
    template <class T>
    Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, const std::vector<T>& values,
                       const DebugContext& debugContext = {}) {
        return addConstant(type, shape, ArrayRef<T>(values), debugContext);
    }
    template <class T>
    Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape,
                       std::initializer_list<T> values, const DebugContext& debugContext = {}) {
        return addConstant(type, shape, ArrayRef<T>(values), debugContext);
    }
    /// As many values as the shape has elements.
    template <class T>
    Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, const T* values,
                       const DebugContext& debugContext = {}) {
        std::size_t count = 1;
        for (const std::size_t n : shape) count *= n;
        return addConstant(type, shape, ArrayRef<T>(values, count), debugContext);
    }
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, T value,
                       const DebugContext& debugContext = {}) {
        return addConstant(type, shape, ArrayRef<T>(&value, 1), debugContext);
    }
    Tensor addConstantHalf(const Type& type, ArrayRef<std::size_t> shape, std::uint16_t value,
                           const DebugContext& debugContext = {});
    Tensor addConstantHalf(const Type& type, ArrayRef<std::size_t> shape,
                           const std::uint16_t* values, const DebugContext& debugContext = {});
    Tensor clone(const Type& type, const Tensor& t, const DebugContext& debugContext = {},
                 TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);
    Tensor clone(const Tensor& t, const DebugContext& debugContext = {},
                 TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES) {
        return clone(t.elementType(), t, debugContext, method);
    }

    /// The value of a constant of one element. False, and nothing read, if it is no constant.
    template <class T> bool getConstantValue(const Tensor& t, T* value) const {
        core::Number number;
        if (!constantElement(t, &number)) return false;
        *value = number.as<T>();
        return true;
    }

    ComputeSet addComputeSet(const DebugContext& debugContext = {});
    VertexRef addVertex(ComputeSet cs, StringRef vertexType);
    VertexRef addVertex(ComputeSet cs, StringRef vertexType, ArrayRef<ConnectionDesc> connections);
    VertexRef addVertex(ComputeSet cs, StringRef vertexType,
                        std::initializer_list<ConnectionDesc> connections) {
        return addVertex(cs, vertexType, ArrayRef<ConnectionDesc>(connections));
    }
    VertexRef addExternalExchangeVertex(ComputeSet cs, StringRef vertexType, unsigned, unsigned);

    void connect(FieldRef field, const Tensor& tensor);
    void connect(FieldRef field, ArrayRef<Tensor> tensors);
    void connect(FieldRef field, const std::vector<Tensor>& tensors) {
        connect(std::move(field), ArrayRef<Tensor>(tensors));
    }
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    void connect(FieldRef field, T value) {
        connectConstant(field, core::HostArray::of(&value, 1));
    }
    void setFieldSize(FieldRef field, std::size_t size);
    std::size_t getMaxFieldDim(StringRef vertexName, StringRef fieldName, unsigned dimIndex) const;
    double getMaxVertexFieldValue(StringRef vertexName, StringRef fieldName) const;

    void setTileMapping(VertexRef v, unsigned tileNum);
    void setTileMapping(const Tensor& t, unsigned tileNum);
    void setTileMapping(const Tensor& t, const TileToTensorMapping& mapping);
    TileToTensorMapping getTileMapping(const Tensor& t, bool* isComplete = nullptr,
                                       bool* isLinear = nullptr) const;
    TileToTensorMapping getTileMapping(const Tensor& t, StringRef) const {
        return getTileMapping(t);
    }
    std::vector<std::vector<Interval>>
    getSortedContiguousRegions(const Tensor& t, ArrayRef<Interval> regions,
                               bool removeAliasedIntervals = false,
                               std::vector<std::size_t>* aliases = nullptr) const;
    void reorderToSimplify(Tensor* t, ArrayRef<Tensor*> ts, bool requireSimplestOrder = true) const;

    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>>>
    void setInitialValue(FieldRef field, T value) {
        initialise(field, core::HostArray::of(&value, 1), true);
    }
    template <class T> void setInitialValue(FieldRef field, ArrayRef<T> values) {
        initialise(field, core::HostArray::of(values.data(), values.size()), false);
    }
    template <class T> void setInitialValue(FieldRef field, const std::vector<T>& values) {
        setInitialValue(std::move(field), ArrayRef<T>(values));
    }
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    void setInitialValue(const Tensor& t, T value) {
        initialise(t, core::HostArray::of(&value, 1), true);
    }
    template <class T> void setInitialValue(const Tensor& t, ArrayRef<T> values) {
        initialise(t, core::HostArray::of(values.data(), values.size()), false);
    }
    template <class T> void setInitialValue(const Tensor& t, const std::vector<T>& values) {
        setInitialValue(t, ArrayRef<T>(values));
    }
    template <class T> void setInitialValue(const Tensor& t, std::initializer_list<T> values) {
        setInitialValue(t, ArrayRef<T>(values));
    }
    void setInitialValueHalf(FieldRef field, std::uint16_t value);
    void setInitialValueHalf(FieldRef field, ArrayRef<std::uint16_t> values);
    void setInitialValueHalf(const Tensor& t, std::uint16_t value);
    void setInitialValueHalf(const Tensor& t, ArrayRef<std::uint16_t> values);

    void setPerfEstimate(const VertexRef& v, std::uint64_t cycles, std::uint64_t flops = 0);
    void setCycleEstimate(const VertexRef& v, unsigned cycles) { setPerfEstimate(v, cycles); }
    VertexPerfEstimate getPerfEstimate(const VertexRef& v) const;
    void registerPerfEstimator(StringRef vertexTypeName, PerfEstimateFunc f);
    void registerCycleEstimator(StringRef vertexTypeName, PerfEstimateFunc f) {
        registerPerfEstimator(vertexTypeName, std::move(f));
    }

    DataStream addHostToDeviceFIFO(StringRef handle, const Type& elementType,
                                   std::size_t numElements,
                                   ReplicatedStreamMode mode = ReplicatedStreamMode::REPLICATE,
                                   const OptionFlags& options = {});
    DataStream addDeviceToHostFIFO(StringRef handle, const Type& elementType,
                                   std::size_t numElements, const OptionFlags& options = {});
    RemoteBuffer addRemoteBuffer(StringRef handle, const Type& elementType, std::size_t numElements,
                                 std::size_t repeats = 1, bool rearrangeOnHost = false,
                                 bool optimiseMemory = false);
    HostFunction addHostFunction(StringRef handle, ArrayRef<HostFunction::Argument> inputs,
                                 ArrayRef<HostFunction::Argument> outputs,
                                 const OptionFlags& options = {});
    void createHostWrite(StringRef handle, const Tensor& t, bool rearrangeOnHost = false,
                         const DebugContext& debugContext = {});
    void createHostRead(StringRef handle, const Tensor& t, bool rearrangeOnHost = false,
                        const DebugContext& debugContext = {});
    Function addFunction(const program::Program& program);

    void outputVertexGraph(std::ostream& outputStream, ArrayRef<program::Program> progs = {}) const;
    void outputComputeGraph(std::ostream& outputStream,
                            ArrayRef<program::Program> progs = {}) const;
    enum class SerializationFormat { Binary, CBor = Binary };
    void serialize(std::ostream& out,
                   SerializationFormat format = SerializationFormat::Binary) const;
    void serialize(std::ostream& out, ArrayRef<program::Program> progs,
                   SerializationFormat format = SerializationFormat::Binary) const;
    void trackMaxVertexFieldValue(StringRef, StringRef) {}

    const std::shared_ptr<core::Graph>& impl() const { return impl_; }
    explicit Graph(std::shared_ptr<core::Graph> impl);

  private:
    Tensor addConstantFrom(const Type& type, ArrayRef<std::size_t> shape, core::HostArray values,
                           const DebugContext& debugContext);
    bool constantElement(const Tensor& t, core::Number* value) const;
    void connectConstant(const FieldRef& field, core::HostArray value);
    void initialise(const FieldRef& field, core::HostArray values, bool scalar);
    void initialise(const Tensor& t, core::HostArray values, bool scalar);

    std::shared_ptr<core::Graph> impl_;
};

using ConnectionDesc = Graph::ConnectionDesc;

} // namespace poplar
