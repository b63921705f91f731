#!/usr/bin/env python3
"""--base, --head-dim and --rotary-dim beside --config fill in what the file leaves open, and are refused where it says another."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

command = os.environ["ROPEWALK_COMMAND"]
folder = tempfile.TemporaryDirectory()
OPEN = {"model_type": "llama", "num_attention_heads": 4, "max_position_embeddings": 64}
SAID = {**OPEN, "hidden_size": 64, "rope_theta": 10000.0}
PART = {**SAID, "model_type": "glm", "head_dim": 16, "partial_rotary_factor": 0.5}
GEMMA = {"model_type": "gemma3_text", "num_hidden_layers": 6, "head_dim": 16}


def explained(config, *words):
    path = pathlib.Path(folder.name, "config.json")
    path.write_text(json.dumps(config))
    return subprocess.run([command, "explain", "config", "--config", str(path), *map(str, words)], capture_output=True, text=True,
                          timeout=60)


class Beside(unittest.TestCase):
    def model(self, config, *words):
        done = explained(config, *words, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        told = json.loads(done.stdout)
        return told["plan"]["tables"] if "plan" in told and len(told["plan"]["tables"]) > 1 else told

    def refused(self, words, config, *options):
        done = explained(config, *options)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stdout + done.stderr)
        self.assertIn(words, done.stderr)

    def test_what_is_open_is_filled_in(self):
        told = self.model(OPEN, "--base", 500000, "--head-dim", 32, "--rotary-dim", 8)
        numbers = {one["name"]: (one["value"], one["origin"]) for one in told["quantities"]}
        for name, option, value in (("base", "--base", "500000"), ("head_dim", "--head-dim", "32"), ("rotary_dim", "--rotary-dim", "8")):
            self.assertEqual(numbers[name], (value, f"{option}, as the file has none"))

    def test_what_the_file_says_may_be_repeated(self):
        told = self.model(SAID, "--base", 10000, "--head-dim", 16, "--rotary-dim", 16)
        self.assertEqual((told["model"]["base"], told["model"]["rotary_dim"]), (10000, 16))
        self.assertEqual(self.model(PART, "--rotary-dim", 8)["model"]["rotary_dim"], 8)

    def test_another_number_than_the_files_is_refused(self):
        self.refused("base is 500000; allowed: 10000, as rope_theta says", SAID, "--base", 500000)
        self.refused("head-dim is 32; allowed: 16, as hidden_size / num_attention_heads says", SAID, "--head-dim", 32)
        self.refused("rotary-dim is 16; allowed: 8, as ", PART, "--rotary-dim", 16)
        self.refused("base is 1; allowed: a finite number above 1", OPEN, "--base", 1, "--head-dim", 8)
        self.refused("rotary_dim is 12; allowed: an even number from 2 to head_dim 8", OPEN, "--head-dim", 8, "--rotary-dim", 12)
        self.refused("scaling is {}", SAID, "--scaling", "{}")

    def test_a_bare_block_takes_the_width_of_a_head_and_a_pairing(self):
        block = {"rope_type": "yarn", "rope_theta": 1000000.0, "factor": 4.0, "original_max_position_embeddings": 32768}
        path, out = pathlib.Path(folder.name, "block.json"), [pathlib.Path(folder.name, f"{i}.npy") for i in (0, 1)]
        path.write_text(json.dumps(block))
        for which, file in ((("--config", path, "--pairing", "half-split", "--head-dim", 128), out[0]),
                            (("--model", "qwen2.5-7b-yarn4"), out[1])):
            done = subprocess.run([command, "table", "inv-freq", *map(str, which), "--output", str(file)], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(out[0].read_bytes(), out[1].read_bytes())
        self.refused("model_type is missing", block, "--head-dim", 128)

    def test_numbers_are_of_layers_whose_type_has_no_others(self):
        gemma = {"model_type": "gemma4_text", "num_hidden_layers": 6, "head_dim": 256, "global_head_dim": 512}
        heads = {one["model"]["layer_type"]: one["model"]["head_dim"] for one in self.model(gemma, "--head-dim", 512)}
        self.assertEqual(heads, {"full_attention": 512, "sliding_attention": 256})

    def test_a_number_of_other_layers_is_refused_or_told(self):
        gemma = {"model_type": "gemma3_text", "num_hidden_layers": 6}
        self.refused("base is 2000000; allowed: none for sliding_attention layers", gemma, "--layer", "sliding_attention", "--base", 2000000)
        bases = {one["model"]["layer_type"]: one["warnings"] for one in self.model(gemma, "--base", 2000000)}
        self.assertEqual(bases["sliding_attention"], ["--base applies to layers with full attention only: not used"])

    def test_a_base_is_that_of_the_first_kind_of_layers(self):
        bases = {one["model"]["layer_type"]: one["model"]["base"] for one in self.model(GEMMA, "--base", 2000000)}
        self.assertEqual(bases, {"full_attention": 2000000, "sliding_attention": 10000})


if __name__ == "__main__":
    unittest.main()
