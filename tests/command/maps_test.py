#!/usr/bin/env python3
"""Tables of maps that are no rotations, against their formula in binary64, written as the models' code writes it: ErnieImage and V-JEPA 2
put two angles into one pair, Helios and FramePack average the tables of their history. They agree to 1e-11; near mistakes do not. The
kinds refuse what they cannot do, and every other command refuses the models and names the kind."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: python3-numpy is not installed")
    sys.exit(77)

command = os.environ["ROPEWALK_COMMAND"]
TOLERATED = 1e-11  # the error of a binary64 angle of a few hundred turns, far below that of a wrong formula
ERNIE = {"_class_name": "ErnieImageTransformer2DModel", "rope_theta": 500, "rope_axes_dim": [8, 12, 12]}
V_JEPA = {"model_type": "vjepa2", "crop_size": 64, "patch_size": 16, "hidden_size": 128, "num_attention_heads": 4}
HELIOS = {"_class_name": "HeliosTransformer3DModel", "rope_dim": [8, 6, 6]}
FRAMEPACK = {"_class_name": "HunyuanVideoFramepackTransformer3DModel", "rope_axes_dim": [4, 8, 8]}
WAN = {"_class_name": "WanTransformer3DModel", "attention_head_dim": 64}


def run(*words, config=None):
    return subprocess.run([command, *words], input=None if config is None else json.dumps(config), capture_output=True, text=True,
                          timeout=300)


def frequencies(base, width):
    return float(base) ** (-np.arange(0, width, 2) / width)


def grid(frames, height, width):
    return np.meshgrid(np.array(frames, float), np.arange(height, dtype=float), np.arange(width, dtype=float), indexing="ij")


# ErnieImage: the ids of the picture, then those of the text; each angle stands at channels 2k and 2k + 1.


def ernie_angles(config, height, width, text):
    frame, row, column = (one.ravel() for one in grid([text], height, width))
    ids = np.stack([frame, row, column])
    ids = np.concatenate([ids, np.stack([np.arange(text), np.zeros(text), np.zeros(text)])], axis=1)
    each = [np.outer(one, frequencies(config["rope_theta"], width)) for one, width in zip(ids, config["rope_axes_dim"])]
    return np.repeat(np.concatenate(each, axis=1), 2, axis=1)


# V-JEPA 2: a token's number gives frame, row and column by the crop's sides; the angles of an axis stand twice, one after another.


def v_jepa_angles(config, tokens):
    side, head_dim = config["crop_size"] // config["patch_size"], config["hidden_size"] // config["num_attention_heads"]
    number, axis = np.arange(tokens), 2 * (head_dim // 3 // 2)
    frame = number // side**2
    row = (number - side**2 * frame) // side
    column = number - side**2 * frame - side * row
    omega = 1 / 10000 ** (np.arange(axis // 2) / (axis / 2))
    return np.concatenate([np.tile(np.outer(one, omega), (1, 2)) for one in (frame, row, column)], axis=1)


def planes(angles):
    return np.stack([np.cos(angles), np.sin(angles)])


# Helios and FramePack: a table of the full grid, padded at its end, and averaged.


def full_table(widths, base, frames, height, width):
    axes = grid(frames, height, width)
    each = [np.repeat(one[..., None] * frequencies(base, channels), 2, axis=-1) for one, channels in zip(axes, widths)]
    return planes(np.concatenate(each, axis=-1))  # [2, frames, height, width, channels]


def pooled(table, side, padding="edge"):
    rest = [(0, 0)] + [(0, -size % side) for size in table.shape[1:4]] + [(0, 0)]
    padded = np.pad(table, rest, mode=padding)
    t, h, w = (size // side for size in padded.shape[1:4])
    cells = padded.reshape(2, t, side, h, side, w, side, -1)
    return cells.mean(axis=(2, 4, 6)).reshape(2, t * h * w, -1)


def history(widths, base, runs, height, width, padding="edge"):
    """Each run is (side, frames); their tokens come one run after another."""
    return np.concatenate([pooled(full_table(widths, base, frames, height, width), side, padding) for side, frames in runs], axis=1)


def helios_runs(frames):
    return [(4, range(1, 17)), (2, range(17, 19)), (1, [0, 19]), (1, range(20, 20 + frames))]


def framepack_runs(window):
    indices = list(range(1 + window + 1 + 2 + 16))
    clean, middle, far = [0] + indices[1 + window:2 + window], indices[2 + window:4 + window], indices[4 + window:]
    return [(4, far), (2, middle), (1, clean), (1, indices[1:1 + window])]


class Maps(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.output = pathlib.Path(self.folder.name, "table.npy")

    def table(self, kind, config, *words, layout=("--layout", "hf")):
        dtype = () if "--dtype" in words else ("--dtype", "f64")
        done = run("table", kind, "--config", "-", *words, *dtype, *(layout if kind == "pooled-cos-sin" else ()), "--output", str(self.output),
                   config=config)
        self.assertEqual(done.returncode, 0, done.stderr)
        return np.load(self.output)

    def agrees(self, made, wanted):
        self.assertEqual(made.shape, wanted.shape)
        self.assertLess(np.abs(made - wanted).max(), TOLERATED)

    def differs(self, made, mutant):
        self.assertEqual(made.shape, mutant.shape)
        self.assertGreater(np.abs(made - mutant).max(), 1000 * TOLERATED)

    def refused(self, said, *words, config=None):
        with self.subTest(said):
            done = run(*words, config=config)
            self.assertEqual((done.returncode, self.output.exists()), (2, False), done.stdout + done.stderr)
            self.assertTrue(done.stderr.startswith("ropewalk: " + said), done.stderr)
            self.assertIn("; allowed: ", done.stderr)

    def test_ernie_image_has_its_angles_interleaved(self):
        for height, width, text in (3, 5, 7), (4, 4, 0), (1, 1, 70):
            made = self.table("skewed-cos-sin", ERNIE, "--grid", f"{height}x{width}", *(("--text", str(text)) if text else ()))
            angles = ernie_angles(ERNIE, height, width, text)
            self.agrees(made, planes(angles))
            half_split = np.concatenate([angles[:, ::2], angles[:, ::2]], axis=1)
            self.differs(made, planes(half_split) if height > 1 else made + 1)

    def test_v_jepa_2_has_its_angles_in_halves_of_each_axis(self):
        for sizes, tokens in (("3x4x4", 48), ("4x4", 16), ("2x3x5", 30)):  # the last: numbered by the crop's sides all the same
            made = self.table("skewed-cos-sin", V_JEPA, "--grid", sizes)
            angles = v_jepa_angles(V_JEPA, tokens)
            self.agrees(made, planes(angles))
            each = angles[:, [0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 20, 21, 22, 23, 24]]
            self.differs(made, planes(np.concatenate([each, each], axis=1)))  # half-split over the whole head
            self.differs(made, planes(np.repeat(each, 2, axis=1)))

    def test_helios_averages_its_history(self):
        for frames, height, width in (9, 6, 5), (1, 3, 4), (2, 1, 1):
            made = self.table("pooled-cos-sin", HELIOS, "--grid", f"{frames}x{height}x{width}")
            self.agrees(made, history(HELIOS["rope_dim"], 10000, helios_runs(frames), height, width))
            self.differs(made, history(HELIOS["rope_dim"], 10000, helios_runs(frames), height, width, padding="constant"))
        interleaved = made[:, :, ::2]
        vllm = self.table("pooled-cos-sin", HELIOS, "--grid", "2x1x1", layout=("--layout", "vllm"))
        self.assertTrue(np.array_equal(vllm, np.concatenate([interleaved[0], interleaved[1]], axis=1)))

    def test_framepack_averages_its_history(self):
        for window, height, width in (9, 5, 6), (3, 4, 8):
            made = self.table("pooled-cos-sin", FRAMEPACK, "--grid", f"{window}x{height}x{width}")
            self.agrees(made, history(FRAMEPACK["rope_axes_dim"], 256, framepack_runs(window), height, width))

    def test_frames_can_be_named(self):
        vanilla = [(4, range(1, 17)), (2, range(17, 19)), (1, [0]), (1, [19]), (1, range(20, 29))]
        made = self.table("pooled-cos-sin", FRAMEPACK, "--grid", "5x6", "--frames", "4:1-16,2:17-18,1:0,1:19,1:20-28")
        self.agrees(made, history(FRAMEPACK["rope_axes_dim"], 256, vanilla, 5, 6))
        padded = self.table("pooled-cos-sin", HELIOS, "--grid", "5x6", "--frames", "4:3-8,8:0-9,2:7")
        self.agrees(padded, history(HELIOS["rope_dim"], 10000, [(4, range(3, 9)), (8, range(10)), (2, [7])], 5, 6))

    def test_near_mistakes_are_seen(self):
        """One axis of 4 cells: a token at s j, at its middle without the radius, and the radius without the middle."""
        widths, frames = HELIOS["rope_dim"], range(16)
        made = self.table("pooled-cos-sin", HELIOS, "--grid", "4x4", "--frames", "4:0-15")
        channels = slice(0, widths[0])
        f = np.repeat(frequencies(10000, widths[0]), 2)
        first = 4 * np.arange(4)[:, None] * f
        middle = first + 1.5 * f
        radius = np.sin(2 * f) / (4 * np.sin(f / 2))
        self.agrees(made[:, :, channels], radius * planes(middle))
        for mutant in planes(first), planes(middle), radius * planes(first):
            self.differs(made[:, :, channels], mutant)
        self.agrees(made, history(widths, 10000, [(4, frames)], 4, 4))

    def test_every_format_and_digits_have_the_same_numbers(self):
        for kind, config, words in ("skewed-cos-sin", ERNIE, ("--grid", "2x3", "--text", "5")), \
                ("pooled-cos-sin", HELIOS, ("--grid", "3x2", "--frames", "2:1-3,1:5")):
            exact = self.table(kind, config, *words)
            for dtype, half_ulp in ("f32", 2.0**-25), ("f16", 2.0**-12):
                rounded = self.table(kind, config, *words, "--dtype", dtype).astype(float)
                self.assertLessEqual(np.abs(rounded - exact).max(), half_ulp)
            layout = ("--layout", "hf") if kind == "pooled-cos-sin" else ()
            done = run("table", kind, "--config", "-", *words, *layout, "--digits", "40", "--format", "json", "--output", "-", "--quiet",
                       config=config)
            self.assertEqual(done.returncode, 0, done.stderr)
            made = json.loads(done.stdout)
            numbers = np.array([[float(text) for text in row[made["array"]]] for row in made["rows"]]).reshape(exact.shape)
            self.assertTrue(np.array_equal(numbers, exact))

    def test_tables_of_an_engine_are_judged(self):
        skewed, means = ("--config", "-", "--grid", "3x3"), ("--config", "-", "--grid", "2x3x3")
        for kind, config, words, layout in ("skewed-cos-sin", ERNIE, skewed, ()), ("pooled-cos-sin", HELIOS, means, ("--layout", "hf")):
            exact = self.table(kind, config, *words[2:])
            for right in True, False:
                np.save(self.output, exact if right else np.nextafter(exact, 2))
                done = run("verify", "--table", str(self.output), "--as", kind, *layout, *words, config=config)
                self.assertEqual(done.returncode, 0 if right else 1, done.stdout + done.stderr)

    def test_mistakes_of_an_engine_are_named(self):
        cell = ("--config", "-", "--grid", "5x6", "--frames", "4:0-14,1:15")
        widths, runs = HELIOS["rope_dim"], [(4, range(15)), (1, [15])]
        of_frames = [np.repeat(4.0 * np.arange(4), 2 * 2), np.tile(np.repeat(4.0 * np.arange(2), 2), 4), np.tile(4.0 * np.arange(2), 8)]
        of_frames = [np.concatenate([many, ones.ravel()]) for many, ones in zip(of_frames, np.meshgrid([15], range(5), range(6), indexing="ij"))]
        steps = np.array([4] * 16 + [1] * 30)

        def at(shift):
            angles = [np.repeat((one + shift)[:, None] * frequencies(10000, channels), 2, axis=-1) for one, channels in zip(of_frames, widths)]
            return planes(np.concatenate(angles, axis=-1))

        right = history(widths, 10000, runs, 5, 6)
        means = ("pooled-cos-sin", HELIOS, cell, ("--layout", "hf"))
        ernie = ("skewed-cos-sin", ERNIE, ("--config", "-", "--grid", "3x4", "--text", "5"), ())
        plain = self.table("skewed-cos-sin", ERNIE, *ernie[2][2:])
        halves = np.concatenate([plain[..., ::2], plain[..., ::2]], axis=-1)
        for (kind, config, words, layout), array, said in (
                (means, at(0), "nothing is averaged"),
                (means, at((steps - 1) / 2), "turned by the angle of its middle"),
                (means, right / np.tile(np.hypot(*right), (2, 1, 1)), "the means are scaled to the norm 1"),
                (means, history(widths, 10000, runs, 5, 6, padding="constant"), "cells beyond the grid count as zeros"),
                (means, right * steps[None, :, None] ** 3, "not divided by their number"),
                (means, np.nextafter(right, 2), "rounding alone"),
                (ernie, halves, "the two copies of an entry stand as in the pairing half-split"),
                (ernie, plain[:, ::-1], "the tokens come in the opposite order")):
            np.save(self.output, np.ascontiguousarray(array, dtype=np.float64))
            done = run("verify", "--table", str(self.output), "--as", kind, *layout, *words, config=config)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertIn(said, done.stdout)

    def test_other_commands_refuse_these_models_and_name_the_kind(self):
        for config, key, kind in (ERNIE, "_class_name", "skewed-cos-sin"), (V_JEPA, "model_type", "skewed-cos-sin"), \
                (HELIOS, "_class_name", "pooled-cos-sin"), (FRAMEPACK, "_class_name", "pooled-cos-sin"):
            for words in ("table", "cos-sin", "--layout", "hf", "--output", str(self.output)), ("verify", "--kernel", "cpu-turns"), \
                    ("sweep", "--dtype", "f32", "--output", self.folder.name), ("explain", "config", "-"):
                which = () if words[0] == "explain" else ("--config", "-", *(("--grid", "4x4") if words[0] != "sweep" else ()))
                done = run(*words, *which, config=config)
                self.assertEqual((done.returncode, self.output.exists()), (2, False), (words, done.stdout + done.stderr))
                self.assertIn(f"{key} is {config[key]}; allowed: a ", done.stderr)
                self.assertIn(f"`ropewalk table {kind}` makes its table", done.stderr)

    def test_what_a_kind_cannot_do_is_refused(self):
        out = ("--output", str(self.output))
        skewed, means = ("table", "skewed-cos-sin", "--config", "-", *out), ("table", "pooled-cos-sin", "--config", "-", "--layout", "hf", *out)
        self.refused("which encoding is - (it rotates); allowed: a model of skewed-cos-sin, such as ernie-image, v-jepa-2; this one has "
                     "cos-sin", *skewed, "--grid", "4x4", config=WAN)
        self.refused("which encoding is - (it averages", *skewed, "--grid", "4x4", config=HELIOS)
        self.refused("which encoding is llama-2-7b (it rotates)", "table", "pooled-cos-sin", "--model", "llama-2-7b", "--layout", "hf", *out)
        self.refused("grid is missing", *skewed, config=ERNIE)
        self.refused("grid is missing", *means, config=HELIOS)
        self.refused("grid is 2x4x4; allowed: HEIGHTxWIDTH with --frames", *means, "--grid", "2x4x4", "--frames", "1:0", config=HELIOS)
        self.refused("text is 3; allowed: none for this model", *means, "--grid", "4x4", "--text", "3", config=HELIOS)
        self.refused("layout is hf; allowed: none for skewed-cos-sin", *skewed, "--layout", "hf", "--grid", "4x4", config=ERNIE)
        self.refused("frames is 1:0; allowed: none for skewed-cos-sin", *skewed, "--grid", "4x4", "--frames", "1:0", config=ERNIE)
        self.refused("pairing is half-split; allowed: none for skewed-cos-sin", *skewed, "--grid", "4x4", "--pairing", "half-split",
                     config=ERNIE)
        for frames in "3:0", "4", "4:", "4:5-3", "4:1-", "16:0", "0:0", "4:-1", "4:0-65537", "4:0,", ",4:0", "a:0", "1-2:3":
            self.refused(f"frames is {frames}; allowed: SIDE:FIRST-LAST", *means, "--grid", "4x4", f"--frames={frames}", config=HELIOS)
        self.refused("grid is", *means, "--grid", "65536x65536", "--frames", "1:0", config=HELIOS)
        self.refused("rope_axes_dim is", *skewed, "--grid", "4x4", config=ERNIE | {"rope_axes_dim": [8, 12, 11]})
        self.refused("axes is 2", *skewed, "--grid", "4x4", config=ERNIE | {"rope_axes_dim": [8, 12]})
        self.refused("patch_size is 65", *skewed, "--grid", "4x4", config=V_JEPA | {"patch_size": 65})
        self.refused("head_dim is 4", *skewed, "--grid", "4x4", config=V_JEPA | {"hidden_size": 16})

    def test_the_catalogue_has_them(self):
        models = [one for one in json.loads(run("models", "--json").stdout) if "map" in one]
        self.assertEqual({one["name"]: one["map"] for one in models}, {"ernie-image": "skewed", "v-jepa-2": "skewed", "helios": "pooled",
                                                                       "hunyuan-video-framepack": "pooled"})
        pairings = {one["name"]: (one["angles"], one["pairing"]) for one in models if "angles" in one}
        self.assertEqual(pairings, {"ernie-image": ("interleaved", "half-split"), "v-jepa-2": ("half-split-by-axis", "interleaved")})
        for one in models:
            self.assertTrue(one["source"])
            kind = ("skewed-cos-sin",) if one["map"] == "skewed" else ("pooled-cos-sin", "--layout", "hf")
            done = run("table", *kind, "--model", one["name"], "--grid", "4x4", "--output", str(self.output))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(np.load(self.output).shape[2], one["rotary_dim"])


if __name__ == "__main__":
    unittest.main()
