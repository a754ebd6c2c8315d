#include "machines/tile/codelets/library.h"

#include <array>
#include <fstream>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "machines/tile/codelets/runtime/codelet_runtime.h"
#include "tropic/error.h"

namespace tropic::tile {

namespace {

template <class Value, std::size_t size>
using Names = std::array<std::pair<std::string_view, Value>, size>;

template <class Value, std::size_t size>
Value value_of(const Names<Value, size>& names, const nlohmann::json& json) {
    const auto name = json.get<std::string>();
    for (const auto& [known, value] : names) {
        if (known == name) return value;
    }
    throw Error(ErrorCode::corrupt, fmt::format("'{}' describes no vertex", name));
}

constexpr Names<FieldRole, 5> roles = {{{"input", FieldRole::input},
                                        {"output", FieldRole::output},
                                        {"in_out", FieldRole::in_out},
                                        {"state", FieldRole::state},
                                        {"scratch", FieldRole::scratch}}};
constexpr Names<FieldShape, 4> shapes = {{{"scalar", FieldShape::scalar},
                                          {"span", FieldShape::span},
                                          {"pointer", FieldShape::pointer},
                                          {"list", FieldShape::list}}};
constexpr Names<VertexKind, 3> kinds = {{{"worker", VertexKind::worker},
                                         {"multi", VertexKind::multi},
                                         {"supervisor", VertexKind::supervisor}}};
constexpr Names<ElementType, 11> types = {{{"bool", ElementType::boolean},
                                           {"int8", ElementType::int8},
                                           {"uint8", ElementType::uint8},
                                           {"int16", ElementType::int16},
                                           {"uint16", ElementType::uint16},
                                           {"int32", ElementType::int32},
                                           {"uint32", ElementType::uint32},
                                           {"int64", ElementType::int64},
                                           {"uint64", ElementType::uint64},
                                           {"float16", ElementType::float16},
                                           {"float32", ElementType::float32}}};

Field field_of(const nlohmann::json& json) {
    Field field;
    field.name = json.at("name").get<std::string>();
    field.role = value_of(roles, json.at("role"));
    field.shape = value_of(shapes, json.at("shape"));
    field.type = value_of(types, json.at("type"));
    field.vector_width = json.at("vector_width").get<std::uint32_t>();
    field.alignment = json.at("alignment").get<std::uint32_t>();
    field.elements = json.at("elements").get<std::uint32_t>();
    field.inner_has_size = json.at("inner_has_size").get<bool>();
    field.offset = json.at("offset").get<std::size_t>();
    field.host_bytes = json.at("host_bytes").get<std::size_t>();
    field.tile_bytes = json.at("tile_bytes").get<std::size_t>();
    return field;
}

VertexType type_of(const nlohmann::json& json) {
    VertexType type;
    type.name = json.at("name").get<std::string>();
    type.kind = value_of(kinds, json.at("kind"));
    for (const nlohmann::json& field : json.at("fields")) type.fields.push_back(field_of(field));
    type.host_bytes = json.at("host_bytes").get<std::size_t>();
    type.host_alignment = json.at("host_alignment").get<std::size_t>();
    type.tile_bytes = json.at("tile_bytes").get<std::size_t>();
    type.code_bytes = json.at("code_bytes").get<std::size_t>();
    type.source_file = json.at("file").get<std::string>();
    return type;
}

/// Ends a codelet that cannot go on.
void stop(runtime::StopReason reason, std::uint32_t line, const char* text) {
    const std::string where = line == 0 ? "" : fmt::format(" in line {}", line);
    switch (reason) {
    case runtime::StopReason::endless:
        throw Error(ErrorCode::cancelled,
                    fmt::format("the codelet's loop{} does not end: it was stopped", where),
                    "look at the loop's condition");
    case runtime::StopReason::division:
        throw Error(ErrorCode::range,
                    fmt::format("the codelet divides by zero, or overflows by dividing,{}",
                                where.empty() ? " somewhere" : where));
    case runtime::StopReason::trap:
        throw Error(ErrorCode::range, fmt::format("the codelet stopped itself{}", where));
    case runtime::StopReason::assertion:
        throw Error(ErrorCode::range, fmt::format("the codelet's assertion '{}'{} does not hold",
                                                  text == nullptr ? "" : text, where));
    case runtime::StopReason::start:
        break;
    }
    throw Error(ErrorCode::range, "the supervisor started workers on what is no codelet",
                "set the register with setzi of a __runCodelet_ label first");
}

/// Blanks only where they separate words; `unsigned` and `_Float16` under their other names.
std::string normalised(std::string_view name) {
    std::string result;
    const auto is_word = [](char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
               (c >= 'A' && c <= 'Z');
    };
    bool blank = false;
    for (const char c : name) {
        if (c == ' ') {
            blank = true;
            continue;
        }
        if (blank && !result.empty() && is_word(result.back()) && is_word(c)) result += ' ';
        blank = false;
        result += c;
    }
    const auto replace = [&](std::string_view from, std::string_view to) {
        for (std::size_t at = result.find(from); at != std::string::npos;
             at = result.find(from, at + to.size())) {
            const bool starts = at == 0 || !is_word(result[at - 1]);
            const std::size_t end = at + from.size();
            const bool ends = end == result.size() || (!is_word(result[end]) && result[end] != ' ');
            if (starts && ends) result.replace(at, from.size(), to);
        }
    };
    replace("unsigned", "unsigned int");
    replace("_Float16", "half");
    return result;
}

} // namespace

const VertexType* CodeletLibrary::find(std::string_view name) const {
    const std::string wanted = normalised(name);
    for (const VertexType& type : types()) {
        if (type.name == name || normalised(type.name) == wanted) return &type;
    }
    return nullptr;
}

namespace codelets {

namespace {

/// A file that is nowhere but in memory.
class MemoryFile {
  public:
    explicit MemoryFile(std::string_view content) : number_(memfd_create("codelets", 0)) {
        while (number_ >= 0 && !content.empty()) {
            const ssize_t written = write(number_, content.data(), content.size());
            if (written <= 0) break;
            content.remove_prefix(static_cast<std::size_t>(written));
        }
    }
    ~MemoryFile() {
        if (number_ >= 0) close(number_);
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    std::string path() const { return fmt::format("/proc/self/fd/{}", number_); }

  private:
    int number_;
};

class LoadedLibrary : public CodeletLibrary {
  public:
    LoadedLibrary(void* handle, std::vector<VertexType> types, CodeletImage image,
                  std::unique_ptr<MemoryFile> file)
        : handle_(handle), types_(std::move(types)), image_(std::move(image)),
          file_(std::move(file)) {}
    ~LoadedLibrary() override { dlclose(handle_); }
    LoadedLibrary(const LoadedLibrary&) = delete;
    LoadedLibrary& operator=(const LoadedLibrary&) = delete;

