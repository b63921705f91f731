#!/usr/bin/env python3
"""ropewalk plot: what it refuses, and when; files are whole or not there; --text needs no gnuplot."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as tree

command = os.environ["ROPEWALK_COMMAND"]
sys.path.insert(0, os.path.join(os.environ["ROPEWALK_SOURCE"], "tests/report"))
import browser  # noqa: E402

has_gnuplot = shutil.which("gnuplot") is not None


def axis(title):
    return {"title": title, "scale": "linear"}


FIGURE = {"schema": "urn:ropewalk:figure:1", "name": "sample", "title": "A sample", "sentence": "What to see.",
          "alt": "Numbers.", "command": "ropewalk plot sample", "columns": 1,
          "panels": [{"title": "", "x": axis("across"), "y": axis("up"), "series": [
              {"name": "line", "mark": "line", "role": "canonical", "x": [1, 2], "y": [1, 2]}]}]}


class Plot(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.at = pathlib.Path(self.folder.name)
        self.data = self.at / "data.json"
        self.data.write_text(json.dumps(FIGURE))

    def run_plot(self, *words, path=None, **environment):
        variables = {**os.environ, "LC_ALL": "C.UTF-8", **environment}
        if path is not None:
            variables["PATH"] = str(path)
        return subprocess.run([command, "plot", *map(str, words)], capture_output=True, env=variables, cwd=self.at)

    def refuses(self, code, text, *words, **options):
        done = self.run_plot(*words, **options)
        error = done.stderr.decode()
        self.assertEqual(done.returncode, code, error)
        self.assertIn(text, error)
        self.assertEqual(error.count("\n"), 1, error)
        self.assertEqual(sorted(os.listdir(self.at)), sorted(self.kept()))

    def kept(self):
        return ["data.json"]

    def fake_gnuplot(self, script):
        folder = self.at / "bin"
        folder.mkdir()
        (folder / "gnuplot").write_text("#!/bin/sh\n" + script)
        (folder / "gnuplot").chmod(0o755)
        self.kept = lambda: ["bin", "data.json"]
        return f"{folder}:/usr/bin:/bin"

    def test_lists_figures(self):
        done = self.run_plot("--list")
        self.assertEqual(done.returncode, 0)
        names = [line.split()[0] for line in done.stdout.decode().splitlines()]
        self.assertLessEqual({"frontier", "error-by-position", "time-by-tokens", "roofline"}, set(names))
        completed = subprocess.run([command, "complete", "plot", ""], capture_output=True, text=True, check=True)
        self.assertLessEqual(set(names), {line.split("\t")[0] for line in completed.stdout.splitlines()})

    def test_refuses_wrong_requests(self):
        self.refuses(2, "no figure named 'fronteer'; did you mean 'frontier'", "fronteer", "--text")
        self.refuses(2, "figure is missing", "--text")
        self.refuses(2, "output is missing; allowed: at least one of --svg FILE", "frontier")
        self.refuses(2, "at most one", "frontier", "--svg", "-", "--text")
        self.refuses(2, "figure is frontier; allowed: none with --data", "frontier", "--data", self.data, "--text")
        self.refuses(2, "data is", "--data", self.at / "none.json", "--text")
        self.refuses(2, "bench is", "frontier", "--bench", self.at / "none.json", "--text", "--quiet")
        self.refuses(2, "no model named 'nope'", "error-by-position", "--model", "nope", "--text")
        self.refuses(2, "trained is x", "error-by-position", "--trained", "x", "--text")

    def test_formats_may_be_chosen(self):
        done = self.run_plot("error-by-position", "--dtype", "bf16", "float32", "--quick", "--quiet", "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        figure = json.loads(done.stdout)
        self.assertEqual([panel["title"] for panel in figure["panels"]], ["f32", "bf16"])
        self.assertIn("--dtype f32 bf16", figure["command"])
        colours = [{one["name"]: one["colour"] for one in panel["series"] if one["name"] == "recipe-bf16-angle"} for panel in figure["panels"]]
        self.assertEqual(colours[0], colours[1])
        self.refuses(2, "dtype is fp7", "error-by-position", "--dtype", "fp7", "--text")
        self.refuses(2, "dtype is bf16; allowed: none for wavelengths", "wavelengths", "--dtype", "bf16", "--text")
        (self.at / "bench.json").write_text(json.dumps(browser.record()))
        self.kept = lambda: ["bench.json", "data.json"]
        self.refuses(2, "dtype is f64; allowed: one that was measured", "frontier", "--bench", self.at / "bench.json", "--dtype", "f64",
                     "--text", "--quiet")

    def test_a_record_says_of_which_model_it_is(self):
        (self.at / "bench.json").write_text(json.dumps(browser.record()))
        drawn = ["frontier", "--bench", "bench.json", "--text", "--quick"]
        of_record, of_model = self.run_plot(*drawn), self.run_plot(*drawn, "--model", "gpt-j-6b")
        self.assertEqual(of_record.returncode, 0, of_record.stderr)
        self.assertEqual(of_record.stdout.splitlines()[2:-1], of_model.stdout.splitlines()[2:-1])
        other = self.run_plot(*drawn, "--model", "gpt-neox-20b")
        self.assertEqual(other.returncode, 2)
        self.assertIn(b"a run of gpt-j-6b; allowed: a run of gpt-neox-20b", other.stderr)

    def test_refuses_data_by_field(self):
        self.data.write_text(json.dumps({**FIGURE, "columns": "two"}))
        self.refuses(2, 'columns is "two"; allowed: a whole number from 1 to 8', "--data", self.data, "--text")
        self.data.write_text("[]")
        self.refuses(2, "allowed: JSON that `ropewalk plot --json` wrote", "--data", self.data, "--text")

    def test_refuses_data_of_any_size(self):
        panel = FIGURE["panels"][0]
        cells = {"rows": 8192, "columns": 8192, "title": "", "values": {"codes": "", "least": 0, "most": 1}}
        self.data.write_text(json.dumps({**FIGURE, "panels": [{**panel, "cells": cells}]}))
        self.refuses(2, "rows x columns is 67108864; allowed: at most 2097152", "--data", self.data, "--text")
        self.data.write_text(json.dumps({**FIGURE, "panels": [panel] * 65}))
        self.refuses(2, "at most 64 panels", "--data", self.data, "--text")
        line = {**panel["series"][0], "x": [0] * 200000, "y": [0] * 200000}
        self.data.write_text(json.dumps({**FIGURE, "panels": [{**panel, "series": [line]}]}))
        self.refuses(2, "panels[0].series[0].x is 200000 elements; allowed: at most 131072", "--data", self.data, "--text")

    def test_escape_sequences_do_not_reach_the_terminal(self):
        self.data.write_text(json.dumps({**FIGURE, "title": "\x1b[31mred"}))
        text = self.run_plot("--data", self.data, "--text").stdout
        self.assertIn(b"\\x1b[31mred", text)
        self.assertNotIn(b"\x1b", text)

    def test_without_gnuplot_nothing_is_measured(self):
        empty = self.at / "empty"
        empty.mkdir()
        self.kept = lambda: ["data.json", "empty"]
        for output in ("--svg", "--png"):
            # A record that is not there would be refused with 2, if it were read before.
            self.refuses(3, "apt-get install gnuplot-nox", "frontier", "--bench", "none.json", output, "f", path=empty)
        done = self.run_plot("--data", self.data, "--text", path=empty)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_text_has_title_axes_and_names(self):
        text = self.run_plot("--data", self.data, "--text").stdout.decode()
        for wanted in ("A sample\n", "What to see.\n", "up\n", "across\n", "  1  line\n"):
            self.assertIn(wanted, text)
        self.assertTrue(any(0x2800 < ord(letter) < 0x2900 for letter in text), text)
        self.assertTrue(self.run_plot("--data", self.data, "--text", LC_ALL="C").stdout.isascii())
        self.assertNotIn("\x1b", text)

    def test_data_is_written_as_it_was_read(self):
        done = self.run_plot("--data", self.data, "--json", "-")
        again = json.loads(done.stdout)
        self.assertEqual(again["panels"], FIGURE["panels"])
        self.assertEqual(again, FIGURE)

    def test_wrong_outputs_are_refused_before_the_work(self):
        self.refuses(2, "output is", "--data", self.data, "--json", self.at / "none" / "x.json")
        if has_gnuplot:
            self.refuses(2, "output is", "--data", self.data, "--svg", self.at, "--text")

    @unittest.skipUnless(has_gnuplot, "gnuplot is not here")
    def test_writes_svg_and_png(self):
        done = self.run_plot("--data", self.data, "--svg", "f.svg", "--png", "f.png")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(os.listdir(self.at)), ["data.json", "f.png", "f.svg"])
        root = tree.parse(self.at / "f.svg").getroot()
        self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
        self.assertTrue((self.at / "f.png").read_bytes().startswith(b"\x89PNG"))
        self.assertEqual(self.run_plot("--data", self.data, "--svg", "-").stdout, (self.at / "f.svg").read_bytes())

    @unittest.skipUnless(has_gnuplot, "gnuplot is not here")
    def test_settings_of_the_user_change_nothing(self):
        (self.at / ".gnuplot").write_text("set title 'not ours'\n")
        plain = self.run_plot("--data", self.data, "--svg", "-").stdout
        for name, value in {"HOME": str(self.at), "GNUTERM": "png", "LC_NUMERIC": "de_DE.UTF-8"}.items():
            self.assertEqual(self.run_plot("--data", self.data, "--svg", "-", **{name: value}).stdout, plain, name)

    def test_gnuplot_that_fails_leaves_no_file(self):
        for script, text in {"exit 0": "gnuplot failed", "echo broken >&2; exit 1": "broken",
                             "echo '<svg xmlns=\"x\"/>'": "gnuplot drew 0 of", "echo no svg": "no SVG"}.items():
            path = self.fake_gnuplot(script)
            self.refuses(3, text, "--data", self.data, "--svg", "f.svg", path=path)
            shutil.rmtree(self.at / "bin")

    def test_measures_what_no_record_holds(self):
        """Without --bench, ropewalk_bench measures; where it is not installed, exit 3 names its package."""
        alone = self.at / "alone"
        alone.mkdir()
        shutil.copy(command, alone / "ropewalk")
        done = subprocess.run([alone / "ropewalk", "plot", "frontier", "--text"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn("ropewalk-bench", done.stderr)

    def test_what_ends_the_command_ends_the_measuring(self):
        """A copy of the command, beside which ropewalk_bench measures for an hour."""
        shutil.copy(command, self.at / "ropewalk")
        bench = self.at / "ropewalk_bench"
        bench.write_text("#!/bin/sh\nexec sleep 3600\n")
        bench.chmod(0o755)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            program = subprocess.Popen([self.at / "ropewalk", "plot", "frontier", "--text"], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE)
            children = pathlib.Path(f"/proc/{program.pid}/task/{program.pid}/children")
            child = self.until(lambda: next((c for c in children.read_text().split() if self.is_asleep(c)), None))
            program.send_signal(number)
            self.assertEqual(program.wait(10), -number)
            program.stderr.close()
            self.until(lambda: not self.is_asleep(child))

    @staticmethod
    def is_asleep(process):
        try:
            return b"sleep" in pathlib.Path(f"/proc/{process}/cmdline").read_bytes()
        except OSError:
            return False

    def until(self, found):
        for _ in range(1000):
            if what := found():
                return what
            time.sleep(0.01)
        self.fail("not within 10 s")


if __name__ == "__main__":
    unittest.main()
