#!/usr/bin/env python3
"""Every model type of transformers that rotates, with the numbers of its own code: defaults of missing keys, pairing,
widths, rules, and which layers rotate. They are written here from each type's modelling code, and the frequencies are
computed with decimal numbers: nothing is shared with the reader."""
import decimal
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy

decimal.getcontext().prec = 60
Decimal = decimal.Decimal
command = os.environ["ROPEWALK_COMMAND"]
folder = tempfile.TemporaryDirectory()
H, I, IH = ("half-split", "half-split"), ("interleaved", "interleaved"), ("interleaved", "half-split")

# What a file has that says as little as possible: 2560 / 32 = 80 channels a head.
LEAST = {"hidden_size": 2560, "num_attention_heads": 32, "num_hidden_layers": 12, "max_position_embeddings": 4096}
DEFAULT = {"rope_type": "default"}
LLAMA3 = {"rope_type": "llama3", "low_freq_factor": 1, "high_freq_factor": 4}
FULL, SLIDING = "full_attention", "sliding_attention"


def of(names, pairing=H, base=10000, head=80, rotary=None, keys=None, rule=DEFAULT, layers=None, sections=None,
       refused=None):
    """Types that read alike. layers: {kind: (layers in runs, base, head, rule) or the runs of layers that do not
    rotate}."""
    return [(name, pairing, base, head, rotary or head, keys or {}, rule, layers or {}, sections, refused)
            for name in names.split()]


def every(period, usual, special, total=12, first=0):
    """Layers of two kinds: the special ones where (i + 1 - first) mod period = 0."""
    marked = [i for i in range(total) if (i + 1 - first) % period == 0]
    return runs([i for i in range(total) if i not in marked]), runs(marked)


def runs(numbers):
    text, begin = [], None
    for i, n in enumerate(numbers):
        begin = n if begin is None else begin
        if i + 1 == len(numbers) or numbers[i + 1] != n + 1:
            text.append(str(begin) if begin == n else f"{begin}-{n}")
            begin = None
    return ", ".join(text)


def stills(period, still, rotating, first=0, still_is_usual=False):
    usual, special = every(period, "", "", first=first)
    return {still: usual if still_is_usual else special, rotating: special if still_is_usual else usual}


def tables(period, special_table, usual_table, first=0, special=FULL, usual=SLIDING):
    usual_layers, special_layers = every(period, "", "", first=first)
    return {special: (special_layers, *special_table), usual: (usual_layers, *usual_table)}


MLA = {"qk_nope_head_dim": 128}
NEVER = "which is not built"
YARN_GPT_OSS = {"rope_type": "yarn", "factor": 32, "beta_fast": 32, "beta_slow": 1, "truncate": False,
                "original_max_position_embeddings": 4096}
YARN_DEEPSEEK = {"rope_type": "yarn", "factor": 16, "beta_fast": 32, "beta_slow": 1,
                 "original_max_position_embeddings": 65536}
