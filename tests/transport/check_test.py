#!/usr/bin/env python3
"""ropewalk.check: a function of a test, judged where it is defined."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

import needs

needs.modules("numpy")
import numpy as np  # noqa: E402

sys.path.insert(0, needs.environment["PYTHONPATH"])
import ropewalk  # noqa: E402
from rotated import rotated  # noqa: E402

OFFER = {"promise": "angle-f64", "pairing": "half-split", "dtypes": ["f32"], "axes": 1}
WHICH = {"model": "llama-3.1-8b", "cases": 20, "seed": 1, "options": ["--allow-cut"]}


class Check(unittest.TestCase):
    def test_a_right_function_holds(self):
        result = ropewalk.check(rotated, **WHICH, **OFFER)
        self.assertTrue(result.holds, result)
        self.assertTrue(result)
        self.assertRegex(repr(result), r"(?m)\A(PASS|FAIL): .*; rotated, llama-3\.1-8b\n\n(?s:.*)^f32    accuracy ")
        self.assertNotIn("RELAY", repr(result))
        self.assertIn(("rotated", "accuracy"), {(one["kernel"], one["law"]) for one in result.verdicts})
        ropewalk.assert_holds(rotated, **WHICH, laws=["norm"], **OFFER)

    def test_two_functions_are_compared_bit_for_bit(self):
        def rotated_otherwise(query, positions, encoding, backward):
            rotated(query, positions, encoding, backward)
            query[..., 7] *= np.float32(1) + np.float32(2) ** -22 * (positions[..., None] > 1000)

        def rotated_again(query, positions, encoding, backward):
            rotated(query, positions, encoding, backward)

        same = ropewalk.check(rotated, same_as=rotated_again, **WHICH, **OFFER)
        self.assertTrue(same.holds, same)
        self.assertIn("every output is compared with that of rotated-again", repr(same))
        parted = ropewalk.check(rotated_otherwise, same_as=rotated, **{**WHICH, "cases": 400}, **OFFER)
        self.assertFalse(parted.holds, parted)
        self.assertNotIn("RELAY", repr(parted))
        self.assertRegex(repr(parted), r"cause: rotated-otherwise: differs from rotated in \d+ of \d+ calls of both, by up to [\d.e+]+ ulp; the position nearest to 0 at which they differ is -?\d+")
        self.assertRegex(repr(parted), r"again:  ropewalk\.check\(rotated_otherwise, .*same_as=rotated, ")
        built_in = ropewalk.check(rotated, same_as="cpu-turns", **WHICH, **OFFER)
        self.assertFalse(built_in.holds, built_in)
        self.assertIn("differs from cpu-turns in", repr(built_in))

    def test_a_function_that_hangs_ends_with_the_process_that_asks_it(self):
        with tempfile.TemporaryDirectory() as folder:
            mark = pathlib.Path(folder, "pid")
            code = ("import os, pathlib, time, ropewalk\n"
                    "def hang(query, positions, encoding):\n"
                    f"    pathlib.Path({str(mark)!r}).write_text(f'{{os.getpid()}}.')\n"
                    "    time.sleep(600)\n"
                    f"ropewalk.check(hang, model='llama-3.1-8b', cases=1, options=['--allow-cut', '--call-limit', '600'], **{OFFER})\n")
            asks = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, **needs.environment},
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            end = time.monotonic() + 60
            while not (mark.exists() and mark.read_text().endswith(".")) and time.monotonic() < end:
                time.sleep(0.05)
            hangs = f"/proc/{mark.read_text()[:-1]}"
            asks.terminate()
            asks.wait()
            while os.path.exists(hangs) and time.monotonic() < end:
                time.sleep(0.05)
            self.assertFalse(os.path.exists(hangs))

    def test_without_a_promise_the_answer_is_what_it_keeps(self):
        how = {"model": "llama-3.1-8b", "seed": 1, "laws": ["accuracy", "identity"], "cases": 80}

        def in_binary32(query, positions, encoding):
            half = encoding.rotary_dim // 2
            angle = positions[..., None, None].astype("f4") * encoding.inv_freq.astype("f4")
            cos, sin, x, y = np.cos(angle), np.sin(angle), query[..., :half].astype("f4"), query[..., half:].astype("f4")
            with np.errstate(all="ignore"):
                return np.concatenate([x * cos - y * sin, x * sin + y * cos], axis=-1).astype(query.dtype)

        result = ropewalk.check(in_binary32, **how)
        self.assertTrue(result.holds, result)
        self.assertEqual(result.keeps, {"f32": "angle-f32", "f16": "angle-f32"}, result)
        answer = (r'in-binary32 promises nothing\. By accuracy, identity alone it keeps angle-f32 in f32, angle-f32 in f16\.\n'
                  r'The next stricter promise is missed in a case that was seen, angle-f64 in f32: accuracy came to [\d.e+]+ times its bound; '
                  r'dtype-table in f16: accuracy came to [\d.e+]+ times its bound\.\n'
                  r'promise="hf" holds\.\n\nPASS: ')
        self.assertRegex(result.text, "^" + answer)
        self.assertEqual({dtype: missed["law"] for dtype, missed in result.misses.items()}, {"f32": "accuracy", "f16": "accuracy"})
        self.assertIn("in-binary32 is judged by hf; f32, f16: judged as good as: angle-f32", result.text)
        few = {**how, "laws": "norm", "cases": 3, "options": ["--allow-cut"]}
        self.assertFalse(ropewalk.check(in_binary32, **{**few, "laws": "accuracy", "cases": 20}, promise="angle-f64"))
        untried = ("in-binary32 promises nothing. Which promise it keeps was not tried: --cases is below 67.\n"
                   'promise="hf" holds.')
        self.assertTrue(ropewalk.check(in_binary32, **few).text.startswith(untried + "\n\nPASS: "))  # the promise above is not taken
        with self.assertRaisesRegex(ValueError, "^promise is missing; " + re.escape(untried)):
            ropewalk.assert_holds(in_binary32, **few)

    def test_a_function_of_other_parameters_is_refused_before_it_is_asked(self):
        def apply_rotary_pos_emb(q, k, cos, sin, unsqueeze_dim=1):
            raise AssertionError("not asked")

        words = r"^function is apply_rotary_pos_emb\(q, k, cos, sin, unsqueeze_dim=1\), whose q is nothing .*hugging_face"
        with self.assertRaisesRegex(ValueError, words):
            ropewalk.check(apply_rotary_pos_emb, **WHICH)

    def test_what_the_program_writes_for_github_names_no_relay(self):
        os.environ["GITHUB_ACTIONS"] = "true"
        try:
            text = ropewalk.check(lambda query: query.copy(), **WHICH, laws=["accuracy"], dtypes=["float32"], promise="hf").text
        finally:
            del os.environ["GITHUB_ACTIONS"]
        self.assertIn("FAIL: ", text)
        self.assertNotIn("RELAY", text)
        self.assertNotIn("::error", text)

    def test_without_a_promise_it_says_how_far_off_it_was_within_the_context(self):
        def whole(query, positions, encoding):
            return rotated(query, positions, encoding, False)

        text = ropewalk.check(whole, model="llama-3.1-8b", laws=["extrapolation"], cases=31, seed=1, dtypes=["f32"],
                              options=["--allow-cut"]).text
        told = re.search(r"(?m)^It was off by up to (\S+) in f32 below 131072, as a part of a pair's length\.$", text)
        self.assertIsNotNone(told, text)
        promise = subprocess.run([ropewalk.program(), "explain", "promise", "angle-f64", "--json"], capture_output=True, text=True)
        allowed = [one["relative"]["f32"] for one in json.loads(promise.stdout)["allows"] if one["position"] == 131072][0]
        self.assertLessEqual(float(told[1]), allowed + 2.0**-24, text)  # the rounding that an underflow may add

    def test_what_a_kernel_declares_outlives_a_check_of_something_else(self):
        function, how = (lambda query, positions, encoding: rotated(query, positions, encoding, False)), {**WHICH, "cases": 3, "laws": ["norm"]}
        ropewalk.kernel(promise="angle-f64", name="declared", dtypes=["f32"])(function)
        self.assertIn("declared claims angle-f64; not tried", ropewalk.check(function, **how).text)
        self.assertIn("declared claims hf; not tried", ropewalk.check(function, **how, name="declared", promise="hf", dtypes=["f16"]).text)
        again = ropewalk.check(function, **how)
        self.assertIn("declared claims angle-f64; not tried", again.text)
        self.assertEqual({one["dtype"] for one in again.verdicts if one["verdict"] == "holds"}, {"f32"}, again)

    def test_a_function_is_asked_what_its_model_has(self):
        result = ropewalk.check(rotated, **WHICH, promise="angle-f64", laws=["accuracy", "layouts", "pass-through"])
        self.assertEqual({(one["law"], one["dtype"]) for one in result.verdicts if one["verdict"] == "holds"},
                         {("accuracy", "f32"), ("accuracy", "f16")}, result)
        for one in ("half-split", "axes to 1", "whole heads alone"):
            self.assertRegex(result.text, f"(?m)^limits of rotated: .*{one}")
        self.assertIn("not served: rotated: pass-through: ", result.text)

    def test_what_an_offer_states_is_asked_instead_of_what_the_model_has(self):
        def whole_or_part(query, positions, encoding, backward):
            rotated(query, positions, encoding, backward)

        result = ropewalk.check(whole_or_part, **WHICH, promise="angle-f64", dtypes=["f64"], partial=True, laws=["accuracy", "pass-through"])
        self.assertEqual({(one["law"], one["dtype"]) for one in result.verdicts if one["verdict"] != "not served"},
                         {("accuracy", "f64"), ("pass-through", "f64")}, result)

    def test_the_call_that_shows_a_case_again_does(self):
        def off_by_one(query, positions, encoding, backward):
            rotated(query, positions + 1, encoding, backward)

        how = {**WHICH, "laws": ["accuracy"], "options": ["--allow-cut", "--diagnosis", "0"]}
        result = ropewalk.check(off_by_one, **how, positions=[0, 131072], promise="angle-f64")
        calls = re.findall(r"(?m)^  again:  (ropewalk\.check\(off_by_one, .*\))$", result.text)
        self.assertTrue(calls, result)
        self.assertNotIn("ROPEWALK_RELAY", result.text)
        again = eval(calls[0])  # as a reader types it where off_by_one is defined
        case = re.compile(r"(?m)^  smallest case found.*$")
        self.assertEqual(case.search(again.text)[0], case.search(result.text)[0])

    def test_a_wrong_one_does_not_and_the_report_says_why(self):
        def off_by_one(query, positions, encoding, backward):
            rotated(query, positions + 1, encoding, backward)

        result = ropewalk.check(off_by_one, **WHICH, **OFFER, laws=["accuracy", "composition"], positions=[0, 131072])
        self.assertFalse(result.holds)
        self.assertIn("cause: off-by-one: every position is taken as the one after it: off by one", result.text)
        with self.assertRaisesRegex(AssertionError, "FAILS off-by-one, llama-3.1-8b, f32, accuracy"):
            ropewalk.assert_holds(off_by_one, **WHICH, laws=["accuracy"], **OFFER)

    def test_one_that_ends_its_process_ends_no_test(self):
        def ends(query):
            os._exit(0)

        result = ropewalk.check(ends, **WHICH, laws=["accuracy"], promise="angle-f32", dtypes=["f32"])
        self.assertFalse(result.holds)
        self.assertIn("ended with exit code 0", result.text)

    def test_one_that_hangs_is_given_up(self):
        def hangs(query):
            time.sleep(1000)

        began = time.monotonic()
        result = ropewalk.check(hangs, **WHICH | {"options": ["--call-limit", "1", "--budget", "5"]}, laws=["accuracy"],
                                dtypes=["f32"])
        self.assertFalse(result.holds)
        self.assertIn("gave no answer in ", result.text)
        self.assertLess(time.monotonic() - began, 200)

    def test_what_the_program_refuses_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "no model named 'nope'"):
            ropewalk.check(rotated, model="nope", **OFFER)
        with self.assertRaisesRegex(ValueError, "promise"):
            ropewalk.check(rotated, **WHICH, promise="beauty")

    def test_the_module_is_the_program(self):
        package = pathlib.Path(ropewalk.__file__).parent.parent
        done = subprocess.run([sys.executable, "-m", "ropewalk", "--version"], capture_output=True, text=True,
                              env=dict(os.environ, PYTHONPATH=str(package)))
        self.assertEqual((done.returncode, done.stdout.split()[0]), (0, "ropewalk"), done.stderr)


if __name__ == "__main__":
    unittest.main()
