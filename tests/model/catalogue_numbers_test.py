#!/usr/bin/env python3
"""Every entry of the catalogue, with the numbers that its source and its type's code give: pairing, widths, base, rule,
attention factor, which layers rotate, and the frequencies, computed with decimal numbers. They are written here by hand:
nothing is shared with the reader but the factor lists of longrope, which are data."""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from model_types_test import DEFAULT, FULL, H, I, IH, LLAMA3, SLIDING, YARN_GPT_OSS, Decimal, every, frequencies, runs

command = os.environ["ROPEWALK_COMMAND"]
CATALOGUE = pathlib.Path(os.environ["ROPEWALK_SOURCE"]) / "src/model/catalogue"
folder = tempfile.TemporaryDirectory()
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")
LINEAR4, LINEAR8 = ({"rope_type": "linear", "factor": factor} for factor in (4, 8))
DYNAMIC = {"rope_type": "dynamic"}  # at the length where it begins to grow: plain frequencies


def llama3(factor, high=4):
    return {**LLAMA3, "factor": factor, "high_freq_factor": high, "original_max_position_embeddings": 8192}


def yarn(factor, length, fast=32, attention=None):
    """attention: what its keys say instead of 0.1 ln factor + 1"""
    return {"rope_type": "yarn", "factor": factor, "original_max_position_embeddings": length, "beta_fast": fast, "beta_slow": 1,
            "attention": attention}


def longrope(factor, length, attention=None):
    return {"rope_type": "longrope", "context over length": factor, "original_max_position_embeddings": length,
            "attention": attention}


ENTRIES = {}


def of(names, pairing=H, base=10000, head=128, rotary=None, rule=DEFAULT, layers=None, sections=None):
    """Entries that read alike. layers: {kind: None if it does not rotate, or (base, head, rotary, rule), or the
    layers in runs beside it}"""
    for name in names.split():
        assert name not in ENTRIES, name
        ENTRIES[name] = (pairing, base, head, rotary or head, rule, layers, sections)


def two(period, total, special_table, usual_table, special=FULL, usual=SLIDING, first=0):
    """Layers of two kinds, the special ones where (i + 1 - first) mod period = 0; None: no rotation."""
    usual_layers, special_layers = every(period, usual, special, total, first)
    return {special: (special_layers, special_table), usual: (usual_layers, usual_table)}


# Types whose class says the numbers, and models that take them over.
of("arcee gpt_neox_japanese timesfm2_5", head=80)
of("aria_text chameleon deepseek_ocr2_text dbrx dia_encoder doge e5-mistral-7b falcon_h1 granite4_vision_text granite_swa granitemoe "
   "granitemoe_swa granitemoeshared hrm_text hunyuan_v1_dense hunyuan_v1_moe hyperclovax jais2 jetmoe llama-2-70b llama-2-7b "
   "mistral-7b-v0.1 ministral moshi olmo-7b olmoe qwen2_moe seed_oss step3p5 voxtral_realtime_text")
ENTRIES["step3p5"] = (*ENTRIES["step3p5"][:5], {FULL: ("0-44", (10000, 128, 128, DEFAULT))}, None)
of("diffllama eurobert falcon-40b falcon-7b kyutai_speech_to_text lasr_encoder mimi qwen3_omni_moe_talker_text "
   "smollm-1.7b voxtral_realtime_encoder", head=64)
