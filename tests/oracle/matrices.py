"""Products, factors, topics and meshes, worked out in plain Python. What starts at random is taken
from a run of no rounds."""

import json
import math

from command import holds, near
from graphs import ratings_example, square_examples

LANES = 11  # neither the default nor a power of two


def rows_of(table, name, lanes):
    return [[row[f"{name}_{lane}"] for lane in range(lanes)] for row in table]


def spmv(program, example):
    sums = [0.0] * example.vertices
    for u, _, w in example.entries():
        sums[u] += w
    _, rows = program.run("spmv", example, columns=["y"], method="row_sums")
    near([row["y"] for row in rows], sums, 1e-12)
    _, product, factor = program.run("spmv", example, columns=["y", "x"], method="random_vector")
    sums = [0.0] * example.vertices
    for u, v, w in example.entries():
        sums[u] += w * factor[v]["x"]
    near([row["y"] for row in product], sums, 1e-12)


def spgemm(program, example):
    output = program.folder / "product.mtx"
    file = program.file_of(example)
    program.call("spgemm", file, "-o", output, "--verify", "-q")
    program.used.add(("spgemm", "spgemm"))
    expected = {}
    for u, k, w in example.entries():
        for other, v, x in example.entries():
            if k == other:
                expected[u, v] = expected.get((u, v), 0) + w * x
    found = {}
    lines = [line.split() for line in output.read_text().splitlines() if not line.startswith("%")]
    for u, v, value in lines[1:]:
        found[int(u) - 1, int(v) - 1] = float(value)
    holds(sorted(found) == sorted(expected), f"{len(found)} entries, {len(expected)} expected")
    near([found[pair] for pair in sorted(found)], [expected[pair] for pair in sorted(found)], 1e-12)


def dot(left, right):
    return sum(one * other for one, other in zip(left, right))


def factors(program, example, method, *words):
    result, user, item = program.run("collaborative_filtering", example, "--factors", LANES, *words, columns=["user", "item"], method=method)
    return result["error"], rows_of(user, "user", LANES), rows_of(item, "item", LANES)


def error_of(example, user, item):
    squares = [(w - dot(user[u], item[v])) ** 2 for u, v, w in example.entries()]
    return math.sqrt(sum(squares) / max(1, len(squares)))


def gradient_descent(program, example):
    rate, penalty, rounds = 0.5, 0.05, 4
    _, user, item = factors(program, example, "gradient_descent", "--rounds", 0)
    entries = example.entries()
    for _ in range(rounds):

        def moved(own, other, pairs):
            pull = [[-penalty * x for x in one] for one in own]
            slope = [penalty] * len(own)
            for i, j, w in pairs:
                missing = w - dot(own[i], other[j])
                for lane in range(LANES):
                    pull[i][lane] += missing * other[j][lane]
                slope[i] += dot(other[j], other[j])
            return [
                [x + rate / max(s, 1e-6) * p for x, p in zip(one, pulls)]
                for one, pulls, s in zip(own, pull, slope)
            ]

        users = moved(user, item, entries)
        item = moved(item, user, [(v, u, w) for u, v, w in entries])
        user = users
    error, found_user, found_item = factors(program, example, "gradient_descent", "--rounds", rounds)
    near(sum(found_user, []), sum(user, []), 1e-4)
    near(sum(found_item, []), sum(item, []), 1e-4)
    near([error], [error_of(example, user, item)], 1e-4)


def solved(matrix, right):
    """Gauss' elimination, with the largest pivot."""
    size = len(right)
    rows = [row[:] + [value] for row, value in zip(matrix, right)]
    for k in range(size):
        pivot = max(range(k, size), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(size):
            if i != k:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k])]
    return [rows[k][size] / rows[k][k] for k in range(size)]


