#!/usr/bin/env python3
"""Checks and runs the examples of documents: every fenced block that says ```tropic is a text of
its own, or, if there is an examples/NAME.frame for it, stands in that text for the line @@.

    examples.py --tropic build/bin/tropic docs/language.md ...
    examples.py --update ...                rewrites what does not match

Each must pass `tropic check`. A block has the name that follows ```tropic, or that of its last function or
program. It is then run as the first line of examples/NAME.expected says, beside the files of that folder, and
must print the lines that follow, where TIME stands for any time.
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

BLOCK = re.compile(r"^```tropic(?: (\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"^(?:def|program) (\w+)", re.MULTILINE)
FRAME_LINE = re.compile(r"^ *@@$", re.MULTILINE)
TIME = re.compile(r"(ELAPSED_TIME = )\S+")
EXPECTED = Path(__file__).resolve().parent / "examples"
COMMAND_SECONDS = 120


def examples(path):
    """The line a block starts in, its name and its text."""
    text = path.read_text(encoding="utf-8")
    for block in BLOCK.finditer(text):
        name = block.group(1) or NAME.findall(block.group(2))[-1]
        yield text.count("\n", 0, block.start(2)) + 1, name, framed(name, block.group(2))


def framed(name, block):
    """The whole text that a block belongs to."""
    frame = EXPECTED / f"{name}.frame"
    if not frame.exists():
        return block
    return FRAME_LINE.sub(lambda _: block, frame.read_text(encoding="utf-8"))


def run(command, folder):
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=COMMAND_SECONDS, check=False
    )


def failure_of(tropic, name, text, update):
    """What is wrong with the example; empty if it is fine."""
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
    found = TIME.sub(r"\1TIME", done.stdout + done.stderr)
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
        for line, name, text in examples(document):
            found += 1
            if failure := failure_of(tropic, name, text, arguments.update):
                failed = True
                print(f"{document}:{line}: the example is {failure}")
        if found == 0:
            failed = True
            print(f"{document}: no examples")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
