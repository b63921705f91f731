"""llama.cpp from npm's @node-llama-cpp: each of its CPU libraries, and Vulkan.

`llama-cpp-cpu` is the library that llama.cpp chooses on this processor, `llama-cpp-cpu-haswell` a specific one, `llama-cpp-vulkan` the
first device (GGML_VK_VISIBLE_DEVICES chooses it, and must choose a device that is a processor, such as lavapipe: 0). `-cache`
after a name turns in binary32 and stores the result in rows of a cache, like keys.

Served: either pairing, M-RoPE in runs and by turns; f32 and f16; forward and backward; partial heads, and windows that begin at
a channel; frequencies of any rule, YaRN's by its own numbers if the configuration has them; rows and columns of a picture, as
in its vision encoders. M-RoPE has a fourth row of positions, which is 0 in llama.cpp and here. Other orders
of axes are declined; calls of no token do not reach the engine.
"""

from __future__ import annotations

import ctypes
import os
import pathlib
import time
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from ropewalk.engines import _ggml, _packages
from ropewalk.engines._ggml_rotation import GgmlRotation, rotation_of
from ropewalk_kernel import Encoding, Unsupported

PACKAGES = ("@node-llama-cpp/linux-x64-vulkan", "@node-llama-cpp/linux-x64")
_TYPES = {"f4": _ggml.F32, "f2": _ggml.F16}


def _folder() -> Optional[pathlib.Path]:
    for package in PACKAGES:
        for found in _packages.files(package, "bins/*/libggml-base.so"):
            return found.parent
    return None


def version() -> str:
    """The version of the package, or "" if not installed."""
    return next(filter(None, map(_packages.version, PACKAGES)), "")


def release() -> str:
    """The package's release of llama.cpp, from a library's name: "v0.5.0"; "" if not installed."""
    folder = _folder()
    names = [path.stem for path in folder.glob("libllama.*v*.so")] if folder else []
    return "v" + names[0].rpartition(".v")[2] if names else ""


def cpu_libraries() -> List[Tuple[int, str]]:
    """Score and name of each CPU library that runs on this processor, best first."""
    folder = _folder()
    paths = sorted(folder.glob("libggml-cpu-*.so")) if folder else []
    scored = [(_ggml.runs_here(path), path.stem[len("libggml-cpu-"):]) for path in paths]
    return sorted(((score, name) for score, name in scored if score), reverse=True)


class Engine:
    """One backend of llama.cpp in this process, on one thread. Forks must not share it."""

    def __init__(self, backend: str) -> None:
        """backend: "cpu-haswell", "vulkan"."""
        folder = _folder()
        assert folder is not None, "no package of llama.cpp: `./dev engines` installs it"
        os.environ.setdefault("GGML_NO_BACKTRACE", "1")  # a failed assertion ends the process, without a backtrace
        self.base = _ggml.base(folder)
        registered = _ggml.loader(folder).ggml_backend_load(str(folder / f"libggml-{backend}.so").encode())
        if not registered or not self.base.ggml_backend_reg_dev_count(registered):
            raise Unsupported(f"libggml-{backend}.so finds no device")
        self.device = self.base.ggml_backend_reg_dev_get(registered, 0)
        self.backend = self.base.ggml_backend_dev_init(self.device, None)
        threads = self.base.ggml_backend_reg_get_proc_address(registered, b"ggml_backend_set_n_threads")
        if threads:
            ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int)(threads)(self.backend, 1)
        self.seconds = 0.0  # of all rotations so far, on tensors in the backend's memory
        self.seconds_with_copies = 0.0  # the same, with copies from and to this process's memory

    @property
    def description(self) -> str:
        return self.base.ggml_backend_dev_description(self.device).decode()

    def rotate(self, x: np.ndarray, positions: np.ndarray, rotation: GgmlRotation, backward: bool = False,
               in_cache: bool = False) -> np.ndarray:
        """Turns heads.

        x          float32 or float16 [tokens, heads, head_dim], dense
        positions  int32 [rows, tokens]: one row, or the four of M-RoPE
        in_cache   turns in float32 and stores the result, in the format of x, in rows of a cache
        """
        if not x.size:  # no backend allocates an empty tensor
            return x.copy()
        ggml = self.base
        context = ggml.ggml_init(_ggml.InitParameters(1 << 20, None, True))
        buffer = None
        try:
            given = x.astype("f4") if in_cache else x
            inputs = [(self._tensor(context, given), given), (self._tensor(context, positions.reshape(-1)), positions)]
            factors = None
            if rotation.factors is not None:
                factors = self._tensor(context, rotation.factors)
                inputs.append((factors, rotation.factors))
            result = self._rope(context, inputs[0][0], inputs[1][0], factors, rotation, backward)
            if in_cache:
                result, order = self._stored(context, result, x)
                inputs.append(order)
            if not ggml.ggml_backend_dev_supports_op(self.device, result):
                raise Unsupported("ggml_backend_dev_supports_op says no")
            graph = ggml.ggml_new_graph(context)
            ggml.ggml_build_forward_expand(graph, result)
            buffer = ggml.ggml_backend_alloc_ctx_tensors(context, self.backend)
            out = np.empty_like(x)
            begin = time.perf_counter()
            for tensor, array in inputs:
                array = np.ascontiguousarray(array)
                ggml.ggml_backend_tensor_set(tensor, array.ctypes.data, 0, array.nbytes)
            self._compute(graph)
            ggml.ggml_backend_tensor_get(result, out.ctypes.data, 0, out.nbytes)
            self.seconds_with_copies += time.perf_counter() - begin
            return out
        finally:
            if buffer:
                ggml.ggml_backend_buffer_free(buffer)
            ggml.ggml_free(context)

    def _tensor(self, context: int, array: np.ndarray, kind: Optional[int] = None) -> int:
        shape = (ctypes.c_int64 * array.ndim)(*reversed(array.shape))
        kinds = {**_TYPES, "i4": _ggml.I32, "i8": _ggml.I64}
        return self.base.ggml_new_tensor(context, kinds[array.dtype.str[1:]] if kind is None else kind, array.ndim, shape)

    def _rope(self, context: int, x: int, positions: int, factors: Optional[int], how: GgmlRotation, backward: bool) -> int:
        numbers = (how.mode, how.original_context, how.base, how.freq_scale, how.ext_factor, how.attn_factor, how.beta_fast, how.beta_slow)
        behind = "_back" if backward else ""
        if how.sections:
            sections = (ctypes.c_int * _ggml.SECTIONS)(*how.sections)
            result = getattr(self.base, "ggml_rope_multi" + behind)(context, x, positions, factors, how.rotary_dim, sections, *numbers)
        else:
            result = getattr(self.base, "ggml_rope_ext" + behind)(context, x, positions, factors, how.rotary_dim, *numbers)
        return self.base.ggml_rope_set_offset(result, how.first_channel) if how.first_channel else result

    def _stored(self, context: int, result: int, x: np.ndarray) -> Tuple[int, Tuple[int, np.ndarray]]:
        """A cache in the format of x; stores a result in its rows, one row per token."""
        tokens, width = x.shape[0], x.shape[1] * x.shape[2]
        cache = self._tensor(context, np.empty((tokens, width), "i1"), _TYPES[x.dtype.str[1:]])
        rows = self.base.ggml_view_2d(context, result, width, tokens, 4 * width, 0)
        order = np.arange(tokens, dtype="i8")
        places = self._tensor(context, order)
        return self.base.ggml_set_rows(context, cache, rows, places), (places, order)

    def _compute(self, graph: int) -> None:
        begin = time.perf_counter()
        status = self.base.ggml_backend_graph_compute(self.backend, graph)
        self.seconds += time.perf_counter() - begin
        if status:
            raise RuntimeError(f"ggml_backend_graph_compute: status {status}")


