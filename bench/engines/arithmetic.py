"""Recomputes llama.cpp's angles with its arithmetic, and measures the error that remains unexplained."""

from __future__ import annotations

from typing import Any, Dict

import numpy as np

import errors
from ropewalk.engines._ggml_rotation import rotation_of
from ropewalk_kernel import Encoding

STEPS = 8  # of binary32: the assumed error of a device's power


def _left(cos: np.ndarray, sin: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Distance of pairs from the exact cosines and sines of angles in binary32."""
    exact = angles.astype("f8")
    return np.hypot(cos - np.cos(exact), sin - np.sin(exact))


def _by_multiplication(positions: np.ndarray, scale: np.float32, pairs: int) -> np.ndarray:
    """Angles of ggml on a CPU: each is the previous one times theta_scale, in binary32."""
    angle, angles = positions.astype("f4"), []
    for _ in range(pairs):
        angles.append(angle)
        angle = angle * scale
    return np.stack(angles, axis=1)


def explained(kernel: str, encoding: Encoding, positions: np.ndarray) -> Dict[str, Any]:
    """The largest error that remains if the angle is computed as in the engine's code.

    On a device, the angle is the position times a power of theta_scale, both in binary32. Devices' powers differ, so the powers that
    explain most are chosen, within a few steps of binary32 from exp2(pair x log2(theta_scale)).
    """
    pairs = encoding.rotary_dim // 2
    scale = np.float32(np.power(np.float32(rotation_of(encoding).base), np.float32(-2 / encoding.rotary_dim)))
    cos, sin = errors.turned(kernel, encoding, positions, "f32")
    if "vulkan" not in kernel:
        return {"way": "each angle is the one before times theta_scale, in binary32",
                "left": float(_left(cos, sin, _by_multiplication(positions, scale, pairs)).max())}
    left, steps = 0.0, 0
    for pair in range(pairs):
        power = np.exp2(np.float64(np.float32(pair) * np.float32(np.log2(np.float64(scale))))).astype("f4")
        near = {step: power + np.float32(step) * np.spacing(power) for step in range(-STEPS, STEPS + 1)}
        of = {step: float(_left(cos[:, pair], sin[:, pair], positions.astype("f4") * one).max()) for step, one in near.items()}
        best = min(of, key=lambda step: (of[step], abs(step)))
        left, steps = max(left, of[best]), max(steps, abs(best))
    return {"way": f"the position times a power of theta_scale, in binary32, each within {steps} steps of exp2(pair log2 theta_scale)", "left": left}
