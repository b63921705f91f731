"""An honest rotary embedding for the promise that is named, in every dtype in which NumPy can keep it.

NumPy rounds long doubles to binary16 by way of binary32, so that the exact promise is kept in binary32 alone.
"""
import sys

import numpy as np

import ropewalk_kernel

long = np.longdouble
correctly_rounded = ("exact", "canonical", "rounded-table", "dtype-table")
pi = long(3141592653589793238) / long(10) ** 18 + long("0.4626433832795028842e-18")


def exact_angle(positions, encoding):
    """Angles of whole turns' fractions, in radians, by integers of 128 bits."""
    turns = [int.from_bytes(one.tobytes(), "little") for one in encoding.turns]
    result = np.empty(positions.shape + (len(turns),), long)
    for at, position in np.ndenumerate(positions):
        for pair, turn in enumerate(turns):
            fraction = turn * int(position) % 2**128
            sign, size = (-1, 2**128 - fraction) if fraction >= 2**127 else (1, fraction)
            parts = np.array([size >> 64, size & (2**64 - 1)], "u8").astype(long)
            result[at + (pair,)] = sign * (parts[0] * long(2) ** -64 + parts[1] * long(2) ** -128)
    return 2 * pi * result


def rows(promise, positions, encoding, dtype):
    """Cosines and sines, with the attention factor, and the format in which they rotate."""
    data = np.dtype(dtype)
    single = np.promote_types(data, "f4")
    if promise in correctly_rounded:
        angle = exact_angle(positions, encoding)
        factor = long(encoding.words.get("attention_factor", "1")) if encoding.attention_factor != 1 else 1
        table, work = {"exact": (long, long), "dtype-table": (data, data)}.get(promise, (np.dtype("f4"), single))
    elif promise == "angle-f64":
        angle, factor = positions[..., None] * encoding.inv_freq, encoding.attention_factor
        table, work = np.dtype("f4"), single
    else:
        angle = positions[..., None].astype("f4") * encoding.inv_freq.astype("f4")
        factor = np.float32(encoding.attention_factor)
        table, work = (data, data) if promise == "hf" else (np.dtype("f4"), single)
    cos, sin = ((function(angle) * factor).astype(table)[..., None, :] for function in (np.cos, np.sin))
    return cos.astype(work), sin.astype(work), work


def honest_rope(promise):
    """The function that keeps the promise, and what `ropewalk_kernel.kernel` takes of it."""
    dtypes = ["f32"] if promise == "exact" else ["f32", "f16"] if promise in correctly_rounded else ["f64", "f32", "f16"]

    def honest(query, key, positions, encoding, backward):
        half = encoding.rotary_dim // 2
        cos, sin, work = rows(promise, positions, encoding, query.dtype)
        if backward:
            sin = -sin
        first, second = ((np.s_[..., 0:2 * half:2], np.s_[..., 1:2 * half:2]) if encoding.pairing_in == "interleaved"
                         else (np.s_[..., :half], np.s_[..., half:2 * half]))
        with np.errstate(all="ignore"):
            for tensor in query, key:
                a, b = tensor[first].astype(work), tensor[second].astype(work)
                tensor[first], tensor[second] = a * cos - b * sin, a * sin + b * cos

    return honest, {"promise": promise, "dtypes": dtypes, "crossing": False, "axes": 1}


if __name__ == "__main__":
    function, offer = honest_rope(sys.argv[1])
    ropewalk_kernel.kernel(**offer)(function)
    ropewalk_kernel.serve()
