// The names and suffixes of file formats.
#include <algorithm>
#include <array>

#include "graph/files/compressor.h"
#include "graph/files/reader.h"
#include "support/letter_case.h"

namespace tropic {

namespace {

struct Name {
    std::string_view text;
    FileFormat format;
};

/// What a format may be called, besides its suffixes; its own name first.
constexpr std::array names = {
    Name{"mtx", FileFormat::matrix_market},
    Name{"el", FileFormat::edge_list},
    Name{"metis", FileFormat::metis},
    Name{"dimacs", FileFormat::dimacs},
    Name{"gset", FileFormat::gset},
    Name{"gap", FileFormat::gap_serialized},
    Name{"tns", FileFormat::frostt},
    Name{"tg", FileFormat::tropic},
    Name{"matrix-market", FileFormat::matrix_market},
    Name{"matrix_market", FileFormat::matrix_market},
    Name{"matrixmarket", FileFormat::matrix_market},
    Name{"mm", FileFormat::matrix_market},
    Name{"edge-list", FileFormat::edge_list},
    Name{"edge_list", FileFormat::edge_list},
    Name{"edgelist", FileFormat::edge_list},
    Name{"rudy", FileFormat::gset},
    Name{"frostt", FileFormat::frostt},
    Name{"tropic", FileFormat::tropic},
};

constexpr std::array suffixes = {
    Name{"mtx", FileFormat::matrix_market},  Name{"el", FileFormat::edge_list},
    Name{"wel", FileFormat::edge_list},      Name{"txt", FileFormat::edge_list},
    Name{"csv", FileFormat::edge_list},      Name{"tsv", FileFormat::edge_list},
    Name{"snap", FileFormat::edge_list},     Name{"edges", FileFormat::edge_list},
    Name{"graph", FileFormat::metis},        Name{"metis", FileFormat::metis},
    Name{"mgraph", FileFormat::metis},       Name{"gr", FileFormat::dimacs},
    Name{"dimacs", FileFormat::dimacs},      Name{"gset", FileFormat::gset},
    Name{"rud", FileFormat::gset},           Name{"sg", FileFormat::gap_serialized},
    Name{"wsg", FileFormat::gap_serialized}, Name{"tns", FileFormat::frostt},
    Name{"tg", FileFormat::tropic},
};

} // namespace

std::string_view name_of(FileFormat format) noexcept {
    for (const Name& name : names) {
        if (name.format == format) return name.text;
    }
    return "";
}

bool parse_file_format(std::string_view text, FileFormat& format) noexcept {
    const auto look_in = [&](const auto& table) {
        const auto found =
            std::ranges::find_if(table, [&](const Name& n) { return same_letters(n.text, text); });
        if (found == table.end()) return false;
        format = found->format;
        return true;
    };
    return look_in(names) || look_in(suffixes);
}

std::optional<FileFormat> format_to_write(std::string_view path) {
    path = without_compression(path);
    path = path.substr(path.rfind('/') + 1);
    const auto dot = path.rfind('.');
    if (dot == path.npos) return {};
    for (const Name& suffix : suffixes) {
        if (same_letters(path.substr(dot + 1), suffix.text)) return suffix.format;
    }
    return {};
}

std::string writable_suffixes() {
    std::string text;
    for (const Name& suffix : suffixes) {
        if (!text.empty()) text += ' ';
        text += '.';
        text += suffix.text;
    }
    return text;
}

} // namespace tropic
