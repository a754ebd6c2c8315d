// The coordinates a loop visits: an expression over accesses with intersection and union.
#pragma once

#include <string>
#include <vector>

#include "compile/plan.h"

namespace tropic::compile {

struct Domain {
    enum class Kind : std::uint8_t {
        none,      ///< the label does not occur: no constraint
        all,       ///< every coordinate
        access,    ///< the coordinates stored by an access at its current place
        workspace, ///< those of the row of a product, or of an access that is looked into
        both,
        either,
    };
    Kind kind = Kind::none;
    const Node* node = nullptr; ///< the access, or the product whose row it is
    std::vector<Domain> parts;

    bool has_driver() const;
    /// The node is among those that the loop follows.
    bool walks(const Node* wanted) const;
};

/// Where `node` has a value, along `label`, given how products are computed.
Domain domain_of(const Node& node, const std::string& label, const Plan& plan);

/// Where both operands of a product have a value: the domain of its own loops.
Domain inside_domain(const Node& product, const std::string& label, const Plan& plan);

} // namespace tropic::compile
