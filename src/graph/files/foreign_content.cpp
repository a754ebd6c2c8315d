#include "graph/files/foreign_content.h"

#include <algorithm>
#include <array>
#include <string>

namespace tropic {

namespace {

using namespace std::string_view_literals;

struct Mark {
    std::string_view start;
    std::string_view name;
    std::string_view hint = {};
};

constexpr std::string_view convert_hint = "write it as an edge list or Matrix Market first";
constexpr std::string_view unpack_hint = "unpack it first (gzip, xz and zstd need no unpacking)";

constexpr std::array binary_marks = {
    // Behind a decompressor: compressed twice.
    Mark{"\x1f\x8b"sv, "a gzip file inside a compressed one", "unpack it once, by hand"},
    Mark{"\xfd"
         "7zXZ"sv,
         "an xz file inside a compressed one", "unpack it once, by hand"},
    Mark{"\x28\xb5\x2f\xfd"sv, "a zstd file inside a compressed one", "unpack it once, by hand"},
    Mark{"\xff\xfe"sv, "UTF-16 text", "save it as UTF-8: iconv -f UTF-16 -t UTF-8"},
    Mark{"\xfe\xff"sv, "UTF-16 text", "save it as UTF-8: iconv -f UTF-16 -t UTF-8"},
    Mark{"PK\x03\x04"sv, "a zip archive", unpack_hint},
    Mark{"BZh"sv, "a bzip2 file", unpack_hint},
    Mark{"7z\xbc\xaf"sv, "a 7z archive", unpack_hint},
    Mark{"\x89PNG"sv, "a PNG image"},
    Mark{"\xff\xd8\xff"sv, "a JPEG image"},
    Mark{"GIF8"sv, "a GIF image"},
    Mark{"%PDF-"sv, "a PDF document"},
    Mark{"\x7f"
         "ELF"sv,
         "a program (ELF)"},
    Mark{"\x93NUMPY"sv, "a NumPy array", convert_hint},
    Mark{"\x89HDF"sv, "an HDF5 file", convert_hint},
    Mark{"MATLAB 5.0 MAT-file"sv, "a MATLAB file", convert_hint},
    Mark{"SQLite format 3"sv, "an SQLite database", convert_hint},
    Mark{"PAR1"sv, "a Parquet file", convert_hint},
};

/// Compared in lower case, after leading blanks.
constexpr std::array text_marks = {
    Mark{"<!doctype html", "an HTML page", "download the file itself, not the page about it"},
    Mark{"<html", "an HTML page", "download the file itself, not the page about it"},
    Mark{"<graphml", "GraphML", convert_hint},
    Mark{"<gexf", "GEXF", convert_hint},
    Mark{"<?xml", "XML", convert_hint},
    Mark{"{", "JSON", convert_hint},
    Mark{"[", "JSON", convert_hint},
    Mark{"digraph", "a Graphviz drawing", convert_hint},
    Mark{"strict graph", "a Graphviz drawing", convert_hint},
    Mark{"strict digraph", "a Graphviz drawing", convert_hint},
    Mark{"graph {", "a Graphviz drawing", convert_hint},
    Mark{"graph g {", "a Graphviz drawing", convert_hint},
    Mark{"graph [", "GML", convert_hint},
    Mark{"graph\n[", "GML", convert_hint},
    Mark{"creator \"", "GML", convert_hint},
    Mark{"*vertices", "a Pajek network", convert_hint},
    Mark{"version https://git-lfs", "a Git LFS pointer", "fetch the file with git lfs pull"},
};

} // namespace

ForeignContent foreign_content(std::string_view text) {
    for (const Mark& mark : binary_marks) {
        if (text.starts_with(mark.start)) return {mark.name, mark.hint};
    }
    const std::size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    std::string start(text.substr(first, 64));
    for (char& c : start) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    for (const Mark& mark : text_marks) {
        if (start.starts_with(mark.start)) return {mark.name, mark.hint};
    }
    return {};
}

bool looks_binary(std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\v';
    });
}

} // namespace tropic
