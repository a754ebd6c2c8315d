#include "cost_table.h"

#include <cstdlib>

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/MemoryBuffer.h>

namespace tropic::tile::plugin {

namespace {

constexpr char embedded_table[] =
#include "instruction_costs.inc"
    ;

} // namespace

const CostTable& CostTable::instance() {
    static const CostTable table = [] {
        const char* const file = std::getenv("TROPIC_INSTRUCTION_COSTS");
        if (file == nullptr || *file == '\0') return CostTable(embedded_table);
        const auto content = llvm::MemoryBuffer::getFile(file);
        CostTable own(content ? (*content)->getBuffer() : "");
        if (!content) own.fault_ = std::string("cannot read ") + file;
        return own;
    }();
    return table;
}

CostTable::CostTable(llvm::StringRef text) {
    llvm::SmallVector<llvm::StringRef> lines;
    text.split(lines, '\n');
    for (const llvm::StringRef line : lines) {
        llvm::SmallVector<llvm::StringRef> columns;
        line.split(columns, '\t');
        if (line.empty() || line.starts_with("#") || columns[0] == "key") continue;
        Cost cost;
        if (columns.size() < 4 || columns[2].getAsInteger(10, cost.slots) ||
            (columns[1] != "main" && columns[1] != "aux" && columns[1] != "both")) {
            fault_ = "not a key, a pipe, a number of slots and a source: " + line.str();
            continue;
        }
        cost.pipe = columns[1] == "main"  ? Pipe::main
                    : columns[1] == "aux" ? Pipe::aux
                                          : Pipe::both;
        costs_[columns[0]] = cost;
    }
}

Cost CostTable::at(llvm::StringRef key) const {
    const auto found = costs_.find(key);
    if (found == costs_.end()) {
        if (fault_.empty()) fault_ = "there is no line for " + key.str();
        return {};
    }
    return found->second;
}

const Cost* CostTable::function(llvm::StringRef name) const {
    const auto found = costs_.find(("function " + name).str());
    return found == costs_.end() ? nullptr : &found->second;
}

} // namespace tropic::tile::plugin
