#!/usr/bin/env python3
"""Honest kernels of every named promise, 50 seeds through each transport, at rest and beside busy processes: nothing fails, and the verdicts are the same."""
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import unittest

import needs
from needs import command, environment, here

needs.modules("numpy")
sys.path.insert(0, environment["PYTHONPATH"])
import ropewalk  # noqa: E402
from honest_rope import honest_rope  # noqa: E402

promises = ("exact", "canonical", "rounded-table", "dtype-table", "angle-f64", "angle-f32", "hf")
models = ("llama-3.2-1b", "gpt-neox-20b", "gpt-j-6b", "qwen2.5-7b-yarn4", "phi-3.5-mini")
seeds = range(1, 51)
few = ("--cases", "4", "--allow-cut", "--skip-law", "sizes=long")
library = os.environ["ROPEWALK_KERNELS_LIBRARY"]
example = here.parent.parent / "src/package/example_kernel.c"


@contextlib.contextmanager
def busy_processes(count):
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for one in running:
            one.kill()
            one.wait()


def number_held(text, exit_code, what):
    found = re.search(r"(\d+) hold, 0 fail, ", text)
    if exit_code or not found:
        raise AssertionError(f"{what}\n{text}")
    return int(found[1])


def verify(kernel, promise, seed, *options):
    """The number of verdicts that hold, or None where answers are awaited."""
    done = subprocess.run([command, "verify", "--kernel", kernel, "--promise", promise, "--model", models[seed % len(models)], "--seed", str(seed),
                           "--quiet", *options], capture_output=True, text=True, env=environment, timeout=1800)
    if done.returncode == 3:
        return None
    return number_held(done.stdout + done.stderr, done.returncode, f"{kernel} {promise} {seed}")


def by_program(promise, seed, *options):
    return verify(f"program:{sys.executable} {here}/honest_rope.py {promise}", promise, seed, *options)


def by_files(promise, seed, *options):
    with tempfile.TemporaryDirectory() as folder:
        while (held := verify(f"files:{folder}", promise, seed, *options)) is None:
            with open(f"{folder}/requests", "rb") as requests, open(f"{folder}/answers", "wb") as answers:
                subprocess.run([sys.executable, here / "honest_rope.py", promise], stdin=requests, stdout=answers, env=environment, check=True)
        return held


def by_check(promise, seed, *options):
    function, offer = honest_rope(promise)
    result = ropewalk.check(function, model=models[seed % len(models)], seed=seed, options=list(options), **offer)
    return number_held(result.text, not result.holds, f"check {promise} {seed}")


class Honest(unittest.TestCase):
    def tried(self, judged):
        """Every promise on every seed at rest; one promise on each seed beside eight busy processes."""
        transport = self.id().rsplit(".")[-1]
        held = {}
        for promise in promises:
            for seed in seeds:
                held[promise, seed] = judged(promise, seed, *few)
            of_all = sum(held[promise, seed] for seed in seeds)
            self.assertGreater(of_all, 10 * len(seeds))
            print(f"{transport} {promise}: {of_all} hold, 0 fail", flush=True)
        with busy_processes(8):
            for seed in seeds:
                promise = promises[seed % len(promises)]
                self.assertEqual(judged(promise, seed, *few), held[promise, seed], (promise, seed))
        print(f"{transport} beside eight busy processes: the same on {len(seeds)} seeds", flush=True)
        with busy_processes(8):
            print(f"{transport} at defaults beside them: {judged('angle-f64', 5)} hold, 0 fail", flush=True)

    def test_a_program(self):
        self.tried(by_program)

    def test_a_function_in_python(self):
        self.tried(by_check)

    def test_files(self):
        self.tried(by_files)

    def test_a_library(self):
        """Its own two kernels, and the example's angles of binary64, which keep what is weaker, too."""
        with tempfile.TemporaryDirectory() as folder:
            built = f"{folder}/example.so"
            subprocess.run([os.environ["ROPEWALK_CC"], "-O2", "-shared", "-fPIC", "-I", here.parent.parent / "include", example, "-o", built, "-lm"],
                           check=True)
            of = {"exact": f"{library}#exact", "angle-f64": built, "angle-f32": built}
            self.tried(lambda promise, seed, *options: verify(f"library:{of.get(promise, library + '#cpu-table')}", promise, seed, *options))


if __name__ == "__main__":
    unittest.main()
