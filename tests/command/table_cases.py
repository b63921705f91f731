"""Every kind, layout and dtype of table, over numbers that are awkward to write, and the program that writes them."""

import json
import os
import pathlib
import subprocess
import sys

program = os.environ["ROPEWALK_COMMAND"]

BY_HAND = ["--base", "10000", "--head-dim", "12"]
YARN = [*BY_HAND, "--scaling",
        '{"type": "yarn", "factor": 4, "original_max_position_embeddings": 4096, "attention_factor": 1.3}']
DEAD_PAIRS = [*BY_HAND, "--scaling", '{"rope_type": "proportional", "partial_rotary_factor": 0.5, "factor": 2}']


def divided(factor):
    return [*BY_HAND, "--scaling", json.dumps({"rope_type": "linear", "factor": factor})]


FLOATS = ["f64", "f32", "f16", "bf16"]
NARROW = ["f16", "bf16"]


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
    add("fairseq", "sinusoidal", FLOATS, ["--d-model", "7", "--odd", "zero", "--padding-idx", "2", "--exponent", "tensor2tensor",
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
    return made


def require(holds, what):
    if not holds:
        sys.exit("failed: " + what)


def words(path):
    """A SPIR-V module or another file of 32-bit words."""
    data = pathlib.Path(path).read_bytes()
    return [int.from_bytes(data[at:at + 4], "little") for at in range(0, len(data), 4)]
