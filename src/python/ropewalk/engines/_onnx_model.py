"""Writes an ONNX model with one node as bytes: a few protobuf fields, without a package.

source  onnx.proto of github.com/onnx/onnx: the numbers of fields
"""

from __future__ import annotations

from typing import Dict, List, Tuple

FLOAT, INT64, FLOAT16, BFLOAT16 = 1, 7, 10, 16  # TensorProto.DataType


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode())


def _named(name: str, kind: int, axes: int) -> bytes:
    """A ValueInfoProto: a tensor with named axes, so of any length."""
    shape = b"".join(_bytes(1, _text(2, f"{name}_{axis}")) for axis in range(axes))
    return _text(1, name) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, shape)))


def model_of_one_node(operator: str, domain: str, versions: List[Tuple[str, int]], attributes: Dict[str, int],
                      inputs: List[Tuple[str, int, int]], output: Tuple[str, int, int]) -> bytes:
    """A ModelProto.

    versions    (domain, version) of operator sets
    attributes  the node's integer attributes
    inputs      name, element type and number of axes; output alike
    """
    node = b"".join(_text(1, name) for name, _, _ in inputs) + _text(2, output[0]) + _text(4, operator)
    node += b"".join(_bytes(5, _text(1, name) + _number(3, value) + _number(20, 2)) for name, value in attributes.items())
    node += _text(7, domain)
    graph = _bytes(1, node) + _text(2, "rotation") + b"".join(_bytes(11, _named(*one)) for one in inputs) + _bytes(12, _named(*output))
    sets = b"".join(_bytes(8, _text(1, name) + _number(2, version)) for name, version in versions)
    return _number(1, 10) + _bytes(7, graph) + sets
