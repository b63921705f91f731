"""ropewalk apply with kernels that add: ALiBi's biases and sinusoidal rows, against NumPy and the exact tables."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: python3-numpy is not installed")
    sys.exit(77)

COMMAND = os.environ["ROPEWALK_COMMAND"]
FAULTS = os.environ["ROPEWALK_FAULTS_LIBRARY"]
HEADS = 6
SLOPES = np.array([2.0**-2, 2.0**-4, 2.0**-6, 2.0**-8, 2.0**-1, 2.0**-3])  # exact


class ApplyAdditions(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.random = np.random.default_rng(1)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_apply(self, x, *options, kernel):
        np.save(self.path("x.npy"), x)
        return subprocess.run([COMMAND, "apply", "--kernel", kernel, "--input", self.path("x.npy"), "--output",
                               self.path("y.npy"), "--quiet", *options], capture_output=True, text=True)

    def applied(self, x, *options, kernel="cpu-alibi-add"):
        done = self.run_apply(x, *options, kernel=kernel)
        self.assertEqual(done.returncode, 0, done.stderr)
        return np.load(self.path("y.npy"))

    def numbers(self, *shape, dtype=np.float32):
        return self.random.standard_normal(shape).astype(dtype)

    @staticmethod
    def biases(form, queries, keys):
        """[queries, heads, keys], exact in binary64."""
        query, key = np.asarray(queries, dtype=np.int64)[:, None, None], np.arange(keys)
        steps = {"causal": key - query, "symmetric": -abs(key - query), "bloom": key + 0 * query,
                 "flash-attention": key + 0 * query, "mpt": key - (keys - 1) + 0 * query}[form]
        return steps * SLOPES[:, None]

    def test_biases_of_every_form_are_added(self):
        x = self.numbers(5, HEADS, 9)
        for form in ("causal", "symmetric", "bloom", "flash-attention", "mpt"):
            exact = x.astype(np.float64) + self.biases(form, range(4, 9), 9)  # the last query is at the last key
            for kernel in ("cpu-alibi-add", "exact", "exact-alibi-add"):
                y = self.applied(x, "--form", form, kernel=kernel)
                np.testing.assert_array_equal(y, exact.astype(np.float32), f"{form} {kernel}")
        record = json.loads(pathlib.Path(self.path("y.npy.json")).read_text())
        self.assertEqual(record["encoding"], {"name": "alibi", "heads": HEADS, "form": "mpt"})
        self.assertEqual((record["axes"], record["positions"]), ("[queries, heads, keys]", "4:9"))

    def test_batch_rows_positions_dtypes_and_threads(self):
        x = self.numbers(2, 700, HEADS, 40, dtype=np.float16)
        for form in ("causal", "bloom"):
            y = self.applied(x, "--form", form, "--positions", "-3:697", "--heads", str(HEADS))
            bias = self.biases(form, range(-3, 697), 40)
            np.testing.assert_array_equal(y, (x.astype(np.float32) + bias.astype(np.float32)).astype(np.float16))
            one = self.applied(x, "--form", form, "--positions", "-3:697", "--threads", "1")
            np.testing.assert_array_equal(y.view(np.uint16), one.view(np.uint16))

    def test_irrational_slopes_are_those_of_the_exact_table(self):
        x = self.numbers(7, 12, 7, dtype=np.float64)
        subprocess.run([COMMAND, "table", "alibi-bias", "--heads", "12", "--keys", "7", "--dtype", "f64", "--quiet",
                        "--output", self.path("bias.npy")], check=True)
        wanted = x + np.load(self.path("bias.npy")).transpose(1, 0, 2)
        np.testing.assert_array_equal(self.applied(x), wanted)
        exact = self.applied(x, "--form", "causal", kernel="exact")
        self.assertTrue((abs(exact - wanted) <= abs(wanted) * 2.0**-52 + 2.0**-52).all())

    def test_sinusoidal_rows_are_added_to_rows_heads_and_batches(self):
        options = ["--layout", "sin-cos", "--shift", "1", "--base", "500"]
        subprocess.run([COMMAND, "table", "sinusoidal", "--d-model", "16", *options, "--positions", "2:13", "--quiet",
                        "--dtype", "f32", "--output", self.path("rows.npy")], check=True)
        rows = np.load(self.path("rows.npy"))
        for shape in ((11, 16), (11, 3, 16), (2, 11, 3, 16)):
            x = self.numbers(*shape)
            wanted = x + (rows if len(shape) == 2 else rows[:, None])
            y = self.applied(x, *options, "--positions", "2:13", kernel="cpu-sinusoidal-add")
            self.assertEqual(y.shape, shape)
            np.testing.assert_array_equal(y, wanted)
        given = self.numbers(11, 16)
        exact = self.applied(given, "--d-model", "16", *options, "--positions", "2:13", kernel="exact")
        np.testing.assert_allclose(exact, given.astype(np.float64) + rows, rtol=2e-7, atol=2e-7)
        record = json.loads(pathlib.Path(self.path("y.npy.json")).read_text())
        self.assertEqual((record["encoding"]["d_model"], record["promise"]), (16, "exact"))

    def test_a_config_names_the_form_and_the_heads(self):
        config = self.path("config.json")
        pathlib.Path(config).write_text(json.dumps({"model_type": "mpt", "n_heads": HEADS}))
        x = self.numbers(3, HEADS, 5)
        y = self.applied(x, "--config", config)
        np.testing.assert_array_equal(y, (x.astype(np.float64) + self.biases("mpt", range(3), 5)).astype(np.float32))
        np.testing.assert_array_equal(y, self.applied(x, "--config", config, kernel="exact"))
        done = self.run_apply(self.numbers(3, 4, 5), "--config", config, kernel="cpu-alibi-add")
        self.assertEqual(done.returncode, 2)
        self.assertIn("input is [3, 4, 5]; allowed: scores of 6 heads", done.stderr)

    def test_a_library_that_knows_no_form_is_asked(self):
        x = self.numbers(4, HEADS, 4)
        y = self.applied(x, "--form", "bloom", kernel=f"library:{FAULTS}#fault-alibi-key")
        np.testing.assert_array_equal(y, (x.astype(np.float64) + self.biases("bloom", range(4), 4)).astype(np.float32))

    def test_bad_combinations_are_one_line_exit_2_and_no_file(self):
        scores, rows, heads = self.numbers(4, HEADS, 9), self.numbers(4, 16), self.numbers(4, 2, 16)
        for x, kernel, options, field in (
                (scores, "cpu-alibi-add", ["--form", "key"], "form is key; allowed: causal, symmetric, bloom, mpt, flash-attention"),
                (scores, "cpu-alibi-add", ["--heads", "5"], "input is [4, 6, 9]; allowed: scores of 5 heads"),
                (scores, "cpu-alibi-add", ["--heads", "x"], "heads is x"),
                (scores, "cpu-alibi-add", ["--d-model", "9"], "d-model is 9; allowed: only with a kernel that adds sinusoidal rows"),
                (scores, "cpu-alibi-add", ["--base", "10000"], "base is 10000"),
                (scores, "cpu-alibi-add", ["--model", "llama-3.1-8b"], "model is llama-3.1-8b"),
                (scores, "cpu-alibi-add", ["--backward"], "backward is given; allowed: only with a kernel that rotates"),
                (scores, "cpu-alibi-add", ["--unit"], "unit is given"),
                (scores, "cpu-alibi-add", ["--positions", "3"], "positions is 0:3"),
                (rows, "cpu-alibi-add", [], "input is [4, 16]; allowed: [queries, heads, keys] or [batch, queries, heads, keys]"),
                (self.numbers(9, HEADS, 4), "cpu-alibi-add", [], "positions is missing; allowed: one position per query: with 9 queries and 4 keys"),
                (rows, "cpu-sinusoidal-add", ["--d-model", "8"], "input is [4, 16]; allowed: [tokens, 8]"),
                (rows, "cpu-sinusoidal-add", ["--form", "mpt"], "form is mpt; allowed: only with a kernel that adds ALiBi's bias"),
                (rows, "cpu-sinusoidal-add", ["--layout", "hf"], "layout is hf"),
                (self.numbers(4, 5), "cpu-sinusoidal-add", [], "d-model is 5"),
                (heads, "cpu-table", ["--base", "10000", "--head-dim", "16", "--heads", "2"], "heads is 2; allowed: only with"),
                (heads, "cpu-table", [], "which encoding is missing"),
                (scores, "exact", ["--heads", "6", "--d-model", "9"], "kernel is exact; allowed: options of one encoding")):
            done = self.run_apply(x, *options, kernel=kernel)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), f"{kernel} {options} {done.stderr}")
            self.assertIn(field, done.stderr)
            self.assertFalse(os.path.exists(self.path("y.npy")), field)


if __name__ == "__main__":
    unittest.main()
