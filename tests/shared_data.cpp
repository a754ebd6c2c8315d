#include "shared_data.h"

#include <cstdlib>

namespace tropic::test {

std::filesystem::path shared_data() {
    if (const char* folder = std::getenv("TROPIC_DATA")) return folder;
    return std::filesystem::path(TROPIC_PROJECT_DIR) / "../shared/data";
}

} // namespace tropic::test
