"""numpy loads what `table` writes, and JSON and CSV give numpy the very same bits."""

import json
import os
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    print("skipped: python3-numpy is not installed")
    sys.exit(77)

program = os.environ["ROPEWALK_COMMAND"]
which = ["--model", "llama-3.1-8b"]
dtypes = {"f64": "<f8", "f32": "<f4", "f16": "<f2", "bf16": "<u2"}


def table(kind, path, *options):
    subprocess.run([program, "table", kind, *which, "--quiet", "--output", path, *options], check=True)


def require(holds, what):
    if not holds:
        sys.exit("failed: " + what)


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "table.npy")
    for dtype, descr in dtypes.items():
        for kind, shape in {"inv-freq": (64,), "cos": (300, 64), "sin": (300, 64)}.items():
            positions = [] if kind == "inv-freq" else ["--positions", "-100:200"]
            table(kind, path, "--dtype", dtype, *positions)
            array = numpy.load(path)
            require(array.shape == shape and array.dtype == numpy.dtype(descr), f"{kind} {dtype} loads")
            require(json.load(open(path + ".json"))["shape"] == list(shape), f"{kind} {dtype} has its sidecar")
            if kind == "inv-freq" or dtype == "bf16":
                continue
            table(kind, path + ".csv", "--dtype", dtype, "--format", "csv", *positions)
            rows = numpy.loadtxt(path + ".csv", delimiter=",", skiprows=2)
            require((rows[:, 0] == numpy.arange(-100, 200)).all(), f"{kind} {dtype}: positions in CSV")
            require((rows[:, 1:].astype(descr) == array).all(), f"{kind} {dtype}: CSV reads back")
            table(kind, path + ".text", "--dtype", dtype, "--format", "json", *positions)
            rows = json.load(open(path + ".text"))["rows"]
            values = numpy.array([row[kind] for row in rows]).astype(descr)
            require((values == array).all(), f"{kind} {dtype}: JSON reads back")

    table("cos", path, "--dtype", "f64", "--positions", "1000")
    exact = numpy.load(path)
    table("inv-freq", path, "--dtype", "f64")
    angle = numpy.arange(1000)[:, None] * numpy.load(path)
    # binary64 all the way: half an ulp of the angle (2^-44 below 1024), and less than an ulp of the cosine.
    require(numpy.abs(numpy.cos(angle) - exact).max() < 2.0**-43, "cos is the cosine of position x inv_freq")

    table("turns", path)
    turns = numpy.load(path)
    require(turns.shape == (64, 4) and turns.dtype == numpy.dtype("<u4"), "turns load")
    first = sum(int(word) << (32 * k) for k, word in enumerate(turns[0]))
    # The first pair turns by one radian per position.
    require(abs(first / 2**128 * 2 * numpy.pi - 1) <= 2.0**-52, "turns are inv_freq / (2 pi)")

    numpy.save(path, numpy.array([5, -7, 2**31 - 1]))
    table("cos", path + ".out", "--positions", path)
    require(numpy.load(path + ".out").shape == (3, 64), "positions written by numpy are read")

    naive = 1 / numpy.float32(500000) ** (numpy.arange(0, 128, 2, dtype="f4") / numpy.float32(128))
    numpy.save(path, naive.astype("f4"))
    command = [program, "table", "inv-freq", "--model", "llama-3-8b", "--compare", path, "--quiet"]
    require(subprocess.run(command, stdout=subprocess.DEVNULL).returncode == 1, "a binary32 recipe differs")
