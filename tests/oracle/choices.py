"""Choices that could be made in many ways: whether they are what they should be, by networkx."""

import networkx as nx

from command import holds, same
from graphs import square_examples


def independent_set(program, example):
    graph = example.simple()
    for seed in (1, 2):
        member = program.column("independent_set", example, "member", "--seed", seed)
        chosen = {v for v in range(example.vertices) if member[v]}
        holds(graph.subgraph(chosen).number_of_edges() == 0, "two members are neighbours")
        for v in set(graph) - chosen:
            holds(chosen & set(graph[v]), f"{v} could be a member, too")


def colouring(program, example):
    graph = example.simple()
    result = program.run("colouring", example)[0]
    colour = program.column("colouring", example, "colour")
    for u, v in graph.edges:
        holds(colour[u] != colour[v], f"{u} and {v} have the same colour")
    same(result["colours"], len(set(colour)))
    most = max((degree for _, degree in graph.degree), default=-1) + 1
    holds(result["colours"] <= most, f"{result['colours']} colours, {most} are enough")


def matching(program, example):
    graph = example.simple()
    for seed in (1, 2):
        partner = program.vertices("matching", example, "partner", "--seed", seed)
        pairs = {(v, other) for v, other in enumerate(partner) if other is not None and v < other}
        for v, other in enumerate(partner):
            holds(other is None or partner[other] == v, f"{other} is not the partner of {v}")
        holds(nx.is_maximal_matching(graph, pairs), "not a maximal matching")


def checks(program):
    for example in square_examples():
        for check in (independent_set, colouring, matching):
            yield f"{check.__name__} {example.name}", check, (program, example)
