#include "machines/tile/codelets/source_text.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "tropic/error.h"

namespace tropic::tile::codelets {

namespace {

/// A string that is nothing but a register of a tile: "$m0", "$a3", "$mscratch".
bool is_register(std::string_view literal) {
    if (literal.size() < 3 || literal[0] != '$') return false;
    const std::string_view name = literal.substr(1);
    return name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789:") ==
               std::string_view::npos &&
           (name[0] == 'm' || name[0] == 'a');
}

/// Replaces string literals that are registers, leaving everything in its column.
void hide_registers(std::string& text) {
    constexpr std::string_view harmless = "\"cc\"";
    for (std::size_t start = text.find("\"$"); start != std::string::npos;
         start = text.find("\"$", start + 1)) {
        const std::size_t end = text.find('"', start + 1);
        if (end == std::string::npos) return;
        const std::string_view literal = std::string_view(text).substr(start + 1, end - start - 1);
        if (!is_register(literal)) continue;
        std::string same_width(end - start + 1, ' ');
        same_width.replace(0, harmless.size(), harmless);
        text.replace(start, same_width.size(), same_width);
    }
}

std::string as_literal(std::string_view name) {
    std::string result = "\"";
    for (const char c : name) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

} // namespace

SourceText read_source(const std::string& file) {
    const auto ends = [&](std::string_view suffix) { return file.ends_with(suffix); };
    if (ends(".gp") || ends(".S") || ends(".s")) {
        throw Error(ErrorCode::unsupported,
                    fmt::format("{} is not C++: compiled or assembly codelets are of the vendor's "
                                "processor and cannot run here",
                                file),
                    "add the codelet's C++ source");
    }
    std::error_code ignored;
    std::ifstream in(file, std::ios::binary);
    if (!in || std::filesystem::is_directory(file, ignored)) {
        throw Error(ErrorCode::not_found, fmt::format("codelet file {} cannot be read", file),
                    "paths are relative to the directory the program runs in");
    }
    SourceText source;
    source.name = file;
    source.text.assign(std::istreambuf_iterator<char>(in), {});
    source.directory = std::filesystem::absolute(file).parent_path().string();
    return source;
}

std::string prepared(const SourceText& source) {
    std::string text = source.text;
    hide_registers(text);
    return "# 1 " + as_literal(source.name) + "\n" + text + "\n";
}

std::string_view line_of(std::string_view text, std::size_t line) {
    std::size_t start = 0;
    for (std::size_t at = 1; at < line; ++at) {
        start = text.find('\n', start);
        if (start == std::string_view::npos) return {};
        ++start;
    }
    return text.substr(start, text.find('\n', start) - start);
}

} // namespace tropic::tile::codelets
