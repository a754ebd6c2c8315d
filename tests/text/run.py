#!/usr/bin/env python3
"""Runs tests that are text: commands with their expected output beside them.

    run.py --tropic build/bin/tropic tests/text/*.test      session files
    run.py --tropic build/bin/tropic tests/faults/*.expected  faulty files and their messages
    run.py --tropic build/bin/tropic README.md              the examples of a document
    run.py --tropic build/bin/tropic tests/programs/faults/*.expected  the same for programs
    run.py --update ...                                     rewrites what does not match

A session file (NAME.test) holds commands and what they print, stdout and stderr together:

    ## A comment: two hashes, before a command.
    $ tropic info missing.mtx
    missing.mtx: no such file
    [exit 1]

    $ cat > triangle.el <<EOF
    > 0 1
    > 1 2
    > EOF
    $ tropic info triangle.el
    ...
    time  {*} s

- `$ ` starts a command for bash; lines that follow it directly and start with `> ` continue it.
- `[exit N]` as the last line expects that exit code; without it the code must be 0.
- A line `...` stands for any number of lines, `{*}` within a line for any text.
- Blank lines at the end of an output do not count.
- A first line `# needs data` skips the file unless the directory of shared graphs is there
  (TROPIC_DATA, or ../shared/data beside the project); it is then seen as `data/`.
Every file runs in a fresh directory of its own, with `tropic` on the PATH and without a terminal.

A fault (NAME.EXT with NAME.EXT.expected beside it) is the command `tropic info NAME.EXT` (`tropic check`
for a program, .tropic or .ta), run in the directory of the file. It must print nothing on stdout, exactly the expected text on stderr, exit with
code 1, and stay small: whatever sizes the file claims, they are not allocated. A first line
`# args: --format metis` in the expected text gives more arguments.

An example of a document (NAME.md) is a fenced block that begins with `$ `: commands with the output
they must have, as in a session, where `build/bin/tropic` is the program under test. Such a block shows
all of the output, so `...` and `{*}` stand for themselves.

Exit code: 0 all passed, 1 something failed, 77 all skipped.
"""

import argparse
import difflib
import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
COMMAND_SECONDS = 300
FAULT_SECONDS = 60
FAULT_KILOBYTES = 512 * 1024
SKIPPED = 77
PROGRAM_SUFFIXES = (".tropic", ".ta")


class Skip(Exception):
    """Raised with the reason why a test cannot run here."""


def environment(tropic, home):
    env = dict(os.environ, LC_ALL="C.UTF-8", TERM="dumb", HOME=str(home), NO_COLOR="1")
    env.pop("COLUMNS", None)  # messages would be wrapped to it
    env["PATH"] = f"{tropic.parent}:{env.get('PATH', '/usr/bin:/bin')}"
    return env


def data_directory():
    given = os.environ.get("TROPIC_DATA")
    return Path(given) if given else PROJECT.parent / "shared" / "data"


def strip_blank_end(lines):
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def line_matches(pattern, line):
    pieces = [re.escape(piece) for piece in pattern.split("{*}")]
    return re.fullmatch(".*".join(pieces), line) is not None


def output_matches(expected, actual):
    """`...` may swallow any number of lines: track every position of `expected` that is possible."""
    def closure(positions):
        closed = set(positions)
        for position in sorted(positions):
            while position < len(expected) and expected[position] == "...":
                position += 1
                closed.add(position)
        return closed

    positions = closure({0})
    for line in actual:
        following = set()
        for position in positions:
            if position == len(expected):
                continue
            if expected[position] == "...":
                following.add(position)
            elif line_matches(expected[position], line):
                following.add(position + 1)
        positions = closure(following)
    return len(expected) in positions


