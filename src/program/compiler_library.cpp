#include "program/compiler_library.h"

#include <atomic>

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "tropic/error.h"

namespace tropic::program {

namespace {

constexpr const char* file_name = "libtropic_compiler.so";

std::string path_beside_this_library() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&compiler_path), &info) == 0 ||
        info.dli_fname == nullptr) {
        return file_name;
    }
    const std::string own = info.dli_fname;
    const auto slash = own.find_last_of('/');
    return slash == std::string::npos ? file_name : own.substr(0, slash + 1) + file_name;
}

std::atomic<compile::CompileFunction> replacement = nullptr;

[[noreturn]] void fail(const char* reason) {
    throw Error(ErrorCode::not_found, fmt::format("the compiler cannot be loaded: {}", reason),
                fmt::format("install Tropic with its compiler, {}", file_name));
}

template <class Function> Function load(const char* symbol) {
    // Never unloaded: LLVM keeps pointers to itself in places that outlive it.
    void* const handle = dlopen(compiler_path().c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (handle == nullptr) fail(dlerror());
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
    struct stat status{};
    if (stat(compiler_path().c_str(), &status) != 0) return "none";
    return fmt::format("{} {}.{}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
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
