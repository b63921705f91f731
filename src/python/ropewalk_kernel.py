"""Lets `ropewalk verify --kernel 'program:python3 mine.py'` judge a function written in Python.

    @ropewalk_kernel.kernel(promise="angle-f32", pairing="half-split", dtypes=["f32"])
    def mine(query, key, positions, encoding):
        return rotated_query, rotated_key

    ropewalk_kernel.serve()

The function's parameters are found by name:
  query, key   [batch, tokens, heads, head_dim], dense; the function may overwrite them and return None.
               A function without `key` is called once per tensor.
  positions    int32 [batch, tokens]; [axes, batch, tokens] if the encoding has several axes; float64 in some calls
               of a kernel with real_positions=True
  encoding     an Encoding: inv_freq, turns, head_dim, rotary_dim, attention_factor, config, ...
               Kernels that add take the tensor as `query`; add-bias has scores [batch, queries, heads, keys].
  backward     whether the adjoint is wanted: y -> a R(-t) y. A function without it is differentiated by torch.

Arrays are torch's if torch is loaded and the function, its closure or its module uses it, NumPy's otherwise; arrays="numpy" or "torch"
decides. On a request for times, this module makes the calls and measures them. This file can be copied alone; it
needs NumPy, and torch only if a function uses it. src/transport/README.md describes the messages.
"""

from __future__ import annotations

import ctypes
import dataclasses
import inspect
import json
import math
import mmap
import os
import signal
import struct
import sys
import time
import types
from typing import Any, BinaryIO, Callable, Dict, List, NoReturn, Optional, Sequence, Tuple

import numpy as np

__all__ = ["Encoding", "Unsupported", "kernel", "serve"]

PROTOCOL = "1"
_NUMPY_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I32": "<i4", "U32": "<u4"}
_PARAMETERS = ("query", "key", "positions", "encoding", "backward")
_DTYPES = {"float64": "f64", "float32": "f32", "float16": "f16", "bfloat16": "bf16"}
_LONGEST_TEXT = 240  # characters of an error shown by the verifier
_NO_MORE = 42  # exit code of a worker whose input has ended


class Unsupported(Exception):
    """A function raises this for a call that it does not serve. The call counts as declined, and is reported."""


@dataclasses.dataclass
class Encoding:
    """The encoding of a call: the rotation, or the numbers to add."""

    head_dim: int
    rotary_dim: int
    pairing_in: str  # "interleaved" or "half-split"; "half-split-by-axis" if the kernel declares it
    pairing_out: str
    axes: int
    attention_factor: float  # 1.0 in a call without it
    seq_len: int
    config: Dict[str, Any]  # the model's config.json
    inv_freq: np.ndarray  # float64 [pairs], radians per position, correctly rounded
    turns: np.ndarray  # uint32 [pairs, 4], turns per position as fractions of 128 bits, low word first
    turns_256: Optional[np.ndarray]  # uint32 [pairs, 8], turns with 256 bits
    axis: Optional[np.ndarray]  # int32 [pairs], the row of positions of each pair
    slopes: Optional[np.ndarray]  # for add-bias: float64 [heads], correctly rounded
    words: Dict[str, str]  # every number of the plan, as sent
    turns_real: Optional[np.ndarray] = None  # uint32 [pairs, 9], turns per position, whole turns included: the
    # significand's 8 words, low one first, and its exponent; only for kernels with real_positions=True
    rotary_begin: int = 0  # the first channel that rotates; above 0 only for a kernel with rotary_begin=True
    form: str = ""  # for add-bias: "causal", slope x (key - query); "symmetric", -slope |query - key|; "bloom", slope x key;
    # "mpt", slope x (key - last key)


@dataclasses.dataclass
class _Kernel:
    function: Callable[..., Any]
    takes: frozenset
    device: str
    uses_torch: bool
    raw: bool
    description: Dict[str, Any]


_kernels: Dict[str, _Kernel] = {}


