"""Reference tables as NumPy arrays, and the models of the catalogue.

The program computes them, and writes a NumPy archive into an unnamed file: a process takes some
milliseconds, its refusals are errors here, and the numbers are those of `ropewalk table`, to the bit.
"""

from __future__ import annotations

import json
import os
import tempfile
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np

from ropewalk._program import Config, config_path, output_of
from ropewalk_kernel import _DTYPES

Kinds = Union[str, Sequence[str]]

# Options of `ropewalk table` that affect no number: this module sets some, and the others are for files.
_NOT_OF_NUMBERS = ("compare", "digits", "format", "help", "json", "name", "output", "promise", "quiet", "verbose")
_SIZES = ("grid", "crop", "reference")  # written 21x30x52


def table(kind: str, *, model: Any = None, config: Config = None, layer: Union[None, int, str] = None,
          positions: Any = None, dtype: Any = None, **options: Any) -> np.ndarray:
    """A reference table, every entry correctly rounded.

    kind           a kind of `ropewalk table`: "inv-freq", "cos", "cos-sin", "sinusoidal", "alibi-slopes", ...
    model, config  a model of the catalogue, or a configuration: a path, a dict, or an object with to_dict(), as transformers has
    layer          a layer's number, or a kind of layers: "sliding_attention"
    positions      a count from 0, a range, an array [tokens], or [axes, tokens] for the kind "axes"; floating-point numbers are
                   real positions
    dtype          "f64", "f32", "f16", "bf16", or the dtypes of NumPy, torch and ml_dtypes (default: f32). An array in
                   bfloat16 has the dtype of ml_dtypes if that package is installed; else it has the bits, as uint16
    options        further options of `ropewalk table --help`, with underscores: base=10000, head_dim=128, seq_len=4096,
                   scaling={"rope_type": "linear", "factor": 4}, layout="hf", grid=(21, 30, 52), heads=12, causal=True.
                   Arrays are given as arrays or as files

    Raises ValueError with the program's sentence for refused input, and if there are several arrays; use `tables` for those.
    """
    made = tables(kind, model=model, config=config, layer=layer, positions=positions, dtype=dtype, **options)
    if len(made) != 1:
        raise ValueError(f"table makes {len(made)} arrays of these: {', '.join(made)}; allowed: one; ropewalk.tables gives all")
    return next(iter(made.values()))


def tables(kind: Kinds, *, model: Any = None, config: Config = None, layer: Union[None, int, str] = None,
           positions: Any = None, dtype: Any = None, **options: Any) -> Dict[str, np.ndarray]:
    """Several tables by their names, computed at once: kind="cos,sin" or ["cos", "sin"], layer="all", axis="all".

    Same arguments and errors as `table`.
    """
    for name in _NOT_OF_NUMBERS:
        if name in options:
            raise ValueError(f"table has no argument {name}; allowed: the options of `ropewalk table --help` that decide numbers")
    options = {"model": model, "layer": layer, "dtype": _dtype_name(dtype), **options}
    with tempfile.TemporaryDirectory(prefix="ropewalk-") as folder, tempfile.TemporaryFile() as made:
        words = _words_of("config", config_path(config, folder), folder) + _positions_words(positions, folder)
        for name, value in options.items():
            words += _words_of(name, value, folder)
        kinds = kind if isinstance(kind, str) else ",".join(kind)
        try:
            output_of(["table", "--quiet", "--format=npz", "--output=-", *words, "--", kinds], into=made)
        except (ValueError, FileNotFoundError) as error:
            raise type(error)(str(error).replace(folder + os.sep, "")) from None
        made.seek(0)
        with np.load(made, allow_pickle=False) as arrays:
            record = json.loads(arrays["record"].tobytes())  # one record for all arrays, with common values once
            dtypes = {name: one.get("dtype", record.get("dtype")) for name, one in record.get("arrays", {}).items()}
            return {name: _with_dtype(arrays[name], dtypes.get(name, record.get("dtype"))) for name in arrays.files if name != "record"}


def models() -> Dict[str, Dict[str, Any]]:
    """The models of the catalogue by name, each with its fields of `ropewalk models --json`: base, head_dim, source, ..."""
    return {one["name"]: one for one in json.loads(output_of(["models", "--json"]))}


def version() -> str:
    """The version of the program and of this package."""
    return output_of(["--version"]).split()[1]


def _dtype_name(dtype: Any) -> Any:
    """The program's name for a dtype; unknown dtypes keep their own name."""
    if dtype is None or isinstance(dtype, str) and dtype in _DTYPES.values():
        return dtype
    try:
        name = np.dtype(dtype).name
    except TypeError:  # torch's; or ml_dtypes' if that package is missing
        name = str(dtype)
    name = name.rpartition(".")[2]
    return _DTYPES.get(name, name)


def _with_dtype(array: np.ndarray, dtype: Optional[str]) -> np.ndarray:
    if dtype != "bf16" or array.dtype != np.uint16:
        return array
    try:
        from ml_dtypes import bfloat16
    except ImportError:
        return array
    return array.view(bfloat16)


def _positions_words(positions: Any, folder: str) -> List[str]:
    """Raises ValueError for invalid positions; the program's message would name a file that the user did not write."""
    if isinstance(positions, range) and positions.step == 1:
        return [f"--positions={positions.start}:{positions.stop}"]
    allowed = "a number of them, a range, or numbers in a list or array [tokens], or [axes, tokens] for table(\"axes\", ...)"
    if isinstance(positions, (bool, float, np.bool_)):
        raise ValueError(f"positions is {positions}; allowed: {allowed}")
    if positions is None or isinstance(positions, (str, os.PathLike)) or np.ndim(positions) == 0:
        return _words_of("positions", positions, folder)
    array = np.asarray(positions)
    if array.dtype.kind not in "iuf" or array.ndim > 2 or array.size == 0:
        raise ValueError(f"positions has the shape {list(array.shape)} and dtype {array.dtype}; allowed: {allowed}")
    is_real = array.dtype.kind == "f"
    wide = "<f8" if is_real else "<i8"
    if np.can_cast(array.dtype, wide):  # else the program refuses it: a number might change
        array = array.astype(wide)
    return _words_of("positions_f64" if is_real and array.ndim == 1 else "positions", array, folder)


def _words_of(name: str, value: Any, folder: str) -> List[str]:
    """A keyword argument as an option of the program."""
    option = "--" + name.replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [option]
    if name == "ignore_key" and isinstance(value, Mapping):
        return [f"{option}={key}={reason}" for key, reason in value.items()]
    if isinstance(value, Mapping):
        return [f"{option}={json.dumps(dict(value))}"]
    if name in _SIZES and isinstance(value, (tuple, list)):
        return [f"{option}={'x'.join(map(str, value))}"]
    if np.ndim(value) > 0:
        path = os.path.join(folder, name + ".npy")
        np.save(path, np.asarray(value))
        return [f"{option}={path}"]
    return [f"{option}={value}"]
