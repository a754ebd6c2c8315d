#include "assembly.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>

namespace tropic::tile::plugin {

namespace {

using llvm::StringRef;

/// "$$" is a dollar, "$3" and "${3:x}" are operands.
std::string with_plain_operands(StringRef text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '$') {
            plain += text[i];
        } else if (i + 1 < text.size() && text[i + 1] == '$') {
            plain += '$';
            ++i;
        } else if (i + 1 < text.size() && text[i + 1] == '{') {
            const std::size_t end = text.find('}', i);
            plain += "%" + text.slice(i + 2, end).split(':').first.str();
            i = end == StringRef::npos ? text.size() : end;
        } else {
            plain += '%';
        }
    }
    return plain;
}

StringRef without_comment(StringRef line) {
    line = line.split("//").first;
    line = line.split("/*").first;
    return line.split('#').first.trim();
}

} // namespace

std::vector<AssemblyLine> read_assembly(StringRef text) {
    const std::string plain = with_plain_operands(text);
    llvm::SmallVector<StringRef> pieces;
    llvm::SplitString(plain, pieces, "\n;");
    std::vector<AssemblyLine> lines;
    for (const StringRef piece : pieces) {
        const StringRef line = without_comment(piece);
        if (line.empty()) continue;
        const std::size_t space = line.find_first_of(" \t");
        AssemblyLine read;
        read.mnemonic = line.substr(0, space).lower();
        llvm::SmallVector<StringRef> operands;
        if (space != StringRef::npos) line.substr(space).split(operands, ',');
        for (const StringRef operand : operands) read.operands.push_back(operand.trim().str());
        lines.push_back(std::move(read));
    }
    return lines;
}

} // namespace tropic::tile::plugin
