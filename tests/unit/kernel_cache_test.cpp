// The cache of compiled programs: what is found again, what is refused, what is thrown away, and
// what several writers do to each other.
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machines/cpu/kernel_cache.h"
#include "temporary_folder.h"

namespace tropic::cpu {

namespace {

namespace fs = std::filesystem;

void write_file(const std::string& path, const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
}

std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string key_of(std::string_view text) {
    CacheKey key;
    key.add(text);
    return key.text();
}

std::string kept(const KernelCache& cache, const std::string& key, const std::string& content) {
    const std::string aside = cache.aside(key);
    write_file(aside, content);
    return cache.keep(key, aside, "a note").value();
}

void set_age(const std::string& path, int seconds) {
    const timespec times[2] = {{std::time(nullptr) - seconds, 0},
                               {std::time(nullptr) - seconds, 0}};
    ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

struct CacheTest : ::testing::Test {
    test::TemporaryFolder folder;
    std::string directory = folder.file("a/cache");
    KernelCache cache{directory};
};

TEST_F(CacheTest, FindsWhatWasKept) {
    const std::string key = key_of("program");
    EXPECT_TRUE(cache.usable()) << cache.refusal();
    EXPECT_FALSE(cache.find(key));
    const std::string path = kept(cache, key, "shared object");
    EXPECT_EQ(cache.find(key)->file, path);
    EXPECT_EQ(cache.find(key)->note, "a note");
    EXPECT_TRUE(read_file(path).starts_with("shared object"));
    EXPECT_FALSE(cache.find(key_of("another")));
    EXPECT_EQ(cache.entries().size(), 1u);
    EXPECT_EQ(KernelCache(directory).find(key)->file, path);
    struct stat status{};
    ASSERT_EQ(stat(directory.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700u);
    EXPECT_EQ(cache.clear(), 1u);
    EXPECT_FALSE(cache.find(key));
}

TEST_F(CacheTest, KeysDifferInEveryPart) {
    std::set<std::string> keys;
    for (const auto& parts : std::vector<std::vector<std::string>>{
             {"a", "b"}, {"ab", ""}, {"", "ab"}, {"a", "b", ""}, {"b", "a"}}) {
        CacheKey key;
        for (const std::string& part : parts) key.add(part);
        keys.insert(key.text());
    }
    EXPECT_EQ(keys.size(), 5u);
    EXPECT_EQ(key_of("x").size(), 32u);
    EXPECT_EQ(key_of("x"), key_of("x"));
    EXPECT_EQ(processor_identity(), processor_identity());
    EXPECT_GT(processor_identity().size(), 8u);
}

TEST_F(CacheTest, IgnoresDamagedEntries) {
    const std::string key = key_of("program");
    const std::string path = kept(cache, key, "shared object");
    const std::string good = read_file(path);
    for (std::size_t at = 0; at < good.size(); ++at) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 0x40);
        write_file(path, bad);
        EXPECT_FALSE(cache.find(key)) << at;
        write_file(path, good.substr(0, at));
        EXPECT_FALSE(cache.find(key)) << at;
    }
    write_file(path, good + "x");
    EXPECT_FALSE(cache.find(key));
    write_file(path, good);
    EXPECT_TRUE(cache.find(key));
    // The entry of another key under this name.
    const std::string other = key_of("other");
    fs::copy_file(kept(cache, other, "other object"), path, fs::copy_options::overwrite_existing);
    EXPECT_FALSE(cache.find(key));
    // Keeping repairs.
    kept(cache, key, "shared object");
    EXPECT_TRUE(cache.find(key));
}

TEST_F(CacheTest, RefusesWhatOthersCanWrite) {
    const std::string key = key_of("program");
    const std::string path = kept(cache, key, "shared object");
    ASSERT_EQ(chmod(path.c_str(), 0722), 0);
    EXPECT_FALSE(cache.find(key));
    ASSERT_EQ(chmod(path.c_str(), 0700), 0);
    EXPECT_TRUE(cache.find(key));
    fs::rename(path, directory + "/elsewhere");
    fs::create_symlink(directory + "/elsewhere", path);
    EXPECT_FALSE(cache.find(key));
    ASSERT_EQ(chmod(directory.c_str(), 0770), 0);
    const KernelCache open(directory);
    EXPECT_FALSE(open.usable());
    EXPECT_NE(open.refusal().find("can be written to by others"), std::string::npos);
    EXPECT_FALSE(open.find(key));
    EXPECT_TRUE(open.entries().empty());
    ASSERT_EQ(chmod(directory.c_str(), 0700), 0);
}

TEST_F(CacheTest, RefusesDirectoriesItCannotHave) {
    if (geteuid() == 0) {
        ASSERT_EQ(chown(directory.c_str(), 12345, static_cast<gid_t>(-1)), 0);
        EXPECT_NE(KernelCache(directory).refusal().find("somebody else"), std::string::npos);
    }
    const std::string file = folder.file("file");
    write_file(file, "");
    EXPECT_NE(KernelCache(file).refusal().find("not a directory"), std::string::npos);
    EXPECT_NE(KernelCache(file + "/below").refusal().find("cannot be made"), std::string::npos);
    EXPECT_FALSE(KernelCache(file).keep(key_of("x"), folder.file("nothing")));
}

TEST_F(CacheTest, ThrowsTheLeastRecentlyUsedAway) {
    const KernelCache small(directory, 1000);
    const std::string object(290, 'x');
    std::vector<std::string> paths;
    for (int k = 0; k < 2; ++k) {
        paths.push_back(kept(small, key_of(std::to_string(k)), object));
        set_age(paths.back(), 100 - k);
    }
    // Used just now: the other one is older from here on.
    EXPECT_TRUE(small.find(key_of("0")));
    kept(small, key_of("2"), object);
    EXPECT_TRUE(small.find(key_of("0")));
    EXPECT_FALSE(small.find(key_of("1")));
    EXPECT_TRUE(small.find(key_of("2")));
    // What was just kept stays, however large.
    kept(small, key_of("3"), std::string(5000, 'y'));
    EXPECT_TRUE(small.find(key_of("3")));
    EXPECT_EQ(small.entries().size(), 1u);
    // Leftovers of writers that died.
    write_file(directory + "/old.tmp", "x");
    set_age(directory + "/old.tmp", 7200);
    write_file(directory + "/new.tmp", "x");
    kept(small, key_of("4"), object);
    EXPECT_FALSE(fs::exists(directory + "/old.tmp"));
    EXPECT_TRUE(fs::exists(directory + "/new.tmp"));
}

TEST_F(CacheTest, ManyWritersAndReaders) {
    const auto work = [&](int seed) {
        const KernelCache own(directory, 4000);
        bool right = true;
        for (int round = 0; round < 200; ++round) {
            const std::string name = std::to_string((round * 7 + seed) % 12);
            const std::string key = key_of(name);
            if (const auto found = own.find(key)) {
                const std::string content = read_file(found->file);
                // It may have been thrown away in the meantime, but never be half there.
                right = right && (content.empty() || content.starts_with("object " + name));
            } else {
                const std::string aside = own.aside(key);
                write_file(aside, "object " + name + std::string(400, '.'));
                own.keep(key, aside);
            }
        }
        return right;
    };
    const pid_t child = fork();
    if (child == 0) _exit(work(3) ? 0 : 1);
    std::thread other([&] { EXPECT_TRUE(work(1)); });
    EXPECT_TRUE(work(2));
    other.join();
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    for (const auto& file : fs::directory_iterator(directory)) {
        EXPECT_EQ(file.path().extension(), ".so");
    }
}

} // namespace

} // namespace tropic::cpu