_engines: Dict[Tuple[int, str], Engine] = {}


def engine(backend: str) -> Engine:
    """The engine of a backend in this process; a fork makes a new one."""
    if backend == "cpu":
        backend = "cpu-" + cpu_libraries()[0][1]
    key = os.getpid(), backend
    if key not in _engines:
        if any(process != key[0] and one == "vulkan" for process, one in _engines):
            raise RuntimeError("a process that has opened a Vulkan device has forked: call the engine in one of them alone")
        _engines[key] = Engine(backend)
    return _engines[key]


def rows_of(positions: np.ndarray, rotation: GgmlRotation) -> np.ndarray:
    """The rows of positions for llama.cpp, [rows, tokens], of positions [batch, tokens] or [axes, batch, tokens]."""
    axes = positions.reshape(1 if positions.ndim == 2 else len(positions), -1)
    return np.stack([np.zeros_like(axes[0]) if axis is None else axes[axis] for axis in rotation.rows])


def kernel(name: str) -> Callable[..., Any]:
    """The function of a kernel: "llama-cpp-cpu", "llama-cpp-cpu-haswell", "llama-cpp-vulkan", each also with "-cache"."""
    in_cache = name.endswith("-cache")
    backend = name[len("llama-cpp-"):-len("-cache")] if in_cache else name[len("llama-cpp-"):]

    def adapted(query: np.ndarray, positions: np.ndarray, encoding: Encoding, backward: bool) -> np.ndarray:
        rotation = encoding.__dict__.setdefault("_ggml_rotation", {}).get(encoding.attention_factor)
        if rotation is None:
            rotation = encoding.__dict__["_ggml_rotation"][encoding.attention_factor] = rotation_of(encoding)
        flat = query.reshape(-1, *query.shape[2:])
        return engine(backend).rotate(flat, rows_of(positions, rotation), rotation, backward, in_cache).reshape(query.shape)

    adapted.__name__ = name
    adapted.written = f'ropewalk.engines.kernel("{name}")'  # type: ignore[attr-defined]
    adapted.serves = {"dtypes": ["f32", "f16"], "crossing": False, "rotary_begin": True}  # type: ignore[attr-defined]
    # A processor's tensors lie in its memory already; a device's come from there and go back, as in `ropewalk bench`.
    adapted.seconds = lambda: (engine(backend).seconds_with_copies if backend == "vulkan"  # type: ignore[attr-defined]
                               else engine(backend).seconds)
    return adapted


def kernels() -> List[str]:
    """Names of all kernels that this machine may have; Vulkan's first call shows whether there is a device."""
    libraries = [name for _, name in cpu_libraries()]
    folder = _folder()
    vulkan = ["vulkan"] if folder and (folder / "libggml-vulkan.so").is_file() else []
    names = ["cpu"] * bool(libraries) + [f"cpu-{name}" for name in libraries] + vulkan
    return [f"llama-cpp-{name}" for name in names] + [f"llama-cpp-{name}-cache" for name in ["cpu"] * bool(libraries) + vulkan]
