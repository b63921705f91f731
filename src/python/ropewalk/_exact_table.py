"""Cosines and sines of an encoding's turns, rounded once, as in `ropewalk table`, for the positions of a call."""

from __future__ import annotations

from typing import Tuple

import numpy as np

from ropewalk_kernel import Encoding

_LOW = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)


def _product(turns: np.ndarray, positions: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """The high and low 64 bits of position times turns, modulo one turn: [positions, pairs]."""
    words = turns.astype(np.uint64)
    low, high = words[:, 0] | words[:, 1] << _32, words[:, 2] | words[:, 3] << _32
    at = positions.astype(np.uint64)[:, None]
    carry = ((low >> _32) * at + ((low & _LOW) * at >> _32)) >> _32
    return high * at + carry, low * at


def exact_turns(encoding: Encoding, positions: np.ndarray) -> np.ndarray:
    """Turns of each position and pair from -1/2 to 1/2, to the 64 bits of a long double: [positions, pairs]."""
    high, low = _product(encoding.turns, np.abs(positions.astype(np.int64)))
    turns = np.ldexp(high.view(np.int64).astype(np.longdouble), -64) + np.ldexp(low.astype(np.longdouble), -128)
    return np.where(positions[:, None] < 0, -turns, turns)


_TWO_PI = np.longdouble(2) * np.arctan2(np.longdouble(0), np.longdouble(-1))


def cos_sin(encoding: Encoding, positions: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Cosines and sines with the attention factor: long double [positions, pairs]."""
    angles = exact_turns(encoding, positions) * _TWO_PI
    return np.cos(angles) * encoding.attention_factor, np.sin(angles) * encoding.attention_factor


def rounded(numbers: np.ndarray, dtype: str) -> np.ndarray:
    """Rounds to nearest, ties to even, in a format of messages; bfloat16 as its bits."""
    if dtype != "BF16":
        return numbers.astype({"F32": "f4", "F16": "f2"}[dtype])
    bits = np.ascontiguousarray(numbers.astype("f8")).view(np.uint64)  # 45 bits below those kept by bfloat16
    bits = (bits + np.uint64((1 << 44) - 1) + (bits >> np.uint64(45) & np.uint64(1))) & ~np.uint64((1 << 45) - 1)
    return (bits.view("f8").astype("f4").view("u4") >> np.uint32(16)).astype("u2")
