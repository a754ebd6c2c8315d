// A compiled program in memory.
#pragma once

#include <memory>
#include <string>

#include "machines/cpu/runtime.h"

namespace tropic::cpu {

class LoadedProgram {
  public:
    /// Null if the file is not a compiled program.
    static std::unique_ptr<LoadedProgram> load(const std::string& path);
    ~LoadedProgram();
    LoadedProgram(const LoadedProgram&) = delete;
    LoadedProgram& operator=(const LoadedProgram&) = delete;

    ProgramEntry entry() const noexcept { return entry_; }

  private:
    LoadedProgram(void* handle, ProgramEntry entry) : handle_(handle), entry_(entry) {}

    void* handle_;
    ProgramEntry entry_;
};

} // namespace tropic::cpu
