"""Errors of an engine's cosines and sines by position, from rotating (1, 0) in every pair."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

import ropewalk_kernel
from ropewalk._exact_table import exact_turns
from ropewalk_kernel import Encoding

ONE_ULP = {"f32": 2.0 ** -23, "f16": 2.0 ** -10, "bf16": 2.0 ** -7}  # of 1, the length of such a pair
ONE_PERCENT = 0.01
_TOKENS_A_CALL = 16384
_STORED = {"f32": "<f4", "f16": "<f2", "bf16": "<u2"}


MISTAKEN = 2.0 ** -10  # of an angle: too much for roundings of binary32, which are below pairs x 2^-24


def positions_below(context: int, each_below: int, in_each_range: int) -> np.ndarray:
    """Every position below a power of two; then random positions between powers, and the last before each power."""
    draw, chosen = np.random.default_rng(1), [np.arange(min(context, each_below))]
    begin = each_below
    while begin < context:
        end = min(2 * begin, context)
        chosen += [draw.integers(begin, end, in_each_range), [end - 1]]
        begin = end
    return np.unique(np.concatenate(chosen)).astype("i4")


def _one(dtype: str) -> Any:
    return np.uint16(0x3F80) if dtype == "bf16" else 1


def _values(array: np.ndarray, dtype: str) -> np.ndarray:
    """Numbers of a format as float64."""
    return ((array.astype("u4") << 16).view("f4") if dtype == "bf16" else array).astype("f8")


def _pair_channels(encoding: Encoding) -> Tuple[np.ndarray, np.ndarray]:
    pairs, begin = np.arange(encoding.rotary_dim // 2), encoding.rotary_begin
    if encoding.pairing_in == "interleaved":
        return begin + 2 * pairs, begin + 2 * pairs + 1
    return begin + pairs, begin + pairs + encoding.rotary_dim // 2


def turned(kernel: str, encoding: Encoding, positions: np.ndarray, dtype: str) -> Tuple[np.ndarray, np.ndarray]:
    """A kernel's cosines and sines, float64 [tokens, pairs]; on several axes, a token has the same position on each, as in text."""
    served = ropewalk_kernel._kernels[kernel]
    first, second = _pair_channels(encoding)
    parts = []
    for begin in range(0, len(positions), _TOKENS_A_CALL):
        at = positions[begin:begin + _TOKENS_A_CALL]
        query = np.zeros((1, len(at), 1, encoding.head_dim), _STORED[dtype])
        query[..., first] = _one(dtype)
        rows = np.stack([at] * encoding.axes)[:, None] if encoding.axes > 1 else at[None]
        asked = ropewalk_kernel._Asked.of(served, encoding, {"flags": ""},
                                          {"query": (dtype.upper(), query), "positions": ("I32", np.ascontiguousarray(rows))})
        result = _values(ropewalk_kernel._apply(served, asked)[0][2], dtype)[0, :, 0]
        parts.append((result[:, first], result[:, second]))
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


@dataclasses.dataclass
class ErrorByPosition:
    """For each position, the largest error of a pair relative to its length, and that pair."""

    positions: np.ndarray
    errors: np.ndarray
    pairs: np.ndarray
    cosine_errors: np.ndarray  # of the cosines only: [positions]
    mistaken_pairs: List[int]  # off by more than MISTAKEN of their angle somewhere, so not by rounding

    def largest(self) -> Dict[str, Any]:
        at = int(np.argmax(self.errors))
        return {"error": float(self.errors[at]), "position": int(self.positions[at]), "pair": int(self.pairs[at])}

    def safe_through(self, limit: float) -> Optional[int]:
        """The last position before the first error that reaches a limit; None if no error does."""
        beyond = np.flatnonzero(self.errors >= limit)
        if not len(beyond):
            return None
        return int(self.positions[beyond[0] - 1]) if beyond[0] else -1

    def curve(self) -> List[Tuple[int, float]]:
        """The largest error in each eighth of the range from one power of two to the next."""
        parts: Dict[int, float] = {}
        for position, error in zip(self.positions, self.errors):
            if position > 0:
                power = int(position).bit_length() - 1
                end = (1 << power) + (((int(position) - (1 << power)) * 8 >> power) + 1) * (1 << power) // 8
                parts[end] = max(parts.get(end, 0.0), float(error))
        return sorted(parts.items())


def exact(encoding: Encoding, positions: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Cosines and sines in binary64, from exact turns: [tokens, pairs]."""
    angles = 2 * np.pi * exact_turns(encoding, positions).astype("f8")
    return np.cos(angles), np.sin(angles)


def error_by_position(kernel: str, encoding: Encoding, positions: np.ndarray, dtype: str,
                      right: Tuple[np.ndarray, np.ndarray]) -> ErrorByPosition:
    """Errors of a kernel, named as in ropewalk_kernel; right: the result of `exact`."""
    cos, sin = turned(kernel, encoding, positions, dtype)
    off = cos / encoding.attention_factor - right[0], sin / encoding.attention_factor - right[1]
    by_pair = np.hypot(*off)
    pairs = np.argmax(by_pair, axis=1)
    angles = np.abs(positions)[:, None] * encoding.inv_freq
    mistaken = np.flatnonzero((by_pair > MISTAKEN * angles + 4 * ONE_ULP[dtype]).any(axis=0))
    return ErrorByPosition(positions, by_pair[np.arange(len(positions)), pairs], pairs, np.abs(off[0]).max(axis=1), mistaken.tolist())
