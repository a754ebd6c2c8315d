#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "random.h"
#include "synthetic.h"

namespace tropic::testing {

using tile::MemoryKind;
using tile::Profile;
using tile::StepKind;
using tile::TileExchange;

namespace {

std::string odd_name(Random& random) {
    static const std::vector<std::string> names = {"",
                                                   "x",
                                                   "</script><script>alert(1)</script>",
                                                   "<!-- \"'&",
                                                   "a\\b\n\t",
                                                   "größe \xe2\x88\x91",
                                                   "{{profile}}",
                                                   std::string(300, 'n')};
    return names[random.below(names.size())];
}

std::uint64_t odd_number(Random& random) {
    return random.chance(0.2) ? 0 : random.bits() >> random.below(64);
}

std::uint32_t odd_number32(Random& random) {
    return static_cast<std::uint32_t>(odd_number(random));
}

void set_odd(Random& random, std::uint32_t& number) {
    number = odd_number32(random);
}
void set_odd(Random& random, std::uint64_t& number) {
    number = odd_number(random);
}
void set_odd(Random& random, double& number) {
    number = random.real() * 1e10;
}

std::vector<TileExchange> odd_exchange(Random& random, std::uint32_t tiles) {
    std::vector<TileExchange> exchange;
    for (std::uint32_t t = 0; t < tiles; ++t) {
        if (random.chance(0.5)) continue;
        exchange.push_back({t, odd_number32(random), odd_number32(random), odd_number(random),
                            odd_number(random), odd_number(random)});
    }
    return exchange;
}

} // namespace

Profile random_profile(std::uint64_t seed) {
    Random random(seed);
    Profile profile;
    profile.program = odd_name(random);
    const auto chips = static_cast<std::uint32_t>(1 + random.below(3));
    profile.machine = machine_like_gc200(chips, static_cast<std::uint32_t>(1 + random.below(40)));
    for (const tile::MachineParameter& parameter : tile::machine_parameters()) {
        if (parameter.name == "chips" || parameter.name == "tiles_per_chip") continue;
        std::visit([&](auto member) { set_odd(random, profile.machine.*member); },
                   parameter.member);
    }
    const std::uint32_t tiles = profile.machine.tiles();
    for (std::uint64_t i = random.below(5); i > 0; --i) {
        const auto count = static_cast<std::int32_t>(profile.scopes.size());
        const auto parent = static_cast<std::int32_t>(random.below(count + 1U)) - 1;
        profile.scopes.push_back({odd_name(random), parent});
    }
    for (std::uint64_t i = random.below(6); i > 0; --i) {
        tile::ProfileStep step;
        step.name = odd_name(random);
        step.kind = static_cast<StepKind>(random.below(6));
        step.parent = static_cast<std::int32_t>(random.below(profile.scopes.size() + 1)) - 1;
        step.vertices = odd_number32(random);
        step.sync_cycles = odd_number32(random);
        step.exchange_setup_cycles = odd_number32(random);
        if (random.chance(0.7)) step.before = odd_exchange(random, tiles);
        if (random.chance(0.4)) step.after = odd_exchange(random, tiles);
        profile.steps.push_back(std::move(step));
    }
    const std::uint64_t supersteps = profile.steps.empty() ? 0 : random.below(40);
    for (std::uint64_t i = 0; i < supersteps; ++i) {
        tile::Superstep s;
        s.step = static_cast<std::uint32_t>(random.below(profile.steps.size()));
        s.iteration = odd_number32(random);
        s.start_cycle = profile.cycles;
        s.sync_cycles = random.below(1000);
        s.exchange_before_cycles = random.below(1 << 20);
        s.exchange_after_cycles = random.below(1 << 20);
        s.host_cycles = random.below(1000);
        if (i > 0 && random.chance(0.3)) {
            s.compute = profile.supersteps.back().compute;
        } else if (random.chance(0.7)) {
            const std::uint64_t shift = random.below(32);
            for (std::uint32_t t = 0; t < tiles; ++t) {
                s.compute.push_back(static_cast<std::uint32_t>(random.bits() >> (32 + shift)));
            }
        }
        if (!s.compute.empty()) s.compute_cycles = *std::ranges::max_element(s.compute);
        profile.cycles += s.sync_cycles + s.exchange_before_cycles + s.compute_cycles +
                          s.exchange_after_cycles + s.host_cycles + random.below(3);
        profile.supersteps.push_back(std::move(s));
    }
    profile.dropped_supersteps = odd_number(random);
    if (random.chance(0.8)) {
        for (std::uint32_t t = 0; t < tiles; ++t) {
            profile.memory.push_back({random.below(1 << 20), random.below(1 << 20), t});
        }
    }
    for (std::uint64_t i = random.below(6); i > 0; --i) {
        tile::MemoryItem item{
            odd_name(random), static_cast<MemoryKind>(random.below(8)), random.chance(0.5), {}};
        for (std::uint32_t t = 0; t < tiles; ++t) {
            if (random.chance(0.6)) item.pieces.push_back({t, random.below(1 << 20)});
        }
        profile.memory_items.push_back(std::move(item));
    }
    for (std::uint64_t i = profile.steps.empty() ? 0 : random.below(4); i > 0; --i) {
        profile.rearrangements.push_back(
            {odd_name(random), odd_name(random),
             static_cast<std::uint32_t>(random.below(profile.steps.size())), odd_number32(random),
             odd_number(random), odd_number(random)});
    }
    for (std::uint64_t i = random.below(3); i > 0; --i) {
        profile.host_times.push_back({odd_name(random), random.real()});
    }
    if (random.chance(0.3)) profile.failure = odd_name(random);
    return profile;
}

} // namespace tropic::testing
