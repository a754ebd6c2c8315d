#include "graph/files/edge_list_layout.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "graph/files/compressor.h"
#include "graph/files/line_cursor.h"
#include "support/letter_case.h"

namespace tropic {

namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::string_view accepted_lines =
    "\"source target\" or \"source target weight\", separated by blanks, tabs, or one of , ; | ::";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

bool is_number(std::string_view text, bool& whole) {
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    whole = text.find_first_not_of("0123456789-") == std::string_view::npos;
    return error != std::errc::invalid_argument && stop == text.data() + text.size();
}

/// A line that cannot be an edge but may name the columns: no field begins like a number.
bool may_name_columns(const std::vector<std::string_view>& fields) {
    return std::none_of(fields.begin(), fields.end(), [](std::string_view field) {
        return field.empty() || (field[0] >= '0' && field[0] <= '9') || field[0] == '-' ||
               field[0] == '+' || field[0] == '.' || is_quoted_number(field);
    });
}

/// What the name of a column says about it, if there is no doubt. There is about "head" and "tail":
/// some call the source of an edge its tail, others its head.
enum class Role : std::uint8_t { unknown, source, target, weight };

Role role_of(std::string_view field) {
    struct Known {
        std::string_view name;
        Role role;
    };
    static constexpr std::array known = {
        Known{"source", Role::source},   Known{"src", Role::source},
        Known{"from", Role::source},     Known{"fromnodeid", Role::source},
        Known{"u", Role::source},        Known{"i", Role::source},
        Known{"row", Role::source},      Known{"target", Role::target},
        Known{"dst", Role::target},      Known{"to", Role::target},
        Known{"tonodeid", Role::target}, Known{"v", Role::target},
        Known{"j", Role::target},        Known{"col", Role::target},
        Known{"column", Role::target},   Known{"weight", Role::weight},
        Known{"w", Role::weight},        Known{"value", Role::weight},
        Known{"val", Role::weight},      Known{"weights", Role::weight},
        Known{"cost", Role::weight},     Known{"length", Role::weight},
        Known{"distance", Role::weight}, Known{"dist", Role::weight},
        Known{"capacity", Role::weight}, Known{"rating", Role::weight},
        Known{"score", Role::weight},    Known{"strength", Role::weight},
    };
    if (field.size() > 1 && field.front() == '"' && field.back() == '"') {
        field = field.substr(1, field.size() - 2);
    }
    const std::string name = lower(field);
    const auto* found = std::find_if(known.begin(), known.end(),
                                     [&](const Known& one) { return one.name == name; });
    return found == known.end() ? Role::unknown : found->role;
}

/// Names that files without any edge are known to have in their header.
bool names_a_source(std::string_view field) {
    static constexpr std::array names = {"user", "userid", "node1"};
    return role_of(field) == Role::source ||
           std::find(names.begin(), names.end(), lower(field)) != names.end();
}

/// The number behind `key` in a comment such as "# Nodes: 7115 Edges: 103689"; -1 if none.
Index stated(const std::string& comment, std::string_view key) {
    const std::size_t at = comment.find(key);
    if (at == std::string::npos) return -1;
    const std::size_t digits = comment.find_first_not_of(" \t", at + key.size());
    if (digits == std::string::npos) return -1;
    Index value = -1;
    const auto [stop, error] =
        std::from_chars(comment.data() + digits, comment.data() + comment.size(), value);
    return error == std::errc{} && value >= 0 ? value : -1;
}

void read_comment(std::string_view line, EdgeListLayout& layout) {
    const std::string comment = lower(trimmed(line).substr(1, 4096));
    const std::string_view text = trimmed(comment);
    // SNAP's first words; KONECT's "% sym unweighted".
    if (text.starts_with("undirected graph") || text.starts_with("undirected:") ||
        text.starts_with("sym ")) {
        layout.undirected = true;
    }
    if (layout.stated_vertices < 0) layout.stated_vertices = stated(comment, "nodes:");
    if (layout.stated_edges < 0) layout.stated_edges = stated(comment, "edges:");
}

/// The first two lines of data, copied.
struct FirstLines {
    std::array<std::string, 2> text;
    std::array<Index, 2> number = {0, 0};
};

FirstLines first_lines(TextFile& file, EdgeListLayout& layout) {
    FirstLines lines;
    std::size_t count = 0;
    std::string_view line;
    while (count < 2 && file.next_line(line)) {
        if (file.line_number() == 1 && line.starts_with(byte_order_mark)) line.remove_prefix(3);
        const std::string_view text = trimmed(line);
        if (text.empty()) continue;
        if (text[0] == '#' || text[0] == '%' || text.starts_with("//")) {
            read_comment(line, layout);
            continue;
        }
        lines.text[count] = line;
        lines.number[count++] = file.line_number();
    }
    return lines;
}

Index column_of(std::string_view line, std::string_view field) {
    return field.data() - line.data() + 1;
}

/// The command that puts columns (counted from 0) in order, and blanks between them.
std::string reorder_command(char separator, const std::vector<std::size_t>& columns) {
    std::string option;
    if (separator == ':') option = " -F::";
    else if (separator != ' ') option = fmt::format(" -F'{}'", separator);
    std::string list;
    for (const std::size_t column : columns) {
        list += fmt::format("{}${}", list.empty() ? "" : ", ", column + 1);
    }
    return fmt::format("awk{} '{{print {}}}'", option, list);
}

/// The column of that role: in its own place if its name says so, else the first that has it.
std::optional<std::size_t> find_column(const std::vector<std::string_view>& fields, Role role,
                                       std::size_t own_place) {
    const auto has_role = [&](std::string_view field) { return role_of(field) == role; };
    if (own_place < fields.size() && has_role(fields[own_place])) return own_place;
    const auto found = std::find_if(fields.begin(), fields.end(), has_role);
    if (found == fields.end()) return {};
    return static_cast<std::size_t>(found - fields.begin());
}

/// Columns are read by their place, so names that clearly tell of other places are refused.
void read_names(const TextFile& file, const ReadOptions& options, std::string_view line,
                EdgeListLayout& layout) {
    const char separator = separator_of(line);
    const auto fields = split_fields(line, separator);
    const auto source = find_column(fields, Role::source, 0);
    const auto target = find_column(fields, Role::target, 1);
    auto weight = find_column(fields, Role::weight, 2);
    if (!options.weighted.value_or(true)) weight.reset();
    layout.weight_named = weight == 2;
    if (fields.size() > 2 && !weight) layout.third_name = fields[2];
    if (!source || !target) return;
    if (source == 0 && target == 1 && weight.value_or(2) == 2) return;
    std::vector<std::size_t> columns = {*source, *target};
    if (weight) columns.push_back(*weight);
    const std::size_t misplaced = source != 0 ? *source : target != 1 ? *target : *weight;
    file.fail(ErrorCode::unsupported, layout.header_line, column_of(line, fields[misplaced]), line,
              fmt::format("by their names the source is column {}, the target column {}{}",
                          *source + 1, *target + 1,
                          weight ? fmt::format(", the weight column {}", *weight + 1) : ""),
              "source, target and perhaps weight as the first columns, in this order",
              fmt::format("put them in order with {}, or remove this line if its names are wrong",
                          reorder_command(separator, columns)));
}

/// Decides from the third column of the first edge whether edges have weights.
void find_weights(const TextFile& file, const ReadOptions& options, std::string_view line,
                  const std::vector<std::string_view>& fields, EdgeListLayout& layout) {
    if (options.weighted.has_value() && !*options.weighted) {
        if (layout.columns > 2)
            layout.warnings.emplace_back("columns after the second were ignored");
        return;
    }
    const bool asked = options.weighted.has_value();
    const std::string_view without =
        asked ? "read it without weights" : "add --weighted no to read it without weights";
    if (layout.columns < 3) {
        if (!asked && !layout.weight_named) return;
        file.fail(ErrorCode::inconsistent, layout.first_line,
                  static_cast<Index>(trimmed(line).size()) + 1, line,
                  fmt::format("{}, and there is no third column",
                              asked ? std::string("weights were asked for")
                                    : fmt::format("line {} names a weight", layout.header_line)),
                  "\"source target weight\" on each line", std::string(without));
    }
    bool whole = false;
    if (!is_number(fields[2], whole)) {
        const bool in_quotes = is_quoted_number(fields[2]);
        // GAP's name for lists with weights.
        const bool promised = has_suffix(without_compression(file.name()), ".wel");
        if (asked || layout.weight_named || promised || in_quotes) {
            file.fail(ErrorCode::syntax, layout.first_line, column_of(line, fields[2]), line,
                      fmt::format("expected the weight, found {}", quoted(fields[2])), "a number",
                      std::string(in_quotes ? unquote_hint : without));
        }
        layout.warnings.push_back(
            fmt::format("columns after the second were ignored: the third ({}) is not a number",
                        quoted(fields[2])));
        return;
    }
    layout.weighted = true;
    layout.reals = !whole;
    if (!asked && !layout.third_name.empty()) {
        layout.warnings.push_back(fmt::format("the third column, {}, was read as weights: "
                                              "--weighted no ignores it, --weighted yes says that "
                                              "they are",
                                              quoted(layout.third_name)));
    }
    if (layout.columns == 4) layout.warnings.emplace_back("the fourth column was ignored");
    if (layout.columns > 4) {
        layout.warnings.push_back(fmt::format("columns 4 to {} were ignored", layout.columns));
    }
}

} // namespace

