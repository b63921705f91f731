#!/usr/bin/env python3
"""Tables of learned rows: weights are copied bit for bit from every container, and what holds no rows is refused."""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

command = os.environ["ROPEWALK_COMMAND"]
folder = tempfile.TemporaryDirectory()
rows, d_model = 7, 5
WORDS = {"f64": ("u8", "f8"), "f32": ("u4", "f4"), "f16": ("u2", "f2"), "bf16": ("u2", "u2")}
# Signalling and quiet NaNs with payloads and both signs, infinities, zeros, subnormals.
SPECIAL = {"f64": [0x7FF0000000000001, 0xFFF8000000000123, 0x7FF0000000000000, 1 << 63, 1],
           "f32": [0x7F800001, 0xFFC00123, 0xFF800000, 1 << 31, 1], "f16": [0x7C01, 0xFE12, 0xFC00, 1 << 15, 1],
           "bf16": [0x7F81, 0xFFC3, 0xFF80, 1 << 15, 1]}


def path(name):
    return os.path.join(folder.name, name)


def weights(dtype):
    bits, seen = WORDS[dtype]
    array = np.random.default_rng(1).integers(0, 2 ** (8 * np.dtype(bits).itemsize) - 1, (rows, d_model), bits)
    array[2] = SPECIAL[dtype]
    return array.view(seen)


def write_safetensors(name, **tensors):
    header, data = {}, b""
    for key, (dtype, array) in tensors.items():
        header[key] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    text = json.dumps(header).encode()
    pathlib.Path(path(name)).write_bytes(struct.pack("<Q", len(text)) + text + data)


def table(place, *options, output="t.npy"):
    return subprocess.run([command, "table", "learned", "--weights", place, *options, "--quiet", "--output", path(output)],
                          capture_output=True, text=True, timeout=60)


