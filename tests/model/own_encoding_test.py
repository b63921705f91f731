#!/usr/bin/env python3
"""Models that do not rotate: `explain config` says their encoding with every number, `table --config` makes its tables."""
import io
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import jsonschema
import numpy

command = os.environ["ROPEWALK_COMMAND"]
folder = tempfile.TemporaryDirectory()
BLOOM = {"model_type": "bloom", "n_head": 112, "n_layer": 70, "hidden_size": 14336}
# Numbers as each model's own code has them: read from its file, or the default of its class.
MODELS = {
    "bloom": (BLOOM, "ALiBi", {"heads": "112", "form": "bloom"}, ["alibi-slopes", "alibi-bias"]),
    "mpt-7b": ({"model_type": "mpt", "n_heads": 32, "attn_config": {"alibi": True}}, "ALiBi", {"heads": "32", "form": "mpt"},
               ["alibi-slopes", "alibi-bias"]),
    "falcon-rw-1b": ({"model_type": "falcon", "num_attention_heads": 32, "hidden_size": 2048, "alibi": True}, "ALiBi",
                     {"heads": "32", "form": "bloom"}, ["alibi-slopes", "alibi-bias"]),
    "t5-small": ({"model_type": "t5", "d_model": 512, "relative_attention_num_buckets": 32}, "T5's buckets of distances",
                 {"buckets": "32", "max_distance": "128"}, ["t5-buckets"]),
    "wavlm": ({"model_type": "wavlm", "num_buckets": 320, "max_bucket_distance": 800}, "T5's buckets of distances",
              {"buckets": "320", "max_distance": "800"}, ["t5-buckets"]),
    "gpt2": ({"model_type": "gpt2", "n_positions": 1024, "n_embd": 768}, "learned rows",
             {"max_position_embeddings": "1024", "d_model": "768"}, ["learned"]),
    "opt-125m": ({"model_type": "opt", "max_position_embeddings": 2048, "hidden_size": 768, "word_embed_proj_dim": 768},
                 "learned rows", {"max_position_embeddings": "2048", "d_model": "768"}, ["learned"]),
    "roberta": ({"model_type": "roberta", "max_position_embeddings": 514, "hidden_size": 768, "pad_token_id": 1}, "learned rows",
                {"max_position_embeddings": "514", "d_model": "768", "padding_idx": "1"}, ["learned"]),
    "bert": ({"model_type": "bert"}, "learned rows", {"max_position_embeddings": "512", "d_model": "768"}, ["learned"]),
    "whisper": ({"model_type": "whisper", "d_model": 384}, "sinusoidal",
                {"d_model": "384", "shift": "1", "layout": "sin-cos"}, ["sinusoidal"]),
    "m2m": ({"model_type": "m2m_100", "d_model": 1024, "pad_token_id": 1}, "sinusoidal",
            {"d_model": "1024", "padding_idx": "1", "shift": "1", "layout": "sin-cos"}, ["sinusoidal"]),
    "marian": ({"model_type": "marian", "d_model": 512}, "sinusoidal", {"d_model": "512", "shift": "0", "layout": "sin-cos"},
               ["sinusoidal"]),
    "clip": ({"model_type": "clip", "text_config": {"model_type": "clip_text_model", "hidden_size": 512}}, "learned rows",
             {"max_position_embeddings": "77", "d_model": "512"}, ["learned"]),
}


def run(*words, **how):
    return subprocess.run([command, *map(str, words)], capture_output=True, text=True, timeout=60, **how)


def saved(config, name="config.json"):
    path = pathlib.Path(folder.name, name)
    path.write_text(json.dumps(config))
    return path


SCHEMA = json.loads(pathlib.Path(os.environ["ROPEWALK_SOURCE"], "src/report/explained-config.schema.json").read_text(encoding="utf-8"))


