"""ONNX backend node tests of RotaryEmbedding, opset 23: `python3 -m ropewalk.vectors onnx PACK DIR`.

PACK is a folder that `ropewalk vectors --output PACK` wrote. DIR/node/test_.../ has model.onnx and test_data_set_N/ with input_M.pb and output_M.pb,
as in onnx/backend/test/data. Caches have the data's format, as the operator requires, and are rounded once; an output is the canonical
rotation by these caches. Skips cases that the operator cannot express: float64, backward and unit rotations, heads that begin to rotate
after their first channel, and heads whose output has another pairing than the input.

source  github.com/onnx/onnx: onnx/backend/test/case/node/rotaryembedding.py, onnx/backend/test/loader/__init__.py
"""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import subprocess
import tempfile
from typing import Any, Dict, Iterator, List, NamedTuple, Sequence, Tuple, Union

import numpy as np

from ropewalk._check import program
from ropewalk.vectors._canonical import rotated

__all__ = ["write"]

_README = """# ONNX backend node tests of RotaryEmbedding, opset 23

Made by `python3 -m ropewalk.vectors onnx PACK DIR`, ropewalk {version}; equal versions make equal bytes.

`node/` is laid out as onnx/backend/test/data/node: a folder for each test with model.onnx, test_data_set_N/input_M.pb and output_M.pb. Copy the
folders there, or load them with `onnx.backend.test.loader.load_model_tests(data_dir=DIR, kind="node")`. `cases.json` says which cases of the
pack's rope.json the tokens of a data set are.

Caches have the format of the data, as the operator wants it, and their entries are rounded once: cosines and sines of real positions, times the
attention factor where the model has one. Position ids are rows of the cache. Only in the tests with 131072 rows is a row's number its position.
An output is computed in binary32, by two products and a sum that are each rounded, and rounded once to the format.

ONNX's runner accepts |y - expected| <= 1e-7 + 0.001 |expected|. That accepts an implementation in binary32 that fuses, and with these data it
does so in bfloat16, too, where an ulp is up to 0.0078 of a number. It does not accept an implementation that rounds each product to float16 or
bfloat16, as ONNX's reference evaluator does: where the sum cancels, the error is a large part of what remains. The rule of `accept` in cases.json
accepts both: the distance of each turned pair from the expected one is at most `relative` times the norm of the input pair, plus `absolute`.
Channels that do not turn have the same bits.
"""
KINDS = {"f32": ("u4", "f4", 1), "f16": ("u2", "f2", 10), "bf16": ("u2", "u2", 16)}  # bits, numbers of NumPy, and TensorProto.DataType
INT64 = 7
OPSET, IR_VERSION = 23, 10
LONG = 1 << 17  # rows of the longest caches

PathLike = Union[str, "os.PathLike[str]"]


class DataSet(NamedTuple):
    """Arrays of one call, and the pack's cases of its tokens."""

    cases: Sequence[str]
    data: np.ndarray  # [batch, tokens, heads, head_dim]
    positions: np.ndarray  # [batch, tokens]


class Group(NamedTuple):
    """Cases of one encoding and format."""

    name: str
    accept: Dict[str, float]  # relative, absolute: allowed error of a pair, relative to its norm
    dtype: str
    is_interleaved: bool
    head_dim: int
    rotary_dim: int
    options: Sequence[str]  # of `ropewalk table`
    sets: Sequence[DataSet]


class Rows(NamedTuple):
    """Cosines and sines of positions, each rounded once."""

    positions: np.ndarray  # ascending
    cos: np.ndarray  # [positions, pairs]
    sin: np.ndarray

    def at(self, positions: np.ndarray) -> np.ndarray:
        """The row index of each position."""
        return np.searchsorted(self.positions, positions)


# ---- Content of the pack ----


