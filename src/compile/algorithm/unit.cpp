#include "compile/algorithm/unit.h"

#include <algorithm>

#include <fmt/format.h>

#include "tropic/error.h"

#include "llvm/IR/MDBuilder.h"

namespace tropic::compile {

Unit::Unit(const alg::Algorithm& given, bool is_wide, bool has_gathers, llvm::Module& target)
    : algorithm(given), wide(is_wide), gathers(has_gathers), module(target),
      context(target.getContext()), i1(llvm::Type::getInt1Ty(context)),
      i8(llvm::Type::getInt8Ty(context)), i32(llvm::Type::getInt32Ty(context)),
      i64(llvm::Type::getInt64Ty(context)), index(is_wide ? i64 : i32),
      pointer(llvm::PointerType::getUnqual(context)), nothing(llvm::Type::getVoidTy(context)) {
    // All scopes first: what an access is apart from must be known when it is marked.
    llvm::MDBuilder builder(context);
    llvm::MDNode* const domain = builder.createAnonymousAliasScopeDomain("algorithm");
    std::vector<llvm::MDNode*> scopes;
    const auto add = [&](Memory memory, alg::VariableId variable) {
        llvm::MDNode* const scope = builder.createAnonymousAliasScope(domain);
        scopes_[{memory, variable}] = llvm::MDNode::get(context, {scope});
        scopes.push_back(scope);
    };
    for (alg::VariableId id = 0; id < static_cast<int>(algorithm.variables.size()); ++id) {
        const alg::Type& type = variable(id).type;
        if (type.is_scalar()) continue;
        add(Memory::data, id);
        if (type.is_members() || type.shape == alg::Type::Shape::marks) add(Memory::bits, id);
    }
    add(Memory::list, -1);
    for (const auto& [key, list] : scopes_) {
        llvm::SmallVector<llvm::Metadata*> rest;
        for (llvm::MDNode* const scope : scopes) {
            if (list->getOperand(0) != scope) rest.push_back(scope);
        }
        others_[list] = llvm::MDNode::get(context, rest);
    }
}

llvm::Type* Unit::lane_type(const alg::Type& type) const {
    if (type.vertex) return index;
    switch (type.element) {
    case ElementType::pattern:
    case ElementType::boolean:
        return i1;
    case ElementType::float32:
        return llvm::Type::getFloatTy(context);
    case ElementType::float64:
        return llvm::Type::getDoubleTy(context);
    default:
        return llvm::Type::getIntNTy(context, 8 * static_cast<unsigned>(size_of(type.element)));
    }
}

llvm::Type* Unit::stored_type(const alg::Type& type) const {
    llvm::Type* const lane = lane_type(type);
    return lane == i1 ? i8 : lane;
}

llvm::Type* Unit::value_type(const alg::Type& type) const {
    if (type.record >= 0) {
        llvm::SmallVector<llvm::Type*> fields;
        for (const alg::Record::Field& field : algorithm.records[type.record].fields) {
            fields.push_back(value_type(field.type));
        }
        return llvm::StructType::get(context, fields);
    }
    llvm::Type* const lane = lane_type(type);
    return type.lanes == 1 ? lane : llvm::FixedVectorType::get(lane, type.lanes);
}

std::int64_t Unit::alignment_of(const alg::Type& type) const {
    if (type.record < 0) return bytes_of(type) / type.lanes;
    std::int64_t largest = 1;
    for (const alg::Record::Field& field : algorithm.records[type.record].fields) {
        largest = std::max(largest, alignment_of(field.type));
    }
    return largest;
}

std::int64_t Unit::field_offset(int record, int number) const {
    std::int64_t offset = 0;
    const auto& fields = algorithm.records[record].fields;
    for (int i = 0;; ++i) {
        const std::int64_t alignment = alignment_of(fields[i].type);
        offset = (offset + alignment - 1) / alignment * alignment;
        if (i == number) return offset;
        offset += bytes_of(fields[i].type);
    }
}

std::int64_t Unit::bytes_of(const alg::Type& type) const {
    if (type.record >= 0) {
        const auto& fields = algorithm.records[type.record].fields;
        if (fields.empty()) return 1;
        const int last = static_cast<int>(fields.size()) - 1;
        const std::int64_t end = field_offset(type.record, last) + bytes_of(fields[last].type);
        const std::int64_t alignment = alignment_of(type);
        return (end + alignment - 1) / alignment * alignment;
    }
    if (type.vertex) return std::int64_t{type.lanes} * (wide ? 8 : 4);
    return type.lanes * std::max<std::int64_t>(1, static_cast<std::int64_t>(size_of(type.element)));
}

llvm::Constant* Unit::text(const std::string& content) {
    llvm::Constant*& known = texts_[content];
    if (known == nullptr) {
        llvm::Constant* const bytes = llvm::ConstantDataArray::getString(context, content);
        auto* const global = new llvm::GlobalVariable(module, bytes->getType(), true,
                                                      llvm::GlobalValue::InternalLinkage, bytes,
                                                      fmt::format("text{}", texts_.size()));
        global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
        known = global;
    }
    return known;
}

llvm::Constant* Unit::place(const language::Place& at) {
    return text(fmt::format("line {}, column {}", at.line, at.column));
}

llvm::Constant* Unit::line(const language::Place& at) {
    const std::string& all = algorithm.text;
    std::size_t begin = 0;
    for (int line = 1; line < at.line && begin != std::string::npos; ++line) {
        begin = all.find('\n', begin);
        if (begin != std::string::npos) ++begin;
    }
    if (at.line == 0 || begin == std::string::npos) return text("");
    const std::size_t end = std::min(all.find('\n', begin), all.size());
    const std::string found = all.substr(begin, end - begin);
    const std::size_t first = found.find_first_not_of(" \t\r");
    if (first == std::string::npos) return text("");
    return text(found.substr(first, found.find_last_not_of(" \t\r") + 1 - first));
}

llvm::MDNode* Unit::scope_of(Memory memory, alg::VariableId variable) {
    const auto found = scopes_.find({memory, memory == Memory::list ? -1 : variable});
    return found == scopes_.end() ? nullptr : found->second;
}

void Unit::mark(llvm::Instruction* access, Memory memory, alg::VariableId variable) {
    llvm::MDNode* const scope = scope_of(memory, variable);
    if (scope == nullptr) return;
    access->setMetadata(llvm::LLVMContext::MD_alias_scope, scope);
    access->setMetadata(llvm::LLVMContext::MD_noalias, others_[scope]);
}

void Unit::mark_constant(llvm::Instruction* load) {
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context, {}));
}

