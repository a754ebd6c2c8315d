// Random algorithms of loops that are left early, copies, sets that are emptied and filled again,
// and loops over what was just found: what rearranging has to get right.
#pragma once

#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace tropic::test {

class RandomAlgorithm {
  public:
    explicit RandomAlgorithm(unsigned seed) : random_(seed) {}

    /// A function t(A: graph<int>) that prints what it has in the end.
    std::string text() {
        line("def early(A: graph<int>, a: vector<int>, c: int64) -> o: vector<int> {");
        line("  o[i] = a[i] + 1; s = {0}; s = {}; k = 0;");
        line("  while (k < 3) { k += 1; if (c % 3 == 1) break; o[i] = o[i] * 2 % 50;");
        line("    if (k == 2) { if (c % 3 == 2) continue; o[i]<s> = 1; } s = {i : o[i] > 5}; }");
        line("  if (c > 9) return;");
        line("  o[i]<s> = 7;");
        line("}");
        line("def t(A: graph<int>) -> n: int64 {");
        line("  n = 2; m: int64 = 3; round: int64; done: int64;");
        line("  p: vector<vertex>; p[i] = (i * 3 + 1) % size(A);");
        for (std::size_t v = 0; v < vectors.size(); ++v) {
            line(fmt::format("  {0}: vector<int>; {0}[i] = (i * {1}) % 11;", vectors[v], v + 2));
        }
        for (std::size_t s = 0; s < sets.size(); ++s) {
            line(fmt::format("  {} = {{i : i % {} == 0}};", sets[s], s + 2));
        }
        for (int k = between(3, 7); k > 0; --k) statement(0, false);
        for (const auto& name : vectors) line(fmt::format("  print({});", name));
        for (const auto& name : sets) line(fmt::format("  print({});", name));
        line("  print(n); print(m); print(done);\n}");
        return text_;
    }

  private:
    using Names = std::vector<std::string>;

