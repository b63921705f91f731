"""ONNX Runtime's C interface by ctypes: sessions of in-memory models.

The interface is a table of functions in a fixed order: an index names a function.
source  include/onnxruntime/core/session/onnxruntime_c_api.h of github.com/microsoft/onnxruntime: struct OrtApi
"""

from __future__ import annotations

import ctypes
import pathlib
import time
from ctypes import POINTER, c_char_p, c_int, c_int64, c_size_t, c_void_p
from typing import Any, Dict, List, Sequence, Tuple

import numpy as np

_VERSION = 14  # version of the interface; every later library has it
_PLACES: Dict[str, Tuple[int, List[Any]]] = {
    "CreateEnv": (3, [c_int, c_char_p, c_void_p]),
    "CreateSessionFromArray": (8, [c_void_p, c_char_p, c_size_t, c_void_p, c_void_p]),
    "Run": (9, [c_void_p, c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, c_void_p]),
    "CreateSessionOptions": (10, [c_void_p]),
    "SetIntraOpNumThreads": (24, [c_void_p, c_int]),
    "CreateTensorWithDataAsOrtValue": (49, [c_void_p, c_void_p, c_size_t, POINTER(c_int64), c_size_t, c_int, c_void_p]),
    "CreateCpuMemoryInfo": (69, [c_int, c_int, c_void_p]),
}
_GET_ERROR_MESSAGE, _RELEASE_STATUS, _RELEASE_SESSION, _RELEASE_VALUE = 2, 93, 95, 96
_ERRORS_ALONE, _DEVICE_ALLOCATOR, _DEFAULT_MEMORY = 4, 0, 0


class _ApiBase(ctypes.Structure):
    _fields_ = [("get_api", ctypes.CFUNCTYPE(c_void_p, ctypes.c_uint32)), ("get_version", ctypes.CFUNCTYPE(c_char_p))]


class Refused(Exception):
    """ONNX Runtime's text of an error."""


class OnnxRuntime:
    """One library in this process, on one thread. Forks must not share it."""

    def __init__(self, library: pathlib.Path) -> None:
        get_base = ctypes.CDLL(str(library)).OrtGetApiBase
        get_base.restype = POINTER(_ApiBase)
        base = get_base().contents
        self.version = base.get_version().decode()
        self._table = ctypes.cast(base.get_api(_VERSION), POINTER(c_void_p))
        self._environment, self._options, self._memory = c_void_p(), c_void_p(), c_void_p()
        self.call("CreateEnv", _ERRORS_ALONE, b"ropewalk", ctypes.byref(self._environment))
        self.call("CreateSessionOptions", ctypes.byref(self._options))
        self.call("SetIntraOpNumThreads", self._options, 1)
        self.call("CreateCpuMemoryInfo", _DEVICE_ALLOCATOR, _DEFAULT_MEMORY, ctypes.byref(self._memory))
        self.seconds = 0.0  # of all runs so far, without making values

    def call(self, name: str, *arguments: Any) -> None:
        """Calls a function that returns a status. Raises Refused with its text."""
        place, types = _PLACES[name]
        status = ctypes.CFUNCTYPE(c_void_p, *types)(self._table[place])(*arguments)
        if status:
            text = ctypes.CFUNCTYPE(c_char_p, c_void_p)(self._table[_GET_ERROR_MESSAGE])(status).decode()
            self._release(_RELEASE_STATUS, status)
            raise Refused(text)

    def _release(self, place: int, value: Any) -> None:
        ctypes.CFUNCTYPE(None, c_void_p)(self._table[place])(value)

    def session(self, model: bytes) -> c_void_p:
        """A session that lives as long as the process. Raises Refused for models that this library cannot run."""
        session = c_void_p()
        self.call("CreateSessionFromArray", self._environment, model, len(model), self._options, ctypes.byref(session))
        return session

    def _value(self, array: np.ndarray, kind: int) -> c_void_p:
        value, shape = c_void_p(), (c_int64 * array.ndim)(*array.shape)
        self.call("CreateTensorWithDataAsOrtValue", self._memory, array.ctypes.data, array.nbytes, shape, array.ndim, kind,
                  ctypes.byref(value))
        return value

    def run(self, session: c_void_p, inputs: Sequence[Tuple[str, np.ndarray, int]], output: Tuple[str, np.ndarray, int]) -> None:
        """Runs a session and writes the output. Arrays are dense, each with its element type."""
        values: List[c_void_p] = []
        try:
            for _, array, kind in [*inputs, output]:
                values.append(self._value(array, kind))
            names = (c_char_p * len(inputs))(*(name.encode() for name, _, _ in inputs))
            output_names = (c_char_p * 1)(output[0].encode())  # a variable, so that it lives until the call returns
            given = (c_void_p * len(inputs))(*(value.value for value in values[:-1]))
            results = (c_void_p * 1)(values[-1].value)
            begin = time.perf_counter()
            self.call("Run", session, None, ctypes.addressof(names), ctypes.addressof(given), len(inputs),
                      ctypes.addressof(output_names), 1, ctypes.addressof(results))
            self.seconds += time.perf_counter() - begin
        finally:
            for value in values:
                self._release(_RELEASE_VALUE, value)
