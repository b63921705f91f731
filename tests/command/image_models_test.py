#!/usr/bin/env python3
"""Models of images and videos, as a user names them: each of the catalogue has a table, a part of a configuration is found, and what is
not read is refused by its reason, with exit code 2 and nothing written. tests/command/grids_test.py has the numbers."""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

command = os.environ["ROPEWALK_COMMAND"]
WAN = {"_class_name": "WanTransformer3DModel", "attention_head_dim": 64}
FLUX = {"_class_name": "FluxTransformer2DModel"}
VISION = {"model_type": "qwen2_5_vl", "hidden_size": 1280, "num_heads": 16}
SAM = {"model_type": "sam3_vit_model", "hidden_size": 64, "num_attention_heads": 16, "global_attn_indexes": [7, 15]}

# Wan's rotation with another base, by somebody who thought of no wider heads: those raise an exception.
BASE_256 = """
import numpy as np
import ropewalk_kernel


@ropewalk_kernel.kernel(promise="angle-f64", pairing="interleaved", dtypes=["f32"])
def wan(query, positions, encoding, backward):
    frequencies = np.concatenate([256.0 ** (-2 * np.arange(d // 2) / d) for d in (44, 42, 42)])
    angle = (np.moveaxis(positions[np.repeat([0, 1, 2], [22, 21, 21])], 0, -1) * frequencies)[:, :, None]
    cos, sin = np.cos(angle).astype("f4"), np.sin(angle).astype("f4") * np.float32(-1 if backward else 1)
    x, y = query[..., 0::2].copy(), query[..., 1::2].copy()
    query[..., 0::2], query[..., 1::2] = x * cos - y * sin, x * sin + y * cos


ropewalk_kernel.serve()
"""


def run(*words, config=None):
    return subprocess.run([command, *words], input=None if config is None else json.dumps(config), capture_output=True, text=True,
                          timeout=300)


