#!/usr/bin/env python3
"""`ropewalk report` checks its options and the programs that it needs before it judges, and writes the page whole or not at all."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["ROPEWALK_SOURCE"], "tests", "report"))
import browser  # noqa: E402

COMMAND = os.environ.get("ROPEWALK_COMMAND")
if not COMMAND:
    browser.skip("the tool was not built")
needs_gnuplot = unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")


class Report(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.page = os.path.join(self.folder.name, "page.html")
        self.bench = os.path.join(self.folder.name, "bench.json")
        with open(self.bench, "w", encoding="utf-8") as file:
            json.dump(browser.record(), file)

    def run_report(self, *words, path=None):
        environment = dict(os.environ, PATH=os.environ["PATH"] if path is None else path)
        return subprocess.run([COMMAND, "report", "--model", "gpt-j-6b", *words], env=environment, capture_output=True, text=True)

    def refuses(self, code, message, *words, path=None):
        run = self.run_report(*words, path=path)
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
        self.assertIn(message, run.stderr)
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["bench.json"])

    def test_a_missing_gnuplot_is_said_first(self):
        self.refuses(3, "gnuplot is not installed", "--output", self.page, "--bench", self.bench, path=self.folder.name)

    @needs_gnuplot
    def test_bad_options_are_refused_before_anything_is_judged(self):
        self.refuses(2, "output is missing", "--bench", self.bench)
        self.refuses(2, "output is ", "--bench", self.bench, "--output", os.path.join(self.folder.name, "none", "page.html"))
        self.refuses(2, "bench is ", "--bench", self.page, "--output", self.page)
        self.refuses(2, "budget is 0", "--bench", self.bench, "--output", self.page, "--budget", "0")
        self.refuses(2, "kernel", "--bench", self.bench, "--output", self.page, "--kernel", "cpu-tabel")

    @needs_gnuplot
    def test_a_record_of_another_encoding_is_refused(self):
        other = browser.record()
        for row in other["benchmarks"]:
            row["model"] = "llama-3.1-8b"
        with open(self.bench, "w", encoding="utf-8") as file:
            json.dump(other, file)
        self.refuses(2, "a run of llama-3.1-8b; allowed: a run of gpt-j-6b", "--bench", self.bench, "--output", self.page)

    @needs_gnuplot
    def test_a_page_is_written_where_every_law_holds(self):
        run = self.run_report("--bench", self.bench, "--quick", "--budget", "2", "--kernel", "cpu-table", "--output", self.page)
        self.assertIn(run.returncode, (0, 1), run.stderr)  # 1 where a busy machine has judged too little
        with open(self.page, encoding="utf-8") as file:
            page = file.read()
        self.assertTrue(page.startswith("<!doctype html>"))
        self.assertTrue(page.endswith("</html>\n"))
        self.assertIn("verdicts: ", run.stderr)
        self.assertIn(f"written to {self.page}", run.stderr)
        self.assertNotIn("breaks", page.split("<main>")[1].split("</section>")[0])
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["bench.json", "page.html"])


if __name__ == "__main__":
    sys.exit(unittest.main())
