"""kernel.h for Python: the structures of the C interface and a library's kernels, through ctypes alone."""

import ctypes
from ctypes import (POINTER, Structure, byref, c_char, c_char_p, c_double, c_int32, c_int64, c_size_t,
                    c_uint32, c_void_p)

ABI = 2
F64, F32, F16, BF16 = range(4)
BOUNDED, CANONICAL, EXACT = range(3)
ROTATE, ADD_ROW, ADD_BIAS = range(3)
INTERLEAVED, HALF_SPLIT = range(2)
COUNTED, POSITIONS_I32, POSITIONS_F64 = range(3)
BACKWARD, UNIT = 1, 2
OK, INVALID_ARGUMENT, OUT_OF_MEMORY, UNSUPPORTED, UNDECIDED = range(5)


class Error(Structure):
    _fields_ = [("field", c_char * 64), ("text", c_char * 256)]


class Head(Structure):
    _fields_ = [("struct_size", c_uint32), ("operation", c_int32)]


class Real(Structure):
    _fields_ = [("significand", c_uint32 * 8), ("exponent", c_int32)]


class Promise(Structure):
    _fields_ = [("struct_size", c_uint32), ("bits", c_int32), ("frequency", c_int32), ("angle", c_int32),
                ("table", c_int32), ("rotation", c_int32), ("is_fused", c_int32), ("entry", c_int32),
                ("sum", c_int32)]


class Rotation(Structure):
    operation = ROTATE
    _fields_ = [("head", Head), ("head_dim", c_int32), ("rotary_dim", c_int32),
                ("pairing_in", c_int32), ("pairing_out", c_int32), ("axes", c_int32),
                ("inv_freq", c_void_p), ("turns", c_void_p), ("turns_256", c_void_p), ("axis", c_void_p),
                ("attention_factor", c_double), ("attention_real", Real),
                ("table_begin", c_int64), ("table_end", c_int64), ("seq_len", c_int64),
                ("config_json", c_char_p), ("rotary_begin", c_int64)]


class Tensor(Structure):
    _fields_ = [("data", c_void_p), ("dtype", c_int32), ("rank", c_int32), ("shape", c_int64 * 4),
                ("stride", c_int64 * 4)]


class Positions(Structure):
    _fields_ = [("kind", c_int32), ("axes", c_int32), ("data", c_void_p), ("stride", c_int64 * 3)]


class Tokens(Structure):
    _fields_ = [("positions", Positions), ("sequence_offset", c_void_p), ("sequences", c_int64),
                ("begin", c_int64), ("end", c_int64)]


class RotationCall(Structure):
    operation = ROTATE
    _fields_ = [("head", Head), ("tokens", Tokens), ("flags", c_uint32), ("query_in", Tensor),
                ("query_out", Tensor), ("key_in", Tensor), ("key_out", Tensor)]


class Kernel(Structure):
    _fields_ = [("struct_size", c_uint32), ("abi", c_uint32), ("name", c_char_p), ("operation", c_int32),
                ("promise", POINTER(Promise)), ("limits", c_void_p),
                ("plan", ctypes.CFUNCTYPE(c_int32, POINTER(Head), POINTER(c_void_p), POINTER(Error))),
                ("apply", ctypes.CFUNCTYPE(c_int32, c_void_p, POINTER(Head), POINTER(Error))),
                ("free_plan", ctypes.CFUNCTYPE(None, c_void_p))]


def headed(struct):
    """An encoding or a call with its head filled in; everything else is zero."""
    return struct(Head(ctypes.sizeof(struct), struct.operation))


class Refused(Exception):
    def __init__(self, status, error):
        super().__init__(error.text.decode())
        self.status, self.field = status, error.field.decode()


def kernels(path):
    """The kernels of a shared library, by name."""
    library = ctypes.CDLL(path)
    library.ropewalk_kernels.restype = POINTER(POINTER(Kernel))
    library.ropewalk_kernels.argtypes = [POINTER(c_size_t)]
    count = c_size_t()
    listed = library.ropewalk_kernels(byref(count))
    found = [listed[i].contents for i in range(count.value)]
    assert all(k.struct_size == ctypes.sizeof(Kernel) and k.abi == ABI for k in found)
    return {k.name.decode(): k for k in found}


def tensor(array, dtype):
    """A view of a numpy array of rank 3 or 4, with the array's strides."""
    view = Tensor(array.ctypes.data, dtype, array.ndim)
    for axis in range(array.ndim):
        view.shape[axis] = array.shape[axis]
        view.stride[axis] = array.strides[axis] // array.itemsize
    return view


class Plan:
    def __init__(self, kernel, encoding):
        self.kernel, self.plan, error = kernel, c_void_p(), Error()
        status = kernel.plan(byref(encoding.head), byref(self.plan), byref(error))
        if status != OK:
            raise Refused(status, error)

    def __del__(self):
        self.kernel.free_plan(self.plan)

    def apply(self, call):
        error = Error()
        status = self.kernel.apply(self.plan, byref(call.head), byref(error))
        if status != OK:
            raise Refused(status, error)


def call_for(query_in, query_out, dtype, flags=0, positions=None):
    call = headed(RotationCall)
    call.flags, call.query_in, call.query_out = flags, tensor(query_in, dtype), tensor(query_out, dtype)
    call.tokens.end = query_in.size // (query_in.shape[-1] * query_in.shape[-2])
    if positions is not None:
        call.tokens.positions = Positions(POSITIONS_I32, 1, positions.ctypes.data, (c_int64 * 3)(0, 0, 1))
    return call
