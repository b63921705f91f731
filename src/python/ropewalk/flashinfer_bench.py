"""Judges solutions of flashinfer-bench's definitions of op_type rope.

    python3 -m ropewalk.flashinfer_bench DEFINITION.json SOLUTION.json [options of ropewalk verify]

    result = ropewalk.flashinfer_bench.check(definition, solution, cases=200)
    assert result.holds, result.text
"""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import pathlib
import tempfile
from typing import Any, Dict, Mapping, NamedTuple, Optional, Sequence, Union

from ropewalk import _bench_command as command
from ropewalk._check import Result, words_of
from ropewalk._judged import Judged, folder_of_this_process, load, serve_one
from ropewalk._task import BadInput, Task, field, read_task

__all__ = ["check"]

MODULE = "ropewalk.flashinfer_bench"
LANGUAGES = ("python", "triton", "cpp", "cuda", "tilelang")  # flashinfer-bench's languages; the first two are Python functions
PACKAGE = "judged_solution"  # the sources are its modules, so that they can import each other
USAGE = f"""usage: python3 -m {MODULE} DEFINITION.json SOLUTION [options of ropewalk verify]
  SOLUTION           a solution's JSON, or FILE.py::FUNCTION, which returns its outputs
  --pairing KIND     interleaved or half-split, where the definition does not say it
  --arrays KIND      torch or numpy (default: torch where the sources import torch or triton)
  --device DEVICE    of the tensors (default: cpu; cuda for triton)"""


class Solution(NamedTuple):
    name: str
    definition: Optional[str]  # None for a bare function
    language: str
    entry: str  # the path of its file
    symbol: str
    takes_out: bool  # destination-passing style
    sources: Dict[str, str]

    def imports(self, *names: str) -> bool:
        """Whether a source imports one of these packages."""
        for path, text in self.sources.items():
            try:
                tree = ast.walk(ast.parse(text)) if path.endswith(".py") else iter(())
            except SyntaxError:
                continue  # importing the solution will fail: a verdict
            for node in tree:
                modules = [one.name for one in node.names] if isinstance(node, ast.Import) else \
                    [node.module or ""] if isinstance(node, ast.ImportFrom) and node.level == 0 else []
                if any(module.split(".")[0] in names for module in modules):
                    return True
        return False

    @property
    def needs_torch(self) -> bool:
        return self.imports("torch", "triton")


def _read_json(path: str) -> Any:
    try:
        return json.loads(command.text_of(path))
    except json.JSONDecodeError as why:
        raise BadInput("file", path, f"JSON ({why.msg} in line {why.lineno})") from why
    except RecursionError as why:
        raise BadInput("file", path, "JSON that is not nested so deep") from why


def _sources_of(given: Any) -> Dict[str, str]:
    sources: Dict[str, str] = {}
    for number, one in enumerate(field(given, "sources", list)):
        where = f"sources[{number}]."
        path = field(one, "path", str, where)
        parts = pathlib.PurePosixPath(path).parts
        if path.startswith("/") or ".." in parts or "\0" in path or "\\" in path or not parts:
            raise BadInput(where + "path", path, "a relative path without ..")
        if path in sources:
            raise BadInput(where + "path", path, "each path once")
        sources[path] = field(one, "content", str, where)
    return sources


def read_solution(given: Any) -> Solution:
    """A solution from its JSON. Raises BadInput for what is missing or malformed."""
    if not isinstance(given, Mapping):
        raise BadInput("solution", given, "an object")
    spec = field(given, "spec", dict)
    language = field(spec, "language", str, "spec.")
    if language not in LANGUAGES:
        raise BadInput("spec.language", language, ", ".join(LANGUAGES))
    entry, _, symbol = field(spec, "entry_point", str, "spec.").partition("::")
    style = "destination_passing_style"
    takes_out = field(spec, style, bool, "spec.") if style in spec else True
    sources = _sources_of(given)
    if not symbol or "::" in symbol or entry not in sources:
        raise BadInput("spec.entry_point", spec["entry_point"], "FILE::FUNCTION of one of the sources")
    return Solution(field(given, "name", str), field(given, "definition", str), language, entry, symbol, takes_out,
                    sources)


