#include "field_reader.h"

#include <algorithm>
#include <optional>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecordLayout.h>

#include "names.h"
#include "wide_names.h"

namespace tropic::tile::plugin {

namespace {

using namespace clang;

constexpr std::uint64_t tile_pointer_bytes = 4;

struct Element {
    const char* type = nullptr;
    std::uint32_t width = 1;
    std::uint64_t bytes = 0; ///< of one, all its parts
};

const char* name_of(const BuiltinType& type, bool long_has_64_bits) {
    switch (type.getKind()) {
    case BuiltinType::Long:
        return long_has_64_bits ? "int64" : nullptr;
    case BuiltinType::ULong:
        return long_has_64_bits ? "uint64" : nullptr;
    case BuiltinType::Bool:
        return "bool";
    case BuiltinType::Char_S:
    case BuiltinType::SChar:
        return "int8";
    case BuiltinType::Char_U:
    case BuiltinType::UChar:
        return "uint8";
    case BuiltinType::Short:
        return "int16";
    case BuiltinType::UShort:
        return "uint16";
    case BuiltinType::Int:
        return "int32";
    case BuiltinType::UInt:
        return "uint32";
    case BuiltinType::LongLong:
        return "int64";
    case BuiltinType::ULongLong:
        return "uint64";
    case BuiltinType::Float16:
        return "float16";
    case BuiltinType::Float:
        return "float32";
    default:
        return nullptr;
    }
}

/// The element type, if it is one that tensors have.
std::optional<Element> element_of(const ASTContext& context, QualType type, bool long_has_64_bits) {
    type = type.getCanonicalType();
    Element element;
    element.bytes = static_cast<std::uint64_t>(context.getTypeSizeInChars(type).getQuantity());
    if (const auto* vector = type->getAs<ExtVectorType>()) {
        element.width = vector->getNumElements();
        type = vector->getElementType().getCanonicalType();
    }
    if (const auto* enumeration = type->getAs<EnumType>()) {
        type = enumeration->getDecl()->getIntegerType().getCanonicalType();
    }
    if (const auto* builtin = type->getAs<BuiltinType>()) {
        element.type = name_of(*builtin, long_has_64_bits);
    }
    if (element.type == nullptr) return {};
    return element;
}

/// A class of namespace poplar with its template arguments: `Input<...>` and the like.
struct PoplarType {
    std::string name;
    const TemplateArgumentList* arguments = nullptr;
    QualType first() const { return arguments->get(0).getAsType(); }
    std::uint32_t number(unsigned index) const {
        if (index >= arguments->size()) return 0;
        return static_cast<std::uint32_t>(arguments->get(index).getAsIntegral().getZExtValue());
    }
    /// The enumerator's name of an enumeration argument.
    std::string layout() const {
        const auto* type = arguments->get(1).getIntegralType()->getAs<EnumType>();
        if (type == nullptr) return "";
        for (const EnumConstantDecl* constant : type->getDecl()->enumerators()) {
            if (constant->getInitVal().getZExtValue() == number(1))
                return constant->getName().str();
        }
        return "";
    }
};

std::optional<PoplarType> poplar_type(QualType type) {
    const CXXRecordDecl* const record = type->getAsCXXRecordDecl();
    const auto* special = llvm::dyn_cast_or_null<ClassTemplateSpecializationDecl>(record);
    if (special == nullptr) return {};
    const auto* space = llvm::dyn_cast<NamespaceDecl>(special->getDeclContext());
    if (space == nullptr || space->getName() != "poplar") return {};
    return PoplarType{special->getName().str(), &special->getTemplateArgs()};
}

const char* role_of(const std::string& name) {
    if (name == "Input") return "input";
    if (name == "Output") return "output";
    if (name == "InOut") return "in_out";
    return nullptr;
}

class Reader {
  public:
    Reader(const ASTContext& context, VertexFinding& vertex) : context_(context), vertex_(vertex) {}

    void read(const CXXRecordDecl& record, const WideNames& names, std::uint64_t base) {
        const ASTRecordLayout& layout = context_.getASTRecordLayout(&record);
        for (const CXXBaseSpecifier& specifier : record.bases()) {
            const CXXRecordDecl* const parent = specifier.getType()->getAsCXXRecordDecl();
            if (parent == nullptr || specifier.isVirtual()) continue;
            read(*parent, names.base(specifier.getType()),
                 base +
                     static_cast<std::uint64_t>(layout.getBaseClassOffset(parent).getQuantity()));
        }
        for (const FieldDecl* field : record.fields()) {
            const std::uint64_t bits = layout.getFieldOffset(field->getFieldIndex());
            long_has_64_bits_ = names.says_64_bits(field->getType());
            read_field(*field, base + bits / 8);
        }
    }

    /// Of the whole state, as the tile's compiler would lay it out.
    std::uint64_t tile_bytes() const { return (tile_bytes_ + 3) / 4 * 4; }

  private:
    void refuse(const FieldDecl& field, const std::string& why, const std::string& hint) {
        add_problem(context_, field.getLocation(),
                    "field '" + field.getNameAsString() + "' of vertex " + vertex_.name + " " + why,
                    hint);
    }

