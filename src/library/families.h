// The rows of the catalogue, a function for each theme.
#pragma once

#include "library/catalogue.h"

namespace tropic::library {

/// Ranges of options: with their ends, or without.
constexpr double endless = std::numeric_limits<double>::infinity();
constexpr Range from(double least, double most = endless) {
    return {least, most};
}
/// Of whole numbers: up to the largest `int` of the texts.
constexpr Range whole_from(double least, double most = std::numeric_limits<std::int32_t>::max()) {
    return {.least = least, .most = most, .of = Range::Of::whole};
}
constexpr Range truth() {
    return {.least = 0, .most = 1, .of = Range::Of::truths};
}
/// What is finite; up to `most` itself, if that is.
constexpr Range above(double least, double most = endless) {
    return {least, most, false, most < endless};
}
constexpr Range between(double least, double most) {
    return {least, most, false, false};
}
constexpr Range from_below(double least, double most) {
    return {least, most, true, false};
}

/// The verdict, or, where that finds nothing wrong, what is wrong with a number of the result that
/// follows from its vectors: within `relative` of what is right.
Verdict with_number(Verdict verdict, const Outcome& outcome, const std::string& name, double right,
                    double relative = 0);

/// How many elements of a vector of the result are not below 0.
Index count_set(const Outcome& outcome, const std::string& name);
/// The largest element, or -1.
Index largest_of(const Outcome& outcome, const std::string& name);

void add_paths(std::vector<Entry>& entries);
void add_parts(std::vector<Entry>& entries);
void add_ranks(std::vector<Entry>& entries);
void add_neighbours(std::vector<Entry>& entries);
void add_choices(std::vector<Entry>& entries);
void add_matrices(std::vector<Entry>& entries);

} // namespace tropic::library
