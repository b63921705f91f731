#!/usr/bin/env python3
"""Arrays of .npy, .npz and safetensors files as tables: which file, which array in it, and which promise it keeps."""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import warnings
import zipfile

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

command = os.environ["ROPEWALK_COMMAND"]
folder = tempfile.TemporaryDirectory()
head_dim, positions = 64, 3000
which = ["--base", "10000", "--head-dim", str(head_dim), "--quiet"]
at = ["--positions", str(positions)]
inv_freq = 10000.0 ** (-np.arange(0, head_dim, 2) / head_dim)
single_inv_freq = (np.float32(1) / np.float32(10000) ** (np.arange(0, head_dim, 2, dtype="f4") / np.float32(head_dim))).astype("f4")
angle = np.outer(np.arange(positions), inv_freq)
single_angle = np.outer(np.arange(positions, dtype="f4"), single_inv_freq)


def path(name):
    return os.path.join(folder.name, name)


def write_safetensors(name, **tensors):
    header, data = {"__metadata__": {"written by": "a test"}}, b""
    for key, (dtype, array) in tensors.items():
        header[key] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    text = json.dumps(header).encode()
    pathlib.Path(path(name)).write_bytes(struct.pack("<Q", len(text)) + text + data)


def bfloat16_bits(array):
    """Rounded to nearest, ties to even, from binary32."""
    bits = array.astype("f4").view("u4")
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype("<u2")


def just_misrounded(exact):
    """Rounded to binary32, but for the entry nearest to a tie, which gets its other neighbour. NumPy misrounds such entries
    on some processors and not on others."""
    rounded = exact.astype("f4")
    other = np.nextafter(rounded, np.where(exact > rounded, np.float32(2), np.float32(-2)), dtype="f4")
    tie = (rounded.astype("f8") + other.astype("f8")) / 2
    at = np.unravel_index(np.argmin(np.where(rounded == exact, 1, np.abs(exact - tie) / np.abs(other - rounded))), exact.shape)
    rounded[at] = other[at]
    return rounded


def compare(kind, *arrays, options=()):
    return subprocess.run([command, "table", kind, *which, *options, "--compare", *arrays], capture_output=True, text=True, timeout=120)


def found(kind, array, *options):
    return json.loads(compare(kind, array, options=[*options, "--json"]).stdout)


