#!/usr/bin/env python3
"""The scale of queries by position: read from configurations, printed, made as a table, compared, and wrong arrays of it explained."""
import decimal
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

from gguf_file import gguf

command = os.environ["ROPEWALK_COMMAND"]
folder = tempfile.TemporaryDirectory()
decimal.getcontext().prec = 60

LLAMA_4 = {"model_type": "llama4_text", "hidden_size": 5120, "num_attention_heads": 40, "num_hidden_layers": 8,
           "max_position_embeddings": 131072, "attn_temperature_tuning": True, "floor_scale": 8192, "attn_scale": 0.1}
YARN = {"rope_type": "yarn", "rope_theta": 1e6, "factor": 16.0, "original_max_position_embeddings": 16384, "mscale": 1.0,
        "mscale_all_dim": 1.0, "llama_4_scaling_beta": 0.1}
MINISTRAL_3 = {"model_type": "ministral3", "hidden_size": 4096, "num_attention_heads": 32, "head_dim": 128,
               "max_position_embeddings": 262144, "rope_parameters": YARN}
PARAMS = {"dim": 64, "n_layers": 2, "head_dim": 32, "hidden_dim": 64, "n_heads": 2, "n_kv_heads": 2, "rope_theta": 1e6,
          "norm_eps": 1e-5, "vocab_size": 8, "max_position_embeddings": 262144,
          "llama_4_scaling": {"original_max_position_embeddings": 16384, "beta": 0.1}}


def saved(config, name="config.json"):
    path = pathlib.Path(folder.name, name)
    path.write_text(json.dumps(config))
    return str(path)


def run(*arguments):
    return subprocess.run([command, *map(str, arguments)], capture_output=True, text=True, timeout=60)


def told(config):
    """The query scale that `explain config` prints: its value, or none."""
    done = run("explain", "config", saved(config), "--json")
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    record = json.loads(done.stdout)
    found = [one["value"] for one in record["quantities"] if one["name"] == "query scale"]
    return (found[0] if found else None), record["model"].get("query_scale")


def exact(position, strength, length, shift):
    step = 1 + (position + shift) // length
    return 1 + decimal.Decimal(strength) * decimal.Decimal(step).ln()


