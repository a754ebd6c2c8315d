// What a statement over all elements says about its left side.
#pragma once

#include "language/algorithm/checker.h"

namespace tropic::language::algorithm {

struct Checker::Target {
    const syntax::Statement* words = nullptr;
    VariableId variable = -1;
    VariableId label = -1;
    VariableId changed = -1;
    SpaceId space = 0;
    std::vector<Expression> mask;   ///< all of these must hold
    std::vector<Statement> asked;   ///< what asking for the mask needs first, for each member
    std::vector<Expression> guards; ///< where the value exists
    std::vector<Statement> before;  ///< what computing the value needs first, for each member
    Expression value;
    bool replace = false; ///< what the mask leaves out becomes zero, or no member
    bool keep = false;    ///< said explicitly
    bool drop = false;    ///< `replace` said explicitly
    Choose::Forced forced = Choose::Forced::no;

    Place place() const { return words->place; }
};

} // namespace tropic::language::algorithm
