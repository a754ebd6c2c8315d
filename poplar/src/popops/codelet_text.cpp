#include "popops/codelet_text.h"

#include <cstdint>
#include <sstream>

#include <fmt/format.h>
#include <poputil/exceptions.hpp>

namespace popops {

namespace {

// What generated code is written in terms of. Operands are evaluated once.
constexpr const char* preamble = R"(#include <math.h>
#include <poplar/Vertex.hpp>
using namespace poplar;
namespace {
template <class T> inline T abs_of(T a) { return a < T(0) ? T(-a) : a; }
template <class T> inline T max_of(T a, T b) { return a < b ? b : a; }
template <class T> inline T min_of(T a, T b) { return b < a ? b : a; }
template <class T> inline T clamp_of(T a, T low, T high) { return min_of(max_of(a, low), high); }
template <class T> inline T square_of(T a) { return T(a * a); }
template <class T> inline T sign_of(T a) { return a > T(0) ? T(1) : a < T(0) ? T(-1) : T(0); }
template <class T> inline bool is_nan(T a) { return a != a; }
template <class T> inline bool is_finite(T a) { return a - a == a - a; }
template <class T> inline bool is_inf(T a) { return a == a && !(a - a == a - a); }
inline float sigmoid_of(float a) { return 1.0F / (1.0F + expf(-a)); }
inline float log_add(float a, float b) {
    const float high = a < b ? b : a;
    const float low = a < b ? a : b;
    return high + log1pf(expf(low - high));
}
} // namespace
)";

std::uint64_t hash_of(const std::string& text) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return hash;
}

} // namespace

std::string code_type(const poplar::Type& type) {
    using Kind = poplar::Type::Kind;
    switch (type.kind()) {
    case Kind::BOOL:
        return "bool";
    case Kind::CHAR:
        return "signed char";
    case Kind::UNSIGNED_CHAR:
        return "unsigned char";
    case Kind::SHORT:
        return "short";
    case Kind::UNSIGNED_SHORT:
        return "unsigned short";
    case Kind::INT:
        return "int";
    case Kind::UNSIGNED_INT:
        return "unsigned";
    case Kind::LONGLONG:
        return "long long";
    case Kind::UNSIGNED_LONGLONG:
        return "unsigned long long";
    case Kind::HALF:
        return "half";
    case Kind::FLOAT:
        break;
    }
    return "float";
}

std::string add_vertex_type(poplar::Graph& graph, const std::string& what,
                            const std::string& body) {
    const std::string name = fmt::format("popops_{}_{:016x}", what, hash_of(body));
    if (graph.hasCodelet(name)) return name;
    std::string text = preamble + body;
    const std::string mark = "@NAME@";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
        text.replace(at, mark.size(), name);
    }
    std::stringstream source(text);
    graph.addCodelets(source, "-O3");
    return name;
}

std::string worker_loop(const poplar::Type& written, const std::string& count,
                        const std::string& statement) {
    using Kind = poplar::Type::Kind;
    const Kind kind = written.kind();
    const bool byte = kind == Kind::BOOL || kind == Kind::CHAR || kind == Kind::UNSIGNED_CHAR;
    const bool two = kind == Kind::SHORT || kind == Kind::UNSIGNED_SHORT || kind == Kind::HALF;
    if (!byte && !two) {
        return fmt::format("        for (unsigned i = workerId; i < {}; i += numWorkers()) {}\n",
                           count, statement);
    }
    const unsigned step = byte ? 4 : 2;
    return fmt::format("        for (unsigned w = {0} * workerId; w < {1}; w += {0} * "
                       "numWorkers()) {{\n"
                       "            const unsigned end = min_of<unsigned>(w + {0}, {1});\n"
                       "            for (unsigned i = w; i < end; ++i) {2}\n        }}\n",
                       step, count, statement);
}

} // namespace popops
