#!/usr/bin/env python3
"""Arrays of files checked against the laws of their kind: right ones of every kind, one fault per law, honest engines by promise."""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

import table_cases

command = os.environ["ROPEWALK_COMMAND"]
folder = tempfile.TemporaryDirectory()
head_dim, pairs, rows = 32, 16, 600
by_hand = ["--base", "10000", "--head-dim", str(head_dim)]
yarn = [*by_hand, "--scaling", '{"type": "yarn", "factor": 4, "original_max_position_embeddings": 2048, "truncate": false}']
dead = [*by_hand, "--scaling", '{"rope_type": "proportional", "partial_rotary_factor": 0.5, "factor": 2}']


def path(name):
    return os.path.join(folder.name, name)


def verify(*arguments):
    return subprocess.run([command, "verify", *arguments, "--quiet"], capture_output=True, text=True, timeout=120)


def laws(*arguments):
    """The verdict of each law, and the exit code."""
    run = verify(*arguments, "--diagnosis", "0", "--json")
    if run.returncode > 1:
        raise AssertionError(run.stderr)
    return {one["law"]: one["verdict"] for one in json.loads(run.stdout)["verdicts"]}, run.returncode


def reference(kind, *options, dtype="f64"):
    name = path("reference.npy")
    given = [] if dtype is None else ["--dtype", dtype]
    subprocess.run([command, "table", kind, *options, *given, "--quiet", "--output", name], check=True)
    return np.load(name)


def saved(array, name="array.npy"):
    np.save(path(name), array)
    return path(name)


