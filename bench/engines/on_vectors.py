#!/usr/bin/env python3
"""Runs each installed engine on the pack of test vectors, and judges it by the pack's own checker.

    /usr/bin/python3 bench/engines/on_vectors.py PACK [KERNEL...]

PACK is a folder of `ropewalk vectors --output PACK`. Prints, for each kernel of an engine, the number of groups by the
strictest promise kept, and the first failing case of each group that keeps none.
"""

from __future__ import annotations

import collections
import importlib.util
import os
import pathlib
import struct
import sys
from fractions import Fraction
from typing import Any, Dict, List

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SOURCE / "src/python"), str(SOURCE / "bench/engines")]
os.environ.setdefault("GGML_VK_VISIBLE_DEVICES", "0")  # llama.cpp skips lavapipe unless a device is named

import numpy as np  # noqa: E402

import ropewalk_kernel  # noqa: E402
from ropewalk import engines  # noqa: E402
from ropewalk_kernel import Encoding, Unsupported  # noqa: E402

import subjects  # noqa: E402

STORED = {"f32": ">u4", "f16": ">u2", "bf16": ">u2"}
ELEMENTS = {"f32": "<f4", "f16": "<f2", "bf16": "<u2"}


def checker(pack: pathlib.Path) -> Any:
    spec = importlib.util.spec_from_file_location("check_vectors", pack / "check_vectors.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def turns_of(check_vectors: Any, group: Dict[str, Any]) -> np.ndarray:
    """Turns per position as 128-bit fractions, low word first, from the pack's frequencies of 106 bits."""
    pi, point = check_vectors.PI, check_vectors.POINT

    def numbers(name: str) -> List[Fraction]:
        return [Fraction(struct.unpack(">d", bytes.fromhex(group[name][at:at + 16]))[0]) for at in range(0, len(group[name]), 16)]

    fractions = [(whole + rest) * (1 << point) / (2 * pi) for whole, rest in zip(numbers("inv_freq"), numbers("inv_freq_rest"))]
    words = [int(one * (1 << 128)) % (1 << 128) for one in fractions]
    return np.array([[one >> (32 * word) & 0xFFFFFFFF for word in range(4)] for one in words], "u4")


def encoding_of(check_vectors: Any, group: Dict[str, Any], is_unit: bool) -> Encoding:
    """The encoding of a group, in the form for an engine's kernel."""
    model = group["model"]
    config = {"rope_theta": model["base"], "rope_scaling": model["rope_scaling"], "max_position_embeddings": model.get("max_position_embeddings", 0)}
    axis = np.array(group["axis"], "i4") if group["axes"] > 1 else None
    return Encoding(head_dim=group["head_dim"], rotary_dim=model["rotary_dim"], pairing_in=model["pairing"],
                    pairing_out=model.get("pairing_out", model["pairing"]), axes=group["axes"],
                    attention_factor=1.0 if is_unit else group["attention_factor_decimal"], seq_len=model.get("seq_len", 0), config=config,
                    inv_freq=np.array(group["inv_freq_decimal"]), turns=turns_of(check_vectors, group), turns_256=None, axis=axis, slopes=None,
                    words={}, rotary_begin=model.get("rotary_begin", 0))


def has_own_frequencies(group: Dict[str, Any]) -> bool:
    return group["model"].get("axes", {}).get("frequencies") == "own"


def answer(check_vectors: Any, kernel: str, group: Dict[str, Any], case: Dict[str, Any]) -> str:
    """The digits of a kernel's output. Raises Unsupported if the engine has no such call."""
    served, dtype = subjects.offered(kernel), group["dtype"]
    begin, end = served.description.get("positions", [-2**31, 2**31])
    positions = np.array(case["positions"])
    encoding = encoding_of(check_vectors, group, case.get("unit", False))
    if dtype not in served.description["dtypes"] or positions.dtype.kind != "i" or positions.min() < begin or positions.max() >= end:
        raise Unsupported("its limits")
    operation = subjects.operation_of(kernel, encoding)
    is_backward_unserved = case.get("backward") and served.description.get("backward") is False
    if operation is None or is_backward_unserved or (has_own_frequencies(group) and "VISION" not in operation):
        raise Unsupported("its limits")
    shape = case["shape"]
    query = np.frombuffer(bytes.fromhex(case["x"]), STORED[dtype]).astype(STORED[dtype].replace(">", "<")).view(ELEMENTS[dtype]).reshape(shape)
    rows = np.ascontiguousarray(positions.astype("i4").reshape(-1, *shape[:2]))
    asked = ropewalk_kernel._Asked.of(served, encoding, {"flags": "backward" if case.get("backward") else ""},
                                      {"query": (dtype.upper(), query), "positions": ("I32", rows if group["axes"] > 1 else rows[0])})
    result = ropewalk_kernel._apply(served, asked)[0][2]
    return np.ascontiguousarray(result).view(STORED[dtype].replace(">", "<")).astype(STORED[dtype]).tobytes().hex()


def judge(pack: pathlib.Path, kernel: str) -> None:
    check_vectors = checker(pack)
    answers: Dict[str, str] = {}
    left_out = 0
    for topic in ("rope", "axes"):
        for group in check_vectors.load_topic(str(pack), topic)["groups"]:
            for case in group["cases"]:
                try:
                    answers[case["id"]] = answer(check_vectors, kernel, group, case)
                except (Unsupported, NotImplementedError):
                    left_out += 1
    report = check_vectors.check(answers=answers, pack=str(pack), topic=["rope", "axes"])
    groups = [one for one in report.record()["groups"] if one["verdict"] in ("holds", "fails")]
    kept = collections.Counter((one["keeps"] or "none") for one in groups)
    counts = ", ".join(f"{name} {count}" for name, count in kept.most_common())
    print(f"{subjects.WORDS[kernel]}: {len(answers)} cases of {len(groups)} groups, {left_out} not served; strictest promise kept: {counts}")
    for line in str(report).splitlines():
        if line.startswith("fails"):
            print("  " + line)


def main(arguments: List[str]) -> None:
    pack = pathlib.Path(arguments[0])
    for kernel in arguments[1:] or [name for name in engines.kernels() if name in subjects.WORDS]:
        judge(pack, kernel)


if __name__ == "__main__":
    main(sys.argv[1:])
