"""The encodings of the catalogue's models, recorded by a kernel program that stores the encodings sent to it."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
from typing import Any, Dict, Iterator, List

import numpy as np

import ropewalk_kernel
from ropewalk_kernel import Encoding

SOURCE = pathlib.Path(__file__).resolve().parents[2]
_NOT_NUMBERS = ("name", "model_type", "taken", "warnings", "source", "layer_type")  # keys of a model in `ropewalk models --json`


def command() -> str:
    """The program: ROPEWALK_COMMAND, or this tree's build."""
    return os.environ.get("ROPEWALK_COMMAND") or str(SOURCE / "build/release/ropewalk")


def _told(*words: str) -> Any:
    return json.loads(subprocess.run([command(), *words], capture_output=True, text=True, check=True).stdout)


def text_models() -> Dict[str, List[Dict[str, Any]]]:
    """The catalogue's models of sequences, grouped by their numbers; each with name and context."""
    groups: Dict[str, List[Dict[str, Any]]] = {}
    for model in _told("models", "--json"):
        if "grid" in model or "max_position_embeddings" not in model:
            continue
        numbers = {name: value for name, value in model.items() if name not in (*_NOT_NUMBERS, "max_position_embeddings")}
        if model["rope_scaling"]["rope_type"] in ("yarn", "longrope", "dynamic"):  # these rules depend on the context
            numbers["max_position_embeddings"] = model["max_position_embeddings"]
        groups.setdefault(json.dumps([numbers, _sections(model)], sort_keys=True), []).append(model)
    return groups


def _sections(model: Dict[str, Any]) -> List[str]:
    """A model's sections of time, height and width, from `ropewalk models`."""
    return [line for line in model["taken"] if line.startswith("sections")]


def _sent(model: str) -> List[Encoding]:
    """The encodings sent for a model: one for each kind of rotating layers and each length, and random axes."""
    with tempfile.TemporaryDirectory(prefix="ropewalk-") as folder:
        keeper = f"/usr/bin/python3 {__file__} {folder}"
        subprocess.run([command(), "verify", "--quiet", "--kernel", f"program:{keeper}", "--model", model, "--law", "accuracy",
                        "--dtype", "f32", "--cases", "1", "--seed", "1", "--allow-cut", "--diagnosis", "0"], capture_output=True, check=False,
                       env={**os.environ, "PYTHONPATH": str(SOURCE / "src/python")})
        return [pickle.loads(path.read_bytes()) for path in sorted(pathlib.Path(folder).iterdir())]


def _pairs_of(text: str) -> Iterator[int]:
    """The numbers in a text such as "0, 3, 60 to 63"."""
    for part in text.split(","):
        first, _, last = part.partition(" to ")
        yield from range(int(first), int(last or first) + 1)


def of_model(model: Dict[str, Any]) -> List[Encoding]:
    """The encodings of a model from `text_models`: on time, height and width where it has sections."""
    sent = _sent(model["name"])
    if not _sections(model):
        return sent
    quantities = {one["name"]: one["value"] for one in _told("explain", "config", "--model", model["name"], "--json")["quantities"]}
    axis = np.zeros(sent[0].rotary_dim // 2, "i4")
    for row, name in enumerate(("time pairs", "height pairs", "width pairs")):
        axis[list(_pairs_of(quantities[name]))] = row
    on_axes = [dataclasses.replace(one, axes=3, axis=axis) for one in sent]
    return list({key(one): one for one in on_axes}.values())


def key(encoding: Encoding) -> str:
    """A name shared by encodings with equal numbers."""
    numbers = [encoding.head_dim, encoding.rotary_dim, encoding.rotary_begin, encoding.pairing_in, encoding.pairing_out, encoding.axes,
               encoding.attention_factor, encoding.turns.tobytes(), b"" if encoding.axis is None else encoding.axis.tobytes()]
    return hashlib.sha256(repr(numbers).encode()).hexdigest()[:16]


def _keep(folder: pathlib.Path) -> None:
    def keeper(query: Any, positions: Any, encoding: Encoding, backward: bool) -> None:
        path = folder / f"{key(encoding)}.pickle"
        if not path.exists():
            path.write_bytes(pickle.dumps(encoding))

    ropewalk_kernel.kernel(promise="hf", rotary_begin=True)(keeper)
    ropewalk_kernel.serve()


if __name__ == "__main__":
    _keep(pathlib.Path(sys.argv[1]))
