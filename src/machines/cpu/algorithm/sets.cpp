#include "machines/cpu/algorithm/sets.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "machines/cpu/team_loops.h"

namespace tropic::cpu {

namespace {

constexpr std::int64_t word_grain = 1 << 12;
constexpr std::int64_t byte_grain = 1 << 18;
constexpr std::int64_t member_grain = 1 << 14;

/// With a list shorter than this it is cheaper to go through the members than through all words.
std::int64_t few(const StoredSet& set) {
    return set.size / 128;
}
bool is_short(const StoredSet& set) {
    return set.listed != 0 && set.count <= few(set);
}

template <class Action> void with_index(bool wide, const Action& action) {
    if (wide) action(std::int64_t{});
    else action(std::int32_t{});
}

/// Calls action(member) for the members in words [begin, end), ascending.
template <class Action>
void for_members(const std::uint64_t* bits, std::int64_t begin, std::int64_t end,
                 const Action& action) {
    for (std::int64_t w = begin; w < end; ++w) {
        for (std::uint64_t word = bits[w]; word != 0; word &= word - 1) {
            action(w * 64 + std::countr_zero(word));
        }
    }
}

std::int64_t count_bits(const std::uint64_t* bits, std::int64_t begin, std::int64_t end) {
    std::int64_t count = 0;
    for (std::int64_t w = begin; w < end; ++w) count += std::popcount(bits[w]);
    return count;
}

/// Calls action(value) with an unsigned number that an element fits, or with a pointer.
template <class Action>
void with_element(std::size_t bytes, const void* value, const Action& action) {
    const auto load = [&](auto number) {
        std::memcpy(&number, value, sizeof number);
        action(number);
    };
    if (bytes == 1) load(std::uint8_t{});
    else if (bytes == 2) load(std::uint16_t{});
    else if (bytes == 4) load(std::uint32_t{});
    else if (bytes == 8) load(std::uint64_t{});
    else action(value);
}

/// Puts the reset value at a member's element.
void reset_element(StoredSet& set, std::int64_t item) {
    std::memcpy(static_cast<char*>(set.values) +
                    item * static_cast<std::int64_t>(set.element_bytes),
                set.reset.data(), set.element_bytes);
}

/// Resets the elements of all members.
void reset_elements(const SetTools& tools, StoredSet& set) {
    if (set.element_bytes == 0 || set.count == 0) return;
    if (set.count > set.size / 4) {
        fill_elements(tools.team, set.values, set.size, set.element_bytes, set.reset.data());
        return;
    }
    if (set.listed == 0) {
        team_ranges(tools.team, set.words(), word_grain, [&](std::int64_t begin, std::int64_t end) {
            for_members(set.bits, begin, end, [&](std::int64_t item) { reset_element(set, item); });
        });
        return;
    }
    with_index(tools.wide, [&](auto index) {
        using I = decltype(index);
        const I* const list = static_cast<const I*>(set.list);
        team_ranges(tools.team, set.count, member_grain, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t at = begin; at < end; ++at) reset_element(set, list[at]);
        });
    });
}

void touch_list(const SetTools& tools, StoredSet& set) {
    set.members.touched(static_cast<std::size_t>(set.count) * tools.index_bytes());
}

} // namespace

void fill_elements(Team& team, void* data, std::int64_t count, std::size_t bytes,
                   const void* value) {
    with_element(bytes, value, [&](auto number) {
        team_ranges(
            team, count, std::max<std::int64_t>(byte_grain / static_cast<std::int64_t>(bytes), 1),
            [&](std::int64_t begin, std::int64_t end) {
                if constexpr (std::is_pointer_v<decltype(number)>) {
                    for (std::int64_t i = begin; i < end; ++i) {
                        std::memcpy(static_cast<char*>(data) + i * static_cast<std::int64_t>(bytes),
                                    number, bytes);
                    }
                } else {
                    auto* const elements = static_cast<decltype(number)*>(data);
                    std::fill(elements + begin, elements + end, number);
                }
            });
    });
}

void copy_bytes(Team& team, void* to, const void* from, std::size_t bytes) {
    team_ranges(team, static_cast<std::int64_t>(bytes), byte_grain,
                [&](std::int64_t begin, std::int64_t end) {
                    std::memcpy(static_cast<char*>(to) + begin,
                                static_cast<const char*>(from) + begin,
                                static_cast<std::size_t>(end - begin));
                });
}

