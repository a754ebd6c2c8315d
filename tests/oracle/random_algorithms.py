#!/usr/bin/env python3
"""Random algorithms, on random graphs with loops and duplicates, against their meaning in plain Python.

    random_algorithms.py --tropic build/bin/tropic                        30 programs from seed 1
    random_algorithms.py --tropic build/bin/tropic --seed 900 --programs 500
    random_algorithms.py --tropic build/bin/tropic --seed 42 --show       one of them, and its graph

Each runs on one thread and on two. What is made: statements over elements, sparse vectors, sets and
graphs with masks, accumulators and `->`; folds along edges; loops over members; loops and branches.
"""

import argparse
import operator
import random
import subprocess
import sys
import tempfile
from pathlib import Path

VECTORS, SETS, SPARSE = ["a", "b"], ["r", "s"], "y"
COMPARISONS = {"<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne}
JOINS = {"": lambda old, new: new, "+": operator.add, "-": operator.sub, "min": min, "max": max}


class NoValue(Exception):
    """A sparse vector or a graph has nothing there."""


class Formula:
    """A part of the text, and what it is in a state, where labels stand for vertices."""

    def __init__(self, text, meaning):
        self.text, self.meaning = text, meaning

    def __call__(self, state, at):
        return self.meaning(state, at)


def remainder(value, by):
    """As the machine has it: of the value's sign."""
    return value - by * (abs(value) // by if value >= 0 else -(abs(value) // by))


class Graph:
    def __init__(self, draw):
        self.size = draw.choice([1, 2, 5, 12, 12, 40])
        pairs = sorted((draw.randrange(self.size), draw.randrange(self.size)) for _ in range(draw.randrange(4 * self.size)))
        self.edges = [(u, v, draw.randint(-3, 8)) for u, v in pairs]
        self.values = {}  # of several edges the first
        self.leaving = [[] for _ in range(self.size)]
        self.coming = [[] for _ in range(self.size)]
        for u, v, w in self.edges:
            self.values.setdefault((u, v), w)
            self.leaving[u].append((v, w))
            self.coming[v].append((u, w))

    def text(self):
        head = f"%%MatrixMarket matrix coordinate integer general\n{self.size} {self.size} {len(self.edges)}\n"
        return head + "".join(f"{u + 1} {v + 1} {w}\n" for u, v, w in self.edges)


class Algorithm:
    """Statements as text, and as functions that change a state."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.graph = Graph(self.draw)
        self.lines, self.steps, self.depth, self.names = [], [], 0, 0
        for _ in range(self.draw.randint(4, 10)):
            self.draw.choice([self.elements, self.elements, self.folded, self.folded, self.sparse, self.set, self.members,
                              self.number, self.matrix, self.scatter, self.block])()

    # --- formulas ---

    def chance(self, percent):
        return self.draw.randrange(100) < percent

    def label(self):
        self.names += 1
        return f"i{self.names}"

    def value(self, labels, depth=2, sparse=False):
        one = self.draw.choice(labels)
        kind = self.draw.randrange(10 if depth else 6)
        if kind < 2:
            x = self.draw.choice(VECTORS)
            return Formula(f"{x}[{one}]", lambda state, at: state[x][at[one]])
        if kind == 2:
            x = self.draw.choice(VECTORS)
            return Formula(f"{x}[p[{one}]]", lambda state, at: state[x][state["p"][at[one]]])
        if kind == 3:
            return Formula(f"int64({one})", lambda state, at: at[one])
        if kind == 4:
            number = self.draw.randrange(9)
            return Formula(str(number), lambda state, at: number)
        if kind == 5 and sparse:
            def stored(state, at):
                if at[one] not in state[SPARSE]:
                    raise NoValue
                return state[SPARSE][at[one]]
            return Formula(f"{SPARSE}[{one}]", stored)
        if kind == 5:
            return Formula(f"degree(A, {one})", lambda state, at: len(self.graph.leaving[at[one]]))
        if kind == 6:
            test, yes, no = self.test(labels, 1, False), self.value(labels, depth - 1), self.value(labels, depth - 1)
            return Formula(f"({test.text} ? {yes.text} : {no.text})", lambda state, at: (yes if test(state, at) else no)(state, at))
        if kind == 7:
            return self.fold(labels, sparse)
        left, right = self.value(labels, depth - 1, sparse), self.value(labels, depth - 1, sparse)
        if kind == 8:
            word = self.draw.choice(["min", "max"])
            return Formula(f"{word}({left.text}, {right.text})", lambda state, at: JOINS[word](left(state, at), right(state, at)))
        sign, work = self.draw.choice([("+", operator.add), ("-", operator.sub), ("*", operator.mul)])
        return Formula(f"({left.text} {sign} {right.text})", lambda state, at: work(left(state, at), right(state, at)))

    def test(self, labels, depth=2, sparse=True):
        one = self.draw.choice(labels)
        kind = self.draw.randrange(6 if depth else 3)
        if kind == 0:
            s = self.draw.choice(SETS)
            return Formula(f"{s}[{one}]", lambda state, at: at[one] in state[s])
        if kind == 1 and sparse:
            number, sign = self.draw.randrange(8), self.draw.choice(list(COMPARISONS))
            def compared(state, at):
                return at[one] in state[SPARSE] and COMPARISONS[sign](state[SPARSE][at[one]], number)
            return Formula(f"({SPARSE}[{one}] {sign} {number})", compared)
        if kind < 4:
            left, right, sign = self.value(labels, 0), self.value(labels, 0), self.draw.choice(list(COMPARISONS))
            return Formula(f"({left.text} {sign} {right.text})", lambda state, at: COMPARISONS[sign](left(state, at), right(state, at)))
        if kind == 4:
            s, x = self.draw.choice(SETS), self.draw.choice(VECTORS)
            return Formula(f"(!{s}[{one}] || {x}[{one}] > 4)", lambda state, at: at[one] not in state[s] or state[x][at[one]] > 4)
        left, right = self.test(labels, depth - 1, sparse), self.test(labels, depth - 1, sparse)
        return Formula(f"({left.text} && {right.text})", lambda state, at: left(state, at) and right(state, at))

    def terms(self, labels, sparse):
        """The label, value and condition of a fold along edges, and what it folds."""
        center, new = self.draw.choice(labels), self.label()
        edge, lists = self.draw.choice([(f"A[{center}, {new}]", self.graph.leaving), (f"A[{new}, {center}]", self.graph.coming),
                                        (f"transpose(A)[{center}, {new}]", self.graph.coming)])
        value = self.value([*labels, new], 1, sparse)
        weighted = self.chance(50)
        test = self.test([*labels, new], 1) if self.chance(60) else None
        conditions = ([] if weighted else [edge]) + ([test.text] if test else [])
        text = f"[{new}]({value.text + ' + ' + edge if weighted else value.text}{' : ' if conditions else ''}{' && '.join(conditions)})"

        def found(state, at):
            result = []
            for neighbour, weight in lists[at[center]]:
                here = {**at, new: neighbour}
                try:
                    if test is None or test(state, here):
                        result.append(value(state, here) + (weight if weighted else 0))
                except NoValue:
                    pass
            return result
        return text, found

    def fold(self, labels, sparse):
        text, found = self.terms(labels, sparse)
        if self.chance(50):
            return Formula(f"sum{text}", lambda state, at: sum(found(state, at)))
        return Formula(f"max(max{text}, 2)", lambda state, at: max([2, *found(state, at)]))

    # --- statements ---

    def put(self, text, step):
        self.lines.append("    " * (self.depth + 1) + text)
        self.steps.append(step)

    def mask(self, label, ways):
        if self.chance(40):
            return "", lambda state, at: True, ""
        s, x = self.draw.choice(SETS), self.draw.choice(VECTORS)
        test = self.draw.choice([self.test([label]), Formula(s, lambda state, at: at[label] in state[s]),
                                 Formula(f"!{s}", lambda state, at: at[label] not in state[s]),
                                 Formula(x, lambda state, at: state[x][at[label]] != 0),
                                 Formula(f"structure({SPARSE})", lambda state, at: at[label] in state[SPARSE])])
        way = self.draw.choice(ways)
        return f"<{test.text}{', ' if way else ''}{way}>", test, way

    def store(self, x, label, mask, join, text, value, changed=None):
        """x[label]<mask> join= value -> changed, of a vector; `value` may raise NoValue."""
        words, test, way = mask

        def step(state):
            new = list(state[x])
            for at in range(self.graph.size):
                if not test(state, {label: at}):
                    new[at] = 0 if way == "replace" else new[at]
                    continue
                try:
                    new[at] = JOINS[join](state[x][at], value(state, {label: at}))
                except NoValue:
                    pass
            if changed:
                state[changed] = {at for at in range(self.graph.size) if new[at] != state[x][at]}
            state[x] = new
        self.put(f"{x}[{label}]{words} {join}= {text}{f' -> {changed}' if changed else ''};", step)

    def changed(self, text):
        return self.draw.choice([s for s in SETS if s not in text] or [None]) if self.chance(40) else None

    def elements(self):
        label = self.label()
        value = self.value([label], 2, self.chance(40))
        mask = self.mask(label, ["", "keep", "replace"])
        self.store(self.draw.choice(VECTORS), label, mask, self.draw.choice(list(JOINS)), f"({value.text}) % 11",
                   lambda state, at: remainder(value(state, at), 11), self.changed(mask[0] + value.text))

    def folded(self):
        label = self.label()
        text, found = self.terms([label], self.chance(40))
        mask = self.mask(label, ["", "", "keep", "replace", "pull"])
        word, join = self.draw.choice([("sum", ""), ("sum", "+"), ("sum", "-"), ("min", "min"), ("max", "max"), ("any", "")])
        if word == "any":
            one = self.draw.choice(SETS)
            text = f"[k](3 : {one}[k] && A[k, {label}])"

            def value(state, at):
                if not any(other in state[one] for other, _ in self.graph.coming[at[label]]):
                    raise NoValue
                return 3
        else:
            def value(state, at):
                terms = found(state, at)
                if not terms and word != "sum":
                    raise NoValue  # the identity joins without a trace
                return {"sum": sum, "min": min, "max": max}[word](terms)
        self.store(self.draw.choice(VECTORS), label, mask, join, word + text, value, self.changed(mask[0] + text))

    def sparse(self):
        label = self.label()
        words, test, way = self.mask(label, ["", "keep", "replace"])
        join = self.draw.choice(["", "", "+", "min"])
        if self.chance(60):
            text, found = self.terms([label], True)
            word = {"": self.draw.choice(["sum", "min", "max"]), "+": "sum", "min": "min"}[join]
            text = word + text

            def value(state, at):
                terms = found(state, at)
                if not terms:
                    raise NoValue
                return {"sum": sum, "min": min, "max": max}[word](terms)
        else:
            formula = self.value([label], 2, True)
            text, value = f"({formula.text}) % 11", lambda state, at: remainder(formula(state, at), 11)

        def step(state):
            old = state[SPARSE]
            new = dict(old) if join or way == "keep" else {}
            for at in range(self.graph.size):
                if not test(state, {label: at}):
                    if join and way == "replace":
                        new.pop(at, None)
                    continue
                try:
                    found = value(state, {label: at})
                    new[at] = JOINS[join](old[at], found) if at in old else found
                except NoValue:
                    if not join:
                        new.pop(at, None)
            state[SPARSE] = new
        self.put(f"{SPARSE}[{label}]{words} {join}= {text};", step)

    def set(self):
        s, other, label = self.draw.choice(SETS), self.draw.choice(SETS), self.label()
        kind = self.draw.randrange(3)
        if kind == 0:
            test = self.test([label])

            def step(state):
                state[s] = {at for at in range(self.graph.size) if test(state, {label: at})}
            return self.put(f"{s} = {{{label} : {test.text}}};", step)
        if kind == 1:
            sign, work = self.draw.choice([("|", operator.or_), ("&", operator.and_), ("-", operator.sub)])

            def step(state):
                state[s] = work(state[s], state[other])
            return self.put(f"{s} = {s} {sign} {other};", step)
        words, test, way = self.mask(label, ["", "keep"])

        def step(state):
            reached = {v for v in range(self.graph.size) if any(u in state[other] for u, _ in self.graph.coming[v])}
            here = {v for v in range(self.graph.size) if test(state, {label: v})}
            state[s] = (reached & here) | (state[s] - here if way == "keep" else set())
        return self.put(f"{s}[{label}]{words} = {other}[k] @(any, pair) A[k, {label}];", step)

    def members(self):
        """A loop over members that gathers along their edges."""
        i, j = self.label(), self.label()
        x, s = VECTORS[self.names % 2], self.draw.choice(SETS)
        join = self.draw.choice(["+", "min", "max"])
        leave = self.draw.choice(["continue", "break", "return"])
        number = self.draw.randrange(8)

        def step(state):
            new = list(state[x])
            for u in state[s]:
                for v, w in self.graph.leaving[u]:
                    if state["p"][v] == number:
                        if leave == "continue":
                            continue
                        break
                    new[v] = JOINS[join](new[v], u - w)
            state[x] = new
        self.put(f"each {i} in {s} {{ for {j}, w in A[{i}] {{ if (p[{j}] == {number}) {leave}; {x}[{j}] {join}= {i} - w; }} }}", step)

    def scatter(self):
        label, x, join = self.label(), self.draw.choice(VECTORS), self.draw.choice(["+", "min", "max"])
        value = self.value([label], 1, self.chance(30))

        def step(state):
            new = list(state[x])
            for at in range(self.graph.size):
                try:
                    place = state["p"][at]
                    new[place] = JOINS[join](new[place], remainder(value(state, {label: at}), 11))
                except NoValue:
                    pass
            state[x] = new
        self.put(f"{x}[p[{label}]] {join}= ({value.text}) % 11;", step)

    def number(self):
        label, other = self.label(), self.label()
        if self.chance(50):
            value, test = self.value([label], 2, True), self.test([label])

            def step(state):
                for at in range(self.graph.size):
                    try:
                        if test(state, {label: at}):
                            state["n"] += value(state, {label: at})
                    except NoValue:
                        pass
                state["n"] = remainder(state["n"], 1009)
            return self.put(f"n = (n + sum[{label}]({value.text} : {test.text})) % 1009;", step)
        value, test = self.value([label, other], 1), self.test([label, other])

        def step(state):
            for u, v, _ in self.graph.edges:
                if test(state, {label: u, other: v}):
                    state["n"] += value(state, {label: u, other: v})
            state["n"] = remainder(state["n"], 1009)
        return self.put(f"n = (n + sum[{label}, {other}]({value.text} : A[{label}, {other}] && {test.text})) % 1009;", step)

    def entries(self, depth=2):
        """A formula that has a value where graphs have."""
        def read(graph, place):
            def meaning(state, at):
                found = (self.graph.values if graph == "A" else state["C"]).get(place(at))
                if found is None:
                    raise NoValue
                return found
            return meaning
        graph = self.draw.choice("AAC")
        kind = self.draw.randrange(5 if depth else 2)
        if kind == 0:
            return Formula(f"{graph}[j, i]", read(graph, lambda at: (at["j"], at["i"])))
        if kind == 1:
            return Formula(f"{graph}[i, j]", read(graph, lambda at: (at["i"], at["j"])))
        left = self.entries(depth - 1)
        if kind == 2:
            x = self.draw.choice(VECTORS)
            return Formula(f"({left.text} + {x}[i] * 0)", lambda state, at: left(state, at))
        right = self.entries(depth - 1)
        if kind == 3:
            return Formula(f"({left.text} * {right.text})", lambda state, at: left(state, at) * right(state, at))
        sign = self.draw.choice(["+", "-"])

        def either(state, at):
            def alone(formula):
                try:
                    return formula(state, at)
                except NoValue:
                    return None
            one, other = alone(left), alone(right)
            if one is None and other is None:
                raise NoValue
            return JOINS[sign](one or 0, other or 0)
        return Formula(f"({left.text} {sign} {right.text})", either)

    def matrix(self):
        """C[i, j]<mask> join= entries."""
        value = self.entries()
        value = Formula(f"({value.text}) % 11", lambda state, at, whole=value: remainder(whole(state, at), 11))
        if self.chance(40):
            def product(state, at):
                found = [w + value_ for k, w in self.graph.leaving[at["i"]]
                         for (u, v), value_ in state["C"].items() if u == k and v == at["j"]]
                if not found:
                    raise NoValue
                return min(found)
            value = Formula("A[i, k] @(min, +) C[k, j]", product)
        number = self.draw.randrange(5)
        tests = [Formula(f"(A[i, j] > {number})", lambda state, at: self.graph.values.get((at["i"], at["j"]), -9) > number),
                 Formula("!A[i, j]", lambda state, at: (at["i"], at["j"]) not in self.graph.values),
                 Formula("(i < j)", lambda state, at: at["i"] < at["j"]), self.test(["i"]), self.test(["j"])]
        test = self.draw.choice(tests) if self.chance(60) else None
        way = self.draw.choice(["", "keep", "replace"]) if test else ""
        join = self.draw.choice(["", "+", "-", "min", "max"])
        words = f"<{test.text}{', ' if way else ''}{way}>" if test else ""

        def step(state):
            old, new = state["C"], {}
            for i in range(self.graph.size):
                for j in range(self.graph.size):
                    at, there = {"i": i, "j": j}, old.get((i, j))
                    made = None
                    if test is None or test(state, at):
                        try:
                            made = value(state, at)
                            if there is not None or join == "-":
                                made = JOINS[join](there or 0, made)
                        except NoValue:
                            made = there if join else None
                    elif way == "keep" or (join and way != "replace"):
                        made = there
                    if made is not None:
                        new[i, j] = made
            state["C"] = new
        self.put(f"C[i, j]{words} {join}= {value.text};", step)

    def block(self):
        if self.depth == 2:
            return
        name, rounds, s = f"k{self.names}", self.draw.randint(1, 3), self.draw.choice(SETS)
        self.names += 1
        loop = self.chance(60)
        outer, self.steps = self.steps, []
        self.lines.append("    " * (self.depth + 1) + (f"for {name} in range(0, {rounds}) {{" if loop else f"if ({s}) {{"))
        self.depth += 1
        for _ in range(self.draw.randint(1, 3)):
            self.draw.choice([self.elements, self.folded, self.sparse, self.set, self.members, self.matrix, self.block])()
        self.depth -= 1
        self.lines.append("    " * (self.depth + 1) + "}")
        body, self.steps = self.steps, outer

        def step(state):
            for _ in range(rounds if loop else 1 if state[s] else 0):
                for one in body:
                    one(state)
        self.steps.append(step)

    # --- the whole ---

    def text(self):
        start = ["def f(A: graph<int64>) -> n: int64 {", "    p: vector<vertex>; p[i] = (i * 3 + 1) % size(A);",
                 "    a: vector<int64>; a[i] = (i * 2) % 11; b: vector<int64>; b[i] = (i * 3) % 11;",
                 "    y: sparse<int64>; y[i]<i % 3 == 1> = i % 5; r = {i : i % 2 == 0}; s = {i : i % 3 == 0}; n = 2;",
                 "    C: graph<int64>; C[i, j]<i != j> = A[i, j];"]
        end = ["    print(a); print(b); print(y); print(r); print(s); print(n);",
               "    print(count(C)); print(sum[i, j](C[i, j] * (3 * i + j + 1)));", "}", ""]
        return "\n".join(start + self.lines + end)

    def expected(self):
        every = range(self.graph.size)
        state = {"p": [(3 * i + 1) % self.graph.size for i in every], "a": [2 * i % 11 for i in every],
                 "b": [3 * i % 11 for i in every], "y": {i: i % 5 for i in every if i % 3 == 1},
                 "r": {i for i in every if i % 2 == 0}, "s": {i for i in every if i % 3 == 0}, "n": 2,
                 "C": {(i, j): value for (i, j), value in self.graph.values.items() if i != j}}
        for step in self.steps:
            step(state)
        lines = [", ".join(map(str, state[x])) for x in VECTORS]
        lines.append("{" + ", ".join(f"{at + 1}: {value}" for at, value in sorted(state[SPARSE].items())) + "}")
        lines += ["{" + ", ".join(str(at + 1) for at in sorted(state[s])) + "}" for s in SETS]
        lines += [str(state["n"]), str(len(state["C"])), str(sum(w * (3 * i + j + 1) for (i, j), w in state["C"].items()))]
        return lines


def failure(tropic, algorithm, folder):
    """What the program prints otherwise than it should, or nothing."""
    (folder / "f.tropic").write_text(algorithm.text())
    (folder / "A.mtx").write_text(algorithm.graph.text())
    expected = algorithm.expected()
    for threads in "1", "2":
        done = subprocess.run([tropic, "run", "f.tropic", "-i", "A.mtx", "--quiet", "--threads", threads, "--timeout", "60"],
                              cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return done.stderr
        found = done.stdout.rstrip("\n").split("\n")
        if found != expected:
            names = [*VECTORS, SPARSE, *SETS, "n", "count(C)", "sum of C"]
            return "".join(f"{name}, on {threads} threads: {one}\nexpected: {other}\n"
                           for name, one, other in zip(names, found, expected) if one != other)
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tropic", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=30)
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    if arguments.show:
        algorithm = Algorithm(arguments.seed)
        print(algorithm.text() + algorithm.graph.text() + "\n".join(algorithm.expected()))
        return
    failed = 0
    with tempfile.TemporaryDirectory(prefix="tropic-oracle-") as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.programs):
            algorithm = Algorithm(seed)
            message = failure(arguments.tropic, algorithm, Path(folder))
            if message:
                failed += 1
                print(f"seed {seed}:\n{algorithm.text()}{message}")
    print(f"{arguments.programs - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
