#!/usr/bin/env python3
"""Definitions and solutions of flashinfer-bench: right ones hold, wrong ones do not, and what is unclear is refused."""
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import needs

needs.modules("numpy")
import numpy as np  # noqa: E402

sys.path.insert(0, needs.environment["PYTHONPATH"])
import rope_tasks as tasks  # noqa: E402
from ropewalk import _exact_table, flashinfer_bench  # noqa: E402
from ropewalk._task import BadInput, read_task  # noqa: E402
from ropewalk_kernel import Encoding  # noqa: E402

ONE_THREAD = ["--threads", "1", "--allow-cut"]
INTERLEAVED = tasks.NUMPY.replace("np.split(x, 2, axis=-1)", "x[..., ::2], x[..., 1::2]").replace(
    "np.concatenate((first * cos - second * sin, second * cos + first * sin), axis=-1)",
    "np.stack((first * cos - second * sin, second * cos + first * sin), axis=-1).reshape(x.shape)")
OUT = tasks.NUMPY + """
def value(*given):
    return run_value(*given)
run_value = run
def run(q, k, cos_sin_cache, positions, q_out, k_out):
    q_out[...], k_out[...] = run_value(q, k, cos_sin_cache, positions)
"""
OF_ROWS = """
import numpy as np

def rotate_half(x):
    first, second = np.split(x, 2, axis=-1)
    return np.concatenate((-second, first), axis=-1)

def run(q, k, cos, sin):
    with np.errstate(all="ignore"):
        return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin
"""
RAGGED = """
import numpy as np

def run(q, k, indptr, offsets, rotary_dim, interleave, rope_scale, rope_theta):
    assert q.shape[1:] == (4, 16) and k.shape[1:] == (2, 16) and indptr[-1] == len(q)
    positions = np.concatenate([o + np.arange(b - a) for o, a, b in zip(offsets, indptr, indptr[1:])])
    exponents = np.arange(0, rotary_dim, 2, dtype="f4") / np.float32(rotary_dim)
    freqs = (np.float32(1) / np.float32(rope_theta) ** exponents) / np.float32(rope_scale)
    angles = (positions[:, None].astype("f4") * freqs)[:, None]
    cos, sin = np.cos(angles.astype("f8")).astype("f4"), np.sin(angles.astype("f8")).astype("f4")

    def turned(x):
        y = x.copy()
        at = np.s_[..., 0:rotary_dim:2], np.s_[..., 1:rotary_dim:2]
        if not interleave:
            at = np.s_[..., :rotary_dim // 2], np.s_[..., rotary_dim // 2:rotary_dim]
        with np.errstate(all="ignore"):
            y[at[0]], y[at[1]] = x[at[0]] * cos - x[at[1]] * sin, x[at[1]] * cos + x[at[0]] * sin
        return y

    return turned(q), turned(k)
"""


