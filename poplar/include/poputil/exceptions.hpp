#pragma once

#include <poplar/exceptions.hpp>

namespace poputil {

struct poplibs_error : public poplar::poplar_error {
    explicit poplibs_error(const std::string& s) : poplar_error(s, "poplibs_error") {}
    explicit poplibs_error(const char* s) : poplar_error(s, "poplibs_error") {}
};

} // namespace poputil
