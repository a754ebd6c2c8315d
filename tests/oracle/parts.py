"""Components against networkx, label propagation against its definition."""

from collections import Counter

import networkx as nx

from command import same
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


def checks(program):
    for example in square_examples():
        yield f"components {example.name}", components, (program, example)
        yield f"strong_components {example.name}", strong_components, (program, example)
        yield f"label_propagation {example.name}", label_propagation, (program, example)
