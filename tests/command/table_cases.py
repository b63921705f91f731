"""Every kind, layout and dtype of table, over numbers that are awkward to write, and the program that writes them."""

import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

program = os.environ["ROPEWALK_COMMAND"]

BY_HAND = ["--base", "10000", "--head-dim", "12"]
YARN = [*BY_HAND, "--scaling",
        '{"type": "yarn", "factor": 4, "original_max_position_embeddings": 4096, "attention_factor": 1.3}']
DEAD_PAIRS = [*BY_HAND, "--scaling", '{"rope_type": "proportional", "partial_rotary_factor": 0.5, "factor": 2}']


def divided(factor):
    return [*BY_HAND, "--scaling", json.dumps({"rope_type": "linear", "factor": factor})]


FLOATS = ["f64", "f32", "f16", "bf16"]
NARROW = ["f16", "bf16"]


inputs = tempfile.TemporaryDirectory()


def input_array(name, descr, shape, code, *numbers):
    """A .npy file for a table to read; `code` is struct's letter of an element."""
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    path = pathlib.Path(inputs.name) / name
    path.write_bytes(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(numbers)}{code}", *numbers))
    return str(path)


# Bits of 1, -0, the smallest subnormal, the largest number, infinity and its negative.
WEIGHTS = {"f64": ("<f8", "Q", [0x3FF << 52, 1 << 63, 1, (0x7FF << 52) - 1, 0x7FF << 52, 0xFFF << 52]),
           "f32": ("<f4", "I", [0x3F800000, 1 << 31, 1, 0x7F7FFFFF, 0x7F800000, 0xFF800000]),
           "f16": ("<f2", "H", [0x3C00, 1 << 15, 1, 0x7BFF, 0x7C00, 0xFC00]),
           "bf16": ("<u2", "H", [0x3F80, 1 << 15, 1, 0x7F7F, 0x7F80, 0xFF80])}


class Case:
    """One table: what is typed after `ropewalk table`, and its name as an identifier."""

    def __init__(self, name, kind, dtype, options):
        self.name, self.kind, self.dtype, self.options = name, kind, dtype, options

    def is_rotary(self):
        return self.kind in ("inv-freq", "turns", "cos", "sin", "cos-sin", "ggml-factors")

    def write(self, path, *options):
        run = subprocess.run([program, "table", self.kind, *self.options, "--quiet", "--output", str(path), *options],
                             capture_output=True, text=True)
        require(run.returncode == 0, f"{self.name}: {' '.join(options)}: {run.stderr}")
        return pathlib.Path(path)

    def array(self, numpy, folder):
        """The table as numpy reads it from npy, for every other format to agree with."""
        return numpy.load(self.write(folder / (self.name + ".npy")))


