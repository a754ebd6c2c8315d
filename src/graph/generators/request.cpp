#include "graph/generators/request.h"

#include <algorithm>

#include <fmt/format.h>

#include "graph/generators/registry.h"

namespace tropic::generators {

namespace {

constexpr std::string_view whole_forms = "such as 1000, 64k, 1e6 or 2^18";

/// Words as a sentence has them: "a, b or c".
std::string listed(const std::vector<std::string_view>& words) {
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) out += i + 1 == words.size() ? " or " : ", ";
        out += words[i];
    }
    return out;
}

std::vector<std::string_view> known_flags(const Generator& generator) {
    std::vector<std::string_view> flags = generator.flags;
    flags.insert(flags.end(), {"weights", "raw"});
    if (generator.direction != Direction::undirected) flags.push_back("directed");
    return flags;
}

std::vector<std::string_view> known_keys(const Generator& generator) {
    std::vector<std::string_view> keys = generator.keys;
    keys.insert(keys.end(), {"seed", "weights"});
    return keys;
}

bool contains(const std::vector<std::string_view>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

} // namespace

Request::Request(const Generator& generator, Expression expression, std::uint64_t default_seed,
                 Layout layout)
    : generator_(generator), expression_(std::move(expression)), layout_(layout),
      seed_(default_seed), directed_(generator.direction == Direction::directed) {
    check_arguments();
    read_common_options();
}

void Request::refuse(const Argument* argument, std::string message, std::string accepted) const {
    const Index column =
        argument != nullptr ? argument->column : static_cast<Index>(text().size()) + 1;
    fail(text(), column, std::move(message), std::move(accepted),
         std::string(generator_.help.example));
}

void Request::check_arguments() const {
    std::size_t positions = 0;
    for (const Argument& argument : expression_.arguments) {
        if (argument.kind == ArgumentKind::positional) {
            if (++positions > generator_.positional) {
                refuse(&argument, fmt::format("\"{}\" is one argument too many", argument.value),
                       std::string(generator_.help.usage));
            }
            continue;
        }
        check_known(argument, positions);
        if (find(argument.key) != &argument) {
            refuse(&argument, fmt::format("{} is given twice", argument.key),
                   "every option at most once");
        }
    }
}

void Request::check_known(const Argument& argument, std::size_t positions) const {
    const auto flags = known_flags(generator_);
    const auto keys = known_keys(generator_);
    const bool pair = argument.kind == ArgumentKind::pair;
    if (contains(pair ? keys : flags, argument.key)) return;
    if (pair && contains(flags, argument.key)) {
        refuse(&argument, fmt::format("{} takes no value", argument.key),
               std::string(argument.key));
    }
    if (!pair && contains(keys, argument.key)) {
        refuse(&argument, fmt::format("{} needs a value", argument.key),
               fmt::format("{}=VALUE", argument.key));
    }
    std::vector<std::string_view> known = flags;
    for (const std::string_view key : keys) {
        if (!contains(known, key)) known.push_back(key);
    }
    const std::string_view near = nearest_name(argument.key, known);
    // A word where the first number stands is more likely meant for it than for an option.
    if (!pair && near.empty() && positions == 0 && generator_.positional > 0) {
        refuse(&argument, fmt::format("expected a number, found \"{}\"", argument.key),
               std::string(generator_.help.usage));
    }
    fail(text(), argument.column,
         fmt::format("{} has no option \"{}\"", generator_.name, argument.key), listed(known),
         near.empty() ? std::string(generator_.help.example) : std::string(near));
}

void Request::read_common_options() {
    raw_ = flag("raw");
    directed_ = directed_ || flag("directed");
    if (const Argument* seed = find("seed")) {
        seed_ = static_cast<std::uint64_t>(read_whole(
            *seed, seed->value, seed->value_column, "seed", 0, std::numeric_limits<Index>::max()));
    }
    if (const Argument* weights = find("weights")) read_weights(*weights);
}

void Request::read_weights(const Argument& argument) {
    const auto wrong = [&](Index column, std::string message) {
        fail(text(), column, std::move(message),
             "weights=LOW..HIGH with whole numbers of 32 bits, with a decimal point for reals, or "
             "weights=none",
             "weights=1..255 or weights=0.0..1.0");
    };
    if (argument.kind == ArgumentKind::flag) {
        weights_.kind = WeightKind::integers;
        return;
    }
    const std::string_view value = argument.value;
    if (value == "none") {
        weights_.kind = WeightKind::none;
        return;
    }
    const auto dots = value.find("..");
    if (dots == std::string_view::npos) {
        wrong(argument.value_column, fmt::format("\"{}\" is no range of weights", value));
    }
    const std::string_view low = value.substr(0, dots);
    const std::string_view high = value.substr(dots + 2);
    const Index high_column = argument.value_column + static_cast<Index>(dots) + 2;
    const bool reals = low.find('.') != low.npos || high.find('.') != high.npos;
    const auto whole = [&](std::string_view digits, Index column) {
        const bool negative = digits.starts_with('-');
        Index number = 0;
        bool too_large = false;
        const bool ok = parse_whole(digits.substr(negative ? 1 : 0), number, too_large);
        if (negative) number = -number;
        if (!ok || number != static_cast<std::int32_t>(number)) {
            wrong(column, fmt::format("\"{}\" is no whole number of 32 bits", digits));
        }
        return number;
    };
    const auto real = [&](std::string_view digits, Index column) {
        double number = 0;
        if (!parse_real(digits, number)) {
            wrong(column, fmt::format("\"{}\" is no finite number", digits));
        }
        return number;
    };
    if (reals) {
        weights_.kind = WeightKind::reals;
        weights_.real_low = real(low, argument.value_column);
        weights_.real_high = real(high, high_column);
        if (!(weights_.real_high - weights_.real_low <= std::numeric_limits<double>::max())) {
            wrong(argument.value_column, fmt::format("the range {} is too wide", value));
        }
    } else {
        weights_.kind = WeightKind::integers;
        weights_.low = whole(low, argument.value_column);
        weights_.high = whole(high, high_column);
    }
    if (reals ? weights_.real_low > weights_.real_high : weights_.low > weights_.high) {
        wrong(argument.value_column, fmt::format("the range {} runs backwards", value));
    }
}

