"""Wraps a benchmark solution as a kernel, in a separate process started by the program."""

from __future__ import annotations

import contextlib
import importlib
import math
import os
import shutil
import sys
import tempfile
from typing import Any, Callable, ContextManager, Dict, List, NamedTuple, Optional, Tuple

import numpy as np

import ropewalk_kernel
from ropewalk._arrangement import (Part, chosen_slots, head_parts, is_all, laid_out, runs, taken_at, taken_back,
                                   token_parts)
from ropewalk._exact_table import cos_sin, rounded
from ropewalk._formed import formed_from
from ropewalk._task import FORMATS, INTEGERS, SCALARS, Input, Task
from ropewalk_kernel import Encoding, Unsupported

MAX_POSITION = 1 << 17  # default positions of a table by position; it has one row more

# Saved before any solution is imported, since a solution may replace these functions.
_to_function, _from_function = ropewalk_kernel._to_function, ropewalk_kernel._from_function
_NUMPY_TYPES = dict(ropewalk_kernel._NUMPY_TYPES)


def folder_of_this_process(prefix: str) -> str:
    """A new folder, removed when this process and its forks have ended, by whatever signal."""
    folder = tempfile.mkdtemp(prefix=prefix)
    ended, alive = os.pipe()
    if os.fork() == 0:
        os.setsid()  # the program kills the group of this process
        for descriptor in range(3):
            os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)
        os.close(alive)
        os.read(ended, 1)
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)
    os.close(ended)
    return folder


def load(module: str, symbol: str, folder: str) -> Callable[..., Any]:
    """A function, or a class, of a module in a folder."""
    sys.path.insert(0, folder)
    return getattr(importlib.import_module(module), symbol)


class Sent(NamedTuple):
    """An argument before it is passed to the solution."""

    name: str
    dtype: Optional[str]  # as in messages; None for a scalar
    value: Any
    rows: Optional[np.ndarray] = None  # of a table by position: the needed rows
    asked: Optional[np.ndarray] = None  # a copy of these rows: the solution gets the table itself

    def is_still(self, argument: Any) -> bool:
        """Whether the argument made from it still has its bits."""
        return bool((bits_of(argument, self.rows) == bits_of(self.value if self.asked is None else self.asked)).all())


