"""`python3 -m ropewalk.vectors flashinfer DIR` writes test vectors in another project's form."""

from __future__ import annotations

import sys
from typing import List

from ropewalk.vectors import flashinfer

USAGE = """usage: python3 -m ropewalk.vectors flashinfer DIR
  DIR   a new or empty folder: definitions, workloads and their inputs for flashinfer-bench"""


def main(words: List[str]) -> int:
    if {"-h", "--help"} & set(words):
        print(USAGE)
        return 0
    if len(words) != 2 or words[0] != "flashinfer" or words[1].startswith("-"):
        print(USAGE, file=sys.stderr)
        return 2
    try:
        flashinfer.write(words[1])
    except ValueError as why:
        print(f"ropewalk: {why}", file=sys.stderr)
        return 2
    except (FileNotFoundError, RuntimeError) as why:
        print(f"ropewalk: {why}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
