#!/usr/bin/env python3
"""Tests of the runner of programs: above all, that what should fail does fail."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

RUNNER = Path(__file__).resolve().parent / "run.py"

# Stands for the evaluator: does what the second line of the program says.
FAKE = r"""#!/bin/sh
case "$(sed -n 2p "$1")" in
    arguments) shift; echo "$*" ;;
    zeros) printf -- '-0,-0.5,10,-0,\n-0\n' ;;
    two) echo one; echo two 0.25 s ;;
    nothing) ;;
    chatty) echo one; echo careful >&2 ;;
    refuses) echo "no: $1" >&2; exit 1 ;;
    late) echo one; echo "no" >&2; exit 1 ;;
    crashes) echo one; exit 134 ;;
esac
"""


class Runner(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.directory = Path(self.scratch.name)
        self.command = self.directory / "fake"
        self.command.write_text(FAKE)
        self.command.chmod(0o755)

    def tearDown(self):
        self.scratch.cleanup()

    def run_program(self, text, expected, *options):
        program = self.directory / "p.tropic"
        program.write_text(text)
        beside = self.directory / "p.expected"
        beside.unlink(missing_ok=True)
        if expected is not None:
            beside.write_text(expected)
        done = subprocess.run([sys.executable, RUNNER, "--command", self.command, *options, program],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, beside.read_text() if beside.exists() else None

    def test_verdicts(self):
        cases = [
            (0, "two", "one\ntwo 0.25 s\n"),
            (0, "two", "one\ntwo {*} s\n"),
            (0, "two", "...\ntwo 0.25 s\n"),
            (0, "arguments\n# input 0 = a.mtx\n# input w = d/b.tns", "-i 0=a.mtx -i w=d/b.tns\n"),
            (0, "zeros", "0,-0.5,10,0,\n0\n"),
            (0, "refuses\n# fails", "no: p.tropic\n"),
            (1, "two", "one\ntwo 0.5 s\n"),
            (1, "two", "one\n"),
            (1, "two", ""),
            (1, "two", None),
            (1, "nothing", ""),
            (1, "nothing", None),
            (1, "chatty", "one\n"),
            (1, "refuses", "no: p.tropic\n"),
            (1, "refuses\n# fails", "other\n"),
            (1, "two\n# fails", "one\ntwo 0.25 s\n"),
            (1, "late\n# fails", "no\n"),
            (1, "crashes", "one\n"),
            (1, "crashes\n# fails", "one\n"),
        ]
        for code, program, expected in cases:
            with self.subTest(program=program, expected=expected):
                self.assertEqual(self.run_program(f"# Shows.\n{program}\n", expected)[0], code)

    def test_a_program_says_what_it_shows(self):
        code, output, _ = self.run_program("\ntwo\n", "one\ntwo 0.25 s\n")
        self.assertEqual(code, 1)
        self.assertIn("does not open with a comment", output)

    def test_update(self):
        code, _, expected = self.run_program("# Shows.\ntwo\n", "one\n", "--update")
        self.assertEqual((code, expected), (0, "one\ntwo 0.25 s\n"))
        code, _, expected = self.run_program("# Shows.\ntwo\n", "one\ntwo {*}\n", "--update")
        self.assertEqual((code, expected), (0, "one\ntwo {*}\n"))
        code, _, expected = self.run_program("# Shows.\ncrashes\n", "one\n", "--update")
        self.assertEqual((code, expected), (1, "one\n"))

    def test_difference_is_shown(self):
        _, output, _ = self.run_program("# Shows.\ntwo\n", "one\nthree\n")
        self.assertIn("-three", output)
        self.assertIn("+two 0.25 s", output)


if __name__ == "__main__":
    unittest.main()