def kernel(promise: str = "rounded-table", *, name: Optional[str] = None, operation: str = "rotate",
           device: str = "cpu", arrays: Optional[str] = None, raw: bool = False,
           **serves: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Offers a function to the verifier.

    promise    as for `--promise`: "angle-f32", "table=data,rotation=f32", ...
    operation  "rotate", "add-row" or "add-bias"
    device     device of the tensors: "cpu", "cuda:0"
    arrays     "torch" or "numpy" (default: "torch" if torch is loaded and the function, its closure or its
               module uses it)
    raw        bfloat16 tensors are NumPy arrays of uint16 with the bits, since NumPy has no bfloat16
    A function that calls an engine may have an attribute `seconds`, a function: it returns the seconds of all engine calls so
    far, without transfers of tensors. Requests for times then report these.
    serves     its limits: dtypes=["f32"], pairing="half-split", partial=False (it rotates whole
               heads), crossing=False, unit=False, key=False, head_dims=[64, 128], axes=1,
               positions=[0, 131072], shapes=[[1, 16, 32, 128]]; time=False: its calls are not timed;
               rotary_begin=True: it also serves heads whose first channels pass through; real_positions=True: positions
               may be float64, except for add-bias; for add-bias
               forms=["causal", "symmetric", "bloom", "mpt"], default: the first two
    """

    def offer(function: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(function)
        takes = frozenset(signature.parameters)
        unknown = [one.name for one in signature.parameters.values() if one.name not in _PARAMETERS
                   and one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
        if unknown:
            raise ValueError(f"function is {getattr(function, '__name__', 'one')}{signature}, whose {unknown[0]} is nothing that is "
                             f"given; allowed: {', '.join(_PARAMETERS)}; ropewalk.adapters makes such a function of an engine's, "
                             "hugging_face(function) of q, k, cos, sin")
        called = name or kernel_name(function)
        if called in _kernels and _kernels[called].function is not function:
            raise ValueError(f"two kernels are named {called}: give one another name=")
        uses_torch = not raw and (arrays == "torch" if arrays else _uses_torch(function))
        about: Dict[str, Any] = {"name": called, "promise": promise, "operation": operation, "time": True}
        if operation == "rotate" and "backward" not in takes and not uses_torch:
            about["backward"] = False
        about.update(getattr(function, "serves", {}))  # limits from an adapter
        about.update(serves)
        if "dtypes" in about:
            about["dtypes"] = [_DTYPES.get(one, one) for one in about["dtypes"]]
        if "dtypes" not in about and not uses_torch:
            about["dtypes"] = ["f64", "f32", "f16"] + (["bf16"] if raw else [])
        _kernels[called] = _Kernel(function, takes, device, uses_torch, raw, about)
        return function

    return offer


def kernel_name(function: Callable[..., Any]) -> str:
    """The default name of a function's kernel: in lower case, with hyphens."""
    return getattr(function, "__name__", "kernel").replace("_", "-").strip("-<>").lower()


def _uses_torch(function: Callable[..., Any]) -> bool:
    """Whether the function, its module or its closure uses torch or parts of it."""
    torch = sys.modules.get("torch")
    if torch is None:
        return False
    plain = inspect.unwrap(function)
    if "torch" in getattr(getattr(plain, "__code__", None), "co_names", ()):  # it imports torch itself
        return True
    cells = [cell.cell_contents for cell in getattr(plain, "__closure__", None) or () if cell != types.CellType()]
    values = [*getattr(plain, "__globals__", {}).values(), *cells]
    return any(value is torch or getattr(value, "__module__", "").startswith("torch.") for value in values
               if isinstance(getattr(value, "__module__", ""), str))


# ---- Messages: one safetensors image each ----

Tensors = Dict[str, Tuple[str, np.ndarray]]


def _read(source: BinaryIO) -> Optional[Tuple[Dict[str, str], Tensors]]:
    """The next message, or None if the verifier has closed its end."""
    head = source.read(8)
    if len(head) < 8:
        return None
    header = json.loads(source.read(struct.unpack("<Q", head)[0]))
    words = header.pop("__metadata__", {})
    data = bytearray(source.read(max((tensor["data_offsets"][1] for tensor in header.values()), default=0)))
    tensors = {}
    for name, about in header.items():
        begin, end = about["data_offsets"]
        array = np.frombuffer(data, np.uint8)[begin:end].view(_NUMPY_TYPES[about["dtype"]])
        tensors[name] = (about["dtype"], array.reshape(about["shape"]))
    return words, tensors


def _write(sink: BinaryIO, words: Dict[str, str], tensors: Sequence[Tuple[str, str, np.ndarray]] = ()) -> None:
    header: Dict[str, Any] = {"__metadata__": words}
    end = 0
    for name, dtype, array in tensors:
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [end, end + array.nbytes]}
        end += array.nbytes
    text = json.dumps(header).encode()
    sink.write(struct.pack("<Q", len(text)) + text + b"".join(array.tobytes() for _, _, array in tensors))
    sink.flush()