def numbers_of(text: str, dtype: str) -> np.ndarray:
    """Numbers of a pack: hexadecimal bits, most significant digit first."""
    bits, kind, _ = KINDS[dtype]
    return np.frombuffer(bytes.fromhex(text), f">{bits}").astype(bits).view(kind)


def _is_expressible(group: Dict[str, Any]) -> bool:
    return (group["operation"] == "rotate" and group["axes"] == 1 and group["dtype"] in KINDS and "pairs_out" not in group
            and group["pairs"][0][0] == 0)


def options_of(model: Dict[str, Any]) -> List[str]:
    """Options of `ropewalk table` for a group's model: a sourced model of the catalogue, or numbers."""
    if "source" in model:
        return ["--model", model["name"], *(["--seq-len", str(model["seq_len"])] if "seq_len" in model else [])]
    scaling = [] if model["rope_scaling"]["rope_type"] == "default" else ["--scaling", json.dumps(model["rope_scaling"])]
    return ["--base", repr(model["base"]), "--head-dim", str(model["head_dim"]), "--rotary-dim", str(model["rotary_dim"]),
            "--pairing", model["pairing"], *scaling]


def _sets_of(group: Dict[str, Any]) -> List[DataSet]:
    """Merges calls of one token into one call of many tokens; others stay separate."""
    single: Dict[int, List[DataSet]] = {}
    sets = []
    for case in group["cases"]:
        if case.get("backward") or case.get("unit"):
            continue
        batch, tokens, heads, _ = case["shape"]
        data = numbers_of(case["x"], group["dtype"]).reshape(case["shape"])
        one = DataSet([case["id"]], data, np.array(case["positions"][0], "i8").reshape(batch, tokens))
        (single.setdefault(heads, []) if data.shape[:2] == (1, 1) else sets).append(one)
    joined = [DataSet([case for one in alike for case in one.cases], np.concatenate([one.data for one in alike], axis=1),
                      np.concatenate([one.positions for one in alike], axis=1)) for alike in single.values()]
    return joined + sets


def _accepted(group: Dict[str, Any]) -> Dict[str, float]:
    """The pack's rule for a rotation by a table in the data's format, for any order and format of its operations."""
    rule = next(rule for rule in group["accept"] if rule["promise"] == "dtype-table")
    return {name: rule[name] for name in ("relative", "absolute")}


def groups_of(pack: Dict[str, Any]) -> Iterator[Group]:
    for group in pack["groups"]:
        if _is_expressible(group):
            yield Group(group["id"].replace("rope-", ""), _accepted(group), group["dtype"], group["pairs"][0][1] == 1, group["head_dim"],
                        2 * len(group["pairs"]), options_of(group["model"]), _sets_of(group))


def _packed(group: Group) -> Iterator[Group]:
    """Calls of more tokens than they have positions."""
    packed = [one for one in group.sets if one.positions.shape[1] > len(np.unique(one.positions))]
    if group.name.startswith("shapes") and packed:
        yield group._replace(name=f"{group.name}-more-tokens-than-rows", sets=packed[:1])


def long_groups(pack: Dict[str, Any]) -> Iterator[Group]:
    """Caches of LONG rows for two pairs of a head, used around powers of two; data as for small heads."""
    near = {(1 << k) + step for k in range(LONG.bit_length()) for step in (-1, 0, 1)}
    positions = np.array(sorted(one for one in near if 0 <= one < LONG), "i8")
    for dtype, pairing in (("f32", "half-split"), ("f32", "interleaved"), ("f16", "half-split"), ("bf16", "interleaved")):
        small = next(group for group in pack["groups"] if group["id"] == f"rope-{pairing}-{dtype}")
        finite = [numbers_of(case["x"], dtype) for case in small["cases"] if {"SmallPosition", "PowerOfTwo"} & set(case["flags"])]
        data = np.concatenate([finite[token % len(finite)] for token in range(len(positions))]).reshape(1, len(positions), 1, 8)
        options = ["--base", "10000", "--head-dim", "8", "--rotary-dim", "4", "--pairing", pairing]
        sets = [DataSet([], data, positions[None])]
        yield Group(f"{LONG}-rows-{pairing}-{dtype}", _accepted(small), dtype, pairing == "interleaved", 8, 4, options, sets)