TYPES = [
    *of("arcee aria_text deepseek_ocr2_text diffllama eurobert falcon_h1 granite granite4_vision_text granitemoe "
        "granitemoeshared hyperclovax jais2 llama ministral mistral qwen2 qwen2_moe starcoder2 voxtral_realtime_text "
        "chameleon deepseek_ocr2_encoder falcon olmo olmo2 olmoe phi3 phi4_multimodal doge dots1 qwen3_moe "
        "hunyuan_v1_dense hunyuan_v1_moe idefics kyutai_speech_to_text mimi moshi lasr_encoder timesfm2_5 "
        "gpt_neox_japanese"),
    *of("bitnet csm csm_depth_decoder_model evolla EvollaModel flex_olmo", base=500000),
    *of("blt blt_global_transformer blt_local_decoder blt_local_encoder cohere", I, 500000),
    *of("blt_patcher roformer", I),
    *of("apertus", base=12000000, keys={"max_position_embeddings": 131072}, rule={**LLAMA3, "factor": 8, "original_max_position_embeddings": 8192}),
    *of("cwm", base=1000000, head=128, keys={"max_position_embeddings": 131072}, rule={**LLAMA3, "factor": 16, "original_max_position_embeddings": 8192}),
    *of("higgs_audio_v2", base=500000, head=128, rule={
        "rope_type": "llama3", "factor": 32, "low_freq_factor": 0.125, "high_freq_factor": 0.5,
        "original_max_position_embeddings": 1024}),
    *of("afmoe", head=128, layers=stills(4, FULL, SLIDING)),
    *of("axk1 deepseek_v3 youtu glm4_moe_lite", IH, head=64, keys=MLA),
    *of("axk2", IH, head=32, keys=MLA),
    *of("deepseek_v32 glm_moe_dsa", IH, head=64, keys=MLA),
    *of("longcat_flash", IH, 10000000, 64, keys=MLA),
    *of("deepseek_v2", I, head=64, keys=MLA),
    *of("minicpm3", head=32, keys=MLA),
    *of("bamba", rotary=40, keys={"attn_layer_indices": [3, 9], "partial_rotary_factor": 0.25},
        layers={"mamba": "0-2, 4-8, 10-11", "attention": "3, 9"}),
    *of("codegen gptj", I, head=80, rotary=64, keys={"n_embd": 2560, "n_head": 32, "n_layer": 12, "n_positions": 2048}),
    *of("cohere2", I, layers=stills(4, FULL, SLIDING)),
    *of("cohere2_moe", I, head=128, keys={"layer_types": [SLIDING, SLIDING, FULL] * 4},
        layers=stills(3, FULL, SLIDING)),
    *of("cohere_compass_text", keys={"hidden_size": 4096, "layer_types": [SLIDING, FULL] * 6, "rope_parameters": {
            FULL: None, SLIDING: {"rope_type": "default", "rope_theta": 50000}}}, head=128, base=50000,
        sections=(24, 20, 20), layers=stills(2, FULL, SLIDING)),
    *of("cosmos3_edge_text", base=100000000, keys={"head_dim": 128}, head=128, sections=(24, 20, 20)),
    *of("dbrx", keys={"d_model": 2560, "n_heads": 32, "n_layers": 12}),
    *of("dia_decoder dia_encoder hrm_text seed_oss qwen3 qwen3_omni_moe_talker_code_predictor jetmoe", head=128),
    *of("diffusion_gemma_text gemma4_text gemma4_unified_text", base=1000000, head=512, layers={
        FULL: ("5, 11", 1000000, 512, {"rope_type": "proportional", "live": 64}),
        SLIDING: ("0-4, 6-10", 10000, 256, DEFAULT)}),
    *of("emu3_text_model mixtral phimoe", base=1000000),
    *of("minimax", base=1000000, layers=stills(2, "linear_attention", FULL, first=1, still_is_usual=True)),
    *of("ernie4_5", I, 500000, 128),
    *of("ernie4_5_moe", I, 500000),
    *of("esm", keys={"position_embedding_type": "rotary"}),
    *of("exaone4 exaone_moe", layers=stills(4, FULL, SLIDING)),
    *of("gemma gemma2 t5_gemma_module vaultgemma", head=256),
    *of("gemma3_text t5gemma2_decoder t5gemma2_text", base=1000000, head=256,
        layers=tables(6, (1000000, 256, DEFAULT), (10000, 256, DEFAULT))),
    *of("gemma3n_text", base=1000000, head=256, layers=tables(5, (1000000, 256, DEFAULT), (10000, 256, DEFAULT))),
    *of("glm glm4", I, head=128, rotary=64),
    *of("glm4_moe glmasr_encoder nemotron persimmon phi", rotary=40),
    *of("solar_open", base=1000000, head=128),
    *of("glm4v_moe_text", keys={"head_dim": 128}, head=128, rotary=64, sections=(8, 12, 12)),
    *of("glm_image_text", keys={"head_dim": 64}, head=64, sections=(8, 12, 12)),
    *of("glm4v_text glm_ocr_text", I, keys={"hidden_size": 4096, "head_dim": 128, "partial_rotary_factor": 0.5}, head=128, rotary=64,
        sections=(8, 12, 12)),
    *of("gpt_neox", rotary=20),
    *of("gpt_oss", base=150000, head=64, rule=YARN_GPT_OSS),
    *of("openai_privacy_filter", I, 150000, 64, rule=YARN_GPT_OSS),
    *of("granitemoehybrid", keys={"position_embedding_type": "rope", "layer_types": ["mamba", "mamba", "attention"] * 4},
        layers=stills(3, "mamba", "attention", still_is_usual=True)),
    *of("helium", I, 100000, 128),
    *of("hy_v3", base=11158840, head=128),
    *of("jina_embeddings_v3", base=20000),
    *of("nomic_bert", base=1000),
    *of("lfm2 lfm2_moe", base=1000000, keys={"full_attn_idxs": [2, 5]},
        layers={"conv": "0-1, 3-4, 6-11", FULL: "2, 5"}),
    *of("llama4_text", I, 500000, 128, layers=stills(4, "no_rope", "rope")),
    *of("minimax_m2", base=5000000, head=128, rotary=64, keys={"rotary_dim": 64}),
    *of("minimax_m3_vl_text", base=5000000, head=128),
    *of("ministral3", base=1000000, head=128, rule={
        "rope_type": "yarn", "factor": 16, "original_max_position_embeddings": 16384, "beta_fast": 32, "beta_slow": 1},
        keys={"max_position_embeddings": 262144}),
    *of("mllama_text_model", base=500000, keys={"cross_attention_layers": [3, 8]},
        layers={"cross_attention": "3, 8", "self_attention": "0-2, 4-7, 9-11"}),
    *of("modernbert modernbert-decoder", base=160000,
        layers=tables(3, (160000, 80, DEFAULT), (10000, 80, DEFAULT), first=1)),
    *of("moonshine", I, rotary=72, keys={"decoder_num_attention_heads": 32}),
    *of("moonshine_streaming", I, rotary=64),
    *of("muse_glimmer_assistant", base=500000, head=128),
    *of("olmo3", base=500000, layers=tables(4, (500000, 80, DEFAULT), (500000, 80, DEFAULT))),
    *of("olmo_hybrid", layers=stills(4, "linear_attention", FULL, still_is_usual=True)),
    *of("paddleocr_vl_text", base=500000, head=128, keys={"rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}},
        sections=(16, 24, 24)),
    *of("qwen2_5_omni_talker", base=1000000, head=128,
        keys={"rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}}, sections=(16, 24, 24)),
    *of("qwen2_5_omni_text qwen2_5_vl_text qwen2_vl_text", base=1000000,
        keys={"rope_scaling": {"type": "mrope", "mrope_section": [16, 12, 12]}}, sections=(16, 12, 12)),
    *of("pe_audio_encoder pe_audio_video_encoder pe_video_encoder", I, 20000, 128),
    *of("stablelm", rotary=20),
    *of("qwen3_5_moe_text qwen3_5_text", head=256, rotary=64, sections=(11, 11, 10),
        layers=stills(4, "linear_attention", FULL, still_is_usual=True)),
    *of("qwen3_next", head=256, rotary=64, layers=stills(4, "linear_attention", FULL, still_is_usual=True)),
    *of("qwen3_vl_moe_text", base=500000, keys={"head_dim": 128}, head=128, sections=(24, 20, 20)),
    *of("qwen3_vl_text", base=500000, head=128, sections=(24, 20, 20)),
    *of("qwen3_omni_moe_text", base=1000000, keys={"head_dim": 128}, head=128, sections=(24, 20, 20)),
    *of("qwen3_omni_moe_talker_text", keys={"head_dim": 128}, head=128, sections=(24, 20, 20)),
    *of("recurrent_gemma", rotary=40, keys={"block_types": ["recurrent", "recurrent", "attention"]},
        layers=stills(3, "recurrent", "attention", still_is_usual=True)),
    *of("smollm3", base=2000000, layers=stills(4, "no_rope", "rope")),
    *of("voxtral_realtime_encoder", head=64),
    *of("zamba2", head=160, keys={"attention_head_dim": 160, "use_mem_rope": True,
                                  "layers_block_type": ["mamba", "hybrid"] * 6},
        layers=stills(2, "mamba", "hybrid", still_is_usual=True)),
    *of("zaya", base=5000000, head=128, rotary=64, keys={"layer_types": ["hybrid_sliding", "hybrid"] * 6},
        layers=tables(2, (5000000, 64, DEFAULT), (10000, 64, DEFAULT), special="hybrid", usual="hybrid_sliding")),
    *of("clvp_encoder", refused="this one turns values too"),
    *of("deepseek_v4", I, 160000, 512, 64, keys={"max_position_embeddings": 1048576, "rope_scaling": YARN_DEEPSEEK, "compress_ratios": [0, 4, 128] * 4 + [0]},
        layers={"main": ("0, 3, 6, 9", 10000, 64, DEFAULT), "compress": ("1-2, 4-5, 7-8, 10-11", 160000, 64, YARN_DEEPSEEK)}),
    *of("ernie4_5_vl_moe_text", refused="height and width alternate"),
    *of("granite_swa granitemoe_swa", keys={"layer_rope_theta": [10000.0, 10000.0, 500000.0, 0] * 3}, layers={
        "rope_theta=10000": ("0-1, 4-5, 8-9", 10000, 80, DEFAULT), "rope_theta=500000": ("2, 6, 10", 500000, 80, DEFAULT),
        "no_rope": "3, 7, 11"}),
    *of("muse_glimmer_text", base=500000, keys={"rope_theta": 500000.0}, head=128, layers=stills(4, "no_rope", "rope")),
    *of("step3p5", head=128, rotary=64, keys={
        "max_position_embeddings": 262144, "layer_types": [FULL, SLIDING, SLIDING] * 4 + [SLIDING], "num_nextn_predict_layers": 1,
        "rope_theta": [5000000.0, 10000.0, 10000.0] * 4 + [10000.0], "partial_rotary_factors": [0.5, 1.0, 1.0] * 4 + [1.0],
        "rope_scaling": {**LLAMA3, "factor": 2, "original_max_position_embeddings": 131072}}, layers={
            FULL: ("0, 3, 6, 9", 5000000, 64, {**LLAMA3, "factor": 2, "original_max_position_embeddings": 131072}),
            SLIDING: ("1-2, 4-5, 7-8, 10-11", 10000, 128, DEFAULT)}),
    *of("hunyuan_image_3_moe", refused="around its place in the line"),
    *of("hunyuan_vl_text", refused="a section for each of four"),
    *of("laguna", base=500000, head=128, rotary=64, keys={"layer_types": [SLIDING, FULL] * 6},
        layers=tables(2, (500000, 64, DEFAULT), (10000, 128, DEFAULT))),
    *of("mellum", base=500000, head=128, keys={"layer_types": [SLIDING, FULL] * 6},
        layers=tables(2, (500000, 128, DEFAULT), (10000, 128, DEFAULT))),
    *of("mimo_v2_flash", base=5000000, head=192, rotary=64,
        layers={FULL: ("0, 5, 11", 5000000, 64, DEFAULT), SLIDING: ("1-4, 6-10", 10000, 64, DEFAULT)}),
    *of("mistral4", IH, head=64, keys={**MLA, "max_position_embeddings": 1048576, "rope_parameters": {
        "rope_type": "yarn", "factor": 128, "original_max_position_embeddings": 8192, "beta_fast": 32, "beta_slow": 1,
        "mscale": 1, "mscale_all_dim": 1, "llama_4_scaling_beta": 0.1, "max_position_embeddings": 1048576,
        "partial_rotary_factor": 64 / 192}}, rule={
        "rope_type": "yarn", "factor": 128, "original_max_position_embeddings": 8192, "beta_fast": 32, "beta_slow": 1}),
    *of("musicflamingo", refused="turns audio by its time"),
    *of("nanochat", refused="turns by its negative"),
    *of("qwen2_5_omni_dit", refused="turns the first alone"),
    *of("seamless_m4t wav2vec2-bert wav2vec2-conformer", refused="turns the hidden state"),
    *of("telechat3", refused="0.07 for 0.1"),
    *of("xcodec2", refused="turns each head by its own number"),
]


def frequencies(base, dim, rule):
    plain = [(-(Decimal(2 * i) / dim) * Decimal(base).ln()).exp() for i in range(dim // 2)]
    kind, pi = rule["rope_type"], Decimal("3.14159265358979323846264338327950288419716939937510582097494459")
    if kind == "llama3":
        low, high = (Decimal(rule[key]) for key in ("low_freq_factor", "high_freq_factor"))
        turns = [f * rule["original_max_position_embeddings"] / (2 * pi) for f in plain]
        smooth = [min(max((t - low) / (high - low), Decimal(0)), Decimal(1)) for t in turns]
        return [(1 - s) * f / rule["factor"] + s * f for s, f in zip(smooth, plain)]
    if kind == "yarn":
        def pair_of(rotations):
            length = rule["original_max_position_embeddings"]
            return dim * (length / (rotations * 2 * pi)).ln() / (2 * Decimal(base).ln())
        low, high = pair_of(Decimal(rule["beta_fast"])), pair_of(Decimal(rule["beta_slow"]))
        if rule.get("truncate", True):
            low, high = Decimal(math.floor(low)), Decimal(math.ceil(high))
        low, high = max(low, Decimal(0)), min(high, Decimal(dim - 1))
        ramp = [min(max((i - low) / (high - low), Decimal(0)), Decimal(1)) for i in range(dim // 2)]
        return [f / rule["factor"] * r + f * (1 - r) for r, f in zip(ramp, plain)]
    if kind == "proportional":
        return [f if i < rule["live"] else Decimal(0) for i, f in enumerate(plain)]
    return plain


def run(*words, **more):
    return subprocess.run([command, *words], capture_output=True, text=True, timeout=60, **more)


def file_of(name, keys):
    path = pathlib.Path(folder.name, name + ".json")
    path.write_text(json.dumps({"model_type": name, **LEAST, **keys}))
    return str(path)


class ModelTypes(unittest.TestCase):
    def check_table(self, path, model, layer, base, rotary, rule, subject):
        self.assertEqual((model["base"], model["rotary_dim"]), (base, rotary), subject)
        self.assertEqual(model["rope_scaling"]["rope_type"], rule["rope_type"], subject)
        output = os.path.join(folder.name, "f.npy")
        words = ("--layer", layer) if layer else ()
        done = run("table", "inv-freq", "--config", path, "--dtype", "f32", "--output", output, "--quiet", *words)
        self.assertEqual(done.returncode, 0, f"{subject}: {done.stderr}")
        expected = numpy.array([float(f) for f in frequencies(base, rotary, rule)]).astype("f4")
        numpy.testing.assert_array_equal(numpy.load(output), expected, f"{subject} {layer}")

    def test_each_has_the_numbers_of_its_own_code(self):
        for name, pairing, base, head, rotary, keys, rule, layers, sections, refused in TYPES:
            path = file_of(name, keys)
            done = run("explain", "config", path, "--json")
            with self.subTest(name):
                if refused:
                    self.assertEqual(done.returncode, 2, name)
                    self.assertRegex(done.stderr, f"^ropewalk: model_type is {name}; allowed: a type .*({refused})")
                    continue
                self.assertEqual(done.returncode, 0, done.stderr)
                told = json.loads(done.stdout)
                model = told["model"]
                self.assertEqual((model["pairing"], model.get("pairing_out", model["pairing"])), pairing)
                self.assertEqual(model["head_dim"], head)
                values = {one["name"]: one["value"] for one in told["quantities"]}
                self.assertEqual(values.get("sections"), sections and "[%d,%d,%d]" % sections)
                plan = {one["kind"]: one for one in told["plan"]["layers"]}
                if not layers:
                    self.assertEqual([one["layers"] for one in plan.values()], ["0-11"])
                    self.check_table(path, model, "", base, rotary, rule, name)
                    continue
                self.assertEqual(set(plan), set(layers))
                for kind, what in layers.items():
                    if isinstance(what, str):
                        self.assertEqual(plan[kind]["layers"], what)
                        if kind in ("mamba", "conv", "linear_attention", "cross_attention", "no_rope", "recurrent") or (
                                kind == FULL and plan[kind]["table"] is None):
                            self.assertIsNone(plan[kind]["table"])
                            continue
                        what = (what, base, rotary, rule)
                    self.assertEqual(plan[kind]["layers"], what[0])
                    table = told["plan"]["tables"][plan[kind]["table"]]
                    self.check_table(path, table["model"], kind, what[1], what[2], what[3], name)

    def test_all_of_them_are_here(self):
        self.assertEqual(len({one[0] for one in TYPES}), 177)


if __name__ == "__main__":
    unittest.main()
