// Compiled codelets are found again, and only then: what they depend on must be the same.
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "machines/cpu/kernel_cache.h"
#include "temporary_folder.h"
#include "tropic/error.h"
#include "vertex_state.h"

namespace tropic::tile::test {

namespace {

struct CodeletCache : ::testing::Test {
    tropic::test::TemporaryFolder folder;
    std::string directory = folder.file("cache");
    std::string before =
        std::getenv("TROPIC_CACHE_DIR") == nullptr ? "" : std::getenv("TROPIC_CACHE_DIR");
    CodeletOptions options;

    CodeletCache() {
        setenv("TROPIC_CACHE_DIR", directory.c_str(), 1);
        folder.write("value.h", "const int value = 1;\n");
        options.files = {folder.write("codelet.cpp", R"(
#include <poplar/Vertex.hpp>
#include "value.h"
#ifndef EXTRA
#define EXTRA 0
#endif
class Value : public poplar::Vertex {
  public:
    poplar::Output<int> out;
    void compute() { *out = value + EXTRA; }
};
)")};
    }
    ~CodeletCache() override {
        if (before.empty()) {
            unsetenv("TROPIC_CACHE_DIR");
        } else {
            setenv("TROPIC_CACHE_DIR", before.c_str(), 1);
        }
        unsetenv("TMPDIR");
    }

    int value() const {
        int out = 0;
        VertexState state(load_codelets(options), "Value");
        state.connect("out", out).run();
        return out;
    }

    /// Compiling needs a place for its files; without one only the cache can answer.
    void forbid_compiling() const { setenv("TMPDIR", folder.file("nowhere").c_str(), 1); }
    static void allow_compiling() { unsetenv("TMPDIR"); }
};

TEST_F(CodeletCache, AnswersWithoutTheCompiler) {
    EXPECT_EQ(value(), 1);
    forbid_compiling();
    EXPECT_EQ(value(), 1);
    options.flags = {"-DEXTRA=5"};
    EXPECT_ANY_THROW(value());
    allow_compiling();
    EXPECT_EQ(value(), 6);
    forbid_compiling();
    EXPECT_EQ(value(), 6);
    options.flags.clear();
    EXPECT_EQ(value(), 1);
    options.checked = true;
    EXPECT_ANY_THROW(value());
}

TEST_F(CodeletCache, SeesThatAHeaderHasChanged) {
    const auto held = load_codelets(options);
    EXPECT_EQ(value(), 1);
    folder.write("value.h", "const int value = 2;\n");
    EXPECT_EQ(value(), 2);
    // And back: that was compiled before.
    folder.write("value.h", "const int value = 1;\n");
    EXPECT_EQ(value(), 1);
}

TEST_F(CodeletCache, RebuildsWhatIsDamaged) {
    EXPECT_EQ(value(), 1);
    for (const auto& entry : cpu::KernelCache(directory).entries()) {
        std::ofstream(entry.file, std::ios::binary | std::ios::in) << "damage";
    }
    forbid_compiling();
    EXPECT_ANY_THROW(value());
    allow_compiling();
    EXPECT_EQ(value(), 1);
    forbid_compiling();
    EXPECT_EQ(value(), 1);
}

TEST_F(CodeletCache, IsNotNeeded) {
    // Somebody else could write here, so the directory is not used.
    std::filesystem::create_directory(directory);
    std::filesystem::permissions(directory, std::filesystem::perms::all);
    EXPECT_EQ(value(), 1);
    EXPECT_TRUE(std::filesystem::is_empty(directory));
    forbid_compiling();
    EXPECT_ANY_THROW(value());
}

} // namespace

} // namespace tropic::tile::test
