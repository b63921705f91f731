"""ropewalk apply by coordinates: rows of positions, whole or real, for models of several axes and for one with its own frequencies."""

import json
import os
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
KERNELS = "cpu-turns", "cpu-table"
TOKENS = 11


class ApplyOnAxes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.random = np.random.default_rng(43)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_command(self, *words):
        return subprocess.run([COMMAND, *words], capture_output=True, text=True)

    def applied(self, axes, x, positions, kernel):
        np.save(self.path("x.npy"), x)
        np.save(self.path("p.npy"), positions)
        done = self.run_command("apply", "--axes", axes, "--kernel", kernel, "--input", self.path("x.npy"), "--positions",
                                self.path("p.npy"), "--output", self.path("y.npy"))
        self.assertEqual(done.returncode, 0, done.stderr)
        return np.load(self.path("y.npy"))

    def rows(self, axes, positions):
        np.save(self.path("p.npy"), positions)
        done = self.run_command("table", "axes", "--axes", axes, "--layout", "vllm", "--positions", self.path("p.npy"), "--output",
                                self.path("t.npy"))
        self.assertEqual(done.returncode, 0, done.stderr)
        return np.split(np.load(self.path("t.npy")), 2, axis=1)

    def canonical(self, axes, x, positions, pairs, is_interleaved):
        cos, sin = (part[:, None, :] for part in self.rows(axes, positions))
        first = np.s_[..., 0:2 * pairs:2] if is_interleaved else np.s_[..., 0:pairs]
        second = np.s_[..., 1:2 * pairs:2] if is_interleaved else np.s_[..., pairs:2 * pairs]
        y = x.copy()
        y[first] = x[first] * cos - x[second] * sin
        y[second] = x[first] * sin + x[second] * cos
        return y

    def check(self, axes, count, pairs, head_dim, is_interleaved, positions):
        x = self.random.standard_normal((TOKENS, 2, head_dim)).astype(np.float32)
        wanted = self.canonical(axes, x, positions, pairs, is_interleaved)
        for kernel in KERNELS:
            found = self.applied(axes, x, positions, kernel)
            self.assertTrue(np.array_equal(wanted.view(np.uint32), found.view(np.uint32)), f"{axes} by {kernel}")

    def test_whole_and_real_coordinates(self):
        for axes, count, pairs, head_dim, is_interleaved in (
                ("wan", 3, 64, 128, True), ("dinov3", 2, 32, 64, False), ("minimax-h3", 3, 48, 128, False), ("ltx-2-audio", 1, 1024, 2048, True)):
            # At 5 units a frequency of 1/10 turn, DINOv3's pair 8, is at half a turn, which 256 bits do not say.
            reach = 3 if axes == "dinov3" else 5000
            whole = self.random.integers(-2, reach, (count, TOKENS), dtype=np.int32)
            self.check(axes, count, pairs, head_dim, is_interleaved, whole)
            self.check(axes, count, pairs, head_dim, is_interleaved, self.random.uniform(-1, 1, (count, TOKENS)))

    def test_exact_coordinates_of_an_index(self):
        middles = json.dumps({"axes": [{"pairs": 8, "first": 1, "last": "1/100", "unit": "turn", "scale": "2/7", "offset": "-3"}] * 2,
                              "pairing": "half-split"})
        self.check(middles, 2, 16, 32, False, self.random.integers(0, 7, (2, TOKENS), dtype=np.int32))

    def test_refusals(self):
        np.save(self.path("x.npy"), np.zeros((TOKENS, 2, 128), np.float32))
        np.save(self.path("p.npy"), np.zeros((3, TOKENS)))
        words = ["apply", "--axes", "wan", "--input", self.path("x.npy"), "--output", self.path("y.npy")]
        said = self.run_command(*words, "--kernel", "cpu-turns")
        self.assertEqual(said.returncode, 2)
        self.assertIn("positions is missing; allowed: an array [3, N]", said.stderr)
        said = self.run_command(*words, "--kernel", "recipe-ggml", "--positions", self.path("p.npy"))
        self.assertEqual(said.returncode, 2, said.stderr)
        self.assertIn("whole numbers, because", said.stderr)
        np.save(self.path("p.npy"), np.zeros((3, TOKENS + 1)))
        said = self.run_command(*words, "--kernel", "cpu-turns", "--positions", self.path("p.npy"))
        self.assertEqual(said.returncode, 2)
        self.assertIn(f"{TOKENS} positions, one per token", said.stderr)
        self.assertFalse(os.path.exists(self.path("y.npy")))


if __name__ == "__main__":
    unittest.main()