void Unit::refuse(const language::Place& at, const std::string& what,
                  const std::string& hint) const {
    Diagnostic diagnostic;
    diagnostic.code = ErrorCode::unsupported;
    diagnostic.message = what;
    diagnostic.file = algorithm.file;
    diagnostic.line = at.line;
    diagnostic.column = at.column;
    diagnostic.hint = hint;
    throw Error(diagnostic);
}

bool is_real(const alg::Type& type) noexcept {
    return type.record < 0 && !type.vertex && is_float(type.element);
}

bool is_signed_type(const alg::Type& type) noexcept {
    return type.vertex || is_signed(type.element);
}

bool is_truth(const alg::Type& type) noexcept {
    return type.record < 0 && !type.vertex &&
           (type.element == ElementType::boolean || type.element == ElementType::pattern);
}

std::string Unit::space_name(alg::SpaceId id) const {
    const alg::Space& space = algorithm.spaces[static_cast<std::size_t>(id)];
    const auto name = [&](alg::VariableId of) {
        return of < 0 ? std::string("the graph") : variable(of).called();
    };
    switch (space.kind) {
    case alg::Space::Kind::rows:
        return (space.graph >= 0 && variable(space.graph).rectangular ? "the rows of "
                                                                      : "the vertices of ") +
               name(space.graph);
    case alg::Space::Kind::columns:
        return "the columns of " + name(space.graph);
    case alg::Space::Kind::edges:
        return "the edges of " + name(space.graph);
    case alg::Space::Kind::counted:
        break;
    }
    return "0 up to " + name(space.size);
}

alg::Type common_type(const alg::Type& left, const alg::Type& right) {
    if (left.record >= 0 || same_value_type(left, right)) return left;
    const auto rank = [](const alg::Type& type) {
        if (is_real(type)) return 100 + static_cast<int>(size_of(type.element));
        return type.vertex ? 8 : 2 * static_cast<int>(size_of(type.element));
    };
    alg::Type common = rank(right) > rank(left) ? right : left;
    common.lanes = std::max(left.lanes, right.lanes);
    return common;
}

bool same_value_type(const alg::Type& left, const alg::Type& right) noexcept {
    if (left.record >= 0 || right.record >= 0) return left.record == right.record;
    if (left.lanes != right.lanes || left.vertex != right.vertex) return false;
    return left.vertex || left.element == right.element || (is_truth(left) && is_truth(right));
}

} // namespace tropic::compile
