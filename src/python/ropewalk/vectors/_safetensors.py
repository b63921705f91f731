"""Arrays of whole numbers in a safetensors file."""

from __future__ import annotations

import json
import pathlib
import struct
from typing import Any, Dict

import numpy as np

_NAMES = {"i4": "I32", "i8": "I64"}


def write(path: pathlib.Path, tensors: Dict[str, np.ndarray]) -> None:
    """Writes int32 and int64 arrays by name; equal arrays give equal bytes."""
    header: Dict[str, Any] = {}
    end = 0
    for name, tensor in tensors.items():
        header[name] = {"dtype": _NAMES[tensor.dtype.str[1:]], "shape": tensor.shape, "data_offsets": (end, end + tensor.nbytes)}
        end += tensor.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(tensor.tobytes() for tensor in tensors.values()))
