#!/usr/bin/env python3
"""--layer all: `table` writes every distinct table of a model with its layers, `verify` holds a kernel on each of them."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy

command = os.environ["ROPEWALK_COMMAND"]
folder = tempfile.TemporaryDirectory()
GEMMA = {"model_type": "gemma3_text", "num_attention_heads": 8, "num_key_value_heads": 4, "num_hidden_layers": 8, "head_dim": 16,
         "hidden_size": 128, "max_position_embeddings": 4096, "rope_scaling": {"factor": 8.0, "rope_type": "linear"},
         "sliding_window_pattern": 6}
SMOL = {"model_type": "smollm3", "num_attention_heads": 4, "num_hidden_layers": 8, "hidden_size": 64, "rope_theta": 5000000.0,
        "max_position_embeddings": 4096, "no_rope_layers": [1, 1, 1, 0, 1, 1, 1, 0]}


def run(*words):
    return subprocess.run([command, *map(str, words)], capture_output=True, text=True, timeout=120)


def saved(name, config):
    path = pathlib.Path(folder.name, name)
    path.write_text(json.dumps(config))
    return path


class EveryLayer(unittest.TestCase):
    def right(self, *words):
        done = run(*words)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def refused(self, words, *command_line):
        done = run(*command_line)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn(words, done.stderr)

    def test_each_table_is_that_of_its_kind(self):
        config, together = saved("gemma.json", GEMMA), pathlib.Path(folder.name, "all.npz")
        self.right("table", "inv-freq,turns", "--config", config, "--layer", "all", "--output", together)
        with numpy.load(together) as arrays:
            kinds = {"sliding_attention": "0-4, 6-7", "full_attention": "5"}
            self.assertEqual(set(arrays), {f"{kind}.{array}" for kind in kinds for array in ("inv_freq", "turns")} | {"record"})
            record = json.loads(bytes(arrays["record"]))
            for kind, layers in kinds.items():
                alone = pathlib.Path(folder.name, f"{kind}.npy")
                self.right("table", "inv-freq", "--config", config, "--layer", kind, "--output", alone)
                self.assertEqual(arrays[f"{kind}.inv_freq"].tobytes(), numpy.load(alone).tobytes())
                for array in ("inv_freq", "turns"):
                    self.assertEqual(record["arrays"][f"{kind}.{array}"]["layers"], layers)
                self.assertEqual(record["arrays"][f"{kind}.turns"]["model"]["layer_type"], kind)
            self.assertNotEqual(arrays["sliding_attention.inv_freq"].tobytes(), arrays["full_attention.inv_freq"].tobytes())

    def test_a_file_with_each_table_is_judged_by_its_record(self):
        config, together = saved("gemma.json", GEMMA), pathlib.Path(folder.name, "judged.npz")
        self.right("table", "inv-freq", "--config", config, "--layer", "all", "--output", together)
        every = f"{together}#*.inv_freq"
        done = self.right("verify", "--table", every, "--config", config, "--json")
        names = {one["model"].rpartition("/")[2] for one in json.loads(done.stdout)["verdicts"]}
        self.assertEqual(names, {"sliding_attention", "full_attention"})
        other = saved("other.json", {**GEMMA, "rope_local_base_freq": 20000.0})
        done = run("verify", "--table", every, "--config", other)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, "FAILS[^\n]*sliding_attention|sliding_attention[^\n]*FAILS")

    def test_names_in_source_code_are_identifiers(self):
        header = pathlib.Path(folder.name, "freq.h")
        self.right("table", "inv-freq", "--config", saved("gemma.json", GEMMA), "--layer", "all", "--name", "g", "--output", header)
        for kind in ("sliding_attention", "full_attention"):
            self.assertRegex(header.read_text(), rf"\bg_{kind}_inv_freq\[8\]")

    def test_layers_without_rotation_are_told_and_one_table_has_its_own_name(self):
        out = pathlib.Path(folder.name, "smol.npy")
        done = self.right("table", "inv-freq", "--config", saved("smol.json", SMOL), "--layer", "all", "--output", out)
        self.assertIn("layers without rotation: 3, 7\n", done.stderr)
        record = json.loads(pathlib.Path(f"{out}.json").read_text())
        self.assertEqual(record["layers"], "0-2, 4-6")

    def test_a_kernel_is_judged_on_each_kind(self):
        done = self.right("verify", "--config", saved("gemma.json", GEMMA), "--layer", "all", "--kernel", "cpu-table", "--law",
                          "identity", "--cases", 2, "--seed", 1, "--allow-cut", "--json")
        names = {one["model"] for one in json.loads(done.stdout)["verdicts"]}
        self.assertEqual({name.rpartition("/")[2] for name in names}, {"sliding_attention", "full_attention"}, names)

    def test_numbers_stand_beside_each_kind_and_a_kind_of_any_name_is_no_name_of_an_array(self):
        open_base = {key: value for key, value in SMOL.items() if key != "rope_theta"}
        done = self.right("verify", "--config", saved("open.json", open_base), "--base", 500000, "--layer", "all", "--kernel",
                          "cpu-table", "--law", "identity", "--cases", 1, "--seed", 1, "--allow-cut")
        self.assertIn("base 500000", done.stderr)
        odd = {"model_type": "gemma3_text", "head_dim": 16, "num_hidden_layers": 2, "layer_types": ["full_attention", "a-b"],
               "rope_parameters": {"full_attention": {"rope_type": "default", "rope_theta": 10000.0},
                                   "a-b": {"rope_type": "default", "rope_theta": 500000.0}}}
        self.refused("a-b", "table", "inv-freq", "--config", saved("odd.json", odd), "--layer", "all", "--output",
                     pathlib.Path(folder.name, "odd.h"))
        both = ("--config", saved("gemma.json", GEMMA), "--config", saved("smol.json", SMOL))
        self.refused("2 encodings", "table", "inv-freq", *both, "--layer", "all", "--output", pathlib.Path(folder.name, "x.npz"))

    def test_what_one_command_cannot_take_is_refused(self):
        config, out = saved("gemma.json", GEMMA), pathlib.Path(folder.name, "x.npy")
        every = ("--config", config, "--layer", "all")
        self.refused("for several tables in one file", "table", "inv-freq", *every, "--output", out)
        self.assertFalse(out.exists())
        self.refused("with --compare", "table", "inv-freq", *every, "--compare", out)
        self.refused("{layer} in its name", "verify", "--table", out, "--as", "inv-freq", *every)
        self.refused("layer is all", "apply", *every, "--kernel", "cpu-table", "--input", out, "--output", out)
        self.refused("layer is all", "table", "inv-freq", "--base", 10000, "--head-dim", 8, "--layer", "all", "--output", out)


if __name__ == "__main__":
    unittest.main()
