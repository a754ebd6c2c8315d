#!/usr/bin/env python3
"""Tests of the text test runner: above all, that what should fail does fail."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

RUNNER = Path(__file__).resolve().parent / "run.py"

# Stands for the program: prints its arguments, or a message and a code.
FAKE_TROPIC = """#!/bin/sh
case "$2" in
    bad.*) echo "$2:1: bad" >&2; exit 1 ;;
    chatty.*) echo out; echo "$2: bad" >&2; exit 1 ;;
    fine.*) exit 0 ;;
    crash.*) echo "$2: bad" >&2; exit 134 ;;
    args.*) echo "$*" >&2; exit 1 ;;
    *) echo "one $1"; echo "two 0.123 s"; echo "three" ;;
esac
"""


class Runner(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.directory = Path(self.scratch.name)
        tropic = self.directory / "bin" / "tropic"
        tropic.parent.mkdir()
        tropic.write_text(FAKE_TROPIC)
        tropic.chmod(0o755)

    def tearDown(self):
        self.scratch.cleanup()

    def run_file(self, name, text, *options, env=None):
        path = self.directory / name
        path.write_text(text)
        done = subprocess.run([sys.executable, RUNNER, "--tropic",
                               self.directory / "bin" / "tropic", *options, path],
                              capture_output=True, text=True, check=False,
                              env=dict(os.environ, **(env or {})))
        return done.returncode, done.stdout

    def test_sessions(self):
        good = "$ tropic x\none x\ntwo 0.123 s\nthree\n"
        cases = [
            (0, good),
            (0, "## comment\n\n" + good + "\n\n$ echo a\na\n"),
            (0, "$ tropic x\none x\ntwo {*} s\nthree\n"),
            (0, "$ tropic x\none x\n...\n"),
            (0, "$ tropic x\n...\ntwo {*}\n...\nthree\n...\n"),
            (0, "$ cat > f <<END\n> a\n>\n> b\n> END\n$ cat f\na\n\nb\n"),
            (0, "$ exit 3\n[exit 3]\n"),
            (0, "$ echo e >&2; false\ne\n[exit 1]\n"),
            (0, "$ echo '{*}.'\n{*}.\n"),
            (1, "$ tropic x\none x\ntwo 0.124 s\nthree\n"),
            (1, "$ tropic x\none x\ntwo 0.123 s\n"),
            (1, "$ tropic x\none x\ntwo 0.123 s\nthree\nfour\n"),
            (1, "$ tropic x\none x\ntwo {*} m\nthree\n"),
            (1, "$ tropic x\n...\nfour\n"),
            (1, "$ tropic x\n...\none x\n"),
            (1, "$ exit 3\n"),
            (1, "$ exit 3\n[exit 1]\n"),
            (1, "$ true\n[exit 0]\n"),
            (1, "$ true\n$ tropic x\n"),
            (1, "## nothing but a comment\n"),
            (1, ""),
        ]
        for code, text in cases:
            with self.subTest(text=text):
                self.assertEqual(self.run_file("a.test", text)[0], code)

    def test_mismatch_is_shown_as_a_diff(self):
        code, output = self.run_file("a.test", "$ echo new\nold\n")
        self.assertEqual(code, 1)
        self.assertIn("-old\n+new\n", output)
        self.assertIn("a.test:1", output)
        self.assertIn("0 passed, 1 failed", output)

    def test_update_rewrites_only_what_differs(self):
        text = "## why\n$ tropic x\none x\n...\n\n$ echo new\nold\n\n## end\n$ exit 2\n"
        self.assertEqual(self.run_file("a.test", text, "--update")[0], 0)
        self.assertEqual((self.directory / "a.test").read_text(),
                         "## why\n$ tropic x\none x\n...\n\n$ echo new\nnew\n\n## end\n"
                         "$ exit 2\n[exit 2]\n")

    def test_data(self):
        data = self.directory / "shared"
        data.mkdir()
        (data / "f").write_text("here\n")
        text = "# needs data\n$ cat data/f\nhere\n"
        self.assertEqual(self.run_file("a.test", text, env={"TROPIC_DATA": str(data)})[0], 0)
        code, output = self.run_file("a.test", text, env={"TROPIC_DATA": "/nonexistent"})
        self.assertEqual(code, 77)
        self.assertIn("skipped", output)

    def test_documents(self):
        good = "# Title\n```\n$ build/bin/tropic x\none x\ntwo 0.123 s\nthree\n```\n"
        other = "Not run:\n```\nfalse\n$ false\n```\n    $ false\n$ false\n"
        cases = [
            (0, good),
            (0, good + other),
            (0, good + "```sh\n$ echo a; exit 2\na\n[exit 2]\n$ echo b\nb\n```\n"),
            (1, good.replace("three", "four")),
            (1, good.replace("three", "...")),
            (1, good + "```\n$ echo a\n```\n"),
            (1, other),
            (1, ""),
        ]
        for code, text in cases:
            with self.subTest(text=text):
                self.assertEqual(self.run_file("a.md", text)[0], code)

    def test_faults(self):
        cases = [
            (0, "bad.mtx", "bad.mtx:1: bad\n"),
            (0, "args.mtx", "# args: --format 'a b'\ninfo args.mtx --format a b\n"),
            (0, "args.tropic", "check args.tropic\n"),
            (0, "args.ta", "# args: --json\ncheck args.ta --json\n"),
            (1, "bad.mtx", "bad.mtx:2: bad\n"),
            (1, "bad.mtx", "bad.mtx:1: bad"),
            (1, "bad.mtx", ""),
            (1, "chatty.mtx", "chatty.mtx: bad\n"),
            (1, "fine.mtx", ""),
            (1, "crash.mtx", "crash.mtx: bad\n"),
        ]
        for code, name, expected in cases:
            with self.subTest(name=name, expected=expected):
                (self.directory / name).write_text("x")
                self.assertEqual(self.run_file(name + ".expected", expected)[0], code)

    def test_fault_without_its_file(self):
        self.assertEqual(self.run_file("gone.mtx.expected", "gone.mtx:1: bad\n")[0], 1)

    def test_update_of_faults_keeps_arguments_and_refuses_wrong_codes(self):
        (self.directory / "args.mtx").write_text("x")
        self.assertEqual(self.run_file("args.mtx.expected", "# args: -a\n", "--update")[0], 0)
        self.assertEqual((self.directory / "args.mtx.expected").read_text(),
                         "# args: -a\ninfo args.mtx -a\n")
        (self.directory / "crash.mtx").write_text("x")
        self.assertEqual(self.run_file("crash.mtx.expected", "", "--update")[0], 1)


if __name__ == "__main__":
    unittest.main()
