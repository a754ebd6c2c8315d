// The rows of the catalogue, a function for each theme.
#pragma once

#include "library/catalogue.h"

namespace tropic::library {

void add_paths(std::vector<Entry>& entries);
void add_parts(std::vector<Entry>& entries);
void add_ranks(std::vector<Entry>& entries);
void add_neighbours(std::vector<Entry>& entries);
void add_choices(std::vector<Entry>& entries);
void add_matrices(std::vector<Entry>& entries);

} // namespace tropic::library
