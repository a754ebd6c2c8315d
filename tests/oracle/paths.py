"""Searches, shortest paths, orders and trees, against networkx."""

import networkx as nx

from command import Failure, holds, near, same
from graphs import negative_example, square_examples


def levels(program, example, source):
    expected = nx.single_source_shortest_path_length(example.directed(), source)
    wanted = [expected.get(v) for v in range(example.vertices)]
    start = ("--source", example.ids[source])
    same(program.column("bfs", example, "level", *start, method="levels"), wanted)
    reached = program.column("bfs", example, "reached", *start, method="reachability")
    same(reached, [level is not None for level in wanted])
    parent = program.vertices("bfs", example, "parent", *start, method="parents")
    for v, before in enumerate(parent):
        holds((before is None) == (wanted[v] is None), f"parent {before} of {v}")
        if v == source:
            holds(before == v, "the source is its own parent")
        elif before is not None:
            holds(example.directed().has_edge(before, v), f"no edge {before} to {v}")
            holds(wanted[before] == wanted[v] - 1, f"the parent of {v} is not one nearer")


def path_counts(program, example, source):
    graph = example.directed()
    expected = [0] * example.vertices
    for target in nx.single_source_shortest_path_length(graph, source):
        for path in nx.all_shortest_paths(graph, source, target):
            ways = 1
            for u, v in zip(path, path[1:]):
                ways *= graph[u][v]["times"]
            expected[target] += ways
    found = program.column("bfs", example, "paths", "--source", example.ids[source], method="path_counts")
    same(found, expected)


def distances(program, example, source, methods):
    expected = nx.single_source_bellman_ford_path_length(example.directed(), source)
    wanted = [expected.get(v) for v in range(example.vertices)]
    for method in methods:
        same(program.column("sssp", example, "dist", "--source", example.ids[source], method=method), wanted)


def all_pairs(program, example, methods):
    expected = dict(nx.all_pairs_bellman_ford_path_length(example.directed()))
    numbers = {identity: number for number, identity in enumerate(example.ids)}
    for method in methods:
        _, rows = program.run("apsp", example, columns=["D"], method=method)
        holds(len(rows) == example.vertices**2, "a row for every pair")
        for row in rows:
            same(row["D"], expected[numbers[row["from"]]].get(numbers[row["to"]]))


def order(program, example):
    graph = example.directed()
    if not nx.is_directed_acyclic_graph(graph):
        try:
            program.column("topological_sort", example, "position")
        except Failure as failure:
            holds("the graph has a cycle" in str(failure), str(failure))
            return
        raise Failure("a graph with a cycle has an order")
    position = program.column("topological_sort", example, "position")
    same(sorted(position), list(range(example.vertices)))
    for u, v in graph.edges:
        holds(position[u] < position[v], f"{u} does not come before {v}")
    level = program.column("topological_sort", example, "level")
    for depth, members in enumerate(nx.topological_generations(graph)):
        for v in members:
            same(level[v], depth)


def spanning_tree(program, example):
    graph = example.simple()
    numbers = {identity: number for number, identity in enumerate(example.ids)}
    for method in ("boruvka", "prim"):
        result, ends_from, ends_to = program.run("spanning_tree", example, columns=["from", "to"], method=method)
        near([result["total"]], [nx.minimum_spanning_tree(graph).size("weight")], 0)
        same(result["trees"], nx.number_connected_components(graph))
        forest = nx.Graph()
        forest.add_nodes_from(range(example.vertices))
        for one, other in zip(ends_from, ends_to):
            if one["from"] is None:
                continue
            u, v = numbers[one["from"]], numbers[other["to"]]
            holds(graph.has_edge(u, v), f"no edge between {u} and {v}")
            forest.add_edge(u, v)
        same(forest.number_of_edges(), example.vertices - result["trees"])
        same(nx.number_connected_components(forest), result["trees"])


def checks(program):
    for example in square_examples():
        for source in example.sources():
            yield f"bfs {example.name} {source}", levels, (program, example, source)
            yield f"path_counts {example.name} {source}", path_counts, (program, example, source)
            both = ("delta_stepping", "bellman_ford")
            yield f"sssp {example.name} {source}", distances, (program, example, source, both)
        yield f"apsp {example.name}", all_pairs, (program, example, ("by_source", "floyd_warshall"))
        yield f"topological_sort {example.name}", order, (program, example)
        yield f"spanning_tree {example.name}", spanning_tree, (program, example)
    example = negative_example()
    yield "sssp negative", distances, (program, example, 0, ("bellman_ford",))
    yield "apsp negative", all_pairs, (program, example, ("floyd_warshall",))
    yield "topological_sort negative", order, (program, example)
    yield "spanning_tree negative", spanning_tree, (program, example)
