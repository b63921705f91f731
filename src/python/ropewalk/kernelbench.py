"""Judges solutions of problems in KernelBench's form that rotate a query and a key.

    python3 -m ropewalk.kernelbench PROBLEM.py SOLUTION.py --layout AXES --pairing KIND [options of ropewalk verify]

A problem has class Model, get_inputs() and get_init_inputs(), a solution has class ModelNew. The names of
Model.forward's parameters give the roles of the inputs, get_inputs() their shapes and formats. The problem is
trusted and runs here. The solution runs in separate processes.
"""

from __future__ import annotations

import importlib.util
import inspect
import pathlib
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence

from ropewalk import _bench_command as command
from ropewalk._check import Result, words_of
from ropewalk._judged import Judged, load, serve_one
from ropewalk._task import ROLES, BadInput, Task, read_task

__all__ = ["check"]

MODULE = "ropewalk.kernelbench"
AXES = {"b": "batch", "t": "tokens", "h": "heads", "d": "head_dim"}
USAGE = f"""usage: python3 -m {MODULE} PROBLEM.py SOLUTION.py --layout AXES --pairing KIND [options of ropewalk verify]
  --layout AXES      of q and k, in order, as bhtd: batch, heads, tokens, dim
  --pairing KIND     interleaved or half-split
  --device DEVICE    of the tensors (default: cpu)"""


class Problem(NamedTuple):
    names: List[str]  # names of forward's parameters
    inputs: List[Any]
    outputs: int
    init_inputs: List[Any]


def _module_at(path: str) -> Any:
    """The module of a problem's file. Raises BadInput with the error of its execution."""
    command.text_of(path)
    spec = importlib.util.spec_from_file_location("kernelbench_problem", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as why:
        raise BadInput("problem", f"{type(why).__name__}: {why}", "a file of Python that can be executed") from why
    return module


def _problem_at(path: str) -> Problem:
    if importlib.util.find_spec("torch") is None:
        raise command.Missing("a problem of KernelBench needs the Python module torch, which is not installed")
    module = _module_at(path)
    missing = [name for name in ("Model", "get_inputs", "get_init_inputs") if not hasattr(module, name)]
    if missing:
        raise BadInput("problem", f"without {missing[0]}", "Model, get_inputs and get_init_inputs")
    import torch
    names = list(inspect.signature(module.Model.forward).parameters)[1:]
    inputs, init_inputs = list(module.get_inputs()), list(module.get_init_inputs())
    if len(inputs) > len(names):
        raise BadInput("get_inputs", f"{len(inputs)} inputs", f"up to {len(names)}, as Model.forward takes")
    with torch.no_grad():
        result = module.Model(*init_inputs)(*inputs)
    return Problem(names[:len(inputs)], inputs, len(result) if isinstance(result, (tuple, list)) else 1, init_inputs)


def _axes_of(name: str, shape: Sequence[int], known: Dict[str, int], layout: Sequence[str]) -> List[str]:
    """The axes of an input: the layout's for query and key, fixed extents for others."""
    role = ROLES.get(name)
    if role in ("query", "key"):
        if len(shape) != len(layout):
            raise BadInput(f"layout of {name}", " ".join(layout), f"{len(shape)} axes")
        return [f"{role}_heads" if axis == "heads" else axis for axis in layout]
    leading = len(shape) - (role in ("cos", "sin", "cache"))  # axes of rows; the last axis of a table is its width
    rows = [axis for axis in ("batch", "tokens") if axis in layout][-leading:] if leading > 0 else []
    axes = [axis if known.get(axis) == extent else f"{axis}_of_{extent}" for axis, extent in zip(rows, shape)]
    return axes + [f"width_{extent}" for extent in shape[len(axes):]]


def _definition(problem: Problem, layout: Sequence[str]) -> Dict[str, Any]:
    """The problem as a definition whose axes are constant."""
    import torch
    known: Dict[str, int] = {}
    inputs: Dict[str, Any] = {}
    axes: Dict[str, Any] = {}
    order = sorted(range(len(problem.names)), key=lambda at: ROLES.get(problem.names[at]) not in ("query", "key"))
    for at in order:
        name, value = problem.names[at], problem.inputs[at]
        if not isinstance(value, torch.Tensor):
            kind = "bool" if isinstance(value, bool) else "int32" if isinstance(value, int) else "float32"
            inputs[name] = {"shape": None, "dtype": kind}
            continue
        names = _axes_of(name, value.shape, known, layout)
        for axis, extent in zip(names, value.shape):
            if known.setdefault(axis, extent) != extent:
                raise BadInput(f"{axis} of {name}", extent, f"{known[axis]}, as of the inputs before it")
            axes[axis] = {"type": "const", "value": extent}
        inputs[name] = {"shape": names, "dtype": str(value.dtype).replace("torch.", "")}
    tensors = [name for name in problem.names if ROLES.get(name) in ("query", "key")]
    if problem.outputs != len(tensors):
        raise BadInput("Model.forward", f"{problem.outputs} outputs",
                       f"{len(tensors)}: one for each of {', '.join(tensors)}")
    outputs = {f"{ROLES[name][0]}_out": inputs[name] for name in tensors}
    return {"name": "problem", "op_type": "rope", "axes": axes, "outputs": outputs,
            "inputs": {name: inputs[name] for name in problem.names}}


def _task_of(problem: Problem, options: command.Options) -> Task:
    layout = options.layout or ""
    if "".join(sorted(layout)) not in ("bdht", "dht") or layout[-1] != "d":
        raise BadInput("layout", layout or "missing", "q's axes in order, as bhtd, or thd: d stands last")
    return read_task(_definition(problem, [AXES[letter] for letter in layout]), pairing=options.pairing)


def _loader(solution: str, init_inputs: Sequence[Any], device: str) -> Callable[[], Callable[..., Any]]:
    def load_model() -> Callable[..., Any]:
        path = pathlib.Path(solution).resolve()
        model = load(path.stem, "ModelNew", str(path.parent))(*init_inputs)
        return model.to(device) if hasattr(model, "to") else model

    return load_model


def _main(problem_file: str, solution: str, options: command.Options) -> Sequence[str]:
    command.text_of(solution)
    problem = _problem_at(problem_file)
    task = _task_of(problem, options)
    if options.serve:
        device = options.device or "cpu"
        one = Judged(task, _loader(solution, problem.init_inputs, device), takes_out=False, uses_torch=True,
                     device=device)
        serve_one(command.kernel_name(pathlib.Path(solution).stem), one)
        return ()
    return command.verify_words(task, options, command.serving_words(MODULE, (problem_file, solution), options))


def check(problem: str, solution: str, *, layout: str, pairing: str, config: Optional[str] = None,
          model: Optional[str] = None, laws: Sequence[str] = (), budget: Optional[float] = None,
          cases: Optional[int] = None, seed: Optional[int] = None, options: Sequence[str] = ()) -> Result:
    """Judges the file of a solution in separate processes. Arguments of ropewalk.flashinfer_bench.check, and

    layout   the axes of q and k, in order, such as "bhtd"
    """
    asked = words_of(config=config, model=model, laws=laws, budget=budget, cases=cases, seed=seed, options=options)
    words = [*_main(problem, solution, command.split(["--layout", layout, "--pairing", pairing, *asked]))]
    return command.judge(words, command.kernel_name(pathlib.Path(solution).stem))


if __name__ == "__main__":
    command.run(USAGE, _main)
