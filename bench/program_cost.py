#!/usr/bin/env python3
"""Measures the whole program: applying, writing tables and comparing, with cp, dd and NumPy as baselines.

    python3 bench/program_cost.py build/release/ropewalk [MIB [ROUNDS]]

Prints one line per pair of commands: seconds of both, the ratio of the first to the second, and the peak memory of
the first in MiB. The two commands alternate, ROUNDS times after an uncounted round, on files of about MIB MiB that
the system holds in memory; every output replaces that of the round before. Seconds are medians; so is the ratio,
over the ratios of the rounds.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

ropewalk, mib = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 256
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 9
HEADS, WIDTH = 32, 128
tokens = max(mib * 2**20 // (4 * HEADS * WIDTH), 1)
positions = max(mib * 2**20 // (4 * WIDTH), 4)

numpy_apply = f"""
import numpy as np
x = np.load("x.npy")
angle = np.arange(len(x), dtype="f4")[:, None] * (10000 ** (-np.arange({WIDTH // 2}) / {WIDTH // 2})).astype("f4")
cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
a, b = x[..., :{WIDTH // 2}], x[..., {WIDTH // 2}:]
np.save("numpy.npy", np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1))
"""
numpy_table = f"""
import numpy as np
angle = np.arange({positions}, dtype="f4")[:, None] * (10000 ** (-np.arange({WIDTH // 2}) / {WIDTH // 2})).astype("f4")
np.save("numpy.npy", np.concatenate([np.cos(angle), np.sin(angle)], axis=-1))
"""


def spent(words):
    """Seconds and peak MiB of a command; a comparison of a wrong table exits 1."""
    begin = time.perf_counter()
    done = subprocess.run(["time", "--format", "%M", "--quiet", "--output", "peak", *words], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    seconds = time.perf_counter() - begin
    if done.returncode not in (0, 1 if "--compare" in words else 0):
        sys.exit(f"{' '.join(words)}: exit {done.returncode}: {done.stderr}")
    return seconds, int(pathlib.Path("peak").read_text()) / 1024


def pair(what, mine, other_name, other):
    spent(mine), spent(other)
    measured = [(*spent(mine), spent(other)[0]) for _ in range(rounds)]
    seconds, memory, others = zip(*measured)
    print(json.dumps({"what": what, "seconds": round(statistics.median(seconds), 4), "beside": other_name,
                      "its_seconds": round(statistics.median(others), 4),
                      "ratio": round(statistics.median(a / b for a, b in zip(seconds, others)), 2),
                      "peak_mib": round(max(memory), 1)}), flush=True)


def table(kind, *options):
    return [ropewalk, "table", *kind.split(), "--base", "10000", "--head-dim", str(WIDTH), "--positions",
            str(positions), "--quiet", *options]


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    np.save("x.npy", np.random.default_rng(1).standard_normal((tokens, HEADS, WIDTH), dtype="f4"))
    apply = [ropewalk, "apply", "--base", "10000", "--head-dim", str(WIDTH), "--kernel", "cpu-turns", "--input",
             "x.npy", "--output", "y.npy", "--quiet"]
    pair("apply", apply, "cp", ["cp", "x.npy", "copy.npy"])
    pair("apply", apply, "dd", ["dd", "if=x.npy", "of=copy.npy", "bs=1M", "status=none"])
    pair("apply", apply, "numpy in binary32", [sys.executable, "-c", numpy_apply])
    for unused in "x.npy", "y.npy", "copy.npy", "numpy.npy":
        pathlib.Path(unused).unlink()

    wide = table("cos-sin --layout vllm", "--dtype", "f32", "--output", "table.npy")
    spent(wide)
    pair("table cos-sin f32", wide, "cp", ["cp", "table.npy", "copy.npy"])
    pair("table cos-sin f32", wide, "numpy in binary32", [sys.executable, "-c", numpy_table])
    plain = table("cos", "--dtype", "f32", "--output", "f32.npy")
    for dtype in "f16", "bf16":
        pair(f"table cos {dtype}", table("cos", "--dtype", dtype, "--output", "table.npy"), "table cos f32", plain)
    angle = np.arange(positions, dtype="f4")[:, None] * (10000 ** (-np.arange(WIDTH // 2) / (WIDTH // 2))).astype("f4")
    np.save("engine.npy", np.cos(angle.astype("f8")).astype("f4"))
    pair("table cos --compare, of an engine", table("cos", "--compare", "engine.npy"), "of this program",
         table("cos", "--compare", "f32.npy"))
