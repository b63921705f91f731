#!/usr/bin/env python3
"""`ropewalk verify --same-as`: whether two kernels give the same bits, and where they part."""
import os
import re
import shlex
import subprocess
import unittest

program = os.environ["ROPEWALK_COMMAND"]
FAULTS = "library:" + os.environ.get("ROPEWALK_FAULTS_LIBRARY", "")
WHICH = ("--model", "llama-3.1-8b", "--seed", "1")


def run(*words):
    return subprocess.run([program, *words], capture_output=True, text=True, check=False)


def compared(kernel, other, *words):
    return run("verify", "--kernel", kernel, "--same-as", other, *WHICH, *words)


class SameAs(unittest.TestCase):
    def test_two_canonical_kernels_agree_to_the_bit(self):
        done = compared("cpu-table", "cpu-turns", "--cases", "200")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("every output is compared with that of cpu-turns, which is shown as expected", done.stdout)
        self.assertRegex(done.stdout, r"not served: cpu-table: cpu-turns: f64 \(1 verdict\)")

    def test_the_first_difference_is_shrunk_and_asked_again(self):
        done = compared("recipe-hf-f32", "cpu-turns", "--cases", "200", "--dtype", "f32")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"smallest case found \(\d+ steps from case \d+\): \[1, 1, 1, 128\] f32")
        cause, = re.findall(r"cause: (recipe-hf-f32: .*)", done.stdout)
        self.assertRegex(cause, r"^recipe-hf-f32: differs from cpu-turns in \d+ of \d+ calls of both, "
                                r"by up to [\d.e+]+ ulp; the position nearest to 0 at which they differ is -?\d+")
        again, = re.findall(r"again:  ropewalk (.*)", done.stdout)
        self.assertIn("--same-as cpu-turns", again)
        self.assertNotIn("--law", again)
        repeated = run(*shlex.split(again))
        self.assertEqual(repeated.returncode, 1, repeated.stdout + repeated.stderr)

    def test_the_report_says_where_they_part(self):
        for fault, words in (("fault-backward-is-forward", "backward"), ("fault-batch-row", "several batch rows")):
            done = compared(f"{FAULTS}#{fault}", "cpu-turns", "--cases", "400")
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertRegex(done.stdout, rf"the calls in which they differ have in common: [^\n]*\b{words}\b")

    def test_kernels_that_promise_no_bits_may_agree_with_each_other(self):
        done = compared("recipe-hf-f32", "recipe-hf-f32", "--cases", "100")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_fault_is_the_same_as_itself_alone(self):
        fault = f"{FAULTS}#fault-angle-f32"
        self.assertEqual(compared(fault, fault, "--cases", "100").returncode, 0)
        self.assertEqual(compared("cpu-turns", fault, "--cases", "200").returncode, 1)

    def test_kernels_that_add_are_compared_too(self):
        on_target = re.search(r"cpu-sinusoidal-add-\S+", run("verify", "--list").stdout)[0]
        words = ("verify", "--kernel", "cpu-sinusoidal-add", "--seed", "1", "--cases", "60", "--allow-cut", "--same-as")
        done = run(*words, on_target)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = run(*words, "exact-sinusoidal-add")  # which rounds once, where the canonical sum rounds its entry first
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"differs from exact-sinusoidal-add in \d+ of \d+ calls of both, by up to 1 ulp")

    def test_what_cannot_be_compared_is_refused(self):
        for words, said in (
                (("--kernel", "cpu-table", "--same-as", "nope"), "no kernel named 'nope'"),
                (("--kernel", "cpu-table", "--same-as", "cpu-turns", "--law", "norm"), "law is norm; allowed: none with --same-as"),
                (("--kernel", "recipe-hf-f32", "--same-as", "cpu-turns", "--promise", "hf"),
                 "promise is hf; allowed: none with --same-as"),
                (("--kernel", "cpu-table", "--law", "same-as"), "law is same-as; allowed: only with --same-as"),
                (("--kernel", "cpu-table", "--same-as", "cpu-sinusoidal-add"),
                 "same-as is cpu-sinusoidal-add; allowed: a kernel of the same operation as cpu-table"),
                (("--kernel", "cpu-table", "--same-as", FAULTS), "allowed: " + FAULTS + "#NAME with one of "),
                (("--kernel", "cpu-table", "--same-as", "mine.py::rope"),
                 "same-as is mine.py::rope; allowed: a function beside a function alone"),
                (("--list", "--same-as", "cpu-turns"), "same-as is cpu-turns; allowed: only without --list")):
            done = run("verify", *words)
            self.assertEqual(done.returncode, 2, (words, done.stdout, done.stderr))
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    unittest.main()
