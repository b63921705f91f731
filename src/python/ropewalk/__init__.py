"""Holds a function that rotates, adds sinusoids or adds a bias to the laws of positional encodings.

    import ropewalk

    def mine(query, key, positions, encoding): ...

    def test_mine():
        ropewalk.assert_holds(mine, promise="angle-f32", model="llama-3.1-8b", dtypes=["f32"])

`python3 -m ropewalk ...` is the program.
"""

import importlib
from typing import Any

from ropewalk._check import Result, assert_holds, check, program
from ropewalk_kernel import Encoding, Unsupported, kernel, serve

__all__ = ["Encoding", "Result", "Unsupported", "assert_holds", "check", "kernel", "program", "serve"]


def __getattr__(name: str) -> Any:
    """`ropewalk.adapters`, which imports torch, when it is first named."""
    if name == "adapters":
        return importlib.import_module("ropewalk.adapters")
    raise AttributeError(f"module 'ropewalk' has no attribute {name!r}")