std::string_view separator_name(char separator) noexcept {
    switch (separator) {
    case ',':
        return "comma-separated";
    case ';':
        return "semicolon-separated";
    case '|':
        return "bar-separated";
    case ':':
        return "separated by ::";
    default:
        return "blank-separated";
    }
}

char separator_of(std::string_view line) {
    constexpr std::array<char, 5> candidates = {':', ';', '|', ',', ' '};
    const auto is_id = [](std::string_view field) {
        return !field.empty() && field.find_first_not_of("0123456789") == std::string_view::npos;
    };
    // The one that makes ids of the first two fields, for later columns may hold anything...
    for (const char c : candidates) {
        const auto fields = split_fields(line, c);
        if (fields.size() > 1 && is_id(fields[0]) && is_id(fields[1])) return c;
    }
    // ...or the first that is there at all.
    return *std::find_if(candidates.begin(), candidates.end() - 1, [&](char c) {
        return line.find(c == ':' ? "::" : std::string_view(&c, 1)) != std::string_view::npos;
    });
}

std::vector<std::string_view> split_fields(std::string_view line, char separator) {
    std::vector<std::string_view> fields;
    if (separator == ' ') {
        for (;;) {
            const std::size_t first = line.find_first_not_of(" \t\r");
            if (first == std::string_view::npos) return fields;
            line.remove_prefix(first);
            const std::size_t size = std::min(line.find_first_of(" \t\r"), line.size());
            fields.push_back(line.substr(0, size));
            line.remove_prefix(size);
        }
    }
    const std::string_view mark = separator == ':' ? "::" : std::string_view(&separator, 1);
    for (;;) {
        const std::size_t at = line.find(mark);
        const std::string_view field = trimmed(line.substr(0, at));
        fields.push_back(field.empty() ? line.substr(0, 0) : field);
        if (at == std::string_view::npos) return fields;
        line.remove_prefix(at + mark.size());
    }
}

