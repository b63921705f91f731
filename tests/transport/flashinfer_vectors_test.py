#!/usr/bin/env python3
"""Test vectors for flashinfer-bench: their form, their references, which faults each workload shows, and the judge on their definitions."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import needs

needs.modules("numpy", "torch")
import numpy as np  # noqa: E402
import torch  # noqa: E402

sys.path.insert(0, needs.environment["PYTHONPATH"])
import rope_tasks as tasks  # noqa: E402
import trace_sets  # noqa: E402
from ropewalk import flashinfer_bench  # noqa: E402
from ropewalk._task import read_task  # noqa: E402

in_full = os.environ.get("ROPEWALK_IN_FULL") == "1"
torch.manual_seed(1)
torch.set_num_threads(1)
folder = tempfile.TemporaryDirectory()
ROOT = pathlib.Path(folder.name, "vectors")
TRACE_SET, IN_PLACE = ROOT / "trace-set", ROOT / "in-place"


def written(path):
    return subprocess.run([sys.executable, "-m", "ropewalk.vectors", "flashinfer", path], env=needs.environment, capture_output=True, text=True)


def setUpModule():
    done = written(ROOT)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), done.stderr


def tearDownModule():
    folder.cleanup()


def every():
    """The root, the name and the definition of each."""
    return [(root, name, definition) for root in (TRACE_SET, IN_PLACE) for name, definition in trace_sets.definitions(root).items()]


def definition_of(name):
    return next(definition for _, one, definition in every() if one == name)


# ---- Faults: what is replaced in the text of a reference ----

AT = "positions.long()"
PAIRING = ("if interleave", "if not interleave")
OF_CACHES = {
    "off by one": (AT, "(positions.long() + 1).clamp(max=len(cos_sin_cache) - 1)"),
    "int16": (AT, "positions.to(torch.int16).long()"),
    "binary16": (AT, "positions.half().float().clamp(max=len(cos_sin_cache) - 1).long()"),
    "from 0": (AT, "torch.arange(len(positions))"),
    "the last row for all": (AT, "positions[-1:].expand(len(positions)).long()"),
    "attention factor dropped": ("tuple(turned(x, cos, sin,", "tuple(turned(x, cos / torch.hypot(cos, sin), sin / torch.hypot(cos, sin),"),
    "pairing": PAIRING,
}
ANGLES = "positions.double()"
OF_ANGLES = {
    "off by one": (ANGLES, "(positions + 1).double()"),
    "int16": (ANGLES, "positions.to(torch.int16).double()"),
    "binary16": (ANGLES, "positions.half().double()"),
    "bfloat16": (ANGLES, "positions.bfloat16().double()"),
    "from 0": (ANGLES, "torch.arange(len(positions)).double()"),
    "pairing": PAIRING,
    "rotary_dim ignored": ("rotary_dim or q.shape[-1]", "q.shape[-1]"),
    "frequencies of the whole head": ("-2 * pairs / rotary_dim", "-2 * pairs / 128"),
}
OF_PLAIN = {"base ignored": ("rope_theta, q.device", "10000.0, q.device"), "factor ignored": ("inv_freq / rope_scale", "inv_freq"),
            "factor multiplied": ("inv_freq / rope_scale", "inv_freq * rope_scale")}
SCALED = "scaled_as_llama31(inv_freq, rope_scale, low_freq_factor, high_freq_factor, old_context_len)"
OF_LLAMA31 = {"base ignored": ("rope_theta, q.device", "500000.0, q.device"), "unscaled": (f"inv_freq = {SCALED}", "inv_freq = inv_freq"),
              "factor ignored": (SCALED, SCALED.replace("rope_scale", "8.0")),
              "limits ignored": (SCALED, "scaled_as_llama31(inv_freq, rope_scale, 1.0, 4.0, 8192)")}
OVERWRITES = """

def turned(x, cos, sin, interleave):
    pairs = cos.shape[-1]
    cos, sin = cos[:, None].to(x.dtype), sin[:, None].to(x.dtype)
    first, second = (x[..., :2 * pairs:2], x[..., 1:2 * pairs:2]) if interleave else (x[..., :pairs], x[..., pairs:2 * pairs])
    first.copy_(first * cos - second * sin)
    second.copy_(second * cos + first * sin)
    return x
"""
HONEST_F32 = (".double()", ".float()")  # of what is rotated: angles stay in binary64


def replaced(text, change):
    assert change[0] in text, change
    return text.replace(*change)


def faults_of(definition):
    """Wrong texts by the fault's name."""
    text = definition["reference"]
    of_numbers = OF_LLAMA31 if "low_freq_factor" in definition["inputs"] else OF_PLAIN
    changes = OF_CACHES if "cos_sin_cache" in definition["inputs"] else {**OF_ANGLES, **of_numbers}
    return {**{name: replaced(text, change) for name, change in changes.items()}, "overwritten before it is read": text + OVERWRITES}