def bits_of(tensor: Any, rows: Optional[np.ndarray] = None) -> np.ndarray:
    """The bits of a tensor, or of some of its rows, as whole numbers."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(tensor, torch.Tensor):
        tensor = (tensor if rows is None else tensor[torch.from_numpy(rows).long()]).detach().cpu().contiguous()
        array: np.ndarray = (tensor.view(torch.int16) if tensor.dtype == torch.bfloat16 else tensor).numpy()
    else:
        array = np.ascontiguousarray(tensor if rows is None else tensor[rows])
    return array.view(f"u{array.itemsize}")


def unwritten(dtype: str, shape: Tuple[int, ...]) -> np.ndarray:
    """An output before the solution writes it: every byte is 255, which is NaN in every format."""
    kind = np.dtype(_NUMPY_TYPES[dtype])
    return np.full(math.prod(shape) * kind.itemsize, 255, np.uint8).view(kind).reshape(shape)


def without_gradients() -> ContextManager[object]:
    torch = sys.modules.get("torch")
    return contextlib.nullcontext() if torch is None else torch.no_grad()


class Judged:
    """Calls a solution with the arguments of its definition, and collects its answers.

    load       imports the solution; called once, in the answering process, at the first call
    takes_out  destination-passing style: outputs are the last arguments
    """

    def __init__(self, task: Task, load_solution: Callable[[], Callable[..., Any]], *, takes_out: bool,
                 uses_torch: bool, device: str) -> None:
        self.task, self.takes_out, self._load = task, takes_out, load_solution
        self.tensors = ropewalk_kernel._Kernel(load_solution, frozenset(), device, uses_torch, not uses_torch, {})
        self.is_shared = any(one.is_shared for one in task.inputs)
        self.function: Optional[Callable[..., Any]] = None
        self.tables: Dict[Any, Tuple[np.ndarray, np.ndarray]] = {}

    def serves(self) -> Dict[str, Any]:
        """The definition's limits, as arguments of ropewalk_kernel.kernel."""
        task = self.task
        limits: Dict[str, Any] = {"dtypes": [task.dtype.lower()], "head_dims": [task.head_dim], "axes": 1,
                                  "crossing": False, "backward": False}
        if task.pairing:
            limits["pairing"] = task.pairing
        if task.rotary_dim == task.head_dim and not task.of("rotary_dim"):
            limits["partial"] = False
        if not task.of("cache", "cos"):
            limits["unit"] = False
        if any(one.is_by_position for one in task.inputs):
            limits["positions"] = [0, task.max_position or MAX_POSITION]
        return limits

    def rotate(self, query: np.ndarray, key: np.ndarray, positions: np.ndarray, encoding: Encoding) -> List[np.ndarray]:
        return self._rotate([query, key], positions, encoding)

    def rotate_query(self, query: np.ndarray, positions: np.ndarray, encoding: Encoding) -> List[np.ndarray]:
        return self._rotate([query], positions, encoding)

    def _rotate(self, given: List[np.ndarray], positions: np.ndarray, encoding: Encoding) -> List[np.ndarray]:
        task = self.task
        if encoding.rotary_dim != task.rotary_dim and not task.of("rotary_dim"):
            raise Unsupported(f"rotary_dim {encoding.rotary_dim}: the definition has {task.rotary_dim}")
        filled = [tensor for tensor in given if tensor.size]
        if not filled:
            return given
        used = [tensor if tensor.size else filled[0] for tensor in given]  # a stand-in; its answers are dropped
        flat = [tensor.reshape(-1, *tensor.shape[2:]) for tensor in used]
        into = [np.empty_like(tensor) for tensor in flat]
        for part in token_parts(task.query, positions, self.is_shared):
            for heads_at in head_parts(task, flat[0].shape[1], flat[-1].shape[1]):
                self._answer_part(part, heads_at, flat, into, positions.reshape(-1), encoding)
        return [answer.reshape(tensor.shape) if tensor.size else tensor for answer, tensor in zip(into, given)]

    def _answer_part(self, part: Part, heads_at: Tuple[np.ndarray, np.ndarray], flat: List[np.ndarray],
                     into: List[np.ndarray], positions: np.ndarray, encoding: Encoding) -> None:
        at = positions[part.tokens]
        if part.row is not None and self.is_shared:
            at = np.broadcast_to(at[part.row], at.shape)
        data = [taken_at(tensor, part.tokens, heads) for tensor, heads in zip(flat, heads_at)]
        for tensor, result, heads in zip(into, self._call(data, at, encoding), heads_at):
            rows = result.reshape(-1, *result.shape[2:]) if part.row is None else result[part.row, :part.count]
            if is_all(heads, tensor.shape[1]):
                tensor[part.begin:part.begin + part.count] = rows
            else:
                real, slots = chosen_slots(heads, int(positions.sum()) + len(positions))
                tensor[part.begin:part.begin + part.count, real] = rows[:, slots]

    def _call(self, data: List[np.ndarray], at: np.ndarray, encoding: Encoding) -> List[np.ndarray]:
        """Calls the solution once; data is [batch, tokens, heads, dim] per tensor, `at` the positions."""
        if self.function is None:
            self.function = self._load()
        layouts = [one for one in (self.task.query, self.task.key) if one]
        tensors = dict(zip(("query", "key"), map(laid_out, data, layouts)))
        sent = [self._sent(one, tensors, at, encoding) for one in self.task.inputs]
        arguments = [one.value if one.dtype is None else
                     _to_function(self.tensors, one.dtype, one.value if one.rows is not None else one.value.copy())
                     for one in sent]
        shapes = {role: tensors[role].shape for role in self.task.outputs}
        in_place = {of.role: (one, argument) for of, one, argument in zip(self.task.inputs, sent, arguments)
                    if of.role in self.task.in_place}
        results = self._answers(arguments, shapes, {role: argument for role, (_, argument) in in_place.items()})
        for of, one, argument in zip(self.task.inputs, sent, arguments):
            if one.dtype is not None and of.role not in in_place and not one.is_still(argument):
                raise RuntimeError(f"the solution changed its input {one.name}")
        taken = {role: _from_function(results[role], self.task.dtype, shape) for role, shape in shapes.items()}
        for role, (one, argument) in in_place.items():
            if not one.is_still(argument) and not np.array_equal(bits_of(taken[role]), bits_of(argument)):
                raise RuntimeError(f"the solution returned other numbers than it left in {one.name}, which it changed")
        return [taken_back(taken[role], layout, self.task.head_dim)
                for role, layout in zip(("query", "key"), layouts) if role in taken]

    def _answers(self, arguments: List[Any], shapes: Dict[str, Tuple[int, ...]], in_place: Dict[str, Any]) -> Dict[str, Any]:
        """Outputs by role. In-place outputs are in their arguments, or are returned."""
        assert self.function is not None
        outputs = {role: _to_function(self.tensors, self.task.dtype, unwritten(self.task.dtype, shape))
                   for role, shape in shapes.items() if role not in in_place} if self.takes_out else {}
        with without_gradients():
            result = self.function(*arguments, *outputs.values())
        if self.takes_out or (result is None and len(in_place) == len(shapes)):
            return {**outputs, **in_place}
        results = list(result) if isinstance(result, (tuple, list)) else [result]
        if len(results) != len(shapes):
            raise TypeError(f"the solution returned {len(results)} tensors; due: {len(shapes)}")
        return dict(zip(shapes, results))

    def _sent(self, one: Input, tensors: Dict[str, np.ndarray], at: np.ndarray, encoding: Encoding) -> Sent:
        if one.role in tensors:
            return Sent(one.name, FORMATS[one.dtype], tensors[one.role])
        if one.role in SCALARS:
            return Sent(one.name, None, self._scalar(one, encoding))
        rows = at[-1] if one.is_shared or "b" not in self.task.query.order else at
        if one.role in ("indptr", "offsets"):
            return Sent(one.name, "I32", runs(rows)[one.role == "offsets"].astype(INTEGERS[one.dtype]))
        if one.role == "positions":
            return Sent(one.name, "I32", rows.astype(INTEGERS[one.dtype]))
        if one.is_by_position:
            asked = np.unique(at)
            table = self._table(one, asked, encoding)
            return Sent(one.name, FORMATS[one.dtype], table, asked, table[asked])
        entries = self._entries(one, rows.reshape(-1), encoding)
        return Sent(one.name, FORMATS[one.dtype], entries.reshape(*rows.shape, -1))

    def _entries(self, one: Input, positions: np.ndarray, encoding: Encoding) -> np.ndarray:
        """Rows of a table, rounded once to its format: [positions, width]."""
        cos, sin = cos_sin(encoding, positions)
        parts = (cos, sin) if one.role == "cache" else (cos,) if one.role == "cos" else (sin,)
        if one.role != "cache" and self.task.table_width == self.task.rotary_dim:
            parts *= 2  # each number twice, for half-split heads
        return np.concatenate([rounded(part, FORMATS[one.dtype]) for part in parts], axis=-1)

    def _table(self, one: Input, positions: np.ndarray, encoding: Encoding) -> np.ndarray:
        """A table by position. Rows are computed when they or their neighbours are needed; others are zeros."""
        key = (one.role, encoding.attention_factor, encoding.turns.tobytes())
        if key not in self.tables:
            rows = self.task.max_position or MAX_POSITION + 1
            shape = (rows, self.task.table_width)
            self.tables[key] = (np.zeros(shape, _NUMPY_TYPES[FORMATS[one.dtype]]), np.zeros(rows, bool))
        table, known = self.tables[key]
        near = np.unique(positions[:, None] + np.arange(-1, 2))  # so that a row off by one is a rotation by another position
        near = near[(near >= 0) & (near < len(known))]
        new = near[~known[near]]
        table[new] = self._entries(one, new, encoding)
        known[new] = True
        return table

    def _scalar(self, one: Input, encoding: Encoding) -> Any:
        is_neox = encoding.pairing_in == "half-split"
        values: Dict[str, float] = {"head_dim": encoding.head_dim, "rotary_dim": encoding.rotary_dim,
                                    "is_neox": is_neox, "interleave": not is_neox}
        if one.role not in values:
            values.update(formed_from(encoding, by_wavelength=bool(self.task.of("low_freq_factor"))))
        kind = bool if one.dtype == "bool" else float if one.dtype.startswith("float") else int
        return kind(values[one.role])


def serve_one(name: str, one: Judged) -> None:
    """Offers a solution under its name, and serves it until the program closes its end."""
    function = one.rotate if one.task.key else one.rotate_query
    ropewalk_kernel.kernel(one.task.default_promise or "angle-f32", name=name, raw=True,
                           **one.serves())(function)
    ropewalk_kernel.serve()
