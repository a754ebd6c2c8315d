#include "graphblas_oracle.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

// Meant for C++ as well, but without saying whose the functions are.
extern "C" {
#include <GraphBLAS.h>
}

namespace tropic::testing {

namespace {

using language::Operator;

void require(GrB_Info info) {
    if (info != GrB_SUCCESS) {
        throw std::runtime_error("GraphBLAS gave up with code " + std::to_string(info));
    }
}

/// Starts the library when first needed and ends it with the process.
struct Library {
    Library() { require(GrB_init(GrB_BLOCKING)); }
    ~Library() { GrB_finalize(); }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
};

void need_library() {
    static const Library library;
}

/// Frees what GraphBLAS made; `Object` is one of its handles.
template <class Object, GrB_Info (*release)(Object*)> class Owned {
  public:
    Owned() = default;
    ~Owned() { release(&object_); }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    Object get() const { return object_; }
    Object* address() { return &object_; }

  private:
    Object object_ = nullptr;
};
using Matrix = Owned<GrB_Matrix, GrB_Matrix_free>;
using Monoid = Owned<GrB_Monoid, GrB_Monoid_free>;
using Semiring = Owned<GrB_Semiring, GrB_Semiring_free>;

/// The operators of one element type.
struct Operators {
    GrB_Type type;
    GrB_BinaryOp add, subtract, multiply, minimum, maximum, first, second, any, pair, lor, land;
};

Operators operators_of(ElementType type) {
    switch (type) {
    case ElementType::float64:
        return {GrB_FP64,     GrB_PLUS_FP64, GrB_MINUS_FP64, GrB_TIMES_FP64,
                GrB_MIN_FP64, GrB_MAX_FP64,  GrB_FIRST_FP64, GrB_SECOND_FP64,
                GxB_ANY_FP64, GxB_PAIR_FP64, GxB_LOR_FP64,   GxB_LAND_FP64};
    case ElementType::float32:
        return {GrB_FP32,     GrB_PLUS_FP32, GrB_MINUS_FP32, GrB_TIMES_FP32,
                GrB_MIN_FP32, GrB_MAX_FP32,  GrB_FIRST_FP32, GrB_SECOND_FP32,
                GxB_ANY_FP32, GxB_PAIR_FP32, GxB_LOR_FP32,   GxB_LAND_FP32};
    case ElementType::int32:
        return {GrB_INT32,     GrB_PLUS_INT32, GrB_MINUS_INT32, GrB_TIMES_INT32,
                GrB_MIN_INT32, GrB_MAX_INT32,  GrB_FIRST_INT32, GrB_SECOND_INT32,
                GxB_ANY_INT32, GxB_PAIR_INT32, GxB_LOR_INT32,   GxB_LAND_INT32};
    default:
        return {GrB_INT64,     GrB_PLUS_INT64, GrB_MINUS_INT64, GrB_TIMES_INT64,
                GrB_MIN_INT64, GrB_MAX_INT64,  GrB_FIRST_INT64, GrB_SECOND_INT64,
                GxB_ANY_INT64, GxB_PAIR_INT64, GxB_LOR_INT64,   GxB_LAND_INT64};
    }
}

GrB_BinaryOp pick(const Operators& operators, Operator op) {
    switch (op) {
    case Operator::add:
        return operators.add;
    case Operator::subtract:
        return operators.subtract;
    case Operator::multiply:
        return operators.multiply;
    case Operator::minimum:
        return operators.minimum;
    case Operator::maximum:
        return operators.maximum;
    case Operator::first:
        return operators.first;
    case Operator::second:
        return operators.second;
    case Operator::any:
        return operators.any;
    case Operator::pair:
        return operators.pair;
    case Operator::logical_or:
        return operators.lor;
    case Operator::logical_and:
        return operators.land;
    case Operator::divide:
        break;
    }
    throw std::runtime_error("an operator that this oracle does not offer");
}

/// The identity is only used where there is nothing to add, and such places have no entry.
void make_monoid(Monoid& monoid, ElementType type, Operator add) {
    const GrB_BinaryOp op = pick(operators_of(type), add);
    const int identity = add == Operator::multiply || add == Operator::logical_and ? 1 : 0;
    switch (type) {
    case ElementType::float64: {
        const bool extreme = add == Operator::minimum || add == Operator::maximum;
        const double infinity = std::numeric_limits<double>::infinity();
        const double limit = add == Operator::minimum ? infinity : -infinity;
        require(GrB_Monoid_new_FP64(monoid.address(), op, extreme ? limit : identity));
        return;
    }
    case ElementType::float32: {
        const bool extreme = add == Operator::minimum || add == Operator::maximum;
        const float infinity = std::numeric_limits<float>::infinity();
        const float limit = add == Operator::minimum ? infinity : -infinity;
        require(GrB_Monoid_new_FP32(monoid.address(), op,
                                    extreme ? limit : static_cast<float>(identity)));
        return;
    }
    case ElementType::int32: {
        std::int32_t start = identity;
        if (add == Operator::minimum) start = std::numeric_limits<std::int32_t>::max();
        if (add == Operator::maximum) start = std::numeric_limits<std::int32_t>::min();
        require(GrB_Monoid_new_INT32(monoid.address(), op, start));
        return;
    }
    default: {
        std::int64_t start = identity;
        if (add == Operator::minimum) start = std::numeric_limits<std::int64_t>::max();
        if (add == Operator::maximum) start = std::numeric_limits<std::int64_t>::min();
        require(GrB_Monoid_new_INT64(monoid.address(), op, start));
        return;
    }
    }
}

void fill(Matrix& matrix, const OracleMatrix& from, ElementType type) {
    require(GrB_Matrix_new(matrix.address(), operators_of(type).type,
                           static_cast<GrB_Index>(from.rows), static_cast<GrB_Index>(from.cols)));
    for (const auto& [at, value] : from.entries) {
        require(GrB_Matrix_setElement_FP64(matrix.get(), value, static_cast<GrB_Index>(at[0]),
                                           static_cast<GrB_Index>(at[1])));
    }
}

OracleMatrix content(const Matrix& matrix, Index rows, Index cols) {
    OracleMatrix result{rows, cols, {}};
    GrB_Index count = 0;
    require(GrB_Matrix_nvals(&count, matrix.get()));
    std::vector<GrB_Index> row(count + 1);
    std::vector<GrB_Index> col(count + 1);
    std::vector<double> values(count + 1);
    require(
        GrB_Matrix_extractTuples_FP64(row.data(), col.data(), values.data(), &count, matrix.get()));
    for (GrB_Index e = 0; e < count; ++e) {
        result.entries[{static_cast<Index>(row[e]), static_cast<Index>(col[e])}] = values[e];
    }
    return result;
}

/// Hands `compute` the target, mask, accumulator and descriptor and returns the target.
template <class Compute>
OracleMatrix into(const OracleTarget& target, Index rows, Index cols, ElementType type,
                  const Compute& compute) {
    Matrix result;
    fill(result, target.old.value_or(OracleMatrix{rows, cols, {}}), type);
    Matrix mask;
    if (target.mask) fill(mask, *target.mask, type);
    const GrB_BinaryOp accumulate =
        target.accumulate ? pick(operators_of(type), *target.accumulate) : nullptr;
    const GrB_Descriptor kept = target.complement ? GrB_DESC_SC : GrB_DESC_S;
    const GrB_Descriptor gone = target.complement ? GrB_DESC_RSC : GrB_DESC_RS;
    require(compute(result.get(), mask.get(), accumulate, target.replace ? gone : kept));
    return content(result, rows, cols);
}

} // namespace

OracleMatrix random_matrix(Index rows, Index cols, std::mt19937_64& random) {
    OracleMatrix matrix{rows, cols, {}};
    const std::uint64_t density = 1 + random() % 9;
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < cols; ++j) {
            if (random() % 10 < density) {
                matrix.entries[{i, j}] = static_cast<double>(random() % 6) - 2;
            }
        }
    }
    return matrix;
}

