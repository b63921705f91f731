#!/usr/bin/env python3
"""Interleaved M-RoPE of llama.cpp leaves pairs 61 and 62 of Qwen3-VL unturned in text. Needs the libraries of llama.cpp in the folder named."""
import ctypes
import math
import pathlib
import sys
from ctypes import c_char_p, c_float, c_int, c_int64, c_size_t, c_void_p

folder = pathlib.Path(sys.argv[1])  # node_modules/@node-llama-cpp/linux-x64/bins/linux-x64
class Parameters(ctypes.Structure):
    _fields_ = [("mem_size", c_size_t), ("mem_buffer", c_void_p), ("no_alloc", ctypes.c_bool)]
def function(library, name, result, *arguments):
    found = getattr(library, name)
    found.restype, found.argtypes = result, arguments
    return found
base = ctypes.CDLL(str(folder / "libggml-base.so"), ctypes.RTLD_GLOBAL)
loader = ctypes.CDLL(str(next(path for path in folder.glob("libggml.*so"))))
function(loader, "ggml_backend_load_all_from_path", None, c_char_p)(str(folder).encode())
backend = function(loader, "ggml_backend_init_by_type", c_void_p, c_int, c_char_p)(0, None)  # a processor
context = function(base, "ggml_init", c_void_p, Parameters)(Parameters(1 << 20, None, True))
tensor = function(base, "ggml_new_tensor", c_void_p, c_void_p, c_int, c_int, ctypes.POINTER(c_int64))
x, rows = tensor(context, 0, 3, (c_int64 * 3)(128, 1, 1)), tensor(context, 26, 1, (c_int64 * 1)(4))
rope = function(base, "ggml_rope_multi", c_void_p, *[c_void_p] * 4, c_int, ctypes.POINTER(c_int), c_int, c_int, *[c_float] * 6)
IMROPE, POSITION, BASE = 40, 131072, 5e6
turned = rope(context, x, rows, None, 128, (c_int * 4)(24, 20, 20, 0), IMROPE, 0, BASE, 1, 0, 1, 32, 1)
graph = function(base, "ggml_new_graph", c_void_p, c_void_p)(context)
function(base, "ggml_build_forward_expand", None, c_void_p, c_void_p)(graph, turned)
function(base, "ggml_backend_alloc_ctx_tensors", c_void_p, c_void_p, c_void_p)(context, backend)
write = function(base, "ggml_backend_tensor_set", None, c_void_p, c_void_p, c_size_t, c_size_t)
write(x, (c_float * 128)(*[1.0] * 64 + [0.0] * 64), 0, 512)
write(rows, (c_int * 4)(POSITION, POSITION, POSITION, 0), 0, 16)  # as llama-graph.cpp fills them for a token of text
function(base, "ggml_backend_graph_compute", c_int, c_void_p, c_void_p)(backend, graph)
cosines = (c_float * 128)()
function(base, "ggml_backend_tensor_get", None, c_void_p, c_void_p, c_size_t, c_size_t)(turned, cosines, 0, 512)
for pair in range(58, 64):
    print(f"pair {pair}: cosine {cosines[pair]:.6f}, right is {math.cos(POSITION * BASE ** (-pair / 64)):.6f}")