    void read_field(const FieldDecl& field, std::uint64_t offset) {
        FieldFinding found;
        found.name = field.getNameAsString();
        found.offset = offset;
        const QualType type = field.getType();
        found.host_bytes =
            static_cast<std::uint64_t>(context_.getTypeSizeInChars(type).getQuantity());
        if (field.isBitField()) {
            return refuse(field, "is a bit-field", "make it a member of its own");
        }
        if (field.hasInClassInitializer()) {
            return refuse(field, "has an initialiser, which does not run on a tile",
                          "set it with Graph::setInitialValue");
        }
        const auto outer = poplar_type(type);
        const bool done = outer ? read_poplar(*outer, found) : read_state(type, found);
        if (!done && found.is_long) {
            return refuse(field, "holds long, which has 32 bits on a tile and 64 here",
                          "use int, or int64_t or long long for 64 bits");
        }
        if (!done) {
            return refuse(
                field, "has type '" + type.getAsString() + "', which no tensor has",
                "use bool, char, short, int, long long (signed or unsigned), half or float, "
                "vectors of them such as float2, and Input, Output, InOut, Vector or "
                "VectorList of those");
        }
        const std::uint64_t align = std::min<std::uint64_t>(found.tile_bytes / found.elements, 4);
        if (align > 1) tile_bytes_ = (tile_bytes_ + align - 1) / align * align;
        tile_bytes_ += found.tile_bytes;
        vertex_.fields.push_back(std::move(found));
    }

    bool set_element(QualType type, FieldFinding& found) {
        const auto element = element_of(context_, type, long_has_64_bits_);
        found.is_long = type->isSpecificBuiltinType(BuiltinType::Long) ||
                        type->isSpecificBuiltinType(BuiltinType::ULong);
        if (!element) return false;
        found.type = element->type;
        found.vector_width = element->width;
        found.alignment = std::max(found.alignment, static_cast<std::uint32_t>(element->bytes));
        return true;
    }

    bool read_state(QualType type, FieldFinding& found) {
        found.role = "state";
        found.shape = "scalar";
        while (const ConstantArrayType* array = context_.getAsConstantArrayType(type)) {
            found.elements *= static_cast<std::uint32_t>(array->getSize().getZExtValue());
            type = array->getElementType();
        }
        found.tile_bytes = found.host_bytes;
        return found.elements > 0 && set_element(type, found);
    }

    bool read_poplar(const PoplarType& outer, FieldFinding& found) {
        if (const char* role = role_of(outer.name)) {
            found.role = role;
            const auto inner = poplar_type(outer.first());
            if (!inner) {
                found.shape = "scalar";
                found.tile_bytes = tile_pointer_bytes;
                return set_element(outer.first(), found);
            }
            return read_connected(*inner, found);
        }
        if (outer.name != "Vector") return false;
        const auto inner = poplar_type(outer.first());
        if (!inner) {
            found.role = "scratch";
            return read_vector(outer, found);
        }
        // Vector<Input<Vector<T>>>
        const char* role = role_of(inner->name);
        const auto innermost = role == nullptr ? std::nullopt : poplar_type(inner->first());
        found.role = role == nullptr ? "" : role;
        return innermost && innermost->name == "Vector" && read_list(*innermost, found);
    }

    bool read_connected(const PoplarType& inner, FieldFinding& found) {
        if (inner.name == "VectorList") {
            found.shape = "list";
            found.inner_has_size = true;
            found.tile_bytes = 2 * tile_pointer_bytes;
            found.alignment = std::max<std::uint32_t>(1, inner.number(2));
            return set_element(inner.first(), found);
        }
        if (inner.name != "Vector") return false;
        const auto innermost = poplar_type(inner.first());
        if (innermost) return innermost->name == "Vector" && read_list(*innermost, found);
        return read_vector(inner, found);
    }

    bool read_vector(const PoplarType& vector, FieldFinding& found) {
        const bool sized = is_sized(vector);
        found.shape = sized ? "span" : "pointer";
        found.tile_bytes = (sized ? 2 : 1) * tile_pointer_bytes;
        found.alignment = std::max<std::uint32_t>(1, vector.number(2));
        return set_element(vector.first(), found);
    }

    bool read_list(const PoplarType& inner, FieldFinding& found) {
        if (!read_vector(inner, found)) return false;
        found.shape = "list";
        found.inner_has_size = is_sized(inner);
        found.tile_bytes = 2 * tile_pointer_bytes;
        return true;
    }

    static bool is_sized(const PoplarType& vector) {
        const std::string layout = vector.layout();
        return layout == "SPAN" || layout == "SHORT_SPAN" || layout == "NOT_SET";
    }

    const ASTContext& context_;
    VertexFinding& vertex_;
    std::uint64_t tile_bytes_ = 0;
    bool long_has_64_bits_ = false; ///< in the field being read
};

} // namespace

void read_fields(const ASTContext& context, const CXXRecordDecl& record, VertexFinding& vertex) {
    const ASTRecordLayout& layout = context.getASTRecordLayout(&record);
    vertex.host_bytes = static_cast<std::uint64_t>(layout.getSize().getQuantity());
    vertex.host_alignment = static_cast<std::uint64_t>(layout.getAlignment().getQuantity());
    Reader reader(context, vertex);
    reader.read(record, WideNames(record), 0);
    vertex.tile_bytes = reader.tile_bytes();
}

} // namespace tropic::tile::plugin
