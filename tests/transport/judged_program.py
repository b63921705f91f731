"""Judges a program of another language: it holds, and with the argument "wrong" it does not."""
import subprocess
import sys
import unittest

import needs
from needs import command


def judge(program, *options):
    if "--seed" not in options:  # the same cases each time
        options = ("--seed", "1", *options)
    return subprocess.run([command, "verify", "--kernel", f"program:{program}", "--cases", "20", "--allow-cut", "--quiet", *options],
                          capture_output=True, text=True, timeout=300)


class JudgedProgram(unittest.TestCase):
    """`program` is a command, `which` the models that it serves, `fault` how its wrong form is explained."""

    program = ""
    which = ()
    fault = ""
    fault_on = ()

    def test_it_keeps_its_promise(self):
        for which in self.which:  # by the law of sizes, which takes most of the time, on the first model
            done = judge(self.program, *which, *(("--skip-law", "sizes=on the first model") if which != self.which[0] else ()))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertRegex(done.stdout, r"\d+ hold, 0 fail, ")

    def test_its_fault_is_found(self):
        done = judge(f"{self.program} wrong", *self.fault_on)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(self.fault, done.stdout)


def run(tests, program):
    """Runs the tests of a module, or says which compiler or interpreter is missing."""
    import shutil

    if not shutil.which(program):
        needs.skip(f"{program} is not installed")
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(tests)
    sys.exit(0 if unittest.TextTestRunner().run(suite).wasSuccessful() else 1)
