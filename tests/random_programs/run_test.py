#!/usr/bin/env python3
"""Tests of the comparison of random programs: that a difference is found, and made small."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from generate import generate  # noqa: E402
from shrink import shrink  # noqa: E402

# Stand for the two commands: print the program; the second one is wrong about masks.
HONEST = "#!/bin/sh\ncat program.tropic\n"
WRONG = "#!/bin/sh\nsed 's/<[A-Z][0-9]*, push>/<wrong>/' program.tropic\n"
REFUSING = "#!/bin/sh\necho 'program.tropic:3:5: masks are not supported' >&2\nexit 1\n"


class RandomPrograms(unittest.TestCase):
    def compare(self, product, *options):
        with tempfile.TemporaryDirectory() as scratch:
            names = []
            for name, script in (("honest", HONEST), ("product", product)):
                path = Path(scratch) / name
                path.write_text(script)
                path.chmod(0o755)
                names.append(str(path))
            done = subprocess.run([sys.executable, HERE / "run.py", "--reference", names[0],
                                   "--tropic", names[1], "--programs", "40", "--most", "1",
                                   *options], capture_output=True, text=True, check=False,
                                  env={"TMPDIR": scratch, "PATH": "/usr/bin:/bin"})
            return done.returncode, done.stdout

    def test_the_same_seed_gives_the_same_program(self):
        self.assertEqual(generate(7).text(), generate(7).text())
        self.assertNotEqual(generate(7).text(), generate(8).text())

    def test_agreement(self):
        code, output = self.compare(HONEST)
        self.assertEqual((code, output), (0, "40 passed, 0 failed\n"))

    def test_difference_is_found_and_shrunk(self):
        code, output = self.compare(WRONG)
        self.assertEqual(code, 1)
        small = output[output.index("--- program.tropic"):output.index("--- the reference")]
        body = [line for line in small.splitlines() if "push" in line]
        self.assertEqual(len(body), 1)
        self.assertNotIn("print", small)

    def test_refusals(self):
        code, output = self.compare(REFUSING)
        self.assertEqual(code, 1)
        self.assertIn("masks are not supported", output)
        self.assertEqual(self.compare(REFUSING, "--allow-unsupported")[0], 0)

    def test_shrinking_ends_with_what_matters(self):
        program = next(p for p in map(generate, range(100)) if p.inputs() and p.inputs()[0].entries)
        name = program.inputs()[0].name
        place = sorted(program.inputs()[0].entries)[0]

        def matters(smaller):
            kept = [t for t in smaller.inputs() if t.name == name]
            return bool(kept) and place in kept[0].entries

        small = shrink(program, matters, 10000)
        left = [(t.name, at) for t in small.inputs() for at in t.entries]
        self.assertEqual(left, [(name, place)])
        self.assertEqual(len(small.steps), 1)


if __name__ == "__main__":
    unittest.main()
