#include "places.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include "findings.h"

namespace tropic::tile::plugin {

namespace {

/// Inlined library code is not where a user looks: the nearest caller in the main file is.
const llvm::DILocation* user_location(const llvm::DebugLoc& place) {
    const llvm::DILocation* last = nullptr;
    for (const llvm::DILocation* at = place.get(); at != nullptr; at = at->getInlinedAt()) {
        last = at;
        const llvm::DISubprogram* const inside = at->getScope()->getSubprogram();
        const llvm::DICompileUnit* const unit = inside == nullptr ? nullptr : inside->getUnit();
        if (unit != nullptr && unit->getFilename() == at->getFilename()) break;
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
        problem.file = at->getFilename().str();
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
