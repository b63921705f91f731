#!/usr/bin/env python3
"""ONNX node tests of the pack: their files, their numbers against the pack's, other arithmetic, and ONNX Runtime on all of them."""
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

needs.modules("numpy", "onnx")
import numpy as np  # noqa: E402
import onnx  # noqa: E402
from onnx.backend.test.loader import load_model_tests  # noqa: E402
from ropewalk.engines import onnx_runtime  # noqa: E402
from ropewalk.engines._onnx_session import Refused  # noqa: E402
from ropewalk.vectors import onnx as vectors  # noqa: E402
from ropewalk.vectors._canonical import rotated, stored, widened  # noqa: E402

PINNED = "1.30.0"  # of onnxruntime-node: a later one may serve more
folder = tempfile.TemporaryDirectory()
PACK, ROOT = pathlib.Path(folder.name, "pack"), pathlib.Path(folder.name, "tests")
NUMPY = {onnx.TensorProto.FLOAT: "f4", onnx.TensorProto.FLOAT16: "f2", onnx.TensorProto.BFLOAT16: "u2", onnx.TensorProto.INT64: "i8"}
NAMES = {onnx.TensorProto.FLOAT: "f32", onnx.TensorProto.FLOAT16: "f16", onnx.TensorProto.BFLOAT16: "bf16"}


def written(*words):
    return subprocess.run([sys.executable, "-m", "ropewalk.vectors", *map(str, words)], env=needs.environment, capture_output=True, text=True)


def setUpModule():
    subprocess.run([needs.command, "vectors", "--topic", "rope", "--output", PACK], check=True)
    done = written("onnx", PACK, ROOT)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), done.stderr


def tearDownModule():
    folder.cleanup()


class Test:
    """A folder of node tests, as ONNX's loader finds it."""

    def __init__(self, found, said):
        self.name, self.tolerance, self.place = found.name, {"rtol": found.rtol, "atol": found.atol}, pathlib.Path(found.model_dir)
        self.model = onnx.load(self.place / "model.onnx")
        self.attributes = {one.name: one.i for one in self.model.graph.node[0].attribute}
        self.inputs = [one.name for one in self.model.graph.input]
        self.kind = self.model.graph.output[0].type.tensor_type.elem_type
        self.dtype, self.accept, self.cases = NAMES[self.kind], said["accept"], said["data_sets"]

    def sets(self):
        """Inputs and the output of each data set."""
        count = len(list(self.place.glob("test_data_set_*")))
        for at in (self.place / f"test_data_set_{number}" for number in range(count)):
            yield [array_of(at / f"input_{number}.pb") for number in range(len(self.inputs))], array_of(at / "output_0.pb")

    def heads_of(self, array):
        """[batch, tokens, heads, head_dim] of an input or an output."""
        return array.reshape(*array.shape[:2], self.attributes["num_heads"], -1) if array.ndim == 3 else array.transpose(0, 2, 1, 3)

    def laid_out(self, heads, like):
        return heads.reshape(like.shape) if like.ndim == 3 else heads.transpose(0, 2, 1, 3)

    def rows_of(self, given):
        """Cosines and sines of each token."""
        return [rows[given[3]] if len(given) == 4 else rows for rows in given[1:3]]

    def is_accepted_by_runner(self, result, expected):
        return np.allclose(widened(result), widened(expected), equal_nan=True, **self.tolerance)

    def is_accepted_by_rule(self, result, expected, given):
        """By the rule of cases.json, pair by pair, where all numbers are finite."""
        x, y, right = (widened(self.heads_of(one)).astype("f8") for one in (given[0], result, expected))
        first, second = places_of(self, given)
        with np.errstate(all="ignore"):
            size = np.hypot(x[first], x[second])
            off = np.hypot(y[first] - right[first], y[second] - right[second])
            is_off = off > self.accept["relative"] * size + self.accept["absolute"]
        return not (is_off & np.isfinite(size) & np.isfinite(right[first]) & np.isfinite(right[second])).any()


def places_of(test, given):
    pairs = given[1].shape[-1]
    if test.attributes["interleaved"]:
        return np.s_[..., 0:2 * pairs:2], np.s_[..., 1:2 * pairs:2]
    return np.s_[..., :pairs], np.s_[..., pairs:2 * pairs]


def array_of(path):
    tensor = onnx.TensorProto()
    tensor.ParseFromString(path.read_bytes())
    return np.frombuffer(tensor.raw_data, NUMPY[tensor.data_type]).reshape(tensor.dims)


def same(result, expected):
    """Whether numbers are equal; every NaN equals every NaN."""
    mine, theirs = widened(result), widened(expected)
    return (mine == theirs) | (np.isnan(mine) & np.isnan(theirs))