void make_set(const SetTools& tools, StoredSet& set, std::int64_t size, ElementType element,
              std::size_t element_bytes, const void* reset) {
    std::vector<std::byte> wanted_reset(element_bytes);
    if (reset != nullptr) std::memcpy(wanted_reset.data(), reset, element_bytes);
    if (set.bits != nullptr && set.size == size && set.element_bytes == element_bytes &&
        set.reset == wanted_reset) {
        clear_set(tools, set);
        return;
    }
    set = {};
    set.size = size;
    set.listed = 1;
    set.marked = 1;
    set.bit_words = Array::zeros(ElementType::uint64, (size + 63) / 64 + 1, tools.context, "a set");
    set.bits = static_cast<std::uint64_t*>(set.bit_words.mutable_data());
    set.members =
        MemberList(static_cast<std::size_t>(std::max<std::int64_t>(size, 1)) * tools.index_bytes(),
                   tools.context);
    set.list = set.members.data();
    if (element_bytes == 0) return;
    set.element_bytes = element_bytes;
    set.reset = std::move(wanted_reset);
    set.elements =
        Array::allocate(element, size * static_cast<Index>(element_bytes / size_of(element)),
                        tools.context, "a sparse vector");
    set.values = address_of(set.elements);
    fill_elements(tools.team, set.values, size, element_bytes, set.reset.data());
}

void list_members(const SetTools& tools, StoredSet& set) {
    if (set.listed != 0) return;
    with_index(tools.wide, [&](auto index) {
        using I = decltype(index);
        I* const list = static_cast<I*>(set.list);
        const std::int64_t words = set.words();
        const std::int64_t pieces = (words + word_grain - 1) / word_grain;
        std::vector<std::int64_t> starts(static_cast<std::size_t>(pieces) + 1);
        if (pieces > 1) {
            team_ranges(tools.team, words, word_grain, [&](std::int64_t begin, std::int64_t end) {
                starts[begin / word_grain + 1] = count_bits(set.bits, begin, end);
            });
        }
        for (std::int64_t piece = 0; piece < pieces; ++piece) starts[piece + 1] += starts[piece];
        team_ranges(tools.team, words, word_grain, [&](std::int64_t begin, std::int64_t end) {
            I* out = list + starts[begin / word_grain];
            for_members(set.bits, begin, end,
                        [&](std::int64_t item) { *out++ = static_cast<I>(item); });
        });
    });
    set.listed = 1;
    set.order = ListOrder::ascending;
    touch_list(tools, set);
}

void mark_members(const SetTools& tools, StoredSet& set) {
    if (set.marked != 0) return;
    with_index(tools.wide, [&](auto index) {
        using I = decltype(index);
        const I* const list = static_cast<const I*>(set.list);
        for (std::int64_t at = 0; at < set.count; ++at) {
            set.bits[list[at] / 64] |= std::uint64_t{1} << (list[at] % 64);
        }
    });
    set.marked = 1;
}

void order_members(const SetTools& tools, StoredSet& set) {
    if (set.listed != 0 && set.order != ListOrder::ascending) {
        if (set.count > few(set) / 8) {
            mark_members(tools, set);
            set.listed = 0;
        } else {
            with_index(tools.wide, [&](auto index) {
                using I = decltype(index);
                I* const list = static_cast<I*>(set.list);
                std::sort(list, list + set.count);
            });
            set.order = ListOrder::ascending;
        }
    }
    list_members(tools, set);
}

void settle_members(const SetTools& tools, StoredSet& set) {
    if (set.listed != 0 && set.order != ListOrder::raced) return;
    order_members(tools, set);
}

void lengthen_list(const SetTools& tools, StoredSet& set) {
    with_index(tools.wide, [&](auto index) {
        auto* const end = static_cast<decltype(index)*>(set.list) + set.count;
        std::fill_n(end, list_room, end[-1]);
    });
}

void clear_set(const SetTools& tools, StoredSet& set) {
    reset_elements(tools, set);
    if (set.marked == 0) {
        set.marked = 1;
    } else if (is_short(set)) {
        with_index(tools.wide, [&](auto index) {
            using I = decltype(index);
            const I* const list = static_cast<const I*>(set.list);
            for (std::int64_t at = 0; at < set.count; ++at) set.bits[list[at] / 64] = 0;
        });
    } else {
        std::uint64_t zero = 0;
        fill_elements(tools.team, set.bits, set.words(), sizeof zero, &zero);
    }
    set.count = 0;
    set.listed = 1;
    set.order = ListOrder::ascending;
}

