#!/usr/bin/env python3
"""Checks and runs the examples of documents: every fenced block that says ```tropic is a text of
its own.

    examples.py --tropic build/bin/tropic docs/language.md ...
    examples.py --update ...                rewrites what does not match

Each must pass `tropic check`. The last function or program of a block, NAME, is then run as the first line
of examples/NAME.expected says, beside the files of that folder, and must print the lines that follow.
Exit code: 0 all passed, 1 something failed.
"""

import argparse
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```tropic\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"^(?:def|program) (\w+)", re.MULTILINE)
EXPECTED = Path(__file__).resolve().parent / "examples"
COMMAND_SECONDS = 120


def examples(path):
    """Pairs of the line a block starts in and its text."""
    text = path.read_text(encoding="utf-8")
    for block in BLOCK.finditer(text):
        yield text.count("\n", 0, block.start(1)) + 1, block.group(1)


def run(command, folder):
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=COMMAND_SECONDS, check=False
    )


def failure_of(tropic, text, update):
    """What is wrong with the example; empty if it is fine."""
    name = NAME.findall(text)[-1]
    expected = EXPECTED / f"{name}.expected"
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for file in EXPECTED.glob("*.mtx"):
            shutil.copy(file, folder)
        (folder / f"{name}.tropic").write_text(text, encoding="utf-8")
        checked = run([tropic, "check", f"{name}.tropic"], folder)
        if checked.returncode != 0:
            return f"refused\n{checked.stdout}{checked.stderr}"
        if not expected.exists():
            return f"not run: {expected} is missing"
        command, _, output = expected.read_text(encoding="utf-8").partition("\n")
        done = run([tropic, *shlex.split(command)[2:]], folder)
    found = done.stdout + done.stderr
    if found == output and done.returncode == 0:
        return ""
    if update:
        expected.write_text(f"{command}\n{found}", encoding="utf-8")
    return f"wrong: {command[2:]}\nprints\n{found}\nexpected\n{output}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tropic", required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("documents", nargs="+", type=Path)
    arguments = parser.parse_args()
    tropic = str(Path(arguments.tropic).resolve())
    failed = False
    for document in arguments.documents:
        found = 0
        for line, text in examples(document):
            found += 1
            if failure := failure_of(tropic, text, arguments.update):
                failed = True
                print(f"{document}:{line}: the example is {failure}")
        if found == 0:
            failed = True
            print(f"{document}: no examples")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
