#!/usr/bin/env python3
"""Every type of transformers that does not rotate sequences is told as what it is, or refused by its true reason: other_types.txt
has them by what their code does. The 175 that do rotate are in model_types_test.py."""
import json
import os
import pathlib
import subprocess
import unittest

command = os.environ["ROPEWALK_COMMAND"]
lines = pathlib.Path(os.environ["ROPEWALK_SOURCE"], "tests/model/other_types.txt").read_text().splitlines()
TYPES = {name: types.split() for name, _, types in (line.partition(": ") for line in lines if not line.startswith("#"))}

# What is said of a kind: the encoding that the program has a definition for, with a word of its numbers, and the reason of a refusal.
SHIFT = '"shift",\n   "value": "{}"'
TOLD = {
    "ALiBi": ("ALiBi", "heads", None),
    "T5 buckets": ("T5's buckets of distances", "max_distance", "a learned bias of T5's buckets"),
    "learned + T5 buckets": (None, None, "learned rows to the tokens, and a bias of T5's buckets"),
    "learned, row p": ("learned rows", "max_position_embeddings", "adds a learned row for each position"),
    "learned, row p + 2": ("learned rows", "row p + 2", "from row 2 on"),
    "learned, row padding_idx + 1 + p, counted over tokens that are not padding": ("learned rows", "padding_idx + 1", "row padding_idx + 1 on"),
    "learned or sinusoid by a flag": (None, None, "learned rows or sinusoids to the tokens, as a flag says"),
    "sin then cos, 2i/d": ("sinusoidal", SHIFT.format(0), "adds sinusoids to the tokens, sines then cosines"),
    "sin then cos, i/(d/2-1), row p + padding_idx + 1": ("sinusoidal", SHIFT.format(1), "tensor2tensor's exponent, from row padding_idx + 1 on"),
    "same, row p + 2": ("sinusoidal", "row p + 2", None),
    "sin then cos, i/(d/2-1), row p": ("sinusoidal", SHIFT.format(1), "sinusoids to the tokens, with tensor2tensor's exponent"),
    "cos then sin, i/(d/2-1)": ("sinusoidal", '"cos-sin"', None),
    "sin, cos interleaved, other forms": (None, None, "sinusoids of a form of its own"),
    "Transformer-XL": (None, None, "Transformer-XL's sinusoids of distances"),
    "learned, clipped distance": (None, None, "learned rows of clipped distances"),
    "DeBERTa disentangled": (None, None, "DeBERTa's disentangled rows"),
    "convolution": (None, None, "positions from a convolution"),
    "Inkling relative logits": (None, None, "learned logits of distances"),
    "axial or other tables": (None, None, "learned tables of rows and columns, or Fourier features"),
    "window bias tables": (None, None, "a learned bias for each place in a window"),
    "decomposed 2-D bias": (None, None, "a learned bias for rows and for columns"),
    "2-D sines": (None, None, "sinusoids of rows and columns"),
    "random or learned Fourier of points": (None, None, "Fourier features of points"),
    "recurrent or NoPE": (None, None, "takes no positions"),
    "learned patch tables, usually resized": (None, None, "a learned row for each patch"),
    "no position, convolutions or tables of a backbone": (None, None, "no encoding of positions of its own"),
    "turns points by a learned matrix": (None, None, "table mixed"),
    "turns a class token by learned angles": (None, None, "its class token by learned angles"),
    "turns in blocks of a size that comes with the call": (None, None, "whose size comes with each call"),
    "two angles in a pair": (None, None, "puts two angles into one pair"),
}


def explained(config):
    return subprocess.run([command, "explain", "config", "-", "--json"], input=json.dumps(config), capture_output=True, text=True,
                          timeout=60)


class OtherTypes(unittest.TestCase):
    def test_each_is_told_as_what_its_code_does(self):
        found = {"explained": 0, "refused": 0}
        for kind, (encoding, word, reason) in TOLD.items():
            for name in TYPES[kind]:
                with self.subTest(name):
                    done = explained({"model_type": name})
                    if done.returncode == 0:
                        self.assertEqual(json.loads(done.stdout)["encoding"], encoding)
                        self.assertIn(word, done.stdout)
                        found["explained"] += 1
                    else:
                        self.assertEqual(done.returncode, 2, done.stderr)
                        self.assertIn(f"model_type is {name}; allowed: a type that rotates: this one ", done.stderr)
                        self.assertIn(str(reason), done.stderr)
                        found["refused"] += 1
        self.assertEqual(found, {"explained": 81, "refused": 278})

    def test_wrappers_are_read_through(self):
        inner = {"model_type": "llama", "head_dim": 64}
        for name in TYPES["wrapper of a text model"]:
            with self.subTest(name):
                done = explained({"model_type": name, "text_config": inner})
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(json.loads(done.stdout)["model"]["model_type"], "llama")
                self.assertEqual(explained({"model_type": name}).returncode, 2)

    def test_the_list_is_whole(self):
        self.assertEqual(set(TYPES), {*TOLD, "wrapper of a text model"})
        names = [name for types in TYPES.values() for name in types]
        self.assertEqual((len(names), len(set(names))), (461, 461))


if __name__ == "__main__":
    unittest.main()
