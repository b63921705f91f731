"""numpy loads the files of `table`, and reads the same bits from JSON and CSV."""

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
half_split = ["--model", "llama-3.1-8b"]
interleaved = ["--model", "gpt-j-6b"]
dtypes = {"f64": "<f8", "f32": "<f4", "f16": "<f2", "bf16": "<u2"}


def table(kind, path, *options, model=half_split):
    format_options = [] if "--format" in options else ["--format", "npy"]
    subprocess.run([program, "table", kind, *model, "--quiet", "--output", path, *format_options, *options], check=True)


def require(holds, claim):
    if not holds:
        sys.exit("failed: " + claim)


def same_bits(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def assembled(layout, model, cos, sin):
    """The array that an engine builds from the tables `cos` and `sin`, each of shape [positions, pairs]."""
    if layout == "vllm":
        return numpy.concatenate((cos, sin), axis=-1)
    if layout == "complex":
        array = numpy.empty(cos.shape, "c16" if cos.dtype == "f8" else "c8")
        array.real, array.imag = cos, sin
        return array
    if model is interleaved:
        return numpy.stack([numpy.repeat(f, 2, axis=-1) for f in (cos, sin)])
    return numpy.stack([numpy.concatenate((f, f), axis=-1) for f in (cos, sin)])


def check_cos_sin(path, model, layout, dtype, positions):
    options = ["--dtype", dtype, *positions]
    table("cos", path + ".cos", *options, model=model)
    table("sin", path + ".sin", *options, model=model)
    options += ["--layout", layout]
    table("cos-sin", path, *options, model=model)
    array = numpy.load(path)
    expected = assembled(layout, model, numpy.load(path + ".cos"), numpy.load(path + ".sin"))
    name = f"{layout} {dtype} {model[1]}"
    require(same_bits(array, expected), f"cos-sin {name} is the array that an engine builds from cos and sin")
    require(json.load(open(path + ".json"))["shape"] == list(array.shape), f"cos-sin {name} has its sidecar")
    command = [program, "table", "cos-sin", *model, "--quiet", *positions, "--layout", layout, "--compare", path]
    require(subprocess.run(command, stdout=subprocess.DEVNULL).returncode == 0, f"cos-sin {name} compares equal")
    if dtype == "bf16":
        return
    flat = array.view(array.real.dtype).reshape(-1)
    table("cos-sin", path + ".csv", *options, "--format", "csv", model=model)
    rows = numpy.loadtxt(path + ".csv", delimiter=",", skiprows=2)
    planes = 2 if layout == "hf" else 1
    require((rows[:, planes:].astype(flat.dtype).reshape(-1) == flat).all(), f"cos-sin {name}: CSV reads back")
    table("cos-sin", path + ".text", *options, "--format", "json", model=model)
    rows = json.load(open(path + ".text"))["rows"]
    values = numpy.array([row["cos_sin"] for row in rows]).astype(flat.dtype).reshape(-1)
    require((values == flat).all(), f"cos-sin {name}: JSON reads back")


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
    # All in binary64: half an ulp of the angle (2^-44 below 1024), and less than an ulp of the cosine.
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

    for model in half_split, interleaved:
        for layout in "vllm", "hf", "complex":
            for dtype in ("f64", "f32") if layout == "complex" else dtypes:
                check_cos_sin(path, model, layout, dtype, ["--positions", "-20:50"])
        numpy.save(path + ".real", numpy.array([0.25, -3.5, 1e300, 5e-324, 17.0]))
        check_cos_sin(path, model, "complex", "f64", ["--positions-f64", path + ".real.npy"])

    numpy.save(path, numpy.arange(-5, 300).astype("f8"))
    table("cos", path + ".out", "--dtype", "f64", "--positions-f64", path)
    table("cos", path, "--dtype", "f64", "--positions", "-5:300")
    require(same_bits(numpy.load(path + ".out"), numpy.load(path)), "whole real positions are integers")

    table("ggml-factors", path, "--dtype", "f64")
    divisors = numpy.load(path)
    table("inv-freq", path, "--dtype", "f64")
    scaled = numpy.load(path)
    table("inv-freq", path, "--dtype", "f64", model=["--model", "llama-3-8b"])
    # Half an ulp each for the divisor, the unscaled frequency, their quotient and the scaled frequency.
    error = numpy.abs(numpy.load(path) / divisors / scaled - 1).max()
    require(error <= 4 * 2.0**-53, "x / ggml-factors is the scaled frequency")

    naive = 1 / numpy.float32(500000) ** (numpy.arange(0, 128, 2, dtype="f4") / numpy.float32(128))
    numpy.save(path, naive.astype("f4"))
    command = [program, "table", "inv-freq", "--model", "llama-3-8b", "--compare", path, "--quiet"]
    require(subprocess.run(command, stdout=subprocess.DEVNULL).returncode == 1, "a binary32 recipe differs")