# ---- Calls of a function ----


def _to_function(one: _Kernel, dtype: str, array: np.ndarray) -> Any:
    if not one.uses_torch:
        if dtype == "BF16" and not one.raw:
            raise Unsupported("numpy has no bfloat16: raw=True passes uint16")
        return array
    torch = sys.modules["torch"]
    if dtype == "BF16":
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16).to(one.device)
    return torch.from_numpy(array).to(one.device)


def _from_function(result: Any, dtype: str, shape: Tuple[int, ...]) -> np.ndarray:
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(result, torch.Tensor):
        result = result.detach().cpu().contiguous()
        if result.dtype == torch.bfloat16:
            result = result.view(torch.int16).numpy().view("<u2")
            if dtype != "BF16":
                raise TypeError(f"the function returned bfloat16 {list(shape)} where {dtype} was given")
        else:
            result = result.numpy()
    array = np.ascontiguousarray(result)
    if array.dtype != _NUMPY_TYPES[dtype] or array.shape != shape:
        raise TypeError(f"the function returned {array.dtype} {list(array.shape)}; due: {dtype} {list(shape)}")
    return array


def _call(one: _Kernel, tensors: List[Any], given: Dict[str, Any]) -> List[Any]:
    """Calls the function on the query, and on the key if there is one."""
    words = {name: value for name, value in given.items() if name in one.takes}

    def turned(**named: Any) -> Any:
        """Passes tensors by name if the function has the names, else in the order query, key."""
        if all(name in one.takes for name in named):
            return one.function(**named, **words)
        return one.function(*named.values(), **words)

    if "key" not in one.takes:
        results: Any = [turned(query=tensor) for tensor in tensors]
        results = [result[0] if isinstance(result, (tuple, list)) and len(result) == 1 else result for result in results]
    elif len(tensors) == 2:
        results = turned(query=tensors[0], key=tensors[1])
    else:  # the function takes two tensors but the call has one: pass a copy
        results = turned(query=tensors[0], key=_copy(tensors[0]))
    results = tensors if results is None else results
    return [given if result is None else result for result, given in zip(results, tensors)]


def _copy(tensor: Any) -> Any:
    return tensor.copy() if isinstance(tensor, np.ndarray) else tensor.clone()


def _gradient(one: _Kernel, tensors: List[Any], given: Dict[str, Any]) -> Callable[[], List[Any]]:
    """The adjoint of a linear function f at y: the gradient of <f(x), y>, to be computed after f was called here."""
    torch = sys.modules["torch"]
    at = [torch.zeros_like(tensor).requires_grad_() for tensor in tensors]
    turned = _call(one, [x + 0 for x in at], given)
    return lambda: list(torch.autograd.grad(turned, at, tensors))


def _ready(one: _Kernel, tensors: List[Any], given: Dict[str, Any]) -> Callable[[], List[Any]]:
    """A callable for the request: the function's call, or its gradient."""
    if given["backward"] and "backward" not in one.takes:
        return _gradient(one, tensors, given)
    return lambda: _call(one, tensors, given)


def _slopes(reals: Optional[np.ndarray]) -> Optional[np.ndarray]:
    """Converts 256-bit numbers, each eight words and an exponent, to float64."""
    if reals is None:
        return None
    return np.array([math.ldexp(int.from_bytes(one[:8].tobytes(), "little"), int(one[8:].view(np.int32)[0]))
                     for one in reals])


def _encoding_of(words: Dict[str, str], tensors: Tensors) -> Encoding:
    def array(name: str) -> Optional[np.ndarray]:
        return tensors[name][1] if name in tensors else None

    inv_freq, turns = array("inv_freq"), array("turns")
    return Encoding(
        head_dim=int(words.get("head_dim", 0)), rotary_dim=int(words.get("rotary_dim", 0)),
        pairing_in=words.get("pairing_in", ""), pairing_out=words.get("pairing_out", ""),
        axes=int(words.get("axes", 1)), attention_factor=float(words.get("attention_factor", 1)),
        seq_len=int(words.get("seq_len", 0)), config=json.loads(words.get("config", "{}")),
        inv_freq=np.empty(0) if inv_freq is None else inv_freq,
        turns=np.empty((0, 4), np.uint32) if turns is None else turns,
        turns_256=array("turns_256"), turns_real=array("turns_real"), axis=array("axis"), slopes=_slopes(array("slopes")), words=words,
        rotary_begin=int(words.get("rotary_begin", 0)), form=words.get("form", ""))


