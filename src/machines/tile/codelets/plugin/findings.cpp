#include "findings.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

namespace tropic::tile::plugin {

namespace {

llvm::json::Object json_of(const FieldFinding& field) {
    return llvm::json::Object{{"name", field.name},
                              {"role", field.role},
                              {"shape", field.shape},
                              {"type", field.type},
                              {"vector_width", field.vector_width},
                              {"alignment", field.alignment},
                              {"elements", field.elements},
                              {"inner_has_size", field.inner_has_size},
                              {"offset", field.offset},
                              {"host_bytes", field.host_bytes},
                              {"tile_bytes", field.tile_bytes}};
}

llvm::json::Object json_of(const VertexFinding& vertex) {
    llvm::json::Array fields;
    for (const FieldFinding& field : vertex.fields) fields.push_back(json_of(field));
    return llvm::json::Object{{"name", vertex.name},
                              {"kind", vertex.kind},
                              {"entry", entry_symbol(vertex.name)},
                              {"file", vertex.file},
                              {"fields", std::move(fields)},
                              {"host_bytes", vertex.host_bytes},
                              {"host_alignment", vertex.host_alignment},
                              {"tile_bytes", vertex.tile_bytes},
                              {"code_bytes", vertex.code_bytes}};
}

llvm::json::Object json_of(const Problem& problem) {
    return llvm::json::Object{{"file", problem.file},
                              {"line", problem.line},
                              {"column", problem.column},
                              {"message", problem.message},
                              {"hint", problem.hint}};
}

} // namespace

Findings& findings() {
    static Findings instance;
    return instance;
}

void write_findings() {
    const Findings& all = findings();
    llvm::json::Array vertices;
    for (const VertexFinding& vertex : all.vertices) vertices.push_back(json_of(vertex));
    llvm::json::Array problems;
    for (const Problem& problem : all.problems) problems.push_back(json_of(problem));
    std::error_code error;
    llvm::raw_fd_ostream out(all.output, error);
    if (error) return;
    out << llvm::json::Value(
        llvm::json::Object{{"vertices", std::move(vertices)}, {"problems", std::move(problems)}});
}

std::string entry_symbol(const std::string& vertex_name) {
    return "tropic_vertex:" + vertex_name;
}

std::string run_codelet_label(const std::string& vertex_name) {
    std::string label = "__runCodelet_";
    for (std::size_t i = 0; i < vertex_name.size(); ++i) {
        switch (vertex_name[i]) {
        case ':':
            label += "__";
            ++i;
            break;
        case '<':
            label += "___";
            break;
        case ',':
        case ' ':
            label += '_';
            break;
        case '>':
            break;
        default:
            label += vertex_name[i];
        }
    }
    return label;
}

} // namespace tropic::tile::plugin
