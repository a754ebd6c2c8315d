#include "support/printable.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace tropic {

namespace {

struct Range {
    std::uint32_t first;
    std::uint32_t last;
};

/// Control characters, and those that reorder, hide or join what stands beside them.
constexpr Range disturbing[] = {
    {0x00, 0x1f},     {0x7f, 0x9f},     {0x200b, 0x200f}, {0x2028, 0x202e},
    {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff0, 0xfffb}, {0xe0000, 0xe0fff},
};
constexpr Range combining[] = {
    {0x300, 0x36f}, {0x483, 0x489}, {0x591, 0x5bd}, {0x64b, 0x65f}, {0x20d0, 0x20ff},
};
/// East Asian letters and pictures, which take two columns.
constexpr Range wide[] = {
    {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xac00, 0xd7a3},
    {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
    {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};

bool is_in(std::span<const Range> ranges, std::uint32_t code) {
    return std::ranges::any_of(ranges,
                               [&](const Range& r) { return code >= r.first && code <= r.last; });
}

struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 0; ///< 0: no valid UTF-8
};

/// The character a text that is not empty begins with. Refuses overlong forms and surrogates.
Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
    };
    const std::uint32_t lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    struct Form {
        std::uint32_t mask, mark, smallest;
    };
    constexpr Form forms[] = {{0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (std::size_t more = 1; more <= std::size(forms); ++more) {
        const Form& form = forms[more - 1];
        if ((lead & form.mask) != form.mark) continue;
        if (text.size() <= more) return {};
        std::uint32_t code = lead & ~form.mask;
        for (std::size_t i = 1; i <= more; ++i) {
            if ((byte(i) & 0xc0) != 0x80) return {};
            code = (code << 6) | (byte(i) & 0x3f);
        }
        const bool surrogate = code >= 0xd800 && code <= 0xdfff;
        if (code < form.smallest || code > 0x10ffff || surrogate) return {};
        return {code, more + 1};
    }
    return {};
}

} // namespace

Printable printable(std::string_view text, std::size_t widest) {
    Printable out;
    while (out.bytes < text.size()) {
        const std::string_view rest = text.substr(out.bytes);
        const Character next = first_character(rest);
        std::string_view shown = rest.substr(0, next.bytes);
        std::size_t width = 1;
        if (next.code == '\t' && next.bytes == 1) shown = " ";
        else if (next.bytes == 0 || is_in(disturbing, next.code)) shown = ".";
        else if (is_in(combining, next.code)) width = 0;
        else if (is_in(wide, next.code)) width = 2;
        if (out.width + width > widest) break;
        out.text += shown;
        out.width += width;
        out.bytes += std::max<std::size_t>(next.bytes, 1);
    }
    return out;
}

} // namespace tropic
