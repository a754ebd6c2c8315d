#include "reference/run.h"

#include "tropic/formats.h"

namespace tropic::reference {

namespace {

bool in_triangle(const Coordinates& at, int read_mode) {
    switch (read_mode) {
    case 2:
        return at[1] < at[0];
    case 3:
        return at[1] <= at[0];
    case 4:
        return at[1] > at[0];
    case 5:
        return at[1] >= at[0];
    default:
        return true;
    }
}

std::vector<Number> numbers(const Array& values, ElementType element) {
    if (values.type() == ElementType::pattern) {
        return std::vector<Number>(values.size(), make_number(element, std::int64_t{1}));
    }
    std::vector<Number> result;
    const Array right_type = cast(values, element, {});
    visit_type(element, [&](auto tag) {
        using T = typename decltype(tag)::type;
        for (const T value : right_type.as<T>()) {
            if constexpr (std::is_floating_point_v<T>) {
                result.push_back(make_number(element, double{value}));
            } else result.push_back(make_number(element, static_cast<std::int64_t>(value)));
        }
    });
    return result;
}

} // namespace

Table read_table(const std::string& path, ElementType element, int read_mode) {
    const Tensor tensor = read_graph(path).tensor;
    if (read_mode != 1 && tensor.rank() != 2) {
        throw Error(ErrorCode::unsupported, "triangles are of matrices, and " + path + " is none");
    }
    const bool lists_zeros = is_dense(tensor.format());
    Table table{element, tensor.shape(), false, {}};
    const CoordinateList list = coordinates_of(tensor);
    for (const CoordinateBlock& block : list.blocks) {
        const std::vector<Number> values = numbers(block.values, element);
        for (Index e = 0; e < block.size(); ++e) {
            Coordinates at;
            for (const Array& coordinate : block.coordinates) at.push_back(coordinate.index_at(e));
            if (!in_triangle(at, read_mode)) continue;
            if (lists_zeros && is_zero(values[e], element)) continue;
            const auto [place, added] = table.entries.emplace(at, values[e]);
            if (added) continue;
            place->second = apply(language::Operator::add, place->second, values[e], element);
        }
    }
    return table;
}

} // namespace tropic::reference