def als(program, example):
    """The equations are solved by a few steps in single precision: the sum that they make small
    must come out as small as with exact solutions."""
    penalty, rounds = 0.1, 10
    _, user, item = factors(program, example, "als", "--rounds", 0)

    def best(count, other, pairs):
        answer = []
        for i in range(count):
            matrix = [[penalty if a == b else 0.0 for b in range(LANES)] for a in range(LANES)]
            right = [0.0] * LANES
            for row, j, w in pairs:
                if row == i:
                    for a in range(LANES):
                        right[a] += w * other[j][a]
                        for b in range(LANES):
                            matrix[a][b] += other[j][a] * other[j][b]
            answer.append(solved(matrix, right))
        return answer

    def loss(users, items):
        numbers = sum(dot(one, one) for one in users) + sum(dot(one, one) for one in items)
        return error_of(example, users, items) ** 2 * len(example.entries()) + penalty * numbers

    entries = example.entries()
    for _ in range(rounds):
        user = best(len(user), item, entries)
        item = best(len(item), user, [(v, u, w) for u, v, w in entries])
    error, found_user, found_item = factors(program, example, "als", "--rounds", rounds)
    near([error], [error_of(example, found_user, found_item)], 1e-5)
    found, expected = loss(found_user, found_item), loss(user, item)
    holds(found < 1.05 * expected, f"the loss is {found}, {expected} with exact solutions")


def lda(program, example):
    alpha, beta, rounds = 0.1, 0.01, 3

    def tables(count):
        result, document, word = program.run("lda", example, "--topics", LANES, "--rounds", count, columns=["document", "word"])
        return result, rows_of(document, "document", LANES), rows_of(word, "word", LANES)

    _, document, word = tables(0)
    for count in range(rounds + 1):
        topic = [sum(one[lane] for one in document) for lane in range(LANES)]
        held = [[0.0] * LANES for _ in document]
        used = [[0.0] * LANES for _ in word]
        likelihood = 0.0
        for i, j, n in example.entries():
            share = [
                (document[i][t] + alpha) / (sum(document[i]) + LANES * alpha)
                * (word[j][t] + beta) / (topic[t] + len(word) * beta)
                for t in range(LANES)
            ]
            likelihood += n * math.log(sum(share))
            for t in range(LANES):
                held[i][t] += n * share[t] / sum(share)
                used[j][t] += n * share[t] / sum(share)
        if count < rounds:
            document, word = held, used
    result, found_document, found_word = tables(rounds)
    near(sum(found_document, []), sum(document, []), 1e-9)
    near(sum(found_word, []), sum(word, []), 1e-9)
    near([result["likelihood"]], [likelihood], 1e-9)


def mesh_update(program, example):
    """Edges of the file's own values, both ways."""
    rounds = 3
    numbers = {identity: number for number, identity in enumerate(example.ids)}

    def tables(count):
        _, node, edge = program.run("mesh_update", example, "--rounds", count, columns=["node", "edge"])
        edges = {(numbers[row["from"]], numbers[row["to"]]): row["edge"] for row in edge}
        return rows_of(node, "node", 3), edges

    node, edge = tables(0)
    holds(sorted(edge) == sorted((u, v) for u, v, _ in example.entries()), "the edges are those of the file")
    for _ in range(rounds):
        around = [[0.0] * 3 for _ in node]
        for (i, j), value in edge.items():
            for lane in range(3):
                around[i][lane] += value * node[j][lane]
        edge = {(i, j): dot(node[i], node[j]) / 6 for i, j in edge}
        node = [[0.8 * x + 0.2 * y for x, y in zip(one, sums)] for one, sums in zip(node, around)]
    found_node, found_edge = tables(rounds)
    near(sum(found_node, []), sum(node, []), 1e-3)
    near([found_edge[pair] for pair in sorted(edge)], [edge[pair] for pair in sorted(edge)], 1e-3)


def checks(program):
    for example in square_examples():
        yield f"spmv {example.name}", spmv, (program, example)
        if example.suffix == "mtx":
            yield f"spgemm {example.name}", spgemm, (program, example)
        if example.symmetric:
            yield f"mesh_update {example.name}", mesh_update, (program, example)
    for example in (ratings_example(), *square_examples()[:3]):
        for check in (gradient_descent, als, lda):
            yield f"{check.__name__} {example.name}", check, (program, example)
