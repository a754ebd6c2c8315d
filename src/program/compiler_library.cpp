#include "program/compiler_library.h"

#include <atomic>
#include <string_view>

#include <dlfcn.h>
#include <fmt/format.h>

#include "compile/interface_id.h"
#include "program/build_id.h"
#include "tropic/error.h"

namespace tropic::program {

namespace {

constexpr const char* file_name = "libtropic_compiler.so";

/// The file that this code is in; empty if nobody knows.
std::string own_path() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&compiler_path), &info) == 0 ||
        info.dli_fname == nullptr) {
        return {};
    }
    return info.dli_fname;
}

std::string path_beside_this_library() {
    const std::string own = own_path();
    const auto slash = own.find_last_of('/');
    return slash == std::string::npos ? file_name : own.substr(0, slash + 1) + file_name;
}

std::atomic<compile::CompileFunction> replacement = nullptr;

[[noreturn]] void fail(const char* reason) {
    throw Error(ErrorCode::not_found, fmt::format("the compiler cannot be loaded: {}", reason),
                fmt::format("install Tropic with its compiler, {}", file_name));
}

/// Both sides pass C++ objects to each other as they lie in memory.
void require_same_interface(void* handle) {
    void* const found = dlsym(handle, compile::interface_id_symbol);
    if (found != nullptr && std::string_view(reinterpret_cast<compile::InterfaceIdFunction>(
                                found)()) == compile::interface_id) {
        return;
    }
    throw Error(
        ErrorCode::unsupported,
        fmt::format("{} belongs to another build of Tropic than {}", compiler_path(), own_path()),
        "install the library and its compiler from the same build");
}

template <class Function> Function load(const char* symbol) {
    // Never unloaded: LLVM keeps pointers to itself in places that outlive it.
    void* const handle = dlopen(compiler_path().c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (handle == nullptr) fail(dlerror());
    require_same_interface(handle);
    void* const found = dlsym(handle, symbol);
    if (found == nullptr) fail(dlerror());
    return reinterpret_cast<Function>(found);
}

} // namespace

const std::string& compiler_path() {
    static const std::string path = path_beside_this_library();
    return path;
}

std::string compiler_identity() {
    return fmt::format("{} {}", identity_of(compiler_path()), identity_of(own_path()));
}

compile::CompileResult compile(const language::Program& program,
                               const compile::CompileOptions& options) {
    compile::CompileFunction function = replacement.load();
    if (function == nullptr) {
        static const auto loaded = load<compile::CompileFunction>(compile::compile_symbol);
        function = loaded;
    }
    compile::CompileResult result;
    function(program, options, result);
    return result;
}

compile::CompileResult compile(const language::algorithm::Algorithm& algorithm,
                               const compile::CompileOptions& options) {
    static const auto function =
        load<compile::CompileAlgorithmFunction>(compile::compile_algorithm_symbol);
    compile::CompileResult result;
    function(algorithm, options, result);
    return result;
}

void replace_compiler(compile::CompileFunction function) {
    replacement = function;
}

} // namespace tropic::program
