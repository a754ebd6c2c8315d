// Compiled code in memory.
#pragma once

#include <memory>
#include <string>

namespace tropic::cpu {

class LoadedProgram {
  public:
    /// Null if the file is not compiled code that exports `symbol`.
    static std::unique_ptr<LoadedProgram> load(const std::string& path, const char* symbol);
    ~LoadedProgram();
    LoadedProgram(const LoadedProgram&) = delete;
    LoadedProgram& operator=(const LoadedProgram&) = delete;

    /// What the symbol names.
    template <class Entry> Entry entry() const noexcept { return reinterpret_cast<Entry>(entry_); }

  private:
    LoadedProgram(void* handle, void* entry) : handle_(handle), entry_(entry) {}

    void* handle_;
    void* entry_;
};

} // namespace tropic::cpu
