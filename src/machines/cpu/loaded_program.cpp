#include "machines/cpu/loaded_program.h"

#include <dlfcn.h>

namespace tropic::cpu {

std::unique_ptr<LoadedProgram> LoadedProgram::load(const std::string& path, const char* symbol) {
    void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return nullptr;
    void* const entry = dlsym(handle, symbol);
    if (entry == nullptr) {
        dlclose(handle);
        return nullptr;
    }
    return std::unique_ptr<LoadedProgram>(new LoadedProgram(handle, entry));
}

LoadedProgram::~LoadedProgram() {
    dlclose(handle_);
}

} // namespace tropic::cpu
