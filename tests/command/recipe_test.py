"""Tables made by numpy the way engines make them: `table --compare` names the recipe. And the laws that recipes fail."""

import json
import os
import re
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
PAIRS = 64
BY_HAND = ["--base", "10000", "--head-dim", "128", "--pairing", "half-split"]
SCALED = [*BY_HAND, "--scaling", '{"rope_type": "linear", "factor": 3.0}']
HUGGING_FACE = " with inverse frequencies as Hugging Face forms them"
POSITIONS = np.arange(100000, 100300)
# What each recipe claims, and what it is found to be as good as.
AS_GOOD_AS = {
    "recipe-hf-f32": ("angle-f32", "angle-f32 (angle f32, table f32, rotation f32)"),
    "recipe-ggml": ("frequency=repeated,angle=f32,table=f32,rotation=f32,fused",
                    "frequency repeated, angle f32, table f32, rotation f32"),
    "recipe-bf16-cache": ("frequency=given,angle=f32,table=bf16,rotation=f32,fused",
                          "angle f32, table bf16, rotation f32"),
    "recipe-bf16-angle": ("frequency=given,angle=bf16,table=bf16,rotation=f32,fused",
                          "angle bf16, table bf16, rotation f32"),
    "recipe-f64": ("angle-f64", "angle-f64 (angle f64, table f32, rotation f32)"),
    "recipe-hf-eager": ("hf", "angle-f32 (angle f32, table f32, rotation f32)")}

LOOPS_OF_ENGINES = {"recipe-ggml", "recipe-hf-eager"}


def to_f32(values):
    return np.asarray(values, np.float64).astype(np.float32)


def to_bf16(values):
    """Rounded to bfloat16, to nearest even; the bits."""
    bits = np.asarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def of_bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def cos_sin(angle):
    """Of an angle of any format, correctly rounded to binary32 but for the rarest of cases."""
    return to_f32(np.cos(angle.astype(np.float64))), to_f32(np.sin(angle.astype(np.float64)))


def exact_inv_freq():
    return 10000.0 ** (-np.arange(PAIRS) / PAIRS)


def hugging_face_inv_freq():
    exponent = (np.arange(0, 2 * PAIRS, 2).astype(np.float32) / np.float32(2 * PAIRS)).astype(np.float64)
    return np.float32(1) / to_f32(10000.0 ** exponent)


def hf_f32(inv_freq):
    return cos_sin(POSITIONS.astype(np.float32)[:, None] * inv_freq[None, :])


def ggml():
    theta_scale = to_f32(10000.0 ** float(np.float32(-2) / np.float32(2 * PAIRS)))
    theta = POSITIONS.astype(np.float32)
    columns = []
    for _ in range(PAIRS):
        columns.append(theta)
        theta = theta * theta_scale
    return cos_sin(np.stack(columns, axis=1))


def bf16_angle():
    position = of_bf16(to_bf16(POSITIONS.astype(np.float32)))
    inv_freq = of_bf16(to_bf16(to_f32(exact_inv_freq())))
    cos, sin = cos_sin(of_bf16(to_bf16(position[:, None] * inv_freq[None, :])))
    return to_bf16(cos), to_bf16(sin)


class Judged(unittest.TestCase):
    def verify(self, kernel, *options, cases=60):
        done = subprocess.run([COMMAND, "verify", "--kernel", kernel, "--model", "llama-2-7b", "--quiet", "--cases",
                               str(cases), "--allow-cut", "--seed", "1", "--diagnosis", "0", *options], capture_output=True, text=True, timeout=250)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.returncode, done.stdout

    def expect_judged(self, kernel, *options):
        promise, parts = AS_GOOD_AS[kernel]
        code, said = self.verify(kernel, "--law", "accuracy", "--dtype", "f32", *options, cases=200)
        self.assertEqual(code, 0, said)
        self.assertRegex(said, re.escape(f"{kernel} claims {promise}; f32: judged as good as: {parts} (tried on ")
                         + r"[1-9]\d* cases of accuracy\)(; not \S+( \S+)*: accuracy came to [\d.e+]+ times its bound in a case that breaks it)?\n")


