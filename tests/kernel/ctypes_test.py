"""The canonical kernels through kernel.h, from Python: they give numpy's bits on the program's tables."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
try:
    import numpy as np
except ImportError:
    print("skipped: python3-numpy is not installed")
    sys.exit(77)
import kernel_h as h

MODEL = ["--base", "10000", "--head-dim", "24", "--rotary-dim", "20", "--pairing", "half-split"]
HEAD_DIM, ROTARY_DIM, PAIRS = 24, 20, 10
TOKENS = 33


def table(kind, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.npy")
        command = [os.environ["ROPEWALK_COMMAND"], "table", kind, *MODEL, "--quiet", "--output", path]
        subprocess.run(command + list(options), check=True)
        return np.load(path)


def to_bfloat16(x):
    bits = x.view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def from_bfloat16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


class CpuTable(unittest.TestCase):
    name = "cpu-table"
    widths = ((np.float32, h.F32, "f32"), (np.float64, h.F64, "f64"))

    @classmethod
    def setUpClass(cls):
        cls.kernels = h.kernels(os.environ["ROPEWALK_KERNELS_LIBRARY"])
        cls.inv_freq = table("inv-freq", "--dtype", "f64")
        cls.turns = table("turns")
        cls.rows = {name: [table(kind, "--dtype", name, "--positions", str(TOKENS))
                           for kind in ("cos", "sin")] for name in ("f32", "f64")}
        cls.random = np.random.default_rng(1)

    def encoding(self, pairing=h.HALF_SPLIT):
        r = h.headed(h.Rotation)
        r.head_dim, r.rotary_dim, r.pairing_in, r.pairing_out, r.axes = (
            HEAD_DIM, ROTARY_DIM, pairing, pairing, 1)
        r.inv_freq, r.turns, r.attention_factor = self.inv_freq.ctypes.data, self.turns.ctypes.data, 1.0
        return r

    def plan(self, name=None, **options):
        return h.Plan(self.kernels[name or self.name], self.encoding(**options))

    def rotated(self, x, rows, backward=False, interleaved=False):
        """The canonical rotation, by single numpy operations in the format of the rows."""
        cos, sin = (row[:, None, :] for row in rows)
        sin = -sin if backward else sin
        first = slice(0, ROTARY_DIM, 2) if interleaved else slice(0, PAIRS)
        second = slice(1, ROTARY_DIM, 2) if interleaved else slice(PAIRS, ROTARY_DIM)
        y = x.copy()
        y[..., first] = x[..., first] * cos - x[..., second] * sin
        y[..., second] = x[..., first] * sin + x[..., second] * cos
        return y

    def numbers(self, dtype):
        return self.random.standard_normal((TOKENS, 3, HEAD_DIM)).astype(dtype)

    def test_lists_every_kernel(self):
        self.assertEqual({name: k.promise.contents.bits for name, k in self.kernels.items()},
                         {"exact": h.EXACT, "cpu-turns": h.CANONICAL, "cpu-table": h.CANONICAL,
                          "cpu-sinusoidal-add": h.CANONICAL, "cpu-alibi-add": h.CANONICAL})

    def test_wide_formats_are_numpys_bits(self):
        for dtype, code, name in self.widths:
            for backward in (False, True):
                x = self.numbers(dtype)
                y = np.zeros_like(x)
                self.plan().apply(h.call_for(x, y, code, h.BACKWARD if backward else 0))
                np.testing.assert_array_equal(y, self.rotated(x, self.rows[name], backward))

    def test_binary16_widens_and_rounds_once(self):
        x = self.numbers(np.float16)
        wanted = self.rotated(x.astype(np.float32), self.rows["f32"]).astype(np.float16)
        self.plan().apply(h.call_for(x, x, h.F16))
        np.testing.assert_array_equal(x.view(np.uint16), wanted.view(np.uint16))

    def test_bfloat16_widens_and_rounds_once(self):
        x = to_bfloat16(self.numbers(np.float32))
        wanted = to_bfloat16(self.rotated(from_bfloat16(x), self.rows["f32"]))
        y = np.zeros_like(x)
        self.plan().apply(h.call_for(x, y, h.BF16))
        np.testing.assert_array_equal(y, wanted)

    def test_interleaved_views_with_strides_in_place(self):
        whole = self.random.standard_normal((3, TOKENS, 2 * HEAD_DIM)).astype(np.float32)
        x = whole[:, ::-1, ::2].transpose(1, 0, 2)
        untouched = whole[:, :, 1::2].copy()
        wanted = self.rotated(x.copy(), self.rows["f32"], interleaved=True)
        self.plan(pairing=h.INTERLEAVED).apply(h.call_for(x, x, h.F32))
        np.testing.assert_array_equal(x, wanted)
        np.testing.assert_array_equal(whole[:, :, 1::2], untouched)

    def test_positions_choose_rows(self):
        positions = self.random.integers(0, TOKENS, TOKENS).astype(np.int32)
        x = self.numbers(np.float32)
        y = np.zeros_like(x)
        self.plan().apply(h.call_for(x, y, h.F32, positions=positions))
        np.testing.assert_array_equal(y, self.rotated(x, [row[positions] for row in self.rows["f32"]]))

    def test_exact_is_what_binary64_rounds_to(self):
        x = self.numbers(np.float32)
        y = np.zeros_like(x)
        self.plan("exact").apply(h.call_for(x, y, h.F32))
        wide = self.rotated(x.astype(np.float64), self.rows["f64"])
        differs = y != wide.astype(np.float32)
        self.assertLess(np.count_nonzero(differs), 3)  # the binary64 result may cross a rounding midpoint

    def test_refusals_name_the_field(self):
        x = self.numbers(np.float32)
        call = h.call_for(x, x[1:], h.F32)
        with self.assertRaises(h.Refused) as refused:
            self.plan().apply(call)
        self.assertEqual(refused.exception.status, h.INVALID_ARGUMENT)
        self.assertEqual(refused.exception.field, "query_out.shape[0]")
        encoding = self.encoding()
        encoding.rotary_dim = 7
        with self.assertRaises(h.Refused) as refused:
            h.Plan(self.kernels[self.name], encoding)
        self.assertEqual(refused.exception.field, "rotary_dim")


class CpuTurns(CpuTable):
    name = "cpu-turns"
    widths = ((np.float32, h.F32, "f32"),)

    def test_binary64_is_left_to_cpu_table(self):
        x = self.numbers(np.float64)
        with self.assertRaises(h.Refused) as refused:
            self.plan().apply(h.call_for(x, x, h.F64))
        self.assertEqual((refused.exception.status, refused.exception.field),
                         (h.UNSUPPORTED, "query_in.dtype"))


if __name__ == "__main__":
    unittest.main()
