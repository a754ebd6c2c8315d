#include "library/catalogue.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "library/families.h"
#include "tropic/error.h"

namespace tropic::library {

std::string_view name_of(Theme theme) noexcept {
    switch (theme) {
    case Theme::paths:
        return "Paths";
    case Theme::parts:
        return "Parts of a graph";
    case Theme::ranks:
        return "Who matters";
    case Theme::neighbours:
        return "Triangles and neighbours";
    case Theme::choices:
        return "Choices";
    case Theme::matrices:
        return "Matrices, ratings and meshes";
    }
    return {};
}

const Method* Entry::method(std::string_view wanted) const {
    if (wanted.empty()) return &methods.front();
    const auto found = std::ranges::find(methods, wanted, &Method::name);
    return found == methods.end() ? nullptr : &*found;
}

std::span<const Entry> catalogue() {
    static const std::vector<Entry> entries = [] {
        std::vector<Entry> all;
        for (auto* family :
             {add_paths, add_parts, add_ranks, add_neighbours, add_choices, add_matrices}) {
            family(all);
        }
        return all;
    }();
    return entries;
}

std::string function_for(const Method& method, EdgeKind kind) {
    const bool both = kind == EdgeKind::undirected && !method.undirected.empty();
    return std::string(both ? method.undirected : method.function);
}

namespace {

std::string text_of(const Range& range) {
    if (range.of == Range::Of::truths) return "true or false";
    const bool bounded = range.most < std::numeric_limits<double>::infinity();
    if (bounded && range.least_too && range.most_too) {
        return fmt::format("{} to {}", range.least, range.most);
    }
    std::string least =
        fmt::format(fmt::runtime(range.least_too ? "{} or more" : "more than {}"), range.least);
    if (!bounded) return range.most_too ? least : least + " and finite";
    return least +
           fmt::format(fmt::runtime(range.most_too ? " and at most {}" : " and less than {}"),
                       range.most);
}

/// The methods of an algorithm that take the option: what whoever gave it may have meant.
std::string methods_with(const Entry& entry, std::string_view option) {
    std::vector<std::string> found;
    for (const Method& method : entry.methods) {
        if (std::ranges::find(method.options, option) == method.options.end()) continue;
        found.push_back(fmt::format("--method {}", method.name));
    }
    return fmt::format("{}", fmt::join(found, " or "));
}

} // namespace

std::string accepted_of(const Range& range) {
    if (range.of == Range::Of::truths) return text_of(range);
    const char* const kind = range.of == Range::Of::whole ? "a whole number" : "a number";
    return std::isinf(range.least) ? kind : fmt::format("{}, {}", kind, text_of(range));
}

void refuse_option(const Entry& entry, const Method& method, std::string_view option) {
    throw Error(
        {.code = ErrorCode::usage,
         .message =
             fmt::format("method {} of {} has no option {}", method.name, entry.name, option),
         .accepted = method.options.empty() ? "no options"
                                            : fmt::format("{}", fmt::join(method.options, ", ")),
         .hint = methods_with(entry, option)});
}

void check_range(const Entry& entry, std::string_view option, const Argument& value) {
    const auto found = std::ranges::find(entry.options, option, &Option::name);
    if (found == entry.options.end()) return;
    if (!value.number()) return; // binding complains
    const double number = *value.number();
    const Range& range = found->range;
    // What is no number compares with nothing.
    const bool inside = (range.least_too ? number >= range.least : number > range.least) &&
                        (range.most_too ? number <= range.most : number < range.most);
    const bool right_kind = range.of == Range::Of::numbers || number == std::trunc(number);
    if (inside && right_kind) return;
    throw Error(
        {.code = ErrorCode::range,
         .message = fmt::format("{} of {} is {}", option, entry.name, number),
         .accepted = right_kind && !std::isinf(range.least) ? text_of(range) : accepted_of(range)});
}

Verdict with_number(Verdict verdict, const Outcome& outcome, const std::string& name, double right,
                    double relative) {
    const double found = outcome.result.number(name);
    if (verdict.correct() && !(std::abs(found - right) <= relative * std::abs(right))) {
        verdict.complaint = fmt::format("{} is {}, not {}", name, right, found);
    }
    return verdict;
}

Index count_set(const Outcome& outcome, const std::string& name) {
    const Array& values = outcome.array(name);
    Index count = 0;
    for (Index i = 0; i < values.size(); ++i) count += values.value_at(i) >= 0 ? 1 : 0;
    return count;
}

Index largest_of(const Outcome& outcome, const std::string& name) {
    const Array& values = outcome.array(name);
    double largest = -1;
    for (Index i = 0; i < values.size(); ++i) largest = std::max(largest, values.value_at(i));
    return static_cast<Index>(largest);
}

const Entry* find_entry(std::string_view name) {
    const auto entries = catalogue();
    const auto found = std::ranges::find(entries, name, &Entry::name);
    return found == entries.end() ? nullptr : &*found;
}

} // namespace tropic::library