class Recipe(Judged):
    def compare(self, kind, array, *options, which=BY_HAND, expected_code=1):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "theirs.npy")
            np.save(path, array)
            done = subprocess.run([COMMAND, "table", kind, *which, *options, "--quiet", "--compare", path],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, expected_code, done.stdout + done.stderr)
            line = [line for line in done.stdout.splitlines() if line.startswith("recipe ")]
            as_json = subprocess.run([COMMAND, "table", kind, *which, *options, "--quiet", "--json", "--compare", path],
                                     capture_output=True, text=True)
            names = json.loads(as_json.stdout)["recipes"]
            self.assertEqual(len(line), 1)
            return line[0][len("recipe "):].strip(), names

    def rows(self, kind, array, **given):
        return self.compare(kind, array, "--positions", "100000:100300", **given)

    def test_an_angle_in_binary32(self):
        cos, sin = hf_f32(to_f32(exact_inv_freq()))
        for kind, array in (("cos", cos), ("sin", sin), ("cos", cos.astype(np.float16)),
                            ("sin", sin.astype(np.float64))):
            self.assertEqual(self.rows(kind, array), ("recipe-hf-f32", ["recipe-hf-f32"]))

    def test_hugging_faces_own_inverse_frequencies(self):
        cos, sin = hf_f32(hugging_face_inv_freq())
        self.assertEqual(self.rows("cos", cos)[1], ["recipe-hf-f32" + HUGGING_FACE])
        self.assertEqual(self.rows("sin", sin)[1], ["recipe-hf-f32" + HUGGING_FACE])

    def test_every_layout_of_cos_sin(self):
        cos, sin = hf_f32(hugging_face_inv_freq())
        vllm = np.concatenate((cos, sin), axis=-1)
        hf = np.stack([np.concatenate((one, one), axis=-1) for one in (cos, sin)])
        as_complex = np.empty(cos.shape, np.complex64)
        as_complex.real, as_complex.imag = cos, sin
        for layout, array in (("vllm", vllm), ("hf", hf), ("complex", as_complex)):
            said = self.compare("cos-sin", array, "--positions", "100000:100300", "--layout", layout)
            self.assertEqual(said[1], ["recipe-hf-f32" + HUGGING_FACE], layout)

    def test_repeated_multiplication(self):
        cos, sin = ggml()
        self.assertEqual(self.rows("cos", cos)[1], ["recipe-ggml"])
        self.assertEqual(self.rows("sin", sin)[1], ["recipe-ggml"])

    def test_a_cache_in_bfloat16(self):
        cos, sin = hf_f32(to_f32(exact_inv_freq()))
        for kind, array in (("cos", cos), ("sin", sin)):
            self.assertEqual(self.rows(kind, to_bf16(array))[1], ["recipe-hf-f32", "recipe-bf16-cache"])
            self.assertEqual(self.rows(kind, of_bf16(to_bf16(array)))[1], ["recipe-bf16-cache"], "stored in binary32")

    def test_an_angle_in_bfloat16(self):
        cos, sin = bf16_angle()
        self.assertEqual(self.rows("cos", cos)[1], ["recipe-bf16-angle"])
        self.assertEqual(self.rows("sin", of_bf16(sin))[1], ["recipe-bf16-angle"])

    def test_everything_in_binary64(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "inv_freq.npy")
            subprocess.run([COMMAND, "table", "inv-freq", *BY_HAND, "--quiet", "--dtype", "f64", "--output", path],
                           check=True)
            angle = np.load(path)[None, :] * POSITIONS[:, None].astype(np.float64)
        cos, names = self.rows("cos", to_f32(np.cos(angle * 1.0)), expected_code=self.code_of_binary64(angle))
        self.assertIn("recipe-f64", names)

    def code_of_binary64(self, angle):
        """Whether binary64 happens to be correctly rounded here does not matter."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cos.npy")
            subprocess.run([COMMAND, "table", "cos", *BY_HAND, "--quiet", "--positions", "100000:100300", "--output", path],
                           check=True)
            return 0 if np.array_equal(np.load(path), to_f32(np.cos(angle))) else 1

    def test_inverse_frequencies(self):
        self.assertEqual(self.compare("inv-freq", hugging_face_inv_freq())[1],
                         ["recipe-hf-f32" + HUGGING_FACE, "recipe-bf16-cache" + HUGGING_FACE])
        self.assertEqual(self.compare("inv-freq", to_bf16(to_f32(exact_inv_freq())), expected_code=0)[0][:7], "correct")
        self.assertEqual(self.compare("inv-freq", of_bf16(to_bf16(to_f32(exact_inv_freq()))))[1], ["recipe-bf16-angle"])
        theta_scale = to_f32(10000.0 ** (-1 / PAIRS))
        ones = np.cumprod(np.concatenate(([1], np.full(PAIRS - 1, theta_scale))).astype(np.float32), dtype=np.float32)
        self.assertEqual(self.compare("inv-freq", ones)[1], ["recipe-ggml"])
        self.assertEqual(self.compare("inv-freq", hugging_face_inv_freq() / np.float32(3), which=SCALED)[1],
                         ["recipe-hf-f32" + HUGGING_FACE, "recipe-bf16-cache" + HUGGING_FACE])

    def test_an_array_of_no_recipe(self):
        cos, _ = hf_f32(to_f32(exact_inv_freq()))
        cos[-1, -1] = np.nextafter(cos[-1, -1], np.float32(2))
        self.assertEqual(self.rows("cos", cos), ("none known", []))

    def test_a_correctly_rounded_table_is_called_that(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cos.npy")
            subprocess.run([COMMAND, "table", "cos", *BY_HAND, "--quiet", "--positions", "100000:100300", "--output", path],
                           check=True)
            text, _ = self.rows("cos", np.load(path), expected_code=0)
            self.assertTrue(text.startswith("correct rounding of the exact values"), text)

    def test_recipes_fail_laws_from_a_position_on(self):
        for kernel, promise, dtype in (("recipe-hf-f32", "rounded-table", "f32"), ("recipe-ggml", "angle-f32", "f32"),
                                       ("recipe-bf16-cache", "dtype-table", "bf16"),
                                       ("recipe-bf16-angle", "dtype-table", "bf16"),
                                       ("recipe-f64", "rounded-table", "f64")):
            code, said = self.verify(kernel, "--promise", promise, "--dtype", dtype, "--law", "extrapolation")
            self.assertEqual(code, 1, said)
            self.assertRegex(said, r"(?m); " + kernel + rf", (?s:.*)^{dtype} +extrapolation .* FAILS$")
            self.assertRegex(said, rf"\nextrapolation: {kernel} fails in {dtype}, first seen at positions of 2\^\d+; few cases ran at nearer ones, farther ones perhaps none\n")

    def test_a_recipe_keeps_what_it_promises_itself(self):
        """Without the two laws that take the most time; recipe_exhaustive.py holds all recipes to all."""
        for kernel in AS_GOOD_AS.keys() - LOOPS_OF_ENGINES:
            self.expect_judged(kernel, "--skip-law", "sizes=time", "--skip-law", "prefill-decode=time")

    def test_the_loops_of_engines_keep_what_they_promise(self):
        for kernel in LOOPS_OF_ENGINES:
            code, said = self.verify(kernel, "--law", "accuracy", "--dtype", "f32", "--dtype", "bf16", cases=40)
            self.assertEqual(code, 0, said)

    def test_a_promise_is_named_by_its_parts(self):
        parts = "angle=f32,table=data,rotation=data,fused"
        code, said = self.verify("recipe-bf16-cache", "--promise", parts, "--dtype", "bf16", "--law", "accuracy")
        self.assertEqual(code, 0, said)
        self.assertIn("is judged by frequency=given,angle=f32,table=data,rotation=data,fused; not tried on other promises: "
                      "--cases is below 200", said)
        code, said = self.verify("recipe-bf16-cache", "--promise", parts, "--dtype", "f32", "--law", "accuracy")
        self.assertEqual(code, 1, said)
        self.assertIn(" --promise frequency=given,angle=f32,table=data,rotation=data,fused ", said)

    def test_recipes_are_listed_and_run_only_when_named(self):
        listed = subprocess.run([COMMAND, "verify", "--list"], capture_output=True, text=True).stdout
        for kernel in ("hf-f32", "ggml", "bf16-cache", "bf16-angle", "f64", "hf-eager"):
            self.assertIn("  recipe-" + kernel + " ", listed)
        done = subprocess.run([COMMAND, "verify", "--model", "llama-2-7b", "--dtype", "bf16", "--law", "identity", "--quiet",
                               "--cases", "2", "--allow-cut"], capture_output=True, text=True, timeout=250)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn("recipe-", done.stdout)


if __name__ == "__main__":
    unittest.main()