def every():
    said = {one["test"]: one for one in json.loads((ROOT / "cases.json").read_text())}
    found = sorted(load_model_tests(data_dir=str(ROOT), kind="node"), key=lambda one: one.name)
    assert {one.name for one in found} == set(said)
    return [Test(one, said[one.name]) for one in found]


def rounded_each(test, given, expected):
    """With each product and sum rounded to the data's format, as ONNX's reference evaluator has it."""
    x = test.heads_of(given[0])
    cos, sin = (rows[:, :, None] for rows in test.rows_of(given))

    def times(one, other):
        return stored(widened(one) * widened(other), x)

    first, second = places_of(test, given)
    y = x.copy()
    with np.errstate(all="ignore"):
        y[first] = stored(widened(times(cos, x[first])) - widened(times(sin, x[second])), x)
        y[second] = stored(widened(times(sin, x[first])) + widened(times(cos, x[second])), x)
    return test.laid_out(y, expected)


def exact_sum(test, given, expected):
    """Products and sum in binary64, rounded to binary32 and stored: what a fused operation may give, or better."""
    x = test.heads_of(given[0])
    cos, sin = (widened(rows)[:, :, None].astype("f8") for rows in test.rows_of(given))
    first, second = places_of(test, given)
    y = x.copy()
    with np.errstate(all="ignore"):
        one, other = (widened(x[place]).astype("f8") for place in (first, second))
        y[first], y[second] = (stored(numbers.astype("f4"), x) for numbers in (one * cos - other * sin, one * sin + other * cos))
    return test.laid_out(y, expected)


class Files(unittest.TestCase):
    def test_two_runs_give_the_same_bytes(self):
        again = pathlib.Path(folder.name, "again")
        self.assertEqual(written("onnx", PACK, again).returncode, 0)
        files = {path.relative_to(ROOT): path.read_bytes() for path in ROOT.rglob("*") if path.is_file()}
        self.assertEqual(files, {path.relative_to(again): path.read_bytes() for path in again.rglob("*") if path.is_file()})
        self.assertLess(sum(map(len, files.values())), 10e6)
        for pack, at, words in ((PACK, again, "allowed: a new or empty one"), (ROOT / "node", ROOT / "none", "allowed: a folder with rope.json")):
            done = written("onnx", pack, at)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(words, done.stderr)
        self.assertFalse((ROOT / "none").exists())

    def test_models_are_of_the_operator_and_forms_are_all_there(self):
        forms = set()
        for test in every():
            node, graph = test.model.graph.node[0], test.model.graph
            self.assertEqual((len(graph.node), node.op_type, node.domain), (1, "RotaryEmbedding", ""))
            self.assertEqual([(one.domain, one.version) for one in test.model.opset_import], [("", 23)])
            self.assertEqual(list(node.input), test.inputs)
            for given, expected in test.sets():
                self.assertEqual(given[0].shape, expected.shape)
                self.assertEqual(2 * given[1].shape[-1], test.attributes.get("rotary_embedding_dim", test.heads_of(given[0]).shape[-1]))
            forms.add((test.dtype, test.attributes["interleaved"], given[0].ndim, len(given), "rotary_embedding_dim" in test.attributes))
        for dtype in NAMES.values():
            for interleaved in (0, 1):
                whole = {(axes, inputs) for of, its, axes, inputs, is_partial in forms if (of, its, is_partial) == (dtype, interleaved, False)}
                self.assertEqual(whole, {(3, 3), (3, 4), (4, 3), (4, 4)}, (dtype, interleaved))
            self.assertIn((dtype, True), {(of, is_partial) for of, _, _, _, is_partial in forms})

    def test_the_longest_caches_are_asked_to_their_last_row(self):
        long = [test for test in every() if "131072_rows" in test.name]
        self.assertEqual({test.dtype for test in long}, {"f32", "f16", "bf16"})
        for test in long:
            for given, _ in test.sets():
                self.assertEqual(given[1].shape, (131072, 2))
                self.assertTrue({0, 1, 2049, 32769, 65537, 131071} <= set(given[3].reshape(-1).tolist()))

    def test_numbers_are_the_packs(self):
        """With caches in binary32 the rotation gives the pack's bits in every format; outputs in float32 are the pack's, the others near."""
        pack = json.loads((PACK / "rope.json").read_text())
        expected = {case["id"]: vectors.numbers_of(case["expected"], group["dtype"]).reshape(case["shape"])
                    for group in pack["groups"] if group["dtype"] in vectors.KINDS for case in group["cases"]}
        for group in vectors.groups_of(pack):
            rows = vectors.rows_of(group, np.unique(np.concatenate([one.positions.reshape(-1) for one in group.sets])), "f32")
            for one in group.sets:
                at = rows.at(one.positions)
                result = rotated(one.data, rows.cos[at], rows.sin[at], is_interleaved=group.is_interleaved)
                right = np.concatenate([expected[case] for case in one.cases], axis=1)
                np.testing.assert_array_equal(*(vectors_bits(numbers) for numbers in (result, right)), err_msg=group.name)
        compared = 0
        for test in every():
            for cases, (given, output) in zip(test.cases, test.sets()):
                if cases:
                    right = test.laid_out(np.concatenate([expected[case] for case in cases], axis=1), output)
                    compared += 1
                    is_right = same(output, right).all() if test.dtype == "f32" else test.is_accepted_by_rule(output, right, given)
                    self.assertTrue(is_right, test.name)
        self.assertGreater(compared, 100)

    def test_which_arithmetic_is_accepted(self):
        """As the README of the tests says."""
        runner, rule = {}, {}
        for how in (exact_sum, rounded_each):
            for test in every():
                for given, output in test.sets():
                    result = how(test, given, output)
                    runner.setdefault((how, test.dtype), []).append(test.is_accepted_by_runner(result, output))
                    rule.setdefault((how, test.dtype), []).append(test.is_accepted_by_rule(result, output, given))
        self.assertTrue(all(map(all, rule.values())), rule)
        accepted = {key: all(one) for key, one in runner.items()}
        self.assertEqual(accepted, {(exact_sum, "f32"): True, (exact_sum, "f16"): True, (exact_sum, "bf16"): True, (rounded_each, "f32"): True,
                                    (rounded_each, "f16"): False, (rounded_each, "bf16"): False})

    def test_faults_are_not_accepted_by_the_rule(self):
        for test in every():
            has_tokens = any(given[0].shape[1 if given[0].ndim == 3 else 2] > 1 for given, _ in test.sets())
            for fault in ("pairing", "row") if has_tokens else ("pairing",):
                caught = False
                for given, output in test.sets():
                    cos, sin = test.rows_of(given)
                    if fault == "row":
                        cos, sin = (np.roll(rows, 1, axis=1) for rows in (cos, sin))
                    wrong = rotated(test.heads_of(given[0]), cos, sin, is_interleaved=test.attributes["interleaved"] ^ (fault == "pairing"))
                    caught |= not test.is_accepted_by_rule(test.laid_out(wrong, output), output, given)
                self.assertTrue(caught, (test.name, fault))


