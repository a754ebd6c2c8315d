// Compiled codelets: what the engine needs to know of a vertex type to check it, place it and run
// it. The compiled code counts its own issue slots as it runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tropic::tile {

enum class ElementType : std::uint8_t {
    boolean,
    int8,
    uint8,
    int16,
    uint16,
    int32,
    uint32,
    int64,
    uint64,
    float16,
    float32,
};

std::size_t bytes_of(ElementType type);
std::string_view name_of(ElementType type);

/// How a member of a vertex gets its data.
enum class FieldRole : std::uint8_t {
    input,   ///< read; connected to a tensor
    output,  ///< written; connected to a tensor
    in_out,  ///< both; connected to a tensor
    state,   ///< a plain member, set when the graph is built, zero otherwise
    scratch, ///< a plain vector, sized when the graph is built, private to the vertex
};

/// How the member lays out its data; the host layout of each is given by the structs below.
enum class FieldShape : std::uint8_t {
    scalar,  ///< one element; a ScalarField if connected, the value itself if state
    span,    ///< pointer and size: SpanField
    pointer, ///< pointer only: PointerField
    list,    ///< several spans of their own lengths: ListField, over SpanField or PointerField
};

/// What lies at `Field::offset` of a vertex's state, for each shape of a connected field.
struct ScalarField {
    void* element;
};
struct PointerField {
    void* begin;
};
struct SpanField {
    void* begin;
    std::uint64_t size; ///< in elements
};
struct ListField {
    void* begin; ///< of SpanField or, if `inner_has_size` is false, PointerField
    std::uint64_t size;
};

struct Field {
    std::string name;
    FieldRole role = FieldRole::state;
    FieldShape shape = FieldShape::scalar;
    ElementType type = ElementType::float32;
    std::uint32_t vector_width = 1; ///< 2 for float2 and so on: `type` is the element's
    std::uint32_t alignment = 1;    ///< bytes, asked for by the codelet
    std::uint32_t elements = 1;     ///< of a plain member that is an array
    bool inner_has_size = true;     ///< for lists
    std::size_t offset = 0;         ///< in the state on the host
    std::size_t host_bytes = 0;     ///< in the state on the host
    std::size_t tile_bytes = 0;     ///< in the state on a tile, where pointers have 32 bits
};

enum class VertexKind : std::uint8_t {
    worker,     ///< one worker runs compute()
    multi,      ///< every worker runs compute(worker)
    supervisor, ///< the supervisor runs compute(), which may start the workers
};

/// Sees what checked code does. The engine implements it; code compiled without checks never calls.
class AccessObserver {
  public:
    virtual ~AccessObserver() = default;
    /// Each may throw, which ends the run.
    virtual void on_load(const void* address, std::uint32_t bytes, std::uint32_t line) = 0;
    virtual void on_store(const void* address, std::uint32_t bytes, std::uint32_t line) = 0;
    /// One of the workers that the supervisor started began (0..5), or all have ended (-1).
    virtual void on_worker(int worker) = 0;
};

/// What a codelet printed, whole lines or not, as it prints it.
class PrintSink {
  public:
    virtual ~PrintSink() = default;
    virtual void print(std::uint32_t worker, std::string_view text) = 0;
};

/// One run of compute().
struct Invocation {
    void* state = nullptr;
    std::uint32_t worker = 0; ///< of a multi vertex, 0 otherwise
    AccessObserver* observer = nullptr;
    PrintSink* prints = nullptr;
    std::uint64_t slot_limit = 0; ///< where endless loops are stopped with an Error; 0: 10^10
    bool* returned = nullptr;     ///< if not null: set to false if compute() returns false
};

/// What it cost: for `worker` and `multi`, issue slots of that worker; for `supervisor`, cycles,
/// those of the workers it started among them.
using Cost = std::uint64_t;

struct VertexType {
    std::string name; ///< as `addVertex` names it, template arguments included: "Sum<float>"
    VertexKind kind = VertexKind::worker;
    std::vector<Field> fields;
    std::size_t host_bytes = 0; ///< of the state
    std::size_t host_alignment = 1;
    std::size_t tile_bytes = 0; ///< of the state on a tile
    std::size_t code_bytes = 0; ///< estimated, on a tile
    std::string source_file;
    Cost (*run)(const Invocation&) = nullptr;
};

struct CodeletOptions {
    std::vector<std::string> files; ///< compiled together, each a translation unit of its own
    std::string source;             ///< or this text; named "codelets.cpp" in messages
    std::vector<std::string> flags; ///< given by the program, -D and -I among them
    bool checked = false;           ///< call the observer at each load and store
};

/// Compiled code as it lies in a file.
struct CodeletImage {
    std::string object;   ///< the shared object
    std::string vertices; ///< what is in it, as JSON
};

/// Loaded code; vertex types stay valid as long as it lives.
class CodeletLibrary {
  public:
    virtual ~CodeletLibrary() = default;
    virtual std::span<const VertexType> types() const = 0;
    /// Null if it was made by hand.
    virtual const CodeletImage* image() const { return nullptr; }
    const VertexType* find(std::string_view name) const;
};

/// Compiles, or finds what was compiled before in the cache. Throws Error with clang's messages
/// for code that does not compile, and says which part of the interface is not supported.
std::shared_ptr<CodeletLibrary> load_codelets(const CodeletOptions& options);

} // namespace tropic::tile
