// Object code linked to a shared object that a process can load.
#pragma once

#include <string>
#include <vector>

#include "compile/native_code.h"

namespace tropic::compile {

/// Written aside first, then renamed: `path` is there as a whole or not at all.
void link_shared(const std::vector<ObjectCode>& objects, const std::string& path);

} // namespace tropic::compile
