#!/usr/bin/env python3
"""Timestep embeddings: the formula of engines in binary64, models by their options, honest engines by promise, and faults by name."""
import json
import os
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

# Angles reach 1000 radians. A frequency formed in binary64 is off by (5 ln base + 3) 2^-53 of itself at most, the angle by 5
# roundings more (proofs/kernel/rotation_bound.md, theorems 15 and 16): 6e-12 in all for base 10000.
agreement = 1e-11


def path(name):
    return os.path.join(folder.name, name)


def saved(array, name="array.npy"):
    np.save(path(name), array)
    return path(name)


def embedding(t, width, shift=0, flip=False, scale=1, base=10000, dtype="f8"):
    """get_timestep_embedding of diffusers, every operation in one dtype."""
    number = np.dtype(dtype).type
    half = width // 2
    exponent = number(-np.log(base)) * np.arange(half).astype(dtype)
    with np.errstate(invalid="ignore", divide="ignore"):
        frequency = np.exp(exponent / number(half - shift)) if half > 1 else np.ones(1, dtype)
    angle = number(scale) * (np.asarray(t).astype(dtype)[:, None] * frequency[None, :])
    parts = [np.sin(angle), np.cos(angle)]
    rest = [np.zeros((len(t), 1), dtype)] if width % 2 else []
    return np.concatenate((parts[::-1] if flip else parts) + rest, axis=1)


def options_of(width, shift=0, flip=False, scale=1, base=10000):
    return ["--d-model", str(width), "--shift", str(shift), "--layout", "cos-sin" if flip else "sin-cos", "--scale", str(scale),
            "--base", str(base), "--odd", "zero"]


def table(t, *options):
    name = path("table.npy")
    subprocess.run([command, "table", "sinusoidal", *options, "--positions-f64", saved(np.array(t, "f8"), "t.npy"), "--dtype", "f64",
                    "--quiet", "--output", name], check=True)
    return np.load(name)


def verify(array, *options, t=None):
    given = [] if t is None else ["--positions-f64", saved(np.array(t, "f8"), "t.npy")]
    return subprocess.run([command, "verify", "--table", saved(array), "--as", "sinusoidal", *options, *given, "--quiet"],
                          capture_output=True, text=True, timeout=300)


def verdicts(array, *options, t=None):
    run = verify(array, *options, "--json", "--diagnosis", "0", t=t)
    if run.returncode > 1:
        raise AssertionError(run.stderr)
    return {one["law"]: one["verdict"] for one in json.loads(run.stdout)["verdicts"]}, run.returncode


class Formula(unittest.TestCase):
    def test_the_formula_in_binary64_agrees(self):
        times = [0, 1, 0.25, 0.1, 1e-9, 1 / 3, 0.999, -0.75]
        entries = 0
        for width in (2, 3, 7, 8, 64, 255, 256):
            for shift in (0, 1, 0.25, -0.5, -3):
                for flip in (False, True):
                    for scale, base, most in ((1, 10000, 1), (1, 10000, 999), (1000, 10000, 1), (0.125, 100, 999), (3.7, 1e6, 100)):
                        t = np.array(times) * most
                        if width // 2 > 1 and width // 2 - shift < 1:
                            continue
                        right = table(t, *options_of(width, shift, flip, scale, base))
                        ours = embedding(t, width, shift, flip, scale, base)
                        self.assertLessEqual(np.abs(right - ours).max(), agreement, (width, shift, flip, scale, base))
                        entries += right.size
        self.assertEqual(entries, 238000)

    def test_models_are_typed_on_one_line(self):
        t = [0.0, 0.3, 0.75, 1.0]
        halves = ["--layout", "cos-sin"]
        for options, ours in [
                (["--d-model", "256", *halves, "--scale", "1000"], embedding(t, 256, 0, True, 1000)),  # Flux, Qwen-Image, AuraFlow
                (["--d-model", "256", *halves], embedding(t, 256, 0, True)),  # Wan
                (["--d-model", "320", *halves], embedding(t, 320, 0, True)),  # Stable Diffusion
                (["--d-model", "320", "--layout", "sin-cos", "--shift", "1"], embedding(t, 320, 1))]:  # the function's defaults
            self.assertLessEqual(np.abs(table(t, *options) - ours).max(), agreement, options)

    def test_an_odd_width_ends_in_zeros(self):
        right = table([0.5, 3], *options_of(9, 0, True))
        self.assertTrue((right[:, 8] == 0).all())


