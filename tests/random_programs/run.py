#!/usr/bin/env python3
"""Runs random programs by the reference evaluator and by the product, and shows where they differ.

    run.py --tropic 'build/bin/tropic run'            200 programs from seed 1
    run.py --tropic ... --seed 7000 --programs 5000   others
    run.py --reference-only                           only that every program runs
    run.py --seed 42 --show                           prints program and inputs of one seed

A difference is shrunk (statements and entries are left out while it persists) and shown with both
outputs; its program and inputs are kept in a directory that is named. What the product refuses as not
supported yet counts as a failure unless --allow-unsupported is given. -0 and 0 are the same here.

Exit code: 0 no difference, 1 some.
"""

import argparse
import concurrent.futures
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from generate import generate
from shrink import shrink

PROJECT = Path(__file__).resolve().parent.parent.parent
PROGRAM_SECONDS = 60


def complaint(output):
    """The message without its place and the names in it, to tell one kind of refusal from another."""
    found = re.search(r"program\.tropic[^ ]*: (.*)", output)
    return re.sub(r"[\w']*\d[\w']*", "_", found.group(1)) if found else "without a place"


class Commands:
    """The two ways to run a program."""

    def __init__(self, reference, tropic, allow_unsupported):
        self.reference, self.tropic = reference, tropic
        self.allow_unsupported = allow_unsupported

    def run(self, command, directory, options):
        """(exit code, what it printed), zeros without signs."""
        try:
            done = subprocess.run([*command, "program.tropic", *options], cwd=directory,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  timeout=PROGRAM_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return -1, f"no end after {PROGRAM_SECONDS} s"
        text = re.sub(r"(?<![\w.])-0(?=[,\n])", "0", done.stdout)
        return done.returncode, text if done.returncode == 0 else text + done.stderr

    def difference(self, program):
        """None, or (kind, reference's output, product's output)."""
        with tempfile.TemporaryDirectory(prefix="tropic-random-") as scratch:
            directory = Path(scratch)
            options = program.write(directory)
            code, expected = self.run(self.reference, directory, options)
            if code != 0:
                return f"the reference refuses it: {complaint(expected)}", expected, ""
            if self.tropic is None:
                return None
            code, actual = self.run(self.tropic, directory, options)
            if code == 1 and "not supported" in actual and self.allow_unsupported:
                return None
            if code != 0:
                return f"the product refuses it: {complaint(actual)}", expected, actual
            return None if actual == expected else ("the outputs differ", expected, actual)


def show(program, file=sys.stdout):
    with tempfile.TemporaryDirectory(prefix="tropic-random-") as scratch:
        program.write(Path(scratch))
        for path in sorted(Path(scratch).iterdir(), reverse=True):
            print(f"--- {path.name}\n{path.read_text()}", end="", file=file)


def report(seed, program, commands, found):
    kind = found[0]

    def still_differs(smaller):
        again = commands.difference(smaller)
        return again is not None and again[0] == kind

    small = shrink(program, still_differs)
    _, expected, actual = commands.difference(small) or found
    kept = Path(tempfile.mkdtemp(prefix=f"tropic-random-seed-{seed}-"))
    options = small.write(kept)
    print(f"=== seed {seed}: {kind}")
    show(small)
    print(f"--- the reference\n{expected}--- the product\n{actual}"
          f"--- kept in {kept}: program.tropic {' '.join(options)}\n", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reference", default=str(PROJECT / "build/bin/tropic_reference"))
    parser.add_argument("--tropic", default=str(PROJECT / "build/bin/tropic") + " run")
    parser.add_argument("--reference-only", action="store_true")
    parser.add_argument("--allow-unsupported", action="store_true")
    parser.add_argument("--seed", type=int, default=1, help="of the first program (1)")
    parser.add_argument("--programs", type=int, default=200, help="how many (200)")
    parser.add_argument("--most", type=int, default=3, help="differences to shrink and show (3)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--show", action="store_true", help="print the first program and stop")
    options = parser.parse_args()
    if options.show:
        show(generate(options.seed))
        return 0

    def command(text):
        words = shlex.split(text)
        words[0] = str(Path(words[0]).resolve())
        if not Path(words[0]).exists():
            parser.error(f"there is no {words[0]}; build it with ./dev build")
        return words

    commands = Commands(command(options.reference),
                        None if options.reference_only else command(options.tropic),
                        options.allow_unsupported)

    def one(seed):
        program = generate(seed)
        return seed, program, commands.difference(program)

    failed = 0
    seeds = range(options.seed, options.seed + options.programs)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for seed, program, found in pool.map(one, seeds):
            if found is None:
                continue
            failed += 1
            if failed <= options.most:
                report(seed, program, commands, found)
            else:
                print(f"=== seed {seed}: {found[0]}", flush=True)
    print(f"{options.programs - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
