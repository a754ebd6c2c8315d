#!/usr/bin/env python3
"""Checks the examples of documents: every fenced block that says ```tropic is a text of its own.

    examples.py --tropic build/bin/tropic docs/language.md ...

Each must pass `tropic check`. Exit code: 0 all passed, 1 something failed.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```tropic\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND_SECONDS = 120


def examples(path):
    """Pairs of the line a block starts in and its text."""
    text = path.read_text(encoding="utf-8")
    for block in BLOCK.finditer(text):
        yield text.count("\n", 0, block.start(1)) + 1, block.group(1)


def failure_of(tropic, text):
    """What `tropic check` says about the text; empty if it is fine."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "example.tropic"
        file.write_text(text, encoding="utf-8")
        done = subprocess.run(
            [tropic, "check", file.name],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=COMMAND_SECONDS,
            check=False,
        )
    return "" if done.returncode == 0 else done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tropic", required=True)
    parser.add_argument("documents", nargs="+", type=Path)
    arguments = parser.parse_args()
    tropic = str(Path(arguments.tropic).resolve())
    failed = False
    for document in arguments.documents:
        found = 0
        for line, text in examples(document):
            found += 1
            if failure := failure_of(tropic, text):
                failed = True
                print(f"{document}:{line}: the example is refused\n{failure}")
        if found == 0:
            failed = True
            print(f"{document}: no examples")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
