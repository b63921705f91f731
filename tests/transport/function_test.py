#!/usr/bin/env python3
"""`ropewalk verify FILE.py::FUNCTION` judges a function as ropewalk.check does, and refuses what is none."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import needs

needs.modules("numpy")
COMMAND, PACKAGE = needs.environment["ROPEWALK_COMMAND"], needs.environment["PYTHONPATH"]
FILE = """
import numpy as np
import helper  # beside this file


def rope(query, positions, encoding):
    angle = positions[..., None, None] * encoding.inv_freq
    cos, sin = np.cos(angle).astype(query.dtype), np.sin(angle).astype(query.dtype)
    x, y = np.split(query, 2, axis=-1)
    return np.concatenate([x * cos - y * sin, x * sin + y * cos], axis=-1)


class Wrong:
    @staticmethod
    def rope(query, positions, encoding):
        return rope(query, positions + 1, encoding)


number = 3
"""


class Functions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.bin = pathlib.Path(cls.folder.name, "bin")  # whose python3 is the one that runs this test
        cls.bin.mkdir()
        (cls.bin / "python3").symlink_to(sys.executable)
        pathlib.Path(cls.folder.name, "mine.py").write_text(FILE)
        pathlib.Path(cls.folder.name, "helper.py").write_text("")

    def verify(self, *words, package=PACKAGE):
        return subprocess.run([COMMAND, "verify", *words], cwd=self.folder.name, capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": package, "PATH": f"{self.bin}:{os.environ['PATH']}"}, check=False)

    def judged(self, function, *words):
        return self.verify("--model", "llama-3.1-8b", "--law", "accuracy", "norm", "--dtype", "float32", "--cases", "5",
                           "--allow-cut", "--seed", "1", "--diagnosis", "0", f"mine.py::{function}", *words)

    def test_a_right_one_holds(self):
        done = self.judged("rope", "--promise", "hf")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(done.stdout.startswith("PASS: 2 of 2 verdicts hold; 10 cases judged, 400 wanted; rope"), done.stdout)

    def test_without_a_promise_it_says_how_good_the_function_is(self):
        done = self.judged("rope")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(done.stdout.startswith("rope promises nothing. "), done.stdout)

    def test_a_wrong_one_fails(self):
        done = self.judged("Wrong.rope", "--promise", "hf")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertTrue(done.stdout.startswith("FAIL: 1 of 2 verdicts hold, 1 fail"), done.stdout)
        self.assertIn("again:  ropewalk.check(rope", done.stdout)

    def test_what_is_no_function_is_refused(self):
        for words, code, error in ((["mine.py::nope"], 2, "subject is mine.py::nope (AttributeError: "),
                                   (["mine.py::number"], 2, "subject is mine.py::number (of type int); allowed: a function"),
                                   (["none.py::rope"], 2, "subject is none.py::rope (FileNotFoundError: "),
                                   (["mine.py::rope", "--promise", "nope"], 2, "promise"),
                                   (["mine.py::rope", "mine.py::rope"], 2, "allowed: nothing beside a function"),
                                   (["mine.py"], 2, "FILE.py::FUNCTION")):
            with self.subTest(words):
                done = self.verify(*words, "--model", "llama-3.1-8b")
                self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
                self.assertIn(error, done.stderr)
                self.assertNotIn("Traceback", done.stderr)

    def test_without_the_package_it_says_what_is_missing(self):
        done = self.verify("mine.py::rope", package="")
        self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
        self.assertIn("python3 has no package ropewalk", done.stderr)


if __name__ == "__main__":
    unittest.main()
