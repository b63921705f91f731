#!/usr/bin/env python3
"""Where engines differ: each reading changes the numbers that it should, and no other model's; the size of each difference, and of any
two configurations, is that of a search through every position in numpy."""
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

import jsonschema
import numpy

from gguf_file import gguf

command = os.environ["ROPEWALK_COMMAND"]
schemas = pathlib.Path(os.environ["ROPEWALK_SOURCE"], "src/report")
folder = tempfile.TemporaryDirectory()
HEADS = {"hidden_size": 64, "num_attention_heads": 1, "num_hidden_layers": 4, "max_position_embeddings": 131072}
QWEN = {"model_type": "qwen3_vl_text", "head_dim": 128, "max_position_embeddings": 262144, "rope_theta": 5000000.0}
RAMP = {"rope_type": "yarn", "rope_theta": 150000.0, "factor": 32.0, "original_max_position_embeddings": 4096}
PLAIN = {"rope_type": "default", "rope_theta": 150000.0}
OLMO = {"model_type": "olmo3", **HEADS}
LISTS = {"short_factor": [1.0, 1.0, 1.0, 1.0], "long_factor": [1.0, 2.0, 3.0, 4.0]}
PHI = {"model_type": "phi3", "hidden_size": 16, "num_attention_heads": 2, "max_position_embeddings": 131072,
       "original_max_position_embeddings": 4096}
EXAONE = {"model_type": "exaone4", "hidden_size": 5120, "num_attention_heads": 40, "head_dim": 128, "max_position_embeddings": 8192,
          "rope_theta": 1e6, "sliding_window": 4096}


def run(*words, **how):
    return subprocess.run([command, *map(str, words)], capture_output=True, text=True, timeout=120, **how)


def saved(config, name="config.json"):
    path = pathlib.Path(folder.name, name)
    if isinstance(config, bytes):
        path.write_bytes(config)
    else:
        path.write_text(json.dumps(config))
    return path