class Solutions(unittest.TestCase):
    def judged(self, definition, content, **how):
        more = how.pop("solution", {})
        return flashinfer_bench.check(definition, tasks.solution(content, definition, **more),
                                      **{"cases": 12, "seed": 1, "options": ONE_THREAD, **how})

    def holds(self, definition, content, **how):
        result = self.judged(definition, content, **how)
        self.assertTrue(result.holds, result)
        return result

    def fails(self, words, content, definition=None, **how):
        result = self.judged(definition or tasks.definition(), content, laws=how.pop("laws", ["accuracy"]), **how)
        self.assertFalse(result.holds, result)
        self.assertIn(words, result.text)

    def test_right_ones_hold(self):
        result = self.holds(tasks.definition(), tasks.NUMPY, cases=5)
        self.assertRegex(result.text, r"(?m)\APASS: .*; mine-1, by hand\n\n(?s:.*)^f32    accuracy ")
        self.assertIn("mine-1 claims rounded-table", result.text)
        self.assertEqual({one["verdict"] for one in result.verdicts}, {"holds", "not served"})
        self.holds(tasks.definition(tasks.INTERLEAVED), INTERLEAVED, laws=["accuracy"])
        self.holds(tasks.definition(), OUT, solution={"takes_out": True}, laws=["accuracy"])

    def test_wrong_ones_do_not(self):
        turned = "turned(q, cos, sin), turned(k, cos, sin)"
        for words, content in (
                ("channels are paired as interleaved, where they are half-split", INTERLEAVED),
                ("FAILS", tasks.NUMPY.replace(turned, "turned(k, cos, sin), turned(q, cos, sin)")),
                ("cosine and sine are exchanged", tasks.NUMPY.replace(turned, "turned(q, sin, cos), turned(k, sin, cos)")),
                ("have in common: positions at least 2049 from 0",
                 tasks.NUMPY.replace("positions, None]", "positions.astype('f2').astype('i8'), None]"))):
            self.fails(words, content)
        self.fails("SyntaxError", "def run(")
        self.fails("has no attribute 'run'", "x = 1")
        self.fails("the solution returned 1 tensors; due: 2", "def run(*given):\n    return given[:1]")
        self.fails("the function returned float64", "def run(q, k, c, p):\n    return q.astype('f8'), k")

    def test_fixed_head_counts_are_kept_and_every_head_is_looked_at(self):
        fixed = tasks.definition(heads=(4, 2))
        counted = tasks.NUMPY.replace("    with", "    assert q.shape[1:] == (4, 16) and k.shape[1:] == (2, 16)\n    with")
        self.holds(fixed, counted, laws=["accuracy", "prefill-decode"])
        drops = "turned(q, cos, sin), np.concatenate((turned(k[:, :-1], cos, sin), k[:, -1:]), axis=1)"
        self.fails("FAILS", counted.replace("turned(q, cos, sin), turned(k, cos, sin)", drops), fixed)
        self.fails("AssertionError", counted)  # where the definition leaves them open

    def test_tables_of_tokens(self):
        shared, apart = tasks.of_rows(), tasks.of_rows(is_shared=False)
        self.holds(shared, OF_ROWS, pairing="half-split", laws=["accuracy", "prefill-decode"])
        self.holds(apart, OF_ROWS.replace("    with", "    cos, sin = cos[:, None], sin[:, None]\n    with"),
                   pairing="half-split", laws=["accuracy"])
        first_row = OF_ROWS.replace("q * cos", "q[:1] * cos").replace("_half(q)", "_half(q[:1])").replace(
            "sin, k", "sin + 0 * q, k")
        self.fails("FAILS", first_row, shared, pairing="half-split", cases=40)
        self.assertIn("dtype-table", read_task(shared, pairing="half-split").default_promise)

    def test_solutions_that_form_their_angles(self):
        ragged = tasks.of_ragged()
        for pairing in ("half-split", "interleaved"):
            self.holds(ragged, RAGGED, pairing=pairing, laws=["accuracy"])
        self.holds(ragged, RAGGED, options=[*ONE_THREAD, "--base", "500000", "--head-dim", "16", "--rotary-dim", "8",
                                            "--scaling", '{"rope_type": "linear", "factor": 4}'], laws=["accuracy"])
        self.fails("FAILS", RAGGED.replace("offsets, indptr, indptr", "0 * offsets, indptr, indptr"), ragged,
                   pairing="half-split")
        self.fails("frequencies other than", RAGGED, ragged, options=[
            *ONE_THREAD, "--base", "10000", "--head-dim", "16", "--scaling", '{"rope_type": "ntk", "factor": 4}'])

    def test_numbers_of_llama_are_handed_over(self):
        definition = tasks.of_ragged(llama=True)
        ramp = """    kept = freqs * np.float32(rope_scale)
    ramp = (old_context_len * kept / np.float32(2 * np.pi) - low_freq_factor) / (high_freq_factor - low_freq_factor)
    ramp = np.clip(ramp, 0, 1).astype("f4")
    freqs = ramp * kept + (1 - ramp) * freqs
"""
        content = RAGGED.replace("rope_theta):", "rope_theta, low_freq_factor, high_freq_factor, old_context_len):")
        options = [*ONE_THREAD, "--base", "500000", "--head-dim", "16", "--scaling", json.dumps(
            {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4,
             "original_max_position_embeddings": 8192, "max_position_embeddings": 131072})]
        self.holds(definition, content.replace("    angles =", ramp + "    angles ="), options=options, laws=["accuracy"])
        self.fails("FAILS", content, definition, options=options)

    def test_outputs_in_place(self):
        """They stand in the inputs of their names, or are returned."""
        in_place = tasks.in_place()
        written = "q[...], k[...] = turned(q, cos, sin), turned(k, cos, sin)"
        writes = tasks.NUMPY.replace("return turned(q, cos, sin), turned(k, cos, sin)", written)
        for takes_out in (False, True):
            self.holds(in_place, writes, solution={"takes_out": takes_out}, laws=["accuracy"])
        self.holds(in_place, tasks.NUMPY, laws=["accuracy", "prefill-decode"])
        self.fails("the solution returned other numbers than it left in q, which it changed",
                   tasks.NUMPY.replace("return turned(q, cos, sin),", "y = turned(q, cos, sin)\n        q.fill(0)\n        return y,"), in_place)
        self.fails("the solution returned 1 tensors; due: 2", writes + "        return (q,)", in_place)
        self.fails("the solution changed its input cos_sin_cache", writes + "        cos_sin_cache[positions] *= 2", in_place)
        self.fails("FAILS", writes.replace("k[...] =", "_ ="), in_place)
        self.fails("the first channel of a pair is overwritten before the second is formed", writes.replace(written, """for x in (q, k):
            first, second = x[..., :8], x[..., 8:]
            first[...] = first * cos - second * sin
            second[...] = second * cos + first * sin"""), in_place)
        key_alone = tasks.having(tasks.without(in_place, "outputs", "q"), in_place["inputs"]["q"], "outputs", "q_out")
        apart = writes.replace("q[...],", "out[...],").replace("positions):", "positions, out):")
        self.holds(key_alone, apart, solution={"takes_out": True}, laws=["accuracy"])

    def test_a_row_off_by_one_is_named(self):
        self.fails("every position is taken as the one after it: off by one", tasks.NUMPY.replace("positions, None]", "positions + 1, None]"))

    def test_a_pairing_that_is_an_input_is_judged_as_asked(self):
        either = {**tasks.definition("rope_d16_rd16"), "inputs": {**tasks.definition()["inputs"],
                                                                  "is_neox": {"shape": None, "dtype": "bool"}}}
        ignored = tasks.NUMPY.replace("positions):", "positions, is_neox):\n    assert is_neox in (True, False)")
        self.holds(either, ignored, pairing="half-split", laws=["accuracy"])
        self.fails("channels are paired as half-split", ignored, either, pairing="interleaved")

    def test_tables_are_the_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            at = np.array([0, 1, 2, 100, 4097, 131071, 2**31 - 1], np.int64)
            np.save(f"{folder}/at.npy", at)

            def table(kind, dtype):
                subprocess.run([needs.command, "table", kind, "--model", "llama-3.1-8b", "--positions", f"{folder}/at.npy",
                                *(["--dtype", dtype] if dtype else []), "--output", f"{folder}/t.npy", "--quiet"],
                               check=True)
                return np.load(f"{folder}/t.npy")

            subprocess.run([needs.command, "table", "turns", "--model", "llama-3.1-8b", "--output", f"{folder}/w.npy",
                            "--quiet"], check=True)
            turns = np.load(f"{folder}/w.npy")
            encoding = Encoding(128, 128, "half-split", "half-split", 1, 1.0, 0, {}, np.empty(0), turns, None, None, None, {})
            for kind, ours in zip(("cos", "sin"), _exact_table.cos_sin(encoding, at)):
                for dtype in ("f32", "f16", "bf16"):
                    np.testing.assert_array_equal(_exact_table.rounded(ours, dtype.upper()), table(kind, dtype))
            below, above = (_exact_table.cos_sin(encoding, sign * at)[1] for sign in (-1, 1))
            np.testing.assert_array_equal(below, -above)


