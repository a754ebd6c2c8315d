#!/usr/bin/env python3
"""The programs that docs/poplar.md shows are the ones that are tested: every block of C++ that
follows a line `<!-- FILE -->` must be that file, word for word.

    doc_test.py DOCUMENT ROOT
"""
import pathlib
import re
import sys


def main():
    document, root = map(pathlib.Path, sys.argv[1:3])
    text = document.read_text(encoding="utf-8")
    blocks = re.findall(r"<!-- (\S+) -->\n```\w*\n(.*?)```", text, re.DOTALL)
    if not blocks:
        sys.exit(f"{document}: shows no file")
    wrong = 0
    for name, shown in blocks:
        if (root / name).read_text(encoding="utf-8") != shown:
            print(f"{document}: what is shown of {name} is not what is there")
            wrong += 1
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