# its own (24 20 20), of which a head of 32 pairs has the places 1, 4, .. 31 and 2, 5, .. 29
ENTRIES["qwen3_omni_moe_talker_text"] = (*ENTRIES["qwen3_omni_moe_talker_text"][:6], (11, 11, 10))
of("granite-3.1-2b", base=5000000, head=64)
of("glmasr_encoder", head=64, rotary=32)
of("phi-1 phi-1.5", head=64, rotary=32)
of("stable-audio", head=64, rotary=32)
of("longcat-audio-dit", base=100000, head=64)
of("phi-2", head=80, rotary=32)
of("phi-3-mini-4k phi4_multimodal", head=96)
of("nemotron", rotary=64)
of("pythia-1b", head=256, rotary=64)
of("pythia-6.9b", rotary=32)
of("gpt-neox-20b", head=96, rotary=24)
of("persimmon-8b", base=25000, head=64, rotary=32)
of("stablelm-2-1.6b", head=64, rotary=16)
of("stablelm-2-12b", head=160, rotary=40)
of("stablelm-3b-4e1t", head=80, rotary=20)
of("dots1", head=144)
of("gemma-2-27b")
of("gemma-2-2b gemma-2-9b gemma-7b t5_gemma_module vaultgemma", head=256)
of("jina_embeddings_v3", base=20000, head=64)
of("nomic_bert", base=1000, head=64)
of("bitnet evolla flex_olmo llama-3-8b muse_glimmer_assistant olmo-2-13b olmo-2-7b phi-4-reasoning", base=500000)
of("csm", base=500000, head=64)
of("phi-4", base=250000)
of("codellama-7b emu3_text_model gte-qwen2-7b internlm2-7b mistral-7b-instruct-v0.2 mistral-7b-v0.3 mistral-large-2411 mistral-nemo "
   "mixtral-8x22b-v0.1 mixtral-8x7b-v0.1 qwen2.5-32b qwen2.5-72b qwen2.5-7b qwen3-0.6b qwen3-235b-a22b qwen3-30b-a3b qwen3-32b "
   "qwen3-4b qwen3-8b qwen3-embedding-8b solar_open starcoder2-7b", base=1000000)
of("qwen2.5-0.5b", base=1000000, head=64)
of("starcoder2-15b", base=100000)
of("starcoder2-3b", base=999999.4420358813)
of("smollm2-135m", base=100000, head=64)
of("smollm2-1.7b", base=130000, head=64)
of("falcon3-7b", base=1000042, head=256)
of("granite-8b-code-128k qwen2.5-7b-1m qwen3-coder-480b-a35b", base=10000000)
of("yi-34b-200k", base=5000000)
of("hy_v3", base=11158840)
of("voxtral-mini-3b", base=100000000)
of("minimax-m2 minimax-m2.5", base=5000000, rotary=64)
of("glm-4.5 glm-4.5-air", base=1000000, rotary=64)
of("moonshine", I, head=36, rotary=32)
of("moonshine_streaming", I, head=40, rotary=32)
of("pe_audio_encoder", I, base=20000)
of("roformer blt_patcher", I, head=64)
of("blt_global_transformer", I, base=500000)
of("ernie4_5 ernie4_5_moe", I, base=500000)
of("helium", I, base=100000)
of("command-r-08-2024", I, base=4000000)
of("command-r-v01", I, base=8000000)
of("codegen-350m-mono", I, head=64, rotary=32)
of("gpt-j-6b", I, head=256, rotary=64)
of("glm glm-4-32b chatglm3-6b glm-4-9b", I, rotary=64)
of("chatglm3-6b-32k", I, base=500000, rotary=64)
of("chatglm3-6b-128k glm-4-9b-chat", I, base=5000000, rotary=64)
of("glm-4-9b-chat-1m", I, base=100000000, rotary=64)

# Latent attention: the part of a head that rotates, read interleaved and written half-split.
of("axk1 youtu", IH, head=64)
of("axk2", IH, head=32)
of("longcat_flash", IH, base=10000000, head=64)
of("glm-4.7-flash glm-5", IH, base=1000000, head=64)
of("glm-5.2", IH, base=8000000, head=64)
of("deepseek-r1 deepseek-v3 deepseek-v3.2", IH, head=64, rule=yarn(40, 4096, attention=1))
of("deepseek-v2 deepseek-v2-lite", I, head=64, rule=yarn(40, 4096, attention=1))
of("kimi-k2", IH, base=50000, head=64, rule=yarn(32, 4096, fast=1, attention=1))
of("kimi-k2.5", IH, base=50000, head=64, rule=yarn(64, 4096, attention=1))
of("mistral4", IH, head=64, rule=yarn(128, 8192, attention=1))
of("minicpm3-4b", head=32, rule=longrope(1, 32768))

# Rules.
of("apertus", base=12000000, rule=llama3(8))
of("cwm", base=1000000, rule=llama3(16))
of("exaone-3.5-7.8b", base=1000000, rule=llama3(8))
of("higgs_audio_v2", base=500000, rule={"rope_type": "llama3", "factor": 32, "low_freq_factor": Decimal("0.125"),
                                        "high_freq_factor": Decimal("0.5"), "original_max_position_embeddings": 1024})