def _solution_at(place: str) -> Solution:
    """Reads a solution from a JSON file, or FILE.py::FUNCTION."""
    path, _, symbol = place.partition("::")
    if not symbol:
        return read_solution(_read_json(place))
    name = os.path.basename(path)
    return Solution(os.path.splitext(name)[0], None, "python", name, symbol, False, {name: command.text_of(path)})


def _require_runnable(solution: Solution, task: Task) -> None:
    """Raises BadInput if a solution is of another definition, Missing if it cannot run on this machine."""
    if solution.definition not in (None, task.name):
        raise BadInput("definition", solution.definition, f"{task.name}, the definition's name")
    if solution.language not in LANGUAGES[:2]:
        raise command.Missing(f"language {solution.language}: flashinfer-bench's builders compile it; judged here: "
                              "python, and triton on a GPU. Call what they have built from a solution in python")
    if not solution.entry.endswith(".py"):
        raise BadInput("spec.entry_point", solution.entry, f"a file .py, where language is {solution.language}")
    needed = [name for name in ("torch", "triton")
              if solution.imports(name) or (name == "triton" and solution.language == "triton")]
    for name in needed:
        if importlib.util.find_spec(name) is None:
            raise command.Missing(f"the solution needs the Python module {name}, which is not installed")
    if "triton" in needed:
        import torch
        if not torch.cuda.is_available():
            raise command.Missing("language triton: needs a GPU; PyTorch finds none")


def _serve(task: Task, solution: Solution, options: command.Options) -> None:
    """Answers the program. The forked process that answers imports the solution at its first call."""
    uses_torch = solution.needs_torch if options.arrays is None else options.arrays == "torch"
    if uses_torch:
        import torch  # noqa: F401  (before the fork, so that a crash does not cost its import again)
    folder = folder_of_this_process("ropewalk-solution-")
    for path, text in solution.sources.items():
        place = pathlib.Path(folder, PACKAGE, path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    module = ".".join((PACKAGE, *pathlib.PurePosixPath(solution.entry).with_suffix("").parts))
    device = options.device or ("cuda" if solution.language == "triton" else "cpu")
    one = Judged(task, lambda: load(module, solution.symbol, folder), takes_out=solution.takes_out,
                 uses_torch=uses_torch, device=device)
    serve_one(command.kernel_name(solution.name), one)


def _main(definition: str, solution: str, options: command.Options) -> Sequence[str]:
    task, read = read_task(_read_json(definition), pairing=options.pairing), _solution_at(solution)
    if options.serve:
        _serve(task, read, options)
        return ()
    _require_runnable(read, task)
    return command.verify_words(task, options, command.serving_words(MODULE, (definition, solution), options))


def check(definition: Union[str, os.PathLike, Mapping[str, Any]], solution: Union[str, os.PathLike, Mapping[str, Any]],
          *, pairing: Optional[str] = None, config: Optional[str] = None, model: Optional[str] = None,
          laws: Sequence[str] = (), budget: Optional[float] = None, cases: Optional[int] = None,
          seed: Optional[int] = None, options: Sequence[str] = ()) -> Result:
    """Judges a solution in separate processes.

    definition, solution   paths of JSON files, or their content; a solution may be "FILE.py::FUNCTION"
    pairing                "interleaved" or "half-split", if the definition does not say it
    config, model          a config.json, or a model of the catalogue (default: base 10000, by hand)
    seed                   seed of the cases (default: drawn, so that no solution knows them)
    options                further options of `ropewalk verify`, such as ["--promise", "angle-f32"]

    Raises ValueError for refused input, FileNotFoundError or RuntimeError if something required is missing.
    """
    with tempfile.TemporaryDirectory(prefix="ropewalk-") as folder:
        files = [command.or_read(definition, folder, "definition.json", json.dumps),
                 command.or_read(solution, folder, "solution.json", json.dumps)]
        asked = words_of(config=config, model=model, laws=laws, budget=budget, cases=cases, seed=seed, options=options)
        words = [*_main(files[0], files[1], command.split([*(["--pairing", pairing] if pairing else []), *asked]))]
        return command.judge(words, command.kernel_name(_solution_at(files[1]).name))


if __name__ == "__main__":
    command.run(USAGE, _main)
