// The page: a template with its style, its scripts and the profile put into it.
#include <algorithm>
#include <map>

#include "report/json_text.h"
#include "report/page.h"
#include "report/profile_writer.h"
#include "report/tile_report.h"

namespace tropic::report {

namespace {

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        default:
            out += c;
        }
    }
    return out;
}

/// JSON that can stand in a script element: `<` comes only inside strings there.
std::string embeddable(std::string_view json) {
    std::string out;
    out.reserve(json.size());
    for (const char c : json) {
        if (c == '<') out += "\\u003c";
        else out += c;
    }
    return out;
}

/// The template with each {{mark}} replaced. One pass: what is put in is not looked at again.
std::string filled(std::string_view text, const std::map<std::string_view, std::string>& values) {
    std::string out;
    for (;;) {
        const std::size_t begin = text.find("{{");
        const std::size_t end = text.find("}}", begin);
        if (end == std::string_view::npos) return out.append(text);
        out.append(text.substr(0, begin));
        out.append(values.at(text.substr(begin + 2, end - begin - 2)));
        text.remove_prefix(end + 2);
    }
}

/// What the machine's figures mean, for the page to show.
std::string parameters_json() {
    std::string out;
    {
        JsonList array(out, "[]");
        for (const tile::MachineParameter& parameter : tile::machine_parameters()) {
            JsonList object(array.next(), "{}");
            object.add("name", parameter.name);
            object.add("unit", parameter.unit);
            object.add("meaning", parameter.meaning);
            object.add("source", parameter.source);
        }
    }
    return out;
}

/// How many supersteps, from the first, have room for compute cycles of every tile.
std::size_t detailed(const tile::Profile& profile, std::size_t most_cells) {
    const std::size_t tiles = std::max<std::size_t>(1, profile.machine.tiles());
    return std::min(profile.supersteps.size(), most_cells / tiles);
}

} // namespace

std::string html_report(const tile::Profile& profile, const PageOptions& options) {
    const std::size_t detail = detailed(profile, options.most_cells);
    const std::string& machine = profile.machine.name;
    const std::string title =
        profile.program.empty() ? machine : profile.program + " on " + machine;
    return filled(page_template(), {{"title", escaped(title)},
                                    {"style", std::string(page_style())},
                                    {"script", page_script()},
                                    {"parameters", embeddable(parameters_json())},
                                    {"detail", std::to_string(detail)},
                                    {"profile", embeddable(write_profile(profile, detail))}});
}

} // namespace tropic::report
