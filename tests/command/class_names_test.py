#!/usr/bin/env python3
"""Every class and model type that has positions, by its name: it is read, or refused by that name with a sentence on what it does. Classes
of diffusers are given as a file that has nothing but the class, so that all numbers are its own; types of transformers need their sizes.
tests/command/grids_test.py has the numbers of those that are read."""

import json
import os
import subprocess
import sys
import unittest

command = os.environ["ROPEWALK_COMMAND"]

# Classes of diffusers that are read, and the keys without which a file of theirs does not rotate or has no size.
READ_CLASSES = {name + "Transformer3DModel": {} for name in (
    "Wan", "WanVACE", "WanAnimate", "SkyReelsV2", "SanaVideo", "ChronoEdit", "AnyFlow", "AnyFlowFAR", "HunyuanVideo", "HunyuanVideo15",
    "MotifVideo", "EasyAnimate", "Allegro", "Cosmos", "LTXVideo", "LTX2Video", "Kandinsky5", "JoyImageEdit", "JoyImageEditPlus", "MiniMaxH3")}
READ_CLASSES |= {name + "Transformer2DModel": {} for name in (
    "Flux", "Flux2", "Krea2", "Bria", "BriaFibo", "Chroma", "OvisImage", "LongCatImage", "QwenImage", "NucleusMoEImage", "HunyuanImage", "PRX",
    "Lumina2", "ZImage", "CogView4", "GlmImage", "Ideogram4")}
READ_CLASSES |= {
    "HiDreamImageTransformer2DModel": {"axes_dims_rope": [64, 32, 32]},
    "HunyuanDiT2DModel": {},
    "LuminaNextDiT2DModel": {"hidden_size": 2304, "num_attention_heads": 32},
    "CogVideoXTransformer3DModel": {"use_rotary_positional_embeddings": True},
    "ConsisIDTransformer3DModel": {"use_rotary_positional_embeddings": True},
    "WanAnimate2Transformer3DModel": {"dim": 5120, "num_heads": 40},
    "Cosmos3OmniTransformer": {},
    "AutoencoderKLMiniMaxH3": {},
    "LTX2TextConnectors": {},
    "LTX2VideoDiffusionDecoderModel": {},
    "OmniGenTransformer2DModel": {"rope_scaling": {"short_factor": [1.0] * 48, "long_factor": [2.0] * 48}},
    "AceStepTransformer1DModel": {},
    "LongCatAudioDiTTransformer": {"dit_dim": 1536, "dit_heads": 24},
    "MiniMaxMusic3Transformer1DModel": {},
    "StableAudioDiTModel": {},
    "StableAudio3DiTModel": {"embed_dim": 1536, "num_heads": 24},
    "AutoencoderSAME": {},
}
READ_PARTS = [("LTX2VideoTransformer3DModel", "audio"), ("LTX2TextConnectors", "audio"), ("Kandinsky5Transformer3DModel", "text")]

# Classes whose map is another than a rotation, and the kind of table that each has.
OTHER_MAPS = {"ErnieImageTransformer2DModel": "skewed-cos-sin", "HeliosTransformer3DModel": "pooled-cos-sin",
              "HunyuanVideoFramepackTransformer3DModel": "pooled-cos-sin"}

# Classes that are refused, and words of the sentence that says what each does.
REFUSED_CLASSES = {
    "SD3Transformer2DModel": "adds sinusoids", "PixArtTransformer2DModel": "adds sinusoids", "SanaTransformer2DModel": "adds sinusoids above",
    "DiTTransformer2DModel": "adds sinusoids", "LatteTransformer3DModel": "adds sinusoids", "CogView3PlusTransformer2DModel": "adds sinusoids",
    "AuraFlowTransformer2DModel": "adds a learned table", "MochiTransformer3DModel": "table mixed",
    "MiniMaxMusic3RVQDepthDecoder": "learned row", "DreamLiteTransformer2DModel": "turns nothing", "PriorTransformer": "learned row",
    "T5FilmDecoder": "learned row", "TransformerTemporalModel": "adds sinusoids",
}

# Types of transformers that turn by coordinates, and their sizes.
SIZES = {"hidden_size": 1024, "num_attention_heads": 16}
QWEN = {"hidden_size": 1280, "num_heads": 16}
MEMORY = {"memory_attention_hidden_size": 256, "memory_attention_num_attention_heads": 1}
READ_ENCODERS = {name: SIZES for name in (
    "dinov3_vit", "sapiens2", "eomt_dinov3", "gemma4_vision", "sam3_vit_model", "step3p5_vision", "muse_glimmer_vision", "kimi_k25_vision",
    "minimax_m3_vl_vision", "llama4_vision_model", "pixtral", "efficientloftr", "paddleocr_vl_vision")}
READ_ENCODERS |= {name + "_vision": QWEN for name in (
    "qwen2_5_vl", "qwen3_vl", "qwen3_vl_moe", "qwen3_5", "qwen3_5_moe", "glm4v", "glm4v_moe", "glm_ocr", "cohere_compass", "ernie4_5_vl_moe",
    "exaone4_5")}
