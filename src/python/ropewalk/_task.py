"""Reads a benchmark's definition of a rotation: its tensors by role, their layouts, and the constants."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, List, Mapping, NoReturn, Optional, Tuple

__all__ = ["BadInput", "Layout", "Task", "field", "read_task"]

# The role of an input, by its name. Other names are refused.
ROLES = {"q": "query", "query": "query", "x": "query", "k": "key", "key": "key",
         "cos_sin_cache": "cache", "cos": "cos", "sin": "sin",
         "positions": "positions", "pos_ids": "positions", "position_ids": "positions",
         "indptr": "indptr", "offsets": "offsets", "head_size": "head_dim", "head_dim": "head_dim",
         "rotary_dim": "rotary_dim", "is_neox": "is_neox", "interleave": "interleave", "rope_theta": "base",
         "rope_scale": "factor", "low_freq_factor": "low_freq_factor", "high_freq_factor": "high_freq_factor",
         "old_context_len": "old_context_len"}
SCALARS = ("head_dim", "rotary_dim", "is_neox", "interleave", "base", "factor", "low_freq_factor",
           "high_freq_factor", "old_context_len")
FORMATS = {"float32": "F32", "float16": "F16", "bfloat16": "BF16"}  # as in messages
INTEGERS = {"int32": "i4", "int64": "i8"}
STYLES = {"neox_style": "half-split", "gptj_style": "interleaved"}  # in a definition's name


class BadInput(ValueError):
    """Refused input: exit code 2."""

    def __init__(self, name: str, value: Any, allowed: str) -> None:
        shown = str(value) if len(str(value)) <= 60 else f"{str(value)[:57]}..."
        super().__init__(f"{name} is {shown!r}; allowed: {allowed}".encode("ascii", "backslashreplace").decode())


@dataclasses.dataclass(frozen=True)
class Layout:
    """The axes of a query or a key; None if the caller sets the extent."""

    order: str  # the letters b(atch), t(okens), h(eads), d(imension)
    is_flat: bool  # heads and dimension are one axis
    batch: Optional[int]
    tokens: Optional[int]
    heads: Optional[int]


@dataclasses.dataclass(frozen=True)
class Input:
    """An input of the function; inputs keep its order."""

    name: str
    role: str
    dtype: str  # as in the definition
    is_shared: bool = False  # for rows: one per token, shared by all batch rows
    is_by_position: bool = False  # for cosines and sines: one row per position


@dataclasses.dataclass(frozen=True)
class Task:
    name: str
    dtype: str  # of the data, as in messages
    head_dim: int
    rotary_dim: int
    table_width: int  # cosines or sines per row; rotary_dim if each is repeated
    pairing: Optional[str]  # None if an input gives it
    query: Layout
    key: Optional[Layout]
    inputs: Tuple[Input, ...]
    outputs: Tuple[str, ...]  # "query", "key", in the function's order
    in_place: Tuple[str, ...]  # outputs whose input the function overwrites
    max_position: Optional[int]  # rows of tables by position, if fixed

    def of(self, *roles: str) -> List[Input]:
        return [one for one in self.inputs if one.role in roles]

    @property
    def default_promise(self) -> Optional[str]:
        """The promise of rounding the given tables once; None if the function makes its own tables."""
        tables = self.of("cache", "cos")
        if tables:
            format_of_table = FORMATS[tables[0].dtype]
            if format_of_table == "F32":
                return "rounded-table"
            return "dtype-table" if format_of_table == self.dtype else "table=bf16,rotation=f32,fused"
        return "frequency=f32,angle=f32,table=f32,rotation=f32,fused" if self.of("base") else None


def field(given: Any, name: str, kind: type, where: str = "") -> Any:
    """given[name], which must exist and have the right type."""
    value = given.get(name) if isinstance(given, Mapping) else None
    words = {str: "text", dict: "an object", list: "a list", int: "a whole number", bool: "true or false"}[kind]
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)) or (kind is str and not value):
        raise BadInput(where + name, "missing" if value is None else value, words)
    return value


class _Reader:
    """Reads one definition; every refusal names the field."""

    def __init__(self, given: Any, pairing: Optional[str]) -> None:
        self.name = field(given, "name", str)
        if field(given, "op_type", str) != "rope":
            raise BadInput("op_type", given["op_type"], "rope")
        self.axes = field(given, "axes", dict)
        self.inputs = field(given, "inputs", dict)
        self.outputs = field(given, "outputs", dict)
        for name in self.axes:
            self.extent(name)
        for tensors, where in ((self.inputs, "inputs."), (self.outputs, "outputs.")):
            for name in tensors:
                field(tensors, name, dict, where)
        self.by_role: Dict[str, str] = {}
        for name in self.inputs:
            role = ROLES.get(name)
            if role is None:
                raise BadInput("inputs", name, "of the roles " + " ".join(ROLES))
            if role in self.by_role:
                raise BadInput("inputs", name, f"one {role}, which {self.by_role[role]} is")
            self.by_role[role] = name
        self.asked_pairing = pairing

    def extent(self, axis: str) -> Optional[int]:
        """The axis's extent if it is constant."""
        kind = field(self.axes.get(axis), "type", str, f"axes.{axis}.") if axis in self.axes else None
        if kind not in ("const", "var"):
            raise BadInput(f"axes.{axis}", kind or "missing", "of type const or var")
        if kind == "var":
            return None
        value = field(self.axes[axis], "value", int, f"axes.{axis}.")
        if not 0 < value < 1 << 31:
            raise BadInput(f"axes.{axis}.value", value, "1 to 2^31 - 1")
        return int(value)

    def constant(self, axis: str) -> int:
        value = self.extent(axis)
        if value is None:
            raise BadInput(f"axes.{axis}", "var", "const: a judge must know it")
        return value

    def shape(self, where: str, spec: Any) -> List[str]:
        shape = field(spec, "shape", list, where)
        for axis in shape:
            if not isinstance(axis, str) or axis not in self.axes:
                raise BadInput(where + "shape", axis, "names of axes")
        return shape

    def input_shape(self, role: str) -> List[str]:
        name = self.by_role[role]
        return self.shape(f"inputs.{name}.", self.inputs[name])

    def dtype(self, role: str, allowed: Mapping[str, str]) -> str:
        name = self.by_role[role]
        given = field(self.inputs[name], "dtype", str, f"inputs.{name}.")
        if given not in allowed:
            raise BadInput(f"inputs.{name}.dtype", given, ", ".join(allowed))
        return str(given)

    def rows_axes(self) -> List[str]:
        """The axes of positions, or of cosines per token."""
        if "positions" in self.by_role:
            return self.input_shape("positions")
        return self.input_shape("cos")[:-1] if "cos" in self.by_role else []

    def head_dim(self) -> int:
        shape = self.input_shape("query")
        if len(shape) == 2:
            sizes = [axis for axis in ("head_dim", "head_size") if axis in self.axes]
            if len(sizes) != 1:
                raise BadInput(f"inputs.{self.by_role['query']}.shape", shape,
                               "with an axis head_dim or head_size beside it")
            return self.constant(sizes[0])
        return self.constant(shape[-1]) if shape else self.refuse_shape("query")

    def refuse_shape(self, role: str) -> NoReturn:
        name = self.by_role[role]
        raise BadInput(f"inputs.{name}.shape", self.inputs[name].get("shape"),
                       "[tokens, heads x dim], [tokens, heads, dim], or 4 axes, heads among them by name")

    def layout(self, role: str, head_dim: int) -> Layout:
        shape, rows = self.input_shape(role), self.rows_axes()
        if len(shape) == 2:
            width = self.extent(shape[1])
            if width is not None and width % head_dim != 0:
                raise BadInput(f"axes.{shape[1]}.value", width, f"multiples of head_dim {head_dim}")
            return Layout("thd", True, 1, self.extent(shape[0]), width and width // head_dim)
        if len(shape) not in (3, 4) or self.extent(shape[-1]) != head_dim or len(set(shape)) < len(shape):
            self.refuse_shape(role)
        others = shape[:-1]
        heads = [axis for axis in others if "head" in axis] or [axis for axis in others if axis not in rows]
        if len(heads) != 1:
            self.refuse_shape(role)
        letters = {heads[0]: "h", shape[-1]: "d"}
        left = [axis for axis in others if axis != heads[0]]
        if len(left) == 2:
            tokens = rows[-1] if rows and rows[-1] in left else self.refuse_shape(role)
            letters.update({axis: "t" if axis == tokens else "b" for axis in left})
        else:
            letters[left[0]] = "t"
        by_letter = {letter: axis for axis, letter in letters.items()}
        batch = self.extent(by_letter["b"]) if "b" in by_letter else 1
        return Layout("".join(letters[axis] for axis in shape), False, batch, self.extent(by_letter["t"]),
                      self.extent(heads[0]))

    def pairing(self) -> Optional[str]:
        named = [pairing for style, pairing in STYLES.items() if style in self.name]
        flags = [role for role in ("is_neox", "interleave") if role in self.by_role]
        if len(flags) + len(named) > 1:
            raise BadInput("pairing", "stated twice", "once: by the definition's name, is_neox or interleave")
        if flags:
            return None
        if named and self.asked_pairing not in (None, named[0]):
            raise BadInput("pairing", self.asked_pairing, f"{named[0]}, as the definition's name says")
        if not named and self.asked_pairing is None:
            raise BadInput("pairing", "not stated", "neox_style or gptj_style in the definition's name, an input "
                           "is_neox or interleave, or --pairing")
        return named[0] if named else self.asked_pairing


def _require_one_source(reader: _Reader) -> None:
    """Checks that positions and angles have one source each."""
    have = reader.by_role
    if "query" not in have:
        raise BadInput("inputs", " ".join(reader.inputs), "with q, query or x among them")
    if ("cos" in have) != ("sin" in have) or ("cache" in have and "cos" in have):
        raise BadInput("inputs", " ".join(reader.inputs), "cos_sin_cache, or cos and sin, not a part or both")
    if ("indptr" in have) != ("offsets" in have) or ("indptr" in have and "positions" in have):
        raise BadInput("inputs", " ".join(reader.inputs), "positions, or indptr and offsets, not a part or both")
    if not {"positions", "indptr", "cos"} & set(have):
        raise BadInput("inputs", " ".join(reader.inputs), "positions, indptr and offsets, or cos and sin of each token")


def _table_of(reader: _Reader, head_dim: int, pairing: Optional[str]) -> Tuple[int, int, Optional[int], bool]:
    """rotary_dim, the width of a table's row, its row count if fixed, and whether rows are positions."""
    if "cache" in reader.by_role:
        shape = reader.input_shape("cache")
        if len(shape) != 2 or "positions" not in reader.by_role:
            raise BadInput(f"inputs.{reader.by_role['cache']}.shape", shape, "[positions, rotary_dim], beside positions")
        width = reader.constant(shape[1])
        return width, width, reader.extent(shape[0]), True
    if "cos" not in reader.by_role:
        axis = reader.extent("rotary_dim") if "rotary_dim" in reader.axes else None
        return axis or head_dim, 0, None, False
    shape = reader.input_shape("cos")
    if reader.input_shape("sin") != shape or len(shape) < 2:
        raise BadInput("inputs.sin.shape", reader.input_shape("sin"), f"that of cos, two axes or three: {shape}")
    width = reader.constant(shape[-1])
    is_by_position = shape[0] not in reader.input_shape("query")
    if is_by_position and (len(shape) != 2 or "positions" not in reader.by_role):
        raise BadInput("inputs.cos.shape", shape, "[tokens, width], or [positions, width] beside positions")
    if "rotary_dim" in reader.axes:
        rotary = reader.constant("rotary_dim")
    elif width == head_dim:
        rotary = head_dim
    else:
        raise BadInput("axes.rotary_dim", "missing", f"const: rows of {width} may be all of it or half of it")
    if width not in (rotary, rotary // 2):
        raise BadInput(f"axes.{shape[-1]}.value", width, f"rotary_dim {rotary} or its half")
    if width == rotary and pairing != "half-split":
        raise BadInput(f"axes.{shape[-1]}.value", width, f"half of rotary_dim {rotary} where pairs are interleaved")
    return rotary, width, reader.extent(shape[0]) if is_by_position else None, is_by_position


def _outputs_of(reader: _Reader) -> Tuple[Tuple[str, ...], Tuple[str, ...]]:
    """The roles of the outputs, which have the shapes of query and key, and the outputs with an input's name."""
    roles, in_place = [], []
    for name, spec in reader.outputs.items():
        role = {"q": "query", "k": "key", "x": "query"}.get(name[:1], "query" if len(reader.outputs) == 1 else "")
        if role not in reader.by_role or role in roles:
            raise BadInput("outputs", name, "one for the query, and one for the key if there is one: q..., k...")
        if name in reader.inputs:
            if reader.by_role[role] != name:
                raise BadInput("outputs", name, f"{reader.by_role[role]}, where an output has an input's name: in place")
            in_place.append(role)
        like = reader.inputs[reader.by_role[role]]
        for what in ("shape", "dtype"):
            if spec.get(what) != like.get(what):
                raise BadInput(f"outputs.{name}.{what}", spec.get(what), f"that of its input: {like.get(what)}")
        roles.append(role)
    if set(roles) != {"query", "key"} & set(reader.by_role):
        raise BadInput("outputs", " ".join(reader.outputs), "one for the query, and one for the key if there is one")
    return tuple(roles), tuple(in_place)


def _inputs_of(reader: _Reader, query: Layout, is_by_position: bool) -> Tuple[Input, ...]:
    has_batch = "b" in query.order
    inputs = []
    for role, name in reader.by_role.items():
        if role in SCALARS:
            if reader.inputs[name].get("shape", "missing") is not None:
                raise BadInput(f"inputs.{name}.shape", reader.inputs[name].get("shape", "missing"), "null: a scalar")
            inputs.append(Input(name, role, field(reader.inputs[name], "dtype", str, f"inputs.{name}.")))
            continue
        is_integer = role in ("positions", "indptr", "offsets")
        dtype = reader.dtype(role, INTEGERS if is_integer else FORMATS)
        rank = len(reader.input_shape(role))
        is_table = role in ("cos", "sin", "cache")
        if role in ("positions", "cos", "sin") and rank - is_table not in ((1, 2) if has_batch else (1,)):
            raise BadInput(f"inputs.{name}.shape", reader.input_shape(role), "an axis of tokens, or of batch and tokens")
        inputs.append(Input(name, role, dtype, has_batch and rank - is_table == 1, is_by_position and is_table))
    return tuple(inputs)


def read_task(given: Any, *, pairing: Optional[str] = None) -> Task:
    """The content of a definition of flashinfer-bench, or of another benchmark in its form.

    pairing   "interleaved" or "half-split", if the definition does not say it

    Raises BadInput for missing or unknown parts, or more than a rotation.
    """
    if not isinstance(given, dict):
        raise BadInput("definition", given, "an object")
    reader = _Reader(given, pairing)
    _require_one_source(reader)
    head_dim = reader.head_dim()
    pairing = reader.pairing()
    rotary_dim, width, max_position, is_by_position = _table_of(reader, head_dim, pairing)
    if rotary_dim % 2 != 0 or not 0 < rotary_dim <= head_dim:
        raise BadInput("rotary_dim", rotary_dim, f"an even number up to head_dim {head_dim}")
    query = reader.layout("query", head_dim)
    key = reader.layout("key", head_dim) if "key" in reader.by_role else None
    if key and (key.order, key.batch, key.tokens) != (query.order, query.batch, query.tokens):
        reader.refuse_shape("key")
    dtype = reader.dtype("query", FORMATS)
    if key and reader.dtype("key", FORMATS) != dtype:
        raise BadInput(f"inputs.{reader.by_role['key']}.dtype", reader.dtype("key", FORMATS), f"the query's: {dtype}")
    inputs = _inputs_of(reader, query, is_by_position)
    task = Task(reader.name, FORMATS[dtype], head_dim, rotary_dim, width, pairing, query, key, inputs,
                *_outputs_of(reader), max_position)
    tables = task.of("cache", "cos", "sin")
    if len({one.dtype for one in tables}) > 1 or any(one.dtype == "float16" and dtype != "float16" for one in tables):
        raise BadInput(f"inputs.{tables[-1].name}.dtype", tables[-1].dtype,
                       "one for all tables: float32, bfloat16 or the data's")
    return task

