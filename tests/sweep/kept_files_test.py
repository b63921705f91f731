#!/usr/bin/env python3
"""What a sweep reads back is bounded, and waits for nobody: sweep.json and lines of results."""
import json
import os
import subprocess
import unittest

from sweep_runs import COMMAND, SweepRuns

SMALLEST = ["--base", "10000", "--head-dim", "16", "--positions", "4096", "--dtype", "f32"]


class KeptFiles(SweepRuns):
    def setUp(self):
        super().setUp()
        self.sweep("of", box=SMALLEST)
        self.about = self.folder / "of" / "sweep.json"

    def merged(self):
        return subprocess.run([COMMAND, "sweep", "--quiet", "--merge", self.folder / "of", "--output", self.folder / "to"],
                              capture_output=True, text=True, timeout=60)

    def refuses(self, *words):
        done = self.merged()
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_pipes_are_refused(self):
        os.mkfifo(self.folder / "of" / "part-pipe.jsonl")
        self.refuses("part-pipe.jsonl (a pipe)", "a regular file")
        (self.folder / "of" / "part-pipe.jsonl").unlink()
        self.about.unlink()
        os.mkfifo(self.about)
        self.refuses("sweep.json (a pipe)", "a regular file")

    def test_a_line_without_an_end_is_refused(self):
        with open(self.folder / "of" / "part-long.jsonl", "wb") as file:
            file.truncate(1 << 40)
        self.refuses("part-long.jsonl (a line of more than 1 MiB)", "lines of at most 1 MiB")

    def test_sweep_json_is_bounded(self):
        of = json.loads(self.about.read_text())
        self.about.write_text(json.dumps({**of, "box": {**of["box"], "entries_at_once": 1, "tables": [
            {**of["box"]["tables"][0], "positions": [0, 1 << 31]}]}}))
        self.refuses("units)", "at most 4194304 units")
        with open(self.about, "ab") as file:
            file.truncate(1 << 40)
        self.refuses("sweep.json (1 TiB)", "at most 1 MiB")

    def test_numbers_and_names_that_cannot_be_are_refused(self):
        of = json.loads(self.about.read_text())
        table = of["box"]["tables"][0]
        for change in ({"models": []}, {"pairs": 1 << 40}, {"pairs": 1.5}, {"positions": [-(1 << 63), 5]},
                       {"positions": [0, 1 << 64]}):
            self.about.write_text(json.dumps({**of, "box": {**of["box"], "tables": [{**table, **change}]}}))
            self.refuses("sweep.json says what is checked")

    def test_escape_sequences_do_not_reach_the_terminal(self):
        of = json.loads(self.about.read_text())
        of["box"]["tables"][0]["models"] = ["\x1b[31mred"]
        self.about.write_text(json.dumps(of))
        done = self.merged()
        self.assertIn("\\x1b[31mred", done.stdout)
        self.assertNotIn("\x1b", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
