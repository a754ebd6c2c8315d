// load_codelets: from the cache if what was compiled before is still right, from the compiler
// otherwise. The cache has two entries for a set of files: under the key of the files themselves,
// the list of headers they include; under the key of those too, the compiled code.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "machines/cpu/kernel_cache.h"
#include "machines/tile/codelet.h"
#include "machines/tile/codelets/compile.h"
#include "machines/tile/codelets/library.h"
#include "machines/tile/codelets/toolchain.h"
#include "tropic/error.h"

namespace tropic::tile {

namespace {

namespace fs = std::filesystem;
using cpu::CacheKey;
using cpu::KernelCache;

/// Changes whenever what is kept in the cache does.
constexpr std::uint64_t format_version = 4;

class WorkingDirectory {
  public:
    WorkingDirectory() {
        std::string name = (fs::temp_directory_path() / "tropic-codelets-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) {
            throw Error(ErrorCode::io, fmt::format("no directory can be made like {}", name),
                        "set TMPDIR to a directory with some space");
        }
        path_ = name;
    }
    ~WorkingDirectory() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    WorkingDirectory(const WorkingDirectory&) = delete;
    WorkingDirectory& operator=(const WorkingDirectory&) = delete;

    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

std::string content_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// What the compiled code depends on apart from headers.
CacheKey key_of(const CodeletOptions& options, std::span<const codelets::SourceText> sources) {
    CacheKey key;
    key.add("codelets");
    key.add(format_version);
    key.add(codelets::Toolchain::instance().identity);
    key.add(options.checked ? 1 : 0);
    key.add(options.flags.size());
    for (const std::string& flag : options.flags) {
        key.add(flag);
        // A relative directory means another one elsewhere.
        if (flag.starts_with("-I") && !flag.starts_with("-I/"))
            key.add(fs::current_path().string());
    }
    const char* const costs = std::getenv("TROPIC_INSTRUCTION_COSTS");
    if (costs != nullptr && *costs != '\0') key.add(content_of(costs));
    for (const codelets::SourceText& source : sources) {
        key.add(source.name);
        key.add(source.directory);
        key.add(source.text);
    }
    return key;
}

/// Of the system's headers and ours the date will do; a program's own are read.
std::string fingerprint(const std::string& file) {
    struct stat status{};
    if (stat(file.c_str(), &status) != 0) return "none";
    const bool installed =
        file.starts_with("/usr/") || file.starts_with(codelets::Toolchain::instance().include);
    if (installed) {
        return fmt::format("{} {}.{}", status.st_size, status.st_mtim.tv_sec,
                           status.st_mtim.tv_nsec);
    }
    const std::string content = content_of(file);
    const XXH128_hash_t hash = XXH3_128bits(content.data(), content.size());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string code_key(CacheKey key, const std::vector<std::string>& headers) {
    for (const std::string& header : headers) {
        key.add(header);
        key.add(fingerprint(header));
    }
    return key.text();
}

/// Keeps a note in the cache under a key of its own.
void keep_note(const KernelCache& cache, const std::string& key, const std::string& note) {
    if (!cache.usable()) return;
    const std::string aside = cache.aside(key);
    std::ofstream(aside, std::ios::binary) << "headers";
    cache.keep(key, aside, note);
}

/// Libraries in use, by the key of their code, so that one is not loaded twice.
class OpenLibraries {
  public:
    std::shared_ptr<CodeletLibrary> find(const std::string& key) {
        const std::scoped_lock lock(mutex_);
        const auto found = open_.find(key);
        return found == open_.end() ? nullptr : found->second.lock();
    }

    void add(const std::string& key, const std::shared_ptr<CodeletLibrary>& library) {
        const std::scoped_lock lock(mutex_);
        std::erase_if(open_, [](const auto& item) { return item.second.expired(); });
        open_[key] = library;
    }

    /// Held while the files of that key are compiled, so that others wait for the result.
    std::shared_ptr<std::mutex> turn(const std::string& key) {
        const std::scoped_lock lock(mutex_);
        std::erase_if(turns_, [](const auto& item) { return item.second.use_count() == 1; });
        std::shared_ptr<std::mutex>& turn = turns_[key];
        if (!turn) turn = std::make_shared<std::mutex>();
        return turn;
    }

  private:
    std::mutex mutex_;
    std::map<std::string, std::weak_ptr<CodeletLibrary>> open_;
    std::map<std::string, std::shared_ptr<std::mutex>> turns_;
};

OpenLibraries& open_libraries() {
    static OpenLibraries instance;
    return instance;
}

std::shared_ptr<CodeletLibrary> from_cache(const KernelCache& cache, const CacheKey& key) {
    const auto headers = cache.find(key.text());
    if (!headers) return nullptr;
    const auto list = nlohmann::json::parse(headers->note, nullptr, false);
    if (list.is_discarded()) return nullptr;
    const std::string code = code_key(key, list.get<std::vector<std::string>>());
    if (auto open = open_libraries().find(code)) return open;
    const auto found = cache.find(code);
    if (!found) return nullptr;
    const auto vertices = nlohmann::json::parse(found->note, nullptr, false);
    if (vertices.is_discarded()) return nullptr;
    auto library = codelets::open_library(found->file, vertices);
    if (library) open_libraries().add(code, library);
    return library;
}

std::shared_ptr<CodeletLibrary> compiled(const KernelCache& cache, const CacheKey& key,
                                         const CodeletOptions& options,
                                         std::span<const codelets::SourceText> sources) {
    const WorkingDirectory directory;
    codelets::Compiled code =
        codelets::compile(sources, options.flags, options.checked, directory.path());
    const std::string kept_as = code_key(key, code.dependencies);
    std::string file = code.shared_object;
    if (cache.usable()) {
        const std::string aside = cache.aside(kept_as);
        std::error_code failed;
        fs::copy_file(code.shared_object, aside, failed);
        if (!failed) {
            if (auto kept = cache.keep(kept_as, aside, code.vertices.dump())) {
                file = std::move(*kept);
                keep_note(cache, key.text(), nlohmann::json(code.dependencies).dump());
            }
        }
    }
    auto library = codelets::open_library(file, code.vertices);
    if (!library) {
        const char* const reason = dlerror();
        throw Error(ErrorCode::internal,
                    fmt::format("compiled codelets of {} cannot be loaded: {}", sources[0].name,
                                reason == nullptr ? "an entry is missing" : reason));
    }
    open_libraries().add(kept_as, library);
    return library;
}

} // namespace

std::shared_ptr<CodeletLibrary> load_codelets(const CodeletOptions& options) {
    std::vector<codelets::SourceText> sources;
    sources.reserve(options.files.size() + 1);
    for (const std::string& file : options.files) sources.push_back(codelets::read_source(file));
    if (!options.source.empty()) sources.push_back({"codelets.cpp", options.source, ""});
    if (sources.empty()) {
        throw Error(ErrorCode::usage, "there is no codelet to compile",
                    "give a file, or the source itself");
    }
    const CacheKey key = key_of(options, sources);
    const std::shared_ptr<std::mutex> turn = open_libraries().turn(key.text());
    const std::scoped_lock lock(*turn);
    const KernelCache cache;
    if (auto found = from_cache(cache, key)) return found;
    return compiled(cache, key, options, sources);
}

} // namespace tropic::tile
