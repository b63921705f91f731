"""Kernels whose function is right, and whose process is not: the first argument says how."""
import ctypes
import os
import sys
import time

import numpy as np

import ropewalk_kernel

how = sys.argv[1]
patient_calls = 5  # that are answered before it goes wrong
calls = 0
kept = []

if how == "prints-at-start":
    print("Loading checkpoint shards: 100 %", flush=True)
if how == "ends-at-start":
    sys.exit(0)
if how == "hangs-at-start":
    time.sleep(1000)
if how == "ends-with-output-open":
    if os.fork() == 0:
        os.setsid()
        os.close(2)  # the test reads it to its end
        time.sleep(70)
        os._exit(0)
    os._exit(3)


@ropewalk_kernel.kernel(promise="angle-f64", dtypes=["f32"], crossing=False, axes=1, unit=False)
def misbehaving(query, positions, encoding, backward):
    global calls
    calls += 1
    if how == "prints":
        print("a line on standard output")
        os.system("echo one of a child")
        os.write(1, b"and one of the descriptor\n")
    if how == "declines-far" and (positions > 4).any():
        raise ropewalk_kernel.Unsupported("positions above 4")
    if how == "ends-in-a-call":
        os._exit(3)
    if calls > patient_calls:
        if how == "raises":
            query[0, 0, 0, 999999]
        if how == "shape":
            return query[:, :, :, :1],
        if how == "dtype":
            return query.astype("f8"),
        if how == "zeros":
            return np.zeros_like(query),
        if how == "random":
            query.view("u4")[...] ^= np.uint32(calls & 1)
        if how == "segv":
            ctypes.string_at(0)
        if how == "abort":
            os.abort()
        if how == "hangs":
            time.sleep(1000)
        if how == "exits":
            sys.exit(0)
        if how == "exits-at-once":
            os._exit(0)
        if how == "closes":
            os.closerange(3, 100)
        if how == "memory":
            kept.append(np.ones(1 << 27))
    half = encoding.rotary_dim // 2
    angle = positions[..., None, None] * encoding.inv_freq
    cos = (np.cos(angle) * encoding.attention_factor).astype("f4")
    sin = (np.sin(angle) * encoding.attention_factor).astype("f4") * np.float32(-1 if backward else 1)
    if encoding.pairing_in == "interleaved":
        first, second = np.s_[..., 0:2 * half:2], np.s_[..., 1:2 * half:2]
    else:
        first, second = np.s_[..., :half], np.s_[..., half:2 * half]
    a, b = query[first].copy(), query[second].copy()
    with np.errstate(all="ignore"):
        query[first], query[second] = a * cos - b * sin, a * sin + b * cos
    return None


if how in ("leaves-a-child", "leaves-a-session") and os.fork() == 0:
    if how == "leaves-a-session":
        os.setsid()  # out of the program's process group
    time.sleep(1000)
ropewalk_kernel.serve()
