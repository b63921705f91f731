#!/usr/bin/env python3
"""GGUF files as configurations and as tables: what their header says, what their architecture adds, and what differs from the
config.json of the same model."""
import json
import math
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

from gguf_file import gguf

command = os.environ["ROPEWALK_COMMAND"]
source = pathlib.Path(os.environ["ROPEWALK_SOURCE"])
folder = tempfile.TemporaryDirectory()


def run(*words, **more):
    return subprocess.run([command, *map(str, words)], capture_output=True, text=True, timeout=60, **more)


def saved(name, content):
    path = pathlib.Path(folder.name, name)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(json.dumps(content))
    return path


def model(architecture, numbers, tensors=()):
    """Metadata of an architecture, among other keys that every file has."""
    metadata = {"general.architecture": architecture, "general.name": "a model", "tokenizer.ggml.tokens": ["a", "b"],
                "tokenizer.ggml.scores": [0.5, 1.5]}
    return gguf({**metadata, **{f"{architecture}.{key}": value for key, value in numbers.items()}}, tensors)


def floats(name, numbers):
    return (name, (len(numbers),), 0, struct.pack(f"<{len(numbers)}f", *numbers))


def llama3_divisors(base, factor, low, high, length, width=128):
    """The divisors of rope_freqs.weight, by the rule's formula in binary64."""
    r = []
    for pair in range(width // 2):
        wavelength = 2 * math.pi * base ** (2 * pair / width)
        if wavelength < length / high:
            r.append(1.0)
        elif wavelength > length / low:
            r.append(float(factor))
        else:
            smooth = (length / wavelength - low) / (high - low)
            r.append(1 / ((1 - smooth) / factor + smooth))
    return r


WIDE = {"embedding_length": 4096, "attention.head_count": 32, "attention.head_count_kv": 8, "context_length": 131072,
        "block_count": 8, "rope.dimension_count": 128}
SAID = {"hidden_size": 4096, "num_attention_heads": 32, "num_key_value_heads": 8, "max_position_embeddings": 131072,
        "num_hidden_layers": 8}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
GGUF_YARN = {"rope.scaling.type": "yarn", "rope.scaling.factor": 4.0, "rope.scaling.original_context_length": 32768}
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}

# One model each: its config.json, the options that read it, and its GGUF file.
PAIRS = {
    "llama": ({"model_type": "llama", **SAID, "rope_theta": 500000.0, "rope_scaling": LLAMA3}, ("--pairing", "interleaved"),
              ("llama", {**WIDE, "rope.freq_base": 500000.0}, [floats("rope_freqs.weight", llama3_divisors(5e5, 8, 1, 4, 8192))])),
    "qwen2": ({"model_type": "qwen2", **SAID, "rope_theta": 1000000.0, "rope_scaling": YARN}, (),
              ("qwen2", {**WIDE, "rope.freq_base": 1000000.0, **GGUF_YARN}, [])),
    "gemma3": ({"model_type": "gemma3_text", **SAID, "head_dim": 256, "rope_theta": 1000000.0, "rope_local_base_freq": 10000.0,
                "rope_scaling": {"rope_type": "linear", "factor": 8.0}}, (),
               ("gemma3", {**WIDE, "attention.key_length": 256, "rope.dimension_count": 256, "attention.sliding_window": 1024,
                           "rope.freq_base": 1000000.0, "rope.scaling.type": "linear", "rope.scaling.factor": 8.0}, [])),
    "smollm3": ({"model_type": "smollm3", **SAID, "rope_theta": 5000000.0}, ("--pairing", "interleaved"),
                ("smollm3", {**WIDE, "rope.freq_base": 5000000.0}, [])),
    "deepseek2": ({"model_type": "deepseek_v3", **SAID, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "rope_theta": 10000.0,
                   "rope_scaling": {"rope_type": "yarn", "factor": 40.0, "mscale": 1.0, "mscale_all_dim": 1.0,
                                    "original_max_position_embeddings": 4096}}, ("--pairing", "interleaved"),
                  ("deepseek2", {**WIDE, "rope.dimension_count": 64, "attention.key_length": 576, "attention.key_length_mla": 192,
                                 "rope.scaling.type": "yarn", "rope.scaling.factor": 40.0,
                                 "rope.scaling.original_context_length": 4096, "rope.scaling.yarn_log_multiplier": 0.1}, [])),
    "cohere2": ({"model_type": "cohere2", **SAID, "rope_theta": 50000.0}, (),
                ("cohere2", {**WIDE, "rope.freq_base": 50000.0, "attention.sliding_window": 4096}, [])),
    "olmo2": ({"model_type": "olmo3", **SAID, "rope_theta": 500000.0, "rope_scaling": YARN}, (),
              ("olmo2", {**WIDE, "rope.freq_base": 500000.0, "attention.sliding_window": 4096, **GGUF_YARN}, [])),
}


