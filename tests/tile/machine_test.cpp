// Machines by name and from files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../temporary_folder.h"
#include "machines/tile/machine.h"
#include "tropic/error.h"

namespace tropic::tile {

using testing::HasSubstr;

namespace {

class MachineFile : public testing::Test {
  protected:
    std::string write(const std::string& text) { return folder_.write("machine.txt", text); }
    std::string refusal(const std::string& text) {
        try {
            find_machine(write(text));
        } catch (const Error& error) {
            return error.what();
        }
        ADD_FAILURE() << "accepted: " << text;
        return {};
    }

  private:
    test::TemporaryFolder folder_;
};

} // namespace

TEST(Machine, NamesSayKindAndNumberOfChips) {
    EXPECT_EQ(find_machine("gc2").tiles(), 1216U);
    EXPECT_EQ(find_machine("gc200").bytes_per_tile, 624U * 1024);
    EXPECT_EQ(find_machine("bow").clock_hz, 1.85e9);
    const Machine four = find_machine("gc200x4");
    EXPECT_EQ(four.chips, 4U);
    EXPECT_EQ(four.tiles(), 4U * 1472);
    for (const char* wrong : {"gc3", "gc200x0", "gc200x", "gc200x9999", "", "x4"}) {
        EXPECT_THROW(find_machine(wrong), Error) << wrong;
    }
}

TEST(Machine, EveryFigureHasANameAMeaningAndASource) {
    const auto parameters = machine_parameters();
    std::size_t members = 0;
    for (const MachineParameter& parameter : parameters) {
        EXPECT_FALSE(parameter.name.empty());
        EXPECT_FALSE(parameter.meaning.empty());
        EXPECT_FALSE(parameter.source.empty());
        members += parameter.of(find_machine("gc200")) >= 0 ? 1 : 0;
    }
    EXPECT_EQ(members, parameters.size());
}

TEST_F(MachineFile, TakesABaseAndWhatDiffers) {
    const Machine machine = find_machine(
        write("# a small one\nbase = bow\ntiles_per_chip = 16 # few\n\nsync_cycles=7\n"));
    EXPECT_EQ(machine.name, "machine");
    EXPECT_EQ(machine.tiles(), 16U);
    EXPECT_EQ(machine.sync_cycles, 7U);
    EXPECT_EQ(machine.clock_hz, 1.85e9);
}

TEST_F(MachineFile, SaysWhichLineIsWrong) {
    EXPECT_THAT(refusal("tiles_per_chip = 4\nsync_cycle = 1\n"), HasSubstr(":2"));
    EXPECT_THAT(refusal("sync_cycle = 1\n"), HasSubstr("did you mean sync_cycles"));
    EXPECT_THAT(refusal("workers = many\n"), HasSubstr("'many' is not a number"));
    EXPECT_THAT(refusal("workers = 2.5\n"), HasSubstr("2.5"));
    EXPECT_THAT(refusal("workers = 0\n"), HasSubstr("0 workers"));
    EXPECT_THAT(refusal("workers\n"), HasSubstr("parameter = value"));
    EXPECT_THAT(refusal("workers = 6\nbase = gc2\n"), HasSubstr("first line"));
    EXPECT_THAT(refusal("base = gc9\n"), HasSubstr("gc9"));
    EXPECT_THAT(refusal("bytes_per_tile = -4\n"), HasSubstr("-4"));
    EXPECT_THAT(refusal("tiles_per_chip = 99999999\n"), HasSubstr("tiles"));
    EXPECT_THAT(refusal("clock_hz = 0\n"), HasSubstr("clock"));
}

} // namespace tropic::tile
