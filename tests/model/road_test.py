#!/usr/bin/env python3
"""The road of a user with a configuration: explain config, table, verify --table, apply and verify --kernel, on every layer."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy

command = os.environ["ROPEWALK_COMMAND"]
HEADS = {"num_attention_heads": 4, "num_key_value_heads": 2, "hidden_size": 64, "max_position_embeddings": 4096}
ROTATING = {
    "deepseek_v4": {"head_dim": 48, "qk_rope_head_dim": 16, "compress_ratios": [0, 4, 128], "num_hidden_layers": 3},
    "llama4_text": {"head_dim": 16, "num_hidden_layers": 8},
    "smollm3": {"num_hidden_layers": 8},
    "gemma3n_text": {"head_dim": 16, "num_hidden_layers": 5},
    "modernbert": {"num_hidden_layers": 6},
    "minimax_m2": {"head_dim": 16, "rotary_dim": 8, "num_hidden_layers": 2},
}
ADDING = {
    "bloom": ({"n_head": 8, "hidden_size": 64}, "alibi-slopes", ()),
    "t5": ({"num_heads": 8, "d_model": 64}, "t5-buckets", ()),
    "opt": ({"hidden_size": 16, "num_attention_heads": 4, "max_position_embeddings": 6}, "learned", None),
}


def run(*words):
    return subprocess.run([command, *map(str, words)], capture_output=True, text=True, timeout=120)


class Road(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def right(self, *words):
        done = run(*words)
        self.assertEqual(done.returncode, 0, f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
        return done.stdout

    def file(self, name, keys):
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps({"model_type": name, **keys}))
        return path

    def test_of_models_that_rotate(self):
        for name, keys in ROTATING.items():
            with self.subTest(name):
                config = self.file(name, {**HEADS, **keys})
                plan = json.loads(self.right("explain", "config", config, "--json"))["plan"]
                kinds = {one["kind"]: one["table"] for one in plan["layers"]}
                tables = self.folder / f"{name}.npz"
                self.right("table", "inv-freq", "--config", config, "--layer", "all", "--output", tables, "--quiet")
                rotating = [kind for kind, table in kinds.items() if table is not None]
                several = "#*inv_freq" if len(rotating) > 1 else ""
                self.right("verify", "--table", f"{tables}{several}", "--config", config, "--quiet")
                self.right("verify", "--kernel", "cpu-turns", "--config", config, "--layer", "all", "--dtype", "f32", "--law",
                           "canonical", "--law", "pass-through", "--cases", 3, "--allow-cut", "--seed", 1)
                for kind, table in kinds.items():
                    layer = ["--layer", kind] if kind else []
                    if table is None:
                        self.assertEqual(run("apply", "--config", config, *layer).returncode, 2)
                        continue
                    self.applied(config, layer, plan["tables"][table]["model"])

    def applied(self, config, layer, model):
        """The heads of one token, at position 1: what rotates has other numbers, the rest the same bits."""
        x, y = self.folder / "x.npy", self.folder / "y.npy"
        heads = numpy.arange(1, 2 * model["head_dim"] + 1, dtype="f4").reshape(1, 2, -1)
        numpy.save(x, heads)
        self.right("apply", "--kernel", "exact", "--config", config, *layer, "--input", x, "--output", y, "--positions", "1:2", "--quiet")
        begin = model.get("rotary_begin", 0)
        turned = numpy.zeros(model["head_dim"], bool)
        turned[begin:begin + model["rotary_dim"]] = True
        same = (numpy.load(y) == heads).all(axis=(0, 1))
        self.assertTrue(same[~turned].all(), model)
        self.assertFalse(same[turned].all(), model)

    def test_of_models_that_add(self):
        for name, (keys, kind, options) in ADDING.items():
            with self.subTest(name):
                config = self.file(name, keys)
                self.assertTrue(json.loads(self.right("explain", "config", config, "--json")))
                if options is None:  # rows are weights, which a configuration does not have
                    self.assertIn(kind, run("table", "--config", config).stdout)
                    continue
                table = self.folder / f"{name}.npy"
                self.right("table", kind, "--config", config, "--output", table, "--quiet", *options)
                self.right("verify", "--table", table, "--config", config, "--quiet")


if __name__ == "__main__":
    unittest.main()
