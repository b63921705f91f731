"""The kernels of engines to judge, and the models to judge them on."""

from __future__ import annotations

import dataclasses
from concurrent.futures import Executor
from typing import Any, Dict, List, Optional

import ropewalk_kernel
from ropewalk import engines
from ropewalk.engines import _ggml
from ropewalk.engines._ggml_rotation import rotation_of
from ropewalk_kernel import Encoding, Unsupported

import encodings_of_models

WORDS = {
    "llama-cpp-cpu": "llama.cpp, processor", "llama-cpp-vulkan": "llama.cpp, Vulkan",
    "llama-cpp-cpu-cache": "llama.cpp, processor, into a cache", "llama-cpp-vulkan-cache": "llama.cpp, Vulkan, into a cache",
    "onnx-runtime-ai-onnx": "ONNX Runtime, ai.onnx, our tables", "onnx-runtime-com-microsoft": "ONNX Runtime, com.microsoft, our tables",
    "onnx-runtime-ai-onnx-f32-angle": "ONNX Runtime, ai.onnx, angles in f32",
    "onnx-runtime-com-microsoft-f32-angle": "ONNX Runtime, com.microsoft, angles in f32",
    "pytorch-hugging-face": "PyTorch, as Hugging Face", "pytorch-vllm": "PyTorch, as vLLM's native path",
    "numpy-f64-angle": "NumPy, angles in f64", "numpy-f32-angle": "NumPy, angles in f32",
}
_MODES = {_ggml.NORMAL: "NORMAL", _ggml.NEOX: "NEOX", _ggml.MROPE: "MROPE", _ggml.IMROPE: "IMROPE", _ggml.VISION: "VISION"}


@dataclasses.dataclass
class Subject:
    """One encoding of the catalogue, and the models that have it."""

    encoding: Encoding
    contexts: Dict[str, int]  # by model

    @property
    def models(self) -> List[str]:
        return list(self.contexts)

    @property
    def context(self) -> int:
        """The longest context of these models."""
        return max(self.contexts.values())


def subjects(pool: Executor) -> List[Subject]:
    """Every encoding of the text models of the catalogue, in the catalogue's order."""
    groups = list(encodings_of_models.text_models().values())
    by_key: Dict[str, Subject] = {}
    for models, found in zip(groups, pool.map(encodings_of_models.of_model, [models[0] for models in groups])):
        for encoding in found:
            subject = by_key.setdefault(encodings_of_models.key(encoding), Subject(encoding, {}))
            subject.contexts.update({model["name"]: model["max_position_embeddings"] for model in models})
    return list(by_key.values())


def offered(kernel: str) -> Any:
    """The kernel from ropewalk_kernel, made on first use."""
    if kernel not in ropewalk_kernel._kernels:
        ropewalk_kernel.kernel(promise="hf", name=kernel)(engines.kernel(kernel))
    return ropewalk_kernel._kernels[kernel]


def operation_of(kernel: str, encoding: Encoding) -> Optional[str]:
    """The engine's name for the operation that an encoding needs; None if the kernel does not serve it."""
    limits = offered(kernel).description
    if encoding.pairing_in != encoding.pairing_out or encoding.pairing_in not in ("interleaved", "half-split"):
        return None
    if limits.get("pairing", encoding.pairing_in) != encoding.pairing_in or encoding.axes > limits.get("axes", encoding.axes):
        return None
    if encoding.rotary_begin and not limits.get("rotary_begin"):
        return None
    if encoding.rotary_dim != encoding.head_dim and limits.get("partial") is False:
        return None
    part = "" if encoding.rotary_dim == encoding.head_dim else ", partial"
    if not kernel.startswith("llama-cpp"):
        return encoding.pairing_in + part
    try:
        rotation = rotation_of(encoding)
    except Unsupported:
        return None
    ways = [", YaRN" * (rotation.ext_factor != 0), ", factors" * (rotation.factors is not None), ", window" * (rotation.first_channel > 0)]
    return _MODES[rotation.mode] + part + "".join(ways)