class Weights(unittest.TestCase):
    def tearDown(self):
        for left in pathlib.Path(folder.name).iterdir():
            left.unlink()

    def refused(self, place, why, *options, output="t.npy"):
        before = set(os.listdir(folder.name))
        done = table(place, *options, output=output)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
        self.assertIn(why, done.stderr)
        self.assertIn("; allowed: ", done.stderr)
        self.assertEqual(set(os.listdir(folder.name)), before)

    def gathered(self, place, dtype, array):
        done = table(place, "--positions", path("p.npy"))
        self.assertEqual(done.returncode, 0, done.stderr)
        made = np.load(path("t.npy"))
        self.assertEqual(made.tobytes(), array[[2, 6, 0, 2]].tobytes())
        self.assertEqual(json.loads(pathlib.Path(path("t.npy.json")).read_text())["dtype"], dtype)

    def test_rows_are_copied_bit_for_bit_from_every_container(self):
        np.save(path("p.npy"), np.array([2, 6, 0, 2]))
        for dtype in WORDS:
            array = weights(dtype)
            np.save(path("w.npy"), array)
            self.gathered(path("w.npy"), dtype, array)
            np.savez(path("w.npz"), wpe=array, other=np.zeros(3))
            self.gathered(path("w.npz#wpe"), dtype, array)
            write_safetensors("w.safetensors", wpe=(dtype.upper(), array), other=("F32", np.zeros(3, "f4")))
            self.gathered(path("w.safetensors#wpe"), dtype, array)

    def test_every_row_is_taken_unless_the_user_says(self):
        np.save(path("w.npy"), weights("f32"))
        self.assertEqual(table(path("w.npy")).returncode, 0)
        self.assertEqual(np.load(path("t.npy")).tobytes(), weights("f32").tobytes())

    def test_other_formats_keep_the_bits(self):
        for dtype in WORDS:
            array = weights(dtype)
            np.save(path("w.npy"), array)
            for name in "t.npz", "t.safetensors", "t.gguf":
                self.assertEqual(table(path("w.npy"), output=name).returncode, 0)
                self.assertIn(array.tobytes(), pathlib.Path(path(name)).read_bytes(), name)
            self.assertEqual(table(path("w.npy"), output="t.json").returncode, 0)
            bits = [[int(one, 16) for one in row["bits"]] for row in json.loads(pathlib.Path(path("t.json")).read_text())["rows"]]
            self.assertEqual(bits, array.view(WORDS[dtype][0]).tolist())
            self.assertEqual(table(path("w.npy"), output="t.csv").returncode, 0)
            self.assertIn("\n2,nan,nan,", pathlib.Path(path("t.csv")).read_text())
            is_narrow = dtype in ("f16", "bf16")
            for name in "t.h", "t.rs":
                done = table(path("w.npy"), output=name)
                self.assertEqual(done.returncode, 0 if is_narrow else 2, done.stderr)
                if is_narrow:
                    self.assertIn(f"0x{SPECIAL[dtype][0]:04x}", pathlib.Path(path(name)).read_text())
            for name in "t.py", "t.glsl":
                self.refused(path("w.npy"), "for weights with NaN; allowed: npy, npz, safetensors, gguf, json, csv", output=name)

    def test_a_dtype_that_the_weights_lack_is_refused(self):
        np.save(path("w.npy"), weights("f16"))
        self.assertEqual(table(path("w.npy"), "--dtype", "f16").returncode, 0)
        self.refused(path("w.npy"), "dtype is f32; allowed: f16, as ", "--dtype", "f32", output="u.npy")

    def test_digits_are_refused(self):
        np.save(path("w.npy"), weights("f32"))
        self.refused(path("w.npy"), "digits is 9; allowed: none for learned", "--digits", "9", output="t.csv")

    def test_positions_without_a_row_are_refused(self):
        np.save(path("w.npy"), weights("f32"))
        for positions, bad in ("8", 7), ("-1:3", -1), ("2147483647:2147483648", 2147483647):
            self.refused(path("w.npy"), f"(position {bad}); allowed: positions from 0 to 6, as the weights have 7 rows",
                         "--positions=" + positions)
        np.save(path("p.npy"), np.array([3, 7], "i8"))
        self.refused(path("w.npy"), "2 listed (position 7);", "--positions", path("p.npy"))
        self.refused(path("w.npy"), "positions-f64 is x.npy; allowed: none for learned", "--positions-f64", "x.npy")

    def test_arrays_that_hold_no_rows_are_refused(self):
        for shape in (), (6,), (2, 3, 1), (0, 4), (4, 0), (1, 65537):
            np.save(path("w.npy"), np.zeros(shape, "f2"))
            self.refused(path("w.npy"), f"(shape ({', '.join(map(str, shape))})); allowed: shape (max_position_embeddings, d_model)")
        for descr in "i4", "i8", "c8", "u1", ">f4", "?":
            np.save(path("w.npy"), np.zeros((2, 2), descr))
            self.refused(path("w.npy"), "(descr ")
        np.save(path("w.npy"), np.asfortranarray(np.zeros((3, 2), "f4")))
        self.refused(path("w.npy"), "(fortran_order True); allowed: C order")
        header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }\n"
        for shape, why in ("2147483648, 65536", "ends after "), ("9223372036854775807, 4", "beyond 2^62 bytes"), \
                ("99999999999999999999, 1", "beyond 64 bits"), ("-1, 4", "negative shape"):
            text = (header % shape).encode()
            pathlib.Path(path("w.npy")).write_bytes(b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text + bytes(16))
            self.refused(path("w.npy"), why)
        pathlib.Path(path("w.npy")).write_bytes(b"")
        self.refused(path("w.npy"), "no .npy magic")
        self.refused(path("none.npy"), "weights is ")
        np.savez(path("w.npz"), a=weights("f32"), b=weights("f32"))
        self.refused(path("w.npz"), "#NAME with a NAME of a, b")
        self.refused(path("w.npz#c"), "#NAME with a NAME of a, b")
        self.refused(path("w.npz#*"), "the name of one array")
        self.assertIn("weights is missing", subprocess.run([command, "table", "learned", "--output", "-"], capture_output=True, text=True).stderr)

    def test_a_pipe_with_a_false_shape_is_refused(self):
        text = b"{'descr': '<f4', 'fortran_order': False, 'shape': (2147483648, 65536), }\n"
        data = b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text + bytes(16)
        done = subprocess.run([command, "table", "learned", "--weights", "-", "--output", "-"], input=data, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"ends before its last element", done.stderr)

    def test_a_comparison_is_of_bits(self):
        array = weights("bf16")
        np.save(path("w.npy"), array)
        np.save(path("same.npy"), array[1:4])
        moved = array[1:4].copy()
        moved[2, 4] ^= 1
        np.save(path("moved.npy"), moved)
        np.save(path("wide.npy"), np.zeros((3, d_model), "f4"))

        def compared(name):
            return subprocess.run([command, "table", "learned", "--weights", path("w.npy"), "--positions", "1:4", "--quiet", "--compare", path(name)],
                                  capture_output=True, text=True)
        self.assertEqual(compared("same.npy").returncode, 0)
        self.assertEqual(compared("moved.npy").returncode, 1)
        self.assertIn("position 3, channel 4", compared("moved.npy").stdout)
        self.assertIn("dtype f32); allowed: bf16, as ", compared("wide.npy").stderr)
        self.assertEqual(compared("wide.npy").returncode, 2)


if __name__ == "__main__":
    unittest.main()
