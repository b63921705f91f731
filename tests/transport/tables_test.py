#!/usr/bin/env python3
"""ropewalk.table: arrays of the program as NumPy's, by keyword arguments; and ropewalk.models, ropewalk.__version__."""
import fractions
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

import needs

needs.modules("numpy")
import numpy as np  # noqa: E402

sys.path.insert(0, needs.environment["PYTHONPATH"])
import ropewalk  # noqa: E402
from ropewalk import _table  # noqa: E402

LLAMA = {"model_type": "llama", "rope_theta": 10000.0, "head_dim": 64, "max_position_embeddings": 4096}
GRID = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0]])


def printed(*words):
    return subprocess.run([ropewalk.program(), *map(str, words)], capture_output=True, text=True, check=True).stdout


class Tables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.here = pathlib.Path(folder.name)

    def file(self, name, array):
        np.save(self.here / name, array)
        return str(self.here / name)

    def assert_same_bits(self, array, words):
        """That an array is the one which the program writes as asked by these words."""
        path = self.here / "written.npy"
        printed("table", *words, "--output", path, "--quiet")
        written = np.load(path)
        self.assertEqual((array.dtype.str, array.shape), (written.dtype.str, written.shape), words)
        self.assertEqual(array.tobytes(), written.tobytes(), words)

    def test_the_numbers_are_the_rounded_ones(self):
        inv_freq = ropewalk.table("inv-freq", model="llama-3.1-8b")
        cosine = ropewalk.table("cos", model="llama-3.1-8b", positions=range(131064, 131072))
        self.assertEqual((inv_freq.dtype, inv_freq.shape, cosine.dtype, cosine.shape), (np.float32, (64,), np.float32, (8, 64)))
        self.assertEqual((inv_freq[1], cosine[7, 2]), (float.fromhex("0x1.a11582p-1"), float.fromhex("0x1.78d816p-1")))

    def test_arguments_are_the_options_of_the_same_name(self):
        numbers = [5, 0, -7]
        layered = self.here / "layered.json"
        gemma = json.loads((needs.source / "src/model/catalogue/gemma-3-4b.json").read_text())
        layered.write_text(json.dumps({**gemma, "num_hidden_layers": 6, "sliding_window_pattern": 2}))
        cases = [
            ("turns", {"model": "llama-3.1-8b"}),
            ("cos", {"model": "llama-3.1-8b", "positions": 5, "dtype": "f64"}),
            ("sin", {"model": "dynamic", "positions": "3:9", "seq_len": 9000}),
            ("cos-sin", {"model": "gemma-3-4b", "layer": "sliding_attention", "layout": "hf", "positions": 3}),
            ("cos-sin", {"config": layered, "layer": 0, "layout": "hf", "positions": 3, "dtype": "f16"}),
            ("inv-freq", {"base": 500000.0, "head_dim": 64, "rotary_dim": 32, "pairing": "interleaved"}),
            ("inv-freq", {"base": np.float64(1e4), "head_dim": np.int32(64)}),
            ("sinusoidal", {"d_model": 5, "odd": "zero", "shift": 1, "positions": 4}),
            ("alibi-bias", {"heads": 3, "keys": 4, "form": "symmetric"}),
            ("binary", {"width": 5, "bit_order": "msb", "positions": 9}),
            ("query-scale", {"strength": 0.1, "length": 8192, "shift": 1, "positions": "8190:8194"}),
        ]
        for kind, how in cases:
            if how.get("model") == "dynamic":  # a model whose rule depends on the length
                how["model"] = next(name for name, one in ropewalk.models().items() if one["rope_scaling"].get("rope_type") == "dynamic")
            self.assert_same_bits(ropewalk.table(kind, **how), [kind, *(f"--{name.replace('_', '-')}={value}" for name, value in how.items())])
        by_hand = ["--base=10000", "--head-dim=8"]
        for kind, how, words in [
            ("t5-buckets", {"causal": True, "max_relative": 9}, ["--causal", "--max-relative=9"]),
            ("t5-buckets", {"causal": False, "max_relative": 9}, ["--max-relative=9"]),
            ("inv-freq", {"base": 10000, "head_dim": 8, "scaling": {"rope_type": "linear", "factor": 4}},
             [*by_hand, '--scaling={"rope_type":"linear","factor":4}']),
            ("cos", {"base": 10000, "head_dim": 8, "positions": numbers}, [*by_hand, "--positions=" + self.file("own.npy", numbers)]),
            ("cos", {"base": 10000, "head_dim": 8, "positions": np.array(numbers, ">i2")},
             [*by_hand, "--positions=" + self.file("own.npy", numbers)]),
            ("cos", {"base": 10000, "head_dim": 8, "positions": range(0, 9, 4)}, [*by_hand, "--positions=" + self.file("s.npy", [0, 4, 8])]),
            ("cos", {"base": 10000, "head_dim": 8, "positions": range(-2, 3)}, [*by_hand, "--positions=-2:3"]),
            ("cos", {"base": 10000, "head_dim": 8, "positions": np.float16([0.5, 2])},
             [*by_hand, "--positions-f64=" + self.file("real.npy", [0.5, 2.0])]),
            ("axes", {"model": "qwen2-vl-7b", "layout": "complex", "positions": GRID},
             ["--model=qwen2-vl-7b", "--layout=complex", "--positions=" + self.file("grid.npy", GRID)]),
            ("axes", {"axes": {"axes": [{"pairs": 2}, {"pairs": 2}], "base": 100}, "layout": "vllm", "positions": [[0.5], [-1.5]]},
             ['--axes={"axes":[{"pairs":2},{"pairs":2}],"base":100}', "--layout=vllm", "--positions=" + self.file("two.npy", [[0.5], [-1.5]])]),
            ("positions", {"model": "wan-2.1-14b", "grid": (3, 4, 5)}, ["--model=wan-2.1-14b", "--grid=3x4x5"]),
            ("positions", {"model": "cosmos-predict-2-14b-video2world", "grid": "3x4x6", "fps": fractions.Fraction(30000, 1001)},
             ["--model=cosmos-predict-2-14b-video2world", "--grid=3x4x6", "--fps=30000/1001"]),
            ("mixed", {"frequencies": np.ones((2, 1, 4)), "layout": "complex", "positions": [[1, 2], [3, 4]]},
             ["--frequencies=" + self.file("f.npy", np.ones((2, 1, 4))), "--layout=complex", "--positions=" + self.file("p.npy", [[1, 2], [3, 4]])]),
            ("learned", {"weights": np.arange(6, dtype="f2").reshape(3, 2), "positions": 2},
             ["--weights=" + self.file("w.npy", np.arange(6, dtype="f2").reshape(3, 2)), "--positions=2"]),
        ]:
            self.assert_same_bits(ropewalk.table(kind, **how), [kind, *words])

    def test_a_configuration_is_a_path_a_dict_or_an_object_that_has_one(self):
        (self.here / "config.json").write_text(json.dumps(LLAMA))
        expected = ropewalk.table("inv-freq", base=10000, head_dim=64)
        odd = {**LLAMA, "rope_theta": np.float32(10000), "head_dim": np.int64(64), "torch_dtype": np.float16}
        for config in (str(self.here), self.here / "config.json", LLAMA, types.MappingProxyType(LLAMA), odd,
                       types.SimpleNamespace(to_dict=lambda: LLAMA)):
            np.testing.assert_array_equal(ropewalk.table("inv-freq", config=config), expected)

    def test_a_dtype_has_every_name_that_libraries_give_it(self):
        how = {"base": 10000, "head_dim": 8}
        for dtype, names in {np.float64: ["f64", "float64", float, np.float64, "f8", "torch.float64"],
                             np.float32: [None, "f32", np.dtype("float32"), "f4", "torch.float32"],
                             np.float16: ["f16", "float16", np.float16, "torch.float16"]}.items():
            for name in names:
                self.assertEqual(ropewalk.table("inv-freq", dtype=name, **how).dtype, dtype, name)
        # The name of torch's without torch: str(torch.bfloat16) is "torch.bfloat16".
        with mock.patch.dict(sys.modules, ml_dtypes=None):
            for name in ("bf16", "bfloat16", "torch.bfloat16"):
                bits = ropewalk.table("inv-freq", dtype=name, **how)
                self.assertEqual((bits.dtype, bits[0]), (np.uint16, 0x3F80))
        stands_for_bfloat16 = np.dtype([("bits", "<u2")])
        with mock.patch.dict(sys.modules, ml_dtypes=types.SimpleNamespace(bfloat16=stands_for_bfloat16)):
            made = ropewalk.tables("inv-freq,turns", dtype="bf16", **how)
            self.assertEqual((made["inv_freq"].dtype, made["turns"].dtype), (stands_for_bfloat16, np.uint32))
            self.assertEqual(made["inv_freq"]["bits"][0], 0x3F80)

    def test_several_tables_have_their_names(self):
        how = {"model": "gemma-3-4b", "positions": 3}
        made = ropewalk.tables(["cos", "sin"], **how)
        self.assertEqual(list(made), ["cos", "sin"])
        np.testing.assert_array_equal(made["sin"], ropewalk.table("sin", **how))
        by_kind = ropewalk.tables("inv-freq", model="gemma-3-4b", layer="all")
        self.assertEqual(list(by_kind), ["full_attention.inv_freq", "sliding_attention.inv_freq"])
        with self.assertRaisesRegex(ValueError, r"^table makes 2 arrays of these: cos, sin; allowed: one; ropewalk\.tables gives all$"):
            ropewalk.table("cos,sin", **how)

    def test_what_the_program_refuses_is_an_error_with_its_sentence(self):
        by_hand = {"base": 10000, "head_dim": 8}
        for sentence, kind, how in [
            (r"ropewalk: no model named 'nope'", "cos", {"model": "nope"}),
            (r"ropewalk: no kind named '--help'; `ropewalk table --help` lists all \d+$", "--help", by_hand),
            (r"ropewalk: no option named '--seqlen'; did you mean '--seq-len'\?", "cos", {**by_hand, "seqlen": 5}),
            (r"ropewalk: positions is positions\.npy \(not a list\); allowed: a one-dimensional array", "cos", {**by_hand, "positions": [[1]]}),
            (r"ropewalk: positions is positions\.npy \(descr <u8\); allowed: descr <i4 or <i8", "cos", {**by_hand, "positions": np.uint64([1])}),
            (r"ropewalk: dtype is int8; allowed: f64, f32, f16, bf16", "cos", {**by_hand, "dtype": np.int8}),
            (r"ropewalk: rope_theta is -1; allowed: a finite number above 1", "cos", {"config": {**LLAMA, "rope_theta": -1}}),
            (r"config is of type int; allowed: a path, a dict, or an object with to_dict\(\)", "cos", {"config": 7}),
        ]:
            with self.assertRaisesRegex(ValueError, f"^{sentence}"):
                ropewalk.table(kind, **how)

    def test_options_that_decide_no_number_are_refused_and_exist(self):
        options = set(re.findall(r"(?m)^  (?:-h,)?--([a-z0-9-]+)", printed("table", "--help"))) | {"quiet", "verbose"}
        for name in _table._NOT_OF_NUMBERS:
            self.assertIn(name, options)
            with self.assertRaisesRegex(ValueError, f"^table has no argument {name}; allowed: "):
                ropewalk.table("cos", base=10000, head_dim=8, **{name: "x"})

    def test_nothing_is_left_in_the_folder_of_temporary_files(self):
        with mock.patch.object(tempfile, "tempdir", str(self.here)):
            ropewalk.table("cos", config=LLAMA, positions=[1, 2])
            with self.assertRaises(ValueError):
                ropewalk.table("cos", config=LLAMA, positions=[[1, 2]])
        self.assertEqual(list(self.here.iterdir()), [])

    def test_models_are_those_of_the_program_with_their_numbers(self):
        models = ropewalk.models()
        counted = re.search(r"(?m)^(\d+) models and (\d+) types; (\d+) models of images", printed("models"))
        self.assertEqual(len(models), sum(map(int, counted.groups())))
        self.assertLessEqual(set(json.loads(printed("verify", "--list", "--json"))["models"]), set(models))
        self.assertEqual((models["llama-3.1-8b"]["base"], models["llama-3.1-8b"]["rope_scaling"]["factor"]), (500000, 8))

    def test_the_version_is_the_programs(self):
        self.assertEqual(f"ropewalk {ropewalk.__version__}", printed("--version").strip())
        self.assertIn(f'version = "{ropewalk.__version__}"', (needs.source / "include/ropewalk/version.hpp").read_text())


if __name__ == "__main__":
    unittest.main()
