#!/usr/bin/env python3
"""Configurations as they are published, with the keys that their files leave out or name otherwise: the numbers of each are
those of its type's own code."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

command = os.environ["ROPEWALK_COMMAND"]
folder = tempfile.TemporaryDirectory()


def explained(config, *words):
    path = pathlib.Path(folder.name, "config.json")
    path.write_text(json.dumps(config))
    return subprocess.run([command, "explain", "config", str(path), "--json", *words], capture_output=True, text=True, timeout=60)


class PublishedFiles(unittest.TestCase):
    def told(self, config, *words):
        done = explained(config, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def plan(self, config):
        """{runs of layers: (kind, base, rotary_dim, rule) or (kind, None)}"""
        told = self.told(config)["plan"]
        tables = [one["model"] for one in told["tables"]]
        return {one["layers"]: (one["kind"],) + ((None,) if one["table"] is None else tuple(
            (tables[one["table"]][key] for key in ("base", "rotary_dim"))) + (
                tables[one["table"]]["rope_scaling"]["rope_type"],)) for one in told["layers"]}

    def test_gemma_3_leaves_out_what_its_class_knows(self):
        config = {"model_type": "gemma3", "text_config": {
            "hidden_size": 3840, "model_type": "gemma3_text", "num_attention_heads": 16, "num_hidden_layers": 12,
            "rope_scaling": {"factor": 8.0, "rope_type": "linear"}, "sliding_window": 1024}}
        wanted = {"0-4, 6-10": ("sliding_attention", 10000, 256, "default"),
                  "5, 11": ("full_attention", 1000000, 256, "linear")}
        self.assertEqual(self.plan(config), wanted)
        del config["text_config"]["model_type"]
        self.assertEqual(self.plan(config), wanted)

    def test_modernbert_has_two_bases_by_older_keys(self):
        self.assertEqual(self.plan({
            "model_type": "modernbert", "global_attn_every_n_layers": 3, "global_rope_theta": 160000.0, "hidden_size": 768,
            "local_attention": 128, "local_rope_theta": 10000.0, "max_position_embeddings": 8192, "num_attention_heads": 12,
            "num_hidden_layers": 7, "position_embedding_type": "absolute"}),
            {"0, 3, 6": ("full_attention", 160000, 64, "default"), "1-2, 4-5": ("sliding_attention", 10000, 64, "default")})

    def test_exaone_4_5_has_the_type_that_its_first_file_named(self):
        layers = ["sliding_attention", "sliding_attention", "sliding_attention", "full_attention"] * 2
        self.assertEqual(self.plan({"model_type": "exaone4_5", "text_config": {
            "model_type": "exaone4_5_text", "hidden_size": 5120, "num_attention_heads": 40, "num_hidden_layers": 8,
            "layer_types": layers, "max_position_embeddings": 262144, "sliding_window": 4096, "sliding_window_pattern": "LLLG",
            "rope_scaling": {"factor": 16.0, "high_freq_factor": 4.0, "low_freq_factor": 1.0, "rope_theta": 1000000.0,
                             "original_max_position_embeddings": 8192, "rope_type": "llama3"}}}),
            {"0-2, 4-6": ("sliding_attention", 1000000, 128, "llama3"), "3, 7": ("full_attention", None)})
        bare = {"model_type": "exaone4_5_text", "num_hidden_layers": 8}
        self.assertEqual(self.plan(bare), self.plan({**bare, "model_type": "exaone4"}))

    def test_phi_says_its_rotary_dim_twice(self):
        phi_1 = {"model_type": "phi", "hidden_size": 2048, "num_attention_heads": 32, "partial_rotary_factor": 0.5,
                 "rope_scaling": None, "rope_theta": 10000.0, "rotary_dim": 32}
        told = self.told(phi_1)
        self.assertEqual((told["model"]["rotary_dim"], told["model"]["warnings"]), (32, []))
        done = explained({**phi_1, "rotary_dim": 64})  # which the type's code does not read
        self.assertEqual(done.returncode, 2)
        self.assertIn("rotary_dim is 64", done.stderr)

    def test_mistrals_own_file(self):
        config = {"dim": 12288, "n_layers": 2, "head_dim": 128, "hidden_dim": 28672, "n_heads": 96, "n_kv_heads": 8,
                  "rope_theta": 1000000.0, "max_position_embeddings": 262144,
                  "yarn": {"original_max_position_embeddings": 4096, "factor": 64, "apply_scale": True, "beta": 4, "alpha": 1}}
        model = self.told(config)["model"]
        self.assertEqual(model["pairing"], "interleaved")
        rule = model["rope_scaling"]
        self.assertEqual((rule["rope_type"], rule["factor"], rule["beta_fast"], rule["beta_slow"]), ("yarn", 64, 4, 1))
        self.assertNotIn("attention_factor", rule)
        config["yarn"]["apply_scale"] = False
        self.assertEqual(self.told(config)["model"]["rope_scaling"]["attention_factor"], 1)
        config["yarn"]["mscale"] = 1
        self.assertIn("yarn.mscale is 1; allowed: factor", explained(config).stderr)

    def test_minimax_turns_its_rotary_dim(self):
        told = self.told({"model_type": "minimax_m2", "head_dim": 128, "hidden_size": 3072, "num_attention_heads": 48,
                          "num_hidden_layers": 62, "rope_theta": 5000000, "rotary_dim": 64})
        self.assertEqual((told["model"]["rotary_dim"], told["model"]["pairing"]), (64, "half-split"))
        self.assertEqual(self.quantity(told, "other reading"), "rotary_dim 128")

    def quantity(self, told, name):
        return {one["name"]: one["value"] for one in told["quantities"]}.get(name)

    def test_what_transformers_reads_otherwise_than_the_weights_want_is_told(self):
        griffin = {"model_type": "recurrent_gemma", "hidden_size": 2560, "num_attention_heads": 10, "num_hidden_layers": 26,
                   "partial_rotary_factor": 0.5, "rope_theta": 10000.0}
        told = self.told(griffin)
        self.assertEqual((told["model"]["rotary_dim"], self.quantity(told, "other reading")), (128, "rotary_dim 256"))
        dbrx = {"model_type": "dbrx", "d_model": 6144, "n_heads": 48, "n_layers": 40, "max_seq_len": 32768,
                "attn_config": {"kv_n_heads": 8, "rope_theta": 500000}}
        told = self.told(dbrx)
        self.assertEqual((told["model"]["base"], self.quantity(told, "other reading")), (500000, "base 10000"))
        dbrx["attn_config"]["rope_theta"] = 10000
        self.assertIsNone(self.quantity(self.told(dbrx), "other reading"))

    def test_deepseek_v4_turns_the_last_channels(self):
        config = {"model_type": "deepseek_v4", "hidden_size": 4096, "num_attention_heads": 64, "num_hidden_layers": 5,
                  "max_position_embeddings": 1048576, "qk_rope_head_dim": 64, "compress_ratios": [0, 0, 4, 128, 4, 0],
                  "rope_theta": 10000, "compress_rope_theta": 160000, "rope_scaling": {
                      "type": "yarn", "factor": 16, "original_max_position_embeddings": 65536, "beta_fast": 32, "beta_slow": 1}}
        main, compress = ("main", 10000, 64, "default"), ("compress", 160000, 64, "yarn")
        self.assertEqual(self.plan(config), {"0-1": main, "2-4": compress})
        model = self.told(config)["model"]
        self.assertEqual((model["head_dim"], model["rotary_begin"], model["pairing"]), (512, 448, "interleaved"))
        self.assertEqual(model["rope_scaling"]["attention_factor"], 1)
        self.assertEqual(self.told(config, "--layer", "sliding_attention")["model"]["base"], 10000)
        self.assertEqual(self.told(config, "--layer", "compressed_sparse_attention")["model"]["base"], 160000)
        del config["compress_ratios"]
        self.assertEqual(self.plan(config), {"0-4": compress})
        config["layer_types"] = ["sliding_attention", "heavily_compressed_attention"] * 2 + ["compressed_sparse_attention"]
        self.assertEqual(self.plan(config), {"0, 2": main, "1, 3-4": compress})
        config["layer_types"][0] = "full_attention"
        self.assertIn("layer_types is full_attention; allowed: sliding_attention compressed", explained(config).stderr)
        del config["layer_types"]
        config["rope_parameters"] = {
            "main": {"rope_type": "default", "rope_theta": 20000.0, "partial_rotary_factor": 0.25},
            "compress": {**config.pop("rope_scaling"), "rope_theta": 320000.0, "partial_rotary_factor": 0.25}}
        del config["compress_rope_theta"], config["rope_theta"]
        self.assertEqual(self.plan(config), {"0-4": ("compress", 320000, 128, "yarn")})
        self.assertNotIn("attention_factor", self.told(config)["model"]["rope_scaling"])  # as its code leaves it
        self.assertEqual(self.told(config, "--layer", "main")["model"]["rotary_begin"], 384)

    def test_keys_of_published_files_that_say_nothing_or_what_the_type_does(self):
        zaya = {"model_type": "zaya", "hidden_size": 2048, "num_attention_heads": 16, "num_hidden_layers": 4, "rope_theta": 5000000,
                "rope_scaling": False, "kv_channels": 128, "sliding_window": None}
        self.assertEqual(self.told(zaya)["model"]["base"], 5000000)
        zamba = {"model_type": "zamba2", "hidden_size": 3584, "num_attention_heads": 32, "kv_channels": 112, "use_mem_rope": True,
                 "num_hidden_layers": 2, "layers_block_type": ["mamba", "hybrid"]}
        self.assertEqual(self.told(zamba)["model"]["head_dim"], 224)
        mimo = {"model_type": "mimo_v2_flash", "hidden_size": 4096, "num_attention_heads": 64, "num_hidden_layers": 3,
                "swa_rope_theta": 20000, "hybrid_layer_pattern": [0, 1, 0]}
        self.assertEqual(self.plan(mimo), {"0, 2": ("full_attention", 5000000, 64, "default"),
                                           "1": ("sliding_attention", 20000, 64, "default")})
        omni = {"model_type": "qwen3_omni_moe_text", "head_dim": 128, "rope_theta": 1000000, "rope_scaling": {
            "interleaved": True, "mrope_section": [24, 20, 20], "rope_type": "default"}}
        self.assertEqual(self.quantity(self.told(omni), "sections"), "[24,20,20]")
        command_r = {"model_type": "cohere2", "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 4,
                     "rope_theta": 50000, "rotary_pct": 1.0}
        self.assertEqual(self.told(command_r)["model"]["rotary_dim"], 128)
        deepseek = {"model_type": "deepseek_v3", "qk_rope_head_dim": 64, "partial_rotary_factor": 1.0}
        self.assertEqual(self.told(deepseek)["model"]["rotary_dim"], 64)
        granite = {"model_type": "granitemoehybrid", "position_embedding_type": "rope", "hidden_size": 1536, "num_hidden_layers": 2,
                   "num_attention_heads": 12, "layer_types": ["linear_attention", "full_attention"]}
        self.assertEqual(self.plan(granite), {"0": ("mamba", None), "1": ("attention", 10000, 128, "default")})
        self.assertEqual(self.told(granite, "--layer", "full_attention")["model"]["layer_type"], "attention")

    def test_what_a_types_code_makes_of_its_keys(self):
        head = {"hidden_size": 2560, "num_attention_heads": 32, "num_hidden_layers": 4}
        whole = {"model_type": "llama", **head, "partial_rotary_factor": 0.25}
        self.assertIn("partial_rotary_factor is 0.25; allowed: 1: the code of model_type llama turns the whole head",
                      explained(whole).stderr)
        left_out = self.told(whole, "--ignore-key", "partial_rotary_factor=another engine reads it", "--rotary-dim", "20")
        self.assertEqual(left_out["model"]["rotary_dim"], 20)
        zamba = {"model_type": "zamba2", **head, "use_mem_rope": True, "layers_block_type": ["linear_attention", "hybrid"] * 2}
        self.assertEqual(self.plan(zamba), {"0, 2": ("mamba", None), "1, 3": ("hybrid", 10000, 160, "default")})
        self.assertEqual(self.told({**zamba, "head_dim": 96})["model"]["head_dim"], 96)
        sound = {"model_type": "pe_audio_encoder", **head}
        self.assertEqual(self.told(sound)["model"]["base"], 20000)
        self.assertEqual(self.told({**sound, "rope_parameters": {"rope_type": "default"}})["model"]["base"], 10000)
        self.assertIn("rope_theta is 12345; allowed: keys that model_type pe_audio_encoder has", explained(
            {**sound, "rope_theta": 12345}).stderr)
        table = {"rope_type": "default", "rope_theta": 7000000}
        zaya = {"model_type": "zaya", **head, "layer_types": ["hybrid", "hybrid_sliding"] * 2}
        self.assertEqual(self.told(zaya)["model"]["rotary_dim"], 64)
        self.assertEqual(self.told({**zaya, "rope_parameters": {"hybrid": table, "hybrid_sliding": table}})["model"]["rotary_dim"], 128)
        m3 = self.told({"model_type": "minimax_m3_vl_text", **head, "rotary_dim": 64})
        self.assertEqual((m3["model"]["rotary_dim"], self.quantity(m3, "other reading")), (128, None))
        self.assertTrue(any("rotary_dim is 64" in one for one in m3["warnings"]), m3["warnings"])
        self.assertIn("head_dim is 128; allowed: 80, hidden_size / num_attention_heads", explained(
            {"model_type": "chameleon", **head, "head_dim": 128}).stderr)

    def test_a_key_of_the_block_that_no_rule_has_is_refused_unless_it_is_left_out(self):
        config = {"model_type": "llama", "head_dim": 128, "max_position_embeddings": 8192, "rope_scaling": {
            "rope_type": "linear", "factor": 2, "attn_factor": 1.5}}
        self.assertIn("rope_scaling.attn_factor is 1.5; allowed: keys that a scaling rule has",
                      explained(config).stderr)
        self.assertEqual(self.told(config, "--ignore-key", "attn_factor=of another program")["model"]["rope_scaling"]["factor"], 2)

    def test_step_3_5_has_a_base_for_each_layer(self):
        config = {"model_type": "step3p5", "num_hidden_layers": 2, "layer_types": ["full_attention", "sliding_attention"],
                  "hidden_size": 4096, "num_attention_heads": 64, "rope_theta": [5000000.0, 10000.0]}
        self.assertEqual(self.plan(config), {"0": ("full_attention", 5000000, 128, "default"),
                                             "1": ("sliding_attention", 10000, 128, "default")})
        config["layer_types"][0] = "sliding_attention"
        self.assertIn("rope_theta[1] is 10000.0; allowed: 5000000.0, as in the other sliding_attention layers",
                      explained(config).stderr)
        config["rope_theta"] = 70000.0
        config["yarn_only_types"] = ["full_attention"]
        self.assertEqual(self.plan(config), {"0-1": ("sliding_attention", 70000, 128, "default")})
        config["yarn_only_types"] = ["sliding_attention"]
        self.assertIn('yarn_only_types is ["sliding_attention"]; allowed: ["full_attention"]', explained(config).stderr)
        del config["yarn_only_types"]
        config["rope_theta"] = [10000, None]
        self.assertIn("rope_theta[1] is missing; allowed: a number", explained(config).stderr)
        config["rope_theta"] = [1.5]
        self.assertIn("rope_theta is a list of 1; allowed: one of num_hidden_layers, 2", explained(config).stderr)

    def test_qwen3_5_turns_a_quarter_on_three_axes(self):
        kinds = ["linear_attention"] * 3 + ["full_attention"]
        config = {"model_type": "qwen3_5_moe", "text_config": {
            "head_dim": 256, "layer_types": kinds * 2, "full_attention_interval": 4, "model_type": "qwen3_5_moe_text",
            "hidden_size": 2048, "num_attention_heads": 16, "num_hidden_layers": 8, "partial_rotary_factor": 0.25,
            "rope_parameters": {"mrope_interleaved": True, "mrope_section": [11, 11, 10], "partial_rotary_factor": 0.25,
                                "rope_theta": 10000000, "rope_type": "default"}}}
        self.assertEqual(self.plan(config), {"0-2, 4-6": ("linear_attention", None),
                                             "3, 7": ("full_attention", 10000000, 64, "default")})

    def test_llama_4_scout_has_a_step_for_a_ramp(self):
        config = {"model_type": "llama4_text", "rope_theta": 500000, "head_dim": 128, "num_hidden_layers": 8,
                  "no_rope_layer_interval": 4, "attn_temperature_tuning": True, "floor_scale": 8192, "attn_scale": 0.1,
                  "rope_scaling": {"rope_type": "llama3", "factor": 16.0, "low_freq_factor": 1.0, "high_freq_factor": 1.0,
                                   "original_max_position_embeddings": 8192}}
        self.assertEqual(self.plan(config), {"0-2, 4-6": ("rope", 500000, 128, "llama3"), "3, 7": ("no_rope", None)})
        names = {one["name"]: one["value"] for one in self.told(config, "--layer", "0")["quantities"]}
        self.assertEqual((names["pairs kept"], names["pairs divided"]), ("0 to 34", "35 to 63"))
        self.assertIn("layer is 3; allowed: a layer that rotates", explained(config, "--layer", "3").stderr)

    def test_layers_count_from_the_end_and_a_list_of_bases_wins(self):
        muse = {"model_type": "muse_glimmer_text", "num_hidden_layers": 10, "rope_theta": 500000.0}
        self.assertEqual(self.plan(muse), {"0, 2-4, 6-8": ("rope", 500000, 128, "default"), "1, 5, 9": ("no_rope", None)})
        self.assertEqual(self.plan({**muse, "layer_rope_theta": [1e4] * 9 + [0]}),
                         {"0-8": ("rope", 500000, 128, "default"), "9": ("no_rope", None)})
        granite = {"model_type": "granite_swa", "num_hidden_layers": 3, "head_dim": 64, "layer_rope_theta": [0, 1e6, 1e4]}
        self.assertEqual(self.plan(granite), {"0": ("no_rope", None), "1": ("rope_theta=1000000", 1000000, 64, "default"),
                                              "2": ("rope_theta=10000", 10000, 64, "default")})
        for layer, words in (("0", "layer is 0; allowed: a layer that rotates"), ("3", "layer is 3; allowed: 0 to 2"),
                             ("rope", "layer is rope; allowed: a layer that rotates, of kinds no_rope, rope_theta=1000000")):
            self.assertIn(words, explained(granite, "--layer", layer).stderr)
        for wrong in ([0, 1], [0, -1.0, 2.0], [0, 1.0, 0.5]):
            self.assertEqual(explained({**granite, "layer_rope_theta": wrong}).returncode, 2, wrong)

    def test_a_base_in_two_places_is_the_blocks(self):
        told = self.told({"model_type": "qwen3", "head_dim": 128, "rope_scaling": None, "rope_theta": 10000.0,
                          "rope_parameters": {"rope_type": "default", "rope_theta": 500000.0}})
        self.assertEqual(told["model"]["base"], 500000)
        self.assertIn("version 4 took the top level's", told["warnings"][0])

    def test_null_says_that_a_layer_does_not_rotate_or_has_its_classs_base(self):
        """By each type's own code."""
        wide = {"hidden_size": 4096, "num_attention_heads": 32}
        full = ["full_attention"] * 4
        exaone = {"model_type": "exaone4", **wide, "num_hidden_layers": 4, "rope_theta": 1e6}
        self.assertEqual(self.plan({**exaone, "layer_types": full, "sliding_window": None}), {"0-3": ("full_attention", 1e6, 128, "default")})
        self.assertEqual(self.plan({**exaone, "sliding_window": 4096}),
                         {"0-2": ("sliding_attention", 1e6, 128, "default"), "3": ("full_attention", None)})
        sliding = {"rope_type": "default", "rope_theta": 20000}
        self.assertEqual(self.plan({"model_type": "gemma3_text", "num_hidden_layers": 6,
                                    "rope_parameters": {"full_attention": None, "sliding_attention": sliding}}),
                         {"0-4": ("sliding_attention", 20000, 256, "default"), "5": ("full_attention", 1e6, 256, "default")})
        for config, words in (
                ({"model_type": "olmo_hybrid", **wide, "rope_theta": None}, "rope_theta is null"),
                ({"model_type": "olmo_hybrid", **wide, "rope_parameters": {"rope_type": "default", "rope_theta": None}},
                 "rope_parameters.rope_theta is null"),
                ({"model_type": "gemma4_text", "num_hidden_layers": 6, "rope_parameters": {"full_attention": None, "sliding_attention": None}},
                 "without one, no layer rotates"),
                ({**exaone, "layer_types": full, "sliding_window": 4096}, "no layer of this model does"),
                ({"model_type": "cohere2", **wide, "num_hidden_layers": 4, "layer_types": full}, "no layer of this model does"),
                ({"model_type": "llama4_text", "num_hidden_layers": 4, "no_rope_layer_interval": 1}, "no layer of this model does"),
                ({"model_type": "smollm3", **wide, "num_hidden_layers": 4, "no_rope_layers": []}, "no_rope_layers is []"),
                ({"model_type": "smollm3", **wide, "num_hidden_layers": 8, "no_rope_layers": [1, 1, 1, 0]}, "no_rope_layers is a list of 4"),
                ({"model_type": "smollm3", **wide, "num_hidden_layers": "6"}, 'num_hidden_layers is "6"')):
            with self.subTest(words):
                done = explained(config)
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn(words, done.stderr)

    def test_a_layers_own_width_is_that_of_its_kind(self):
        """per_layer_config, as transformers 5 saves Gemma 4."""
        six = {"model_type": "gemma4_text", "num_hidden_layers": 6}
        for by_layer, width in (({"5": {"head_dim": 384, "num_key_value_heads": 2}}, 384), ({}, 256), (None, 512)):
            self.assertEqual(self.told({**six, "per_layer_config": by_layer})["model"]["head_dim"], width)
        llama = {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 4}
        for by_layer, words in (({"0": {"rope_theta": 7e5}}, "per_layer_config.0.rope_theta is 700000"),
                                ({"3": {"head_dim": 64}}, "per_layer_config.3.head_dim is 64; allowed: none, as in the other layers"),
                                ({"4": {"head_dim": 128}}, "a layer's number below 4")):
            done = explained({**llama, "per_layer_config": by_layer})
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(words, done.stderr)

    def test_what_a_block_says_and_what_its_class_fills_in(self):
        wide = {"hidden_size": 4096, "num_attention_heads": 32}
        plain = {"rope_type": "default", "rope_theta": 50000}
        yarn = {"rope_type": "yarn", "factor": 4, "rope_theta": 10000, "original_max_position_embeddings": 4096}
        for config, key, value in (
                ({"model_type": "gpt_neox", "rotary_emb_base": 10000, "rope_parameters": plain}, "base", 50000),
                ({"model_type": "gpt_neox_japanese", "rotary_emb_base": 10000, "rope_parameters": plain}, "base", 50000),
                ({"model_type": "moonshine_streaming", "rope_parameters": plain}, "rotary_dim", 128),
                ({"model_type": "moonshine_streaming"}, "rotary_dim", 102),
                ({"model_type": "bamba", "rope_parameters": {**plain, "partial_rotary_factor": 0.25}}, "rotary_dim", 32),
                ({"model_type": "bamba", "rope_parameters": {**yarn, "partial_rotary_factor": 0.25}}, "rotary_dim", 64),
                ({"model_type": "glm4_moe", "rope_parameters": {**plain, "partial_rotary_factor": 0.25}}, "rotary_dim", 32),
                ({"model_type": "glm4_moe", "rope_parameters": {**yarn, "partial_rotary_factor": 0.25}}, "rotary_dim", 64),
                ({"model_type": "glm4_moe_lite", "qk_rope_head_dim": 64, "partial_rotary_factor": 0.5}, "rotary_dim", 32),
                ({"model_type": "minimax", "rotary_dim": 64}, "rotary_dim", 128),
                ({"model_type": "gemma4_text", "rope_theta": 5}, "base", 1000000),
                ({"model_type": "deepseek_v32", "rope_interleave": True, "indexer_rope_interleave": True}, "base", 10000)):
            with self.subTest(config):
                self.assertEqual(self.told({**wide, **config})["model"][key], value)
        for wrapper, base in (("voxtral", 100000000), ("voxtral_realtime", 1000000)):
            told = self.told({"model_type": wrapper, "text_config": {"model_type": "llama", "hidden_size": 3072, "num_attention_heads": 32}})
            self.assertEqual((told["model"]["base"], told["model"]["head_dim"]), (base, 128))
        told = self.told({"model_type": "cohere_compass_text", **wide, "head_dim": 128, "rope_scaling": {"rope_type": "linear", "factor": 2},
                          "rope_parameters": {"full_attention": plain, "sliding_attention": plain}})
        self.assertEqual((told["model"]["base"], told["model"]["rope_scaling"]), (50000, {"rope_type": "default"}))
        self.assertIn("rope_scaling is", told["warnings"][0])
        told = self.told({"model_type": "gemma3_text", "num_hidden_layers": 6, "rope_parameters": {"full_attention": {**yarn, "truncate": False}}})
        self.assertIn("transformers 5 reads it only outside of the table", told["warnings"][0])

    def test_what_a_file_leaves_out_is_its_classs(self):
        """As published: LLaVA 1.5, Idefics 2 and Qwen2 Audio leave the widths of their text models out."""
        for wrapper, text, base in (("llava", {"model_type": "llama", "max_position_embeddings": 4096}, 10000),
                                    ("idefics2", {"model_type": "mistral", "max_position_embeddings": 32768}, 10000),
                                    ("qwen2_audio", {"model_type": "qwen2", "rope_theta": 10000}, 10000)):
            told = self.told({"model_type": wrapper, "text_config": text})
            self.assertEqual((told["model"]["head_dim"], told["model"]["base"]), (128, base))
            origins = {one["name"]: one["origin"] for one in told["quantities"]}
            self.assertIn("no hidden_size, no num_attention_heads is given", origins["head_dim"])
        # A block that the class has where the file has none brings its own base.
        for kind, base in (("apertus", 12000000), ("cwm", 1000000), ("ministral3", 1000000), ("higgs_audio_v2", 500000)):
            told = self.told({"model_type": kind, "hidden_size": 4096, "num_attention_heads": 32, "max_position_embeddings": 65536,
                              "rope_theta": 123456})
            self.assertEqual(told["model"]["base"], base, kind)
            self.assertIn("the block's is taken", told["warnings"][0])

    def test_dense_layers_before_the_others_rotate(self):
        """Cohere 2 MoE."""
        moe = {"model_type": "cohere2_moe", "hidden_size": 4096, "num_attention_heads": 64, "num_hidden_layers": 9, "rope_theta": 50000}
        full, sliding = ("full_attention", None), ("sliding_attention", 50000, 128, "default")
        dense = ("dense_full_attention", 50000, 128, "default")
        self.assertEqual(self.plan({**moe, "first_k_dense_replace": 1}), {"0": dense, "1-3, 5-7": sliding, "4, 8": full})
        self.assertEqual(self.plan(moe), {"0-2, 4-6, 8": sliding, "3, 7": full})
        kinds = ["full_attention", "sliding_attention", "full_attention"]
        three = {**moe, "num_hidden_layers": 3, "layer_types": kinds, "mlp_layer_types": ["dense", "sparse", "sparse"]}
        self.assertEqual(self.plan(three), {"0": dense, "1": sliding, "2": full})
        self.assertEqual(self.plan({**three, "prefix_dense_sliding_window_pattern": 2}), {"0, 2": full, "1": sliding})

    def test_flags_that_say_what_the_code_does(self):
        alpha = {"type": "dynamic", "alpha": 1000.0, "factor": 1.0, "beta_fast": 32, "beta_slow": 1, "mscale": 1.0, "mscale_all_dim": 1.0}
        self.told({"model_type": "hunyuan_v1_dense", "head_dim": 128, "rope_theta": 10000, "rope_scaling": alpha, "use_rotary_pos_emb": True})
        self.told({"model_type": "paddleocr_vl", "head_dim": 128, "rope_is_neox_style": True, "use_3d_rope": True,
                   "rope_scaling": {"mrope_section": [16, 24, 24], "rope_type": "default", "type": "default"}})
        for config, words in (({"model_type": "llama", "head_dim": 128, "use_3d_rope": True}, "use_3d_rope is true"),
                              ({"model_type": "cohere", "head_dim": 128, "rope_is_neox_style": True}, "rope_is_neox_style is true")):
            done = explained(config)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(words, done.stderr)

    def test_numbers_that_only_python_writes(self):
        path = pathlib.Path(folder.name, "python.json")
        path.write_text('{"model_type": "bamba", "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 4, "attn_layer_indices": [2], '
                        '"time_step_limit": [0.0, Infinity], "name": "a \\"NaN\\" in a text"}')
        done = subprocess.run([command, "explain", "config", str(path)], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_older_code_reads_otherwise_is_told_where_it_does(self):
        wide = {"model_type": "minimax_m2", "head_dim": 128}
        share = {"rope_type": "default", "rope_theta": 5000000, "partial_rotary_factor": 0.5}
        for config, other in (({**wide, "rotary_dim": 64}, True), ({**wide, "rotary_dim": 64, "rope_parameters": share}, False),
                              ({**wide, "rope_parameters": share}, False),
                              ({"model_type": "dbrx", "d_model": 6144, "n_heads": 48, "attn_config": {"rope_theta": 500000}}, True),
                              ({"model_type": "dbrx", "d_model": 6144, "n_heads": 48, "attn_config": {"rope_theta": 500000},
                                "rope_parameters": {"rope_type": "default", "rope_theta": 500000}}, False)):
            told = self.told(config)
            self.assertEqual("other reading" in [one["name"] for one in told["quantities"]], other, config)
        told = self.told({"model_type": "gemma3_text", "num_hidden_layers": 6, "rope_scaling": {"type": "linear", "factor": 8.0}})
        self.assertIn("transformers 5 reads rope_type alone", told["warnings"][0])
        mimo = {"model_type": "mimo_v2_flash", "num_hidden_layers": 6, "max_position_embeddings": 262144, "rope_parameters": {
            "full_attention": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 262144, "rope_theta": 5e6},
            "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}}}
        self.assertEqual([one["model"]["rotary_dim"] for one in self.told(mimo)["plan"]["tables"]], [192, 64])

    def test_a_bare_block_is_one_under_older_names_too(self):
        yarn = {"type": "yarn", "factor": 4, "rope_theta": 10000, "original_max_position_embeddings": 4096}
        by_hand = ("--pairing", "half-split", "--head-dim", "128")
        self.assertEqual(self.told(yarn, *by_hand)["model"]["rope_scaling"]["rope_type"], "yarn")
        tables = {"full_attention": {"rope_type": "default", "rope_theta": 1e6}, "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}}
        self.assertEqual(self.told(tables, *by_hand)["model"]["base"], 1e6)
        self.assertEqual(self.told(tables, *by_hand, "--layer", "sliding_attention")["model"]["base"], 1e4)

    def test_what_is_left_out_must_be_there_to_leave_out(self):
        done = explained({"model_type": "llama", "head_dim": 128, "rope_theta": 5e5}, "--ignore-key", "rope_theta=why")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("a key that is not read", done.stderr)

    def test_a_folder_of_mistrals_own_files(self):
        with tempfile.TemporaryDirectory() as own:
            pathlib.Path(own, "params.json").write_text(json.dumps({"dim": 4096, "n_heads": 32, "head_dim": 128, "rope_theta": 1e6,
                                                                     "llama_4_scaling": {"original_max_position_embeddings": 8192, "beta": 0.1}}))
            done = subprocess.run([command, "explain", "config", own], capture_output=True, text=True, timeout=60)
        self.assertIn("llama_4_scaling.beta, llama_4_scaling.original_max_position_embeddings", done.stdout, done.stderr)

    def test_what_was_read_wrongly_is_refused(self):
        for config, words in (
                ({"model_type": "chatglm", "kv_channels": 128, "position_encoding_2d": True}, "position_encoding_2d is true"),
                ({"model_type": "qwen2", "head_dim": 128, "dual_chunk_attention_config": {"chunk_size": 262144}},
                 "dual_chunk_attention_config is"),
                ({"model_type": "mistral", "head_dim": 128, "llama_4_scaling": {"beta": 0.1}}, "llama_4_scaling is"),
                ({"model_type": "llama", "head_dim": 128, "nope_layer_interval": 4}, "nope_layer_interval is 4"),
                ({"model_type": "llama", "head_dim": 128, "no_rope_layers": [1, 0]}, "no_rope_layers is"),
                ({"model_type": "deberta", "head_dim": 64}, "DeBERTa's disentangled rows")):
            for more in ((), ("--pairing", "half-split")):
                done = explained(config, *more)
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn(words, done.stderr)
        done = explained({"model_type": "llama", "head_dim": 128, "no_rope_layers": [1, 0]}, "--ignore-key",
                         "no_rope_layers=layer 1 is not asked about")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('left out by --ignore-key, "layer 1 is not asked about"', json.loads(done.stdout)["warnings"][0])


if __name__ == "__main__":
    unittest.main()
