#!/usr/bin/env python3
"""`ropewalk table positions`: where tokens stand, as whole numbers or exact quotients rounded once; and as --positions takes it."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

program = os.environ["ROPEWALK_COMMAND"]


def run(*words):
    return subprocess.run([program, *words], capture_output=True, text=True)


class Positions(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def table(self, *words, kind="positions"):
        done = run("table", kind, *words, "--output", self.path("t.npy"))
        self.assertEqual(done.returncode, 0, done.stderr)
        return np.load(self.path("t.npy"))

    def expect_rounded(self, got, exact):
        """Each entry is a number of its format that is nearest to the exact one."""
        for entry, quotient in zip(got.ravel(), exact):
            apart = abs(Fraction(float(entry)) - quotient)
            for towards in (-np.inf, np.inf):
                other = np.nextafter(entry, got.dtype.type(towards))
                self.assertLessEqual(apart, abs(Fraction(float(other)) - quotient), (entry, quotient))

    def test_whole_numbers_are_int32_and_give_the_grid_s_table_again(self):
        got = self.table("--model", "wan-2.1-14b", "--grid", "3x4x5")
        self.assertEqual(got.dtype, np.int32)
        np.testing.assert_array_equal(got, np.indices((3, 4, 5)).reshape(3, -1))
        for dtype, name in ((np.float64, "f64"), (np.float32, "f32")):
            same = self.table("--model", "wan-2.1-14b", "--grid", "3x4x5", "--dtype", name)
            self.assertEqual(same.dtype, dtype)
            np.testing.assert_array_equal(same, got)
        np.save(self.path("thw.npy"), got)
        of_grid = self.table("--model", "wan-2.1-14b", "--grid", "3x4x5", "--layout", "vllm", kind="cos-sin")
        of_file = self.table("--model", "wan-2.1-14b", "--positions", self.path("thw.npy"), "--layout", "vllm",
                             kind="cos-sin")
        self.assertEqual(of_grid.tobytes(), of_file.tobytes())

    def test_text_and_references_stand_where_the_model_has_them(self):
        got = self.table("--model", "flux.2-dev", "--grid", "2x3", "--text", "4", "--reference", "1x2")
        self.assertEqual(got.shape, (4, 4 + 6 + 2))
        np.testing.assert_array_equal(got[3, :4], np.arange(4))

    def test_centres_of_patches_are_quotients_rounded_once_in_every_format(self):
        exact = [Fraction(2 * (i // 5 if axis == 0 else i % 5) + 1 - n, n) for axis, n in ((0, 3), (1, 5)) for i in range(15)]
        for dtype in ("f64", "f32", "f16"):
            self.expect_rounded(self.table("--model", "dinov3-vitl16", "--grid", "3x5", "--dtype", dtype), exact)

    def test_seconds_and_divided_indices_are_exact_before_they_are_rounded(self):
        got = self.table("--model", "ltx-video", "--grid", "3x1x1", "--fps", "30000/1001", "--dtype", "f64")
        self.expect_rounded(got[0], [2 * Fraction(8 * t * 1001, 30000) / 20 - 1 for t in range(3)])
        got = self.table("--model", "kandinsky-5-lite", "--grid", "2x3x4", "--dtype", "f64")
        rows = np.indices((2, 3, 4)).reshape(3, -1)[1]
        self.expect_rounded(got[1], [Fraction(int(row)) / Fraction(3.16) for row in rows])  # the code's binary64

    def test_each_axis_has_the_table_that_a_list_of_axes_keeps(self):
        for axis, (width, length) in enumerate(((32, 300), (48, 512), (48, 512))):  # Z-Image's, of base 256
            got = self.table("--model", "z-image", "--axis", str(axis), "--positions", str(length), "--layout", "complex",
                             "--dtype", "f64", kind="cos-sin")
            angles = np.arange(length)[:, None] * 256.0 ** (-np.arange(0, width, 2) / width)
            self.assertEqual((got.dtype, got.shape), (np.complex128, (length, width // 2)))
            self.assertLess(np.abs(got - np.exp(1j * angles)).max(), 1e-11)
        np.save(self.path("axis.npy"), got)
        judged = run("verify", "--table", self.path("axis.npy"), "--as", "cos-sin", "--layout", "complex", "--model", "z-image", "--axis", "2")
        self.assertEqual(judged.returncode, 0, judged.stdout + judged.stderr)
        for words, said in [(["--model", "z-image", "--axis", "3"], "axis is 3"), (["--model", "llama-3.1-8b", "--axis", "0"], "axis is 0"),
                            (["--model", "z-image", "--axis", "0", "--grid", "4x4"], "axis is 0; allowed: none with --grid")]:
            done = run("table", "cos-sin", "--layout", "complex", *words, "--output", self.path("none.npy"))
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(said, done.stderr)

    def test_an_array_with_a_wrong_entry_is_found(self):
        got = self.table("--model", "dinov3-vitl16", "--grid", "3x5", "--dtype", "f32")
        np.save(self.path("theirs.npy"), got)
        judged = ["verify", "--table", self.path("theirs.npy"), "--as", "positions", "--model", "dinov3-vitl16", "--grid", "3x5"]
        self.assertEqual(run(*judged).returncode, 0)
        got[1, 7] = np.nextafter(got[1, 7], np.float32(9))
        np.save(self.path("theirs.npy"), got)
        wrong = run(*judged)
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("axis 1, token 7", wrong.stdout)

    def test_the_record_says_the_order_of_the_tokens(self):
        self.table("--model", "wan-2.1-14b", "--grid", "3x4x5")
        with open(self.path("t.npy.json"), encoding="utf-8") as record:
            self.assertEqual(json.load(record)["encoding"]["tokens"], 60)

    def test_what_has_no_such_table_is_refused(self):
        for words, said in [(["--model", "wan-2.1-14b"], "grid is missing"),
                            (["--model", "llama-3.1-8b"], "of which llama-3.1-8b is none"),
                            (["--axes", "wan"], "axes is wan; allowed: none for positions"),
                            (["--model", "wan-2.1-14b", "--grid", "2x2", "--positions", "4"], "positions is 4"),
                            (["--model", "wan-2.1-14b", "--grid", "2x2", "--dtype", "f8"], "dtype is f8"),
                            (["--model", "wan-2.1-14b", "--grid", "2x2", "--layout", "hf"], "layout is hf")]:
            done = run("table", "positions", *words, "--output", self.path("none.npy"))
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(said, done.stderr)
            self.assertFalse(os.path.exists(self.path("none.npy")))


if __name__ == "__main__":
    unittest.main()