@dataclasses.dataclass
class _Asked:
    """A request's tensors, and the function's other arguments."""

    sent: List[Tuple[str, str, np.ndarray]]
    given: Dict[str, Any]

    @staticmethod
    def of(one: _Kernel, encoding: Encoding, words: Dict[str, str], tensors: Tensors) -> _Asked:
        flags = words.get("flags", "").split()
        if "unit" in flags:
            encoding = dataclasses.replace(encoding, attention_factor=1.0)
        return _Asked([(name, *tensors[name]) for name in ("query", "key") if name in tensors],
                      {"positions": _to_function(one, *tensors["positions"]), "encoding": encoding,
                       "backward": "backward" in flags})

    def tensors_of(self, one: _Kernel) -> List[Any]:
        return [_to_function(one, dtype, array) for _, dtype, array in self.sent]

    def answer(self, results: Sequence[Any]) -> List[Tuple[str, str, np.ndarray]]:
        return [(name, dtype, _from_function(result, dtype, array.shape))
                for (name, dtype, array), result in zip(self.sent, results)]


def _apply(one: _Kernel, asked: _Asked) -> List[Tuple[str, str, np.ndarray]]:
    return asked.answer(_ready(one, asked.tensors_of(one), asked.given)())


# ---- Times of calls ----

_Timed = Tuple[float, List[Any]]  # seconds of a call, and its results


def _by_processor(run: Callable[[], List[Any]]) -> _Timed:
    begin = time.perf_counter()
    results = run()
    for result in results:
        if hasattr(result, "block_until_ready"):  # JAX returns before it has finished
            result.block_until_ready()
    return time.perf_counter() - begin, results


def _by_itself(seconds: Callable[[], float], run: Callable[[], List[Any]]) -> _Timed:
    begin = seconds()
    results = run()
    return seconds() - begin, results


def _by_cuda(run: Callable[[], List[Any]]) -> _Timed:
    cuda = sys.modules["torch"].cuda
    begin, end = (cuda.Event(enable_timing=True) for _ in range(2))
    cuda.synchronize()  # so that every time includes the call's own launch
    begin.record()
    results = run()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1000, results


def _clock(one: _Kernel) -> Tuple[str, Callable[[Callable[[], List[Any]]], _Timed]]:
    """The function's clock, or the one of its tensors' device: the clock's name, and a function that times a call."""
    own = getattr(one.function, "seconds", None)
    if own is not None:  # the adapter times the engine's call, without copies
        return "time.perf_counter around the engine's call", lambda run: _by_itself(own, run)
    if not one.uses_torch or one.device == "cpu":
        return "time.perf_counter", _by_processor
    cuda, device = sys.modules["torch"].cuda, sys.modules["torch"].device(one.device)
    if device.type != "cuda":
        raise Unsupported(f"no clock for tensors on {one.device}")

    def on_device(run: Callable[[], List[Any]]) -> _Timed:
        with cuda.device(device):
            return _by_cuda(run)

    return "torch.cuda.Event", on_device


def _time(one: _Kernel, asked: _Asked, calls: int) -> Tuple[Dict[str, str], List[Tuple[str, str, np.ndarray]]]:
    """Seconds of calls with the same input, after one untimed call, and the last call's results.

    Inputs are restored before each call, outside the timed part, since the function may overwrite them.
    """
    if calls < 1:
        raise ValueError(f"calls is {calls}; allowed: 1 or above")
    clock, timed = _clock(one)
    positions = asked.given["positions"]
    originals = [*asked.tensors_of(one), positions]
    *inputs, asked.given["positions"] = tensors = [_copy(original) for original in originals]
    seconds = []
    for call in range(calls + 1):
        for tensor, original in zip(tensors, originals):
            tensor[...] = original
        spent, results = timed(_ready(one, inputs, asked.given))
        if call > 0:
            seconds.append(spent)
    return {"seconds": json.dumps(seconds), "clock": clock}, asked.answer(results)


