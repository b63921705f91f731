#!/usr/bin/env python3
"""ggml rounds the ends of the YaRN ramp to whole pairs; gpt-oss has "truncate": false. Needs the libraries of llama.cpp in the folder named."""
import ctypes
import math
import pathlib
import sys
from ctypes import c_char_p, c_float, c_int, c_int64, c_size_t, c_void_p

folder, DEVICE = pathlib.Path(sys.argv[1]), b"CPU"
class Parameters(ctypes.Structure):
    _fields_ = [("mem_size", c_size_t), ("mem_buffer", c_void_p), ("no_alloc", ctypes.c_bool)]
def function(library, name, result, *arguments):
    found = getattr(library, name)
    found.restype, found.argtypes = result, arguments
    return found
base = ctypes.CDLL(str(folder / "libggml-base.so"), ctypes.RTLD_GLOBAL)
loader = ctypes.CDLL(str(next(path for path in folder.glob("libggml.*so"))))
function(loader, "ggml_backend_load_all_from_path", None, c_char_p)(str(folder).encode())
backend = function(loader, "ggml_backend_init_by_name", c_void_p, c_char_p, c_char_p)(DEVICE, None)
context = function(base, "ggml_init", c_void_p, Parameters)(Parameters(1 << 20, None, True))
tensor = function(base, "ggml_new_tensor", c_void_p, c_void_p, c_int, c_int, ctypes.POINTER(c_int64))
x, at = tensor(context, 0, 3, (c_int64 * 3)(64, 1, 1)), tensor(context, 26, 1, (c_int64 * 1)(1))
rope = function(base, "ggml_rope_ext", c_void_p, *[c_void_p] * 4, c_int, c_int, c_int, *[c_float] * 6)
NEOX, BASE, POSITION, FACTOR, CONTEXT, SCALE = 2, 150000, 1000, 32, 4096, 1 + 0.1 * math.log(32)
turned = rope(context, x, at, None, 64, NEOX, CONTEXT, BASE, 1 / FACTOR, 1, 1, 32, 1)
graph = function(base, "ggml_new_graph", c_void_p, c_void_p)(context)
function(base, "ggml_build_forward_expand", None, c_void_p, c_void_p)(graph, turned)
function(base, "ggml_backend_alloc_ctx_tensors", c_void_p, c_void_p, c_void_p)(context, backend)
write = function(base, "ggml_backend_tensor_set", None, c_void_p, c_void_p, c_size_t, c_size_t)
write(x, (c_float * 64)(*[1.0] * 32 + [0.0] * 32), 0, 256)
write(at, (c_int * 1)(POSITION), 0, 4)
function(base, "ggml_backend_graph_compute", c_int, c_void_p, c_void_p)(backend, graph)
cosines = (c_float * 64)()
function(base, "ggml_backend_tensor_get", None, c_void_p, c_void_p, c_size_t, c_size_t)(turned, cosines, 0, 256)
low, high = (32 * math.log(CONTEXT / (beta * 2 * math.pi)) / math.log(BASE) for beta in (32, 1))  # pairs 8.1 to 17.4: no floor, no ceil
for pair in range(8, 19):
    ramp = min(1, max(0, (pair - low) / (high - low)))
    right = SCALE * math.cos(POSITION * BASE ** (-pair / 32) * (1 - ramp + ramp / FACTOR))
    print(f"pair {pair:2}: cosine {cosines[pair]:9.6f}, right is {right:9.6f}")