def judged(definition, content, *, options=(), **how):
    if "low_freq_factor" in definition["inputs"]:
        how.setdefault("model", "llama-3.1-8b")
    elif "_style_" not in definition["name"]:  # the pairing is an input
        how.setdefault("pairing", "half-split")
    return flashinfer_bench.check(definition, tasks.solution(content, definition), options=["--threads", "1", "--allow-cut", *options],
                                  **{"cases": 6, "seed": 2, "laws": ["accuracy"], **how})


def in_binary32(definition):
    """Where bounds are sharper."""
    return json.loads(json.dumps(definition).replace("bfloat16", "float32").replace("float16", "float32"))


class Vectors(unittest.TestCase):
    def test_two_runs_give_the_same_bytes_and_leave_others_files_alone(self):
        again = pathlib.Path(folder.name, "again")
        self.assertEqual(written(again).returncode, 0)
        files = {path.relative_to(ROOT): path.read_bytes() for path in ROOT.rglob("*") if path.is_file()}
        self.assertEqual(files, {path.relative_to(again): path.read_bytes() for path in again.rglob("*") if path.is_file()})
        self.assertLess(sum(map(len, files.values())), 20e6)
        done = written(again)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(f"folder is '{again}'; allowed: a new or empty one", done.stderr)
        for words in ([], ["nothing", "here"]):
            done = subprocess.run([sys.executable, "-m", "ropewalk.vectors", *words], env=needs.environment, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr[:6]), (2, "usage:"))

    def test_files_are_as_flashinfer_bench_wants_them(self):
        self.assertEqual((len(trace_sets.definitions(TRACE_SET)), len(trace_sets.definitions(IN_PLACE))), (11, 5))
        readme = (ROOT / "README.md").read_text()
        count = sum(len(trace_sets.workloads(root, name)) for root, name, _ in every())
        self.assertIn(f"{len(every())} definitions with {count} workloads", (needs.source / "src/python/README.md").read_text())
        for root, name, definition in every():
            self.assertEqual(trace_sets.refusals(root, name, definition, in_place=root == IN_PLACE), [], name)
            self.assertEqual(set(definition["outputs"]) <= set(definition["inputs"]), root == IN_PLACE, name)
            self.assertIn(name, readme)
            for line in trace_sets.workloads(root, name):
                self.assertIn(f"| {line['workload']['uuid']} |", readme)
        for broken in ({"name": "other"}, {"outputs": definition_of("rope_h32_kv8_d128")["inputs"]}, {"reference": "x = 1"}, {"description": ""},
                       {"constraints": ["nnz == 0"]}, {"axes": {}}):
            given = {**definition_of("rope_h32_kv8_d128"), **broken}
            self.assertNotEqual(trace_sets.refusals(TRACE_SET, "rope_h32_kv8_d128", given, in_place=False), [], broken)

    def test_positions_reach_where_formats_end(self):
        seen = {name: [np.unique(trace_sets.tensors_of(root / one["path"])[one["tensor_key"]]) for line in trace_sets.workloads(root, name)
                       for key, one in line["workload"]["inputs"].items() if key in ("positions", "pos_ids")] for root, name, _ in every()}
        for name, lists in seen.items():
            positions = set(np.concatenate(lists).tolist()) if lists else set()
            if positions:
                self.assertTrue({0, 1, 255, 256, 257, 2047, 2048, 2049} <= positions, name)
            if "pos_ids" in name or "rd16" in name:
                self.assertTrue({32767, 32768, 32769, 65535, 65536, 65537, 131071} <= positions, name)

    def test_caches_hold_exact_values(self):
        """By the program's own laws of tables, and by binary64 here: an entry is nearest, unless a tie is nearer than binary64 tells."""
        path = TRACE_SET / "blob/workloads/rope/caches/base-10000-rotary-dim-16.safetensors"
        done = subprocess.run([needs.command, "verify", "--table", f"{path}#cos_sin_cache", "--as", "cos-sin", "--layout", "vllm", "--base", "10000",
                               "--head-dim", "64", "--rotary-dim", "16", "--quiet"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        cache = trace_sets.tensors_of(path)["cos_sin_cache"]
        angles = np.arange(len(cache))[:, None] * 10000.0 ** (-np.arange(8) / 8)
        exact = np.concatenate((np.cos(angles), np.sin(angles)), axis=1)
        step = angles.max() * 2.0 ** -50  # of the angle: frequency and product, and what cosine and sine add
        self.assertLessEqual(float((np.abs(cache - exact) - np.spacing(np.abs(cache)) / 2).max()), step)

    def test_each_workload_shows_a_fault_and_accepts_honest_binary32(self):
        """By flashinfer-bench's own comparison with the reference."""
        files, shown = {}, {}
        for root, name, definition in every():
            wrong = {fault: trace_sets.function_of(text) for fault, text in faults_of(definition).items()}
            right, honest = (trace_sets.function_of(text) for text in (
                definition["reference"], definition["reference"].replace("2 * pairs].double()", "2 * pairs].float()")))
            unseen = set(wrong)
            for line in trace_sets.workloads(root, name):
                workload = line["workload"]
                given = trace_sets.inputs_of(root, definition, workload, files)

                def call(function):
                    return function(*(one.clone() if torch.is_tensor(one) and one.is_floating_point() else one for one in given))

                expected = call(right)
                self.assertTrue(trace_sets.accepts(call(honest), expected), (name, workload["uuid"]))
                caught = {fault for fault, function in wrong.items() if not trace_sets.accepts(call(function), expected)}
                shown.setdefault(workload["uuid"], set()).update(caught)
                unseen -= caught
                self.assertTrue(caught - {"pairing", "overwritten before it is read"}, (name, workload["uuid"]))
            narrow = {"int16"} if "cos_sin_cache" in definition["inputs"] and "rd16" not in name else set()  # no row is beyond 32767
            of_factor = set() if "d64_rd64" in name else {"attention factor dropped"}
            self.assertEqual(unseen, (narrow | of_factor) & set(wrong), name)
        for workload, fault in (
                ("partial", "rotary_dim ignored"), ("partial-interleaved", "frequencies of the whole head"), ("linear-8", "factor multiplied"),
                ("base-1000000", "base ignored"), ("factor-32", "factor ignored"), ("frequency-factors", "limits ignored"),
                ("below-8192", "bfloat16"), ("below-32768", "binary16"), ("below-131072", "int16"), ("out-of-order", "the last row for all"), ("last-64", "from 0"),
                ("decode-last", "from 0"), ("powers-of-two", "off by one")):
            self.assertIn(fault, shown[workload], workload)


class Judged(unittest.TestCase):
    """By ropewalk.flashinfer_bench: references hold what binary64 allows, faults fail and are named."""

    def test_references_hold(self):
        for _, name, definition in every():
            read_task(definition, pairing=None if "_style_" in name else "half-split")  # none is refused
            if not in_full and name not in ("rope_cos_sin_cache_inplace_d128", "llama31_rope_h32_kv8_d128"):
                continue
            has_cache = "cos_sin_cache" in definition["inputs"]  # whose default promise is that of a table which is rounded once
            options = () if has_cache else ("--promise", "frequency=f64,angle=f64,table=f64,rotation=f64")
            ways = [{}] if "_style_" in name or "llama31" in name or not in_full else [{}, {"pairing": "interleaved"}]
            for way in ways:
                by_hand = () if has_cache or "llama31" in name else ("--base", "10000", "--head-dim", "128")
                result = judged(in_binary32(definition), definition["reference"], options=[*options, *by_hand], cases=67 if in_full else 6, **way)
                self.assertTrue(result.holds, (name, result))

    def test_faults_are_named(self):
        positions = "have in common: positions at least"
        cached = "rope_with_cos_sin_cache_neox_style_d64_rd16"
        for name, fault, words in (
                (cached, "int16", f"{positions} 32768 from 0"), (cached, "binary16", f"{positions} 2049 from 0"),
                (cached, "pairing", "channels are paired as interleaved, where they are half-split"),
                (cached, None, "every position is taken as the one after it: off by one"),
                ("rope_pos_ids_inplace_h32_kv8_d128", "overwritten before it is read",
                 "the first channel of a pair is overwritten before the second is formed"),
                ("llama31_rope_pos_ids_inplace_h32_kv8_d128", "unscaled", "the frequencies are the unscaled ones")):
            if not in_full and fault in ("pairing", "binary16"):
                continue  # flashinfer_bench_test.py has them
            definition = definition_of(name)
            content = replaced(definition["reference"], (AT, "positions.long() + 1")) if fault is None else faults_of(definition)[fault]
            result = judged(definition if fault in ("int16", "binary16") else in_binary32(definition), content, cases=12)
            self.assertFalse(result.holds, result)
            self.assertIn(words, result.text)


if __name__ == "__main__":
    unittest.main()
