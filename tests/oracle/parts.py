"""Components and communities against networkx, label propagation against its definition."""

from collections import Counter

import networkx as nx

from command import holds, near, same
from graphs import square_examples


def components(program, example):
    expected = [None] * example.vertices
    for group in nx.connected_components(example.simple()):
        for v in group:
            expected[v] = min(group)
    for method in ("afforest", "label_minimum"):
        same(program.vertices("components", example, "component", method=method), expected)


def strong_components(program, example):
    expected = [None] * example.vertices
    for group in nx.strongly_connected_components(example.directed()):
        for v in group:
            expected[v] = min(group)
    same(program.vertices("strong_components", example, "component"), expected)


def label_propagation(program, example):
    """Every vertex takes the most frequent label around it, of several the least."""
    around = [[] for _ in range(example.vertices)]
    for u, v, _ in example.entries():
        around[u].append(v)
        if not example.symmetric:
            around[v].append(u)
    label = list(range(example.vertices))
    for _ in range(10):
        votes = [Counter(label[v] for v in near) for near in around]
        label = [
            min(count, key=lambda one: (-count[one], one)) if count else label[v]
            for v, count in enumerate(votes)
        ]
    same(program.vertices("label_propagation", example, "label", "--limit", 10), label)


SHORTFALL = 0.02  # of modularity, against the best of networkx's choices


def louvain(program, example):
    """Modularity as networkx has it for our groups, and not far from that of its own best ones."""
    graph = example.weighted()
    numbers = {identity: number for number, identity in enumerate(example.ids)}
    results, rows = program.run("louvain", example, columns=["community"])
    groups = {}
    for row in rows:
        groups.setdefault(numbers[row["community"]], set()).add(numbers[row["vertex"]])
    same({label: min(group) for label, group in groups.items()}, {label: label for label in groups})
    if graph.number_of_edges() == 0:
        same((results["modularity"], len(groups)), (0, example.vertices))
        return
    near([results["modularity"]], [nx.community.modularity(graph, groups.values())], 1e-9)
    tried = [nx.community.louvain_communities(graph, seed=seed) for seed in range(10)]
    best = max(nx.community.modularity(graph, choice) for choice in tried)
    holds(results["modularity"] >= best - SHORTFALL, f"modularity {results['modularity']}, networkx finds {best}")


def checks(program):
    for example in square_examples():
        yield f"components {example.name}", components, (program, example)
        yield f"strong_components {example.name}", strong_components, (program, example)
        yield f"label_propagation {example.name}", label_propagation, (program, example)
        yield f"louvain {example.name}", louvain, (program, example)
