#include "machines/cpu/kernel_cache.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "machines/cpu/runtime.h"

namespace tropic::cpu {

namespace {

constexpr std::string_view entry_suffix = ".so";
constexpr std::string_view aside_suffix = ".tmp";

/// Whoever wrote a file aside this long ago did not live to rename it.
constexpr std::int64_t stale_seconds = 3600;

/// Behind the bytes of a shared object. Written as it lies in memory: a cache belongs to one
/// machine.
struct Trailer {
    std::array<char, 8> magic;
    std::array<char, 32> key;
    std::uint64_t size; ///< of the shared object; the note is behind it
    std::array<unsigned char, 16> checksum;
};
constexpr std::array<char, 8> trailer_magic = {'T', 'R', 'O', 'P', 'I', 'C', 'K', '1'};

class File {
  public:
    File(const std::string& path, int flags) : descriptor_(open(path.c_str(), flags | O_CLOEXEC)) {}
    ~File() {
        if (descriptor_ >= 0) close(descriptor_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    explicit operator bool() const noexcept { return descriptor_ >= 0; }
    int descriptor() const noexcept { return descriptor_; }

    /// The whole file; empty if it cannot be read.
    std::string content() const {
        struct stat status{};
        if (fstat(descriptor_, &status) != 0 || status.st_size <= 0) return {};
        std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
        std::size_t done = 0;
        while (done < bytes.size()) {
            const ssize_t got = ::read(descriptor_, bytes.data() + done, bytes.size() - done);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) return {};
            done += static_cast<std::size_t>(got);
        }
        return bytes;
    }

    bool append(const void* data, std::size_t size) const {
        const auto* bytes = static_cast<const char*>(data);
        while (size > 0) {
            const ssize_t put = ::write(descriptor_, bytes, size);
            if (put < 0 && errno == EINTR) continue;
            if (put <= 0) return false;
            bytes += put;
            size -= static_cast<std::size_t>(put);
        }
        return true;
    }

  private:
    int descriptor_;
};

std::array<unsigned char, 16> checksum_of(std::string_view bytes) {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
    std::array<unsigned char, 16> checksum{};
    std::memcpy(checksum.data(), canonical.digest, checksum.size());
    return checksum;
}

/// The note of an entry, if it is the undamaged entry of that key.
std::optional<std::string> verified_note(const std::string& content, const std::string& key) {
    Trailer trailer{};
    if (content.size() <= sizeof(trailer)) return {};
    const std::size_t size = content.size() - sizeof(trailer);
    std::memcpy(&trailer, content.data() + size, sizeof(trailer));
    if (trailer.magic != trailer_magic || trailer.size > size ||
        std::string_view(trailer.key.data(), trailer.key.size()) != key ||
        trailer.checksum != checksum_of({content.data(), size})) {
        return {};
    }
    return content.substr(trailer.size, size - trailer.size);
}

/// Ours alone to write: otherwise somebody else could make us run their code.
bool is_private(const struct stat& status) {
    return status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Makes a directory and those above it.
bool make_directories(const std::string& path) {
    constexpr mode_t owner_only = 0700;
    if (mkdir(path.c_str(), owner_only) == 0 || errno == EEXIST) return true;
    if (errno != ENOENT) return false;
    const auto slash = path.find_last_of('/');
    if (slash == std::string::npos || slash == 0) return false;
    return make_directories(path.substr(0, slash)) &&
           (mkdir(path.c_str(), owner_only) == 0 || errno == EEXIST);
}

/// Why a directory must not be used; empty: it may.
std::string refusal_of(const std::string& directory) {
    if (directory.empty()) return "neither TROPIC_CACHE_DIR nor XDG_CACHE_HOME nor HOME is set";
    if (!make_directories(directory)) {
        return fmt::format("{} cannot be made: {}", directory, std::strerror(errno));
    }
    struct stat status{};
    if (lstat(directory.c_str(), &status) != 0) {
        return fmt::format("{} cannot be used: {}", directory, std::strerror(errno));
    }
    if (!S_ISDIR(status.st_mode)) return fmt::format("{} is not a directory", directory);
    if (status.st_uid != geteuid()) return fmt::format("{} belongs to somebody else", directory);
    if (!is_private(status)) {
        return fmt::format("{} can be written to by others (chmod 700 helps)", directory);
    }
    return {};
}

std::string environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

/// Calls action(path, status) for every regular file with that suffix.
template <class Action>
void for_each_file(const std::string& directory, std::string_view suffix, const Action& action) {
    DIR* const listing = opendir(directory.c_str());
    if (listing == nullptr) return;
    while (const dirent* const item = readdir(listing)) {
        const std::string_view name = item->d_name;
        if (!name.ends_with(suffix)) continue;
        const std::string path = directory + "/" + std::string(name);
        struct stat status{};
        if (lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) action(path, status);
    }
    closedir(listing);
}

} // namespace

CacheKey::CacheKey() {
    add(static_cast<std::uint64_t>(runtime_version));
}

void CacheKey::add(std::string_view part) {
    add(part.size());
    parts_ += part;
}

void CacheKey::add(std::uint64_t number) {
    parts_.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

std::string CacheKey::text() const {
    const XXH128_hash_t hash = XXH3_128bits(parts_.data(), parts_.size());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

KernelCache::KernelCache(std::string directory, std::uint64_t limit)
    : directory_(directory.empty() ? default_directory() : std::move(directory)), limit_(limit),
      refusal_(refusal_of(directory_)) {}

std::string KernelCache::default_directory() {
    if (std::string own = environment("TROPIC_CACHE_DIR"); !own.empty()) return own;
    // A relative path is no base directory, says the specification.
    if (std::string base = environment("XDG_CACHE_HOME"); base.starts_with('/')) {
        return base + "/tropic";
    }
    if (std::string home = environment("HOME"); !home.empty()) return home + "/.cache/tropic";
    return {};
}

std::optional<KernelCache::Found> KernelCache::find(const std::string& key) const {
    if (!usable()) return {};
    std::string path = directory_ + "/" + key + std::string(entry_suffix);
    const File file(path, O_RDONLY | O_NOFOLLOW);
    struct stat status{};
    if (!file || fstat(file.descriptor(), &status) != 0 || !S_ISREG(status.st_mode) ||
        !is_private(status)) {
        return {};
    }
    auto note = verified_note(file.content(), key);
    if (!note) return {};
    // The time of the last change serves as that of the last use.
    futimens(file.descriptor(), nullptr);
    return Found{std::move(path), std::move(*note)};
}

std::string KernelCache::aside(const std::string& key) const {
    static std::atomic<unsigned> count{0};
    return fmt::format("{}/{}.{}.{}{}", directory_, key, getpid(), count.fetch_add(1),
                       aside_suffix);
}

std::optional<std::string> KernelCache::keep(const std::string& key, const std::string& written,
                                             std::string_view note) const {
    const auto give_up = [&]() -> std::optional<std::string> {
        unlink(written.c_str());
        return {};
    };
    if (!usable()) return give_up();
    {
        const File file(written, O_RDWR | O_APPEND);
        if (!file) return give_up();
        std::string content = file.content();
        Trailer trailer{};
        trailer.magic = trailer_magic;
        std::copy_n(key.begin(), std::min(key.size(), trailer.key.size()), trailer.key.begin());
        trailer.size = content.size();
        content += note;
        trailer.checksum = checksum_of(content);
        constexpr mode_t owner_only = 0700;
        if (trailer.size == 0 || !file.append(note.data(), note.size()) ||
            !file.append(&trailer, sizeof(trailer)) || fchmod(file.descriptor(), owner_only) != 0) {
            return give_up();
        }
    }
    std::string path = directory_ + "/" + key + std::string(entry_suffix);
    if (std::rename(written.c_str(), path.c_str()) != 0) return give_up();
    evict(path);
    return path;
}

std::vector<KernelCache::Entry> KernelCache::entries() const {
    std::vector<Entry> found;
    if (!usable()) return found;
    for_each_file(
        directory_, entry_suffix, [&](const std::string& path, const struct stat& status) {
            constexpr std::int64_t nanoseconds = 1'000'000'000;
            found.push_back({path, static_cast<std::uint64_t>(status.st_size),
                             status.st_mtim.tv_sec * nanoseconds + status.st_mtim.tv_nsec});
        });
    std::sort(found.begin(), found.end(),
              [](const Entry& a, const Entry& b) { return a.used < b.used; });
    return found;
}

void KernelCache::evict(const std::string& kept) const {
    const std::vector<Entry> all = entries();
    std::uint64_t total = 0;
    for (const Entry& entry : all) total += entry.bytes;
    for (const Entry& entry : all) {
        if (total <= limit_) break;
        if (entry.file == kept) continue;
        unlink(entry.file.c_str());
        total -= entry.bytes;
    }
    const std::int64_t now = std::time(nullptr);
    for_each_file(directory_, aside_suffix,
                  [&](const std::string& path, const struct stat& status) {
                      if (status.st_mtim.tv_sec + stale_seconds < now) unlink(path.c_str());
                  });
}

std::size_t KernelCache::clear() const {
    std::size_t removed = 0;
    for (const Entry& entry : entries()) removed += unlink(entry.file.c_str()) == 0 ? 1 : 0;
    if (!usable()) return removed;
    for_each_file(directory_, aside_suffix,
                  [](const std::string& path, const struct stat&) { unlink(path.c_str()); });
    return removed;
}

} // namespace tropic::cpu
