"""Wraps shipped engines as functions that the program can call.

    ropewalk.check(engines.kernel("llama-cpp-vulkan"), model="qwen3-8b")
    ropewalk verify --kernel 'program:python3 -m ropewalk.engines llama-cpp-cpu' --model qwen3-8b --promise hf

`python3 -m ropewalk.engines` lists the names. `./dev engines` installs the engines, judges them and writes bench/engines.
"""

from __future__ import annotations

import importlib
from typing import Any, Callable, Dict, List

_MODULES = {"llama-cpp": "llama_cpp", "onnx-runtime": "onnx_runtime", "pytorch": "pytorch", "numpy": "numpy_eager"}  # by prefix of kernel names


def _module_of(name: str) -> Any:
    for begin, module in _MODULES.items():
        if name.startswith(begin):
            return importlib.import_module(f"ropewalk.engines.{module}")
    raise ValueError(f"engine is {name}; allowed: {', '.join(kernels())}")


def kernel(name: str) -> Callable[..., Any]:
    """The function of an engine's kernel, for ropewalk.check. Raises ValueError for a name that `kernels` lacks."""
    module = _module_of(name)
    if name not in module.kernels():
        raise ValueError(f"engine is {name}; allowed: {', '.join(kernels()) or 'none: no engine is installed'}")
    return module.kernel(name)


def kernels() -> List[str]:
    """Names of the kernels of every installed engine."""
    return [name for module in _MODULES.values() for name in importlib.import_module(f"ropewalk.engines.{module}").kernels()]


def versions() -> Dict[str, str]:
    """The version of each engine, "" if not installed."""
    return {begin: importlib.import_module(f"ropewalk.engines.{module}").version() for begin, module in _MODULES.items()}
