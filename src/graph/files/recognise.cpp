#include "graph/files/recognise.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "graph/files/edge_list_layout.h"
#include "graph/files/foreign_content.h"
#include "graph/files/line_cursor.h"
#include "graph/files/text_survey.h"
#include "support/letter_case.h"

namespace tropic {

namespace {

using namespace std::string_view_literals;

/// Looking at more of a large file would not tell more.
constexpr std::size_t looked_at = 64 << 10;

constexpr std::string_view tropic_magic = "\x89TRG\r\n\x1a\n"sv;
constexpr std::string_view banner = "%%matrixmarket";
constexpr std::string_view accepted =
    "Matrix Market, edge lists (SNAP, CSV, TSV, .el, .wel), METIS, DIMACS, Gset, GAP .sg and .wsg, "
    "FROSTT .tns, Tropic's own .tg; text also as .gz, .xz or .zst";

struct Suffix {
    std::string_view text;
    FileFormat format;
};

constexpr std::array suffixes = {
    Suffix{"mtx", FileFormat::matrix_market},  Suffix{"mm", FileFormat::matrix_market},
    Suffix{"el", FileFormat::edge_list},       Suffix{"wel", FileFormat::edge_list},
    Suffix{"csv", FileFormat::edge_list},      Suffix{"tsv", FileFormat::edge_list},
    Suffix{"snap", FileFormat::edge_list},     Suffix{"edges", FileFormat::edge_list},
    Suffix{"edgelist", FileFormat::edge_list}, Suffix{"graph", FileFormat::metis},
    Suffix{"mgraph", FileFormat::metis},       Suffix{"metis", FileFormat::metis},
    Suffix{"gr", FileFormat::dimacs},          Suffix{"dimacs", FileFormat::dimacs},
    Suffix{"col", FileFormat::dimacs},         Suffix{"gset", FileFormat::gset},
    Suffix{"rud", FileFormat::gset},           Suffix{"rudy", FileFormat::gset},
    Suffix{"tns", FileFormat::frostt},         Suffix{"sg", FileFormat::gap_serialized},
    Suffix{"wsg", FileFormat::gap_serialized}, Suffix{"tg", FileFormat::tropic},
};

/// The suffix of a file name without its dot, cut off the name; empty if there is none.
std::string_view cut_suffix(std::string_view& name) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) return {};
    const std::string_view suffix = name.substr(dot + 1);
    name = name.substr(0, dot);
    return suffix;
}

/// The suffix that may name a format, a suffix of compression set aside; what is before it is left.
std::string_view cut_format_suffix(std::string_view& name) {
    name.remove_prefix(name.rfind('/') == std::string_view::npos ? 0 : name.rfind('/') + 1);
    const std::string_view suffix = cut_suffix(name);
    for (const std::string_view packed : {"gz"sv, "xz"sv, "zst"sv}) {
        if (same_letters(suffix, packed)) return cut_suffix(name);
    }
    return suffix;
}

/// What the suffix says of lines of numbers. In .txt any text may be, but numbers there are edges,
/// as SNAP names its lists.
std::optional<FileFormat> format_of_numbers(std::string_view name) {
    const auto format = format_of_suffix(name);
    if (format == FileFormat::gap_serialized || format == FileFormat::tropic) return {};
    if (!format && same_letters(cut_format_suffix(name), "txt")) {
        return FileFormat::edge_list;
    }
    return format;
}

[[noreturn]] void refuse(const std::string& name, ErrorCode code, std::string message,
                         std::string_view hint) {
    throw Error({.code = code,
                 .message = std::move(message),
                 .file = name,
                 .accepted = std::string(accepted),
                 .hint = std::string(hint)});
}

/// Comment lines "c ..." and then "p ...", or arcs without a problem line, which the reader of
/// DIMACS files knows to complain about. Of a long file only comments may have been seen.
bool is_dimacs(std::string_view text, bool complete) {
    bool comments = false;
    while (!text.empty()) {
        const std::size_t size = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, size);
        text.remove_prefix(std::min(size + 1, text.size()));
        const auto fields = split_fields(line, ' ');
        if (fields.empty() ||
            std::string_view("c#%").find(fields[0][0]) != std::string_view::npos) {
            comments |= !fields.empty() && fields[0] == "c";
            continue;
        }
        if (fields[0] == "p") return true;
        return (fields[0] == "a" || fields[0] == "e") && fields.size() >= 3 &&
               fields[1].find_first_not_of("0123456789") == std::string_view::npos;
    }
    return comments && !complete;
}

/// Lines of numbers behind perhaps a header: which formats would read them, and which is meant.
FileFormat recognise_numbers(const TextSurvey& text, std::optional<FileFormat> suffix) {
    const std::size_t columns = text.body_columns();
    const bool constant = columns > 0 && text.rows[0].size() == columns;
    const bool metis = text.is_metis();
    const bool gset = text.fits_gset() && !metis;
    const bool market = text.fits_matrix_market();
    const bool market_counts =
        market && text.complete && static_cast<Index>(text.rows.size()) - 1 == text.rows[0][2];
    if (suffix == FileFormat::frostt) return FileFormat::frostt;
    if (suffix == FileFormat::gset) return FileFormat::gset;
    if (suffix == FileFormat::dimacs) return FileFormat::dimacs;
    if (gset) return FileFormat::gset;
    if (suffix == FileFormat::edge_list && constant) return FileFormat::edge_list;
    if (suffix == FileFormat::matrix_market) {
        if (market || !(constant || metis)) return FileFormat::matrix_market;
        return metis ? FileFormat::metis : FileFormat::edge_list;
    }
    if (suffix == FileFormat::metis) {
        const bool edges = constant && text.rows.size() > 2 && !text.fits_metis();
        return edges ? FileFormat::edge_list : FileFormat::metis;
    }
    if (metis) return FileFormat::metis;
    if (suffix == FileFormat::edge_list) return FileFormat::edge_list;
    if (market_counts || (market && text.percent_comments)) return FileFormat::matrix_market;
    return FileFormat::edge_list;
}