def write_safetensors(name, **tensors):
    header, data = {}, b""
    for key, array in tensors.items():
        header[key] = {"dtype": {"float32": "F32", "float64": "F64"}[str(array.dtype)], "shape": list(array.shape),
                       "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    text = json.dumps(header).encode()
    pathlib.Path(path(name)).write_bytes(struct.pack("<Q", len(text)) + text + data)
    return path(name)


class RightArrays(unittest.TestCase):
    def test_every_kind_layout_and_dtype_holds(self):
        for case in table_cases.cases():
            with self.subTest(case.name):
                array = case.write(path("right.npy"))
                found, code = laws("--table", str(array), "--as", case.kind, *case.options)
                self.assertEqual(set(found.values()), {"holds"})
                self.assertIn("rounded-once", found)
                self.assertEqual(code, 0)

    def test_rotary_arrays_are_held_to_laws_beside_their_errors(self):
        frequencies, _ = laws("--table", saved(reference("inv-freq", *yarn)), "--as", "inv-freq", *yarn)
        self.assertEqual(list(frequencies), ["kept", "divided", "between", "monotone", "continuity", "rounded-once"])
        entries = saved(reference("cos-sin", *yarn, "--layout", "hf", "--positions", "300"))
        found, _ = laws("--table", entries, "--as", "cos-sin", "--layout", "hf", *yarn)
        self.assertEqual(list(found), ["origin", "norm", "distance-only", "rounded-once"])

    def test_cosines_of_hugging_face_stand_at_both_channels(self):
        for pairing, copied in [("half-split", lambda c: np.tile(c, 2)), ("interleaved", lambda c: np.repeat(c, 2, axis=1))]:
            given = ["--as", "cos", "--layout", "hf", *yarn, "--pairing", pairing]
            right = copied(reference("cos", *yarn, "--positions", "50", dtype="f32"))
            for array in (right, right[None], right[None, None]):  # a batch of one
                found, code = laws("--table", saved(array), *given)
                self.assertEqual((found, code), ({"origin": "holds", "rounded-once": "holds"}, 0))
            right[41, -1] = np.nextafter(right[41, -1], np.float32(2))  # of the second copy
            self.assertIn("first at position 41, pair 15", verify("--table", saved(right), *given).stdout)
        run = verify("--table", saved(right), "--as", "cos", "--layout", "vllm", *yarn)
        self.assertEqual((run.returncode, run.stderr), (2, "ropewalk: layout is vllm; allowed: hf for cos\n"))

    def test_zeros_of_either_sign_are_zero(self):
        bias = -np.multiply.outer(2.0 ** -np.arange(1, 9), np.abs(np.subtract.outer(np.arange(6), np.arange(6)))).astype("f4")
        self.assertTrue(np.signbit(bias[0, 0, 0]))
        self.assertEqual(laws("--table", saved(bias), "--as", "alibi-bias", "--form", "symmetric")[1], 0)

    def test_a_law_that_says_nothing_of_an_array_is_not_judged(self):
        lone = np.full((8, 1, 1), 3, "f4")  # one query, one key: no two biases to compare
        found, code = laws("--table", saved(lone), "--as", "alibi-bias")
        self.assertEqual((found, code), ({"diagonal": "FAILS", "rounded-once": "FAILS"}, 1))

    def test_all_arrays_of_an_archive_without_its_record(self):
        name = path("all.npz")
        subprocess.run([command, "table", "cos,sin", *yarn, "--positions", "9", "--quiet", "--output", name], check=True)
        self.assertEqual(verify("--table", name + "#c*", "--as", "cos", *yarn).returncode, 0)
        self.assertIn("NAME of cos, sin\n", verify("--table", name, "--as", "cos", *yarn).stderr)

    def test_a_list_of_positions_is_that_of_the_rows(self):
        positions = saved(np.array([7, -3, 0, 2**31 - 1, 12]), "positions.npy")
        array = saved(reference("cos-sin", *by_hand, "--layout", "vllm", "--positions", positions))
        found, code = laws("--table", array, "--as", "cos-sin", "--layout", "vllm", *by_hand, "--positions", positions)
        self.assertEqual((found["distance-only"], found["origin"], code), ("holds", "holds", 0))
        self.assertEqual(verify("--table", array, "--as", "cos-sin", "--layout", "vllm", *by_hand).returncode, 1)


class Faults(unittest.TestCase):
    def assert_breaks(self, law, array, kind, *options):
        found, code = laws("--table", saved(array), "--as", kind, *options)
        self.assertEqual(found.get(law), "FAILS", found)
        self.assertEqual(code, 1)

    def test_frequencies(self):
        right = reference("inv-freq", *yarn)
        for law, change in [("kept", lambda f: f.__setitem__(0, 1 + 2**-40)), ("between", lambda f: f.__setitem__(5, 2 * f[5])),
                            ("monotone", lambda f: f.__setitem__(3, f[2] * 1.5)), ("continuity", lambda f: f.__setitem__(8, f[8] / 3))]:
            wrong = right.copy()
            change(wrong)
            self.assert_breaks(law, wrong, "inv-freq", *yarn)
        linear = [*by_hand, "--scaling", '{"type": "linear", "factor": 8}']
        self.assert_breaks("divided", reference("inv-freq", *by_hand), "inv-freq", *linear)
        moving = reference("inv-freq", *dead)
        moving[-1] = 1e-4
        self.assert_breaks("still", moving, "inv-freq", *dead)
        for hostile in (np.nan, np.inf, -1.0):
            wrong = right.copy()
            wrong[4] = hostile
            self.assert_breaks("between", wrong, "inv-freq", *yarn)

    def test_narrow_formats_are_judged_in_their_own(self):
        for dtype, change in [("f32", 2.0**-22), ("f16", 2.0**-9)]:
            wrong = reference("inv-freq", *yarn, dtype=dtype)
            wrong[0] += change
            self.assert_breaks("kept", wrong, "inv-freq", *yarn)

    def test_cosines_and_sines(self):
        options = ["--layout", "vllm", *yarn]
        right = reference("cos-sin", *options, "--positions", str(rows), dtype="f32")
        without_factor = right / np.hypot(right[0, 0], right[0, pairs])
        self.assert_breaks("origin", without_factor.astype("f4"), "cos-sin", *options)
        self.assert_breaks("norm", without_factor.astype("f4"), "cos-sin", *options)
        turned = right.copy()
        turned[:, pairs:] *= -1
        self.assert_breaks("distance-only", turned, "cos-sin", *options)
        last = right.copy()
        last[-1, 3] = np.nextafter(last[-1, 3], np.float32(2))
        self.assert_breaks("rounded-once", last, "cos-sin", *options)
        self.assertIn("position 599, pair 3, cos", verify("--table", saved(last), "--as", "cos-sin", *options).stdout)
        not_a_number = right.copy()
        not_a_number[17, 2] = np.nan
        self.assert_breaks("norm", not_a_number, "cos-sin", *options)
        not_a_number = right.copy()
        not_a_number[-1, 2] = np.nan
        self.assert_breaks("distance-only", not_a_number, "cos-sin", *options)

    def test_a_position_left_out_breaks_distances_where_it_is_left_out(self):
        options = ["--layout", "vllm", *by_hand]
        right = reference("cos-sin", *options, "--positions", "100:1700", dtype="f32")
        for row in (1, 1023, 1024, 1598):  # rows are judged in runs of 1024
            with self.subTest(row=row):
                array = saved(np.delete(right, row, 0))
                run = verify("--table", array, "--as", "cos-sin", *options, "--positions", "100:1699", "--law", "distance-only", "--json")
                self.assertEqual(run.returncode, 1)
                self.assertIn(f"position {99 + row} and the next, pair 0", run.stdout)

    def test_sinusoids(self):
        right = reference("sinusoidal", "--d-model", "16", "--positions", "128", dtype="f32")
        self.assert_breaks("range", 2 * right, "sinusoidal")
        self.assert_breaks("origin", right[1:], "sinusoidal")
        self.assert_breaks("frequencies", right.reshape(-1, 8, 2)[:, ::-1].reshape(-1, 16), "sinusoidal")
        self.assert_breaks("distinct", np.tile(right[:64], (2, 1)), "sinusoidal")
        self.assert_breaks("shift", np.roll(right, 1, axis=1), "sinusoidal")
        odd = reference("sinusoidal", "--d-model", "15", "--odd", "zero", "--positions", "64", dtype="f32")
        odd[9, -1] = 1
        self.assert_breaks("zeros", odd, "sinusoidal", "--odd", "zero")

    def test_slopes_in_every_format(self):
        for dtype in ("f64", "f32", "f16"):
            right = reference("alibi-slopes", "--heads", "12", dtype=dtype)
            for law, wrong in [("whole", 2 * right), ("falling", right[::-1].copy()), ("interlaced", np.roll(right, 1)),
                               ("geometric", right * np.where(np.arange(12) == 4, 1.01, 1).astype(right.dtype))]:
                self.assert_breaks(law, wrong, "alibi-slopes")

    def test_buckets_and_codes(self):
        right = reference("t5-buckets", dtype=None)
        for law, change in [("within-table", lambda b: b + 1), ("own-bucket", lambda b: b[::-1].copy()), ("directions", lambda b: b % 16),
                            ("never-decreasing", lambda b: np.where(np.arange(257) == 40, 9, b)), ("saturating", lambda b: np.where(b == 15, 14, b)),
                            ("edges", lambda b: np.where(np.arange(257) == 128 - 20, b - 1, b))]:
            self.assert_breaks(law, change(right).astype("i4"), "t5-buckets")
        binary = reference("binary", "--width", "6", "--positions", "64", dtype="f32")
        self.assert_breaks("code-range", 2 * binary, "binary")
        self.assert_breaks("code-unique", np.zeros_like(binary), "binary")
        self.assert_breaks("bit-period", binary[:, ::-1].copy(), "binary")

    def test_another_shape_fails_alone(self):
        found, code = laws("--table", saved(np.ones(8, "f4")), "--as", "inv-freq", *by_hand)
        self.assertEqual((found, code), ({"shape": "FAILS"}, 1))
        self.assertIn("shape (8), where the table has (16)", verify("--table", path("array.npy"), "--as", "inv-freq", *by_hand).stdout)
        twice = saved(np.tile(reference("cos", *by_hand, "--positions", "8"), 2))
        self.assertIn("--layout hf", verify("--table", twice, "--as", "cos", *by_hand).stdout)
        across = saved(reference("cos", *by_hand, "--positions", "8").T.copy())
        self.assertIn("opposite order", verify("--table", across, "--as", "cos", *by_hand, "--positions", "8").stdout)


class Promises(unittest.TestCase):
    frequencies = 10000.0 ** (-np.arange(0, head_dim, 2) / head_dim)

    def entries(self, angle, dtype):
        return np.concatenate([np.cos(angle.astype("f8")), np.sin(angle.astype("f8"))], 1).astype(dtype)

    def test_honest_engines_keep_their_promise_and_no_stricter_one(self):
        single = self.frequencies.astype("f4")
        position = np.arange(4000)
        engines = {"angle-f64": self.entries(np.outer(position, reference("inv-freq", *by_hand)), "f4"),
                   "angle-f32": self.entries(np.outer(position.astype("f4"), reference("inv-freq", *by_hand, dtype="f32")), "f4"),
                   "hf": self.entries(np.outer(position.astype("f4"), single), "f2")}
        for promise, array in engines.items():
            with self.subTest(promise):
                given = ["--table", saved(array), "--as", "cos-sin", "--layout", "vllm", *by_hand]
                found, code = laws(*given, "--promise", promise)
                self.assertEqual((set(found.values()), code), ({"holds"}, 0))
                self.assertEqual(list(found), ["origin", "norm", "distance-only", "accuracy"])
                self.assertEqual(laws(*given)[1], 0 if promise == "angle-f64" else 1)  # so few rows are all right
        found, _ = laws("--table", saved(engines["angle-f32"]), "--as", "cos-sin", "--layout", "vllm", *by_hand, "--promise", "angle-f64")
        self.assertEqual(found["accuracy"], "FAILS")

    def test_one_entry_beyond_the_bound_is_named(self):
        array = self.entries(np.outer(np.arange(4000.0), reference("inv-freq", *by_hand)), "f4")
        for row, channel in [(3210, 5), (3210, 9), (3500, 2)]:
            array[row, channel] += np.float32(2.0**-20)
        run = verify("--table", saved(array), "--as", "cos-sin", "--layout", "vllm", *by_hand, "--promise", "angle-f64",
                     "--verbose")
        self.assertEqual(run.returncode, 1)
        self.assertIn("first at position 3210, pair 5, cos", run.stdout)
        self.assertIn("beyond rounded-table, dtype-table, angle-f64 from position 3210, pair 5, cos on", run.stdout)

    def test_the_first_position_is_named_whichever_plane_it_is_in(self):
        array = reference("cos-sin", *by_hand, "--layout", "hf", "--positions", "100", dtype="f32")
        array[0, 80, 3], array[1, 40, 3] = 2, 2
        run = verify("--table", saved(array), "--as", "cos-sin", "--layout", "hf", *by_hand, "--promise", "hf", "--law", "accuracy")
        self.assertIn("first at position 40, pair 3, sin", run.stdout)

    def test_no_number_in_one_of_two_copies_is_seen(self):
        angle = np.outer(np.arange(3000, dtype="f4"), self.frequencies.astype("f4"))
        half = np.stack([np.cos(angle), np.sin(angle)])
        given = ["--as", "cos-sin", "--layout", "hf", *by_hand, "--promise", "hf", "--law", "accuracy"]
        for plane, row, channel in [(0, 2999, 0), (0, 1500, 19), (1, 0, 15), (1, 2999, 31)]:
            array = np.concatenate([half, half], 2)
            array[plane, row, channel] = np.nan
            with self.subTest(plane=plane, row=row, channel=channel):
                run = verify("--table", saved(array), *given)
                self.assertIn(f"first at position {row}, pair {channel % pairs}, {['cos', 'sin'][plane]}", run.stdout)
                self.assertRegex(run.stdout, r"accuracy +6000 +6000 +inf ")
                self.assertEqual(run.returncode, 1)

    def test_a_bound_that_zeros_keep_decides_nothing(self):
        for sign in (1, -1):
            with self.subTest(sign=sign):
                self.assert_zeros_decide_nothing(saved(sign * (2**31 - 1 - np.arange(8)), "far.npy"))

    def assert_zeros_decide_nothing(self, positions):
        zeros = saved(np.zeros((8, head_dim), "f4"))
        given = ["--table", zeros, "--as", "cos-sin", "--layout", "vllm", *by_hand, "--positions", positions]
        fast = verify(*given, "--promise", "hf", "--law", "accuracy")
        self.assertIn("FAILS", fast.stdout)  # slow pairs have a bound that decides
        report = json.loads(verify(*given, "--promise", "hf", "--json").stdout)
        by_law = {one["law"]: one for one in report["verdicts"]}
        self.assertGreater(by_law["accuracy"]["vacuous"], 0)
        self.assertGreater(by_law["norm"]["vacuous"], 0)

    def test_a_stricter_promise_than_the_array_keeps_is_no_mistake(self):
        array = self.entries(np.outer(np.arange(4000.0), self.frequencies.astype("f4")), "f4")
        run = verify("--table", saved(array), "--as", "cos-sin", "--layout", "vllm", *by_hand, "--promise", "angle-f64")
        self.assertEqual((run.returncode, "cause:" in run.stdout), (1, False), run.stdout)
        self.assertIn("judges by it", run.stdout)

    def test_a_row_that_the_next_contradicts_is_shown(self):
        array = reference("cos-sin", "--layout", "vllm", *by_hand, "--positions", "20", dtype="f32")
        array[8, 3] += np.float32(2.0**-12)
        run = verify("--table", saved(array), "--as", "cos-sin", "--layout", "vllm", *by_hand, "--law", "distance-only")
        self.assertIn("first at position 7 and the next, pair 3", run.stdout)
        lines = run.stdout.splitlines()
        expected = [one for one in lines if one.startswith("    expected")][0].split()[1:]
        got = [one for one in lines if one.startswith("    got")][0].split()[1:]
        self.assertNotEqual(expected, got)

    def test_a_promise_needs_a_kind_with_bounds(self):
        run = verify("--table", saved(reference("alibi-slopes", "--heads", "8")), "--as", "alibi-slopes", "--promise", "hf")
        self.assertEqual((run.returncode, run.stderr),
                         (2, "ropewalk: promise is hf; allowed: none for alibi-slopes: correct rounding alone\n"))


class Layers(unittest.TestCase):
    """Gemma 3: every sixth layer has another base."""

    @staticmethod
    def frequencies(layer):
        base = np.float64(1e6 if layer % 6 == 5 else 1e4)
        return (1 / base ** (np.arange(0, 256, 2) / 256)).astype("f4")

    def tables(self):
        return {f"layers.{layer}.inv_freq": self.frequencies(layer) for layer in range(26)}

    given = ["--as", "inv-freq", "--model", "gemma-3-1b", "--promise", "frequency=f32"]

    def test_each_layer_is_held_to_the_table_of_its_kind(self):
        right = write_safetensors("right.safetensors", **self.tables())
        pattern = right + "#layers.{layer}.inv_freq"
        run = verify("--table", pattern, *self.given)
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertIn("layers.0.inv_freq and 21 more, sliding_attention", run.stdout)
        self.assertIn("layers.5.inv_freq and 3 more, full_attention", run.stdout)

    def test_a_layer_with_another_kinds_table_fails(self):
        tables = self.tables()
        tables["layers.7.inv_freq"] = self.frequencies(5)
        wrong = write_safetensors("wrong.safetensors", **tables)
        report = json.loads(verify("--table", wrong + "#layers.{layer}.inv_freq", *self.given, "--json").stdout)
        failing = {one["kernel"] for one in report["verdicts"] if one["verdict"] == "FAILS"}
        self.assertEqual({name.split("#")[1] for name in failing}, {"layers.7.inv_freq"})

    def test_a_folder_with_a_file_a_layer(self):
        where = pathlib.Path(path("layers"))
        where.mkdir()
        for layer in range(26):
            np.save(where / f"layer_{layer}.npy", self.frequencies(layer))
        self.assertEqual(verify("--table", str(where / "layer_{layer}.npy"), *self.given).returncode, 0)
        (where / "layer_9.npy").unlink()
        run = verify("--table", str(where / "layer_{layer}.npy"), *self.given)
        self.assertEqual(run.returncode, 1)
        self.assertIn("layer 9 of gemma-3-1b: no array", run.stdout)

    def test_refusals(self):
        right = write_safetensors("right.safetensors", **self.tables())
        twice = write_safetensors("twice.safetensors", **{"layers.1.f": self.frequencies(0), "layers.01.f": self.frequencies(0)})
        beyond = write_safetensors("beyond.safetensors", **{"layers.26.f": self.frequencies(0)})
        for arguments, message in [
            ([f"{right}#layers.{{layer}}.{{layer}}", *self.given], "one {layer} in a path or a name"),
            ([f"{right}#layers.{{layer}}.cos", *self.given], "with a NAME of layers.0.inv_freq"),
            ([path("none/{layer}.npy"), *self.given], "existing arrays with a number for {layer}"),
            ([path("{layer}/f.npy"), *self.given], "{layer} in the name of a file, or of an array"),
            ([f"{twice}#layers.{{layer}}.f", *self.given], "are of the same"),
            ([f"{beyond}#layers.{{layer}}.f", *self.given], "layers 0 to 25: gemma-3-1b has 26"),
            ([f"{right}#layers.{{layer}}.inv_freq", *self.given, "--layer", "full_attention"], "none with {layer}"),
            ([f"{right}#layers.{{layer}}.inv_freq", "--as", "alibi-slopes"], "{layer} with kinds of a model's rotary numbers"),
            ([f"{right}#layers.{{layer}}.inv_freq", "--as", "inv-freq", "--model", "gemma-4"], "the kind of each layer"),
        ]:
            run = verify("--table", *arguments)
            self.assertEqual(run.returncode, 2, arguments)
            self.assertIn(message, run.stderr)


class Causes(unittest.TestCase):
    """A folder with one table per layer, each with a mistake of public trackers: layer and cause are named."""

    def config(self, **keys):
        name = path(f"config_{len(os.listdir(folder.name))}.json")
        pathlib.Path(name).write_text(json.dumps(
            {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "head_dim": 128, "num_hidden_layers": 8,
             "max_position_embeddings": 131072, "rope_theta": 500000.0, **keys}))
        return name

    def causes(self, config, tables, kind="inv-freq", *options):
        """For each layer the names of the mistakes that explain it."""
        where = pathlib.Path(path(f"tables_{len(os.listdir(folder.name))}"))
        where.mkdir()
        for layer, table in enumerate(tables):
            np.save(where / f"{layer}.npy", table)
        run = verify("--table", str(where / "{layer}.npy"), "--as", kind, "--config", config, *options, "--json")
        report = json.loads(run.stdout)
        failing = {pathlib.Path(one["kernel"]).stem for one in report["verdicts"] if one["verdict"] == "FAILS"}
        self.assertEqual(failing, {pathlib.Path(one["kernel"]).stem for one in report["diagnoses"]}, report["diagnoses"])
        return {int(pathlib.Path(one["kernel"]).stem): one["causes"] for one in report["diagnoses"]}

    @staticmethod
    def powers(base=5e5, dim=128, over=None):
        return float(base) ** (-np.arange(0, dim, 2) / (over or dim))

    def test_llama3(self):
        original, factor, low, high = 8192, 8.0, 1.0, 4.0
        config = self.config(rope_scaling={"rope_type": "llama3", "factor": factor, "low_freq_factor": low, "high_freq_factor": high,
                                           "original_max_position_embeddings": original})

        def scaled(f, factor=factor, low=low, high=high, length=original):
            share = np.clip((length * f / (2 * np.pi) - low) / (high - low), 0, 1)
            return (1 - share) * f / factor + share * f

        right = scaled(self.powers())
        tables = [right, self.powers(), scaled(self.powers(1e4)), right / factor * 0, right, right, self.powers() / factor, right]
        found = self.causes(config, [one.astype("f4") for one in tables], "inv-freq", "--promise", "hf")
        self.assertEqual(set(found), {1, 2, 3, 6})
        self.assertTrue({"unscaled", "unscaled-without-factor"} & set(found[1]), found[1])
        self.assertIn("base-10000", found[2])
        self.assertIn("frequencies-zero", found[3])
        self.assertIn("all-divided", found[6])

    def test_yarn(self):
        length, factor = 4096, 8.0
        scaling = {"rope_type": "yarn", "factor": factor, "original_max_position_embeddings": length, "truncate": False}
        config = self.config(rope_theta=150000.0, rope_scaling=scaling)
        f = self.powers(150000.0)

        def place(rotations):
            return 128 * np.log(length / (2 * np.pi * rotations)) / (2 * np.log(150000.0))

        def blended(low, high):
            ramp = np.clip((np.arange(64) - low) / (high - low), 0, 1)
            return f / factor * ramp + f * (1 - ramp), f * ramp + f / factor * (1 - ramp)

        right, reversed_ramp = blended(place(32), place(1))
        truncated, _ = blended(np.floor(place(32)), np.ceil(place(1)))
        found = self.causes(config, [right, truncated, reversed_ramp, f, right, right, right, right], "inv-freq", "--promise", "hf")
        self.assertEqual(set(found), {1, 2, 3})
        self.assertIn("yarn-truncated", found[1])
        self.assertIn("yarn-ramp-reversed", found[2])
        self.assertIn("unscaled", str(found[3]))
        # The attention factor, which only cosines and sines have.
        angle = np.outer(np.arange(64), right)
        plain = np.concatenate([np.cos(angle), np.sin(angle)], 1)
        scale = 0.1 * np.log(factor) + 1
        found = self.causes(config, [(plain * by).astype("f4") for by in (scale, 1, scale ** 2, scale, scale, scale, scale, scale)],
                            "cos-sin", "--layout", "vllm", "--promise", "angle-f64")
        self.assertEqual(set(found), {1, 2})
        self.assertIn("attention-dropped", found[1])
        self.assertIn("attention-twice", found[2])

    def test_parts_of_a_head(self):
        config = self.config(model_type="nemotron", partial_rotary_factor=0.5)
        right = self.powers(dim=64)
        found = self.causes(config, [right, self.powers(dim=64, over=128), self.powers(dim=32), self.powers(dim=128), right, right, right, right],
                            "inv-freq", "--promise", "hf")
        self.assertEqual(set(found), {1, 2, 3})
        self.assertIn("exponent-over-head-dim", found[1])
        self.assertIn("partial-factor-twice", found[2])
        self.assertIn("rotary-dim-dropped", found[3])

    def test_kinds_of_layers(self):
        config = self.config(model_type="gemma3_text", rope_theta=1e6, rope_local_base_freq=1e4, sliding_window_pattern=4,
                             rope_scaling={"rope_type": "linear", "factor": 8.0})
        sliding, full = self.powers(1e4), self.powers(1e6) / 8
        tables = [sliding, sliding, sliding, full, sliding, full, sliding / 8, full]
        self.assertEqual(self.causes(config, tables, "inv-freq", "--promise", "hf").keys(), {5, 6})
        tables[7] = self.powers(1e6)
        found = self.causes(config, tables, "inv-freq", "--promise", "hf")
        self.assertIn("other-layer-type", found[5])
        self.assertIn("other-layer-rule", found[6])
        self.assertIn("unscaled-without-factor", found[7])

    def test_one_number_off_by_an_ulp_is_of_no_other_base_or_factor(self):
        for model, dtype in [("llama-3.1-8b", "f16"), ("qwen3-0.6b", "f16")]:
            right = reference("inv-freq", "--model", model, dtype=dtype)
            for pair in (10, 32, 63):
                wrong = right.copy()
                wrong.view("u2")[pair] -= 1
                report = json.loads(verify("--table", saved(wrong), "--as", "inv-freq", "--model", model, "--promise", "hf", "--json").stdout)
                self.assertEqual([one["causes"] for one in report["diagnoses"]], [[]], report["diagnoses"])

    def test_other_encodings(self):
        for kind, wrong, name, options in [
            ("sinusoidal", reference("sinusoidal", "--d-model", "16", "--layout", "cos-sin", dtype="f32"), "layout-cos-sin", ["--layout", "sin-cos"]),
            ("alibi-slopes", 2.0 ** -np.arange(0, 8), "exponent-from-zero", []),
            ("t5-buckets", reference("t5-buckets", "--causal", dtype=None), "direction-flag", []),
        ]:
            report = json.loads(verify("--table", saved(wrong), "--as", kind, *options, "--json").stdout)
            self.assertTrue(any(name in one for one in report["diagnoses"][0]["causes"]), report["diagnoses"])


class Refusals(unittest.TestCase):
    def test_bad_options(self):
        array = saved(reference("inv-freq", *by_hand, dtype="f32"))
        for arguments, message in [
            (["--as", "inv-freq"], "as is inv-freq; allowed: only with --table FILE"),
            (["--table", array, *by_hand], "as is missing; allowed: inv-freq, turns"),
            (["--table", array, "--as", "inv-frq", *by_hand], "no kind named 'inv-frq'"),
            (["--table", array, "--as", "inv-freq"], "which encoding is missing"),
            (["--table", array, "--as", "inv-freq", "--as", "cos", *by_hand, "--table", array, "--table", array], "as is given 2 times"),
            (["--table", array, "--as", "inv-freq", *by_hand, "--dtype", "f16"], "dtype is f16; allowed: f32, as "),
            (["--table", array, "--as", "inv-freq", *by_hand, "--law", "norm"], "law is norm; allowed: one of kept"),
            (["--table", "-", "--as", "inv-freq", *by_hand], "standard input and pipes once"),
            (["--table", array, "--as", "inv-freq", *by_hand, "--heads", "8"], "heads is 8; allowed: none for inv-freq"),
            (["--table", path("missing.npy"), "--as", "inv-freq", *by_hand], "missing.npy (No such file or directory)"),
            (["--d-model", "8"], "d-model is 8; allowed: only with --table FILE"),
        ]:
            run = verify(*arguments)
            self.assertEqual((run.returncode, message in run.stderr), (2, True), (arguments, run.stderr))

    def test_a_pipe_is_refused_and_not_waited_for(self):
        there, here = os.pipe()
        with open(saved(reference("inv-freq", *by_hand)), "rb") as array:
            os.write(here, array.read())
        os.close(here)
        run = subprocess.run([command, "verify", "--table", f"/dev/fd/{there}", "--as", "inv-freq", *by_hand], capture_output=True,
                             text=True, pass_fds=[there], timeout=60)
        os.close(there)
        self.assertEqual(run.returncode, 2)
        self.assertIn("standard input and pipes once", run.stderr)

    def test_a_named_law_that_judges_nothing_is_no_pass(self):
        array = saved(reference("cos-sin", "--layout", "vllm", *by_hand, "--positions", "1:2"))
        run = verify("--table", array, "--as", "cos-sin", "--layout", "vllm", *by_hand, "--positions", "1:2", "--law", "origin")
        self.assertEqual((run.returncode, "origin judged nothing" in run.stdout), (1, True), run.stdout)

    def test_several_arrays_of_several_files(self):
        cosines = saved(reference("cos", *by_hand, "--positions", "40", dtype="f16"), "cos.npy")
        frequencies = saved(reference("inv-freq", *by_hand), "f.npy")
        run = verify("--table", cosines, "--table", frequencies, "--as", "cos", "--as", "inv-freq", *by_hand, "--verbose")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("cos.npy, cos of by hand: 640 entries, each correctly rounded", run.stdout)


unittest.main()
