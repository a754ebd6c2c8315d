"""The graphs that algorithms are compared on: random ones and awkward ones, all small."""

import itertools
import math
import random
from dataclasses import dataclass, field

import networkx as nx


@dataclass
class Example:
    """A graph as a file has it: entries (from, to, value) by number, and the id of every number."""

    name: str
    vertices: int
    listed: list
    symmetric: bool = False
    ids: list = field(default_factory=list)
    columns: int = 0  # of a matrix that is not square

    def __post_init__(self):
        if not self.ids:
            self.ids = list(range(1, self.vertices + 1))

    @property
    def suffix(self):
        return "mtx" if self.ids == list(range(1, self.vertices + 1)) else "wel"

    def text(self):
        """Matrix Market, or a list of edges where ids have gaps."""
        lines = [f"{self.ids[u]} {v + 1 if self.columns else self.ids[v]} {w}" for u, v, w in self.listed]
        if self.suffix == "mtx":
            kind = "symmetric" if self.symmetric else "general"
            size = f"{self.vertices} {self.columns or self.vertices} {len(lines)}"
            lines = [f"%%MatrixMarket matrix coordinate integer {kind}", size] + lines
        return "\n".join(lines) + "\n"

    def entries(self):
        """Both directions of what a symmetric file lists once."""
        mirrored = [(v, u, w) for u, v, w in self.listed if u != v] if self.symmetric else []
        return self.listed + mirrored

    def directed(self):
        """As networkx has it: duplicates are one edge of the least value."""
        graph = nx.DiGraph()
        graph.add_nodes_from(range(self.vertices))
        for u, v, w in self.entries():
            if graph.has_edge(u, v):
                w = min(w, graph[u][v]["weight"])
                graph[u][v]["times"] += 1
                graph[u][v]["weight"] = w
            else:
                graph.add_edge(u, v, weight=w, times=1)
        return graph

    def simple(self):
        """Undirected, without loops; the least value of the two directions."""
        graph = nx.Graph()
        graph.add_nodes_from(range(self.vertices))
        for u, v, w in self.entries():
            if u == v:
                continue
            if graph.has_edge(u, v):
                w = min(w, graph[u][v]["weight"])
            graph.add_edge(u, v, weight=w)
        return graph

    def weighted(self):
        """Undirected: the k-th copies of the two directions are one edge, of the lesser value; the
        values of several such edges add up."""
        copies = {}
        for u, v, w in self.entries():
            copies.setdefault((u, v), []).append(w)
        graph = nx.Graph()
        graph.add_nodes_from(range(self.vertices))
        for (u, v), values in copies.items():
            pairs = itertools.zip_longest(values, copies.get((v, u), []), fillvalue=math.inf)
            graph.add_edge(u, v, weight=sum(min(pair) for pair in pairs))
        return graph

    def has_duplicates(self):
        pairs = [(u, v) for u, v, _ in self.entries()]
        return len(pairs) != len(set(pairs))

    def is_negative(self):
        return any(w < 0 for _, _, w in self.listed)

    def sources(self):
        return [0, self.vertices // 2] if self.vertices > 1 else list(range(self.vertices))


def random_pairs(seed, vertices, edges, loops=False):
    draw = random.Random(seed)
    pairs = set()
    while len(pairs) < edges:
        u, v = draw.randrange(vertices), draw.randrange(vertices)
        if loops or u != v:
            pairs.add((u, v))
    return [(u, v, draw.randint(1, 20)) for u, v in sorted(pairs)]


def undirected(pairs):
    """Each edge once, in the lower triangle, as symmetric files want it."""
    least = {}
    for u, v, w in pairs:
        least[max(u, v), min(u, v)] = w
    return [(u, v, w) for (u, v), w in sorted(least.items())]


def square_examples():
    dense = random_pairs(1, 40, 260)
    sparse = random_pairs(2, 60, 70)
    tree = [(v, random.Random(v).randrange(v), 1 + v % 7) for v in range(1, 40)]
    clique = [(u, v, u + v) for u in range(12) for v in range(u)]
    ring = [(v, (v + 1) % 30, 3) for v in range(30)]
    return [
        Example("directed", 40, dense),
        Example("undirected", 40, undirected(dense), symmetric=True),
        Example("disconnected", 60, sparse),
        Example("disconnected_undirected", 60, undirected(sparse), symmetric=True),
        Example("loops", 30, random_pairs(3, 30, 150, loops=True)),
        Example("duplicates", 30, random_pairs(4, 30, 90) + random_pairs(5, 30, 90) + random_pairs(4, 30, 20)),
        Example("tree", 40, tree),
        Example("clique", 12, clique, symmetric=True),
        Example("ring", 30, ring),
        Example("star", 50, [(0, v, v) for v in range(1, 50)]),
        Example("gaps_in_ids", 20, [(v, (7 * v + 3) % 20, 1 + v % 5) for v in range(20)] + [(0, v, 2) for v in range(1, 20)],
                ids=[10 * v + 5 for v in range(20)]),
        Example("without_edges", 5, []),
        Example("one_vertex", 1, []),
        Example("one_loop", 1, [(0, 0, 4)]),
        Example("empty", 0, []),
    ]


def negative_example():
    """Negative values, no circle: edges lead to larger numbers only."""
    pairs = [(min(u, v), max(u, v), w - 9) for u, v, w in random_pairs(6, 30, 120)]
    return Example("negative", 30, sorted(pairs))


def ratings_example():
    draw = random.Random(7)
    cells = sorted(draw.sample([(u, v) for u in range(12) for v in range(9)], 50))
    return Example("ratings", 12, [(u, v, draw.randint(1, 5)) for u, v in cells], columns=9)
