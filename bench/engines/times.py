"""Times of engines, memcpy and this library's kernels, in one run of `ropewalk bench`."""

from __future__ import annotations

import json
import pathlib
import subprocess
import tempfile
from typing import Any, Dict, List

import numpy as np

from encodings_of_models import command
from ropewalk.engines import llama_cpp
from ropewalk.engines._ggml import NEOX
from ropewalk.engines._ggml_rotation import GgmlRotation
from verdicts import environment, program_of

MODEL = "llama-3-8b"
TOKENS, TOKENS_ON_A_DEVICE, HEADS, HEAD_DIM = 512, 16, 32, 128  # few on a device, since lavapipe's is the CPU


def _run(tokens: int, kernels: List[str]) -> List[Dict[str, Any]]:
    with tempfile.TemporaryDirectory(prefix="ropewalk-") as folder:
        record = pathlib.Path(folder) / "bench.json"
        run = subprocess.run([command(), "bench", "--model", MODEL, "--quick", "--tokens", str(tokens), "--heads", str(HEADS), "--kv-heads", "0",
                              "--dtype", "f32", "f16", "--benchmark_filter", "^apply/", "--out", str(record), "--kernel", *kernels],
                             capture_output=True, text=True, env=environment(), check=False)
        if not record.exists():
            raise RuntimeError(run.stderr[-800:])
        return [_row(one) for one in json.loads(record.read_text())["benchmarks"]]


def _row(told: Dict[str, Any]) -> Dict[str, Any]:
    """The fields of a record's row that the page needs."""
    _, kernel, dtype, _, tokens = told["name"].split("/")
    return {"kernel": kernel.rpartition(":")[2], "dtype": dtype, "tokens": int(tokens), "seconds": told["real_time"] * 1e-9,
            "to_memcpy": told["ratio"]["median"], "low": told["ratio"]["low"], "high": told["ratio"]["high"]}


def timed(kernels: List[str]) -> Dict[str, Any]:
    """Two runs, both with memcpy: CPU engines with cpu-turns, and ggml-vulkan with vulkan-turns."""
    here = [kernel for kernel in kernels if "vulkan" not in kernel and not kernel.endswith("-f32-angle")]
    device = ["llama-cpp-vulkan"] if "llama-cpp-vulkan" in kernels and vulkan_device() else []
    return {"processor": _run(TOKENS, ["cpu-turns", *map(program_of, here)]),
            "device": _run(TOKENS_ON_A_DEVICE, ["vulkan-turns", *map(program_of, device)]) if device else [],
            "on_the_device": [on_the_device(dtype) for dtype in ("f32", "f16")] if device else []}


def on_the_device(dtype: str) -> Dict[str, Any]:
    """Seconds of ggml-vulkan's rotation, the median of ten calls, without the transfer of tensors."""
    engine = llama_cpp.engine("vulkan")
    x = np.ones((TOKENS_ON_A_DEVICE, HEADS, HEAD_DIM), {"f32": "f4", "f16": "f2"}[dtype])
    rotation, at = GgmlRotation(mode=NEOX, rotary_dim=HEAD_DIM, base=500000.0), np.arange(TOKENS_ON_A_DEVICE, dtype="i4")[None]
    seconds = []
    for _ in range(11):
        before = engine.seconds
        engine.rotate(x, at, rotation)
        seconds.append(engine.seconds - before)
    return {"dtype": dtype, "seconds": float(np.median(seconds[1:]))}


def processor() -> str:
    """The processor's name."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")


def vulkan_device() -> str:
    """The device that llama.cpp uses; "" if there is none."""
    try:
        return llama_cpp.engine("vulkan").description
    except Exception:  # no device, or no package
        return ""
