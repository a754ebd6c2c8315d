// tropic cache: where compiled programs are kept, and how to be rid of them.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/json_output.h"
#include "cli/text_output.h"
#include "machines/cpu/kernel_cache.h"
#include "support/memory.h"

namespace tropic::cli {

namespace {

void show_cache(bool json) {
    const cpu::KernelCache cache;
    const auto entries = cache.entries();
    std::uint64_t bytes = 0;
    for (const auto& entry : entries) bytes += entry.bytes;
    if (json) {
        const Json described = {{"directory", cache.directory()},
                                {"usable", cache.usable()},
                                {"refusal", cache.refusal()},
                                {"programs", entries.size()},
                                {"bytes", bytes},
                                {"limit", cpu::KernelCache::default_limit}};
        fmt::print("{}\n", dump(described));
        return;
    }
    fmt::print("{}", row("directory", cache.directory()));
    if (!cache.usable()) {
        fmt::print("{}", row("not used", cache.refusal()));
        return;
    }
    fmt::print("{}{}", row("programs", std::to_string(entries.size())),
               row("size", fmt::format("{} of at most {}", bytes_text(bytes),
                                       bytes_text(cpu::KernelCache::default_limit))));
}

void clear_cache(bool json) {
    const cpu::KernelCache cache;
    const std::size_t removed = cache.clear();
    if (json) fmt::print("{}\n", dump({{"removed", removed}}));
    else fmt::print("{}", row("removed", fmt::format("{} programs", removed)));
}

} // namespace

void add_cache(CLI::App& program, Shared& shared) {
    auto action = std::make_shared<std::string>("info");
    CLI::App* command =
        program.add_subcommand("cache", "Where compiled programs are kept, and how many");
    command->add_option("ACTION", *action, "info (the default) or clear")
        ->check(CLI::IsMember({"info", "clear"}).description(""))
        ->type_name("info|clear");
    command->add_flag("--json", shared.run.json, "Print the result as JSON");
    command->footer(R"(Examples:
  tropic cache             where the cache is and what it holds
  tropic cache clear       remove all compiled programs

The directory is $TROPIC_CACHE_DIR, else $XDG_CACHE_HOME/tropic, else ~/.cache/tropic. Only its
owner may be able to write to it. The least recently used programs go when it is full.)");
    command->callback([action, &shared] {
        if (*action == "clear") clear_cache(shared.run.json);
        else show_cache(shared.run.json);
    });
}

} // namespace tropic::cli
