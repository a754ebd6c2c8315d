#!/usr/bin/env python3
"""Compares the algorithms of the library, as commands, with networkx on random and awkward graphs;
what networkx lacks is worked out in plain Python.

    run.py --tropic build/bin/tropic --library library THEME

THEME is one of paths, parts, ranks, neighbours, choices, matrices. Every algorithm and method that
`tropic algorithms` lists under the theme must have been compared. Ends with 77, saying so, where
networkx is not installed.
"""

import argparse
import importlib
import os
import re
import shutil
import subprocess
import sys

SYSTEM = "/usr/bin/python3"  # where Debian's packages are found

try:
    import networkx  # noqa: F401
    import scipy  # noqa: F401
except ImportError:
    if os.path.realpath(sys.executable) != os.path.realpath(SYSTEM) and "TROPIC_ORACLE_AGAIN" not in os.environ:
        os.environ["TROPIC_ORACLE_AGAIN"] = "1"
        os.execv(SYSTEM, [SYSTEM, *sys.argv])
    print("skipped: python3-networkx and python3-scipy are not installed")
    sys.exit(77)

from command import Failure, Program

THEMES = {
    "paths": "Paths",
    "parts": "Parts of a graph",
    "ranks": "Who matters",
    "neighbours": "Triangles and neighbours",
    "choices": "Choices",
    "matrices": "Matrices, ratings and meshes",
}


def listed(tropic, theme):
    """What `tropic algorithms` has under the theme: (algorithm, its methods or nothing)."""
    text = subprocess.run([tropic, "algorithms"], capture_output=True, text=True, check=True).stdout
    section = re.search(rf"^{re.escape(THEMES[theme])}\n((?:  .*\n)*)", text, re.MULTILINE).group(1)
    found = []
    for line in section.splitlines():
        words = line.split()
        if words[0] == "--method":
            found[-1] = (found[-1][0], [word.strip(",") for word in words[1:]])
        else:
            found.append((words[0], None))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tropic", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("theme", choices=THEMES)
    arguments = parser.parse_args()
    program = Program(arguments.tropic, arguments.library)
    failed = passed = 0
    for name, check, given in importlib.import_module(arguments.theme).checks(program):
        try:
            check(*given)
            passed += 1
        except Failure as failure:
            print(f"{name}: {failure}")
            failed += 1
    for algorithm, methods in listed(arguments.tropic, arguments.theme):
        known = {method for name, method in program.used if name == algorithm}
        for method in methods or [None]:
            if not known or (method and method not in known):
                print(f"{algorithm} {method or ''} has not been compared with anything")
                failed += 1
    shutil.rmtree(program.folder)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
