"""A rotary embedding as a NumPy program writes it: angles in binary64, a table rounded to binary32."""
import sys

import numpy as np

import ropewalk_kernel

wrong = sys.argv[1] if len(sys.argv) > 1 else ""


@ropewalk_kernel.kernel(promise="rounded-table" if wrong else "angle-f64", dtypes=["f64", "f32", "f16"], crossing=False, axes=1,
                        rotary_begin=wrong != "old", real_positions=wrong != "old")
def numpy_rope(query, positions, encoding, backward):
    half, begin = encoding.rotary_dim // 2, 0 if wrong == "begin" else encoding.rotary_begin
    turned = query[..., begin:]
    where = positions.astype("f4") if wrong == "angle-f32" else positions.astype("f8")
    where = np.trunc(where) if wrong == "truncated" else where
    inv_freq = encoding.inv_freq.astype(where.dtype)
    angle = where[..., None, None] * inv_freq
    wide = "f8" if query.dtype == np.float64 else "f4"
    cos = (np.cos(angle) * encoding.attention_factor).astype("f4").astype(wide)
    sin = (np.sin(angle) * encoding.attention_factor).astype("f4").astype(wide)
    if backward and wrong != "backward":
        sin = -sin
    if encoding.pairing_in == "interleaved":
        first, second = np.s_[..., 0:2 * half:2], np.s_[..., 1:2 * half:2]
    else:
        first, second = np.s_[..., :half], np.s_[..., half:2 * half]
    a, b = turned[first].astype(wide), turned[second].astype(wide)
    with np.errstate(all="ignore"):
        turned[first], turned[second] = a * cos - b * sin, a * sin + b * cos


ropewalk_kernel.serve()
