#!/usr/bin/env python3
"""Reads and prints what the compiler shows of programs in both dialects: it must come out the same.

    programs.py --opt build/bin/tropic_ir_opt --tropic build/bin/tropic tests/programs/*.tropic

Together the programs must use every operation of the dialects, which are described in src/ir.
Exit code: 0 all passed, 1 something failed.
"""

import argparse
import concurrent.futures
import difflib
import os
import re
import subprocess
import sys
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent.parent / "src/ir"
DESCRIBED = re.compile(r"^def \w+ : (Ga|It)Op<\"(\w+)\"", re.MULTILINE)
USED = re.compile(r"\b((?:ga|it)\.\w+)")
BETWEEN = "\n// -----\n"


def run(command, text=None):
    return subprocess.run(command, input=text, text=True, capture_output=True, timeout=300, check=False)


def shown(tropic, path, stage):
    """The program in that dialect."""
    done = run([tropic, "compile", path, "--emit", stage])
    if done.returncode:
        sys.exit(f"{path}, {stage}:\n{done.stderr}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opt", required=True, help="reads, verifies and prints")
    parser.add_argument("--tropic", required=True)
    parser.add_argument("files", nargs="+", help="programs")
    options = parser.parse_args()
    tasks = [(path, stage) for path in options.files for stage in ("ga", "it")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        texts = list(pool.map(lambda task: shown(options.tropic, *task), tasks))
    done = run([options.opt, "--split-input-file", "-"], BETWEEN.join(texts))
    if done.returncode:
        sys.exit(done.stderr)
    failed = 0
    # strict: as many come out as went in.
    for (path, stage), text, printed in zip(tasks, texts, done.stdout.split(BETWEEN[1:]), strict=True):
        difference = list(difflib.unified_diff(text.strip().splitlines(), printed.strip().splitlines(),
                                               "shown", "printed", lineterm=""))
        if difference:
            print(f"--- {path}, {stage}", *difference, sep="\n")
            failed += 1
    operations = {f"{dialect.lower()}.{name}" for file in SOURCES.glob("*.td")
                  for dialect, name in DESCRIBED.findall(file.read_text())}
    unused = operations - set(USED.findall("".join(texts)))
    if unused:
        print("no program uses", *sorted(unused))
    print(f"{len(tasks) - failed} passed, {failed} failed")
    return 1 if failed or unused or not operations else 0


if __name__ == "__main__":
    sys.exit(main())
