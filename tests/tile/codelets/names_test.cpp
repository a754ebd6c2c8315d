// Which classes are vertices, and under which names they are found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vertex_state.h"

namespace tropic::tile::test {

namespace {

TEST(CodeletNames, ClassesOfAFile) {
    const auto library = compile_text(R"(
#include <poplar/Vertex.hpp>

enum class Op { add, multiply };

namespace outer::inner {
class Plain : public poplar::Vertex {
  public:
    poplar::Output<int> out;
    bool compute() { *out = 1; return true; }
};
} // namespace outer::inner

// A base without compute is no vertex; what inherits compute is one.
class Base : public poplar::Vertex {
  public:
    poplar::Output<int> out;
  protected:
    int bias;
};
class Derived : public Base {
  public:
    auto compute() -> bool { *out = 2 + bias; return true; }
};
class Further : public Derived {
  public:
    int unused;
};

// Templates are vertices where they are instantiated by name, with all kinds of arguments.
template <typename T, bool negative, Op op> class Multi : public poplar::MultiVertex {
  public:
    poplar::Output<T> out;
    bool compute(unsigned worker) {
        *out = T(negative ? -T(worker) : T(worker)) * (op == Op::multiply ? 2 : 1);
        return true;
    }
};
template class Multi<float, true, Op::add>;
template class Multi<unsigned int, false, Op::multiply>;
template class Multi<half, false, Op::add>;

template <class T> class Shared : public poplar::Vertex {
  public:
    poplar::Output<T> out;
    void compute() { *out = T(4); }
};
class OfFloat : public Shared<float> {};

namespace {
class Hidden : public poplar::SupervisorVertex {
  public:
    poplar::Output<int> out;
    __attribute__((target("supervisor"))) bool compute() { out = 5; return true; }
};
} // namespace

// Written out for one type; with a constructor that nothing defines, as some programs have it.
template <> class Shared<short> : public poplar::Vertex {
  public:
    Shared();
    poplar::Output<short> out;
    void compute() { *out = 6; }
};

struct NotAVertex { int compute(); };
)");
    std::vector<std::string> names;
    for (const VertexType& type : library->types()) names.push_back(type.name);
    EXPECT_THAT(names, testing::UnorderedElementsAre(
                           "outer::inner::Plain", "Derived", "Further", "Multi<float,true,Op::add>",
                           "Multi<unsigned int,false,Op::multiply>", "Multi<half,false,Op::add>",
                           "OfFloat", "Hidden", "Shared<short>"));
    int out = 0;
    float real = 0;
    const auto run = [&](const char* name) {
        out = 0;
        VertexState(library, name).connect("out", out).run();
        return out;
    };
    EXPECT_EQ(run("outer::inner::Plain"), 1);
    EXPECT_EQ(run("Derived"), 2);
    EXPECT_EQ(run("Further"), 2);
    EXPECT_EQ(run("Hidden"), 5);
    EXPECT_EQ(VertexState(library, "Derived").set("bias", 40).connect("out", out).run() > 0, true);
    EXPECT_EQ(out, 42);
    VertexState(library, "OfFloat").connect("out", real).run();
    EXPECT_EQ(real, 4.0F);
    VertexState(library, "Multi<float, true, Op::add>").connect("out", real).run(3);
    EXPECT_EQ(real, -3.0F);

    EXPECT_EQ(library->find("Hidden")->kind, VertexKind::supervisor);
    EXPECT_EQ(library->find("Derived")->kind, VertexKind::worker);
    const VertexType* const multi = library->find("Multi<unsigned,false,Op::multiply>");
    ASSERT_NE(multi, nullptr);
    EXPECT_EQ(multi->kind, VertexKind::multi);
    EXPECT_EQ(multi, library->find("Multi< unsigned int , false , Op::multiply >"));
    EXPECT_EQ(library->find("Multi<float,true>"), nullptr);
    EXPECT_EQ(library->find("Plain"), nullptr);
    EXPECT_EQ(library->find("Base"), nullptr);
}

} // namespace

} // namespace tropic::tile::test
