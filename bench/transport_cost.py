#!/usr/bin/env python3
"""Measures the cost of the transport: a function called through `program:`, and directly in one Python process.

    python3 bench/transport_cost.py build/release/transport_calls [CALLS [ROUNDS]]

Prints processor times per call, without start-up and judging: of verifier and child together, of the verifier with
its own kernel, and of the plain loop; and the ratios of the first to the sum of the others, and to the plain loop.
Each is the median of alternating runs. A call has 4 tokens with 4 query heads and one key head. Without torch, only
NumPy's function is measured.
"""
import importlib.util
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[1]
command, calls = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3000
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
environment = dict(os.environ, PYTHONPATH=str(root / "src/python"))

functions = {"numpy": """
import numpy as np
import ropewalk_kernel

@ropewalk_kernel.kernel(promise="angle-f64", pairing="half-split", dtypes=["f32"], axes=1)
def mine(query, key, positions, encoding):
    half = encoding.rotary_dim // 2
    angle = positions[..., None, None] * encoding.inv_freq
    cos, sin = np.cos(angle).astype("f4"), np.sin(angle).astype("f4")

    def turned(of):
        x, y = of[..., :half], of[..., half:]
        return np.concatenate([x * cos - y * sin, x * sin + y * cos], axis=-1)

    return turned(query), turned(key)
""", "torch": """
import torch
import ropewalk_kernel

torch.set_num_threads(1)

@ropewalk_kernel.kernel(promise="angle-f64", pairing="half-split", dtypes=["f32"], axes=1)
def mine(query, key, positions, encoding):
    angle = positions[..., None, None] * torch.from_numpy(encoding.inv_freq)
    angle = torch.cat([angle, angle], dim=-1)
    cos, sin = angle.cos().to(query.dtype), angle.sin().to(query.dtype)

    def half_turned(of):
        x, y = of.chunk(2, dim=-1)
        return torch.cat([-y, x], dim=-1)

    return query * cos + half_turned(query) * sin, key * cos + half_turned(key) * sin
"""}

direct = """
import sys, time, types
import numpy as np
calls, tokens = int(sys.argv[1]), 4
encoding = types.SimpleNamespace(rotary_dim=128, inv_freq=500000.0 ** (-np.arange(64) / 64))
query, key = np.ones((1, tokens, 4, 128), "f4"), np.ones((1, tokens, 1, 128), "f4")
positions = np.arange(tokens, dtype="i4")[None]
if "torch" in sys.modules:
    query, key, positions = (torch.from_numpy(one) for one in (query, key, positions))
mine(query, key, positions, encoding)
begin = time.process_time()
for _ in range(calls):
    mine(query, key, positions, encoding)
print(time.process_time() - begin)
"""


def spent(words):
    """Processor seconds of a command and its child processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, env=environment, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


for name, function in functions.items():
    if not importlib.util.find_spec(name):
        print(f"not measured: {name} is not installed", file=sys.stderr)
        continue
    with tempfile.TemporaryDirectory() as folder:
        program, loop = os.path.join(folder, "mine.py"), os.path.join(folder, "loop.py")
        pathlib.Path(program).write_text(function + "ropewalk_kernel.serve()\n")
        pathlib.Path(loop).write_text(function + direct)
        through, alone, plain = [], [], []
        for _ in range(rounds):
            for kernel, times in (f"{sys.executable} {program}", through), ("", alone):
                times.append((spent([command, kernel, str(calls)]) - spent([command, kernel, "1"])) / calls)
            done = subprocess.run([sys.executable, loop, str(calls)], env=environment, capture_output=True, text=True, check=True)
            plain.append(float(done.stdout) / calls)
        transport, verifier, function_alone = (statistics.median(times) for times in (through, alone, plain))
        print(json.dumps({"function": name, "through_transport_us": round(transport * 1e6, 1),
                          "verifier_us": round(verifier * 1e6, 1), "function_us": round(function_alone * 1e6, 1),
                          "ratio": round(transport / (verifier + function_alone), 2),
                          "ratio_to_function": round(transport / function_alone, 2)}), flush=True)
