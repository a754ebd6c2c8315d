"""Triangles and what is made of them, against networkx."""

import networkx as nx

from command import near, same
from graphs import square_examples


def triangles(program, example):
    expected = sum(nx.triangles(example.simple()).values()) // 3
    for method in ("fastest", "burkhardt", "cohen", "sandia_ll", "sandia_uu"):
        result = program.run("triangles", example, method=method)[0]
        same(result["triangles"], expected)


def clustering(program, example):
    known = nx.clustering(example.simple())
    expected = [known[v] for v in range(example.vertices)]
    near(program.column("clustering", example, "coefficient"), expected, 1e-12)
    mean = program.run("clustering", example)[0]["mean"]
    near([mean], [sum(expected) / max(1, len(expected))], 1e-12)


def k_core(program, example):
    known = nx.core_number(example.simple())
    same(program.column("k_core", example, "core"), [known[v] for v in range(example.vertices)])


def by_edge(program, example, name, column, *words):
    numbers = {identity: number for number, identity in enumerate(example.ids)}
    _, rows = program.run(name, example, *words, columns=[column])
    return {(numbers[row["from"]], numbers[row["to"]]): row[column] for row in rows}


def k_truss(program, example):
    for k in (3, 4, 5):
        truss = nx.k_truss(example.simple(), k)
        expected = {}
        for u, v in example.simple().edges:
            inside = truss.has_edge(u, v)
            support = len(set(truss[u]) & set(truss[v])) if inside else None
            expected[u, v] = expected[v, u] = support
        same(by_edge(program, example, "k_truss", "support", "--k", k), expected)


def jaccard(program, example):
    graph = example.simple()
    expected = {}
    for u, v, similarity in nx.jaccard_coefficient(graph, list(graph.edges)):
        expected[u, v] = expected[v, u] = similarity
    found = by_edge(program, example, "jaccard", "similarity")
    same(sorted(found), sorted(expected))
    near([found[pair] for pair in sorted(found)], [expected[pair] for pair in sorted(found)], 1e-12)


def checks(program):
    for example in square_examples():
        for check in (triangles, clustering, k_core, k_truss, jaccard):
            yield f"{check.__name__} {example.name}", check, (program, example)
