"""`python3 -m ropewalk.vectors FORM ...` writes test vectors in the form of another project."""

from __future__ import annotations

import sys
from typing import List

from ropewalk.vectors import flashinfer, onnx

USAGE = """usage: python3 -m ropewalk.vectors flashinfer DIR
       python3 -m ropewalk.vectors onnx PACK DIR
  DIR    a new or empty folder
  PACK   a folder that `ropewalk vectors --output PACK` wrote"""
FORMS = {("flashinfer", 2): flashinfer.write, ("onnx", 3): onnx.write}


def main(words: List[str]) -> int:
    if {"-h", "--help"} & set(words):
        print(USAGE)
        return 0
    write = FORMS.get((words[0], len(words))) if words else None
    if write is None or any(word.startswith("-") for word in words):
        print(USAGE, file=sys.stderr)
        return 2
    try:
        write(*words[1:])
    except ValueError as why:
        print(f"ropewalk: {why}", file=sys.stderr)
        return 2
    except (FileNotFoundError, ImportError, RuntimeError) as why:
        print(f"ropewalk: {why}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