of("llama-3.1-405b llama-3.1-8b llama-3.3-70b", base=500000, rule=llama3(8))
of("llama-3.2-1b", base=500000, head=64, rule=llama3(32))
of("llama-3.2-3b", base=500000, rule=llama3(32))
of("qwen2.5-7b-yarn4", base=1000000, rule=yarn(4, 32768))
of("ministral-3-8b", base=1000000, rule=yarn(16, 16384, attention=1))
of("devstral-2-123b", base=1000000, rule=yarn(64, 4096, fast=4))  # mscale_all_dim 0 counts as none
of("devstral-small-2-24b", base=100000000, rule=yarn(48, 8192, attention=1))
of("gpt-oss-120b gpt-oss-20b", base=150000, head=64, rule=YARN_GPT_OSS)
of("openai_privacy_filter", I, base=150000, head=64, rule=YARN_GPT_OSS)
of("phi-3-mini-128k phi-3.5-mini", head=96, rule=longrope(32, 4096))
of("phi-3.5-moe", rule=longrope(32, 4096, attention=1.243163121016122))  # long_mscale
of("deepseek-coder-6.7b", base=100000, rule=LINEAR4)
of("internlm2-chat-20b internlm2.5-7b-chat", base=1000000, rule=DYNAMIC)
of("internlm2.5-20b-chat", base=50000000, rule=DYNAMIC)

# Axes of images and videos.
of("qwen2-vl-7b qwen2.5-vl-7b", base=1000000, sections=(16, 24, 24))
of("qwen3-vl-8b qwen3-vl-235b-a22b", base=5000000, sections=(24, 20, 20))
of("qwen3-omni-30b-a3b", base=1000000, sections=(24, 20, 20))
of("cosmos3_edge_text", base=100000000, sections=(24, 20, 20))
of("glm_ocr_text", I, head=64, sections=(8, 12, 12))
of("glm-4.1v-9b", I, rotary=64, sections=(8, 12, 12))

# Layers that differ.
plain = (10000, 128, 128, DEFAULT)
of("afmoe exaone_moe", layers=two(4, 32, None, plain))
of("cohere2 cohere2_moe", I, layers=two(4, 40, None, plain))
exaone4 = (1000000, 128, 128, llama3(16))
of("exaone-4-32b exaone-4.5-33b", base=1000000, rule=llama3(16), layers=two(4, 64, None, exaone4))
v4 = {"head": 512, "rotary": 64, "base": 160000, "rule": yarn(16, 65536, attention=1)}
compress = (160000, 512, 64, v4["rule"])
of("deepseek-v4", I, **v4, layers={"main": ("0-1", (10000, 512, 64, DEFAULT)), "compress": ("2-42", compress)})
of("deepseek-v4-pro", I, **v4, layers={"compress": ("0-60", compress)})
quarter = {"rope_type": "proportional", "live": 64}
gemma4 = ((1000000, 512, 512, quarter), (10000, 256, 256, DEFAULT))
of("diffusion_gemma_text gemma4_unified_text gemma-4-26b-a4b", base=1000000, head=512, rule=quarter, layers=two(6, 30, *gemma4))
of("gemma-4-31b", base=1000000, head=512, rule=quarter, layers=two(6, 60, *gemma4))
of("gemma-4", base=1000000, head=512, rule=quarter, layers={FULL: (None, gemma4[0]), SLIDING: (None, gemma4[1])})
local = (10000, 256, 256, DEFAULT)
gemma3 = ((1000000, 256, 256, LINEAR8), local)
of("gemma-3-12b", base=1000000, head=256, rule=LINEAR8, layers=two(6, 48, *gemma3))
of("gemma-3-4b", base=1000000, head=256, rule=LINEAR8, layers={FULL: (None, gemma3[0]), SLIDING: (None, local)})
of("gemma-3-27b", base=1000000, rule=LINEAR8, layers=two(6, 62, (1000000, 128, 128, LINEAR8), plain))
of("gemma-3-1b t5gemma2_decoder", base=1000000, head=256, layers=two(6, 26, (1000000, 256, 256, DEFAULT), local))
of("gemma-3n-e4b", base=1000000, head=256, layers=two(5, 35, (1000000, 256, 256, DEFAULT), local))
of("laguna", base=500000, rotary=64, layers={FULL: ("0-39", (500000, 128, 64, DEFAULT))})
of("mellum", base=500000, layers={FULL: ("0-27", (500000, 128, 128, DEFAULT))})
of("zaya", base=5000000, rotary=64, layers={"hybrid": ("0-39", (5000000, 128, 64, DEFAULT))})
of("lfm2_moe", base=1000000, head=64, layers={FULL: (None, (1000000, 64, 64, DEFAULT))})
of("lfm2.5-vl-1.6b", base=1000000, head=64, layers={
    "conv": ("0-1, 3-4, 6-7, 9, 11, 13, 15", None), FULL: ("2, 5, 8, 10, 12, 14", (1000000, 64, 64, DEFAULT))})
