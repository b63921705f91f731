"""The numbers from which a function forms its own frequencies, if the encoding has them."""

from __future__ import annotations

import math
from typing import Dict

import numpy as np

from ropewalk_kernel import Encoding, Unsupported


def _rule_of(encoding: Encoding) -> Dict[str, float]:
    """Base and factor of the rules default, linear and llama3, and llama3's further numbers."""
    config = encoding.config
    rule = config.get("rope_scaling") or config.get("rope_parameters") or {}
    kind = rule.get("rope_type", rule.get("type", "default"))
    base = config.get("rope_theta", config.get("base", rule.get("rope_theta", 10000.0)))
    numbers = {"base": float(base), "factor": float(rule["factor"]) if kind in ("linear", "llama3") else 1.0,
               "low_freq_factor": 1.0, "high_freq_factor": 4.0, "old_context_len": 8192.0}
    if kind == "llama3":
        numbers.update(low_freq_factor=float(rule["low_freq_factor"]), high_freq_factor=float(rule["high_freq_factor"]),
                       old_context_len=float(rule["original_max_position_embeddings"]))
    return numbers


def _by_wavelength(inv_freq: np.ndarray, numbers: Dict[str, float]) -> np.ndarray:
    """Llama 3.1's rule: divides frequencies of long wavelengths by the factor, keeps short ones, with a ramp between."""
    low, high = numbers["low_freq_factor"], numbers["high_freq_factor"]
    ramp = (numbers["old_context_len"] * inv_freq / (2 * math.pi) - low) / (high - low)
    ramp = np.clip(ramp, 0, 1)
    return ramp * inv_freq + (1 - ramp) * inv_freq / numbers["factor"]


def formed_from(encoding: Encoding, *, by_wavelength: bool = False) -> Dict[str, float]:
    """The numbers from which a function forms the encoding's frequencies.

    by_wavelength   by Llama 3.1's rule, instead of dividing all by the factor

    Raises Unsupported if the frequencies would differ.
    """
    numbers = _rule_of(encoding)
    formed = numbers["base"] ** (-np.arange(0, encoding.rotary_dim, 2) / encoding.rotary_dim)
    formed = _by_wavelength(formed, numbers) if by_wavelength else formed / numbers["factor"]
    given = encoding.inv_freq.astype("f4")
    if encoding.attention_factor != 1 or np.any(np.abs(formed.astype("f4") - given) > np.spacing(given)):
        raise Unsupported("frequencies other than rope_theta^(-2 pair / rotary_dim) / rope_scale" if not by_wavelength
                          else "frequencies other than those of Llama 3.1's rule")
    return numbers
