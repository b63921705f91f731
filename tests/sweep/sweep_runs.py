"""What the tests of runs of `ropewalk sweep` share: small boxes, and comparisons of their results."""

import os
import pathlib
import subprocess
import tempfile
import unittest

COMMAND = os.environ["ROPEWALK_COMMAND"]
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe"]
# 64 units of some milliseconds each.
SMALL = ["--base", "10000", "--head-dim", "64", "--positions", "262144", "--dtype", "f32", "f16", "bf16"]
UNITS = 64


class SweepRuns(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def command(self, output, *options, box=SMALL, before=()):
        return [*before, COMMAND, "sweep", "--quiet", *box, "--output", str(self.folder / output), *options]

    def sweep(self, output, *options, expected=0, **more):
        done = subprocess.run(self.command(output, *options, **more), capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, expected, done.stdout + done.stderr)
        return done

    def merge(self, output, *parts, expected=0, options=()):
        done = subprocess.run([COMMAND, "sweep", "--quiet", "--merge", *[str(self.folder / one) for one in parts],
                               "--output", str(self.folder / output), *options], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, expected, done.stdout + done.stderr)
        return done

    def whole(self):
        """The results of an undisturbed run."""
        if not (self.folder / "whole").exists():
            self.sweep("whole")
        return self.results("whole")

    def results(self, output):
        return tuple((self.folder / output / name).read_bytes() for name in
                     ("sweep.json", "units.jsonl", "result.json"))

    def lines(self, output):
        return [line for part in sorted((self.folder / output).glob("part-*.jsonl"))
                for line in part.read_text(errors="replace").split("\n") if line]
