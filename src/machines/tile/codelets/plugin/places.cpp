#include "places.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include "findings.h"

namespace tropic::tile::plugin {

namespace {

/// The file of a place, as the user named it if it is the main file.
std::string file_of(const llvm::DILocation& place) {
    llvm::SmallString<128> path(place.getFilename());
    if (!llvm::sys::path::is_absolute(path)) {
        path = place.getDirectory();
        llvm::sys::path::append(path, place.getFilename());
    }
    llvm::SmallString<128> main(findings().main_file);
    const bool known = !llvm::sys::fs::make_absolute(main);
    return known && path == main ? findings().main_file : path.str().str();
}

/// Inlined library code is not where a user looks: the nearest caller in the main file is.
const llvm::DILocation* user_location(const llvm::DebugLoc& place) {
    const llvm::DILocation* last = nullptr;
    for (const llvm::DILocation* at = place.get(); at != nullptr; at = at->getInlinedAt()) {
        if (at->getLine() == 0) continue;
        last = at;
        if (file_of(*at) == findings().main_file) break;
    }
    return last;
}

} // namespace

std::uint32_t user_line(const llvm::DebugLoc& place) {
    const llvm::DILocation* const at = user_location(place);
    return at == nullptr ? 0 : at->getLine();
}

void add_problem(const llvm::DebugLoc& place, std::string message, std::string hint) {
    Problem problem;
    if (const llvm::DILocation* const at = user_location(place)) {
        problem.file = file_of(*at);
        problem.line = at->getLine();
        problem.column = at->getColumn();
    }
    problem.message = std::move(message);
    problem.hint = std::move(hint);
    findings().problems.push_back(std::move(problem));
}

std::string readable_name(llvm::StringRef mangled) {
    std::string name = llvm::demangle(mangled);
    const auto parameters = name.find('(');
    if (parameters != std::string::npos && parameters > 0) name.resize(parameters);
    return name;
}

} // namespace tropic::tile::plugin
