"""Runs the ropewalk program: finds it, reads its output, and turns its refusals into errors."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
from typing import IO, Any, Mapping, Optional, Sequence, Union


def program() -> str:
    """Path of the program: ROPEWALK_COMMAND, the one beside this package, or the one on PATH.

    Raises FileNotFoundError if there is none.
    """
    beside = pathlib.Path(__file__).parent / "bin" / "ropewalk"
    for path in (os.environ.get("ROPEWALK_COMMAND"), str(beside), shutil.which("ropewalk")):
        if path and os.access(path, os.X_OK):
            return path
    raise FileNotFoundError("the program ropewalk: not beside this package, not on PATH, and ROPEWALK_COMMAND is not set")


def refusal(exit_code: int, words: str) -> Exception:
    """The error of a program that ended without an answer: ValueError if it refuses its input, FileNotFoundError if something is
    missing, RuntimeError otherwise."""
    kind = {2: ValueError, 3: FileNotFoundError}.get(exit_code)
    return kind(words.strip()) if kind else RuntimeError(f"the program ended with {exit_code}: {words.strip()}")


def output_of(words: Sequence[str], *, into: Optional[IO[bytes]] = None) -> str:
    """The output of a command, or None if it goes to a file. Raises the errors of `refusal`."""
    done = subprocess.run([program(), *words], stdin=subprocess.DEVNULL, stdout=into or subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        raise refusal(done.returncode, done.stderr.decode(errors="replace"))
    return (done.stdout or b"").decode()


Config = Union[str, "os.PathLike[str]", Mapping[str, Any], Any]  # the last: an object with to_dict(), as transformers has


def config_path(config: Config, folder: str) -> Optional[str]:
    """The path of a configuration; other forms are written into a folder."""
    if config is None:
        return None
    if isinstance(config, (str, os.PathLike)):
        return os.fspath(config)
    numbers = config.to_dict() if hasattr(config, "to_dict") else config
    if not isinstance(numbers, Mapping):
        raise ValueError(f"config is of type {type(config).__name__}; allowed: a path, a dict, or an object with to_dict()")
    path = pathlib.Path(folder, "config.json")
    path.write_text(json.dumps(numbers, default=_plain), encoding="utf-8")
    return str(path)


def _plain(value: Any) -> Any:
    """Converts values for JSON: NumPy numbers and arrays to Python's, anything else, such as a dtype, to its name."""
    if isinstance(value, Mapping):
        return dict(value)
    return value.tolist() if hasattr(value, "tolist") and not isinstance(value, type) else str(value)
