#!/usr/bin/env python3
"""Honest kernels of every named promise, 50 seeds through each door: nothing fails."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

import needs
from needs import command, environment, here

needs.modules("numpy")
promises = ("exact", "canonical", "rounded-table", "dtype-table", "angle-f64", "angle-f32", "hf")
models = ("llama-3.2-1b", "gpt-neox-20b", "gpt-j-6b", "qwen2.5-7b-yarn4", "phi-3.5-mini")
seeds = range(1, 51)
library = os.environ["ROPEWALK_KERNELS_LIBRARY"]
example = here.parent.parent / "src/package/example_kernel.c"


def verify(kernel, promise, seed, *options):
    """The number of verdicts that hold, or None where answers are awaited."""
    done = subprocess.run([command, "verify", "--kernel", kernel, "--promise", promise, "--model", models[seed % len(models)], "--seed", str(seed),
                           "--cases", "4", "--allow-cut", "--skip-law", "sizes=long", "--quiet", *options],
                          capture_output=True, text=True, env=environment, timeout=600)
    if done.returncode == 3:
        return None
    found = re.search(r"(\d+) hold, 0 fail, ", done.stdout)
    if done.returncode or not found:
        raise AssertionError(f"{kernel} {promise} {seed}\n{done.stdout}{done.stderr}")
    return int(found[1])


class Honest(unittest.TestCase):
    def tried(self, judged):
        for promise in promises:
            held = sum(judged(promise, seed) for seed in seeds)
            self.assertGreater(held, 10 * len(seeds))
            print(f"{self.id().rsplit('.')[-1]} {promise}: {held} hold, 0 fail", flush=True)

    def test_a_program(self):
        self.tried(lambda promise, seed: verify(f"program:{sys.executable} {here}/honest_rope.py {promise}", promise, seed))

    def test_files(self):
        def judged(promise, seed):
            with tempfile.TemporaryDirectory() as folder:
                while (held := verify(f"files:{folder}", promise, seed)) is None:
                    with open(f"{folder}/requests", "rb") as requests, open(f"{folder}/answers", "wb") as answers:
                        subprocess.run([sys.executable, here / "honest_rope.py", promise], stdin=requests, stdout=answers, env=environment,
                                       check=True)
                return held

        self.tried(judged)

    def test_a_library(self):
        """Its own two kernels, and the example's angles of binary64, which keep what is weaker, too."""
        with tempfile.TemporaryDirectory() as folder:
            built = f"{folder}/example.so"
            subprocess.run([os.environ["ROPEWALK_CC"], "-O2", "-shared", "-fPIC", "-I", here.parent.parent / "include", example, "-o", built, "-lm"],
                           check=True)
            of = {"exact": f"{library}#exact", "angle-f64": built, "angle-f32": built}
            self.tried(lambda promise, seed: verify(f"library:{of.get(promise, library + '#cpu-table')}", promise, seed))


if __name__ == "__main__":
    unittest.main()
