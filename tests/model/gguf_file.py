"""Writes GGUF files as tests need them: metadata and small tensors."""
import struct

U8, I8, U16, I16, U32, I32, F32, FLAG, TEXT, LIST, U64, I64, F64 = range(13)


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def type_of(value):
    return FLAG if isinstance(value, bool) else U32 if isinstance(value, int) else F32 if isinstance(value, float) else TEXT


def plain(kind, value):
    return text(value) if kind == TEXT else struct.pack("<" + {U32: "I", F32: "f", FLAG: "?", I32: "i", U64: "Q", F64: "d"}[kind], value)


def entry(key, value):
    if isinstance(value, list):
        kind = type_of(value[0])
        return text(key) + struct.pack("<IIQ", LIST, kind, len(value)) + b"".join(plain(kind, one) for one in value)
    kind = type_of(value)
    return text(key) + struct.pack("<I", kind) + plain(kind, value)


def gguf(metadata, tensors=(), version=3, alignment=32):
    """tensors: (name, shape with the last axis fastest, ggml type, bytes)"""
    header = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(metadata)) + b"".join(entry(*one) for one in metadata.items())
    data = b""
    for name, shape, kind, content in tensors:
        header += text(name) + struct.pack("<I", len(shape)) + b"".join(struct.pack("<Q", one) for one in reversed(shape))
        header += struct.pack("<IQ", kind, len(data))
        data += content + bytes(-len(content) % alignment)
    return header + bytes(-len(header) % alignment) + data
