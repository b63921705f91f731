"""The C interface of ggml's libraries, as llama.cpp ships them: only what a rotation needs."""

from __future__ import annotations

import ctypes
import pathlib
from ctypes import POINTER, Structure, c_bool, c_char_p, c_float, c_int, c_int64, c_size_t, c_void_p
from typing import Any, Dict, List, Tuple

F32, F16, I32, I64 = 0, 1, 26, 27  # enum ggml_type
NORMAL, NEOX, MROPE, VISION, IMROPE = 0, 2, 8, 24, 40  # the rotary modes
SECTIONS = 4
_NO_MESSAGES = ctypes.CFUNCTYPE(None, c_int, c_char_p, c_void_p)(lambda level, text, user: None)


class InitParameters(Structure):
    """Argument of ggml_init: memory for tensor descriptions; a backend allocates their data."""

    _fields_ = [("mem_size", c_size_t), ("mem_buffer", c_void_p), ("no_alloc", c_bool)]


_ROTARY = [c_int, c_int] + [c_float] * 6  # mode, n_ctx_orig; base, freq_scale, ext_factor, attn_factor, beta_fast, beta_slow
_BASE: Dict[str, Tuple[Any, List[Any]]] = {
    "ggml_init": (c_void_p, [InitParameters]),
    "ggml_free": (None, [c_void_p]),
    "ggml_new_tensor": (c_void_p, [c_void_p, c_int, c_int, POINTER(c_int64)]),
    "ggml_view_3d": (c_void_p, [c_void_p, c_void_p, c_int64, c_int64, c_int64, c_size_t, c_size_t, c_size_t]),
    "ggml_view_2d": (c_void_p, [c_void_p, c_void_p, c_int64, c_int64, c_size_t, c_size_t]),
    "ggml_set_rows": (c_void_p, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "ggml_rope_ext": (c_void_p, [c_void_p] * 4 + [c_int, *_ROTARY]),
    "ggml_rope_ext_back": (c_void_p, [c_void_p] * 4 + [c_int, *_ROTARY]),
    "ggml_rope_multi": (c_void_p, [c_void_p] * 4 + [c_int, POINTER(c_int), *_ROTARY]),
    "ggml_rope_multi_back": (c_void_p, [c_void_p] * 4 + [c_int, POINTER(c_int), *_ROTARY]),
    "ggml_rope_set_offset": (c_void_p, [c_void_p, c_int]),
    "ggml_new_graph": (c_void_p, [c_void_p]),
    "ggml_build_forward_expand": (None, [c_void_p, c_void_p]),
    "ggml_backend_reg_dev_count": (c_size_t, [c_void_p]),
    "ggml_backend_reg_dev_get": (c_void_p, [c_void_p, c_size_t]),
    "ggml_backend_reg_get_proc_address": (c_void_p, [c_void_p, c_char_p]),
    "ggml_backend_dev_init": (c_void_p, [c_void_p, c_char_p]),
    "ggml_backend_dev_description": (c_char_p, [c_void_p]),
    "ggml_backend_dev_supports_op": (c_bool, [c_void_p, c_void_p]),
    "ggml_backend_alloc_ctx_tensors": (c_void_p, [c_void_p, c_void_p]),
    "ggml_backend_buffer_free": (None, [c_void_p]),
    "ggml_backend_tensor_set": (None, [c_void_p, c_void_p, c_size_t, c_size_t]),
    "ggml_backend_tensor_get": (None, [c_void_p, c_void_p, c_size_t, c_size_t]),
    "ggml_backend_graph_compute": (c_int, [c_void_p, c_void_p]),
    "ggml_log_set": (None, [c_void_p, c_void_p]),
}
_LOADER: Dict[str, Tuple[Any, List[Any]]] = {"ggml_backend_load": (c_void_p, [c_char_p])}


def _with_types(library: ctypes.CDLL, functions: Dict[str, Tuple[Any, List[Any]]]) -> ctypes.CDLL:
    for name, (result, arguments) in functions.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def base(folder: pathlib.Path) -> ctypes.CDLL:
    """Loads libggml-base.so of a folder, with printing disabled."""
    library = _with_types(ctypes.CDLL(str(folder / "libggml-base.so"), ctypes.RTLD_GLOBAL), _BASE)
    library.ggml_log_set(ctypes.cast(_NO_MESSAGES, c_void_p), None)
    return library


def loader(folder: pathlib.Path) -> ctypes.CDLL:
    """Loads libggml*.so of a folder, which loads backends."""
    path = next(one for one in sorted(folder.glob("libggml.*so")) if one.name != "libggml-base.so")
    return _with_types(ctypes.CDLL(str(path), ctypes.RTLD_GLOBAL), _LOADER)


def runs_here(library: pathlib.Path) -> int:
    """The score of this processor in a backend's library: 0 if it lacks an instruction; greater is better."""
    score = ctypes.CDLL(str(library)).ggml_backend_score
    score.restype = c_int
    return int(score())
