// The parts of the reference evaluator that programs cannot reach one by one: arithmetic of each
// element type, and what formats store and print of a table. What programs mean as a whole is
// shown in tests/programs/.
#include <sstream>

#include <gtest/gtest.h>

#include "reference/print.h"

namespace tropic {

namespace {

using language::Operator;
using reference::Coordinates;
using reference::make_number;
using reference::Number;
using reference::Table;

std::int64_t whole(Operator op, std::int64_t a, std::int64_t b, ElementType type) {
    return reference::apply(op, make_number(type, a), make_number(type, b), type).integer;
}

double real(Operator op, double a, double b, ElementType type) {
    return reference::apply(op, make_number(type, a), make_number(type, b), type).real;
}

TEST(ReferenceNumber, integers_wrap_at_their_size) {
    EXPECT_EQ(whole(Operator::add, 127, 1, ElementType::int8), -128);
    EXPECT_EQ(whole(Operator::add, 255, 1, ElementType::uint8), 0);
    EXPECT_EQ(whole(Operator::subtract, 0, 1, ElementType::uint16), 65535);
    EXPECT_EQ(whole(Operator::multiply, 1 << 20, 1 << 20, ElementType::int32), 0);
    EXPECT_EQ(whole(Operator::add, std::numeric_limits<std::int64_t>::max(), 1, ElementType::int64),
              std::numeric_limits<std::int64_t>::min());
}

TEST(ReferenceNumber, integers_compare_with_their_sign) {
    EXPECT_EQ(whole(Operator::minimum, -1, 1, ElementType::int64), -1);
    EXPECT_EQ(whole(Operator::minimum, -1, 1, ElementType::uint64), 1); // -1 is the largest
    EXPECT_EQ(whole(Operator::maximum, -1, 1, ElementType::int8), 1);
}

TEST(ReferenceNumber, reals_round_to_their_type) {
    EXPECT_EQ(real(Operator::add, 16777216, 1, ElementType::float32), 16777216);
    EXPECT_EQ(real(Operator::add, 16777216, 1, ElementType::float64), 16777217);
    EXPECT_EQ(make_number(ElementType::float32, 0.1).real, static_cast<double>(0.1F));
    EXPECT_EQ(real(Operator::divide, 7, 2, ElementType::float64), 3.5);
}

TEST(ReferenceNumber, operators_of_semirings) {
    const ElementType type = ElementType::float64;
    EXPECT_EQ(real(Operator::first, 3, 4, type), 3);
    EXPECT_EQ(real(Operator::second, 3, 4, type), 4);
    EXPECT_EQ(real(Operator::any, 3, 4, type), 3);
    EXPECT_EQ(real(Operator::pair, 3, 0, type), 1);
    EXPECT_EQ(real(Operator::logical_or, 0, -2, type), 1);
    EXPECT_EQ(real(Operator::logical_or, 0, 0, type), 0);
    EXPECT_EQ(real(Operator::logical_and, 3, -2, type), 1);
    EXPECT_EQ(real(Operator::logical_and, 3, 0, type), 0);
}

TEST(ReferenceNumber, conversions_drop_fractions_and_stay_in_range) {
    const auto to = [](double value, ElementType type) { return make_number(type, value).integer; };
    EXPECT_EQ(to(2.9, ElementType::int32), 2);
    EXPECT_EQ(to(-2.9, ElementType::int32), -2);
    EXPECT_EQ(to(0.5, ElementType::boolean), 1);
    EXPECT_EQ(to(1e300, ElementType::int8), 127);
    EXPECT_EQ(to(-1e300, ElementType::uint8), 0);
}

Table sparse(std::vector<Index> shape, const std::map<Coordinates, double>& entries) {
    Table table{ElementType::float64, std::move(shape), false, {}};
    for (const auto& [at, value] : entries) table.entries[at] = {value, 0};
    return table;
}

std::string text_of(const Table& table, const Format& format) {
    std::ostringstream out;
    reference::print(out, stored_as(table, format), format);
    return out.str();
}

TEST(ReferenceTable, sparse_formats_keep_zeros_of_sparse_tables_only) {
    const Table table = sparse({2, 2}, {{{0, 1}, 0}, {{1, 0}, 3}});
    EXPECT_EQ(stored_as(table, Format::csr()).entries.size(), 2);
    const Table dense = stored_as(table, Format::dense(2));
    EXPECT_EQ(dense.entries.size(), 4);
    EXPECT_EQ(stored_as(dense, Format::csr()).entries.size(), 1);
}

TEST(ReferenceTable, dense_levels_at_the_end_are_filled) {
    const Format blocks = {{LevelKind::compressed, LevelKind::dense}, {0, 1}};
    const Table table = sparse({3, 2}, {{{2, 1}, 5}});
    EXPECT_EQ(text_of(table, blocks), "data = \n0,1,\ndata = \n2,\n"
                                      "data = \n2,\ndata = \n-1,\n"
                                      "data = \n0,5,\n");
}

TEST(ReferencePrint, levels_in_the_order_of_the_format) {
    const Table table = sparse({2, 3}, {{{0, 2}, 1}, {{1, 0}, 2}, {{1, 2}, -0.5}});
    EXPECT_EQ(text_of(table, Format::csc()), "data = \n3,\ndata = \n-1,\n"
                                             "data = \n0,1,1,3,\ndata = \n1,0,1,\n"
                                             "data = \n2,1,-0.5,\n");
    EXPECT_EQ(text_of(table, Format::dcsc()), "data = \n0,2,\ndata = \n0,2,\n"
                                              "data = \n0,1,3,\ndata = \n1,0,1,\n"
                                              "data = \n2,1,-0.5,\n");
    EXPECT_EQ(text_of(table, Format::coo()), "data = \n0,3,\ndata = \n0,1,1,\n"
                                             "data = \n-1,\ndata = \n2,0,2,\n"
                                             "data = \n1,2,-0.5,\n");
    EXPECT_EQ(text_of(table, Format::dense(2)), "data = \n0,0,1,2,0,-0.5,\n");
}

TEST(ReferencePrint, rank_three) {
    const Table table = sparse({2, 2, 2}, {{{1, 0, 0}, 1}, {{1, 0, 1}, 2}, {{1, 1, 1}, 3}});
    EXPECT_EQ(text_of(table, Format::csf(3)), "data = \n0,1,\ndata = \n1,\n"
                                              "data = \n0,2,\ndata = \n0,1,\n"
                                              "data = \n0,2,3,\ndata = \n0,1,1,\n"
                                              "data = \n1,2,3,\n");
    EXPECT_EQ(text_of(table, Format::coo(3)), "data = \n0,3,\ndata = \n1,1,1,\n"
                                              "data = \n-1,\ndata = \n0,0,1,\n"
                                              "data = \n-1,\ndata = \n0,1,1,\n"
                                              "data = \n1,2,3,\n");
}

} // namespace

} // namespace tropic