class ImageModels(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.output = pathlib.Path(self.folder.name, "table.npy")

    def table(self, *words, config=None):
        which = ("--config", "-") if config is not None else ()
        return run("table", "cos-sin", *which, "--layout", "vllm", "--output", str(self.output), *words, config=config)

    def refused(self, said, *words, config=None):
        with self.subTest(said):
            done = self.table(*words, config=config)
            self.assertEqual((done.returncode, self.output.exists()), (2, False), done.stderr)
            self.assertTrue(done.stderr.startswith("ropewalk: " + said), done.stderr)
            self.assertIn("; allowed: ", done.stderr)

    def test_each_of_the_catalogue_has_a_table_and_says_where_it_is_from(self):
        models = [one for one in json.loads(run("models", "--json").stdout) if "grid" in one and "map" not in one]
        self.assertGreaterEqual(len(models), 50)
        for one in models:
            with self.subTest(one["name"]):
                self.assertTrue(one["source"])
                done = self.table("--model", one["name"], "--grid", "8x16")
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_part_is_found_and_text_is_the_usual_one(self):
        whole = {"model_type": "qwen2_5_vl", "vision_config": VISION,
                 "text_config": {"model_type": "llama", "head_dim": 64, "rope_theta": 1e6}}
        for part, head_dim in ("vision", 80), ("text", 64), (None, 64):
            done = run("explain", "config", "-", "--json", *(("--part", part) if part else ()), config=whole)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f'"head_dim": {head_dim},', done.stdout)
        self.refused("part is audio", "--part", "audio", "--grid", "4x4", config=whole)
        self.refused("part is sound", "--part", "sound", "--grid", "4x4", config=whole)
        self.refused("vision_config.model_type is clip_vision_model", "--part", "vision", "--grid", "4x4",
                     config=whole | {"vision_config": {"model_type": "clip_vision_model"}})

    def test_classes_that_are_not_read_are_refused_by_what_they_do(self):
        for name, what in ("ErnieImageTransformer2DModel", "two angles into one pair"), ("SD3Transformer2DModel", "adds sinusoids"), \
                ("HeliosTransformer3DModel", "averages"), ("MochiTransformer3DModel", "table mixed"), ("WanTransformer2DModel", "nearest Wan"):
            done = self.table("--grid", "4x4", config={"_class_name": name})
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"_class_name is {name}; allowed: ", done.stderr)
            self.assertIn(what, done.stderr)
        self.assertIn("two angles into one pair", self.table("--grid", "4x4", config={"model_type": "vjepa2"}).stderr)

    def test_numbers_of_a_configuration_that_mean_nothing_are_refused(self):
        for widths in [16, 55, 57], [16, -2, 58], [16, "a", 56], [], [0, 0, 0], [1.5, 2, 2], 7:
            self.refused("axes_dims_rope is", "--grid", "4x4", config=FLUX | {"axes_dims_rope": widths})
        self.refused("axes is 2", "--grid", "4x4", config=FLUX | {"axes_dims_rope": [64, 64]})
        self.refused("attention_head_dim is 63", "--grid", "4x4", config=WAN | {"attention_head_dim": 63})
        cosmos = {"_class_name": "CosmosTransformer3DModel"}
        self.refused("rope_scale is", "--grid", "4x4", config=cosmos | {"rope_scale": [1, 2]})
        for key, value in ("patch_size", 91), ("patch_size", 10**18), ("use_rotary_positional_embeddings", False):
            self.refused(key + " is", "--grid", "4x4", config={"_class_name": "CogVideoXTransformer3DModel",
                                                               "use_rotary_positional_embeddings": True, key: value})
        ideogram = {"_class_name": "Ideogram4Transformer2DModel"}
        for sections in [24, 20.5, 20], [24, 1e30, 20]:
            self.refused("mrope_section is", "--grid", "4x4", config=ideogram | {"mrope_section": sections})
        ltx = {"_class_name": "LTX2VideoTransformer3DModel"}
        self.refused("num_attention_heads is", "--grid", "4x4", config=ltx | {"num_attention_heads": 10**17})
        self.refused("rope_freq_dim is", "--grid", "4x4", config={"_class_name": "MiniMaxH3Transformer3DModel", "rope_freq_dim": 10**18})
        self.refused("grid is an index of", "--grid", "65536x1x1", config=ltx | {"vae_scale_factors": [10**5, 32, 32]})

    def test_options_that_a_model_does_not_take_are_refused(self):
        self.refused("grid is missing", config=WAN)
        self.refused("text is 7; allowed: none for this model", "--grid", "4x4", "--text", "7", config=WAN)
        self.refused("fps is 24", "--grid", "4x4", "--fps", "24", config=WAN)
        self.refused("fps is 24; allowed: only with --grid", "--fps", "24", config=WAN)
        self.refused("crop is", "--grid", "4x4", "--crop", "4x4", config=WAN)
        self.refused("grid is 2x4x4", "--grid", "2x4x4", config=FLUX)
        self.refused("reference is given more than once", "--grid", "4x4", "--reference", "4x4", "--reference", "4x4", config=FLUX)
        self.refused("layer is 3", "--grid", "4x4", "--layer", "3", config=WAN)
        self.refused("layer is 32", "--grid", "4x4", "--layer", "32", config=SAM)
        self.refused("base is 7", "--grid", "4x4", "--base", "7", config=WAN)
        self.refused("ignore-key is", "--grid", "4x4", "--ignore-key", "a=b", config=WAN)
        for grid in "4", "4x", "x4", "4x4x4x4", "0x4", "4x65537", "4.0x4", "-4x4", "9999x9999x9999":
            self.refused("grid is", f"--grid={grid}", config=WAN)
        cosmos = {"_class_name": "CosmosTransformer3DModel"}
        for fps in "0", "-1", "1e3", "24.", "1/0", "0.00000001", "29.97003", "nan", "2000000":
            self.refused("fps is", "--grid", "4x4", f"--fps={fps}", config=cosmos)

    def test_a_grid_beyond_the_tables_of_its_class_is_refused_by_what_ends_them(self):
        lumina, z_image = {"_class_name": "Lumina2Transformer2DModel"}, {"_class_name": "ZImageTransformer2DModel", "axes_lens": [64, 32, 32]}
        cogvideox = {"_class_name": "CogVideoXTransformer3DModel", "use_rotary_positional_embeddings": True, "patch_size_t": 2,
                     "sample_height": 300, "sample_width": 300}
        narrow = {"_class_name": "Kandinsky5Transformer3DModel", "axes_dims": [2, 2, 2]}
        qwen = {"_class_name": "QwenImageTransformer2DModel", "axes_dims_rope": [2, 2, 2]}
        wan = {"_class_name": "WanTransformer3DModel", "attention_head_dim": 6}
        for config, holds, words, field, why in [
                (wan, ("--grid", "1x1024"), ("--grid", "1x1025"), "grid is 1x1025, which needs index 1024 of axis 2",
                 "rope_max_seq_len of its class"),
                (wan | {"rope_max_seq_len": 8}, ("--grid", "8x2x8"), ("--grid", "9x2x8"), "grid is 9x2x8", "rope_max_seq_len 8"),
                (narrow, ("--grid", "128x2x2"), ("--grid", "2x129"), "grid is 2x129", "transformer_kandinsky.py"),
                (qwen, ("--grid", "1x8192"), ("--grid", "1x8193"), "grid is 1x8193, which needs index -4097", "-4096 to 4095"),
                (qwen, ("--grid", "2x2", "--text", "4095"), ("--grid", "2x2", "--text", "4096"), "text is 4096", "-4096 to 4095"),
                (lumina, ("--grid", "2x2", "--text", "299"), ("--grid", "2x2", "--text", "300"), "text is 300, which needs index 300", "axes_lens"),
                (z_image, ("--grid", "32x2"), ("--grid", "33x2"), "grid is 33x2, which needs index 32 of axis 1", "axes_lens [64,32,32]"),
                ({"_class_name": "CosmosTransformer3DModel", "max_size": [4, 8, 12]}, ("--grid", "6x6"), ("--grid", "7x6"), "grid is 7x6",
                 "max_size"),
                (cogvideox, ("--grid", "2x150"), ("--grid", "2x151"), "grid is 2x151", "sample_height"),
                ({"_class_name": "LuminaNextDiT2DModel", "hidden_size": 64, "num_attention_heads": 8}, ("--grid", "384x1"), ("--grid", "385x1"),
                 "grid is 385x1", "lumina_nextdit2d.py"),
                ({"model_type": "pixtral", "hidden_size": 64, "num_attention_heads": 8, "image_size": 64, "patch_size": 16}, ("--grid", "4x4"),
                 ("--grid", "4x5"), "grid is 4x5", "image_size / patch_size"),
                ({"_class_name": "WanAnimate2Transformer3DModel", "dim": 64, "num_heads": 8}, ("--grid", "1x512"), ("--grid", "1x513"),
                 "grid is 513 positions", "at most 512"),
                ({"_class_name": "AnyFlowFARTransformer3DModel", "rope_max_seq_len": 8}, ("--grid", "8x8", "--frames", "2:0-3,1:4-7"),
                 ("--grid", "8x8", "--frames", "1:8"), "grid is 9 positions", "at most 8")]:
            done = self.table(*holds, config=config)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.output.unlink()
            self.refused(field, *words, config=config)
            self.assertIn(why, self.table(*words, config=config).stderr)
        told = run("explain", "config", "-", config=wan).stdout
        self.assertRegex(told, "table ends +1024, 1024, 1024 +positions of each axis: rope_max_seq_len of its class")
        for lens in [64, 32], 7, [1, 2, 0], ["a", 1, 2]:
            self.refused("axes_lens is", "--grid", "2x2", config=z_image | {"axes_lens": lens})
        self.refused("rope_max_seq_len is", "--grid", "2x2", config=wan | {"rope_max_seq_len": 0})

    def test_a_class_with_the_table_of_one_picture_takes_that_one(self):
        memory = {"model_type": "sam2_video", "memory_attention_hidden_size": 64, "memory_attention_num_attention_heads": 1,
                  "memory_attention_rope_feat_sizes": [9, 5]}
        llama = {"model_type": "llama4_vision_model", "hidden_size": 64, "num_attention_heads": 8, "image_size": 84, "patch_size": 14}
        for config, own, beyond in (memory, "5x9", "6x9"), (llama, "6x6", "6x7"), (SAM | {"image_size": 56, "window_size": 2}, "4x4", "4x5"):
            with self.subTest(config["model_type"]):
                tables = []
                for words in ("--grid", own), ():
                    done = self.table(*words, config=config)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    tables.append(self.output.read_bytes())
                    self.output.unlink()
                self.assertEqual(tables[0][:64], tables[1][:64])
                self.assertEqual(tables[0], tables[1])
                self.output.write_bytes(tables[0])
                file = pathlib.Path(self.folder.name, "own.json")
                file.write_text(json.dumps(config))
                judged = run("verify", "--table", str(self.output), "--as", "cos-sin", "--layout", "vllm", "--config", str(file))
                self.assertEqual(judged.returncode, 0, judged.stdout + judged.stderr)
                self.output.unlink()
                self.assertRegex(run("explain", "config", "-", config=config).stdout, f"own grid +{own} .*taken without --grid")
                self.refused(f"grid is {beyond}; allowed: up to {own}: there the class's table ends", "--grid", beyond, config=config)
        self.assertEqual(run("table", "positions", "--config", "-", "--format", "csv", "--output", "-", config=memory).returncode, 0)
        edgetam = memory | {"model_type": "edgetam_video"}
        self.assertEqual(self.table("--grid", "16x16", config=edgetam).returncode, 0)  # its memories'

    def test_layers_with_windows_count_inside_them(self):
        tables = []
        for words in (), ("--layer", "7"), ("--layer", "0"):
            self.assertEqual(self.table("--grid", "4x4", *words, config=SAM).returncode, 0)
            tables.append(self.output.read_bytes())
        self.assertEqual(tables[0], tables[1])
        self.assertNotEqual(tables[0], tables[2])

    def test_commands_that_know_one_position_refuse_axes(self):
        for words in ("explain", "extrapolation", "--trained", "64"), ("explain", "engines"):
            done = run(*words, "--model", "wan-2.1-14b")
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn("which encoding is wan-2.1-14b (3 axes); allowed: a model of sequences here", done.stderr)
        for first, second in ("wan-2.1-14b", "llama-2-7b"), ("llama-2-7b", "wan-2.1-14b"):
            done = run("explain", "config", "--model", first, "--compare", second)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(f"compare is {second}; allowed: two models of sequences: wan-2.1-14b turns by 3 axes", done.stderr)

    def test_kernels_turn_by_a_grid(self):
        done = run("verify", "--kernel", "cpu-turns", "--model", "dinov3-vitl16", "--grid", "12x12", "--dtype", "f32", "--law", "canonical",
                   "--cases", "200")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        split = run("verify", "--kernel", "cpu-turns", "--config", "-", "--grid", "4x4",
                    config={"_class_name": "LTX2VideoTransformer3DModel", "rope_type": "split"})
        self.assertEqual(split.returncode, 2)
        self.assertIn("(rope_type split)", split.stderr)

    def test_a_mistake_is_named_beside_calls_that_the_kernel_refuses(self):
        if importlib.util.find_spec("numpy") is None:
            self.skipTest("numpy is not installed")
        kernel = pathlib.Path(self.folder.name, "kernel.py")
        kernel.write_text(BASE_256)
        source = os.environ["ROPEWALK_SOURCE"]
        done = run("verify", "--kernel", f"program:env PYTHONPATH={source}/src/python {sys.executable} {kernel} 1,2", "--model", "wan-2.1-14b",
                   "--dtype", "f32", "--law", "accuracy", "norm", "--cases", "100")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("every axis has the base 256, whatever the model's is", done.stdout)
        self.assertRegex(done.stdout, "left out: [0-9]+ further cases that the kernel refused, the first with .*ValueError")

    def test_what_does_not_fit_is_said_with_the_way_out(self):
        self.assertEqual(self.table("--model", "wan-2.1-14b", "--grid", "2x3").returncode, 0)
        for words, said in [(("verify", "--table", str(self.output), "--as", "cos-sin", "--layout", "vllm", "--model", "wan-2.1-14b", "--grid",
                              "2x3", "--promise", "entry=f32"), "entry is a part of what is added"),
                            (("table", "axes", "--axes", "wan", "--grid", "2x3", "--layout", "vllm", "--output", "-"), "of a model that places"),
                            (("table", "cos-sin", "--model", "cosmos-1", "--grid", "2x3", "--fps", "24", "--text", "4", "--layout", "vllm",
                              "--output", "-"), "text is 4")]:
            done = run(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(said, done.stderr)
        self.assertEqual(run("table", "--model", "wan-2.1-14b").stdout.split(), ["cos", "sin", "cos-sin", "axes", "positions"])
        self.assertIn("ropewalk sweep --model wan-2.1-14b ", run("guarantees", "--model", "wan-2.1-14b").stdout)


if __name__ == "__main__":
    unittest.main()
