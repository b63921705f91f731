"""ONNX Runtime on a processor, from npm's onnxruntime-node: the operator RotaryEmbedding of ai.onnx 23 and of com.microsoft.

`onnx-runtime-ai-onnx` and `onnx-runtime-com-microsoft` take tables of cosines and sines that are rounded once from exact turns; with `-f32-angle`
after the name, tables from angles in binary32, as exporters form them. Entries have the data's format, as the operators require.

Served: either pairing, whole and partial heads, every format with an operator in the library, forward. A table has one row per token of
a call, so any positions work. Calls without tokens, which the operator refuses, do not reach it.
"""

from __future__ import annotations

import os
import platform
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from ropewalk._exact_table import cos_sin, rounded
from ropewalk.engines import _packages
from ropewalk.engines._onnx_model import BFLOAT16, FLOAT, FLOAT16, INT64, model_of_one_node
from ropewalk.engines._onnx_session import OnnxRuntime, Refused
from ropewalk_kernel import Encoding, Unsupported

PACKAGE = "onnxruntime-node"
DOMAINS = {"ai-onnx": "", "com-microsoft": "com.microsoft"}
_KINDS = {"f4": (FLOAT, "F32"), "f2": (FLOAT16, "F16"), "u2": (BFLOAT16, "BF16")}
_FORMATS = {"f32": FLOAT, "f16": FLOAT16, "bf16": BFLOAT16}
_OF_ANGLES = "-f32-angle"


def _library() -> Optional[Any]:
    machine = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), "")
    return next(iter(_packages.files(PACKAGE, f"bin/*/linux/{machine}/libonnxruntime.so*")), None)


def version() -> str:
    """The version of the package, or "" if not installed."""
    return _packages.version(PACKAGE) if _library() else ""


_runtimes: Dict[int, OnnxRuntime] = {}
_sessions: Dict[Tuple[Any, ...], Any] = {}


def runtime() -> OnnxRuntime:
    """The library in this process; a fork loads it again."""
    if os.getpid() not in _runtimes:
        _runtimes[os.getpid()] = OnnxRuntime(_library())
    return _runtimes[os.getpid()]


def _model(operator: str, kind: int, is_interleaved: bool, heads: int, rotary_dim: int) -> bytes:
    """Rotates [batch, heads, tokens, head_dim] by table rows that positions select."""
    x, positions, tables = ("x", kind, 4), ("positions", INT64, 2), [("cos", kind, 2), ("sin", kind, 2)]
    attributes = {"interleaved": int(is_interleaved), "num_heads": heads, "rotary_embedding_dim": rotary_dim}
    if operator == "ai-onnx":
        return model_of_one_node("RotaryEmbedding", "", [("", 23)], attributes, [x, *tables, positions], ("y", kind, 4))
    return model_of_one_node("RotaryEmbedding", DOMAINS[operator], [("", 23), (DOMAINS[operator], 1)], attributes,
                             [x, positions, *tables], ("y", kind, 4))


def _session(operator: str, kind: int, is_interleaved: bool, heads: int, rotary_dim: int) -> Any:
    key = os.getpid(), operator, kind, is_interleaved, heads, rotary_dim
    if key not in _sessions:
        _sessions[key] = runtime().session(_model(*key[1:]))
    return _sessions[key]


def formats(operator: str) -> List[str]:
    """Formats with an operator in the library, found by opening sessions in a separate process."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        for name, kind in _FORMATS.items():
            try:
                runtime().session(_model(operator, kind, False, 1, 0))
                os.write(writer, name.encode() + b" ")
            except Refused:
                pass
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as told:
        served = told.read().split()
    os.waitpid(child, 0)
    return served


def tables(encoding: Encoding, positions: np.ndarray, dtype: str, by_angles: bool) -> Tuple[np.ndarray, np.ndarray]:
    """Cosines and sines of tokens, [tokens, pairs], in a format of messages."""
    if not by_angles:
        cos, sin = cos_sin(encoding, positions)
    else:
        angles = positions.astype("f4")[:, None] * encoding.inv_freq.astype("f4")
        cos, sin = (turned * np.float32(encoding.attention_factor) for turned in (np.cos(angles), np.sin(angles)))
    return rounded(cos, dtype), rounded(sin, dtype)


def kernel(name: str) -> Callable[..., Any]:
    """The function of a kernel, by its name."""
    by_angles = name.endswith(_OF_ANGLES)
    operator = name[len("onnx-runtime-"):len(name) - len(_OF_ANGLES) * by_angles]

    def adapted(query: np.ndarray, positions: np.ndarray, encoding: Encoding) -> np.ndarray:
        if not query.size:
            return query
        batch, tokens, heads, head_dim = query.shape
        kind, dtype = _KINDS[query.dtype.str[1:]]
        is_whole = encoding.rotary_dim == head_dim  # 0 then; com.microsoft needs the number of heads only for a part
        if not is_whole and operator == "com-microsoft" and encoding.rotary_dim > head_dim:
            raise Unsupported("rotary_dim above head_dim")
        session = _session(operator, kind, encoding.pairing_in == "interleaved", heads, 0 if is_whole else encoding.rotary_dim)
        cos, sin = tables(encoding, positions.reshape(-1), dtype, by_angles)
        rows = np.arange(batch * tokens, dtype="i8").reshape(batch, tokens)
        x = np.ascontiguousarray(query.transpose(0, 2, 1, 3))
        y = np.empty_like(x)
        by_name = {"x": (x, kind), "cos": (cos, kind), "sin": (sin, kind), "positions": (rows, INT64)}
        order = ("x", "cos", "sin", "positions") if operator == "ai-onnx" else ("x", "positions", "cos", "sin")
        runtime().run(session, [(one, *by_name[one]) for one in order], ("y", y, kind))
        return np.ascontiguousarray(y.transpose(0, 2, 1, 3))

    adapted.__name__ = name
    adapted.written = f'ropewalk.engines.kernel("{name}")'  # type: ignore[attr-defined]
    adapted.serves = {"dtypes": formats(operator), "crossing": False, "axes": 1, "backward": False}  # type: ignore[attr-defined]
    adapted.seconds = lambda: runtime().seconds  # type: ignore[attr-defined]
    return adapted


def kernels() -> List[str]:
    """Names of the kernels; empty if the package is not installed."""
    return [f"onnx-runtime-{operator}{way}" for operator in DOMAINS for way in ("", _OF_ANGLES)] if _library() else []
