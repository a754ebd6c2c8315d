// Where the graphs shared between projects are; they are not part of this one, and a test that
// wants them skips where they are missing.
#pragma once

#include <filesystem>

namespace tropic::test {

/// The folder TROPIC_DATA names, or ../shared/data beside the project.
std::filesystem::path shared_data();

} // namespace tropic::test