class Gguf(unittest.TestCase):
    def told(self, content, *words):
        done = run("explain", "config", saved("model.gguf", content), "--json", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def refused(self, words, content, *more):
        done = run("explain", "config", saved("model.gguf", content), *more)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stdout + done.stderr)
        self.assertIn(words, done.stderr)

    def plan(self, content):
        told = self.told(content)
        tables = [one["model"] for one in told["plan"]["tables"]]
        return {one["layers"]: None if one["table"] is None else (tables[one["table"]]["base"],
                                                                  tables[one["table"]]["rope_scaling"]["rope_type"])
                for one in told["plan"]["layers"]}

    def compared(self, name, changed_config=(), changed_file=(), tensors=None):
        config, words, (architecture, numbers, own) = PAIRS[name]
        first = saved("config.json", {**config, **dict(changed_config)})
        second = saved("model.gguf", model(architecture, {**numbers, **dict(changed_file)}, own if tensors is None else tensors))
        return run("explain", "config", first, *words, "--compare", second)

    def test_the_same_model_is_the_same(self):
        for name in PAIRS:
            with self.subTest(name):
                done = self.compared(name)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertRegex(done.stdout, r"^0 differences; \d+ quantities compared, divisors and attention factors as binary32 holds them\n$")

    def test_what_was_planted_is_found(self):
        wrong = [1 / (1 - s) if s < 1 else 1.0 for s in (1.0,) * 30 + (0.5,) * 34]
        for name, config, file, tensors, layers, words in (
                ("llama", {}, {"rope.freq_base": 10000.0}, None, "", ("base", "500000", "llama.rope.freq_base")),
                ("llama", {}, {}, [floats("rope_freqs.weight", wrong)], "", ("pairs 29", "rope_freqs.weight")),
                ("llama", {}, {}, [], "", ("pairs 29-63", "no scaling block")),
                ("qwen2", {}, {"rope.scaling.factor": 2.0}, None, "", ("attention factor", "pairs")),
                ("qwen2", {"rope_scaling": {**YARN, "attention_factor": 1.0}}, {}, None, "", ("attention factor",)),
                ("gemma3", {"rope_local_base_freq": 20000.0}, {}, None, "0-4, 6-7", ("base", "by architecture gemma3")),
                ("gemma3", {"sliding_window_pattern": 4}, {}, None, "3, 7", ("base",)),
                ("smollm3", {"no_rope_layer_interval": 2}, {}, None, "1, 5", ("rotation", "the layer does not rotate")),
                ("smollm3", {"num_hidden_layers": 7}, {}, None, "", ("layers", "number of layers")),
                ("deepseek2", {}, {"rope.dimension_count": 32}, None, "", ("head_dim", "64", "32")),
                ("cohere2", {"model_type": "cohere"}, {}, None, "3, 7", ("rotation",)),
                ("olmo2", {"rope_scaling": None}, {}, None, "3, 7", ("pairs", "attention factor"))):
            with self.subTest(f"{name} {config} {file}"):
                done = self.compared(name, config, file, tensors)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                if layers:
                    self.assertIn(f"layers {layers}: ", done.stdout)
                for one in words:
                    self.assertIn(one, done.stdout)
        flipped = run("explain", "config", saved("config.json", PAIRS["llama"][0]), "--compare", saved("model.gguf", model(*PAIRS["llama"][2])))
        self.assertEqual(flipped.returncode, 1)
        self.assertIn("pairing\n  half-split", flipped.stdout)
        self.assertIn("by architecture llama", flipped.stdout)

    def test_any_two_sources_are_compared(self):
        done = run("explain", "config", "--model", "llama-3.1-8b", "--compare", "llama-3.1-8b")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run("explain", "config", "--model", "llama-3.1-8b", "--compare", "llama-2-7b")
        self.assertEqual(done.returncode, 1)
        self.assertIn("base\n  500000", done.stdout)
        params = saved("params.json", {"dim": 4096, "n_heads": 32, "head_dim": 128, "rope_theta": 1000000.0, "n_layers": 8})
        file = saved("model.gguf", model("llama", {**WIDE, "rope.freq_base": 1000000.0}))
        self.assertEqual(run("explain", "config", params, "--compare", file).returncode, 0)
        for words, field in ((("explain", "law", "norm", "--compare", "x"), "compare is x"),
                             (("explain", "config", params, "--compare", "no-such-model"), "no model named 'no-such-model'")):
            done = run(*words)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(field, done.stderr)

    def test_what_the_file_does_not_store_is_marked(self):
        told = self.told(model("smollm3", {**WIDE, "rope.freq_base": 5e6}))
        origins = {one["name"]: one["origin"] for one in told["quantities"]}
        self.assertEqual(origins["pairing"], "by architecture smollm3")
        self.assertEqual(origins["base"], "smollm3.rope.freq_base")
        self.assertEqual(origins["architecture"], "general.architecture")
        self.assertEqual(self.plan(model("smollm3", WIDE)), {"0-2, 4-6": (10000, "default"), "3, 7": None})

    def test_layers_of_architectures(self):
        window = {"attention.sliding_window": 1024}
        flags = [True, True, True, False] * 2
        for architecture, numbers, plan in (
                ("gemma2", window, None),
                ("gemma3", {}, None),
                ("gemma3", window, {"0-4, 6-7": (10000, "default"), "5": (1000000, "default")}),
                ("gemma3n", window, {"0-3, 5-7": (10000, "default"), "4": (1000000, "default")}),
                ("modern-bert", window, {"0, 3, 6": (1000000, "default"), "1-2, 4-5, 7": (10000, "default")}),
                ("cohere2", window, {"0-2, 4-6": (1000000, "default"), "3, 7": None}),
                ("exaone4", window, None),
                ("exaone-moe", window, {"0-2, 4-6": (1000000, "default"), "3, 7": None}),
                ("llama4", {}, {"0-2, 4-6": (1000000, "default"), "3, 7": None}),
                ("llama4", {"attention.sliding_window": 0}, {"0-6": (1000000, "default"), "7": None}),
                ("smallthinker", window, {"0, 4": None, "1-3, 5-7": (1000000, "default")}),
                ("smallthinker", {}, None),
                ("mimo2", {**window, "attention.sliding_window_pattern": flags, "rope.freq_base_swa": 20000.0},
                 {"0-2, 4-6": (20000, "default"), "3, 7": (1000000, "default")}),
                ("lfm2", {"attention.head_count_kv": [0, 0, 8, 0, 0, 8, 0, 8]}, {"0-1, 3-4, 6": None, "2, 5, 7": (1000000, "default")}),
                ("qwen3next", {}, {"0-2, 4-6": None, "3, 7": (1000000, "default")}),
                ("olmo2", {**window, **GGUF_YARN}, {"0-2, 4-6": (1000000, "default"), "3, 7": (1000000, "yarn")}),
                ("gpt-oss", {**window, **GGUF_YARN}, None),
                ("deepseek4", {"attention.compress_ratios": [0, 0, 4, 128, 4, 128, 4, 0], "attention.key_length": 512,
                               "rope.dimension_count": 64, "attention.compress_rope_freq_base": 160000.0, **GGUF_YARN},
                 {"0-1, 7": (1000000, "default"), "2-6": (160000, "yarn")})):
            with self.subTest(f"{architecture} {numbers}"):
                content = model(architecture, {**WIDE, "rope.freq_base": 1000000.0, **numbers})
                if plan is None:
                    told = self.told(content)
                    self.assertEqual(len(told["plan"]["tables"]), 1)
                    self.assertNotIn("layer_type", told["model"])
                else:
                    self.assertEqual(self.plan(content), plan)

    def test_widths_of_kinds_and_last_channels(self):
        told = self.told(model("deepseek4", {**WIDE, "attention.key_length": 512, "rope.dimension_count": 64}))
        self.assertEqual([told["model"][key] for key in ("head_dim", "rotary_dim", "rotary_begin")], [512, 64, 448])
        told = self.told(model("gemma4", {**WIDE, "attention.key_length": 512, "rope.dimension_count": 512, "attention.key_length_swa": 256,
                                          "rope.dimension_count_swa": 256, "attention.sliding_window": 512, "rope.freq_base": 1e6,
                                          "attention.sliding_window_pattern": [True] * 7 + [False]},
                               [floats("rope_freqs.weight", [1.0] * 64 + [1e30] * 192)]))
        self.assertEqual([one["model"]["head_dim"] for one in told["plan"]["tables"]], [512, 256])
        self.assertEqual(told["plan"]["tables"][0]["model"]["rope_scaling"]["rope_type"], "longrope")

    def test_divisors_of_the_file_are_the_rule(self):
        divisors = llama3_divisors(5e5, 8, 1, 4, 8192)
        file = saved("model.gguf", model("llama", {**WIDE, "rope.freq_base": 500000.0}, [floats("rope_freqs.weight", divisors)]))
        done = run("table", "ggml-factors", "--config", file, "--dtype", "f32", "--format", "csv", "--output", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        got = [line.split(",")[-1] for line in done.stdout.splitlines()[2:]]
        self.assertEqual(got, [struct.pack(">f", one).hex() for one in divisors])
        long, short = [4.0] * 64, [1.5] * 64
        numbers = {**WIDE, "rope.scaling.original_context_length": 4096, "rope.scaling.attn_factor": 1.25}
        lists = [floats("rope_factors_long.weight", long), floats("rope_factors_short.weight", short)]
        for length, list_name in ((4096, "short_factor"), (4097, "long_factor")):
            told = self.told(model("phi3", numbers, lists), "--seq-len", str(length))
            quantities = {one["name"]: one["value"] for one in told["quantities"]}
            self.assertEqual((quantities["list"], quantities["attention factor"]), (list_name, "1.25"))

    def test_factors_that_one_key_says(self):
        told = self.told(model("hunyuan-dense", {**WIDE, "rope.scaling.alpha": 1000.0}))
        self.assertIn("11158839.9250775", [one["value"] for one in told["quantities"]])
        told = self.told(model("llama", {**WIDE, "rope.scaling.attn_factor": 1.5}, [floats("rope_freqs.weight", [2.0] * 64)]))
        self.assertIn(("attention factor", "1.5"), [(one["name"], one["value"]) for one in told["quantities"]])
        self.refused("attention.compress_rope_freq_base is missing",
                     model("deepseek4", {**WIDE, "attention.key_length": 512, "attention.compress_ratios": [0, 4] * 4}))

    def test_pairs_that_llama_cpp_turns_by_a_fourth_row(self):
        told = self.told(model("qwen3vl", {**WIDE, "rope.dimension_sections": [24, 20, 20, 0]}))
        self.assertEqual(told["warnings"], ["llama.cpp turns pairs 61, 62 by a fourth row of positions, which is 0 in text"])

    def test_the_numbers_of_an_indexer_are_told_and_compared(self):
        numbers = {**WIDE, "rope.dimension_count": 64, "attention.key_length_mla": 192, "attention.indexer.key_length": 128,
                   "attention.indexer.head_count": 64, "attention.indexer.top_k": 2048}
        told = self.told(model("deepseek32", numbers))
        self.assertLessEqual({("indexer heads", "64", "deepseek32.attention.indexer.head_count"),
                              ("indexer head_dim", "128", "deepseek32.attention.indexer.key_length"),
                              ("indexer keys", "2048", "deepseek32.attention.indexer.top_k")},
                             {(one["name"], one["value"], one["origin"]) for one in told["quantities"]})
        config = {"model_type": "deepseek_v32", "hidden_size": 2048, "num_attention_heads": 16, "num_hidden_layers": 8,
                  "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "max_position_embeddings": 131072, "rope_theta": 1000000.0,
                  "rope_interleave": True, "index_head_dim": 128, "index_n_heads": 64, "index_topk": 2048}
        file = saved("model.gguf", model("deepseek32", {**numbers, "rope.freq_base": 1000000.0}))
        for changed, differing in (({}, []), ({"index_topk": 512, "index_n_heads": 32}, ["indexer heads", "indexer keys"])):
            done = run("explain", "config", saved("config.json", {**config, **changed}), "--compare", file, "--json")
            names = [one["name"] for one in json.loads(done.stdout)["differences"]]
            self.assertEqual([one for one in names if one.startswith("indexer")], differing, done.stdout)
        ratios = {**WIDE, "attention.key_length": 512, "rope.dimension_count": 64, "attention.compress_ratios": [0, 4, 128, 4, 128, 4, 128, 4],
                  "attention.compress_rope_freq_base": 160000.0}
        told = self.told(model("deepseek4", ratios))
        self.assertIn(("compress ratios", "0: layers 0; 4: layers 1, 3, 5, 7; 128: layers 2, 4, 6", "deepseek4.attention.compress_ratios"),
                      [(one["name"], one["value"], one["origin"]) for one in told["quantities"]])

    def test_the_temperature_of_a_file_must_be_one(self):
        latent = {**WIDE, "rope.dimension_count": 64, "attention.key_length_mla": 192, "attention.temperature_scale": 0.1}
        self.refused("deepseek2.attention.temperature_length is missing", model("deepseek2", latent))
        yarn = {"rope.scaling.type": "yarn", "rope.scaling.factor": 4.0, "rope.scaling.original_context_length": 8192}
        self.refused("deepseek2.attention.temperature_length is 4096; allowed: 8192, as deepseek2.rope.scaling.original_context_length says",
                     model("deepseek2", {**latent, **yarn, "attention.temperature_length": 4096}))
        self.told(model("deepseek2", {**latent, **yarn, "attention.temperature_length": 8192}))
        self.told(model("deepseek2", {**latent, "attention.temperature_length": 8192}))

    def test_encodings_that_do_not_rotate(self):
        for architecture, numbers, encoding in (("bloom", {}, "ALiBi"), ("mpt", {"attention.max_alibi_bias": 8.0}, "ALiBi"), ("gpt2", {}, "learned rows"), ("starcoder", {}, "learned rows"),
                                                ("t5", {"attention.relative_buckets_count": 32}, "T5's buckets of distances")):
            self.assertEqual(self.told(model(architecture, {**WIDE, **numbers}))["encoding"], encoding)
        self.refused("know the order of tokens by their recurrence", model("mamba", WIDE))
        told = self.told(model("bloom", WIDE))
        self.assertIn({"name": "form", "value": "symmetric", "origin": "by architecture"}, told["quantities"])
        for numbers, words in (({}, "mpt.attention.max_alibi_bias is missing"), ({"attention.max_alibi_bias": 0.0}, "mpt.attention.max_alibi_bias is 0;"),
                               ({"attention.max_alibi_bias": 16.0}, "mpt.attention.max_alibi_bias is 16; allowed: 8: slopes")):
            self.refused(words, model("mpt", {**WIDE, **numbers}))

    def test_what_is_not_understood_is_refused(self):
        for architecture, numbers, words in (
                ("llama", {"rope.new_key": 1}, "llama.rope.new_key is 1"),
                ("llama", {"rope.scaling.type": "other", "rope.scaling.factor": 2.0}, "llama.rope.scaling.type is other"),
                ("llama", {"rope.freq_base": float("nan")}, "llama.rope.freq_base is"),
                ("llama", {"rope.freq_base": 0.5}, "llama.rope.freq_base is 0.5"),
                ("llama", {"rope.scaling.type": "longrope"}, "rope_factors_long.weight"),
                ("llama", {"rope.dimension_count": 130}, "llama.rope.dimension_count is 130"),
                ("gemma4", {"attention.sliding_window": 512}, "gemma4.attention.sliding_window_pattern is missing"),
                ("mimo2", {"attention.sliding_window_pattern": [True]}, "a list of 1"),
                ("baichuan", {"block_count": 40}, "no layer of architecture baichuan rotates"),
                ("granite", {"rope.scaling.finetuned": False}, "no layer rotates"),
                ("nosuch", {}, "general.architecture is nosuch")):
            with self.subTest(words):
                self.refused(words, model(architecture, {**WIDE, **numbers}))
        self.told(model("llama", {**WIDE, "rope.new_key": 1}), "--ignore-key", "llama.rope.new_key=of another part")
        self.told(model("nosuch", WIDE), "--pairing", "half-split")

    def test_headers_that_are_none(self):
        good = model("llama", WIDE)
        for content, words in ((good[:40], "ends inside its header"), (b"GGUF" + struct.pack("<IQQ", 1, 0, 0), "version 1"),
                               (b"GGUF" + struct.pack(">IQQ", 3, 0, 0), "big endian"),
                               (b"GGUF" + struct.pack("<IQQ", 3, 0, 1 << 40), "metadata entries"),
                               (b"GGUF" + struct.pack("<IQQ", 3, 1 << 40, 0), "tensors"),
                               (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1 << 60), "a key of"),
                               (gguf({}), "general.architecture is missing"),
                               (gguf({"general.architecture": "llama", "general.alignment": 3}), "general.alignment is 3")):
            with self.subTest(words):
                self.refused(words, content)
        done = subprocess.run([command, "explain", "config", "-"], input=good, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"a GGUF file by its path", done.stderr)

    def test_a_large_file_is_read_by_its_header_alone(self):
        path = saved("large.gguf", model("llama", WIDE))
        with path.open("r+b") as file:
            file.truncate(40 << 30)  # of which the disk holds the header
        done = run("explain", "config", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        path.unlink()

    def test_a_split_model_has_its_tensors_in_any_part(self):
        first = {"general.architecture": "llama", "split.no": 0, "split.count": 2, **{f"llama.{key}": one for key, one in WIDE.items()}}
        saved("split-00001-of-00002.gguf", gguf(first))
        saved("split-00002-of-00002.gguf", gguf({"split.no": 1, "split.count": 2}, [floats("rope_freqs.weight", [2.0] * 64)]))
        done = run("explain", "config", pathlib.Path(folder.name, "split-00001-of-00002.gguf"), "--json")
        self.assertEqual(json.loads(done.stdout)["model"]["rope_scaling"]["rope_type"], "longrope")
        done = run("explain", "config", pathlib.Path(folder.name, "split-00002-of-00002.gguf"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("this one is part 2 of 2", done.stderr)

    def test_tensors_are_judged(self):
        divisors = llama3_divisors(5e5, 8, 1, 4, 8192)
        as_factors = ("--as", "ggml-factors", "--model", "llama-3.1-8b")
        half = struct.pack("<64e", *divisors)
        brain = b"".join(struct.pack("<f", one)[2:] for one in [1.0] * 64)
        content = gguf({"general.architecture": "llama"}, [floats("rope_freqs.weight", divisors), ("half", (64,), 1, half),
                                                          ("brain", (64,), 30, brain), ("packed", (64,), 12, bytes(36))])
        file = saved("tables.gguf", content)
        done = run("verify", "--table", f"{file}#rope_freqs.weight", *as_factors)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(run("verify", "--table", f"{file}#half", *as_factors).returncode, 0)
        self.assertEqual(run("verify", "--table", f"{file}#brain", *as_factors, "--dtype", "bf16").returncode, 1)
        # llama.cpp#8676: the quotient of the wrong term, in the ramp alone.
        kept, divided = 1.0, 8.0
        smooth = [None if one in (kept, divided) else (1 / one - 1 / 8) / (1 - 1 / 8) for one in divisors]
        inverted = [one if s is None else 8 / (1 - s) + s for one, s in zip(divisors, smooth)]
        wrong = saved("wrong.gguf", gguf({"general.architecture": "llama"}, [floats("rope_freqs.weight", inverted)]))
        done = run("verify", "--table", f"{wrong}#rope_freqs.weight", *as_factors)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("frequencies are divided by factor / (1 - s) + s", done.stdout)
        done = run("verify", "--table", f"{file}#packed", *as_factors)
        self.assertEqual(done.returncode, 2)
        self.assertIn("dtype Q4_K", done.stderr)
        done = run("verify", "--table", f"{file}#none", *as_factors)
        self.assertEqual(done.returncode, 2)
        out = pathlib.Path(folder.name, "out.gguf")
        self.assertEqual(run("table", "ggml-factors", "--model", "llama-3.1-8b", "--dtype", "f32", "--name", "rope_freqs.weight", "--output",
                             out).returncode, 0)
        self.assertEqual(run("verify", "--table", f"{out}#rope_freqs.weight", *as_factors).returncode, 0)


if __name__ == "__main__":
    unittest.main()
