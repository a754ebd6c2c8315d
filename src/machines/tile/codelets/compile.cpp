#include "machines/tile/codelets/compile.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "machines/tile/codelets/messages.h"
#include "machines/tile/codelets/process.h"
#include "machines/tile/codelets/toolchain.h"
#include "tropic/error.h"

namespace tropic::tile::codelets {

namespace {

/// The files of one translation unit in the working directory.
struct UnitFiles {
    std::string source;
    std::string object;
    std::string findings;
    std::string dependencies;
};

UnitFiles files_of(const std::string& directory, std::size_t index) {
    const std::string stem = fmt::format("{}/{}", directory, index);
    return {stem + ".cpp", stem + ".o", stem + ".json", stem + ".d"};
}

/// Chooses a processor that the vendor's compiler knows and the host's does not.
bool names_a_target(const std::string& flag) {
    for (const char* start : {"--target=", "-target=", "-march=", "-mcpu=", "-mtune="}) {
        if (flag.starts_with(start)) return true;
    }
    return false;
}

std::vector<std::string> command_of(const SourceText& source, const UnitFiles& files,
                                    const std::vector<std::string>& flags, bool checked) {
    const Toolchain& tools = Toolchain::instance();
    std::vector<std::string> command = {tools.clang, "-x", "c++", "-std=c++17", "-O2"};
    const auto add = [&](std::initializer_list<std::string> more) {
        command.insert(command.end(), more);
    };
    add({"-isystem", tools.include, "-include", "ipu_builtins.h"});
    add({"-D__IPU__=1", "-D__IPU_ARCH_VERSION__=2", "-D__POPC__=1"});
    if (!source.directory.empty()) add({"-iquote", source.directory});
    for (const std::string& flag : flags) {
        if (!names_a_target(flag)) command.push_back(flag);
    }
    // One processor for every host: the code that is counted must not depend on where it is
    // compiled, and the plainest runs everywhere.
    add({"--target=x86_64-linux-gnu", "-march=x86-64", "-mtune=generic"});
    // A worker has no vector units that a compiler fills by itself, and nothing is fused.
    add({"-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", "-ffp-contract=off",
         "-Xclang", "-ffloat16-excess-precision=none", "-fno-math-errno", "-fno-trapping-math"});
    // Loops stay the loops that were written, and functions that forget to return do return.
    add({"-mllvm", "-disable-loop-idiom-all", "-fno-finite-loops", "-fno-strict-return",
         "-fno-builtin-printf", "-fno-builtin-puts", "-fno-builtin-putchar"});
    // Errors are thrown through compiled code, which neither throws nor catches itself.
    add({"-fno-exceptions", "-fno-rtti", "-fasynchronous-unwind-tables", "-fno-stack-protector",
         "-fno-threadsafe-statics"});
    add({"-fPIC", "-fvisibility=hidden", "-gline-tables-only", "-w", "-fno-caret-diagnostics",
         "-fno-color-diagnostics", "-fno-diagnostics-show-note-include-stack"});
    add({"-fplugin=" + tools.plugin, "-fpass-plugin=" + tools.plugin,
         "-fplugin-arg-tropic-out=" + files.findings, "-fplugin-arg-tropic-main=" + source.name});
    if (checked) add({"-fplugin-arg-tropic-checked"});
    add({"-MD", "-MF", files.dependencies, "-c", files.source, "-o", files.object});
    return command;
}

std::string content_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

nlohmann::json compile_unit(const SourceText& source, const UnitFiles& files,
                            const std::vector<std::string>& flags, bool checked) {
    std::ofstream(files.source, std::ios::binary) << prepared(source);
    const ProcessResult result = run_process(command_of(source, files, flags, checked));
    if (result.status != 0) throw_compiler_errors(source, result.output, result.status);
    nlohmann::json findings = nlohmann::json::parse(content_of(files.findings), nullptr, false);
    if (findings.is_discarded()) {
        throw Error(ErrorCode::internal,
                    fmt::format("the codelet compiler said nothing about {}", source.name));
    }
    if (!findings.at("problems").empty()) throw_problems(source, findings.at("problems"));
    return findings.at("vertices");
}

/// The prerequisites of a rule in make's syntax, where a backslash precedes a blank that is part
/// of a name or a line's end.
std::vector<std::string> read_rule(const std::string& text) {
    std::vector<std::string> names;
    std::string name;
    const auto finish = [&] {
        if (!name.empty()) names.push_back(std::exchange(name, {}));
    };
    for (std::size_t i = text.find(": ") + 1; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 1 < text.size()) {
            ++i;
            if (text[i] != '\n') name += text[i];
        } else if (text[i] == ' ' || text[i] == '\n') {
            finish();
        } else {
            name += text[i];
        }
    }
    finish();
    return names;
}

void link(const std::vector<UnitFiles>& units, const std::string& output) {
    const Toolchain& tools = Toolchain::instance();
    std::vector<std::string> command = {
        tools.linker,    "-shared",       "-o", output, "-z", "now", "--hash-style=gnu",
        "--strip-debug", "--eh-frame-hdr"};
    for (const UnitFiles& files : units) command.push_back(files.object);
    command.insert(command.end(), {"--whole-archive", tools.runtime});
    const ProcessResult result = run_process(command);
    if (result.status != 0) {
        throw Error(ErrorCode::syntax, fmt::format("codelets cannot be linked: {}", result.output),
                    "functions that several codelet files define must be inline or static");
    }
}

void check_names(std::span<const SourceText> sources, const std::vector<nlohmann::json>& units) {
    std::map<std::string, std::string> seen;
    for (std::size_t i = 0; i < units.size(); ++i) {
        for (const nlohmann::json& vertex : units[i]) {
            const auto name = vertex.at("name").get<std::string>();
            const auto [place, added] = seen.emplace(name, sources[i].name);
            if (added) continue;
            throw Error(ErrorCode::inconsistent,
                        fmt::format("vertex {} is defined in {} and in {}", name, place->second,
                                    sources[i].name),
                        "put one of them into a namespace");
        }
    }
    if (!seen.empty()) return;
    std::string names;
    for (const SourceText& source : sources) names += (names.empty() ? "" : ", ") + source.name;
    throw Error(ErrorCode::not_found, fmt::format("{} defines no vertex", names),
                "a vertex is a class that derives from poplar::Vertex, MultiVertex or "
                "SupervisorVertex and has compute(); a class template needs an explicit "
                "instantiation: template class Sum<float>;");
}

/// Runs task(0), ..., task(count - 1) on as many threads as there are processors; the first
/// exception by number is thrown in the end.
template <class Task> void in_parallel(std::size_t count, const Task& task) {
    std::vector<std::exception_ptr> failures(count);
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            try {
                task(i);
            } catch (...) {
                failures[i] = std::current_exception();
            }
        }
    };
    {
        const std::size_t threads =
            std::min<std::size_t>(count, std::max(1U, std::thread::hardware_concurrency()));
        std::vector<std::jthread> helpers;
        for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back(work);
        work();
    }
    for (const std::exception_ptr& failure : failures) {
        if (failure) std::rethrow_exception(failure);
    }
}

} // namespace

Compiled compile(std::span<const SourceText> sources, const std::vector<std::string>& flags,
                 bool checked, const std::string& working_directory) {
    std::vector<UnitFiles> files;
    files.reserve(sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
        files.push_back(files_of(working_directory, i));
    }
    std::vector<nlohmann::json> units(sources.size());
    in_parallel(sources.size(), [&](std::size_t i) {
        units[i] = compile_unit(sources[i], files[i], flags, checked);
    });
    check_names(sources, units);

    Compiled result;
    result.shared_object = working_directory + "/codelets.so";
    link(files, result.shared_object);
    result.vertices = nlohmann::json::array();
    std::set<std::string> dependencies;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        for (nlohmann::json& vertex : units[i]) result.vertices.push_back(std::move(vertex));
        for (std::string& name : read_rule(content_of(files[i].dependencies))) {
            if (name != files[i].source) dependencies.insert(std::move(name));
        }
    }
    result.dependencies.assign(dependencies.begin(), dependencies.end());
    return result;
}

} // namespace tropic::tile::codelets