    int between(int low, int high) {
        return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1));
    }
    bool chance(int percent) { return between(1, 100) <= percent; }
    std::string one_of(const Names& names) { return names[random_() % names.size()]; }
    static Names without(Names names, const std::string& name) {
        std::erase(names, name);
        return names;
    }
    std::string new_name(char first) { return fmt::format("{}{}", first, ++names_); }
    void line(const std::string& words) { text_ += words + "\n"; }
    void put(int depth, const std::string& words) {
        line(std::string(2 * static_cast<std::size_t>(depth) + 2, ' ') + words);
    }

    /// A number at member `i`, from these vectors and sets.
    std::string value(const std::string& i, const Names& from, const Names& in) {
        switch (between(0, 9)) {
        case 0:
            return one_of(from) + "[p[" + i + "]]";
        case 1:
            return fmt::format("{}", between(0, 9));
        case 2:
            return fmt::format("({}[{}] ? 3 : 8)", one_of(in), i);
        case 3:
            return "int(" + i + ")";
        case 4:
            return one_of({"n", "m"});
        default:
            return one_of(from) + "[" + i + "]";
        }
    }
    std::string value(const std::string& i) { return value(i, vectors, sets); }
    std::string test(const std::string& i) {
        if (chance(30)) return one_of({"", "!"}) + one_of(sets) + "[" + i + "]";
        return value(i) + one_of({" < ", " > ", " != "}) + value(i);
    }
    std::string test() {
        return one_of(
            {"n > 3", "m < 5", "round == 2", "round != 1", "count(f) > 2", "n % 2 == 0", "g"});
    }

    /// A loop that fills a set and changes a vector, and often one over what it found.
    void loop(int depth) {
        const std::string i = new_name('i');
        const std::string local = new_name('q');
        const std::string vector = one_of(vectors);
        const std::string set = one_of(sets);
        const Names others = without(vectors, vector);
        const Names other_sets = without(sets, set);
        const auto own = [&] {
            return chance(33) ? vector + "[" + i + "]" : value(i, others, other_sets);
        };
        if (chance(70)) put(depth, set + " = {};");
        if (chance(20)) put(depth, "if (" + test() + ") m += 1;");
        std::string body = fmt::format("{} = {} + 1;", local, value(i, others, other_sets));
        for (int k = between(1, 4); k > 0; --k) {
            switch (between(0, 7)) {
            case 0:
            case 1:
                body += fmt::format(" {}[{}] {}= ({} + {}) % 50;", vector, i, one_of({"", "max"}),
                                    local, own());
                break;
            case 2:
                body += fmt::format(" if ({} < {}) insert({}, {});", own(), own(), set, i);
                break;
            case 3:
                body += fmt::format(" insert({}, {});", set, one_of({i, "p[" + i + "]"}));
                break;
            case 4:
                body += fmt::format(" for j in A[{}] {{ if ({}[j] > 3) insert({}, {}); }}", i,
                                    one_of(others), set, one_of({i, "j"}));
                break;
            case 5:
                body += fmt::format(" if ({} > {}) return;", own(), own());
                break;
            case 6:
                body += fmt::format(" if (insert({}, {})) {}[{}] = ({} + 1) % 50;", set, i, vector,
                                    i, own());
                break;
            default:
                body += fmt::format(" if ({} > {}) {}[{}] = {} % 50; else insert({}, {});", own(),
                                    own(), vector, i, local, set, i);
            }
        }
        put(depth, fmt::format("each {} in {} {{ {} }}", i,
                               chance(60) ? "vertices(A)" : one_of(other_sets), body));
        if (!chance(70)) return;
        const std::string a = new_name('a');
        const std::string target = one_of(vectors);
        if (chance(50)) {
            put(depth, fmt::format("{}[{}]<{}> = ({}[{}] + {}[{}]) % 50;", target, a, set,
                                   one_of(vectors), a, one_of(vectors), a));
        } else {
            put(depth, fmt::format("each {} in {} {{ {}[{}] = ({}[{}] + ({}[{}] ? 3 : 8)) % 50; "
                                   "done += 1; }}",
                                   a, set, target, a, one_of(without(vectors, target)), a,
                                   one_of(sets), a));
        }
    }

    void repetition(int depth) {
        const std::string k = new_name('k');
        const int kind = between(0, 2);
        if (kind == 0) put(depth, fmt::format("for {} in range(0, {}) {{", k, between(0, 4)));
        if (kind == 1) {
            put(depth, fmt::format("{0} = 0; while ({0} < {1}) {{ {0} += 1;", k, between(0, 4)));
        }
        if (kind == 2) put(depth, fmt::format("{0} = 0; do {{ {0} += 1;", k));
        put(depth + 1, "round = " + k + ";");
        for (int count = between(2, 5); count > 0; --count) {
            statement(depth + 1, true);
            if (chance(25)) jump(depth + 1);
        }
        put(depth, kind == 2 ? fmt::format("}} until ({} >= 3);", k) : "}");
    }

    void jump(int depth) {
        put(depth, fmt::format("if ({}) {};", test(), one_of({"break", "continue"})));
    }

    void branch(int depth, bool in_loop) {
        put(depth, "if (" + test() + ") {");
        for (int count = between(1, 3); count > 0; --count) statement(depth + 1, in_loop);
        if (in_loop && chance(50)) {
            jump(depth + 1);
            statement(depth + 1, in_loop);
        }
        if (chance(30)) {
            put(depth, "} else {");
            statement(depth + 1, in_loop);
        }
        put(depth, "}");
    }

    void statement(int depth, bool in_loop) {
        const std::string i = new_name('i');
        const std::string vector = one_of(vectors);
        const std::string set = one_of(sets);
        switch (between(0, depth < 2 ? 13 : 10)) {
        case 0:
        case 1:
        case 2:
            return loop(depth);
        case 3:
            return put(depth,
                       fmt::format("{}[{}] = ({} + {}) % 50;", vector, i, value(i), value(i)));
        case 4:
            return put(depth, fmt::format("{}[{}]<{}> = {} % 50;", vector, i, set, value(i)));
        case 5:
            return put(depth, vector + " = " + one_of(without(vectors, vector)) + ";");
        case 6:
            return put(depth, set + " = " + one_of(without(sets, set)) + ";");
        case 7:
            return put(depth, set + " = {};");
        case 8:
            return put(depth, fmt::format("{} = {{{} : {}}};", set, i, test(i)));
        case 9:
            return put(depth,
                       fmt::format("{} = sum[{}]({}[{}]) % 20;", one_of({"n", "m"}), i, vector, i));
        case 10:
            if (chance(50)) {
                return put(depth,
                           fmt::format("{} = early(A, {}, {});", vector,
                                       one_of(without(vectors, vector)), one_of({"n", "m"})));
            }
            return put(depth, fmt::format("{}[j] = {}[{}] @(any, pair) A[{}, j];", set,
                                          one_of(without(sets, set)), i, i));
        case 11:
            return repetition(depth);
        default:
            return branch(depth, in_loop);
        }
    }

    inline static const Names vectors = {"x", "y", "z", "u"};
    inline static const Names sets = {"f", "g", "h"};

    std::mt19937 random_;
    std::string text_;
    int names_ = 0;
};

} // namespace tropic::test
