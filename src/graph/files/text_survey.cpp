#include "graph/files/text_survey.h"

#include <algorithm>
#include <charconv>

namespace tropic {

namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/// The numbers of a line; false if a field is none.
bool numbers_of(std::string_view line, std::vector<Index>& numbers) {
    const char* p = line.data();
    const char* end = p + line.size();
    for (;;) {
        while (p != end && is_blank(*p)) ++p;
        if (p == end) return true;
        const char* stop = std::find_if(p, end, is_blank);
        Index whole = 0;
        double real = 0;
        if (std::from_chars(p, stop, whole).ptr == stop) numbers.push_back(whole);
        else if (std::from_chars(*p == '+' ? p + 1 : p, stop, real).ptr == stop)
            numbers.push_back(-1);
        else return false;
        p = stop;
    }
}

void note_comment(std::string_view line, TextSurvey& result) {
    if (line[0] != '%') {
        result.hash_comments = true;
        return;
    }
    result.percent_comments = true;
    line.remove_prefix(std::min(line.find_first_not_of("% \t"), line.size()));
    if (line.starts_with("sym ") || line.starts_with("asym ") || line.starts_with("bip ")) {
        result.konect = true;
    }
}

} // namespace

TextSurvey survey(std::string_view text, bool complete) {
    TextSurvey result;
    result.complete = complete;
    while (!text.empty()) {
        const std::size_t size = text.find('\n');
        if (size == std::string_view::npos && !complete && !result.first_line.empty()) break;
        std::string_view line = text.substr(0, size);
        text.remove_prefix(size == std::string_view::npos ? text.size() : size + 1);
        while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
        while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
        if (!line.empty() && (line[0] == '#' || line[0] == '%' || line.starts_with("//"))) {
            note_comment(line, result);
            continue;
        }
        if (line.empty()) {
            if (!result.rows.empty()) result.rows.emplace_back();
            continue;
        }
        if (result.first_line.empty()) result.first_line = line;
        else if (result.second_line.empty()) result.second_line = line;
        std::vector<Index> numbers;
        if (!numbers_of(line, numbers)) {
            // A fault further down is for the reader to point to; what was seen before it counts.
            if (result.numeric && !result.rows.empty()) {
                result.complete = false;
                break;
            }
            result.numeric = false;
            if (!result.second_line.empty()) break;
            continue;
        }
        result.rows.push_back(std::move(numbers));
    }
    while (!result.rows.empty() && result.rows.back().empty()) result.rows.pop_back();
    return result;
}

std::size_t TextSurvey::body_columns() const {
    std::size_t columns = 0;
    for (std::size_t r = 1; r < rows.size(); ++r) {
        if (rows[r].empty()) continue;
        if (columns != 0 && rows[r].size() != columns) return 0;
        columns = rows[r].size();
    }
    return columns;
}

bool TextSurvey::fits_gset(std::size_t columns) const {
    if (rows.empty() || rows[0].size() != 2 || body_columns() != columns) return false;
    const Index vertices = rows[0][0];
    const auto lines = static_cast<Index>(
        std::count_if(rows.begin() + 1, rows.end(), [](const auto& row) { return !row.empty(); }));
    if (complete ? lines != rows[0][1] : lines > rows[0][1]) return false;
    return std::all_of(rows.begin() + 1, rows.end(), [&](const auto& row) {
        return row.empty() ||
               (row[0] >= 1 && row[0] <= vertices && row[1] >= 1 && row[1] <= vertices);
    });
}

bool TextSurvey::fits_matrix_market() const {
    if (rows.size() < 2 || rows[0].size() != 3) return false;
    const std::size_t columns = body_columns();
    if (columns != 2 && columns != 3) return false;
    const std::vector<Index>& size = rows[0];
    return std::all_of(rows.begin() + 1, rows.end(), [&](const auto& row) {
        return row.empty() ||
               (row[0] >= 1 && row[0] <= size[0] && row[1] >= 1 && row[1] <= size[1]);
    });
}

bool TextSurvey::fits_metis() const {
    if (rows.empty() || rows[0].size() < 2 || rows[0].size() > 4) return false;
    const std::vector<Index>& header = rows[0];
    const Index vertices = header[0];
    const Index lines = static_cast<Index>(rows.size()) - 1;
    if (vertices < 1 || header[1] < 0 || lines > vertices) return false;
    if (header.size() > 2) {
        // fmt: digits 0 and 1.
        Index format = header[2];
        if (format < 0 || format > 111) return false;
        for (; format > 0; format /= 10) {
            if (format % 10 > 1) return false;
        }
        return true;
    }
    return std::all_of(rows.begin() + 1, rows.end(), [&](const auto& row) {
        return std::all_of(row.begin(), row.end(),
                           [&](Index id) { return id >= 1 && id <= vertices; });
    });
}

TextSurvey::Ends TextSurvey::named_ends() const {
    constexpr int enough = 1000;
    int checked = 0;
    for (std::size_t r = 1; r < rows.size(); ++r) {
        for (const Index neighbour : rows[r]) {
            if (neighbour == static_cast<Index>(r)) return Ends::one;
            if (neighbour < 1 || neighbour >= static_cast<Index>(rows.size())) continue;
            const auto& other = rows[neighbour];
            if (std::find(other.begin(), other.end(), static_cast<Index>(r)) == other.end()) {
                return Ends::one;
            }
            if (++checked == enough) return Ends::both;
        }
    }
    return checked > 0 ? Ends::both : Ends::unknown;
}

bool TextSurvey::is_metis() const {
    if (rows.size() < 2 || !fits_metis()) return false;
    const bool constant = body_columns() == rows[0].size();
    if (rows[0].size() > 2) return !constant;
    const Ends ends = named_ends();
    if (ends == Ends::one || (constant && ends == Ends::unknown)) return false;
    Index neighbours = 0;
    for (std::size_t r = 1; r < rows.size(); ++r) neighbours += static_cast<Index>(rows[r].size());
    return !complete || neighbours == 2 * rows[0][1];
}

} // namespace tropic
