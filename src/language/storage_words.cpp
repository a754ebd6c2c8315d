#include "language/storage_words.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

namespace tropic::language {

namespace {

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

constexpr std::string_view accepted_formats =
    "Dense, COO, CSR, CSC, DCSR, DCSC, CSF, ELL, BCSR, CSB, ModeGeneric, or a code for each "
    "dimension: D (dense), CU (compressed), CN (compressed, not unique), S (singleton)";

struct NamedFormat {
    std::string_view name;
    int rank; ///< 0: any
    Storage (*make)(int rank);
};

constexpr std::array<NamedFormat, 11> named_formats = {{
    {"Dense", 0, [](int rank) { return Storage{Format::dense(rank)}; }},
    {"COO", 0, [](int rank) { return Storage{Format::coo(rank)}; }},
    {"CSR", 2, [](int) { return Storage{Format::csr()}; }},
    {"CSC", 2, [](int) { return Storage{Format::csc()}; }},
    {"DCSR", 2, [](int) { return Storage{Format::dcsr()}; }},
    {"DCSC", 2, [](int) { return Storage{Format::dcsc()}; }},
    {"CSF", 0, [](int rank) { return Storage{Format::csf(rank)}; }},
    {"ELL", 2, [](int) { return Storage{Format::csr(), Presentation::ell}; }},
    {"BCSR", 2, [](int) { return Storage{Format::csr(), Presentation::bcsr}; }},
    {"CSB", 2, [](int) { return Storage{Format::csr(), Presentation::csb}; }},
    {"ModeGeneric", 0,
     [](int rank) { return Storage{Format::coo(rank), Presentation::mode_generic}; }},
}};

/// One letter code; `unique` tells CU from CN.
struct Code {
    LevelKind kind;
    bool unique;
};

std::optional<Code> parse_code(std::string_view word) {
    const std::string code = lower(word);
    if (code == "d") return Code{LevelKind::dense, true};
    if (code == "cu") return Code{LevelKind::compressed, true};
    if (code == "cn") return Code{LevelKind::compressed, false};
    if (code == "s") return Code{LevelKind::singleton, true};
    return std::nullopt;
}

std::optional<Storage> from_codes(const syntax::StorageWords& words, const std::vector<Code>& codes,
                                  int rank, Diagnostics& diagnostics) {
    if (static_cast<int>(codes.size()) != rank) {
        diagnostics.add(ErrorCode::inconsistent, words.place,
                        fmt::format("{} storage codes for {} dimensions", codes.size(), rank),
                        {.accepted = "a code for each dimension, or one format for all"});
        return std::nullopt;
    }
    Storage storage;
    storage.format.order.resize(codes.size());
    std::iota(storage.format.order.begin(), storage.format.order.end(), 0);
    for (std::size_t level = 0; level < codes.size(); ++level) {
        const LevelKind kind = codes[level].kind;
        storage.format.levels.push_back(kind);
        if (kind != LevelKind::singleton) continue;
        // A singleton has one child for each parent: only parents that repeat can hold a row.
        const bool fits = level > 0 && (codes[level - 1].kind == LevelKind::singleton ||
                                        !codes[level - 1].unique);
        if (!fits) {
            diagnostics.add(ErrorCode::unsupported, words.words[level].place,
                            level == 0 ? "the first dimension cannot be S (singleton)"
                                       : fmt::format("S (singleton) cannot follow {}: it holds one "
                                                     "entry for each of those above",
                                                     words.words[level - 1].text),
                            {.accepted = "S after CN or S: {CN, S} is COO"});
            return std::nullopt;
        }
    }
    return storage;
}

} // namespace

std::optional<Storage> parse_storage(const syntax::StorageWords& words, int rank,
                                     Diagnostics& diagnostics) {
    if (words.words.size() == 1) {
        const std::string word = lower(words.words[0].text);
        const auto* named = std::ranges::find_if(
            named_formats, [&](const NamedFormat& known) { return lower(known.name) == word; });
        if (named != named_formats.end()) {
            if (named->rank == 0 || named->rank == rank) return named->make(rank);
            diagnostics.add(
                ErrorCode::inconsistent, words.words[0].place,
                fmt::format("{} stores matrices, and this tensor has {} dimension{}", named->name,
                            rank, rank == 1 ? "" : "s"),
                {.accepted = "Dense, COO, CSF, ModeGeneric, or a code for each dimension"});
            return std::nullopt;
        }
    }
    std::vector<Code> codes;
    for (const syntax::Name& word : words.words) {
        if (const auto code = parse_code(word.text)) {
            codes.push_back(*code);
            continue;
        }
        std::vector<std::string_view> known;
        known.reserve(named_formats.size());
        for (const NamedFormat& format : named_formats) known.push_back(format.name);
        diagnostics.add(
            ErrorCode::not_found, word.place, fmt::format("unknown storage format '{}'", word.text),
            {.accepted = std::string(accepted_formats), .hint = did_you_mean(word.text, known)});
        return std::nullopt;
    }
    return from_codes(words, codes, rank, diagnostics);
}

} // namespace tropic::language