def _positions_of_rows(group: Group) -> np.ndarray:
    """Positions in a cache of the group: those of its calls, plus as many as the longest call has tokens.

    ONNX Runtime refuses calls with more tokens than rows.
    """
    wanted = np.unique(np.concatenate([one.positions.reshape(-1) for one in group.sets]))
    missing = max(one.positions.shape[1] for one in group.sets) - len(wanted)
    others = np.setdiff1d(np.arange(len(wanted) + max(missing, 0)), wanted)
    return np.union1d(wanted, others[:max(missing, 0)])


def rows_of(group: Group, positions: np.ndarray, dtype: str) -> Rows:
    """Rows of a group's encoding. Raises RuntimeError if the program fails."""
    with tempfile.TemporaryDirectory(prefix="ropewalk-") as folder:
        np.save(f"{folder}/positions.npy", positions)
        done = subprocess.run([program(), "table", "cos,sin", *group.options, "--positions", f"{folder}/positions.npy", "--dtype", dtype,
                               "--output", f"{folder}/rows.npz", "--quiet"], stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise RuntimeError(f"no table for {group.name}: {done.stderr.strip()}")
        with np.load(f"{folder}/rows.npz") as rows:
            return Rows(positions, rows["cos"], rows["sin"])


# ---- Writing ----


def _tensor(name: str, array: np.ndarray, kind: int) -> bytes:
    from onnx import helper
    little = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<")))
    tensor = helper.make_tensor(name, kind, array.shape, little.tobytes(), raw=True)
    return tensor.SerializeToString(deterministic=True)  # type: ignore[no-any-return]


def _model(name: str, kind: int, attributes: Dict[str, int], inputs: List[Tuple[str, int, Sequence[Any]]], shape: Sequence[Any]) -> bytes:
    """A model with one node; axes that vary between data sets have names."""
    from onnx import helper
    node = helper.make_node("RotaryEmbedding", [one for one, _, _ in inputs], ["output"], **attributes)
    graph = helper.make_graph([node], name, [helper.make_tensor_value_info(*one) for one in inputs],
                              [helper.make_tensor_value_info("output", kind, shape)])
    model = helper.make_model(graph, producer_name="ropewalk", opset_imports=[helper.make_opsetid("", OPSET)])
    model.ir_version = IR_VERSION
    return model.SerializeToString(deterministic=True)  # type: ignore[no-any-return]


def _laid_out(data: np.ndarray, is_flat: bool) -> np.ndarray:
    """Converts [batch, tokens, heads, head_dim] to the operator's shape: [batch, tokens, heads x head_dim] or [batch, heads, tokens, head_dim]."""
    return data.reshape(*data.shape[:2], -1) if is_flat else np.ascontiguousarray(data.transpose(0, 2, 1, 3))


class _Form(NamedTuple):
    is_flat: bool  # three axes
    has_positions: bool

    @property
    def suffix(self) -> str:
        return ("_3d" if self.is_flat else "_4d") + ("_position_ids" if self.has_positions else "")


def _write_test(root: pathlib.Path, group: Group, form: _Form, sets: Sequence[DataSet], rows: Rows, suffix: str) -> Dict[str, Any]:
    """One folder of data sets with the same number of heads, if that is an attribute. Lists the cases of each set."""
    kind, pairs, heads = KINDS[group.dtype][2], group.rotary_dim // 2, sets[0].data.shape[2]
    name = f"test_rotary_embedding_{group.name.replace('-', '_').replace('.', '_')}{form.suffix}{suffix}"
    shape = ["batch", "tokens", heads * group.head_dim] if form.is_flat else ["batch", "heads", "tokens", group.head_dim]
    row_axes = ["rows", pairs] if form.has_positions else ["batch", "tokens", pairs]
    inputs = [("input", kind, shape), ("cos_cache", kind, row_axes), ("sin_cache", kind, row_axes)]
    inputs += [("position_ids", INT64, ["batch", "tokens"])] if form.has_positions else []
    attributes = {"interleaved": int(group.is_interleaved)}
    attributes.update({"num_heads": heads} if form.is_flat else {})
    attributes.update({"rotary_embedding_dim": group.rotary_dim} if group.rotary_dim < group.head_dim else {})
    (root / name).mkdir(parents=True)
    (root / name / "model.onnx").write_bytes(_model(name, kind, attributes, inputs, shape))
    for number, one in enumerate(sets):
        at = rows.at(one.positions)
        cos, sin = rows.cos[at], rows.sin[at]
        result = rotated(one.data, cos, sin, is_interleaved=group.is_interleaved)
        given = [_laid_out(one.data, form.is_flat), *((rows.cos, rows.sin, at.astype("i8")) if form.has_positions else (cos, sin))]
        folder = root / name / f"test_data_set_{number}"
        folder.mkdir()
        for place, ((label, its_kind, _), array) in enumerate(zip(inputs, given)):
            (folder / f"input_{place}.pb").write_bytes(_tensor(label, array, its_kind))
        (folder / "output_0.pb").write_bytes(_tensor("output", _laid_out(result, form.is_flat), kind))
    return {"test": name, "accept": group.accept, "data_sets": [list(one.cases) for one in sets]}


def _write_group(root: pathlib.Path, group: Group, forms: Sequence[_Form], positions: np.ndarray) -> List[Dict[str, Any]]:
    """positions   positions of the rows, ascending"""
    rows = rows_of(group, positions, group.dtype)
    written = []
    for form in forms:
        by_heads: Dict[int, List[DataSet]] = {}
        for one in group.sets:
            by_heads.setdefault(one.data.shape[2] if form.is_flat else 0, []).append(one)
        for heads, sets in by_heads.items():
            written.append(_write_test(root, group, form, sets, rows, f"_heads_{heads}" if len(by_heads) > 1 else ""))
    return written


def write(pack: PathLike, folder: PathLike) -> None:
    """Writes all tests into a new or empty folder; the same pack and program give the same bytes.

    Raises ValueError for a folder that is not empty and for a pack without rope.json, FileNotFoundError without the program,
    ImportError without onnx, RuntimeError if the program fails.
    """
    if importlib.util.find_spec("onnx") is None:
        raise ImportError("the Python package onnx is not installed (Debian: python3-onnx)")
    root = pathlib.Path(folder)
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise ValueError(f"folder is '{root}'; allowed: a new or empty one")
    try:
        rope = json.loads(pathlib.Path(pack, "rope.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as why:
        raise ValueError(f"pack is '{pack}'; allowed: a folder with rope.json, as `ropewalk vectors` writes it ({why.__class__.__name__})") from why
    all_forms = [_Form(is_flat, has_positions) for is_flat in (False, True) for has_positions in (False, True)]
    tests = root / "node"
    index = []
    for number, group in enumerate(groups_of(rope)):
        is_small = group.head_dim == group.rotary_dim == 8
        forms = all_forms if is_small else [all_forms[number % 2], all_forms[3 - number % 2]]
        index += _write_group(tests, group, forms, _positions_of_rows(group))
        for packed in _packed(group):
            index += _write_group(tests, packed, [_Form(False, True)], np.unique(packed.sets[0].positions))
    for number, group in enumerate(long_groups(rope)):
        index += _write_group(tests, group, [_Form(number % 2 == 1, True)], np.arange(LONG, dtype="i8"))
    version = subprocess.run([program(), "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[1]
    (root / "README.md").write_text(_README.format(version=version), encoding="utf-8")
    (root / "cases.json").write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")
