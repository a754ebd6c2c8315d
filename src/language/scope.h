// What names mean inside one function, and the labels that one statement uses.
#pragma once

#include <map>
#include <ranges>
#include <set>
#include <string>
#include <vector>

#include "language/syntax_tree.h"

namespace tropic::language {

struct Symbol {
    enum class Kind : std::uint8_t {
        unknown, ///< its declaration was wrong: its uses say nothing more
        label,
        tensor,
        scalar,
    };
    Kind kind = Kind::unknown;
    int id = -1;      ///< LabelId or VariableId
    Place place = {}; ///< where it was declared

    bool loop_variable = false;       ///< scalar
    bool has_value = false;           ///< tensor: assigned before, in the order of the text
    std::vector<LabelId> labels = {}; ///< tensor: those of its declaration
    bool from_parameter = false;      ///< label: named by a parameter, may be declared in the body
};

/// Labels of one statement as bits, so that sets of them are cheap.
using LabelSet = std::uint64_t;

/// Which bit stands for which label, and what is known of its size in this statement.
struct LabelTable {
    struct Entry {
        LabelId id = -1;
        Index size = -1;
        std::string source = {}; ///< the tensor that gave the size; empty: the label's declaration
    };
    static constexpr std::size_t most = 64;
    std::vector<Entry> entries;

    /// The bit's number; -1 if the table is full.
    int bit(LabelId id) {
        for (std::size_t b = 0; b < entries.size(); ++b) {
            if (entries[b].id == id) return static_cast<int>(b);
        }
        if (entries.size() == most) return -1;
        entries.push_back({.id = id});
        return static_cast<int>(entries.size()) - 1;
    }
};

/// One function being checked, for one call of it.
class Frame {
  public:
    Frame(const syntax::Function& function, const Frame* caller, Place called)
        : function_(function), caller_(caller), called_(called), scopes_(1) {}

    const syntax::Function& function() const noexcept { return function_; }
    const Frame* caller() const noexcept { return caller_; }
    Place called() const noexcept { return called_; }
    bool is_main() const noexcept { return caller_ == nullptr && function_.name.text == "main"; }

    /// Null if there is none.
    Symbol* find(std::string_view name) {
        for (auto& scope : std::views::reverse(scopes_)) {
            if (const auto found = scope.find(name); found != scope.end()) return &found->second;
        }
        return nullptr;
    }

    /// In the innermost block, or for the whole function.
    Symbol& add(const std::string& name, Symbol symbol, bool whole_function = false) {
        auto& scope = whole_function ? scopes_.front() : scopes_.back();
        return scope.insert_or_assign(name, std::move(symbol)).first->second;
    }

    void open_block() { scopes_.emplace_back(); }
    void close_block() { scopes_.pop_back(); }

    /// The names of that kind, for suggestions.
    std::vector<std::string_view> names(Symbol::Kind kind) const {
        std::vector<std::string_view> list;
        for (const auto& scope : scopes_) {
            for (const auto& [name, symbol] : scope) {
                if (symbol.kind == kind) list.push_back(name);
            }
        }
        return list;
    }

    LabelTable labels; ///< of the statement being checked
    std::vector<LabelId> labels_of_parameters;
    std::set<std::string> assigned; ///< names that the function assigns to, anywhere

    /// Where a call inside of a loop begins: what it declares by assignments starts anew there.
    std::vector<Statement>* round = nullptr;
    std::size_t round_begin = 0;

  private:
    const syntax::Function& function_;
    const Frame* caller_;
    Place called_;
    std::vector<std::map<std::string, Symbol, std::less<>>> scopes_;
};

} // namespace tropic::language