def validator(name):
    schema = json.loads((schemas / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


ENGINES, COMPARED = validator("explained-engines"), validator("compared-configs")


def plain(base, pairs):
    return base ** (-numpy.arange(pairs) / pairs)


def ramp(base, pairs, factor, length, truncate):
    ends = [2 * pairs * math.log(length / (turns * 2 * math.pi)) / (2 * math.log(base)) for turns in (32, 1)]
    low, high = (math.floor(ends[0]), math.ceil(ends[1])) if truncate else ends
    weight = numpy.clip((numpy.arange(pairs) - max(low, 0)) / (min(high, 2 * pairs - 1) - max(low, 0)), 0, 1)
    return plain(base, pairs) * (1 - weight + weight / factor)


def searched(f, g, positions, a=1.0, b=1.0):
    """The largest |a e^(ipf) - b e^(ipg)| over pairs and positions, and the first position at which one is above 2^-8."""
    p = numpy.arange(positions)
    largest, noticeable = 0.0, None
    for x, y in zip(f, g):
        apart = numpy.sqrt((a - b) ** 2 + 4 * a * b * numpy.sin(p * ((x - y) / 2)) ** 2)
        largest = max(largest, apart.max())
        beyond = numpy.flatnonzero(apart > 2.0 ** -8)
        if beyond.size and (noticeable is None or beyond[0] < noticeable):
            noticeable = int(beyond[0])
    return largest, noticeable


def factor_of_yarn(factor):
    return 0.1 * math.log(factor) + 1


STILL = plain(5e6, 64)
STILL[[61, 62]] = 0
WHOLE, REAL = ramp(150000, 32, 32, 4096, True), ramp(150000, 32, 32, 4096, False)
SHORT, LONG = plain(10000, 4), plain(10000, 4) / numpy.array(LISTS["long_factor"])
OF_OSS = factor_of_yarn(32)
OF_PHI = math.sqrt(1 + math.log(32) / math.log(4096))
# A configuration, and the readings that change it, each with its size.
CASES = [
    (QWEN, {"fourth-row": searched(plain(5e6, 64), STILL, 262144)}),
    ({**QWEN, "rope_scaling": {"rope_type": "default", "mrope_section": [22, 21, 21]}}, {}),
    ({**OLMO, "rope_parameters": {"full_attention": {**RAMP, "truncate": False}, "sliding_attention": PLAIN}},
     {"ramp-truncated": searched(REAL, WHOLE, 131072, OF_OSS, OF_OSS), "truncate-of-tables": searched(REAL, WHOLE, 131072, OF_OSS, OF_OSS)}),
    ({"model_type": "gpt_oss", **HEADS, "rope_scaling": {**RAMP, "truncate": False}},
     {"ramp-truncated": searched(REAL, WHOLE, 131072, OF_OSS, OF_OSS)}),
    ({"model_type": "gpt_oss", **HEADS, "rope_scaling": {**RAMP, "truncate": True}}, {}),
    ({"model_type": "gpt_oss", **HEADS, "rope_scaling": {**RAMP, "truncate": True, "attention_factor": 1.25}},
     {"factor-unread": searched(WHOLE, WHOLE, 9, 1.25, OF_OSS)}),
    ({"model_type": "gpt_oss", **HEADS, "rope_scaling": {**RAMP, "truncate": True, "attention_factor": OF_OSS}}, {}),
    ({**OLMO, "rope_theta": 150000.0, "rope_scaling": {**RAMP, "attention_factor": OF_OSS}},
     {"factor-twice": searched(WHOLE, WHOLE, 9, OF_OSS, OF_OSS ** 2)}),
    ({**OLMO, "rope_theta": 150000.0, "rope_scaling": RAMP}, {}),
    ({**PHI, "rope_scaling": {"type": "longrope", **LISTS}}, {"long-list": searched(SHORT, LONG, 4096, OF_PHI, OF_PHI)}),
    ({**PHI, "rope_scaling": {"type": "yarn", **LISTS}},
     {"long-list": searched(SHORT, LONG, 4096, OF_PHI, OF_PHI), "factor-of-yarn": searched(LONG, LONG, 9, OF_PHI, factor_of_yarn(32))}),
    ({**PHI, "model_type": "phimoe",
      "rope_scaling": {"type": "longrope", **LISTS, "short_mscale": 1.5, "long_mscale": 1.5, "original_max_position_embeddings": 4096}},
     {"long-list-of-moe": searched(SHORT, LONG, 4096, 1.5, 1.5), "short-list": searched(LONG, SHORT, 131072, 1.5, 1.5)}),
    ({**EXAONE, "num_hidden_layers": 30, "sliding_window_pattern": "LLLG"},
     {"last-layer-full": searched(plain(1e6, 64), 0 * plain(1e6, 64), 8192), "depth-64": searched(0 * plain(1e6, 64), plain(1e6, 64), 8192)}),
    ({**EXAONE, "num_hidden_layers": 64, "sliding_window_pattern": "LLLG"}, {}),
    ({**EXAONE, "num_hidden_layers": 30, "sliding_window": None}, {}),
    ({"model_type": "llama", **HEADS}, {}),
    # What engines do not read otherwise: a factor by mscale, a truncate where it is looked for, types that llama.cpp lacks.
    ({"model_type": "llama", **HEADS, "rope_scaling": {**RAMP, "attention_factor": 1.0, "mscale": 1.0, "mscale_all_dim": 1.0}}, {}),
    ({**OLMO, "rope_parameters": {"full_attention": {**RAMP, "truncate": False}, "sliding_attention": PLAIN, "truncate": False}},
     {"ramp-truncated": searched(REAL, WHOLE, 131072, OF_OSS, OF_OSS)}),
    ({"model_type": "openai_privacy_filter", **HEADS, "rope_scaling": {**RAMP, "truncate": False}}, {}),
]


class Engines(unittest.TestCase):
    def told(self, config):
        done = run("explain", "engines", saved(config), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        told = json.loads(done.stdout)
        self.assertEqual([one.message for one in ENGINES.iter_errors(told)], [])
        return told

    def assert_size(self, told, searched_for):
        largest, noticeable = searched_for
        self.assertAlmostEqual(told["largest"], largest, delta=1e-6 * largest)
        self.assertEqual(told["noticeable"], noticeable)

    def test_each_reading_changes_what_it_should_and_by_as_much(self):
        seen = set()
        for config, sizes in CASES:
            with self.subTest(config):
                found = {one["name"]: one["comparison"] for one in self.told(config)["readings"]}
                self.assertEqual(set(found), set(sizes))
                for name, size in sizes.items():
                    self.assertEqual(len(found[name]["separations"]), 1)
                    self.assert_size(found[name]["separations"][0], size)
                    seen.add(name)
        self.assertEqual(len(seen), self.told(QWEN)["known"])

    def test_the_layers_that_differ_are_said(self):
        found = {one["name"]: one["comparison"] for one in self.told(CASES[12][0])["readings"]}
        self.assertEqual(found["last-layer-full"]["separations"][0]["layers"], "29")
        self.assertEqual(found["depth-64"]["separations"][0]["layers"], "3, 7, 11, 15, 19, 23, 27")

    def test_every_reading_is_on_the_page(self):
        page = (schemas.parent / "model/README.md").read_text(encoding="utf-8")
        for config, sizes in CASES:
            for name in sizes:
                self.assertIn(f"\n| {name} |", page)

    def test_a_file_for_llama_cpp_is_compared_as_it_reads_it(self):
        numbers = {"embedding_length": 2048, "attention.head_count": 16, "attention.key_length": 128, "rope.dimension_count": 128,
                   "context_length": 262144, "block_count": 2, "rope.freq_base": 5e6, "rope.dimension_sections": [24, 20, 20, 0]}
        path = saved(gguf({"general.architecture": "qwen3vl", **{f"qwen3vl.{key}": one for key, one in numbers.items()}}), "qwen.gguf")
        done = run("explain", "config", path, "--compare", saved({**QWEN, "num_hidden_layers": 2}), "--json")
        self.assertEqual(done.returncode, 1, done.stderr)
        told = json.loads(done.stdout)
        self.assertEqual([one["name"] for one in told["differences"]], ["pairs of a fourth row"])
        self.assertEqual(told["differences"][0]["first"]["value"], "61-62")
        self.assert_size(told["separations"][0], CASES[0][1]["fourth-row"])
        self.assertEqual(json.loads(run("explain", "engines", path, "--json").stdout)["readings"], [])


class Compared(unittest.TestCase):
    def told(self, first, second, *words):
        done = run("explain", "config", first, "--compare", second, "--json", *words)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        told = json.loads(done.stdout)
        self.assertEqual([one.message for one in COMPARED.iter_errors(told)], [])
        self.assertEqual(done.returncode, 1 if told["differences"] else 0)
        return told

    def test_sizes_are_those_of_a_search(self):
        llama = {"model_type": "llama", "head_dim": 64, "rope_theta": 10000.0, "max_position_embeddings": 5000}
        for changed, length in (({"rope_theta": 10001.0}, 5000), ({"rope_theta": 500000.0}, 5000), ({"rope_theta": 10000.000001}, 300)):
            with self.subTest(changed):
                told = self.told(saved(llama), saved({**llama, **changed}, "other.json"), "--seq-len", length)
                self.assertEqual(told["positions"], length)
                size = searched(plain(10000.0, 32), plain(changed["rope_theta"], 32), length)
                # numpy subtracts rounded frequencies, of which the last bases leave six digits.
                self.assertAlmostEqual(told["separations"][0]["largest"], size[0], delta=1e-5 * size[0])
                self.assertEqual(told["separations"][0]["noticeable"], size[1])

    def test_nothing_differs_from_itself_and_other_channels_have_no_size(self):
        told = self.told(saved({"model_type": "llama", **HEADS}), saved({"model_type": "llama", **HEADS}, "other.json"))
        self.assertEqual((told["differences"], told["separations"]), ([], []))
        told = self.told(saved({"model_type": "gptj", "n_embd": 256, "n_head": 4, "rotary_dim": 64}),
                         saved({"model_type": "llama", "head_dim": 64}, "other.json"))
        self.assertEqual([one["name"] for one in told["differences"]], ["pairing"])
        self.assertEqual(told["separations"], [])

    def test_the_schema_refuses_other_records(self):
        told = self.told(saved({"model_type": "llama", **HEADS}), saved({"model_type": "llama", **HEADS}, "other.json"))
        for changed in ({"compared": 0}, {"differences": [{"name": "base"}]}, {"more": 1}, {"schema": "urn:ropewalk:compared-configs:2"}):
            self.assertTrue(list(COMPARED.iter_errors({**told, **changed})), changed)
        self.assertTrue(list(ENGINES.iter_errors({"schema": "urn:ropewalk:explained-engines:1"})))


if __name__ == "__main__":
    unittest.main()
