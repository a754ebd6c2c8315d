// The names of vertices that are templates.
#pragma once

#include <string>
#include <type_traits>

#include <poplar/StringRef.hpp>
#include <poplar/Type.hpp>

namespace poputil {

inline std::string templateArg(const poplar::Type& type) {
    return type.toString();
}
inline std::string templateArg(bool value) {
    return value ? "true" : "false";
}
inline std::string templateArg(const char* text) {
    return text;
}
inline std::string templateArg(const std::string& text) {
    return text;
}
template <class T, class = std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>>>
std::string templateArg(T value) {
    return std::to_string(value);
}

inline std::string templateVertexParams(bool) {
    return ">";
}
template <class First, class... Rest>
std::string templateVertexParams(bool first, const First& value, const Rest&... rest) {
    return (first ? "<" : ",") + templateArg(value) + templateVertexParams(false, rest...);
}

/// templateVertex("Sum", FLOAT, 4) is "Sum<float,4>".
template <class... Args> std::string templateVertex(const std::string& name, const Args&... args) {
    if constexpr (sizeof...(Args) == 0) {
        return name;
    } else {
        return name + templateVertexParams(true, args...);
    }
}

} // namespace poputil
