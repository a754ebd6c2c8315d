// Definitions of algorithms: functions, vertex programs, operators, monoids, semirings, records.
#pragma once

#include <set>

#include "language/algorithm/statement_parser.h"

namespace tropic::language::algorithm {

class DefinitionParser : StatementParser {
  public:
    DefinitionParser(std::vector<Token> tokens, const Source& source, Diagnostics& diagnostics)
        : StatementParser(std::move(tokens), diagnostics), source_(source) {}

    syntax::Tree run();

  private:
    using Function = syntax::Function;
    using VertexProgram = syntax::VertexProgram;

    Function definition();
    void signature(Function& function);
    void operation(Function& function);
    void monoid(Function& function);
    void semiring(Function& function);
    void record(Function& function);
    syntax::Parameter parameter(bool initial_allowed);

    // --- vertex programs (vertex_program_parser.cpp) ---
    VertexProgram vertex_program();
    void vertex_clause(VertexProgram& program, std::set<std::string>& seen);
    Statement vertex_data(const VertexProgram& program);
    VertexProgram::Formula formula(std::string_view name, std::size_t least, std::size_t most);
    std::vector<Name> formula_parameters(std::string_view name, std::size_t least,
                                         std::size_t most);
    VertexProgram::Direction direction();
    void limit(VertexProgram& program);

    const Source& source_;
};

} // namespace tropic::language::algorithm