def vectors_bits(numbers):
    """Bits, with every NaN as one."""
    bits = numbers.view({2: "u2", 4: "u4"}[numbers.itemsize])
    return np.where(np.isnan(widened(numbers)), bits.dtype.type(0xFFFF), bits)


@unittest.skipUnless(onnx_runtime.version() == PINNED, f"onnxruntime-node {PINNED} is not installed")
class OnnxRuntime(unittest.TestCase):
    def run_of(self, test, session, given, output):
        result = np.empty_like(output)
        kinds = [test.kind] * 3 + [onnx.TensorProto.INT64]
        onnx_runtime.runtime().run(session, list(zip(test.inputs, given, kinds)), ("output", result, test.kind))
        return result

    def test_all(self):
        """float32 differs in last bits, as it is fused; float16 has the bits; bfloat16 has no kernel; a cache needs a row for each token."""
        differs, count, refused = {"f32": 0, "f16": 0}, {"f32": 0, "f16": 0}, {}
        for test in every():
            try:
                session = onnx_runtime.runtime().session((test.place / "model.onnx").read_bytes())
                for given, output in test.sets():
                    result = self.run_of(test, session, given, output)
                    self.assertTrue(test.is_accepted_by_runner(result, output), test.name)
                    self.assertTrue(test.is_accepted_by_rule(result, output, given), test.name)
                    differs[test.dtype] += int((~same(result, output)).sum())
                    count[test.dtype] += output.size
            except Refused as why:
                refused[test.name] = str(why)
        self.assertEqual(differs["f16"], 0)
        self.assertTrue(0 < differs["f32"] < count["f32"], differs)
        for name, why in refused.items():
            if "_bf16_" in name:
                self.assertIn("Could not find an implementation for Mul(14)", why)
            else:
                self.assertIn("more_tokens_than_rows", name)
                self.assertIn("Updating cos_cache and sin_cache in RotaryEmbedding is not currently supported", why)
        self.assertEqual(set(refused), {test.name for test in every() if test.dtype == "bf16" or "more_tokens_than_rows" in test.name})

    def test_a_fault_in_a_model_is_seen(self):
        for test in every():
            if test.dtype != "bf16" and "more_tokens_than_rows" not in test.name:
                attribute = next(one for one in test.model.graph.node[0].attribute if one.name == "interleaved")
                attribute.i = 1 - attribute.i
                session = onnx_runtime.runtime().session(test.model.SerializeToString())
                results = [(self.run_of(test, session, given, output), output) for given, output in test.sets()]
                self.assertFalse(all(test.is_accepted_by_runner(*one) for one in results), test.name)


if __name__ == "__main__":
    unittest.main()