class Command:
    """One `$` command of a session with the lines expected after it."""

    def __init__(self, number, first):
        self.number = number
        self.source = [first]  # as written in the file
        self.script = first[2:]
        self.expected = []

    def run(self, directory, env):
        try:
            done = subprocess.run(["bash", "-c", self.script], cwd=directory, env=env,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=COMMAND_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return [f"[no end after {COMMAND_SECONDS} s]"]
        lines = strip_blank_end(done.stdout.decode("utf-8", "replace").splitlines())
        if done.returncode != 0:
            lines = lines + [f"[exit {done.returncode}]"]
        return lines


def parse_session(path):
    """The file as a list of Commands and plain lines (comments and what comes before the first)."""
    items = []
    command = None
    may_continue = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("$ "):
            command = Command(number, line)
            items.append(command)
            may_continue = True
        elif may_continue and (line.startswith("> ") or line == ">"):
            command.source.append(line)
            command.script += "\n" + line[2:]
        elif line.startswith("##") or command is None:
            items.append(line)
            may_continue = False
        else:
            command.expected.append(line)
            may_continue = False
    return items


def write_session(path, items, outputs):
    """Rewrites the expectations that did not match; the others keep their wildcards."""
    lines = []
    for index, item in enumerate(items):
        if isinstance(item, str):
            lines.append(item)
            continue
        lines += item.source + outputs.get(item.number, strip_blank_end(item.expected))
        follower = items[index + 1] if index + 1 < len(items) else None
        if follower is not None:
            lines.append("")
    path.write_text("\n".join(lines) + "\n")


def diff(expected, actual, title):
    return "\n".join(difflib.unified_diff(expected, actual, f"{title} (expected)",
                                          f"{title} (actual)", lineterm=""))


def run_session(path, tropic, update):
    items = parse_session(path)
    first = items[0] if items and isinstance(items[0], str) else ""
    commands = [item for item in items if isinstance(item, Command)]
    if not commands:
        return [f"{path}: no commands in it"]
    problems, rewritten = [], {}
    with tempfile.TemporaryDirectory(prefix="tropic-text-") as directory:
        if first.strip() == "# needs data":
            data = data_directory()
            if not data.is_dir():
                raise Skip(f"needs the shared graphs, and {data} is not there")
            os.symlink(data.resolve(), Path(directory) / "data")
        env = environment(tropic, directory)
        for command in commands:
            actual = command.run(directory, env)
            expected = strip_blank_end(command.expected)
            if not output_matches(expected, actual):
                problems.append(diff(expected, actual, f"{path}:{command.number}: "
                                     f"{command.source[0]}"))
                rewritten[command.number] = actual
    if rewritten and update:
        write_session(path, items, rewritten)
        return []
    return problems


def examples_of(path):
    """The Commands of all fenced blocks that begin with one."""
    commands, fenced, command = [], False, None
    lines = path.read_text().splitlines()
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            fenced, command = not fenced, None
        elif fenced and line.startswith("$ ") and (command or lines[number - 2].startswith("```")):
            command = Command(number, line)
            command.script = re.sub(r"\bbuild/bin/tropic\b", "tropic", command.script)
            commands.append(command)
        elif command and not command.expected and (line.startswith("> ") or line == ">"):
            command.script += "\n" + line[2:]
        elif command:
            command.expected.append(line)
    return commands


def run_document(path, tropic):
    commands = examples_of(path)
    if not commands:
        return [f"{path}: no examples in it"]
    problems = []
    with tempfile.TemporaryDirectory(prefix="tropic-text-") as directory:
        env = environment(tropic, directory)
        # Documents are written from the project's own directory.
        (Path(directory) / "examples").symlink_to(PROJECT / "examples")
        for command in commands:
            actual = command.run(directory, env)
            expected = strip_blank_end(command.expected)
            if expected != actual:
                problems.append(diff(expected, actual, f"{path}:{command.number}: "
                                     f"{command.source[0]}"))
    return problems


def run_fault(path, tropic, update):
    """`path` is the .expected file."""
    fault = path.with_suffix("")
    directive, text = "", path.read_text() if path.exists() else ""
    if text.startswith("# args:"):
        directive, _, text = text.partition("\n")
    arguments = shlex.split(directive.removeprefix("# args:"))
    if not fault.exists():
        return [f"{path}: there is no {fault.name} beside it"]
    command = "check" if fault.suffix in PROGRAM_SUFFIXES else "info"
    try:
        done = subprocess.run([str(tropic), command, fault.name, *arguments],
                              cwd=fault.resolve().parent, env=environment(tropic, "/nonexistent"),
                              stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=FAULT_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return [f"{fault}: no end after {FAULT_SECONDS} s"]
    problems = []
    if done.returncode != 1:
        problems.append(f"{fault}: exit code {done.returncode}, expected 1")
    if done.stdout:
        problems.append(f"{fault}: printed on stdout:\n{done.stdout.decode('utf-8', 'replace')}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss  # of all so far
    if peak > FAULT_KILOBYTES:
        problems.append(f"{fault}: took {peak} KB of memory, allowed are {FAULT_KILOBYTES}")
    actual = done.stderr.decode("utf-8", "replace")
    if actual != text and update and not problems:
        path.write_text((directive + "\n" if directive else "") + actual)
    elif actual != text:
        problems.append(diff(text.splitlines(), actual.splitlines(), str(fault)) or
                        f"{fault}: stderr differs only in its line ends")
    return problems


def run_one(path, tropic, update):
    if path.suffix == ".expected":
        return run_fault(path, tropic, update)
    if path.suffix == ".md":
        return run_document(path, tropic)
    return run_session(path, tropic, update)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tropic", type=Path, default=PROJECT / "build/bin/tropic",
                        help="the program under test (build/bin/tropic)")
    parser.add_argument("--update", action="store_true",
                        help="rewrite expectations that do not match")
    parser.add_argument("files", type=Path, nargs="+", help="*.test, *.expected and *.md files")
    options = parser.parse_args()
    tropic = options.tropic.resolve()
    if not tropic.exists():
        parser.error(f"there is no program {tropic}; build it with ./dev build")

    passed = failed = skipped = 0
    for path in options.files:
        try:
            problems = run_one(path, tropic, options.update)
        except Skip as reason:
            print(f"skipped {path}: {reason}")
            skipped += 1
            continue
        for problem in problems:
            print(problem)
        failed += bool(problems)
        passed += not problems
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    if failed:
        return 1
    return SKIPPED if skipped and not passed else 0


if __name__ == "__main__":
    sys.exit(main())
