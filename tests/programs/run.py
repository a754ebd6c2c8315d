#!/usr/bin/env python3
"""Runs programs (NAME.tropic) and compares what they print with NAME.expected beside them.

    run.py                                       all programs of this directory
    run.py --command 'build/bin/tropic run' tests/programs/spmv_*.tropic
    run.py --update NAME.tropic                  writes what is printed as what is expected
    run.py --through ga,it,loops --every 4 --command 'build/bin/tropic run'
                                                 every fourth program, by the text of a stage: that
                                                 is written, read back and run, the stages in turn

A program says itself what it reads, in comments at its beginning:

    # Sparse matrix times dense vector.
    # input 0 = data/five.mtx
    # input weights = data/vector.tns
    # fails

Inputs become options `-i 0=FILE`, relative to the directory of the program, in which the command runs
too. `# fails` expects exit code 1 and the message on stderr instead of output. In an expected text a
line `...` stands for any number of lines, `{*}` within a line for any text. The sign of a zero does not
count: arithmetic may be reordered. Programs run in parallel.

Exit code: 0 all passed, 1 something failed.
"""

import argparse
import concurrent.futures
import difflib
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
PROGRAM_SECONDS = 120

sys.path.insert(0, str(HERE.parent / "text"))
from run import output_matches  # noqa: E402


def without_signed_zeros(text):
    return re.sub(r"(?<![\w.+-])-0(?=[,\n])", "0", text)


class Program:
    """One program with its expectations."""

    def __init__(self, path):
        self.path = path.resolve()
        self.expected_path = self.path.with_suffix(".expected")
        self.inputs = []
        self.fails = False
        self.problem = None
        self.stage = None
        lines = self.path.read_text().splitlines()
        if not lines or not re.match(r"# \S", lines[0]):
            self.problem = "does not open with a comment that says what it shows"
        for line in lines:
            if found := re.fullmatch(r"# input (\w+) = (\S+)", line):
                self.inputs.append(found.groups())
            elif line == "# fails":
                self.fails = True

    def run(self, command):
        """What it prints, as lines, or a problem."""
        options = [word for name, file in self.inputs for word in ("-i", f"{name}={file}")]
        env = dict(os.environ, LC_ALL="C.UTF-8", TERM="dumb", NO_COLOR="1")

        def call(*words):
            return subprocess.run(words, cwd=self.path.parent, env=env, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=PROGRAM_SECONDS, check=False)

        try:
            if self.stage:
                with tempfile.TemporaryDirectory() as folder:
                    text = f"{folder}/{self.path.stem}.{self.stage}"
                    done = call(command[0], "compile", self.path.name, "--emit", self.stage, "-o", text)
                    if done.returncode == 0:
                        done = call(*command, text, *options)
            else:
                done = call(*command, self.path.name, *options)
        except subprocess.TimeoutExpired:
            return [], f"no end after {PROGRAM_SECONDS} s"
        output = without_signed_zeros(done.stdout.decode("utf-8", "replace"))
        errors = done.stderr.decode("utf-8", "replace")
        if done.returncode != (1 if self.fails else 0):
            return [], f"exit code {done.returncode}\n{output}{errors}"
        if self.fails and output:
            return [], f"should fail before it prints:\n{output}"
        if not self.fails and errors:
            return [], f"printed on stderr:\n{errors}"
        return (errors if self.fails else output).splitlines(), None

    def check(self, command, update):
        """The problem with it, or None."""
        if self.problem:
            return self.problem
        actual, problem = self.run(command)
        if problem:
            return problem
        if not actual:
            return "prints nothing, so that nothing could be wrong with it"
        there_is = self.expected_path.exists()
        expected = self.expected_path.read_text().splitlines() if there_is else []
        if output_matches(expected, actual):
            return None
        if update:
            self.expected_path.write_text("".join(line + "\n" for line in actual))
            return None
        return "\n".join(difflib.unified_diff(expected, actual, "expected", "actual", lineterm=""))


def orphans(programs):
    """Expected texts without a program: a test that nobody runs."""
    names = {program.expected_path for program in programs}
    return [path for path in sorted(HERE.glob("*.expected")) if path not in names]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default=str(PROJECT / "build/bin/tropic_reference"),
                        help="runs one program (build/bin/tropic_reference)")
    parser.add_argument("--update", action="store_true", help="rewrite what does not match")
    parser.add_argument("--through", default="", help="stages, separated by commas")
    parser.add_argument("--every", type=int, default=1, help="one program of so many (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="programs at a time")
    parser.add_argument("files", type=Path, nargs="*", help="programs; none: all of them")
    options = parser.parse_args()
    command = shlex.split(options.command)
    command[0] = str(Path(command[0]).resolve())
    if not Path(command[0]).exists():
        parser.error(f"there is no {command[0]}; build it with ./dev build")

    files = options.files or sorted(HERE.glob("*.tropic"))
    programs = [Program(path) for path in files]
    failed = 0
    if options.through:
        # Messages of faults quote the text that was read.
        programs = [program for program in programs if not program.fails][::options.every]
        stages = options.through.split(",")
        for number, program in enumerate(programs):
            program.stage = stages[number % len(stages)]
    if not options.files and not options.through:
        for path in orphans(programs):
            print(f"--- {path.name}: there is no program of this name")
            failed += 1
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        problems = pool.map(lambda program: program.check(command, options.update), programs)
        for program, problem in zip(programs, problems):
            if problem:
                print(f"--- {program.path.name}\n{problem}")
                failed += 1
    print(f"{len(programs) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
