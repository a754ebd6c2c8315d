#include "program/compiled_code.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graph/files/byte_sink.h"
#include "machines/cpu/kernel_cache.h"
#include "tropic/error.h"

namespace tropic::program {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        lines.emplace_back(text.substr(0, end));
        if (end == text.npos) break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

/// A folder for a shared object that is not kept.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::error_code error;
        std::string name = (fs::temp_directory_path(error) / "tropic-XXXXXX").string();
        if (error || mkdtemp(name.data()) == nullptr) {
            throw Error(ErrorCode::io,
                        fmt::format("no temporary directory can be made: {}", std::strerror(errno)),
                        "set TMPDIR to a directory that can be written to");
        }
        path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::string file(const char* name) const { return (path_ / name).string(); }

  private:
    fs::path path_;
};

CompiledCode told(std::unique_ptr<cpu::LoadedProgram> loaded, std::string origin,
                  std::vector<std::string> explained) {
    CompiledCode code{std::move(loaded), std::move(explained)};
    code.explanation.insert(code.explanation.begin(), std::move(origin));
    return code;
}

} // namespace

CompiledCode find_or_compile(const CodeRequest& request) {
    std::vector<std::string> remarks;
    if (request.cache) {
        const cpu::KernelCache cache(request.cache_directory);
        const std::string key = cache.usable() ? request.key() : "";
        if (const auto found = cache.find(key)) {
            // An entry that another process removed in the meantime is made again.
            if (auto loaded = cpu::LoadedProgram::load(found->file, request.symbol)) {
                return told(std::move(loaded),
                            fmt::format("compiled program found: {}", found->file),
                            lines_of(found->note));
            }
        }
        if (cache.usable()) {
            const std::string aside = cache.aside(key);
            const auto compiled = request.compile(aside);
            const auto kept =
                cache.keep(key, aside, fmt::format("{}", fmt::join(compiled.explained, "\n")));
            if (kept) {
                if (auto loaded = cpu::LoadedProgram::load(*kept, request.symbol)) {
                    return told(std::move(loaded), fmt::format("compiled and kept: {}", *kept),
                                compiled.explained);
                }
            }
        } else {
            remarks.push_back(fmt::format("no cache: {}", cache.refusal()));
        }
    }
    const TemporaryFolder folder;
    const std::string path = folder.file("program.so");
    const auto compiled = request.compile(path);
    auto loaded = cpu::LoadedProgram::load(path, request.symbol);
    if (!loaded) {
        throw Error(ErrorCode::internal, "the compiler made something that cannot be loaded");
    }
    CompiledCode code = told(std::move(loaded), "compiled and not kept", compiled.explained);
    code.explanation.insert(code.explanation.begin(), remarks.begin(), remarks.end());
    return code;
}

void write_through(const std::string& path, const Context& context,
                   const std::function<void(const std::string&)>& make) {
    const auto out = create_file(path, true, context);
    const TemporaryFolder folder;
    const std::string made = folder.file("program.so");
    make(made);
    std::ifstream in(made, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (!in.eof() && in.fail()) throw Error(ErrorCode::io, fmt::format("cannot read {}", made));
    out->write(bytes);
    out->commit();
}

} // namespace tropic::program