for size, total in (("11b", 40), ("90b", 100)):
    of(f"llama-3.2-{size}-vision", base=500000, rule=llama3(8), layers=two(
        5, total, None, (500000, 128, 128, llama3(8)), "cross_attention", "self_attention", first=-1))
of("llama-4-maverick", I, base=500000, layers=two(4, 48, None, (500000, 128, 128, DEFAULT), "no_rope", "rope"))
of("llama-4-scout", I, base=500000, rule=llama3(16, high=1), layers=two(
    4, 48, None, (500000, 128, 128, llama3(16, high=1)), "no_rope", "rope"))
of("smollm3-3b", base=5000000, layers=two(4, 36, None, (5000000, 128, 128, DEFAULT), "no_rope", "rope"))
full_of_mimo = [0, *range(5, 48, 6)]
of("mimo-v2-flash", base=5000000, head=192, rotary=64, layers={
    FULL: (runs(full_of_mimo), (5000000, 192, 64, DEFAULT)),
    SLIDING: (runs([i for i in range(48) if i not in full_of_mimo]), (10000, 192, 64, DEFAULT))})
of("minimax", base=1000000, layers=two(2, 32, (1000000, 128, 128, DEFAULT), None, FULL, "linear_attention", first=1))
of("modernbert-base modernbert-decoder", base=160000, head=64, layers=two(
    3, 22, (160000, 64, 64, DEFAULT), (10000, 64, 64, DEFAULT), first=1))
yarn8 = yarn(8, 8192)
for name, total in (("olmo-3-7b", 32), ("olmo-3.1-32b", 64)):
    of(name, base=500000, rule=yarn8, layers=two(4, total, (500000, 128, 128, yarn8), (500000, 128, 128, DEFAULT)))
of("olmo_hybrid", layers=two(4, 32, plain, None, FULL, "linear_attention"))
for name, total, sections in (("qwen3-next-80b", 48, None), ("qwen3.5-27b", 64, (11, 11, 10)), ("qwen3.5-397b-a17b", 60, (11, 11, 10))):
    of(name, base=10000000, head=256, rotary=64, sections=sections, layers=two(
        4, total, (10000000, 256, 64, DEFAULT), None, FULL, "linear_attention"))


def attention_of(rule):
    if rule.get("attention"):
        return rule["attention"]
    if rule["rope_type"] == "yarn":
        return 0.1 * math.log(rule["factor"]) + 1
    if rule["rope_type"] == "longrope" and rule["context over length"] > 1:
        return math.sqrt(1 + math.log(rule["context over length"]) / math.log(rule["original_max_position_embeddings"]))
    return 1


def frequencies_of(base, rotary, rule, name):
    plain_ones = frequencies(base, rotary, DEFAULT)
    if rule["rope_type"] == "linear":
        return [f / rule["factor"] for f in plain_ones]
    if rule["rope_type"] == "longrope":  # the table is of the model's own context, and so of the long list
        factors = json.loads((CATALOGUE / f"{name}.json").read_text())["rope_scaling"]["long_factor"]
        return [f / Decimal(by) for f, by in zip(plain_ones, factors)]
    if rule["rope_type"] == "llama3" and rule["low_freq_factor"] == rule["high_freq_factor"]:  # no ramp between
        longest = rule["original_max_position_embeddings"] / Decimal(rule["low_freq_factor"])
        return [f / rule["factor"] if 2 * PI / f > longest else f for f in plain_ones]
    return frequencies(base, rotary, rule)


