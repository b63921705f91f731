"""Counts an engine's outputs with the canonical rotation's bits, and finds the order of roundings that matches most."""

from __future__ import annotations

from typing import Any, Dict, Tuple

import numpy as np

import ropewalk_kernel
from ropewalk._exact_table import cos_sin, rounded
from ropewalk_kernel import Encoding

from errors import _STORED, _pair_channels, _values

TOKENS = 6  # of one head: 768 numbers if a head has 128


def _drawn(encoding: Encoding, dtype: str, context: int) -> Tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(1)
    x = draw.standard_normal((1, TOKENS, 1, encoding.head_dim))
    return rounded(x, dtype.upper()).astype(_STORED[dtype]), draw.integers(0, context, (1, TOKENS)).astype("i4")


def _fused(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """a b + c, rounded once to binary32: a product of two binary32 is exact in a long double, and the sum nearly always."""
    return (a.astype("f8").astype(np.longdouble) * b + c).astype("f4")


def _orders(x0: np.ndarray, x1: np.ndarray, c: np.ndarray, s: np.ndarray) -> Dict[str, Tuple[np.ndarray, np.ndarray]]:
    return {"two products and a sum": (x0 * c - x1 * s, x0 * s + x1 * c),
            "fused; the second channel's product is rounded": (_fused(x0, c, -(x1 * s)), _fused(x0, s, x1 * c)),
            "fused; the first channel's product is rounded": (_fused(-x1, s, x0 * c), _fused(x1, c, x0 * s)),
            "fused; the sine's product is rounded": (_fused(x0, c, -(x1 * s)), _fused(x1, c, x0 * s)),
            "fused; the cosine's product is rounded": (_fused(-x1, s, x0 * c), _fused(x0, s, x1 * c))}


def share_of_bits(kernel: str, encoding: Encoding, dtype: str, context: int) -> Dict[str, Any]:
    """Number of outputs, number with the canonical bits, and the order of roundings that matches most."""
    served = ropewalk_kernel._kernels[kernel]
    x, positions = _drawn(encoding, dtype, context)
    rows = np.broadcast_to(positions, (encoding.axes, *positions.shape)) if encoding.axes > 1 else positions
    asked = ropewalk_kernel._Asked.of(served, encoding, {"flags": ""},
                                      {"query": (dtype.upper(), x.copy()), "positions": ("I32", np.ascontiguousarray(rows))})
    first, second = _pair_channels(encoding)
    out = _values(ropewalk_kernel._apply(served, asked)[0][2], dtype)[0, :, 0]
    given = _values(x, dtype).astype("f4")[0, :, 0]
    cos, sin = (rounded(one, "F32") for one in cos_sin(encoding, positions[0]))
    got = np.concatenate((out[:, first], out[:, second]))
    counts = {}
    for name, turned in _orders(given[:, first], given[:, second], cos, sin).items():
        right = np.concatenate(turned)
        right = _values(rounded(right.astype(np.longdouble), dtype.upper()), dtype) if dtype != "f32" else right.astype("f8")
        counts[name] = int(np.sum(got == right))
    canonical = counts["two products and a sum"]
    best = max(counts, key=lambda name: counts[name])
    return {"canonical": canonical, "outputs": int(got.size), "most": {"order": best, "outputs": counts[best]}}