class Commands(unittest.TestCase):
    def run_with(self, definition, solution, *options):
        with tempfile.TemporaryDirectory() as folder:
            for name, given in (("definition", definition), ("solution", solution)):
                text = given if isinstance(given, str) else json.dumps(given)
                pathlib.Path(folder, f"{name}.json").write_text(text, encoding="utf-8")
            return subprocess.run([sys.executable, "-m", "ropewalk.flashinfer_bench", "definition.json", "solution.json",
                                   *options], cwd=folder, env=needs.environment, capture_output=True, text=True)

    def test_exit_codes_and_report_are_the_programs(self):
        right, wrong = tasks.solution(tasks.NUMPY), tasks.solution("def run(q, k, *_):\n    return q, k")
        for content, code in ((right, 0), (wrong, 1)):
            done = self.run_with(tasks.definition(), content, "--law", "accuracy", "--cases", "6", "--report", "json=-",
                                 *ONE_THREAD)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual(json.loads(done.stdout)["verdicts"][0]["law"], "accuracy")
        done = self.run_with(tasks.definition(), right, "--law", "nope")
        self.assertEqual((done.returncode, done.stdout), (2, ""))

    def test_refusals_have_one_line(self):
        right = tasks.solution(tasks.NUMPY)
        for definition, solution, words in (
                ("{", right, "file is 'definition.json'; allowed: JSON"), ("[" * 100000, right, "not nested so deep"),
                (tasks.definition(), {**right, "definition": "other"}, "definition is 'other'"),
                (tasks.of_ragged(), tasks.solution(RAGGED, tasks.of_ragged()), "judge both")):
            done = self.run_with(definition, solution)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertRegex(done.stderr, r"\Aropewalk: .*\n\Z")
            self.assertIn(words, done.stderr)
            self.assertLessEqual(len(done.stderr), 200)

    def test_solutions_that_are_malformed_are_refused(self):
        right = tasks.solution(tasks.NUMPY)
        for given, words in (
                ([], "solution is"), ({}, "spec is 'missing'"), (tasks.without(right, "name"), "name is 'missing'"),
                (tasks.without(right, "sources"), "sources is 'missing'"),
                (tasks.having(right, {}, "sources", 0), "sources.0..path is 'missing'"),
                (tasks.having(right, "../main.py", "sources", 0, "path"), "a relative path without .."),
                (tasks.having(right, "/main.py", "sources", 0, "path"), "a relative path without .."),
                (tasks.having(right, 2 * right["sources"], "sources"), "each path once"),
                (tasks.having(right, "main.py", "spec", "entry_point"), "FILE::FUNCTION"),
                (tasks.having(right, "other.py::run", "spec", "entry_point"), "FILE::FUNCTION"),
                (tasks.having(right, 1, "spec", "destination_passing_style"), "true or false"),
                (tasks.having(right, "cobol", "spec", "language"), "python, triton, cpp")):
            with self.assertRaisesRegex(BadInput, words):
                flashinfer_bench.read_solution(given)

    def test_what_cannot_run_here_is_missing(self):
        for language in ["cuda", "cpp", *(["triton"] if importlib.util.find_spec("triton") is None else [])]:
            done = self.run_with(tasks.definition(), tasks.solution(tasks.NUMPY, language=language))
            self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
            self.assertRegex(done.stderr, r"\Aropewalk: .*\n\Z")
        done = subprocess.run([sys.executable, "-m", "ropewalk.flashinfer_bench"], env=needs.environment,
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr[:6]), (2, "usage:"))


