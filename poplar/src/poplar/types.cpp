// Types, options and the small enumerations.
#include <poplar/OptionFlags.hpp>
#include <poplar/TargetType.hpp>
#include <poplar/TensorCloneMethod.hpp>
#include <poplar/Type.hpp>
#include <poplar/VariableMappingMethod.hpp>
#include <poplar/exceptions.hpp>

#include <iterator>

#include <nlohmann/json.hpp>

#include "core.h"

namespace poplar {

StringRef Type::toString() const {
    return tropic::tile::name_of(core::to_tile(*this));
}

std::ostream& operator<<(std::ostream& os, const Type& t) {
    return os << t.toString();
}

std::string toString(TargetType t) {
    switch (t) {
    case TargetType::IPU:
        return "IPU";
    case TargetType::IPU_MODEL:
        return "IPU_MODEL";
    case TargetType::CPU:
        return "CPU";
    }
    return "";
}

std::string toString(TensorCloneMethod method) {
    switch (method) {
    case TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES:
        return "PRESERVE_ORDER_AND_ALIASES";
    case TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES:
        return "PRESERVE_ORDER_UNLESS_ALIASES";
    case TensorCloneMethod::CREATE_NEW_ORDER:
        return "CREATE_NEW_ORDER";
    case TensorCloneMethod::GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES:
        return "GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES";
    }
    return "";
}

std::ostream& operator<<(std::ostream& os, VariableMappingMethod method) {
    return os << (method == VariableMappingMethod::NONE ? "none" : "linear");
}

void readJSON(StringRef json, OptionFlags& flags) {
    nlohmann::json parsed;
    try {
        parsed = nlohmann::json::parse(json.begin(), json.end());
    } catch (const nlohmann::json::exception& error) {
        throw parse_error(std::string("options are not JSON: ") + error.what());
    }
    if (!parsed.is_object()) throw parse_error("options are a JSON object of names and values");
    for (const auto& [name, value] : parsed.items()) {
        if (value.is_structured()) throw parse_error("option '" + name + "' is no plain value");
        flags.set(name, value.is_string() ? value.get<std::string>() : value.dump());
    }
}

void readJSON(std::istream& stream, OptionFlags& flags) {
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    readJSON(StringRef(text), flags);
}

std::ostream& operator<<(std::ostream& ostream, const OptionFlags& flags) {
    nlohmann::json json = nlohmann::json::object();
    for (const auto& [name, value] : flags) json[name] = value;
    return ostream << json.dump(2);
}

} // namespace poplar
