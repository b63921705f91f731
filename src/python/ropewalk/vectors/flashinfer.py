"""Definitions and workloads of flashinfer-bench and of FlashInfer's traces for rotations: `python3 -m ropewalk.vectors flashinfer DIR`.

DIR/trace-set is a trace set: definitions/rope/NAME.json, workloads/rope/NAME.jsonl, blob/workloads/rope/. DIR/in-place is another,
whose outputs have names of inputs: FlashInfer's form, which flashinfer-bench refuses.

source  github.com/flashinfer-ai/flashinfer-bench at 40e6ca7: flashinfer_bench/data/definition.py, workload.py, trace_set.py, validate.py
        github.com/flashinfer-ai/flashinfer at fb28d72: flashinfer/trace/templates/rope.py, tests/trace/fi_trace_out/
"""

from __future__ import annotations

import ast
import json
import os
import pathlib
import subprocess
from typing import Any, Dict, Union

from ropewalk._check import program
from ropewalk.vectors import _safetensors
from ropewalk.vectors._flashinfer_cases import CACHES, DEFINITIONS, Case, Definition

__all__ = ["write"]

_README = """# Rotary embeddings for flashinfer-bench and FlashInfer's traces

Made by `python3 -m ropewalk.vectors flashinfer DIR`, ropewalk {version}; equal versions make equal bytes.

- `trace-set/` has definitions, workloads and their inputs in the layout of a trace set. Copy what is in it into yours (FIB_DATASET_PATH). Where
  yours has a definition of the same name, keep yours and append the lines of our `workloads/rope/NAME.jsonl`: the inputs have the same names and
  axes.
- `in-place/` has definitions whose outputs have the names of inputs, as FlashInfer's traces have them. flashinfer-bench refuses to load such a
  definition. The references return what the inputs hold afterwards.

The field `reference` is plain PyTorch: it computes angles and the rotation in binary64 and stores the result once, so that its error does not
grow with the position. Caches have exact values, rounded once to float32. Query and key are random. `python3 -m ropewalk.flashinfer_bench
DEFINITION.json SOLUTION.json` judges a solution by more than a tolerance.

flashinfer-bench cannot say which bits are right (it accepts an error of 0.01, absolute or relative), asks no NaN and no infinity (a result that
has one fails), and knows no strides and no alignment. Its random positions are -1024 to 1023, so that all positions are given here. A function
that forms its angles in binary32 is off by up to 0.0078 at position 131,071. The tolerance accepts that of most numbers, not of all.

| definition | inputs | cache of |
|---|---|---|
{definitions}
| workload | what it hunts |
|---|---|
{workloads}"""
_REFERENCE = pathlib.Path(__file__).with_name("_flashinfer_reference.py")


def _reference(run: str) -> str:
    """The source of a reference function as `run`, after the functions that it calls."""
    source = _REFERENCE.read_text(encoding="utf-8")
    tree = ast.parse(source)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    needed, asked = set(), [run]
    while asked:
        name = asked.pop()
        needed.add(name)
        names = {node.id for node in ast.walk(functions[name]) if isinstance(node, ast.Name)}
        asked += sorted((names & functions.keys()) - needed)
    parts = [ast.get_source_segment(source, node) or "" for name, node in functions.items() if name in needed]
    text = "\n\n\n".join(parts).replace(f"def {run}(", "def run(")
    imports = [name for name in ("math", "torch") if f"{name}." in text]
    return "\n".join(f"import {name}" for name in imports) + f"\n\n\n{text}\n"


def _definition(of: Definition) -> Dict[str, Any]:
    """The definition's JSON."""
    constraints = {"constraints": ["batch_size_plus_1 == batch_size + 1"]} if "batch_size_plus_1" in of.axes else {}
    return {"name": of.name, "description": of.description, "op_type": "rope", "tags": [f"fi_api:{of.api}", "author:ropewalk"],
            "axes": of.axes, **constraints, "inputs": of.inputs, "outputs": of.outputs, "reference": _reference(of.run)}


def _workload(of: Definition, case: Case, blob: str) -> Dict[str, Any]:
    """One line of workloads: a case's inputs, and random numbers for query and key."""
    inputs: Dict[str, Any] = {}
    for name in of.inputs:
        if name in case.tensors:
            inputs[name] = {"type": "safetensors", "path": blob, "tensor_key": name}
        elif name in case.scalars:
            inputs[name] = {"type": "scalar", "value": case.scalars[name]}
        elif name == "cos_sin_cache":
            inputs[name] = {"type": "safetensors", "path": _path_of_cache(of.cache), "tensor_key": name}
        else:
            inputs[name] = {"type": "random"}
    return {"definition": of.name, "workload": {"uuid": case.name, "axes": case.axes, "inputs": inputs}, "solution": None, "evaluation": None}


def _path_of_cache(cache: str) -> str:
    return f"blob/workloads/rope/caches/{cache}.safetensors"


def _write_cache(root: pathlib.Path, cache: str) -> None:
    """Cosines, then sines, of each position from 0: entries rounded once."""
    path = root / _path_of_cache(cache)
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([program(), "table", "cos-sin", "--layout", "vllm", *CACHES[cache].options, "--positions", str(CACHES[cache].rows),
                           "--dtype", "f32", "--name", "cos_sin_cache", "--output", str(path), "--quiet"], stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise RuntimeError(f"no table for {cache}: {done.stderr.strip()}")


def _write_one(root: pathlib.Path, of: Definition) -> None:
    for folder in ("definitions/rope", "workloads/rope"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    text = json.dumps(_definition(of), indent=2)
    (root / f"definitions/rope/{of.name}.json").write_text(f"{text}\n", encoding="utf-8")
    lines = []
    for case in of.cases:
        blob = f"blob/workloads/rope/{of.name}/{of.name}_{case.name}.safetensors"
        _safetensors.write(root / blob, case.tensors)
        lines.append(json.dumps(_workload(of, case, blob)))
    (root / f"workloads/rope/{of.name}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    if "cos_sin_cache" in of.inputs:
        _write_cache(root, of.cache)


def write(folder: Union[str, "os.PathLike[str]"]) -> None:
    """Writes all definitions into a new or empty folder; the same program gives the same bytes.

    Raises ValueError for a folder that is not empty, FileNotFoundError without the program, RuntimeError if it fails.
    """
    root = pathlib.Path(folder)
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise ValueError(f"folder is '{root}'; allowed: a new or empty one")
    for one in DEFINITIONS:
        _write_one(root / ("in-place" if one.is_in_place else "trace-set"), one)
    (root / "README.md").write_text(_readme(), encoding="utf-8")


def _readme() -> str:
    definitions = "".join(f"| {of.name} | {' '.join(of.inputs)} | {of.cache} |\n" for of in DEFINITIONS)
    hunts = {case.name: case.hunts for of in DEFINITIONS for case in of.cases}
    version = subprocess.run([program(), "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[1]
    return _README.format(version=version, definitions=definitions, workloads="".join(f"| {name} | {what} |\n" for name, what in hunts.items()))
