// The reference evaluator against SuiteSparse:GraphBLAS on random matrices: products over
// semirings, element-wise operations, masks and accumulation. GraphBLAS accumulates `-` where the
// target has no entry by storing the operand, we by storing its negative: so only sums here.
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include "graphblas_oracle.h"
#include "reference/run.h"

namespace tropic {

namespace {

using language::Expression;
using language::Meeting;
using language::Operator;
using language::Program;
using language::Statement;
using reference::Memory;
using reference::Table;
using testing::OracleMatrix;
using testing::OracleTarget;
using testing::random_matrix;

/// Builds checked programs over labels i, j, k of variables that start as given matrices.
class Builder {
  public:
    explicit Builder(ElementType element) : element_(element) {
        program.labels = {{"i", -1}, {"j", -1}, {"k", -1}};
    }

    /// A sparse matrix variable; it has the entries of `value` once the program runs.
    int variable(const OracleMatrix& value) {
        language::Variable variable;
        variable.is_tensor = true;
        variable.element = element_;
        variable.shape = {value.rows, value.cols};
        variable.format = Format::csr();
        program.variables.push_back(variable);
        const int id = static_cast<int>(program.variables.size()) - 1;
        values[id] = value;
        return id;
    }

    Expression access(int variable, std::vector<int> labels) const {
        Expression expression;
        expression.kind = Expression::Kind::access;
        expression.element = element_;
        expression.variable = variable;
        expression.labels = std::move(labels);
        return expression;
    }

    Program program;
    std::map<int, OracleMatrix> values;

  private:
    ElementType element_;
};

Table table_of(const OracleMatrix& matrix, ElementType element) {
    Table table{element, {matrix.rows, matrix.cols}, false, {}};
    for (const auto& [at, value] : matrix.entries) {
        table.entries[at] = reference::make_number(element, value);
    }
    return table;
}

std::map<std::vector<Index>, double> entries_of(const Table& table) {
    std::map<std::vector<Index>, double> entries;
    for (const auto& [at, value] : table.entries) {
        entries[at] = reference::convert(value, table.element, ElementType::float64).real;
    }
    return entries;
}

/// Runs `target<mask> accumulate= value` of the builder's variables and returns the target.
Table run_assignment(Builder& builder, const Expression& value, int target, std::optional<int> mask,
                     std::optional<Operator> accumulate) {
    Statement statement;
    statement.variable = target;
    statement.labels = {0, 1};
    statement.operands = {value};
    statement.accumulate = accumulate;
    if (mask) statement.mask = language::Mask{*mask, {0, 1}, {}, {}};
    builder.program.statements = {statement};
    Memory start;
    for (const auto& [id, matrix] : builder.values) {
        start.tensors[id] = table_of(matrix, value.element);
    }
    std::ostringstream out;
    return reference::run(builder.program, {}, out, start).tensors.at(target);
}

/// The variants every operation is tried in.
OracleTarget random_target(Index rows, Index cols, std::mt19937_64& random) {
    OracleTarget target;
    if (random() % 2 == 0) target.mask = random_matrix(rows, cols, random);
    if (random() % 2 == 0) target.accumulate = Operator::add;
    target.old = random_matrix(rows, cols, random);
    return target;
}

constexpr ElementType types[] = {ElementType::float64, ElementType::float32, ElementType::int64,
                                 ElementType::int32};

struct Case {
    Operator add;
    Operator multiply;
};

/// All pairs whose result does not depend on which of several values `any` takes.
std::vector<Case> semirings() {
    std::vector<Case> cases = {{Operator::any, Operator::pair}};
    for (const Operator add : {Operator::add, Operator::multiply, Operator::minimum,
                               Operator::maximum, Operator::logical_or, Operator::logical_and}) {
        for (const Operator multiply :
             {Operator::add, Operator::subtract, Operator::multiply, Operator::minimum,
              Operator::maximum, Operator::first, Operator::second, Operator::pair,
              Operator::logical_or, Operator::logical_and}) {
            cases.push_back({add, multiply});
        }
    }
    return cases;
}

TEST(ReferenceGraphblas, products_agree_over_every_semiring) {
    std::uint64_t seed = 1;
    for (const Case& semiring : semirings()) {
        std::mt19937_64 random(++seed);
        for (int round = 0; round < 12; ++round) {
            const ElementType type = types[round % 4];
            const auto size = [&] { return static_cast<Index>(1 + random() % 6); };
            const Index rows = size();
            const Index inner = size();
            const Index cols = size();
            const OracleMatrix a = random_matrix(rows, inner, random);
            const OracleMatrix b = random_matrix(inner, cols, random);
            const OracleTarget target = random_target(rows, cols, random);

            Builder builder(type);
            const int left = builder.variable(a);
            const int right = builder.variable(b);
            const int result = builder.variable(*target.old);
            std::optional<int> mask;
            if (target.mask) mask = builder.variable(*target.mask);
            Expression product;
            product.kind = Expression::Kind::product;
            product.element = type;
            product.labels = {0, 1};
            product.reduced = {2};
            product.add = semiring.add;
            product.op = semiring.multiply;
            product.operands = {builder.access(left, {0, 2}), builder.access(right, {2, 1})};

            const Table ours = run_assignment(builder, product, result, mask, target.accumulate);
            const OracleMatrix theirs =
                graphblas_product(a, b, type, semiring.add, semiring.multiply, target);
            ASSERT_EQ(entries_of(ours), theirs.entries)
                << "operators " << static_cast<int>(semiring.add) << ", "
                << static_cast<int>(semiring.multiply) << ", round " << round;
        }
    }
}

TEST(ReferenceGraphblas, elementwise_operations_agree) {
    std::uint64_t seed = 100;
    for (const Operator op :
         {Operator::add, Operator::multiply, Operator::minimum, Operator::maximum, Operator::first,
          Operator::second, Operator::pair, Operator::logical_or, Operator::logical_and}) {
        std::mt19937_64 random(++seed);
        for (int round = 0; round < 40; ++round) {
            const ElementType type = types[round % 4];
            const Meeting meeting = round % 8 < 4 ? Meeting::both : Meeting::either;
            const auto rows = static_cast<Index>(1 + random() % 6);
            const auto cols = static_cast<Index>(1 + random() % 6);
            const OracleMatrix a = random_matrix(rows, cols, random);
            const OracleMatrix b = random_matrix(cols, rows, random);
            OracleMatrix b_turned{rows, cols, {}};
            for (const auto& [at, value] : b.entries) b_turned.entries[{at[1], at[0]}] = value;
            const OracleTarget target = random_target(rows, cols, random);

            Builder builder(type);
            const int left = builder.variable(a);
            const int right = builder.variable(b);
            const int result = builder.variable(*target.old);
            std::optional<int> mask;
            if (target.mask) mask = builder.variable(*target.mask);
            Expression combined;
            combined.kind = Expression::Kind::elementwise;
            combined.element = type;
            combined.labels = {0, 1};
            combined.op = op;
            combined.meeting = meeting;
            combined.operands = {builder.access(left, {0, 1}), builder.access(right, {1, 0})};

            const Table ours = run_assignment(builder, combined, result, mask, target.accumulate);
            const OracleMatrix theirs =
                graphblas_elementwise(a, b_turned, type, op, meeting, target);
            ASSERT_EQ(entries_of(ours), theirs.entries)
                << "operator " << static_cast<int>(op) << ", round " << round;
        }
    }
}

} // namespace

} // namespace tropic