/// The first lines have as many fields between separators other than blanks, as prose has not.
bool is_separated(const TextSurvey& text) {
    const char separator = separator_of(text.first_line);
    if (separator == ' ') return false;
    return text.second_line.empty() || split_fields(text.first_line, separator).size() ==
                                           split_fields(text.second_line, separator).size();
}

} // namespace

std::optional<FileFormat> format_of_suffix(std::string_view name) {
    std::string_view suffix = cut_format_suffix(name);
    // "G43.gset.txt": the suffix before one that says little.
    if (same_letters(suffix, "txt")) suffix = cut_suffix(name);
    for (const Suffix& known : suffixes) {
        if (same_letters(suffix, known.text)) return known.format;
    }
    return {};
}

FileFormat recognise_text(std::string_view text, bool complete, const std::string& name) {
    if (text.size() > looked_at) {
        text = text.substr(0, looked_at);
        complete = false;
    }
    const std::optional<FileFormat> suffix = format_of_suffix(name);
    if (text.empty()) {
        refuse(name, ErrorCode::truncated, "the file is empty",
               "check that it was written or downloaded completely");
    }
    if (text.starts_with(tropic_magic)) return FileFormat::tropic;
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    if (same_letters(text.substr(0, banner.size()), banner)) {
        return FileFormat::matrix_market;
    }
    // One '%' too few: its reader knows to complain.
    if (same_letters(text.substr(0, banner.size() - 1), banner.substr(1))) {
        return FileFormat::matrix_market;
    }
    const bool binary = looks_binary(text);
    if (binary && suffix == FileFormat::gap_serialized) return FileFormat::gap_serialized;
    const ForeignContent foreign = foreign_content(text);
    if (!foreign.name.empty()) {
        refuse(name, ErrorCode::unsupported,
               fmt::format("this looks like {}, which is not read here", foreign.name),
               foreign.hint);
    }
    if (binary) {
        refuse(name, ErrorCode::unsupported, "this looks like a binary file of no known format",
               "check the path; GAP's binary graphs are known by their suffix .sg or .wsg");
    }
    if (is_dimacs(text, complete)) return FileFormat::dimacs;
    const TextSurvey found = survey(text, complete);
    if (found.first_line.empty()) {
        if (found.hash_comments || found.percent_comments) {
            return suffix.value_or(FileFormat::edge_list);
        }
        if (complete) {
            refuse(name, ErrorCode::truncated, "the file holds only blank lines",
                   "check that it was written or downloaded completely");
        }
        if (const auto format = format_of_numbers(name)) return *format;
        refuse(name, ErrorCode::unsupported,
               fmt::format("the first {} KB hold only blank lines", looked_at >> 10),
               "say which format it has: --format el");
    }
    const bool text_suffix =
        suffix && suffix != FileFormat::gap_serialized && suffix != FileFormat::tropic;
    if (found.hash_comments || found.konect) {
        return suffix == FileFormat::frostt ? FileFormat::frostt : FileFormat::edge_list;
    }
    if (found.numeric) return recognise_numbers(found, format_of_numbers(name));
    // Names of columns, names for ids, or a fault in numbers that the reader can point to.
    if (is_separated(found)) return FileFormat::edge_list;
    if (text_suffix) return *suffix;
    const std::size_t fields = split_fields(found.first_line, ' ').size();
    if (!found.rows.empty() || (fields >= 2 && fields <= 4)) return FileFormat::edge_list;
    refuse(name, ErrorCode::unsupported, "this is text, but not a graph in any known format",
           "say which format it has: --format el");
}

void refuse_lone_returns(TextFile& file) {
    const std::string_view text = file.preview().text;
    for (std::size_t at = text.find('\r'); at != text.npos; at = text.find('\r', at)) {
        const std::size_t found = at;
        at = text.find_first_not_of('\r', at);
        if (at == text.npos || text[at] == '\n') continue;
        if (looks_binary(text)) return;
        const std::size_t start = text.rfind('\n', found) + 1;
        const Index line = std::count(text.begin(), text.begin() + static_cast<Index>(found), '\n');
        file.fail(ErrorCode::syntax, line + 1, static_cast<Index>(found - start) + 1,
                  text.substr(start, text.find('\n', start) - start), std::string(lone_return),
                  std::string(lone_return_accepted), std::string(lone_return_hint));
    }
}

FileFormat recognise(TextFile& file) {
    const TextFile::Preview preview = file.preview();
    return recognise_text(preview.text, preview.complete, file.name());
}

namespace {

TextSurvey survey_of(TextFile& file) {
    const TextFile::Preview preview = file.preview();
    return survey(preview.text.substr(0, looked_at),
                  preview.complete && preview.text.size() <= looked_at);
}

} // namespace

bool could_be_metis(TextFile& file) {
    const TextSurvey found = survey_of(file);
    return found.numeric && !found.hash_comments && !found.konect && found.is_metis();
}

std::optional<GsetHeader> possible_gset_header(TextFile& file) {
    const TextSurvey found = survey_of(file);
    if (!found.numeric || found.hash_comments || found.percent_comments || !found.fits_gset(2)) {
        return {};
    }
    return GsetHeader{.vertices = found.rows[0][0], .edges = found.rows[0][1]};
}

} // namespace tropic