class OwnEncoding(unittest.TestCase):
    def test_the_type_says_the_form_of_its_biases(self):
        steps = {"causal": lambda query, key: key - query, "bloom": lambda query, key: key, "mpt": lambda query, key: key - 4}

        def array(*words):
            return numpy.load(io.BytesIO(self.table(*words)))

        for config, form in ((BLOOM, "bloom"), ({"model_type": "mpt", "n_heads": 32}, "mpt"),
                             ({"model_type": "falcon", "num_attention_heads": 32, "alibi": True}, "bloom")):
            made = array("alibi-bias", "--config", saved(config), "--keys", 5)
            query, key = numpy.mgrid[:5, :5]
            slopes = array("alibi-slopes", "--config", saved(config))
            numpy.testing.assert_allclose(made, slopes[:, None, None] * steps[form](query, key), rtol=1e-6)
            other = array("alibi-bias", "--config", saved(config), "--keys", 5, "--form", "causal")
            numpy.testing.assert_allclose(other, slopes[:, None, None] * steps["causal"](query, key), rtol=1e-6)
        told = run("explain", "config", saved({"model_type": "falcon", "alibi": True})).stdout
        self.assertIn("the bias is divided by sqrt(head_dim) together with the scores", told)
        rotates = run("explain", "config", saved({"model_type": "falcon", "hidden_size": 4544, "num_attention_heads": 71})).stdout
        self.assertIn("rotary_dim", rotates)

    def table(self, kind, *words):
        out = pathlib.Path(folder.name, "table.npy")
        done = run("table", kind, *words, "--output", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        return out.read_bytes()

    def refused(self, words, *command_line):
        done = run(*command_line)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn(words, done.stderr)

    def test_every_number_is_said(self):
        for name, (config, encoding, numbers, kinds) in MODELS.items():
            with self.subTest(name):
                done = run("explain", "config", saved(config), "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                told = json.loads(done.stdout)
                self.assertEqual((told["encoding"], told["tables"]), (encoding, kinds))
                found = {one["name"]: one["value"] for one in told["quantities"]}
                found.pop("encoding")
                self.assertEqual(found, numbers)
                self.assertEqual(run("table", "--config", saved(config)).stdout.split(), kinds)

    def test_what_is_written_as_json_keeps_the_schema(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)
        validator = jsonschema.Draft202012Validator(SCHEMA)
        layers = {"model_type": "smollm3", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 4,
                  "no_rope_layers": [1, 0, 1, 0], "max_position_embeddings": 64}
        asked = [(saved(config, f"{name}.json"),) for name, (config, *_) in MODELS.items()]
        asked += [("--model", "gemma-3-4b"), ("--model", "gemma-3-4b", "--layer", "sliding_attention"), (saved(layers, "layers.json"),),
                  ("--model", "qwen2-vl-7b"), ("--model", "phi-3.5-mini", "--seq-len", 5000), ("--base", 10000, "--head-dim", 64)]
        for words in asked:
            with self.subTest(words):
                done = run("explain", "config", *words, "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual([one.message for one in validator.iter_errors(json.loads(done.stdout))], [])
        self.assertTrue(list(validator.iter_errors({**json.loads(done.stdout), "plan": {"layers": [{"layers": "3-"}], "tables": []}})))

    def test_the_text_says_where_each_number_came_from(self):
        done = run("explain", "config", "-", input=json.dumps(BLOOM))
        self.assertRegex(done.stdout, r"(?m)^  encoding  ALiBi  +model_type")
        self.assertRegex(done.stdout, r"(?m)^  heads     112 +n_head$")
        self.assertIn("  tables: alibi-slopes, alibi-bias\n", done.stdout)
        self.assertIn("the default of the type's class", run("explain", "config", saved({"model_type": "bert"})).stdout)

    def test_flags_that_the_code_does_not_read_are_told(self):
        told = run("explain", "config", saved({"model_type": "mpt", "attn_config": {"alibi": False, "rope": True, "alibi_bias_max": 8}})).stdout
        self.assertIn("attn_config.alibi is false", told)
        self.assertIn("attn_config.rope is true", told)
        self.assertNotIn("alibi_bias_max", told)

    def test_learned_rows_take_a_configuration_beside_weights(self):
        from_weights = ("--weights", pathlib.Path(folder.name, "w.npy"))
        numpy.save(from_weights[1], numpy.arange(24, dtype="f4").reshape(6, 4))
        config = saved({"model_type": "gpt2", "n_positions": 6, "n_embd": 4})
        self.assertEqual(self.table("learned", "--config", config, *from_weights), self.table("learned", *from_weights))
        self.refused("(rows of 4); allowed: rows of 8, by n_embd of", "table", "learned", "--config",
                     saved({"model_type": "gpt2", "n_embd": 8}), *from_weights, "--output", pathlib.Path(folder.name, "x.npy"))

    def test_learned_rows_begin_where_the_types_code_begins(self):
        weights = pathlib.Path(folder.name, "rows.npy")
        rows = numpy.arange(24, dtype="f4").reshape(12, 2)
        numpy.save(weights, rows)
        for config in ({"model_type": "opt", "max_position_embeddings": 10, "hidden_size": 2},
                       {"model_type": "roberta", "max_position_embeddings": 12, "hidden_size": 2, "pad_token_id": 1}):
            self.table("learned", "--config", saved(config), "--weights", weights)
            made = numpy.load(pathlib.Path(folder.name, "table.npy"))
            self.assertEqual(made.tolist(), rows[2:].tolist())
        self.table("learned", "--weights", weights, "--first-row", 2)
        self.assertEqual(numpy.load(pathlib.Path(folder.name, "table.npy")).tolist(), rows[2:].tolist())
        numpy.save(weights, rows[:10])
        self.refused("(10 rows); allowed: at least 12 rows", "table", "learned", "--config",
                     saved({"model_type": "opt", "max_position_embeddings": 10, "hidden_size": 2}), "--weights", weights, "--output", "-")
        self.refused("first-row is 10; allowed: a row of the weights, below 10", "table", "learned", "--weights", weights,
                     "--first-row", 10, "--output", "-")

    def test_a_pipe_is_read_once(self):
        for config, words in ((BLOOM, "ALiBi"), ({"model_type": "llama", "head_dim": 64}, "half-split")):
            done = subprocess.run(["bash", "-c", '"$0" explain config <(echo "$1")', command, json.dumps(config)], capture_output=True,
                                  text=True, timeout=60)
            self.assertIn(words, done.stdout, done.stderr)

    def test_tables_need_no_other_option(self):
        opt = {"model_type": "m2m_100", "d_model": 64, "pad_token_id": 1}
        for config, kind, same in ((BLOOM, "alibi-slopes", ("--heads", 112)),
                                   ({"model_type": "umt5"}, "t5-buckets", ("--buckets", 32, "--max-distance", 128)),
                                   ({"model_type": "pix2struct_text_model"}, "t5-buckets",
                                    ("--buckets", 32, "--max-distance", 128, "--causal")),
                                   (opt, "sinusoidal", ("--d-model", 64, "--shift", 1, "--layout", "sin-cos",
                                                        "--padding-idx", 1))):
            with self.subTest(kind):
                few = ("--positions", 16) if kind == "sinusoidal" else ()
                self.assertEqual(self.table(kind, "--config", saved(config), *few), self.table(kind, *same, *few))
        self.assertEqual(self.table("alibi-bias", "--config", saved(BLOOM), "--keys", 4),
                         self.table("alibi-bias", "--heads", 112, "--keys", 4, "--form", "bloom"))

    def test_what_a_configuration_does_not_say_is_refused(self):
        bloom, out = saved(BLOOM, "bloom.json"), ("--output", pathlib.Path(folder.name, "x.npy"))
        self.refused("heads is 8; allowed: 112, by n_head of ", "table", "alibi-slopes", "--config", bloom, "--heads", 8, *out)
        self.refused("alibi-slopes, alibi-bias", "table", "t5-buckets", "--config", bloom, *out)
        self.refused("a type that rotates", "table", "inv-freq", "--config", saved({"model_type": "gpt2"}), *out)
        self.refused("num_attention_heads is 32; allowed: 16, as n_head says", "explain", "config",
                     saved({"model_type": "bloom", "n_head": 16, "num_attention_heads": 32}))
        marian = saved({"model_type": "marian", "d_model": 64, "max_position_embeddings": 12}, "marian.json")
        self.refused("layout is interleaved; allowed: sin-cos, by the type's code", "table", "sinusoidal", "--config", marian, "--layout",
                     "interleaved", *out)
        self.refused("base is 20000", "table", "sinusoidal", "--config", marian, "--base", 20000, *out)
        self.assertEqual(self.table("sinusoidal", "--config", marian),
                         self.table("sinusoidal", "--d-model", 64, "--layout", "sin-cos", "--positions", 12))
        for wrong, words in (({"model_type": "t5", "relative_attention_max_distance": 4}, "max_distance is 4"),
                             ({"model_type": "marian", "d_model": 511}, "d_model is 511"), ({"model_type": "bloom", "n_head": 100000}, "heads is")):
            self.refused(words, "explain", "config", saved(wrong))
        self.refused("n_head", "explain", "config", saved({"model_type": "bloom", "n_head": "many"}))
        self.refused("layer is 3", "explain", "config", bloom, "--layer", 3)
        llama = {"model_type": "llama", "head_dim": 64, "rope_theta": 10000.0, "max_position_embeddings": 64}
        self.refused("this one rotates", "table", "alibi-slopes", "--config", saved(llama), *out)
        self.refused("position_embedding_type is relative_key; allowed: absolute", "explain", "config",
                     saved({"model_type": "bert", "position_embedding_type": "relative_key"}))
        self.refused("2 encodings", "table", "alibi-slopes", "--config", bloom, "--config", bloom, *out)
        self.refused("layer is all; allowed: none for alibi-slopes", "table", "alibi-slopes", "--config", bloom, "--layer", "all", *out)
        self.refused("DeBERTa", "explain", "config", saved({"model_type": "deberta-v2"}))

    def test_a_model_that_rotates_lists_its_kinds(self):
        self.assertIn("inv-freq", run("table", "--model", "llama-3.1-8b").stdout.split())
        self.assertNotIn("axes", run("table", "--model", "llama-3.1-8b").stdout.split())
        self.assertIn("axes", run("table", "--model", "qwen2-vl-7b").stdout.split())


if __name__ == "__main__":
    unittest.main()