class Arrays(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cos = just_misrounded(np.cos(angle))
        np.save(path("cos.npy"), cls.cos)
        np.savez(path("stored.npz"), cos=cls.cos, sin=np.sin(angle).astype("f4"))
        np.savez_compressed(path("deflated.npz"), cos=cls.cos, sin=np.sin(angle).astype("f4"))
        np.savez(path("alone.npz"), cos=cls.cos)
        layers = {f"layers.{i}.cos": ("F32", cls.cos) for i in range(3)}
        write_safetensors("model.safetensors", **layers, unknown=("U8", np.zeros(3, "u1")), wide=("F64", np.cos(angle)),
                          half=("F16", np.cos(angle).astype("f2")), brain=("BF16", bfloat16_bits(np.cos(angle))))

    def test_every_container_gives_the_same_array(self):
        texts = {compare("cos", path(place), options=at).stdout
                 for place in ("cos.npy", "stored.npz#cos", "deflated.npz#cos", "alone.npz", "model.safetensors#layers.1.cos")}
        self.assertEqual(len(texts), 1, texts)
        self.assertIn("as good as         rounded-table", texts.pop())

    def test_each_dtype_is_read_as_it_is(self):
        for name, dtype in ("wide", "f64"), ("half", "f16"), ("brain", "bf16"):
            place = path(f"model.safetensors#{name}")
            self.assertGreater(found("cos", place, *at)["correctly_rounded"], {"wide": 1000}.get(name, positions * head_dim // 2 * 0.999))
            refused = compare("cos", place, options=[*at, "--dtype", "f32"])
            self.assertEqual(refused.returncode, 2)
            self.assertIn(f"allowed: {dtype}, as {place} holds", refused.stderr)

    def test_several_arrays_are_told_apart(self):
        done = compare("cos", path("model.safetensors#layers.*"), path("cos.npy"), options=at)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual([line for line in done.stdout.splitlines() if line.startswith(folder.name)],
                         [path(f"model.safetensors#layers.{i}.cos") for i in range(3)] + [path("cos.npy")])
        records = json.loads(compare("cos", path("stored.npz#c?s"), path("cos.npy"), options=[*at, "--json"]).stdout)
        self.assertEqual([one["array"] for one in records], [path("stored.npz#cos"), path("cos.npy")])

    def test_a_promise_is_kept_or_broken_at_a_place(self):
        tables = {"angle-f64": (np.cos(angle).astype("f4"), True), "angle-f32": (np.cos(single_angle).astype("f4"), True),
                  "angle-f32 ": (np.cos(single_angle + 0.02).astype("f4"), False),
                  "hf": (bfloat16_bits(np.cos(single_angle)), True), "dtype-table": (bfloat16_bits(np.cos(angle)), True),
                  "angle-f64 ": (np.cos(single_angle).astype("f4"), False), "angle=bf16,table=bf16": (bfloat16_bits(np.cos(angle)), True)}
        for promise, (array, is_kept) in tables.items():
            np.save(path("one.npy"), array)
            done = compare("cos", path("one.npy"), options=[*at, "--promise", promise.strip()])
            self.assertEqual(done.returncode, 0 if is_kept else 1, promise + done.stdout + done.stderr)
        found_in = found("cos", path("one.npy"), *at)["promises"]
        self.assertEqual(set(found_in), {"rounded-table", "dtype-table", "angle-f64", "angle-f32", "hf"})

    def test_the_first_entry_beyond_a_promise_is_named(self):
        wrong = np.cos(angle).astype("f4")
        wrong[2000:, 5] = np.cos(single_angle[2000:, 5] + 1e-3)
        np.save(path("wrong.npy"), wrong)
        promises = found("cos", path("wrong.npy"), *at)["promises"]
        self.assertEqual(promises["angle-f64"], {"keeps": False, "broken_at": {"position": 2000, "pair": 5}})
        self.assertIn("beyond rounded-table, dtype-table, angle-f64", compare("cos", path("wrong.npy"), options=at).stdout)

    def test_layouts_of_cosines_and_sines_keep_promises(self):
        cos, sin = np.cos(single_angle), np.sin(single_angle)
        layouts = {"vllm": np.concatenate([cos, sin], -1), "complex": (cos + 1j * sin).astype("c8"),
                   "hf": np.stack([np.concatenate([part, part], -1) for part in (cos, sin)])}
        for layout, array in layouts.items():
            np.save(path("one.npy"), array)
            for promise, code in ("angle-f32", 0), ("angle-f64", 1):
                done = compare("cos-sin", path("one.npy"), options=[*at, "--layout", layout, "--promise", promise])
                self.assertEqual(done.returncode, code, layout + done.stdout + done.stderr)

    def test_frequencies_are_held_to_how_they_are_formed(self):
        np.save(path("one.npy"), single_inv_freq)
        for promise, code in ("hf", 0), ("angle-f32", 1):
            self.assertEqual(compare("inv-freq", path("one.npy"), options=["--promise", promise]).returncode, code, promise)
        np.save(path("one.npy"), (inv_freq * (1 + 1e-5)).astype("f4"))
        self.assertEqual(compare("inv-freq", path("one.npy"), options=["--promise", "hf"]).returncode, 1)

    def test_frequencies_of_zero_and_small_attention_factors_are_compared(self):
        still = ["--scaling", '{"rope_type": "proportional", "partial_rotary_factor": 0.5, "factor": 2}']
        np.save(path("one.npy"), np.where(np.arange(head_dim // 2) < head_dim // 4, single_inv_freq / 2, 0).astype("f4"))
        self.assertEqual(compare("inv-freq", path("one.npy"), options=[*still, "--promise", "hf"]).returncode, 0)
        small = ["--scaling", '{"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 4096, "attention_factor": 1e-5}']
        np.save(path("one.npy"), np.zeros((positions, head_dim // 2), "f2"))  # binary16 holds 1e-5 as a subnormal
        done = compare("cos", path("one.npy"), options=[*at, *small])
        self.assertEqual((done.returncode, done.stderr), (1, ""))

    def test_numbers_that_are_none_break_every_promise(self):
        wrong = np.cos(angle).astype("f4")
        wrong[7, 3] = np.nan
        np.save(path("one.npy"), wrong)
        promises = found("cos", path("one.npy"), *at)["promises"]
        self.assertEqual({json.dumps(one["broken_at"]) for one in promises.values()}, {'{"position": 7, "pair": 3}'})

    def test_positions_and_tensors_come_from_archives_too(self):
        np.savez(path("given.npz"), positions=np.array([5, 7], "i8"), x=np.ones((2, 1, head_dim), "f4"))
        out = path("out.npy")
        subprocess.run([command, "apply", *which, "--kernel", "cpu-table", "--input", path("given.npz#x"), "--positions", path("given.npz#positions"),
                        "--output", out], check=True)
        self.assertAlmostEqual(float(np.load(out)[0, 0, 0]), np.cos(5.0) - np.sin(5.0), places=6)

    def test_positions_on_axes_come_from_archives_too(self):
        grid = np.array([[3, 0], [4, -1]], "i8")
        np.save(path("grid.npy"), grid)
        np.savez(path("grid.npz"), grid=grid, other=np.zeros(3))
        write_safetensors("grid.safetensors", grid=("I64", grid), other=("F32", np.zeros(3, "f4")))
        tables = set()
        for place in "grid.npy", "grid.npz#grid", "grid.safetensors#grid":
            subprocess.run([command, "table", "axes", *which, "--axes", "qwen-vision", "--layout", "complex", "--positions", path(place),
                            "--output", path("out.npy")], check=True)
            tables.add(np.load(path("out.npy")).tobytes())
        self.assertEqual(len(tables), 1)

    def test_odd_names_are_found(self):
        np.savez(path("odd.npz"), **{"a#b": self.cos, "[x]": self.cos, "x": self.cos, "": self.cos})
        for name in "a#b", "[x]", "x", "":
            self.assertIn("as good as", compare("cos", path("odd.npz#" + name), options=at).stdout, name)
        self.assertEqual(len(json.loads(compare("cos", path("odd.npz#*"), options=[*at, "--json"]).stdout)), 4)
        pathlib.Path(path("alone.npz#cos")).write_text("another file")
        self.assertIn("as good as", compare("cos", path("alone.npz"), options=at).stdout)
        with open(path("stored.npz"), "rb") as archive:
            done = subprocess.run([command, "table", "cos", *which, *at, "--compare", "-#cos"], stdin=archive, capture_output=True, text=True)
        self.assertIn("as good as", done.stdout, done.stderr)

    def test_names_do_not_reach_the_terminal_as_they_are(self):
        write_safetensors("names.safetensors", **{"a\x1b[31m": ("F32", self.cos), "b" * 100000: ("F32", self.cos)})
        said = compare("cos", path("names.safetensors"), options=at).stderr
        self.assertNotIn("\x1b", said)
        self.assertLess(len(said), 1000)

    def test_what_is_no_array_is_refused(self):
        with zipfile.ZipFile(path("twice.npz"), "w") as archive, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for _ in range(2):
                archive.writestr("cos.npy", pathlib.Path(path("cos.npy")).read_bytes())
        many = ",".join(f'"{i}":{{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}' for i in range(40000)).encode()
        pathlib.Path(path("many.safetensors")).write_bytes(struct.pack("<Q", len(many) + 2) + b"{" + many + b"}")
        pathlib.Path(path("long.safetensors")).write_bytes(struct.pack("<Q", 2**24 + 1) + b"{" + many + b"}")
        pathlib.Path(path("cut.npz")).write_bytes(pathlib.Path(path("stored.npz")).read_bytes()[:500])
        pathlib.Path(path("short.safetensors")).write_bytes(pathlib.Path(path("model.safetensors")).read_bytes()[:-1])
        broken = bytearray(pathlib.Path(path("stored.npz")).read_bytes())
        broken[5000] ^= 1
        pathlib.Path(path("broken.npz")).write_bytes(broken)
        np.savez(path("empty.npz"))
        for place, words in (("stored.npz", "allowed: " + path("stored.npz#NAME") + " with a NAME of cos, sin"),
                             ("stored.npz#tan", "with a NAME of cos, sin"), ("cos.npy#cos", "no file of named arrays"),
                             ("model.safetensors#layers.9.*", "with a NAME of layers.0.cos, "),
                             ("model.safetensors#unknown", "(dtype U8); allowed: F64, F32, "), ("cut.npz", "a NumPy .npz archive"),
                             ("broken.npz#cos", "CRC"), ("short.safetensors#wide", "bytes where its header needs"),
                             ("empty.npz", "no array in it"), ("missing.npz#cos", "No such file"), ("twice.npz", "two arrays named cos"), ("many.safetensors", "more than 32768 keys"),
                             ("long.safetensors", "a header of 16777217 bytes"), ("cos.npy#", "no file of named arrays")):
            done = compare("cos", path(place), options=at)
            self.assertEqual((done.returncode, done.stdout), (2, ""), place + done.stderr)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
        self.assertEqual(compare("t5-buckets", path("cos.npy"), options=["--promise", "hf"]).returncode, 2)
        done = subprocess.run([command, "table", "cos", *which, *at, "--promise", "hf", "--output", path("x.npy")], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (2, "ropewalk: promise is hf; allowed: only with --compare\n"))


if __name__ == "__main__":
    unittest.main()