EdgeListLayout find_layout(TextFile& file, const ReadOptions& options) {
    EdgeListLayout layout;
    file.rewind();
    const FirstLines lines = first_lines(file, layout);
    file.rewind();
    if (lines.number[0] == 0) return layout;

    std::size_t edge = 0;
    const auto first_fields = split_fields(lines.text[0], separator_of(lines.text[0]));
    if (may_name_columns(first_fields)) {
        const char second_separator = separator_of(lines.text[1]);
        const bool second_is_edge =
            lines.number[1] != 0 &&
            !may_name_columns(split_fields(lines.text[1], second_separator));
        const bool lone_header = lines.number[1] == 0 && names_a_source(first_fields[0]);
        // Names of columns are no mistake, whatever is wrong with the line below them.
        const bool known_names = first_fields.size() > 1 && lines.number[1] != 0 &&
                                 role_of(first_fields[0]) == Role::source &&
                                 role_of(first_fields[1]) == Role::target;
        if (second_is_edge || lone_header || known_names) {
            layout.header_line = lines.number[0];
            edge = 1;
        }
        if (lone_header) return layout;
        if (edge == 1) read_names(file, options, lines.text[0], layout);
    }
    const std::string_view line = lines.text[edge];
    layout.first_line = lines.number[edge];
    layout.separator = separator_of(line);
    const auto fields = split_fields(line, layout.separator);
    layout.columns = static_cast<Index>(fields.size());
    layout.comment_in_it = std::ranges::any_of(fields, [](std::string_view field) {
        return field.starts_with('#') || field.starts_with('%');
    });
    if (layout.columns < 2) {
        file.fail(ErrorCode::syntax, layout.first_line, static_cast<Index>(line.size()) + 1, line,
                  "expected the target id, found the end of the line", std::string(accepted_lines),
                  "one number on a line is no edge: check that this is an edge list");
    }
    // Ids in quotes come before whatever is wrong with the weights: the reader points to them.
    if (is_quoted_number(fields[0]) || is_quoted_number(fields[1])) return layout;
    find_weights(file, options, line, fields, layout);
    return layout;
}

} // namespace tropic
