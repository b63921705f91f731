"""The canonical rotation in NumPy: two products and a sum in binary32, each rounded, and one rounding to the data's format."""

from __future__ import annotations

import numpy as np


def widened(data: np.ndarray) -> np.ndarray:
    """Numbers of a format as binary32: float32, float16, or the bits of bfloat16."""
    return (data.astype("u4") << np.uint32(16)).view("f4") if data.dtype.kind == "u" else data.astype("f4")


def stored(numbers: np.ndarray, like: np.ndarray) -> np.ndarray:
    """binary32 rounded to nearest, ties to even, in the format of `like`."""
    if like.dtype.kind != "u":
        return numbers.astype(like.dtype)
    bits = numbers.view("u4")
    rounded = (bits + np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1))) >> np.uint32(16)
    return np.where(np.isnan(numbers), np.uint32(0x7FC0), rounded).astype("u2")


def rotated(data: np.ndarray, cos: np.ndarray, sin: np.ndarray, *, is_interleaved: bool) -> np.ndarray:
    """The first channels of heads [batch, tokens, heads, head_dim] turned by rows [batch, tokens, pairs]; the others are copied.

    Data and rows may have different formats; the result has the data's.
    """
    pairs = cos.shape[-1]
    cos, sin = widened(cos)[:, :, None], widened(sin)[:, :, None]
    places = (np.s_[..., 0:2 * pairs:2], np.s_[..., 1:2 * pairs:2]) if is_interleaved else (np.s_[..., :pairs], np.s_[..., pairs:2 * pairs])
    first, second = (widened(data[place]) for place in places)
    result = data.copy()
    with np.errstate(all="ignore"):
        result[places[0]] = stored(first * cos - second * sin, data)
        result[places[1]] = stored(first * sin + second * cos, data)
    return result