Tensor tensor_of(const OracleMatrix& matrix) {
    std::vector<std::int32_t> pos(static_cast<std::size_t>(matrix.rows) + 1);
    std::vector<std::int32_t> crd;
    std::vector<std::int32_t> values;
    for (const auto& [at, value] : matrix.entries) { // by rows
        crd.push_back(static_cast<std::int32_t>(at[1]));
        values.push_back(static_cast<std::int32_t>(value));
        pos[static_cast<std::size_t>(at[0]) + 1] = static_cast<std::int32_t>(crd.size());
    }
    for (std::size_t i = 1; i < pos.size(); ++i) pos[i] = std::max(pos[i], pos[i - 1]);
    std::vector<Level> levels(2);
    levels[1].kind = LevelKind::compressed;
    levels[1].pos = Array::copy_of<std::int32_t>(pos, {}, "positions");
    levels[1].crd = Array::copy_of<std::int32_t>(crd, {}, "coordinates");
    return {{matrix.rows, matrix.cols},
            Format::csr(),
            std::move(levels),
            Array::copy_of<std::int32_t>(values, {}, "values"),
            true,
            true};
}

OracleMatrix matrix_of(const Tensor& tensor) {
    OracleMatrix matrix{tensor.dim(0), tensor.dim(1), {}};
    visit_csr(tensor, [&](const auto& view) {
        for (Index i = 0; i < view.rows; ++i) {
            for (Index p = view.pos[i]; p < view.pos[i + 1]; ++p) {
                matrix.entries[{i, static_cast<Index>(view.crd[p])}] = tensor.values().value_at(p);
            }
        }
    });
    return matrix;
}