class Reading(unittest.TestCase):
    def test_each_type_says_its_numbers_and_layers(self):
        text, record = told(LLAMA_4)
        self.assertEqual(text, "1 + 0.1 ln(1 + floor((p + 1) / 8192)), in layers that do not rotate")
        self.assertEqual(record, {"strength": 0.1, "length": 8192, "shift": 1, "layers": "not rotating"})
        for config in (MINISTRAL_3, PARAMS):
            text, record = told(config)
            self.assertEqual(text, "1 + 0.1 ln(1 + floor(p / 16384))")
            self.assertEqual(record, {"strength": 0.1, "length": 16384, "shift": 0, "layers": "all"})

    def test_defaults_are_the_classes_own(self):
        self.assertEqual(told({"model_type": "llama4_text"})[1], {"strength": 0.1, "length": 8192, "shift": 1, "layers": "not rotating"})
        self.assertEqual(told({"model_type": "ministral3"})[1], {"strength": 0.1, "length": 16384, "shift": 0, "layers": "all"})
        mistral_4 = told({"model_type": "mistral4", "qk_rope_head_dim": 64, "qk_nope_head_dim": 64})
        self.assertEqual(mistral_4[1], {"strength": 0.1, "length": 8192, "shift": 0, "layers": "all"})

    def test_a_switched_off_or_missing_scale_is_none(self):
        self.assertEqual(told({**LLAMA_4, "attn_temperature_tuning": False}), ("none", None))
        self.assertEqual(told({**LLAMA_4, "attn_scale": 0}), ("none", None))
        self.assertEqual(told({**LLAMA_4, "attn_temperature_tuning": 4})[0], told(LLAMA_4)[0])
        without = {key: value for key, value in YARN.items() if key != "llama_4_scaling_beta"}
        self.assertEqual(told({**MINISTRAL_3, "rope_parameters": without}), (None, None))
        self.assertEqual(told({"model_type": "llama", "head_dim": 64}), (None, None))
        self.assertEqual(told({**LLAMA_4, "no_rope_layers": [1] * 8}), ("none", None))
        done = run("table", "query-scale", "--config", saved({**LLAMA_4, "no_rope_layers": [1] * 8}), "--positions", 4, "--output", "-")
        self.assertEqual(done.returncode, 2)
        self.assertIn("queries keep their length: every layer rotates", done.stderr)

    def test_keys_of_a_scale_are_no_other_types_keys(self):
        llama = {"model_type": "llama", "head_dim": 64, "max_position_embeddings": 4096}
        for key, value in (("floor_scale", 8192), ("attn_scale", 0.1)):
            done = run("explain", "config", saved({**llama, key: value}))
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"{key} is {value}; allowed: keys that model_type llama has", done.stderr)
        block = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 1024, "llama_4_scaling_beta": 0.1}
        done = run("explain", "config", saved({**llama, "rope_scaling": block}))
        self.assertIn("queries of this model type are not scaled by their position", done.stdout)

    def test_bad_numbers_are_refused_by_key(self):
        for change, message in (({"attn_scale": -1}, "attn_scale is -1; allowed: a finite number from 0 up"),
                                ({"floor_scale": 0}, "floor_scale is 0; allowed: a whole number from 1 to 2147483647"),
                                ({"floor_scale": 1 << 40}, "floor_scale is 1099511627776; allowed: a whole number from 1 to 2147483647"),
                                ({"attn_temperature_tuning": "yes"}, 'attn_temperature_tuning is "yes"; allowed: true or false'),
                                ({"attn_scale": "0.1"}, "attn_scale is ")):
            done = run("explain", "config", saved({**LLAMA_4, **change}))
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr)

    def test_two_configurations_differ_by_their_scale(self):
        other = {**MINISTRAL_3, "rope_parameters": {**YARN, "llama_4_scaling_beta": 0.2}}
        done = run("explain", "config", saved(MINISTRAL_3), "--compare", saved(other, "other.json"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("query scale\n  1 + 0.1 ln(1 + floor(p / 16384))", done.stdout)
        self.assertIn("rope_parameters.llama_4_scaling_beta", done.stdout)
        self.assertEqual(run("explain", "config", saved(MINISTRAL_3), "--compare", saved(MINISTRAL_3, "other.json")).returncode, 0)


    def test_a_gguf_file_has_the_scale_of_its_config(self):
        widths = {"embedding_length": 4096, "attention.head_count": 32, "context_length": 262144, "block_count": 8, "rope.dimension_count": 128}
        yarn = {"rope.scaling.type": "yarn", "rope.scaling.factor": 16.0, "rope.scaling.original_context_length": 16384}
        for architecture, numbers, text in (
                ("mistral3", {**widths, **yarn, "attention.temperature_scale": 0.1}, "1 + 0.10000000149011612 ln(1 + floor(p / 16384))"),
                ("llama4", widths, "1 + 0.1 ln(1 + floor((p + 1) / 8192)), in layers that do not rotate"),
                ("mistral3", {**widths, **yarn}, None)):
            file = pathlib.Path(folder.name, "model.gguf")
            file.write_bytes(gguf({"general.architecture": architecture, **{f"{architecture}.{key}": value for key, value in numbers.items()}}))
            record = json.loads(run("explain", "config", file, "--json").stdout)
            found = [one for one in record["quantities"] if one["name"] == "query scale"]
            self.assertEqual([one["value"] for one in found], [text] if text else [], found)
        config = saved({**MINISTRAL_3, "num_hidden_layers": 8})
        for scale, is_alike in (({"attention.temperature_scale": 0.1}, True), ({"attention.temperature_scale": 0.2}, False)):
            numbers = widths | yarn | scale
            file.write_bytes(gguf({"general.architecture": "mistral3", **{f"mistral3.{key}": value for key, value in numbers.items()}}))
            done = run("explain", "config", config, "--pairing", "interleaved", "--compare", file)
            self.assertEqual("query scale\n" not in done.stdout, is_alike, done.stdout)
        file.write_bytes(gguf({"general.architecture": "mistral3", **{f"mistral3.{key}": value for key, value in (widths | yarn).items()}}))
        done = run("explain", "config", config, "--pairing", "interleaved", "--compare", file)
        self.assertIn("query scale\n  1 + 0.1 ln(1 + floor(p / 16384))", done.stdout)
        self.assertIn("no key of one", done.stdout)


class Table(unittest.TestCase):
    def made(self, *options):
        path = pathlib.Path(folder.name, "scale.npy")
        done = run("table", "query-scale", *options, "--output", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        return numpy.load(path)

    def test_entries_are_the_exact_ones_rounded_once(self):
        for config, numbers in ((LLAMA_4, (0.1, 8192, 1)), (MINISTRAL_3, (0.1, 16384, 0))):
            array = self.made("--config", saved(config), "--dtype", "f64")
            self.assertEqual(array.shape, (config["max_position_embeddings"],))
            for position in (0, 8190, 8191, 8192, 16383, 16384, 100000, len(array) - 1):
                self.assertEqual(array[position], float(exact(position, *numbers)), position)
        by_hand = self.made("--strength", 0.1, "--length", 8192, "--shift", 1, "--positions", 131072, "--dtype", "f64")
        self.assertIn("query-scale\n", run("table", "--config", saved(LLAMA_4)).stdout)
        self.assertNotIn("query-scale", run("table", "--model", "llama-3-8b").stdout)
        self.assertTrue((by_hand == self.made("--config", saved(LLAMA_4), "--dtype", "f64")).all())

    def test_what_has_no_scale_is_refused(self):
        out = pathlib.Path(folder.name, "none.npy")
        for options, message in ((("--model", "llama-3-8b", "--positions", 4), "queries keep their length"),
                                 (("--strength", 1, "--positions", 4), "length is missing"),
                                 (("--strength", 1, "--length", 4, "--positions=-1:4",), "positions from 0 to 2147483647"),
                                 (("--config", saved(MINISTRAL_3), "--layer", 1), "layer is 1; allowed: none for query-scale"),
                                 (("--config", saved(MINISTRAL_3), "--strength", 1), "strength is 1; allowed: none with --config")):
            done = run("table", "query-scale", *options, "--output", out)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(message, done.stderr)
        self.assertFalse(out.exists())


class Arrays(unittest.TestCase):
    """Arrays of an engine with one mistake: the law that each breaks, and its cause in words."""

    def verdict(self, array):
        path = pathlib.Path(folder.name, "array.npy")
        numpy.save(path, array)
        done = run("verify", "--table", path, "--as", "query-scale", "--config", saved(MINISTRAL_3), "--quiet")
        failing = {line.split()[1] for line in done.stdout.splitlines() if line.endswith("FAILS")}
        cause = [line for line in done.stdout.splitlines() if line.startswith("cause: ")]
        return done.returncode, failing, cause[0] if cause else ""

    def test_each_mistake_is_named(self):
        p = numpy.arange(131072, dtype="f8")
        step = numpy.floor(p / 16384)
        right = 1 + 0.1 * numpy.log(1 + step)
        self.assertEqual(self.verdict(right.astype("f4")), (0, set(), ""))
        off = right.astype("f4")
        off[step > 0] = numpy.nextafter(off[step > 0], numpy.float32(2))
        code, failing, cause = self.verdict(off)
        self.assertEqual((code, failing), (1, {"rounded-once"}))
        self.assertIn("rounding alone", cause)
        odd = right.copy()
        odd[70000] = 1.5
        for array, laws, words in (
                (1 + 0.1 * numpy.log(1 + numpy.floor((p + 1) / 16384)), {"scale-one", "scale-steps"}, "1 is added to the position"),
                (1 + 0.1 * numpy.log1p(p / 16384), {"scale-one", "scale-steps"}, "is not rounded down"),
                (1 + 0.1 * numpy.log(1 + numpy.ceil(p / 16384)), {"scale-one", "scale-steps"}, "is rounded up"),
                (1 + 0.1 * numpy.log2(1 + step), set(), "the logarithm is of base 2"),
                (1 + 0.1 * numpy.log(numpy.maximum(step, 1)), set(), "without the 1 that is added to it"),
                (1 / right, {"scale-rising"}, "the query is divided by the scale"),
                (right ** 2, set(), "the scale is applied twice"),
                (numpy.ones(131072), set(), "no query is scaled"),
                (0.1 * numpy.log(1 + step), {"scale-one"}, "1 is not added"),
                (1 + 0.1 * numpy.log(1 + numpy.floor(p / 16384 + 0.5)), {"scale-one", "scale-steps"}, "rounded to the nearest whole number"),
                (1 + 0.1 * numpy.log(1 + numpy.floor((p + 1) / 8192)), {"scale-one", "scale-steps"}, "the scale is that of Llama 4"),
                (1 + 0.1 * numpy.log(1 + numpy.floor(p / 10000)), {"scale-one", "scale-steps"}, "the length of a step is 10000"),
                (right.astype("f2"), set(), "rounded to binary16 before"),
                (1 + 0.1 * numpy.log(1 + numpy.floor(p / 4096)), {"scale-one", "scale-steps"}, "the length of a step is 4096"),
                (1 + 0.25 * numpy.log(1 + step), set(), "the strength is about 0.25"),
                (odd, {"scale-rising", "scale-steps"}, "have in common: position 70000")):
            with self.subTest(words):
                code, failing, cause = self.verdict(array.astype("f4"))
                self.assertEqual((code, failing), (1, laws | {"rounded-once"}))
                self.assertIn(words, cause)


if __name__ == "__main__":
    unittest.main()
