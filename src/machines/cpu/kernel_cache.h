// Compiled programs kept on disk, so that a program that ran before starts without its compiler.
// An entry is a shared object with a note (what the compiler had to say) and a trailer behind it:
// key, size and checksum. Whatever does not verify is as good as not there. Entries are written
// aside and renamed, so any number of processes may share a directory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tropic::cpu {

/// Collects what a compiled program depends on; the order of additions matters.
class CacheKey {
  public:
    CacheKey();

    void add(std::string_view part);
    void add(std::uint64_t number);

    /// 32 hexadecimal digits.
    std::string text() const;

  private:
    std::string parts_;
};

/// The processor's model and features, as far as they decide what code it can run.
std::string processor_identity();

class KernelCache {
  public:
    static constexpr std::uint64_t default_limit = 256'000'000;

    /// Uses `directory`, or `default_directory()` if empty, and makes it if it is not there. A
    /// directory that others could write to, or that cannot be made, is not used: `refusal` says
    /// why.
    explicit KernelCache(std::string directory = {}, std::uint64_t limit = default_limit);

    /// $TROPIC_CACHE_DIR, $XDG_CACHE_HOME/tropic or ~/.cache/tropic; empty if none is set.
    static std::string default_directory();

    const std::string& directory() const noexcept { return directory_; }

    /// Why the cache is not used; empty: it is.
    const std::string& refusal() const noexcept { return refusal_; }
    bool usable() const noexcept { return refusal_.empty(); }

    struct Found {
        std::string file;
        std::string note;
    };
    /// An entry, verified, and now the most recently used; none if there is none.
    std::optional<Found> find(const std::string& key) const;

    /// A new name in the directory to write a shared object to before it is kept.
    std::string aside(const std::string& key) const;

    /// Makes the shared object in file `written` the entry of that key and returns its file; old
    /// entries go where the limit wants it. None if the disk refuses; `written` is gone then.
    std::optional<std::string> keep(const std::string& key, const std::string& written,
                                    std::string_view note = {}) const;

    struct Entry {
        std::string file;
        std::uint64_t bytes = 0;
        std::int64_t used = 0; ///< nanoseconds since the epoch
    };
    /// All entries, least recently used first.
    std::vector<Entry> entries() const;

    /// Removes all entries; returns how many.
    std::size_t clear() const;

  private:
    void evict(const std::string& kept) const;

    std::string directory_;
    std::uint64_t limit_;
    std::string refusal_;
};

} // namespace tropic::cpu