def told(*words):
    done = subprocess.run([command, *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"{words}: {done.stderr}"
    return json.loads(done.stdout)


class CatalogueNumbers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.models = {one["name"]: one for one in told("models", "--json") if "grid" not in one}
        cls.seen = {}

    def check_table(self, name, layer, model, base, head, rotary, rule):
        self.assertEqual((model["base"], model["head_dim"], model["rotary_dim"]), (base, head, rotary))
        for key in ("rope_type", "factor", "original_max_position_embeddings"):
            if key in rule:
                self.assertEqual(model["rope_scaling"][key], rule[key], key)
        lists = name if rule["rope_type"] == "longrope" else ""
        alike = (base, rotary, json.dumps(rule, default=str), lists)
        if alike in self.seen:
            return
        self.seen[alike] = name
        output = os.path.join(folder.name, "f.npy")
        length = str(self.models[name]["max_position_embeddings"])
        words = [*(("--layer", layer) if layer else ()), *(("--seq-len", length) if "seq_len" in model else ())]
        done = subprocess.run([command, "table", "inv-freq", "--model", name, "--dtype", "f32", "--output", output, "--quiet",
                               *words], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        expected = numpy.array([float(f) for f in frequencies_of(base, rotary, rule, name)]).astype("f4")
        numpy.testing.assert_array_equal(numpy.load(output), expected)

    def test_every_entry_has_the_numbers_of_its_source(self):
        for name, (pairing, base, head, rotary, rule, layers, sections) in ENTRIES.items():
            with self.subTest(name):
                model = self.models[name]
                self.assertEqual((model["pairing"], model.get("pairing_out", model["pairing"])), pairing)
                if layers or sections or rule["rope_type"] in ("yarn", "longrope"):
                    self.check_explained(name, rule, layers, sections)
                if not layers:
                    self.assertNotIn("layer_type", model)
                    self.check_table(name, "", model, base, head, rotary, rule)

    def check_explained(self, name, rule, layers, sections):
        explained = told("explain", "config", "--model", name, "--json")
        values = {one["name"]: one["value"] for one in explained["quantities"]}
        self.assertAlmostEqual(float(values["attention factor"].split()[0]), attention_of(rule), 9)
        self.assertEqual(values.get("sections"), sections and "[%d,%d,%d]" % sections)
        if not layers:
            return
        plan = {one["kind"]: one for one in explained["plan"]["layers"]}
        tables = {one["model"]["layer_type"]: one["model"] for one in explained["plan"]["tables"]}
        self.assertEqual({kind: one["layers"] for kind, one in plan.items()},
                         {kind: which for kind, (which, _) in layers.items() if which})
        self.assertEqual(set(tables), {kind for kind, (_, table) in layers.items() if table})
        for kind, (_, table) in layers.items():
            if table:
                self.check_table(name, kind, tables[kind], *table)

    def test_every_entry_is_here(self):
        self.assertEqual(sorted(ENTRIES), sorted(path.stem for path in CATALOGUE.glob("*.json")))
        self.assertEqual(sorted(ENTRIES), sorted(self.models))

    def test_a_wrong_number_is_found(self):
        for change in ({"base": 500001}, {"rotary_dim": 64}, {"head_dim": 64}):
            with self.assertRaises(AssertionError):
                self.check_table("llama-3-8b", "", {**self.models["llama-3-8b"], **change}, 500000, 128, 128, DEFAULT)
        self.seen.clear()
        with self.assertRaises(AssertionError):  # the frequencies of another rule
            self.check_table("llama-3.1-8b", "", self.models["llama-3.1-8b"], 500000, 128, 128, llama3(8, high=3))

    def test_entries_say_where_their_numbers_are_from(self):
        for path in CATALOGUE.glob("*.json"):
            with self.subTest(path.stem):
                entry = json.loads(path.read_text())
                of_class = "defaults of class " in entry["_provenance"]
                if entry.get("model_type") == path.stem:  # an entry with a type's name has the defaults of its class
                    self.assertTrue(of_class)
                if of_class:
                    self.assertRegex(entry["_provenance"], r"^zucchini-nlp/transformers decba1d2 .*/configuration_\w+\.py, ")


if __name__ == "__main__":
    unittest.main()