void set_members(const SetTools& tools, StoredSet& set, const void* list, std::int64_t count,
                 ListOrder order) {
    copy_bytes(tools.team, set.list, list, static_cast<std::size_t>(count) * tools.index_bytes());
    set.count = count;
    set.listed = 1;
    set.marked = count == 0 ? 1 : 0;
    set.order = order;
    touch_list(tools, set);
}

void copy_set(const SetTools& tools, StoredSet& to, StoredSet& from) {
    if (&to == &from) return;
    if (to.size != from.size || to.bits == nullptr) {
        make_set(tools, to, from.size, from.elements.type(), from.element_bytes, from.reset.data());
    }
    const std::size_t bytes = from.element_bytes;
    const auto copy_element = [&](std::int64_t item) {
        const std::int64_t offset = item * static_cast<std::int64_t>(bytes);
        std::memcpy(static_cast<char*>(to.values) + offset,
                    static_cast<const char*>(from.values) + offset, bytes);
    };
    if (is_short(from)) {
        clear_set(tools, to);
        set_members(tools, to, from.list, from.count, from.order);
        if (bytes == 0) return;
        with_index(tools.wide, [&](auto index) {
            using I = decltype(index);
            const I* const list = static_cast<const I*>(from.list);
            for (std::int64_t at = 0; at < from.count; ++at) copy_element(list[at]);
        });
        return;
    }
    mark_members(tools, from);
    copy_bytes(tools.team, to.bits, from.bits, static_cast<std::size_t>(from.words()) * 8);
    if (bytes != 0 && to.reset == from.reset) {
        copy_bytes(tools.team, to.values, from.values, static_cast<std::size_t>(from.size) * bytes);
    } else if (bytes != 0) {
        fill_elements(tools.team, to.values, to.size, bytes, to.reset.data());
        for_members(from.bits, 0, from.words(), copy_element);
    }
    to.count = from.count;
    to.listed = 0;
    to.marked = 1;
    if (from.listed != 0) {
        copy_bytes(tools.team, to.list, from.list,
                   static_cast<std::size_t>(from.count) * tools.index_bytes());
        to.listed = 1;
        to.order = from.order;
        touch_list(tools, to);
    }
}

bool insert_member(const SetTools& tools, StoredSet& set, std::int64_t item) {
    mark_members(tools, set);
    if (has_member(set, item)) return false;
    set.bits[item / 64] |= std::uint64_t{1} << (item % 64);
    if (set.listed != 0) {
        with_index(tools.wide, [&](auto index) {
            static_cast<decltype(index)*>(set.list)[set.count] = static_cast<decltype(index)>(item);
        });
        set.order = std::min(set.order, ListOrder::steady);
    }
    ++set.count;
    if (set.listed != 0) touch_list(tools, set);
    return true;
}

namespace {

/// Keeps those members of a short list that are (or are not) in the other set.
void filter_list(const SetTools& tools, StoredSet& set, const StoredSet& other, bool keep) {
    with_index(tools.wide, [&](auto index) {
        using I = decltype(index);
        I* const list = static_cast<I*>(set.list);
        std::int64_t kept = 0;
        for (std::int64_t at = 0; at < set.count; ++at) {
            const I item = list[at];
            if (has_member(other, item) == keep) list[kept++] = item;
            else set.bits[item / 64] &= ~(std::uint64_t{1} << (item % 64));
        }
        set.count = kept;
    });
}

} // namespace

void combine_sets(const SetTools& tools, StoredSet& set, StoredSet& other, SetOperation operation) {
    mark_members(tools, set);
    if (operation == SetOperation::both && is_short(other)) {
        with_index(tools.wide, [&](auto index) {
            using I = decltype(index);
            const I* const list = static_cast<const I*>(other.list);
            for (std::int64_t at = 0; at < other.count; ++at) insert_member(tools, set, list[at]);
        });
        set.order = std::min(set.order, other.order);
        return;
    }
    mark_members(tools, other);
    if (operation != SetOperation::both && is_short(set)) {
        filter_list(tools, set, other, operation == SetOperation::common);
        return;
    }
    set.count =
        team_sum(tools.team, set.words(), word_grain, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t w = begin; w < end; ++w) {
                if (operation == SetOperation::both) set.bits[w] |= other.bits[w];
                else if (operation == SetOperation::common) set.bits[w] &= other.bits[w];
                else set.bits[w] &= ~other.bits[w];
            }
            return count_bits(set.bits, begin, end);
        });
    set.listed = 0;
}

} // namespace tropic::cpu
