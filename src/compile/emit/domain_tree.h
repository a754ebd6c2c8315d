// A domain of a loop, as its text says it: all coordinates, drivers by number, joined by & and |.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace tropic::compile {

/// A domain as parsed from its text.
struct DomainTree {
    enum class Kind : std::uint8_t { all, driver, both, either };
    Kind kind = Kind::all;
    std::size_t driver = 0;
    std::vector<DomainTree> parts;

    bool has_all() const {
        if (kind == Kind::all) return true;
        return std::any_of(parts.begin(), parts.end(), [](const auto& p) { return p.has_all(); });
    }
    /// True if the domain holds wherever one of its drivers stands.
    bool is_union() const {
        if (kind == Kind::both) return false;
        return std::all_of(parts.begin(), parts.end(), [](const auto& p) { return p.is_union(); });
    }
};

class DomainParser {
  public:
    explicit DomainParser(llvm::StringRef text) : text_(text) {}
    DomainTree parse() {
        DomainTree left = operand();
        while (!text_.empty() && text_.front() != ')') {
            const char op = text_.front();
            text_ = text_.drop_front();
            DomainTree right = operand();
            DomainTree both;
            both.kind = op == '&' ? DomainTree::Kind::both : DomainTree::Kind::either;
            both.parts.push_back(std::move(left));
            both.parts.push_back(std::move(right));
            left = std::move(both);
        }
        return left;
    }

  private:
    DomainTree operand() {
        DomainTree tree;
        if (text_.consume_front("(")) {
            tree = parse();
            text_.consume_front(")");
        } else if (!text_.consume_front("*")) {
            tree.kind = DomainTree::Kind::driver;
            text_.consumeInteger(10, tree.driver);
        }
        return tree;
    }
    llvm::StringRef text_;
};

} // namespace tropic::compile
