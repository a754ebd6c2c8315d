#!/usr/bin/env python3
"""Checks the sources of a build with clang-tidy: those that changed since they were last found clean.

What a source is made of comes from ninja's record of the headers each object was compiled from, so
one that was never compiled is always checked. Findings go to stdout; the exit code is 1 if there are
any. What was clean is remembered in BUILD/clang-tidy.json, also when the run is interrupted.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import threading


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", help="a build directory with compile_commands.json")
    parser.add_argument("pattern", nargs="?", default=".*", help="which sources, a regular expression for paths")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at once (one per core)")
    parser.add_argument("--program", default="clang-tidy-22", help="the clang-tidy to run")
    return parser.parse_args()


def headers_of_objects(build):
    """Each object with the files it was compiled from, as ninja noted them."""
    text = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=True).stdout
    files = {}
    current = None
    for line in text.splitlines():
        if line.startswith("    "):
            if current is not None:
                current.append(line.strip())
        elif ": #deps" in line and "(VALID)" in line:
            current = files.setdefault(line.split(": #deps")[0], [])
        else:
            current = None
    return files


class Contents:
    """Hashes of files, each read once."""

    def __init__(self):
        self.known = {}

    def of(self, path):
        if path not in self.known:
            try:
                self.known[path] = hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
            except OSError:
                self.known[path] = "missing"
        return self.known[path]


def rules_for(source):
    """The .clang-tidy files that apply to a source."""
    return [str(folder / ".clang-tidy") for folder in pathlib.Path(source).parents if (folder / ".clang-tidy").exists()]


def key_of(entry, compiled_from, contents, version):
    """Changes when anything does that the findings depend on; None if that is not known."""
    output = re.search(r" -o (\S+)", entry["command"])
    parts = compiled_from.get(output[1]) if output else None
    if parts is None:
        return None
    key = hashlib.sha256(f"{version}\n{entry['command']}\n".encode())
    for path in sorted({os.path.join(entry["directory"], part) for part in parts}) + rules_for(entry["file"]):
        key.update(f"{path} {contents.of(path)}\n".encode())
    return key.hexdigest()


def main():
    options = arguments()
    build = os.path.abspath(options.build)
    entries = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
    # What the build itself wrote is nobody's to mend.
    entries = [
        entry
        for entry in entries
        if re.search(options.pattern, entry["file"]) and not entry["file"].startswith(build + os.sep)
    ]
    version = subprocess.run([options.program, "--version"], capture_output=True, text=True, check=True).stdout
    compiled_from = headers_of_objects(build)
    contents = Contents()

    record = pathlib.Path(build) / "clang-tidy.json"
    clean = json.loads(record.read_text()) if record.exists() else {}
    keys = {entry["file"]: key_of(entry, compiled_from, contents, version) for entry in entries}
    todo = sorted({file for file, key in keys.items() if key is None or clean.get(file) != key})
    print(f"clang-tidy: {len(todo)} of {len(keys)} sources to check", file=sys.stderr)

    lock = threading.Lock()
    found = 0
    done = 0

    def check(file):
        nonlocal found, done
        run = subprocess.run([options.program, "-p", build, "--quiet", file], capture_output=True, text=True)
        with lock:
            done += 1
            if sys.stderr.isatty():
                print(f"\r{done}/{len(todo)}", end="", file=sys.stderr, flush=True)
            if run.returncode == 0:
                if keys[file] is not None:
                    clean[file] = keys[file]
                    aside = record.with_suffix(".new")
                    aside.write_text(json.dumps(clean, indent=0, sort_keys=True))
                    aside.replace(record)
            else:
                found += 1
                print(run.stdout.strip() or run.stderr.strip(), flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(check, todo))
    if sys.stderr.isatty() and todo:
        print(file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
