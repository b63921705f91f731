"""A plain rotation in NumPy: `numpy-f64-angle` forms angles in binary64, `numpy-f32-angle` in binary32.

Cosine, sine and rotation are in binary32. Either pairing, partial heads, f32 and f16, forward and backward.
"""

from __future__ import annotations

from typing import Any, Callable, List

import numpy as np

from ropewalk_kernel import Encoding


def version() -> str:
    """NumPy's version."""
    return np.__version__


def kernel(name: str) -> Callable[..., Any]:
    """The function of a kernel, by its name."""
    kind = "f4" if name == "numpy-f32-angle" else "f8"

    def adapted(query: np.ndarray, positions: np.ndarray, encoding: Encoding, backward: bool) -> np.ndarray:
        half = encoding.rotary_dim // 2
        angle = positions.astype(kind)[..., None, None] * encoding.inv_freq.astype(kind)
        factor = np.asarray(encoding.attention_factor, kind)
        cos, sin = (np.cos(angle) * factor).astype("f4"), (np.sin(angle) * factor).astype("f4")
        sin = -sin if backward else sin
        is_half_split = encoding.pairing_in == "half-split"
        first, second = (np.s_[..., :half], np.s_[..., half:2 * half]) if is_half_split else (np.s_[..., 0:2 * half:2], np.s_[..., 1:2 * half:2])
        x, y = query[first].astype("f4"), query[second].astype("f4")
        turned = query.copy()
        with np.errstate(all="ignore"):
            turned[first], turned[second] = x * cos - y * sin, x * sin + y * cos
        return turned

    adapted.__name__ = name
    adapted.written = f'ropewalk.engines.kernel("{name}")'  # type: ignore[attr-defined]
    adapted.serves = {"dtypes": ["f32", "f16"], "crossing": False, "axes": 1}  # type: ignore[attr-defined]
    return adapted


def kernels() -> List[str]:
    """Names of the kernels."""
    return ["numpy-f64-angle", "numpy-f32-angle"]