class Promises(unittest.TestCase):
    flux = options_of(256, 0, True, 1000)

    def test_honest_binary32_at_whole_times_keeps_hf(self):
        array = embedding(np.arange(1000), 320, flip=True, dtype="f4")
        options = ["--d-model", "320", "--layout", "cos-sin"]
        self.assertEqual(verdicts(array, *options)[1], 1)
        for promise in ("hf", "frequency=f32,angle=f32,entry=f32", "frequency=f32,angle=f32,entry=data"):
            found, code = verdicts(array, *options, "--promise", promise)
            self.assertEqual((set(found.values()), code), ({"holds"}, 0), promise)
            self.assertEqual(list(found), ["range", "origin", "frequencies", "shift", "accuracy"])
        self.assertIn("as good as         hf (--promise hf judges by it)", verify(array, *options).stdout)
        self.assertEqual(verdicts(array, *options, "--promise", "angle=f64,entry=f32")[1], 1)

    def test_honest_engines_at_real_times_keep_their_promise(self):
        t = np.random.default_rng(1).random(500)
        single = embedding(t, 256, flip=True, scale=1000, dtype="f4")
        self.assertEqual(verdicts(single, *self.flux, "--promise", "hf", t=t), ({"accuracy": "holds"}, 0))
        wide = embedding(t, 256, flip=True, scale=1000).astype("f4")
        self.assertEqual(verdicts(wide, *self.flux, "--promise", "angle-f64", t=t), ({"accuracy": "holds"}, 0))
        self.assertEqual(verdicts(single, *self.flux, "--promise", "angle-f64", t=t), ({"accuracy": "FAILS"}, 1))
        half = single.astype("f2")
        self.assertEqual(verdicts(half, *self.flux, "--promise", "frequency=f32,angle=f32,entry=data", t=t)[1], 0)
        self.assertEqual(verdicts(half, *self.flux, "--promise", "frequency=f32,angle=f32,entry=f32", t=t)[1], 0)
        odd = embedding(t, 33, shift=1, scale=1000, dtype="f4")
        options = options_of(33, 1, False, 1000)
        self.assertEqual(verdicts(odd, *options, "--promise", "hf", t=t), ({"accuracy": "holds"}, 0))
        odd[17, 32] = 1e-30
        self.assertEqual(verdicts(odd, *options, "--promise", "hf", t=t), ({"accuracy": "FAILS"}, 1))

    def test_real_mistakes_fail_and_are_named(self):
        whole, some = np.arange(1000), np.random.default_rng(2).random(300)
        near_one = np.float64(np.float16(some))
        wrong = {
            "shift-1": (whole, options_of(320, 0, True), embedding(whole, 320, 1, True, dtype="f4")),
            "shift-0": (some, options_of(256, 1, True, 1000), embedding(some, 256, 0, True, 1000, dtype="f4")),
            "layout-sin-cos": (whole, options_of(320, 0, True), embedding(whole, 320, 0, False, dtype="f4")),
            "layout-cos-sin": (some, options_of(256, 0, False, 1000), embedding(some, 256, 0, True, 1000, dtype="f4")),
            "scale-dropped": (some, options_of(256, 0, True, 1000), embedding(some, 256, 0, True, dtype="f4")),
            "scale-1000": (some, options_of(256, 0, True), embedding(some, 256, 0, True, 1000, dtype="f4")),
            "base-1000": (whole, options_of(320, 0, True), embedding(whole, 320, 0, True, 1, 1000, dtype="f4")),
            "positions-f16": (some, options_of(256, 0, True, 1000), embedding(near_one, 256, 0, True, 1000, dtype="f4")),
            "positions-bf16": (whole, options_of(320, 0, True), embedding(as_bfloat16(whole), 320, 0, True, dtype="f4")),
            "shift-1 of an odd width": (some, options_of(33, 0, True, 1000), embedding(some, 33, 1, True, 1000, dtype="f4")),
        }
        for name, (t, options, array) in wrong.items():
            with self.subTest(name):
                given = ["--promise", "hf", "--json"]
                run = verify(array, *options, *given, t=None if t is whole else t)
                self.assertEqual(run.returncode, 1)
                report = json.loads(run.stdout)
                names = [cause for one in report["diagnoses"] for cause in one["causes"]]
                self.assertIn(name.split(" ")[0], names)

    def test_the_command_that_repeats_a_failure_repeats_it(self):
        t = np.random.default_rng(3).random(50)
        array = embedding(t, 256, 1, True, 1000, dtype="f4")
        run = verify(array, *self.flux, "--promise", "frequency=f32,angle=f32,entry=f32", t=t)
        again = next(line for line in run.stdout.splitlines() if "again:" in line).split("again:")[1].split()
        self.assertIn("frequency=f32,angle=f32,entry=f32", again)
        self.assertEqual(subprocess.run([command, *again[1:], "--quiet"], capture_output=True).returncode, 1)

    def test_what_is_no_promise_of_sinusoids_is_refused(self):
        array = embedding([0.0, 1.0], 16, dtype="f4")
        options = ["--d-model", "16", "--layout", "sin-cos"]
        allowed = "frequency=given|f64|f32|repeated, angle=exact|f64|f32|bf16, entry=exact|f64|f32|data"
        for promise, why in [("angle=f32,table=f32", f"{allowed}, as sinusoidal has no table"),
                             ("angle=f32,rotation=f32", f"{allowed}, as sinusoidal has no rotation"),
                             ("angle=f32,sum=f32", f"{allowed}, as sinusoidal has no sum"),
                             ("angle=f32,fused", f"{allowed}, as nothing is rotated")]:
            run = verify(array, *options, "--promise", promise)
            self.assertEqual(run.returncode, 2)
            self.assertIn(f"promise is {promise}; allowed: {why}", run.stderr)
        far = verify(array, *options, "--promise", "hf", t=[0.0, 2.0**31 + 1])
        self.assertEqual(far.returncode, 2)
        both = verify(array, *options, "--positions", "2", t=[0.0, 1.0])
        self.assertEqual(both.returncode, 2)
        self.assertIn("only without --positions 2", both.stderr)


def as_bfloat16(numbers):
    bits = np.asarray(numbers, "f4").view("u4").astype("u8")
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16).astype("u4").view("f4").astype("f8")


if __name__ == "__main__":
    unittest.main()
