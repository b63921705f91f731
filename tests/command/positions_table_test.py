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

    def test_all_axes_go_into_one_file_as_long_as_the_class_has_them(self):
        for name, layout in ("rope.npz", "complex"), ("rope.safetensors", "vllm"):
            done = run("table", "cos-sin", "--model", "lumina-2", "--axis", "all", "--layout", layout, "--dtype", "f64", "--output",
                       self.path(name))
            self.assertEqual(done.returncode, 0, done.stderr)
            judged = run("verify", "--table", self.path(name) + "#*", "--layout", layout, "--model", "lumina-2", "--verbose")
            self.assertEqual(judged.returncode, 0, judged.stdout + judged.stderr)
            for axis, length in enumerate((300, 512, 512)):
                self.assertIn(f"axis_{axis}.cos_sin, cos-sin of lumina-2, axis {axis}: {32 * length} entries", judged.stdout)
        file = np.load(self.path("rope.npz"))
        self.assertEqual(sorted(set(file.files) - {"record"}), ["axis_0.cos_sin", "axis_1.cos_sin", "axis_2.cos_sin"])
        for axis, length in enumerate((300, 512, 512)):
            angles = np.arange(length)[:, None] * 10000.0 ** (-np.arange(0, 32, 2) / 32)
            self.assertLess(np.abs(file[f"axis_{axis}.cos_sin"] - np.exp(1j * angles)).max(), 1e-11)
        one = run("verify", "--table", self.path("rope.npz") + "#axis_1.cos_sin", "--as", "cos-sin", "--axis", "1", "--layout", "complex",
                  "--model", "lumina-2")
        self.assertEqual(one.returncode, 0, one.stdout + one.stderr)
        # The first axis alone has other frequencies in z-image; an array of one axis is not that of another.
        done = run("table", "cos,sin", "--model", "z-image", "--axis", "all", "--positions", "40", "--output", self.path("two.npz"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(set(np.load(self.path("two.npz")).files) - {"record"}), 6)
        swapped = run("verify", "--table", self.path("two.npz") + "#axis_1.cos", "--as", "cos", "--axis", "2", "--model", "z-image")
        self.assertEqual(swapped.returncode, 0, swapped.stdout)  # equal widths: the same numbers
        other = run("verify", "--table", self.path("two.npz") + "#axis_1.cos", "--as", "cos", "--axis", "0", "--model", "z-image")
        self.assertEqual(other.returncode, 1, other.stdout)
        self.assertIn("the array has 24 pairs, and the model 16", other.stdout)
        source = run("table", "cos", "--model", "z-image", "--axis", "all", "--positions", "2", "--output", self.path("cos.h"))
        self.assertEqual(source.returncode, 0, source.stderr)
        with open(self.path("cos.h"), encoding="utf-8") as text:
            self.assertIn("ropewalk_axis_2_cos[", text.read())

    def test_all_axes_are_refused_where_there_are_none_of_their_own(self):
        done = run("table", "cos-sin", "--layout", "vllm", "--model", "bria-3.2", "--axis", "all", "--positions", "4", "--output", self.path("bria.npz"))
        self.assertEqual((done.returncode, sorted(np.load(self.path("bria.npz")))), (0, ["axis_1.cos_sin", "axis_2.cos_sin", "record"]))
        for words, said in [(["--model", "llama-3.1-8b", "--axis", "all"], "axis is 0"),
                            (["--model", "bria-3.2", "--axis", "0"], "axis is 0 of bria-3.2 (no pairs); allowed: an axis that turns pairs"),
                            (["--model", "lumina-2", "--axis", "all", "--grid", "4x4"], "axis is 0; allowed: none with --grid"),
                            (["--model", "sam-3-vit", "--axis", "all", "--layer", "all"], "axis is all; allowed: one axis with --layer all"),
                            (["--model", "lumina-2", "--axis", "all", "--format", "npy"], "format is npy"),
                            (["--model", "lumina-2", "--axis", "some"], "axis is some")]:
            done = run("table", "cos-sin", "--layout", "complex", *words, "--output", self.path("none.npz"))
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(said, done.stderr)
            self.assertFalse(os.path.exists(self.path("none.npz")))
        compared = run("table", "cos-sin", "--layout", "complex", "--model", "lumina-2", "--axis", "all", "--compare", self.path("x.npy"))
        self.assertIn("axis is all; allowed: one axis with --compare", compared.stderr)

    def judge(self, array, *words, model="wan-2.1-14b", grid="3x4x5"):
        np.save(self.path("ids.npy"), array)
        return run("verify", "--table", self.path("ids.npy"), "--as", "positions", "--model", model, "--grid", grid, *words)

    def test_whole_positions_may_be_floating_numbers(self):
        ids = self.table("--model", "wan-2.1-14b", "--grid", "3x4x5")
        for dtype in np.int32, np.float64, np.float32, np.float16:
            done = self.judge(ids.astype(dtype))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        wrong = ids.astype(np.float32)
        wrong[2, 17] += 1
        done = self.judge(wrong)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("axis 2, token 17", done.stdout)
        swapped = self.judge(ids[[0, 2, 1]].astype(np.float32))
        self.assertEqual(swapped.returncode, 1, swapped.stderr)
        far = self.table("--model", "ideogram-4", "--grid", "2x3")
        done = self.judge(far.astype(np.float32), model="ideogram-4", grid="2x3")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = self.judge(np.minimum(far, 65504).astype(np.float16), model="ideogram-4", grid="2x3")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("(f16); allowed: a format that has 65536, the position of axis 0, token 0", done.stderr)

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