class Definitions(unittest.TestCase):
    def test_roles_and_limits_are_read(self):
        task = read_task(tasks.definition(heads=(32, 8), head_dim=128, rotary_dim=64, dtype="bfloat16"))
        self.assertEqual((task.dtype, task.head_dim, task.rotary_dim, task.pairing), ("BF16", 128, 64, "half-split"))
        self.assertEqual((task.query.order, task.query.heads, task.key.heads), ("thd", 32, 8))
        rows = read_task(tasks.of_rows(is_shared=False), pairing="half-split")
        self.assertEqual((rows.query.order, rows.inputs[2].is_shared), ("bhtd", False))
        flat = tasks.definition(tasks.HALF.replace("rd16", "flat"))
        flat["axes"]["wide"] = {"type": "const", "value": 64}
        for tensor in (flat["inputs"]["q"], flat["inputs"]["k"], flat["outputs"]["q_out"], flat["outputs"]["k_out"]):
            tensor["shape"] = ["num_tokens", "wide"]
        self.assertEqual((read_task(flat).query.is_flat, read_task(flat).query.heads), (True, 4))

    def test_what_is_unclear_is_refused(self):
        good, rows = tasks.definition(), tasks.of_rows()
        q = good["inputs"]["q"]
        for field, given in (
                ("op_type is 'gemm'", {**good, "op_type": "gemm"}), ("name is 'missing'", tasks.without(good, "name")),
                ("axes is 'missing'", tasks.without(good, "axes")), ("outputs is 'missing'", tasks.without(good, "outputs")),
                ("pairing is 'not stated'", {**good, "name": "rope_d16_rd16"}),
                ("inputs is 'mask'", tasks.having(good, q, "inputs", "mask")),
                ("inputs is 'query'", tasks.having(good, q, "inputs", "query")),
                ("inputs is 'k cos_sin_cache positions'", tasks.without(good, "inputs", "q")),
                ("inputs is 'q k cos_sin_cache'", tasks.without(good, "inputs", "positions")),
                ("axes.head_size is 'var'", tasks.having(good, {"type": "var"}, "axes", "head_size")),
                ("axes.rotary_dim is 'var'", tasks.having(good, {"type": "var"}, "axes", "rotary_dim")),
                ("axes.rotary_dim.value is '0'", tasks.having(good, {"type": "const", "value": 0}, "axes", "rotary_dim")),
                ("axes.rotary_dim.value is 'True'",
                 tasks.having(good, {"type": "const", "value": True}, "axes", "rotary_dim")),
                ("rotary_dim is '18'", tasks.having(good, {"type": "const", "value": 18}, "axes", "rotary_dim")),
                ("inputs.q.dtype is 'float8_e4m3fn'", tasks.having(good, "float8_e4m3fn", "inputs", "q", "dtype")),
                ("inputs.k.dtype is 'float16'", tasks.having(good, "float16", "inputs", "k", "dtype")),
                ("inputs.positions.dtype is 'float32'", tasks.having(good, "float32", "inputs", "positions", "dtype")),
                ("inputs.q.shape is 'nowhere'", tasks.having(good, ["nowhere"], "inputs", "q", "shape")),
                ("inputs.q.shape is '5'", tasks.having(good, 5, "inputs", "q", "shape")),
                ("outputs.q_out.dtype is 'float16'", tasks.having(good, {**q, "dtype": "float16"}, "outputs", "q_out")),
                ("inputs.q is '5'", tasks.having(good, 5, "inputs", "q")),
                ("outputs.q_out is '\\[\\]'", tasks.having(good, [], "outputs", "q_out")),
                ("axes.head_size.type is 'missing'", tasks.having(good, 128, "axes", "head_size")),
                ("outputs is 'v_out'", tasks.having(good, q, "outputs", "v_out")),
                ("outputs is 'q_out'", tasks.without(good, "outputs", "k_out")),
                ("outputs is 'positions'; allowed: q, where an output has an input's name",
                 {**tasks.without(good, "inputs", "k"), "outputs": {"positions": q}}),
                ("inputs is", tasks.without(rows, "inputs", "sin")),
                ("axes.rotary_dim is 'missing'", tasks.without(tasks.of_rows(width=8), "axes", "rotary_dim"))):
            pairing = None if "pairing" in field or "_style_" in given.get("name", "") else "half-split"
            with self.assertRaisesRegex(BadInput, f"^{field}", msg=field):
                read_task(given, pairing=pairing)
        for pairing, words in (("interleaved", "half of rotary_dim"), (None, "not stated")):
            with self.assertRaisesRegex(BadInput, words):
                read_task(rows, pairing=pairing)
        with self.assertRaisesRegex(BadInput, "as the definition's name says"):
            read_task(good, pairing="interleaved")


if __name__ == "__main__":
    unittest.main()
