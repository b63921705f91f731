#!/usr/bin/env python3
"""Each engine that is installed keeps the promise that its arithmetic has; its known faults are found, and its reports' programs show them."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["ROPEWALK_SOURCE"])
sys.path[:0] = [str(SOURCE / "tests/transport"), str(SOURCE / "src/python")]
import needs  # noqa: E402

needs.modules("numpy")
import numpy as np  # noqa: E402
import ropewalk  # noqa: E402
import ropewalk_kernel  # noqa: E402
from ropewalk import engines  # noqa: E402
from ropewalk.engines import _ggml, _packages, llama_cpp  # noqa: E402
from ropewalk.engines._ggml_rotation import GgmlRotation  # noqa: E402

os.environ["GGML_VK_VISIBLE_DEVICES"] = "0"  # lavapipe, too
in_full = os.environ.get("ROPEWALK_IN_FULL") == "1"
PINNED = "3.22.1"  # of llama.cpp's packages: a later one may have mended its faults
MODEL = "llama-3.1-8b"
CONTEXT = "0:131072"
REPEATED = "frequency=repeated,angle=f32,table=f32,rotation=f32,fused"
FAIR = [  # the promise that a right operation keeps over the model's context, and in which format
    ("onnx-runtime-ai-onnx", "rounded-table", "f32"), ("onnx-runtime-com-microsoft", "rounded-table", "f32"),
    ("onnx-runtime-ai-onnx-f32-angle", "angle-f32", "f32"), ("onnx-runtime-com-microsoft-f32-angle", "angle-f32", "f32"),
    ("pytorch-hugging-face", "hf", "f16"), ("pytorch-vllm", "hf", "f16"), ("numpy-f64-angle", "angle-f64", "f32"),
    ("numpy-f32-angle", "angle-f32", "f32"), ("llama-cpp-cpu", "hf", "f16"), ("llama-cpp-vulkan", "hf", "f16"),
    ("llama-cpp-cpu", REPEATED, "f32"), ("llama-cpp-vulkan", REPEATED, "f32"),
]
INSTALLED = engines.kernels()
needs.environment["GGML_VK_VISIBLE_DEVICES"] = "0"


def judged(name, model, promise, dtype, seed, *, laws=("accuracy", "linearity"), cases=10, diagnosis=0):
    return ropewalk.check(engines.kernel(name), model=model, promise=promise, dtypes=[dtype], laws=laws, cases=cases, seed=seed,
                          options=["--allow-cut", "--positions", CONTEXT, "--diagnosis", str(diagnosis), "--call-limit", "60"])


def folder_of_llama_cpp():
    return next(iter(_packages.files(llama_cpp.PACKAGES[0], "bins/*/libggml-base.so"))).parent


class Engines(unittest.TestCase):
    def test_a_right_operation_keeps_its_fair_promise(self):
        for name, promise, dtype in FAIR:
            if name not in INSTALLED or (name == "llama-cpp-vulkan" and not has_device()):
                print(f"skipped: {name} is not installed, or has no device", file=sys.stderr)
                continue
            for seed in range(1, 21 if in_full else 2):
                with self.subTest(name, dtype=dtype, seed=seed):
                    result = judged(name, MODEL, promise, dtype, seed, cases=20 if in_full else 5)
                    self.assertTrue(result.holds, result.text)

    def test_an_engine_answers_test_vectors(self):
        with tempfile.TemporaryDirectory() as pack:
            subprocess.run([os.environ["ROPEWALK_COMMAND"], "vectors", "--output", pack, "--topic", "rope", "--topic", "axes"], check=True)
            told = subprocess.run([sys.executable, str(SOURCE / "bench/engines/on_vectors.py"), pack, "numpy-f64-angle", "numpy-f32-angle"],
                                  capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertRegex(told[0], r"^NumPy, angles in f64: \d+ cases of \d+ groups, \d+ not served; strictest promise kept: canonical \d+")
        self.assertRegex(told[1], r"^NumPy, angles in f32: .* strictest promise kept: angle-f32 \d+")
        self.assertEqual(len(told), 2, told)  # no group fails

    def test_a_name_that_no_engine_has_is_refused(self):
        for name in ("llama-cpp-cpu-none", "nothing"):
            with self.assertRaisesRegex(ValueError, f"engine is {name}; allowed: "):
                engines.kernel(name)

    def test_an_engine_keeps_its_own_time(self):
        def engine(query, positions, encoding, backward):
            engine.spent += 0.25

        engine.spent, engine.seconds = 0.0, lambda: engine.spent
        ropewalk_kernel.kernel(promise="hf", name="kept-time", arrays="numpy")(engine)
        served = ropewalk_kernel._kernels.pop("kept-time")
        x, at = np.ones((1, 2, 1, 4), "f4"), np.zeros((1, 2), "i4")
        asked = ropewalk_kernel._Asked.of(served, None, {}, {"query": ("F32", x), "positions": ("I32", at)})
        told, _ = ropewalk_kernel._time(served, asked, 3)
        self.assertEqual(json.loads(told["seconds"]), [0.25] * 3)
        self.assertEqual(told["clock"], "time.perf_counter around the engine's call")


def has_device():
    """Asked in a process of its own: one that has opened a device cannot fork to be judged."""
    ask = "from ropewalk.engines import llama_cpp; print(llama_cpp.engine('vulkan').description)"
    return subprocess.run([sys.executable, "-c", ask], env=needs.environment, capture_output=True).returncode == 0


@unittest.skipUnless(llama_cpp.version() == PINNED, f"@node-llama-cpp {PINNED} is not installed")
class LlamaCpp(unittest.TestCase):
    def test_pairs_of_a_fourth_row_stand_still(self):
        x = np.zeros((1, 1, 128), "f4")
        x[..., :64] = 1
        how = GgmlRotation(mode=_ggml.IMROPE, rotary_dim=128, base=5e6, sections=(24, 20, 20, 0))
        cosines = llama_cpp.engine("cpu").rotate(x, np.array([[131072]] * 3 + [[0]], "i4"), how)[0, 0, :64]
        right = np.cos(131072 * 5e6 ** (-np.arange(64) / 64))
        self.assertEqual(np.flatnonzero(cosines == 1).tolist(), [61, 62])
        self.assertEqual([f"{cosine:.6f}" for cosine in right[61:63]], ["0.998541", "0.999099"])

    def test_the_truncated_ramp_is_explained(self):
        result = judged("llama-cpp-cpu", "gpt-oss-20b", "hf", "f16", 1, laws=["accuracy"], diagnosis=20)
        self.assertFalse(result.holds)
        self.assertIn("the YaRN ramp runs between whole pairs", result.text)

    def test_a_window_and_a_cache_have_the_bits_of_a_whole_head(self):
        draw = np.random.default_rng(1)
        x, at = draw.standard_normal((5, 3, 64)).astype("f4"), np.arange(5, dtype="i4")[None]
        engine, how = llama_cpp.engine("cpu"), GgmlRotation(mode=_ggml.NEOX, rotary_dim=64)
        whole = engine.rotate(x, at, how)
        head = np.concatenate((draw.standard_normal((5, 3, 32)).astype("f4"), x), axis=2)
        window = engine.rotate(head, at, GgmlRotation(mode=_ggml.NEOX, rotary_dim=64, first_channel=32))
        np.testing.assert_array_equal(window, np.concatenate((head[..., :32], whole), axis=2))
        np.testing.assert_array_equal(engine.rotate(x, at, how, in_cache=True), whole)

    def test_programs_of_reports_show_their_faults(self):
        shown = {"fourth_row": "pair 61: cosine 1.000000, right is 0.998541", "ramp": "pair 15: cosine  0.480238, right is  0.666974",
                 "angle": "position 122317, pair 4: cosine 0.131371, right is 0.144390, off by 0.0130"}
        for name, line in shown.items():
            program = SOURCE / f"bench/engines/reports/llama_cpp_{name}.py"
            run = subprocess.run([sys.executable, program, folder_of_llama_cpp()], capture_output=True, text=True, check=True)
            self.assertIn(line, run.stdout)
            self.assertLessEqual(len(program.read_text().splitlines()), 40)


if __name__ == "__main__":
    unittest.main()