# ---- Serving ----


def _answer(words: Dict[str, str], tensors: Tensors, plans: Dict[str, Tuple[_Kernel, Encoding]]
            ) -> Tuple[Dict[str, str], Sequence[Tuple[str, str, np.ndarray]]]:
    """The metadata of the answer to a request, without its status, and the answer's tensors."""
    request = words["request"]
    if request == "describe":
        return {"protocol": PROTOCOL, "kernels": json.dumps([one.description for one in _kernels.values()])}, ()
    if request == "plan":
        plans[words["plan"]] = (_kernels[words["kernel"]], _encoding_of(words, tensors))
        return {}, ()
    if request not in ("apply", "time"):
        raise Unsupported(f"no request {request} in protocol {PROTOCOL}")
    one, encoding = plans[words["plan"]]
    asked = _Asked.of(one, encoding, words, tensors)
    return _time(one, asked, int(words["calls"])) if request == "time" else ({}, _apply(one, asked))


def _answer_all(source: BinaryIO, sink: BinaryIO, in_call: Any) -> None:
    """Answers until the input ends; in_call[0] is 1 while a request is being answered."""
    plans: Dict[str, Tuple[_Kernel, Encoding]] = {}
    while (message := _read(source)) is not None:
        in_call[0] = 1
        results: Sequence[Tuple[str, str, np.ndarray]] = ()
        try:
            answer, results = _answer(*message, plans)
            answer["status"] = "ok"
        except Unsupported as why:
            answer = {"status": "unsupported", "text": str(why)[:_LONGEST_TEXT]}
        except Exception as why:  # every error of the function is an answer
            answer = {"status": "failed", "text": f"{type(why).__name__}: {why}"[:_LONGEST_TEXT]}
        in_call[0] = 0
        _write(sink, answer, results)


def end_with_parent() -> None:
    """In a forked child: ends it with its parent, even if the function hangs."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def _work(source: BinaryIO, sink: BinaryIO, in_call: Any) -> NoReturn:
    """In a forked worker: answers, and exits without running cleanup code of the parent program."""
    end_with_parent()
    code = 1
    try:
        if "torch" in sys.modules:  # its threads do not survive a fork
            sys.modules["torch"].set_num_threads(1)
        _answer_all(source, sink, in_call)
        code = _NO_MORE
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) and end.code != _NO_MORE else int(bool(end.code))
    except BaseException as why:
        print(f"{type(why).__name__}: {why}", file=sys.stderr)
    finally:
        os._exit(code)


def serve() -> None:
    """Answers the verifier until it closes its end. Call it last.

    Requests are answered in a forked worker, so that a crash of the function costs a fork and not the imports.
    If that is impossible (requests from a file; JAX and CUDA, which do not survive a fork), the program
    answers them itself. The function's output goes to standard error, since standard output belongs to the verifier.
    """
    source = os.fdopen(os.dup(0), "rb", buffering=0 if not _is_file(0) else -1)
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    source = _Whole(source)
    uses_device = any(one.device != "cpu" for one in _kernels.values())
    in_call = mmap.mmap(-1, 1)  # shared with the worker
    if _is_file(source.fileno()) or uses_device or "jax" in sys.modules:
        _answer_all(source, sink, in_call)
        return
    while True:
        worker = os.fork()
        if worker == 0:
            _work(source, sink, in_call)
        code = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
        if code == _NO_MORE:
            source.close()
            sink.close()
            return
        if not in_call[0]:  # no request is open: the program ends as its worker did
            os._exit(code if code >= 0 else 128 - code)
        in_call[0] = 0
        how = f"ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        _write(sink, {"status": "died", "text": how})


def _is_file(descriptor: int) -> bool:
    try:
        os.lseek(descriptor, 0, os.SEEK_CUR)
        return True
    except OSError:
        return False


class _Whole:
    """Reads exact counts from an unbuffered pipe; a buffer would keep requests that the next worker needs."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source

    def fileno(self) -> int:
        return self._source.fileno()

    def close(self) -> None:
        self._source.close()

    def read(self, count: int) -> bytes:
        parts = []
        while count > 0 and (part := self._source.read(count)):
            parts.append(part)
            count -= len(part)
        return b"".join(parts)
