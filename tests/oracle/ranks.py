"""Centralities, against networkx; where an edge that is there twice counts twice, against their
definition."""

import json

import networkx as nx

from command import holds, near
from graphs import square_examples


def ranks_of(example, jump=None):
    graph = example.directed()
    if example.vertices == 0:
        return []
    where = None if jump is None else {jump: 1}
    found = nx.pagerank(graph, alpha=0.85, personalization=where, dangling=where, tol=1e-13, max_iter=5000, weight="times")
    return [found[v] for v in range(example.vertices)]


def pagerank(program, example):
    expected = ranks_of(example)
    precise = ("--tolerance", 1e-12, "--limit", 5000)
    near(program.column("pagerank", example, "rank", *precise), expected, 1e-9)
    near(program.column("pagerank", example, "rank"), expected, 1e-3)


def personalised_pagerank(program, example):
    for source in example.sources():
        options = ("--source", example.ids[source], "--tolerance", 1e-12, "--limit", 5000)
        found = program.column("personalised_pagerank", example, "rank", *options)
        near(found, ranks_of(example, source), 1e-9)


def hits(program, example):
    """By the definition: each follows from the other, round after round, starting alike."""
    edges = [(u, v) for u, v, _ in example.entries()]
    n = example.vertices
    hub = [1 / n] * n
    authority = [0.0] * n
    for _ in range(5000):
        authority = [0.0] * n
        for u, v in edges:
            authority[v] += hub[u]
        total = sum(authority) or 1
        authority = [one / total for one in authority]
        hub = [0.0] * n
        for u, v in edges:
            hub[u] += authority[v]
        total = sum(hub) or 1
        hub = [one / total for one in hub]
    options = ("--tolerance", 1e-13, "--limit", 5000)
    near(program.column("hits", example, "hub", *options), hub, 1e-6)
    near(program.column("hits", example, "authority", *options), authority, 1e-6)
    if example.name in ("directed", "undirected", "clique"):  # one leading eigenvector
        hubs, authorities = nx.hits(example.directed().__class__(edges), max_iter=5000, tol=1e-13)
        near(hub, [hubs[v] for v in range(n)], 1e-6)
        near(authority, [authorities[v] for v in range(n)], 1e-6)


def katz(program, example):
    graph = example.directed()
    expected = nx.katz_centrality_numpy(graph, alpha=0.01, beta=1.0, weight="times") if graph else {}
    options = ("--alpha", 0.01, "--beta", 1, "--tolerance", 1e-13, "--limit", 5000)
    near(program.column("katz", example, "centrality", *options), [expected[v] for v in sorted(expected)], 1e-8)


def shares(example, sources):
    """Brandes' sums over the sources, with as many paths as edges give."""
    graph = example.directed()
    total = [0.0] * example.vertices
    for s in sources:
        level = nx.single_source_shortest_path_length(graph, s)
        ways = {s: 1}
        for v in sorted(level, key=level.get):
            if v != s:
                before = [u for u in graph.predecessors(v) if level.get(u, -2) == level[v] - 1]
                ways[v] = sum(ways[u] * graph[u][v]["times"] for u in before)
        passing = dict.fromkeys(level, 0.0)
        for v in sorted(level, key=level.get, reverse=True):
            for u in graph.predecessors(v):
                if level.get(u, -2) == level[v] - 1:
                    passing[u] += graph[u][v]["times"] * ways[u] / ways[v] * (1 + passing[v])
        for v in level:
            total[v] += passing[v] if v != s else 0
    return total


def betweenness(program, example):
    expected = shares(example, range(example.vertices))
    if not example.has_duplicates():
        known = nx.betweenness_centrality(example.directed(), normalized=False)
        near(expected, [known[v] for v in range(example.vertices)], 1e-9)
    near(program.column("betweenness", example, "centrality", method="exact"), expected, 1e-9)


def sampled(program, example):
    """The sources are among the results of the text."""
    if example.vertices == 0:
        return
    program.used.add(("betweenness", "sampled"))
    files = {name: program.folder / f"sampled_{name}.json" for name in ("centrality", "source")}
    outputs = [word for name, file in files.items() for word in ("-o", f"{name}={file}")]
    text = program.library / "betweenness.tropic"
    program.call("run", text, "--function", "sampled", "-i", program.file_of(example), "--set", "samples=6", "-q", *outputs)
    centrality, source = (json.loads(file.read_text()) for file in files.values())
    numbers = {identity: number for number, identity in enumerate(example.ids)}
    chosen = [numbers[row["source"]] for row in source]
    holds(len(chosen) == 6, "six sources")
    expected = [one * example.vertices / 6 for one in shares(example, chosen)]
    near([row["centrality"] for row in centrality], expected, 1e-9)


def closeness(program, example):
    known = nx.closeness_centrality(example.directed())
    near(program.column("closeness", example, "centrality"), [known[v] for v in range(example.vertices)], 1e-9)


def checks(program):
    for example in square_examples():
        for check in (pagerank, personalised_pagerank, katz, betweenness, sampled, closeness):
            yield f"{check.__name__} {example.name}", check, (program, example)
        if example.entries():
            yield f"hits {example.name}", hits, (program, example)
