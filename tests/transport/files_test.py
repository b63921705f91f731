#!/usr/bin/env python3
"""A kernel on another machine is judged through files of requests and answers."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import needs
from needs import command, environment, here

needs.modules("numpy")
most_rounds = 200


def verify(folder, *options):
    return subprocess.run([command, "verify", "--kernel", f"files:{folder}", "--quiet", *options], capture_output=True,
                          text=True, env=environment, timeout=300)


def answer(folder, *program):
    with open(f"{folder}/requests", "rb") as requests, open(f"{folder}/answers", "wb") as answers:
        subprocess.run([sys.executable, *map(str, program)], stdin=requests, stdout=answers, env=environment, check=True)


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.at = os.path.join(self.folder.name, "exchange")

    def tearDown(self):
        self.folder.cleanup()

    def until_done(self, program, *options):
        """The last run, and how many rounds came before its verdict."""
        for rounds in range(most_rounds):
            done = verify(self.at, *options)
            if done.returncode != 3:
                return done, rounds
            self.assertEqual(done.stdout, "")
            self.assertRegex(done.stderr, rf"^ropewalk: \d+ (requests await answers|request awaits its answer): run PROGRAM <{self.at}/requests "
                                          rf">{self.at}/answers, then this command again\n$")
            answer(self.at, *program)
        self.fail("no verdict")

    def test_an_honest_one_holds_after_two_rounds(self):
        options = ("--model", "llama-3.1-8b", "--dtype", "f32", "--cases", "20", "--allow-cut", "--law", "accuracy", "norm", "identity")
        done, rounds = self.until_done([here / "numpy_rope.py"], *options)
        self.assertEqual((done.returncode, rounds), (0, 2), done.stdout + done.stderr)
        self.assertIn("3 hold, 0 fail", done.stdout)
        again = verify(self.at, *options, "--json")
        self.assertEqual(json.loads(again.stdout)["awaits"], [])

    def test_every_law_comes_to_a_verdict(self):
        done, rounds = self.until_done([here / "numpy_rope.py"], "--model", "gpt-neox-20b", "--cases", "1", "--allow-cut")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(rounds, 3)  # one more for the laws that turn an answer again
        self.assertIn("0 fail", done.stdout)

    def test_the_same_command_asks_the_same(self):
        images = []
        for name in ("one", "other"):
            self.at = os.path.join(self.folder.name, name)
            for _ in range(2):
                done = verify(self.at, "--model", "llama-3.1-8b", "--cases", "1", "--allow-cut", "--dtype", "f32")
                self.assertEqual(done.returncode, 3, done.stderr)
                if len(images) in (0, 2):
                    answer(self.at, here / "numpy_rope.py")
                images.append(pathlib.Path(self.at, "requests").read_bytes())
                answer(self.at, here / "numpy_rope.py")
        self.assertEqual(images[:2], images[2:])

    def test_a_fault_is_found_and_shrunk_as_the_command_is_repeated(self):
        program = [here / "numpy_rope.py", "backward"]
        options = ("--base", "10000", "--head-dim", "8", "--dtype", "f32", "--cases", "10", "--allow-cut", "--law", "adjoint", "--seed",
                   "2")  # fails in a small case: fewer rounds
        done, rounds = self.until_done(program, *options)
        self.assertEqual((done.returncode, rounds), (1, 2), done.stdout + done.stderr)
        self.assertIn("not shrunk further yet", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^to shrink and explain: \d+ requests await answers: run ")
        for _ in range(most_rounds):
            answer(self.at, *program)
            done = verify(self.at, *options)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            if "to shrink and explain" not in done.stdout:
                break
        self.assertRegex(done.stdout, r"smallest case found \(\d+ steps")
        self.assertNotIn("not shrunk", done.stdout)
        self.assertIn("cause: ", done.stdout)
        self.assertNotIn("not explained yet", done.stdout)

    def test_bits_that_change_are_told_and_break_a_promise_of_bits(self):
        program = [here / "misbehaving.py", "random"]
        options = ("--base", "10000", "--head-dim", "8", "--dtype", "f32", "--cases", "40", "--allow-cut", "--law", "accuracy", "--positions", "0:1")
        done, _ = self.until_done(program, *options, "--promise", "hf")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"other bits when asked again in other memory: misbehaving, by hand, f32: \d+ of 40 cases")
        self.at += "-of-bits"
        done, _ = self.until_done(program, *options, "--promise", "canonical")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("gave other bits when the same call was made again", done.stdout)

    def test_what_files_cannot_do_is_refused(self):
        done = verify(self.at, "--budget", "5")
        self.assertEqual(done.returncode, 3)  # the description comes first
        answer(self.at, here / "numpy_rope.py")
        done = verify(self.at, "--budget", "5")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("budget is 5; allowed: none with files:DIR", done.stderr)
        done = subprocess.run([command, "apply", "--model", "llama-3.1-8b", "--kernel", f"files:{self.at}", "--input", "-",
                               "--output", "-"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("a kernel that answers at once", done.stderr)

    def test_files_that_do_not_fit_are_refused(self):
        verify(self.at)
        answers = pathlib.Path(self.at, "answers")
        requests = pathlib.Path(self.at, "requests")
        for image, words in ((b"no message at all", "answers are messages"), (b"\x05", "message 1 is cut short"),
                             (requests.read_bytes() * 2, "at most as many answers as requests: it has 2 and 1"),
                             (requests.read_bytes(), "answered with status ''")):
            answers.write_bytes(image)
            done = verify(self.at)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(words, done.stderr)

    def test_pipes_and_files_without_an_end_are_refused(self):
        verify(self.at)
        answers, requests = pathlib.Path(self.at, "answers"), pathlib.Path(self.at, "requests")
        os.mkfifo(answers)
        self.assert_refused("answers (a pipe)", "a regular file")
        answers.unlink()
        with open(answers, "wb") as file:
            file.truncate(1 << 40)
        self.assert_refused("answers (1 TiB)", "at most 16")
        with open(requests, "ab") as file:
            file.truncate(1 << 32)
        self.assert_refused("requests are messages")

    def assert_refused(self, *words):
        done = verify(self.at)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)


if __name__ == "__main__":
    unittest.main()
