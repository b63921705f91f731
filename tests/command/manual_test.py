#!/usr/bin/env python3
"""The manual pages: the build writes one per command, groff and mandoc find no fault in them, and each shows its options."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

command = os.environ.get("ROPEWALK_COMMAND")
if not command:
    print("skipped: the tool was not built")
    sys.exit(77)
pages = pathlib.Path(os.environ["ROPEWALK_BUILD"]) / "man"
sections = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS", "ENVIRONMENT", "SEE ALSO"]
# In mandoc, .TH without a date and lines of 80 bytes are remarks on style; a page of no date has the same bytes every day.
accepted = re.compile(r"missing date|input text line longer than 80 bytes")


def output_of(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def commands():
    return [line.split("\t")[0] for line in output_of(command, "complete", "").splitlines()]


def shown(page):
    """The page as a terminal shows it, without bold and underlined letters."""
    text = subprocess.run(["groff", "-man", "-Tutf8", "-P-cbou"], input=page, capture_output=True, text=True, check=True).stdout
    return re.sub(r"\s+", " ", text.replace("\u2010", "-").replace("\u2212", "-"))


class Manual(unittest.TestCase):
    def each(self):
        yield "ropewalk", output_of(command, "man")
        for name in commands():
            yield f"ropewalk-{name}", output_of(command, "man", name)

    def test_the_build_wrote_each_page(self):
        names = set()
        for name, page in self.each():
            names.add(name + ".1")
            self.assertEqual((pages / f"{name}.1").read_text(), page, name)
        self.assertEqual({path.name for path in pages.iterdir()}, names)

    def test_each_page_has_its_sections(self):
        for name, page in self.each():
            expected = sections if name != "ropewalk" else sections[:3] + ["COMMANDS"] + sections[3:]
            self.assertEqual([title.strip('"') for title in re.findall(r"^\.SH (.*)$", page, re.M)], expected, name)
            self.assertRegex(page, rf"(?m)^{re.escape(name.replace('-', chr(92) + '-'))} {re.escape(chr(92))}- ")

    def test_groff_finds_no_fault(self):
        if not shutil.which("groff"):
            self.skipTest("groff is not installed")
        for name, page in self.each():
            done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=page, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)

    def test_mandoc_finds_no_fault(self):
        if not shutil.which("mandoc"):
            self.skipTest("mandoc is not installed")
        for name, page in self.each():
            done = subprocess.run(["mandoc", "-T", "lint"], input=page, capture_output=True, text=True)
            faults = [line for line in done.stdout.splitlines() if not accepted.search(line)]
            self.assertEqual(faults, [], name)

    def test_a_page_shows_what_help_says(self):
        if not shutil.which("groff"):
            self.skipTest("groff is not installed")
        text = shown(output_of(command, "man", "verify"))
        for part in ("ropewalk-verify - check kernels and tables against the laws", "--skip-law NAME=REASON ... a law to leave out, and why",
                     "ropewalk verify --kernel cpu-table --law accuracy --cases 10000", "NO_COLOR", "ROPEWALK_VULKAN_DEVICE",
                     "ropewalk-table(1)"):
            self.assertIn(part, text)


if __name__ == "__main__":
    unittest.main()
