// The module that an algorithm becomes: types of LLVM for those of the language, how elements lie
// in memory, constant texts, and which memory is known to be apart from which.
#pragma once

#include <map>
#include <string>

#include "language/algorithm/algorithm.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace tropic::compile {

namespace alg = language::algorithm;

/// Which array of a variable an access goes to. Different arrays never overlap, whoever's they
/// are; lists of members count as one.
enum class Memory : std::uint8_t { data, bits, list };

struct Unit {
    Unit(const alg::Algorithm& given, bool is_wide, bool has_gathers, llvm::Module& target);

    const alg::Algorithm& algorithm;
    bool wide;
    bool gathers; ///< the processor fetches a vector of elements from anywhere, at good speed
    llvm::Module& module;
    llvm::LLVMContext& context;
    llvm::IntegerType* i1;
    llvm::IntegerType* i8;
    llvm::IntegerType* i32;
    llvm::IntegerType* i64;
    llvm::IntegerType* index; ///< vertices, positions and coordinates
    llvm::PointerType* pointer;
    llvm::Type* nothing;

    /// What a space is called in messages.
    std::string space_name(alg::SpaceId id) const;
    llvm::Align index_alignment() const { return llvm::Align(wide ? 8 : 4); }
    const alg::Variable& variable(alg::VariableId id) const { return algorithm.variables[id]; }

    /// Of a value in a register: truths are i1, several lanes are a vector, records a structure.
    llvm::Type* value_type(const alg::Type& type) const;
    /// Of one lane.
    llvm::Type* lane_type(const alg::Type& type) const;
    /// One lane as it lies in memory: truths are bytes.
    llvm::Type* stored_type(const alg::Type& type) const;
    std::int64_t bytes_of(const alg::Type& type) const;
    std::int64_t alignment_of(const alg::Type& type) const;
    /// Where field `number` of a record begins.
    std::int64_t field_offset(int record, int number) const;

    /// A constant text, ending with a zero.
    llvm::Constant* text(const std::string& content);
    /// "line 4, column 3".
    llvm::Constant* place(const language::Place& at);
    /// The line of the program's text at a place, without the space around it.
    llvm::Constant* line(const language::Place& at);

    /// Notes that an access is to that memory of a variable and to nothing else's.
    void mark(llvm::Instruction* access, Memory memory, alg::VariableId variable);
    /// Notes that nothing writes what is loaded while the function runs.
    void mark_constant(llvm::Instruction* load);

    /// Throws Error(unsupported) at a place of the program.
    [[noreturn]] void refuse(const language::Place& at, const std::string& what,
                             const std::string& hint = {}) const;

  private:
    llvm::MDNode* scope_of(Memory memory, alg::VariableId variable);

    std::map<std::string, llvm::Constant*> texts_;
    std::map<std::pair<Memory, alg::VariableId>, llvm::MDNode*> scopes_;
    std::map<llvm::MDNode*, llvm::MDNode*> others_; ///< all scopes but one
};

bool is_real(const alg::Type& type) noexcept;
bool is_signed_type(const alg::Type& type) noexcept;
bool is_truth(const alg::Type& type) noexcept;
/// The type that two operands are compared in: that of the left one, unless the right one holds
/// more.
alg::Type common_type(const alg::Type& left, const alg::Type& right);
/// The same values in registers.
bool same_value_type(const alg::Type& left, const alg::Type& right) noexcept;

inline alg::Type scalar_type(ElementType element) {
    alg::Type type;
    type.shape = alg::Type::Shape::scalar;
    type.element = element;
    return type;
}

inline alg::Type vertex_type() {
    alg::Type type = scalar_type(ElementType::int32);
    type.vertex = true;
    return type;
}

/// An element of a vector, sparse vector, table or graph, as a scalar.
inline alg::Type element_of(const alg::Type& type) {
    alg::Type element = type;
    element.shape = alg::Type::Shape::scalar;
    return element;
}

} // namespace tropic::compile
