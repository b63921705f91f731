"""Checks functions that rotate, add sinusoids or add a bias against the laws of positional encodings.

    import ropewalk

    def mine(query, key, positions, encoding): ...

    def test_mine():
        ropewalk.assert_holds(mine, promise="angle-f32", model="llama-3.1-8b", dtypes=["f32"])

    cos = ropewalk.table("cos", model="llama-3.1-8b", positions=4096, dtype="bf16")

`python3 -m ropewalk ...` runs the program.
"""

import importlib
from typing import Any

from ropewalk._check import Result, assert_holds, check
from ropewalk._holds import holds
from ropewalk._program import program
from ropewalk._table import models, table, tables, version
from ropewalk_kernel import Encoding, Unsupported, kernel, serve

__all__ = ["Encoding", "Result", "Unsupported", "assert_holds", "check", "holds", "kernel", "models", "program", "serve", "table", "tables"]


def __getattr__(name: str) -> Any:
    """Loads `ropewalk.adapters`, which imports torch, and the program's version on first use."""
    if name == "adapters":
        return importlib.import_module("ropewalk.adapters")
    if name == "__version__":
        return version()
    raise AttributeError(f"module 'ropewalk' has no attribute {name!r}")