Index Request::whole(std::size_t position, std::string_view what, Index least, Index most) const {
    const Argument* argument = positional(position);
    if (argument == nullptr) missing(what);
    return read_whole(*argument, argument->value, argument->value_column, what, least, most);
}

Index Request::whole_or(std::size_t position, std::string_view what, Index least, Index most,
                        Index absent) const {
    return has(position) ? whole(position, what, least, most) : absent;
}

double Request::real_or(std::size_t position, std::string_view what, double least, double most,
                        double absent) const {
    const Argument* argument = positional(position);
    return argument == nullptr ? absent : read_real(*argument, what, least, most);
}

double Request::real_of(std::string_view key, double least, double most, double absent) const {
    const Argument* argument = find(key);
    return argument == nullptr ? absent : read_real(*argument, key, least, most);
}

std::vector<Index> Request::sizes(std::size_t position, std::string_view what, std::size_t fewest,
                                  std::size_t highest, Index most) const {
    const Argument* argument = positional(position);
    if (argument == nullptr) missing(what);
    std::vector<Index> sizes;
    const std::string_view value = argument->value;
    for (std::size_t at = 0; at <= value.size();) {
        const auto end = std::min(value.find('x', at), value.size());
        sizes.push_back(read_whole(*argument, value.substr(at, end - at),
                                   argument->value_column + static_cast<Index>(at), what, 0, most));
        at = end + 1;
    }
    if (sizes.size() < fewest || sizes.size() > highest) {
        refuse(argument,
               fmt::format("\"{}\" has {} size{} where {} {} expected", value, sizes.size(),
                           sizes.size() == 1 ? "" : "s",
                           fewest == highest ? fmt::format("{}", fewest)
                                             : fmt::format("{} or {}", fewest, highest),
                           highest == 1 ? "is" : "are"),
               std::string(generator_.help.usage));
    }
    return sizes;
}

Index Request::product(Index a, Index b, std::string_view what) const {
    Index result = 0;
    if (__builtin_mul_overflow(a, b, &result) || result > (Index{1} << 56)) {
        fail(text(), static_cast<Index>(generator_.name.size()) + 2,
             fmt::format("{} times {} {} are more than any machine can hold", a, b, what),
             fmt::format("at most 2^56 {}", what), std::string(generator_.help.example));
    }
    return result;
}

const Argument* Request::positional(std::size_t position) const noexcept {
    for (const Argument& argument : expression_.arguments) {
        if (argument.kind == ArgumentKind::positional && position-- == 0) return &argument;
    }
    return nullptr;
}

const Argument* Request::find(std::string_view key) const noexcept {
    for (const Argument& argument : expression_.arguments) {
        if (argument.kind != ArgumentKind::positional && argument.key == key) return &argument;
    }
    return nullptr;
}

Index Request::read_whole(const Argument& argument, std::string_view number, Index column,
                          std::string_view what, Index least, Index most) const {
    Index value = 0;
    bool too_large = false;
    const bool ok = parse_whole(number, value, too_large);
    if (ok && value >= least && value <= most) return value;
    std::string message;
    if (number.empty()) message = fmt::format("the {} is missing", what);
    else if (!ok && !too_large) message = fmt::format("{} \"{}\" is no whole number", what, number);
    else
        message = fmt::format("{} {} is too {}", what, number,
                              too_large || value > most ? "large" : "small");
    Argument at = argument;
    at.column = column;
    refuse(&at, std::move(message),
           fmt::format("{}: a whole number from {} to {}, {}", what, least, most, whole_forms));
}

double Request::read_real(const Argument& argument, std::string_view what, double least,
                          double most) const {
    double value = 0;
    const bool ok = parse_real(argument.value, value);
    if (ok && value >= least && value <= most) return value;
    Argument at = argument;
    at.column = argument.value_column;
    refuse(&at,
           ok ? fmt::format("{} {} is out of range", what, argument.value)
              : fmt::format("{} \"{}\" is no number", what, argument.value),
           fmt::format("{}: a number from {} to {}", what, least, most));
}

void Request::missing(std::string_view what) const {
    refuse(nullptr, fmt::format("{} needs its {}", generator_.name, what),
           std::string(generator_.help.usage));
}

} // namespace tropic::generators