READ_ENCODERS |= {"qwen2_vl_vision": {"embed_dim": 1280, "num_heads": 16}, "qwen2_5_omni_vision_encoder": QWEN,
                  "qwen3_omni_moe_vision_encoder": QWEN, "sam2_video": MEMORY, "edgetam_video": MEMORY, "sam3_tracker_video": MEMORY}
OTHER_ENCODERS = {"vjepa2": ("skewed-cos-sin", SIZES)}
REFUSED_TYPES = {
    "lightglue": "table mixed", "internvl_vision": "learned row", "parakeet_encoder": "sinusoids of distances",
    "gemma4_audio": "sinusoids of distances", "video_llama_3_vision": "in blocks", "timm_wrapper": "no encoding of positions of its own",
}

# Types of text that are read with these sizes, and what a few need beside them.
TEXT_SIZES = {**SIZES, "num_hidden_layers": 8, "head_dim": 64, "max_position_embeddings": 32768, "rope_theta": 10000.0}
SECTIONS = {"rope_scaling": {"type": "mrope", "mrope_section": [8, 12, 12]}}
READ_TEXT = {name: {} for name in (
    "llama4_text smollm3 cohere2 exaone4 exaone_moe afmoe ministral3 gemma3n_text olmo3 mimo_v2_flash qwen3_next glm4_moe minimax_m2 deepseek_v4 "
    "deepseek_v32 mistral4 qwen3_5_text gpt_oss gemma3_text gemma4_text qwen3 kimi_k2 qwen3_omni_moe_text").split()}
READ_TEXT |= {"glm4v_text": SECTIONS, "qwen2_5_omni_text": SECTIONS, "modernbert": {"rope_theta": None}, "mimo_v2_flash": {"head_dim": 192}}
REFUSED_TEXT = {"ernie4_5_vl_moe_text": "height and width alternate", "hunyuan_vl_text": "a section for each of four",
                "musicflamingo": "turns audio by its time", "hunyuan_image_3_moe": "around its place in the line", "telechat3": "0.07 for 0.1"}


def run(*words, config=None):
    return subprocess.run([command, *words], input=None if config is None else json.dumps(config), capture_output=True, text=True, timeout=300)


class ClassNames(unittest.TestCase):
    def listed(self, config, *words):
        done = run("table", "--config", "-", *words, config=config)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.split()

    def is_read(self, config, *words):
        """The kinds of tables that it has."""
        done = run("explain", "config", "-", *words, config=config)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.listed(config, *words)

    def is_refused(self, name, config, what):
        for words in ("explain", "config", "-"), ("table", "cos-sin", "--config", "-", "--layout", "vllm", "--output", "-"):
            done = run(*words, config=config)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn(name, done.stderr)
            self.assertIn("; allowed: ", done.stderr)
            self.assertIn(what, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)

    def test_classes_that_are_read(self):
        for name, keys in READ_CLASSES.items():
            with self.subTest(name):
                self.assertIn("cos-sin", self.is_read({"_class_name": name, **keys}))

    def test_parts_of_classes_that_are_read(self):
        for name, part in READ_PARTS:
            with self.subTest(f"{name} {part}"):
                self.assertIn("cos-sin", self.is_read({"_class_name": name}, "--part", part))

    def test_classes_of_another_map_name_their_kind(self):
        for name, kind in OTHER_MAPS.items():
            with self.subTest(name):
                self.assertEqual(self.listed({"_class_name": name}), [kind])
                self.is_refused(name, {"_class_name": name}, kind)

    def test_classes_that_are_refused_say_what_they_do(self):
        for name, what in REFUSED_CLASSES.items():
            with self.subTest(name):
                self.is_refused(name, {"_class_name": name}, what)

    def test_encoders_that_are_read(self):
        for name, keys in READ_ENCODERS.items():
            with self.subTest(name):
                self.assertIn("cos-sin", self.is_read({"model_type": name, **keys}))

    def test_encoders_of_another_map_name_their_kind(self):
        for name, (kind, keys) in OTHER_ENCODERS.items():
            with self.subTest(name):
                self.assertEqual(self.listed({"model_type": name, **keys}), [kind])
                self.assertEqual(self.listed({"model_type": name, **keys}, "--part", "predictor"), [kind])

    def test_types_that_are_refused_say_what_they_do(self):
        for name, what in REFUSED_TYPES.items():
            with self.subTest(name):
                self.is_refused(name, {"model_type": name, **SIZES}, what)

    def test_types_of_text_are_read_or_refused_by_their_name(self):
        for name, keys in READ_TEXT.items():
            with self.subTest(name):
                done = run("explain", "config", "-", config={"model_type": name, **TEXT_SIZES, **keys})
                self.assertEqual(done.returncode, 0, done.stderr)
        for name, what in REFUSED_TEXT.items():
            with self.subTest(name):
                self.is_refused(name, {"model_type": name, **TEXT_SIZES}, what)

    def test_a_name_that_nobody_has_gets_the_nearest(self):
        done = run("explain", "config", "-", config={"_class_name": "Cosmos3Transformer3DModel"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("the nearest Cosmos", done.stderr)
        slash = run("explain", "config", "-", config={"_class_name": "LTX2VideoTransformer3DModel/audio"})
        self.assertEqual(slash.returncode, 2)


if __name__ == "__main__":
    unittest.main()