    std::span<const VertexType> types() const override { return types_; }
    const CodeletImage* image() const override { return &image_; }

  private:
    void* handle_;
    std::vector<VertexType> types_;
    CodeletImage image_;
    std::unique_ptr<MemoryFile> file_; ///< if that is where it is: no other may have its name
};

std::shared_ptr<CodeletLibrary> open_file(const std::string& file, const nlohmann::json& vertices,
                                          std::unique_ptr<MemoryFile> in_memory) {
    void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return nullptr;
    std::vector<VertexType> types;
    bool complete = true;
    for (const nlohmann::json& vertex : vertices) {
        VertexType type = type_of(vertex);
        type.run = reinterpret_cast<Cost (*)(const Invocation&)>(
            dlsym(handle, vertex.at("entry").get<std::string>().c_str()));
        complete = complete && type.run != nullptr;
        types.push_back(std::move(type));
    }
    auto* const stopper = static_cast<runtime::StopFunction*>(dlsym(handle, "tropic_stop"));
    if (!complete || stopper == nullptr) {
        dlclose(handle);
        return nullptr;
    }
    *stopper = &stop;
    std::ifstream in(file, std::ios::binary);
    CodeletImage image{{std::istreambuf_iterator<char>(in), {}}, vertices.dump()};
    return std::make_shared<LoadedLibrary>(handle, std::move(types), std::move(image),
                                           std::move(in_memory));
}

} // namespace

std::shared_ptr<CodeletLibrary> open_library(const std::string& file,
                                             const nlohmann::json& vertices) {
    return open_file(file, vertices, nullptr);
}

std::shared_ptr<CodeletLibrary> open_image(const CodeletImage& image) {
    auto file = std::make_unique<MemoryFile>(image.object);
    const std::string path = file->path();
    const auto vertices = nlohmann::json::parse(image.vertices, nullptr, false);
    std::shared_ptr<CodeletLibrary> library;
    try {
        if (!vertices.is_discarded()) library = open_file(path, vertices, std::move(file));
    } catch (const nlohmann::json::exception&) {
        library = nullptr; // what is in it is not said as it should be
    }
    if (!library) {
        throw Error(ErrorCode::corrupt, "stored codelets cannot be loaded",
                    "compile them again on this kind of host");
    }
    return library;
}

} // namespace codelets

} // namespace tropic::tile