const NamedOperator& random_sum(std::mt19937_64& random) {
    static constexpr NamedOperator sums[] = {{Operator::add, "+"},
                                             {Operator::multiply, "*"},
                                             {Operator::minimum, "min"},
                                             {Operator::maximum, "max"}};
    return sums[random() % std::size(sums)];
}

const NamedOperator& random_product(std::mt19937_64& random) {
    static constexpr NamedOperator products[] = {
        {Operator::multiply, "*"},    {Operator::add, "+"},       {Operator::subtract, "-"},
        {Operator::minimum, "min"},   {Operator::maximum, "max"}, {Operator::first, "first"},
        {Operator::second, "second"}, {Operator::pair, "pair"}};
    return products[random() % std::size(products)];
}

OracleMatrix graphblas_product(const OracleMatrix& a, const OracleMatrix& b, ElementType type,
                               Operator add, Operator multiply, const OracleTarget& target) {
    need_library();
    Monoid monoid;
    make_monoid(monoid, type, add);
    Semiring semiring;
    require(GrB_Semiring_new(semiring.address(), monoid.get(), pick(operators_of(type), multiply)));
    Matrix left;
    Matrix right;
    fill(left, a, type);
    fill(right, b, type);
    return into(target, a.rows, b.cols, type,
                [&](GrB_Matrix c, GrB_Matrix mask, GrB_BinaryOp accumulate, GrB_Descriptor how) {
                    return GrB_mxm(c, mask, accumulate, semiring.get(), left.get(), right.get(),
                                   how);
                });
}

OracleMatrix graphblas_elementwise(const OracleMatrix& a, const OracleMatrix& b, ElementType type,
                                   Operator op, language::Meeting meeting,
                                   const OracleTarget& target) {
    need_library();
    const GrB_BinaryOp chosen = pick(operators_of(type), op);
    Matrix left;
    Matrix right;
    fill(left, a, type);
    fill(right, b, type);
    return into(target, a.rows, a.cols, type,
                [&](GrB_Matrix c, GrB_Matrix mask, GrB_BinaryOp accumulate, GrB_Descriptor how) {
                    if (meeting == language::Meeting::both) {
                        return GrB_Matrix_eWiseMult_BinaryOp(c, mask, accumulate, chosen,
                                                             left.get(), right.get(), how);
                    }
                    return GrB_Matrix_eWiseAdd_BinaryOp(c, mask, accumulate, chosen, left.get(),
                                                        right.get(), how);
                });
}

} // namespace tropic::testing
