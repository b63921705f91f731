"""The numbers of a rotation in llama.cpp: rotary mode, sections, base, YaRN's numbers, factors of frequencies."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Dict, Iterator, Optional, Tuple

import numpy as np

from ropewalk.engines import _ggml
from ropewalk_kernel import Encoding, Unsupported

STILL = np.float32(1e30)  # llama.cpp's converter divides the frequency by this if a pair does not turn


@dataclasses.dataclass(frozen=True)
class GgmlRotation:
    """Arguments of ggml_rope_ext and ggml_rope_multi."""

    mode: int
    rotary_dim: int
    first_channel: int = 0
    sections: Tuple[int, ...] = ()  # of ggml_rope_multi; empty: ggml_rope_ext
    rows: Tuple[Optional[int], ...] = (0,)  # the encoding's axis of each row of positions; None: the row is 0
    base: float = 10000.0
    freq_scale: float = 1.0
    ext_factor: float = 0.0
    attn_factor: float = 1.0
    beta_fast: float = 32.0
    beta_slow: float = 1.0
    original_context: int = 0
    factors: Optional[np.ndarray] = None  # float32 [pairs]: the divisor of each frequency


def _blocks(config: Dict[str, Any], above: Dict[str, Any]) -> Iterator[Dict[str, Any]]:
    """Every block of a configuration, with the keys that stand above it."""
    keys = {**above, **{name: value for name, value in config.items() if not isinstance(value, (dict, list))}}
    yield keys
    for value in config.values():
        if isinstance(value, dict):
            yield from _blocks(value, keys)


def _yarn(encoding: Encoding) -> Dict[str, Any]:
    """The configuration's block of YaRN; empty for other rules."""
    for block in _blocks(encoding.config, {}):
        if block.get("rope_type", block.get("type")) == "yarn" and "factor" in block:
            return block
    return {}


def _geometric(inv_freq: np.ndarray, channels: int) -> Optional[Tuple[float, float]]:
    """Base and first of frequencies first * base^(-2 pair / channels); None for other frequencies."""
    first = float(inv_freq[0])
    if len(inv_freq) < 2 or inv_freq[1] <= 0:
        return None
    base = float((first / inv_freq[1]) ** (channels / 2))
    base = float(round(base)) if abs(base - round(base)) < 1e-9 * base else base  # as in a file
    formed = first * base ** (-2.0 * np.arange(len(inv_freq)) / channels)
    return (base, first) if np.all(np.abs(formed - inv_freq) <= 1e-9 * inv_freq) else None


def _base_before_rules(encoding: Encoding) -> float:
    """The base before a rule changes the frequencies: from the first pairs, which most rules keep, or from the configuration."""
    first = _geometric(encoding.inv_freq[:3], encoding.rotary_dim)
    if first and first[1] == 1:
        return first[0]
    named = [block[key] for block in _blocks(encoding.config, {}) for key in ("rope_theta", "base") if block.get(key)]
    return float(named[-1]) if named else 10000.0


def _frequencies(encoding: Encoding) -> Dict[str, Any]:
    """Base, scale and factors; for YaRN its own numbers, since llama.cpp forms the ramp itself."""
    formed = _geometric(encoding.inv_freq, encoding.rotary_dim)
    if formed:
        return {"base": formed[0], "freq_scale": formed[1], "attn_factor": encoding.attention_factor}
    yarn = _yarn(encoding)
    if yarn:
        factor = float(yarn["factor"])
        return {"base": _base_before_rules(encoding), "freq_scale": 1 / factor, "ext_factor": 1.0,
                "attn_factor": encoding.attention_factor / (1 + 0.1 * math.log(factor)),  # ggml multiplies by this divisor
                "beta_fast": float(yarn.get("beta_fast") or 32), "beta_slow": float(yarn.get("beta_slow") or 1),
                "original_context": int(yarn.get("original_max_position_embeddings") or yarn["max_position_embeddings"])}
    inv_freq = encoding.inv_freq
    base = _base_before_rules(encoding)
    factors = np.full(len(inv_freq), STILL)
    moving = inv_freq > 0
    factors[moving] = (base ** (-2.0 * np.flatnonzero(moving) / encoding.rotary_dim) / inv_freq[moving]).astype("f4")
    return {"base": base, "factors": factors, "attn_factor": encoding.attention_factor}


def _of_pictures(encoding: Encoding) -> Optional[GgmlRotation]:
    """The vision mode: the first half of the pairs turns by the row, the second half by the column, each starting at the first frequency."""
    pairs = len(encoding.inv_freq)
    half = pairs // 2
    if (encoding.axes, encoding.pairing_in, encoding.rotary_dim) != (2, "half-split", encoding.head_dim) or pairs % 2:
        return None
    formed = _geometric(encoding.inv_freq[:half], pairs)
    if not formed or not np.array_equal(encoding.inv_freq[:half], encoding.inv_freq[half:]) or \
            not np.array_equal(encoding.axis, np.repeat([0, 1], half)):
        return None
    return GgmlRotation(mode=_ggml.VISION, rotary_dim=pairs, sections=(half,) * 4, rows=(0, 1, 0, 1), base=formed[0],
                        freq_scale=formed[1], attn_factor=encoding.attention_factor)


def _sections(encoding: Encoding) -> Tuple[int, Tuple[int, ...]]:
    """The mode and the sections of an encoding on time, height and width. Raises Unsupported for another order of pairs."""
    axis = encoding.axis
    assert axis is not None
    pairs, sections = np.arange(len(axis)), tuple(int(np.sum(axis == row)) for row in range(3)) + (0,)
    if encoding.pairing_in == "half-split" and encoding.axes == 3:
        if np.array_equal(axis, np.repeat(np.arange(3), sections[:3])):
            return _ggml.MROPE, sections
        ends = [len(axis), 3 * sections[1], 3 * sections[2]]  # as in Qwen3-VL: time has the pairs that height and width leave
        if np.array_equal(axis, np.where(pairs < np.take(ends, pairs % 3), pairs % 3, 0)):
            return _ggml.IMROPE, sections
    raise Unsupported("axes other than time, height and width, in runs or by turns, or a picture's rows and columns")


def rotation_of(encoding: Encoding) -> GgmlRotation:
    """llama.cpp's rotation for an encoding. Raises Unsupported if there is none."""
    where: Dict[str, Any] = {"rotary_dim": encoding.rotary_dim, "first_channel": encoding.rotary_begin}
    if encoding.axes == 1:
        mode = _ggml.NORMAL if encoding.pairing_in == "interleaved" else _ggml.NEOX
        return GgmlRotation(mode=mode, **where, **_frequencies(encoding))
    pictures = _of_pictures(encoding)
    if pictures:
        return pictures
    mode, sections = _sections(encoding)
    return GgmlRotation(mode=mode, sections=sections, rows=(0, 1, 2, None), **where, **_frequencies(encoding))
