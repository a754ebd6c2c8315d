#!/usr/bin/env python3
"""Reads the examples in the descriptions of the dialects' operations: every fenced block that says
```mlir must be read, verified and, once printed, read and printed the same.

    examples.py --opt build/bin/tropic_ir_opt src/ir/ga.td src/ir/it.td

An example stands for the line @@ of a frame beside this script, where what it makes itself is left out.
Exit code: 0 all passed, 1 something failed.
"""

import argparse
import re
import subprocess
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).resolve().parent
OPERATION = re.compile(r"^def \w+ : (Ga|It)Op<\"(\w+)\"(.*?)^}", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"```mlir\n(.*?)```", re.DOTALL)
MADE = re.compile(r"^(%\w+) = ", re.MULTILINE)
FRAMES = dict.fromkeys(["it.element", "it.scalar", "it.combine", "it.apply", "it.merge"], "it_compute")
FRAMES["it.kernel"] = "it_kernel"


def framed(name, example):
    example = textwrap.dedent(example)
    frame = HERE / f"{FRAMES.get(name, name[:2])}.frame"
    lines = [line for line in frame.read_text().splitlines()
             if not set(MADE.findall(example)).intersection(MADE.findall(line.strip()))]
    return "\n".join(example if line.strip() == "@@" else line for line in lines)


def run(opt, text):
    return subprocess.run([opt, "--allow-unregistered-dialect", "-"], input=text, text=True,
                          capture_output=True, timeout=60, check=False)


def failure_of(opt, text):
    """What is wrong with it; empty if it is fine."""
    once = run(opt, text)
    if once.returncode:
        return once.stderr
    twice = run(opt, once.stdout)
    return "" if twice.stdout == once.stdout else f"{once.stdout}is then printed as\n{twice.stdout}"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opt", required=True, help="reads, verifies and prints")
    parser.add_argument("files", type=Path, nargs="+", help="descriptions of dialects")
    options = parser.parse_args()
    failed = passed = 0
    for dialect, operation, body in (found.groups() for path in options.files
                                     for found in OPERATION.finditer(path.read_text())):
        name = f"{dialect.lower()}.{operation}"
        blocks = BLOCK.findall(body)
        problems = [failure_of(options.opt, framed(name, block)) for block in blocks]
        if not blocks:
            problems = ["has no example\n"]
        for problem in problems:
            if problem:
                print(f"--- {name}\n{problem}", end="")
                failed += 1
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
