#include "compile/shared_object.h"

#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "tropic/error.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

namespace tropic::compile {

namespace {

void write_file(const std::string& path, llvm::ArrayRef<char> bytes) {
    std::error_code error;
    llvm::raw_fd_ostream file(path, error);
    if (!error) {
        file.write(bytes.data(), bytes.size());
        file.close();
        error = file.error();
    }
    if (!error) return;
    file.clear_error(); // what nobody has looked at ends the process
    throw Error(ErrorCode::io, fmt::format("cannot write {}: {}", path, error.message()));
}

std::string find_linker() {
    for (const char* name : {"ld.lld-22", "ld.lld"}) {
        if (const auto found = llvm::sys::findProgramByName(name)) return *found;
    }
    if (const auto found = llvm::sys::findProgramByName("ld.lld", {"/usr/lib/llvm-22/bin"})) {
        return *found;
    }
    throw Error(ErrorCode::not_found, "the linker ld.lld is missing",
                "install the Debian package lld-22");
}

} // namespace

void link_shared(const std::vector<ObjectCode>& objects, const std::string& path) {
    const std::string linked = fmt::format("{}.{}.so", path, getpid());
    std::vector<std::string> aside;
    for (const ObjectCode& object : objects) {
        aside.push_back(fmt::format("{}.{}.{}.o", path, getpid(), aside.size()));
        write_file(aside.back(), object);
    }
    const std::string linker = find_linker();
    std::string message;
    // The hash table of symbols is what dlsym wants; nothing else is worth a byte.
    llvm::SmallVector<llvm::StringRef> arguments{linker,
                                                 "-shared",
                                                 "-s",
                                                 "--hash-style=gnu",
                                                 "--eh-frame-hdr",
                                                 "-z",
                                                 "now",
                                                 "--build-id=none",
                                                 "-o",
                                                 linked};
    arguments.append(aside.begin(), aside.end());
    const int status =
        llvm::sys::ExecuteAndWait(linker, arguments, std::nullopt, {}, 0, 0, &message);
    std::error_code ignored;
    for (const std::string& file : aside) std::filesystem::remove(file, ignored);
    std::error_code error;
    if (status == 0) std::filesystem::rename(linked, path, error);
    if (status != 0 || error) {
        std::filesystem::remove(linked, ignored);
        throw Error(ErrorCode::io,
                    fmt::format("cannot write {}: {}", path,
                                error ? error.message() : "the linker failed: " + message));
    }
}

} // namespace tropic::compile
