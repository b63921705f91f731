"""A right rotation in NumPy: half-split, its angle in binary64, cosine and sine in binary32."""
import numpy as np


def rotated(query, positions, encoding, backward):
    half = encoding.rotary_dim // 2
    angle = positions[..., None, None] * encoding.inv_freq
    cos = (np.cos(angle) * encoding.attention_factor).astype("f4")
    sin = (np.sin(angle) * encoding.attention_factor).astype("f4") * np.float32(-1 if backward else 1)
    x, y = query[..., :half].copy(), query[..., half:2 * half].copy()
    with np.errstate(all="ignore"):
        query[..., :half], query[..., half:2 * half] = x * cos - y * sin, x * sin + y * cos
