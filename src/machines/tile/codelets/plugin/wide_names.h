// Which types are written with a name that says they have 64 bits, as int64_t does. On the host
// int64_t is long, which has 32 bits on a tile: only the name tells which of the two is meant.
#pragma once

#include <vector>

#include <clang/AST/Type.h>

namespace clang {
class CXXRecordDecl;
class TemplateArgument;
} // namespace clang

namespace tropic::tile::plugin {

/// Names inside a class. In an instance of a template, those of its arguments were said where it
/// was instantiated, or where it was named as a base.
class WideNames {
  public:
    /// Of a class that is no template's, or that is instantiated by name.
    explicit WideNames(const clang::CXXRecordDecl& record);

    /// Of a base of the class.
    WideNames base(clang::QualType written) const;

    bool says_64_bits(clang::QualType type) const;

    /// Of the class's own arguments.
    bool argument_says_64_bits(unsigned index) const;

  private:
    WideNames() = default;
    bool says_64_bits(const clang::TemplateArgument& argument) const;

    std::vector<bool> arguments_;
};

} // namespace tropic::tile::plugin
