// Inputs of a program: found by name, brought to the element type, format and triangle that the
// program declares.
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graph/build/convert.h"
#include "graph/build/csr_tools.h"
#include "machines/cpu/session.h"
#include "support/wider_type.h"
#include "tropic/coordinates.h"
#include "tropic/error.h"

namespace tropic::cpu {

namespace {

const Tensor& input_named(Session& session, const char* name, const char* place) {
    if (const auto found = session.inputs.find(name); found != session.inputs.end()) {
        return found->second;
    }
    std::optional<Tensor> bound;
    if (session.options.input) bound = session.options.input(name);
    if (!bound) {
        fail_at(session, place, ErrorCode::not_found,
                fmt::format("nothing is bound to input {}", name),
                fmt::format("name a file or a generator for it: -i {}=FILE", name));
    }
    return session.inputs.emplace(name, std::move(*bound)).first->second;
}

/// A matrix of one row or one column as a vector.
Tensor as_vector(const Tensor& matrix, const Context& context) {
    const int kept = matrix.dim(1) == 1 ? 0 : 1;
    CoordinateList list = coordinates_of(matrix, context);
    list.shape = {matrix.dim(kept)};
    for (CoordinateBlock& block : list.blocks) {
        block.coordinates = {std::move(block.coordinates[kept])};
    }
    return build(std::move(list), Format::sparse_vector(), Duplicates::keep, context);
}

struct Triangles {
    const char* name;
    building::Kept keep;
};

/// By read mode; mode 1 is everything.
constexpr std::array<Triangles, 4> triangles = {{
    {"strictly lower", {.below = true, .diagonal = false, .above = false}},
    {"lower", {.below = true, .diagonal = true, .above = false}},
    {"strictly upper", {.below = false, .diagonal = false, .above = true}},
    {"upper", {.below = false, .diagonal = true, .above = true}},
}};

/// Only the triangle of a read mode. Rows of a csc matrix are the columns of a csr one.
Tensor triangle_of(const Tensor& matrix, const building::Kept& keep, const Context& context) {
    if (matrix.format() == Format::csc()) {
        const building::Kept mirrored{keep.above, keep.diagonal, keep.below};
        return building::relabelled_transpose(
            building::filtered(building::relabelled_transpose(matrix), mirrored, context));
    }
    return building::filtered(building::sorted_csr(matrix, context), keep, context);
}

void check_shape(const Session& session, const Tensor& tensor, const char* name,
                 const FormatView& format, const std::int64_t* shape, const char* place) {
    for (std::int64_t d = 0; d < format.rank; ++d) {
        const Index found = tensor.dim(static_cast<int>(d));
        if (shape[d] < 0 || shape[d] == found) continue;
        fail_at(session, place, ErrorCode::inconsistent,
                fmt::format("input {} is {}, and the program wants {} in dimension {}", name,
                            fmt::join(tensor.shape(), " x "), shape[d], d + 1),
                "declare the label with size [?] to take the size of the input");
    }
}

} // namespace

TensorView* read(Session* session, const char* name, std::int64_t mode, std::int64_t type,
                 const FormatView* format, const std::int64_t* shape, const char* place) {
    const Context& context = session->context();
    Tensor tensor = input_named(*session, name, place);
    if (format->rank == 1 && tensor.rank() == 2 && (tensor.dim(0) == 1 || tensor.dim(1) == 1)) {
        tensor = as_vector(tensor, context);
    }
    if (tensor.rank() != format->rank) {
        fail_at(*session, place, ErrorCode::inconsistent,
                fmt::format("input {} has {} dimensions, and the program wants {}", name,
                            tensor.rank(), format->rank));
    }
    check_shape(*session, tensor, name, *format, shape, place);
    const Format wanted = to_format(*format);
    const auto element = static_cast<ElementType>(type);
    const auto within_range = [&](const auto& change) {
        try {
            change();
        } catch (const Error& error) {
            if (error.code() != ErrorCode::range) throw;
            fail_at(*session, place, ErrorCode::range,
                    fmt::format("input {}: {}", name, error.diagnostic().message),
                    fmt::format("declare the tensor with elements of {}",
                                is_float(tensor.type()) ? "double" : "a wider type"));
        }
    };
    if (!tensor.unique()) {
        // Entries without a value count as one each, and sums have the room that the program gives.
        if (reaches_as_far(element, tensor.type())) {
            tensor = tensor.with_values(cast(tensor.values(), element, context));
        }
        within_range([&] {
            tensor = build(coordinates_of(tensor, context), wanted, Duplicates::sum, context);
        });
    }
    if (mode != 1) {
        if (tensor.rank() != 2 || mode < 1 || mode > 5) {
            fail_at(*session, place, ErrorCode::unsupported,
                    fmt::format("input {} has {} dimensions, and only matrices have triangles",
                                name, tensor.rank()),
                    "read it with mode 1, all of it");
        }
        tensor = triangle_of(tensor, triangles[mode - 2].keep, context);
    }
    // Converting first: what is dropped or filled with zeros need not fit the element type.
    if (tensor.format() != wanted) tensor = tropic::convert(tensor, wanted, context);
    tensor = in_order(tensor, context);
    if (tensor.type() != element) {
        within_range([&] { tensor = tensor.with_values(cast(tensor.values(), element, context)); });
    }
    return adopt(*session, std::move(tensor));
}

} // namespace tropic::cpu
