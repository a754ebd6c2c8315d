"""Calls of the program under test, with their results by the numbers of vertices."""

import json
import subprocess
import tempfile
from pathlib import Path


class Failure(Exception):
    """The program did not do what it was asked to."""


class Program:
    def __init__(self, path, library):
        self.path = path
        self.library = Path(library)
        self.folder = Path(tempfile.mkdtemp(prefix="tropic-oracle-"))
        self.used = set()  # (algorithm, method) of all calls

    def file_of(self, example):
        path = self.folder / f"{example.name}.{example.suffix}"
        if not path.exists():
            path.write_text(example.text())
        return path

    def call(self, *words):
        done = subprocess.run([self.path, *map(str, words)], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failure(f"tropic {' '.join(map(str, words))}\n{done.stderr}")
        return done.stdout

    def run(self, name, example, *words, columns=(), method=None):
        """The numbers that the algorithm gives, and its columns, each as rows of JSON."""
        report = ["--method", method] if method else []
        outputs = []
        for column in columns:
            outputs += ["-o", f"{column}={self.folder / column}.json"]
        options = ["--json", "--quiet", "--verify", *report, *outputs, *words]
        answer = json.loads(self.call(name, self.file_of(example), *options))
        self.used.add((name, answer["method"]))
        tables = [json.loads((self.folder / f"{column}.json").read_text()) for column in columns]
        return answer["results"], *tables

    def column(self, name, example, column, *words, method=None):
        """One column as a list over the vertices."""
        _, rows = self.run(name, example, *words, columns=[column], method=method)
        numbers = {identity: number for number, identity in enumerate(example.ids)}
        values = [None] * example.vertices
        for row in rows:
            values[numbers[row["vertex"]]] = row[column]
        return values

    def vertices(self, name, example, column, *words, method=None):
        """One column of vertices, as numbers; None where there is none."""
        numbers = {identity: number for number, identity in enumerate(example.ids)}
        found = self.column(name, example, column, *words, method=method)
        return [None if value is None else numbers[value] for value in found]


def near(found, expected, tolerance):
    """Compares two lists of numbers."""
    if len(found) != len(expected):
        raise Failure(f"{len(found)} values, {len(expected)} expected")
    for place, (one, other) in enumerate(zip(found, expected)):
        if (one is None) != (other is None):
            raise Failure(f"at {place}: {one}, expected {other}")
        if one is not None and abs(one - other) > tolerance * max(1, abs(other)):
            raise Failure(f"at {place}: {one}, expected {other}")


def same(found, expected):
    if found != expected:
        raise Failure(f"{found}\nexpected\n{expected}")


def holds(condition, complaint):
    if not condition:
        raise Failure(complaint)
