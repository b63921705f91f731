"""Shared parts of the commands that judge benchmark solutions: options, exit codes, the program's call."""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from typing import Any, Callable, List, NamedTuple, NoReturn, Optional, Sequence

import ropewalk_kernel
from ropewalk._check import Result, judged
from ropewalk._program import program
from ropewalk._task import BadInput, Task

PAIRINGS = ("interleaved", "half-split")
PATIENCE = 60  # seconds for an answer: the largest calls of the law sizes have 2^27 elements


class Missing(RuntimeError):
    """A requirement of a solution is missing on this machine: exit code 3."""


class Options(NamedTuple):
    """Options of the command itself; all others go to the program."""

    serve: bool
    pairing: Optional[str]
    layout: Optional[str]
    arrays: Optional[str]
    device: Optional[str]
    rest: List[str]


def split(words: Sequence[str]) -> Options:
    """The command's own options, and those of `ropewalk verify`."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    for name in ("--pairing", "--layout", "--arrays", "--device"):
        parser.add_argument(name)
    parser.add_argument("--serve", action="store_true")
    known, rest = parser.parse_known_args(list(words))
    for name, allowed in (("pairing", PAIRINGS), ("arrays", ("torch", "numpy"))):
        if getattr(known, name) not in (None, *allowed):
            raise BadInput(name, getattr(known, name), ", ".join(allowed))
    return Options(known.serve, known.pairing, known.layout, known.arrays, known.device, rest)


def _has(words: Sequence[str], *names: str) -> bool:
    return any(word.split("=")[0] in names for word in words)


def _encoding(task: Task, options: Options) -> List[str]:
    """The default encoding: the definition's numbers, given by options."""
    pairing = options.pairing or task.pairing
    if _has(options.rest, "--model", "--config", "--base"):
        return ["--pairing", options.pairing] if options.pairing else []
    if pairing is None:
        raise BadInput("pairing", "an input of the definition",
                       "--pairing interleaved or half-split, or a model: judge both")
    if task.default_promise is None:
        raise BadInput("encoding", "formed by the solution", "--model, --config or --base")
    return ["--base", "10000", "--head-dim", str(task.head_dim), "--rotary-dim", str(task.rotary_dim),
            "--pairing", pairing]


def verify_words(task: Task, options: Options, serving: Sequence[str]) -> List[str]:
    """The call of `ropewalk verify` for a solution that `serving` serves.

    The promise that judges a solution is set here, outside its process. The program draws the seed, so
    no solution knows it.
    """
    rest = options.rest
    words = [program(), "verify", "--kernel", f"program:{shlex.join(serving)}", *_encoding(task, options)]
    if not _has(rest, "--promise"):
        if task.default_promise is None:
            raise BadInput("promise", "missing", "--promise, where the solution forms its own angles")
        words += ["--promise", task.default_promise]
    if not _has(rest, "--call-limit"):
        words += ["--call-limit", str(PATIENCE)]
    return words + rest


def serving_words(module: str, files: Sequence[str], options: Options) -> List[str]:
    """The command that serves a solution, as in the program's report."""
    python = "python3" if shutil.which("python3") == sys.executable else sys.executable
    words = [python, "-m", module, *files, "--serve"]
    for name in ("pairing", "layout", "arrays", "device"):
        value = getattr(options, name)
        words += [f"--{name}", value] if value else []
    return words


def judge(words: Sequence[str], name: str) -> Result:
    """Runs the program, and reads the verdicts on the kernel of this name."""
    label = words[words.index("--kernel") + 1].partition(":")[2]
    paths = [str(pathlib.Path(ropewalk_kernel.__file__).parent), os.environ.get("PYTHONPATH", "")]
    with tempfile.TemporaryDirectory(prefix="ropewalk-") as folder:
        return judged([*words, "--quiet"], folder, name, f"{label}:{name}", subprocess.Popen.wait,
                      PYTHONPATH=os.pathsep.join(filter(None, paths)))


def run(usage: str, main: Callable[[str, str, Options], Sequence[str]]) -> NoReturn:
    """Runs a command with two files: `main` serves, or returns the program's command line, which replaces this process."""
    words: List[str] = sys.argv[1:]
    if len(words) < 2 or {"-h", "--help"} & set(words) or words[0].startswith("-") or words[1].startswith("-"):
        is_asked = bool({"-h", "--help"} & set(words))
        print(usage, file=sys.stdout if is_asked else sys.stderr)
        sys.exit(0 if is_asked else 2)
    try:
        call = main(words[0], words[1], split(words[2:]))
        if call:
            os.execv(call[0], call)
        sys.exit(0)
    except BadInput as why:
        print(f"ropewalk: {why}", file=sys.stderr)
        sys.exit(2)
    except (Missing, FileNotFoundError) as why:
        print(f"ropewalk: {why}", file=sys.stderr)
        sys.exit(3)


def kernel_name(solution: str) -> str:
    """A solution's name as a kernel name, without characters that are special in --kernel."""
    return re.sub("[^a-z0-9.]+", "-", solution.lower()).strip("-.") or "solution"


def text_of(path: str) -> str:
    """The text of a file; raises BadInput if it cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as why:
        raise BadInput("file", path, f"a file of UTF-8 text ({why.__class__.__name__})") from why


def or_read(given: Any, folder: str, name: str, write: Callable[[Any], str]) -> str:
    """The path of a file: given, or written into the folder."""
    if isinstance(given, (str, os.PathLike)):
        return os.fspath(given)
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(write(given))
    return path