def cases():
    made = []

    def add(name, kind, dtypes, options):
        for dtype in dtypes:
            chosen = [] if dtype in ("u32", "i32") else ["--dtype", dtype]
            made.append(Case(f"{name}_{dtype}", kind, dtype, options + chosen))

    add("frequencies", "inv-freq", FLOATS, ["--model", "llama-3.1-8b"])
    add("subnormals", "inv-freq", ["f32", *NARROW], divided(1e40))
    add("smallest", "inv-freq", ["f64"], divided(1e308))
    add("turns", "turns", ["u32"], ["--model", "llama-3.1-8b"])
    add("divisors", "ggml-factors", FLOATS, ["--model", "llama-3.1-8b"])
    add("infinities", "ggml-factors", FLOATS, DEAD_PAIRS)
    positions = ["--positions", "-3:6"]
    add("cosines", "cos", FLOATS, YARN + positions)
    add("sines", "sin", FLOATS, YARN + positions)
    add("one_position", "cos", ["f32"], BY_HAND + ["--positions", "7:8"])
    add("one_pair", "sin", ["f32"], ["--base", "10000", "--head-dim", "2", "--positions", "40"])
    for layout in "vllm", "hf", "complex":
        dtypes = ["f64", "f32"] if layout == "complex" else FLOATS
        add(f"both_{layout}", "cos-sin", dtypes, YARN + positions + ["--layout", layout])
    add("paper", "sinusoidal", FLOATS, ["--d-model", "6", *positions])
    add("fairseq", "sinusoidal", FLOATS, ["--d-model", "7", "--odd", "zero", "--padding-idx", "2", "--shift", "1",
                                          "--layout", "sin-cos", "--positions", "-5:4"])
    add("musicgen", "sinusoidal", ["f32"], ["--d-model", "4", "--layout", "cos-sin", "--base", "100000", "--positions", "2"])
    add("slopes", "alibi-slopes", FLOATS, ["--heads", "12"])
    add("biases", "alibi-bias", FLOATS, ["--heads", "3", "--queries", "2", "--keys", "5"])
    add("biases_both_sides", "alibi-bias", NARROW, ["--heads", "5", "--keys", "3", "--form", "symmetric"])
    add("buckets", "t5-buckets", ["i32"], ["--max-relative", "20", "--max-distance", "12"])
    add("buckets_behind", "t5-buckets", ["i32"], ["--buckets", "8", "--max-distance", "20", "--causal"])
    add("bits", "binary", FLOATS, ["--width", "5", "--bit-order", "msb"])
    add("shares", "normalised", FLOATS, ["--length", "8"])
    add("sines_alone", "sine-only", FLOATS, ["--width", "5", *positions])
    add("integers", "integer", FLOATS, ["--positions", "2046:2055"])
    add("last_integer", "integer", ["f32", "f16"], ["--positions", "2147483647:2147483648"])
    on_axes = input_array("on_axes.npy", "<i4", (3, 4), "i", 0, 3, -2, 2147483647, 0, 4, -5, 7, 0, 5, 6, 1)
    by_hand = [*BY_HAND, "--scaling", '{"rope_type": "default", "mrope_section": [1, 2, 3]}', "--positions", on_axes]
    for layout, dtypes in ("vllm", FLOATS), ("hf", ["f16"]), ("complex", ["f64"]):
        add(f"queries_{layout}", "xpos", dtypes, ["--rotary-dim", "6", "--side", "query", "--layout", layout, *positions])
        add(f"axes_{layout}", "axes", dtypes, [*by_hand, "--layout", layout])
    # Real coordinates: subnormal, tiny, near quarters of a turn, above 2^31; and every form of axes.
    on_reals = input_array("on_reals.npy", "<f8", (3, 6), "d", 0.5, -0.25, 5e-324, 1e-30, 2147483649.5, 1 / 3, 0, 5, -7.5, 0.1, 1e9 + 0.125, -2.5,
                           1, 0.75, 2 ** -40, 3.0000000000000004, -1e-200, 40)
    forms = {
        "runs": {"base": 10000, "axes": [{"pairs": 2}, {"pairs": 1, "scaling": {"rope_type": "linear", "factor": 3}}, {"pairs": 1}]},
        "rising": {"order": "round-robin", "still_pairs": 1,
                   "axes": [{"pairs": 2, "first": 1, "last": 10000, "shift": 1, "unit": "quarter-turn"}] * 3},
        "turns": {"axes": [{"pairs": 2, "first": 1, "last": "1/100", "unit": "turn"}] * 3},
        "linear": {"axes": [{"pairs": 3, "spacing": "linear", "first": "1/3", "last": 112, "unit": "half-turn"}] * 3},
        "listed": {"order": "alternating", "rest": 2,
                   "axes": [{"pairs": 2, "list": [0.25, 0], "unit": "turn"}, {"pairs": 2, "list": [3, 0.1]}, {"pairs": 1, "list": [1.5]}]},
        "shared": {"base": 500000, "order": "modulo", "frequencies": "shared", "axes": [{"pairs": 3}, {"pairs": 1}, {"pairs": 2}]},
        "even_odd": {"base": 100, "frequencies": "even-odd", "axes": [{"pairs": 2}] * 3},
    }
    for name, form in forms.items():
        add(f"reals_{name}", "axes", FLOATS, ["--axes", json.dumps(form), "--positions", on_reals, "--layout", "vllm"])
    middles = {"axes": [{"pairs": 2, "first": 1, "last": "1/100", "unit": "turn", "scale": "2/7", "offset": "-3"},
                        {"pairs": 1, "first": 2, "last": 2, "scale": "24/25", "offset": "1/2"}, {"pairs": 1, "first": 1, "last": 1}]}
    add("middles", "axes", FLOATS, ["--axes", json.dumps(middles), "--positions", on_axes, "--layout", "vllm"])
    frequencies = input_array("frequencies.npy", "<f8", (3, 2, 2), "d", 0.5, -1.25, 3, 1e-3, 0.1, 2, -7.5, 0.3, 11, 0.7, -0.2, 5e-320)
    real_axes = input_array("real_axes.npy", "<f8", (3, 4), "d", 0, 0.1, -2e-9, 7, 0, 4.5, -5, 1e6, 0, 1, 0.25, 1)
    for layout, dtypes in ("vllm", FLOATS), ("hf", ["bf16"]), ("complex", ["f32"]):
        add(f"mixed_{layout}", "mixed", dtypes, ["--frequencies", frequencies, "--positions", real_axes, "--layout", layout])
    skewed = {"ernie": ["--model", "ernie-image", "--grid", "2x1", "--text", "2"], "v_jepa": ["--model", "v-jepa-2", "--grid", "2x3"]}
    for name, options in skewed.items():
        add(f"skewed_{name}", "skewed-cos-sin", FLOATS, options)
    runs = ["--grid", "3x2", "--frames", "4:1-3,2:5,1:0"]
    for layout, model, dtypes in ("vllm", "helios", FLOATS), ("hf", "hunyuan-video-framepack", ["f16"]), ("complex", "helios", ["f64"]):
        add(f"pooled_{layout}", "pooled-cos-sin", dtypes, ["--model", model, *runs, "--layout", layout])
    add("keys", "xpos", ["f32", "f16"], ["--rotary-dim", "4", "--side", "key", "--layout", "vllm", "--scale-base", "2", "--length", "40",
                                         "--positions", "0:40"])
    add("scales", "query-scale", FLOATS, ["--strength", "0.1", "--length", "4", "--shift", "1", "--positions", "12"])
    for dtype, (descr, code, bits) in WEIGHTS.items():
        add("weights", "learned", [dtype], ["--weights", input_array(f"weights_{dtype}.npy", descr, (3, 2), code, *bits)])
    return made


def require(holds, what):
    if not holds:
        sys.exit("failed: " + what)


def words(path):
    """A SPIR-V module or another file of 32-bit words."""
    data = pathlib.Path(path).read_bytes()
    return [int.from_bytes(data[at:at + 4], "little") for at in range(0, len(data), 4)]
