#include "compile/source_place.h"

#include <fmt/format.h>

namespace tropic::compile {

std::string place_of(mlir::Location location) {
    const auto at = mlir::dyn_cast<mlir::FileLineColLoc>(location);
    return at ? fmt::format("{}:{}", at.getLine(), at.getColumn()) : "?";
}

std::vector<std::string> names_of(mlir::ArrayAttr labels) {
    std::vector<std::string> names;
    for (const auto label : labels.getAsRange<mlir::StringAttr>()) names.push_back(label.str());
    return names;
}

} // namespace tropic::compile
