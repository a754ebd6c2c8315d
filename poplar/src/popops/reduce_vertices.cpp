#include "popops/reduce_vertices.h"

#include <fmt/format.h>

#include "popops/codelet_text.h"

namespace popops {

namespace {

using poplar::Type;

Type accumulator_of(const Type& type) {
    return type == poplar::HALF ? poplar::FLOAT : type;
}

/// What an element contributes.
std::string term(Operation op, const std::string& x, const std::string& type) {
    if (op == Operation::SQUARE_ADD) return fmt::format("square_of<{}>({})", type, x);
    return fmt::format("static_cast<{}>({})", type, x);
}

std::string combine(Operation op, const std::string& a, const std::string& b) {
    switch (op) {
    case Operation::ADD:
    case Operation::SQUARE_ADD:
        return fmt::format("{} + {}", a, b);
    case Operation::MUL:
        return fmt::format("{} * {}", a, b);
    case Operation::MIN:
        return fmt::format("min_of({}, {})", a, b);
    case Operation::MAX:
        return fmt::format("max_of({}, {})", a, b);
    case Operation::LOGICAL_AND:
        return fmt::format("{} && {}", a, b);
    case Operation::LOGICAL_OR:
        return fmt::format("{} || {}", a, b);
    case Operation::LOG_ADD:
        break;
    }
    return fmt::format("log_add({}, {})", a, b);
}

/// Two floats at a time, where columns come in pairs.
std::string pairs_of_columns() {
    return R"(        if (columns % 2 == 0) {
            for (unsigned i = 2 * workerId; i < columns; i += 2 * numWorkers()) {
                const float2* at = reinterpret_cast<const float2*>(&in[i]);
                float2 sum = *at;
                for (unsigned r = 1; r < rows; ++r) {
                    at += columns / 2;
                    sum = sum + *at;
                }
                out[i] = sum[0];
                out[i + 1] = sum[1];
            }
            return true;
        }
)";
}

} // namespace

std::string column_vertex(poplar::Graph& graph, Operation op, const Type& from, const Type& to) {
    const std::string type = code_type(accumulator_of(from));
    const std::string statement =
        fmt::format("{{\n            {0} sum = {1};\n"
                    "            for (unsigned r = 1; r < rows; ++r) sum = static_cast<{0}>({2});\n"
                    "            out[i] = static_cast<{3}>(sum);\n        }}",
                    type, term(op, "in[i]", type),
                    combine(op, "sum", term(op, "in[r * columns + i]", type)), code_type(to));
    const bool pairs = op == Operation::ADD && from == poplar::FLOAT && to == poplar::FLOAT;
    const std::string body =
        fmt::format("class @NAME@ : public MultiVertex {{\n  public:\n"
                    "    Input<Vector<{}, VectorLayout::ONE_PTR, 8>> in;\n"
                    "    Output<Vector<{}, VectorLayout::SPAN, 4>> out;\n"
                    "    unsigned rows;\n"
                    "    bool compute(unsigned workerId) {{\n"
                    "        const unsigned columns = out.size();\n"
                    "{}{}        return true;\n    }}\n}};\n",
                    code_type(from), code_type(to), pairs ? pairs_of_columns() : "",
                    worker_loop(to, "columns", statement));
    return add_vertex_type(graph, "reduce_columns", body);
}

std::string vector_vertex(poplar::Graph& graph, Operation op, const Type& from, const Type& to) {
    const std::string type = code_type(accumulator_of(from));
    const std::string body = fmt::format(
        "class @NAME@ : public Vertex {{\n  public:\n"
        "    Input<Vector<{0}>> in;\n"
        "    Output<{1}> out;\n"
        "    bool compute() {{\n"
        "        {2} sum = {3};\n"
        "        for (unsigned i = 1; i < in.size(); ++i) sum = static_cast<{2}>({4});\n"
        "        *out = static_cast<{1}>(sum);\n"
        "        return true;\n    }}\n}};\n",
        code_type(from), code_type(to), type, term(op, "in[0]", type),
        combine(op, "sum", term(op, "in[i]", type)));
    return add_vertex_type(graph, "reduce_vector", body);
}

} // namespace popops
