#!/usr/bin/env python3
""".ci/spent records what a command took, and .ci/times prints the records and fails where their sum has grown."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

source = pathlib.Path(os.environ["ROPEWALK_SOURCE"])


class Times(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.at = pathlib.Path(self.folder.name)
        for name in ("times", "spent"):
            shutil.copy(source / ".ci" / name, self.at)
        self.build = self.at / "release"
        self.build.mkdir()
        (self.build / "a.cpp.o").touch()

    def tearDown(self):
        self.folder.cleanup()

    def record(self, *lines):
        (self.build / "times.tsv").write_text("".join("\t".join(map(str, line)) + "\n" for line in lines))

    def times(self, job):
        return subprocess.run([self.at / "times", job, self.build], capture_output=True, text=True)

    def test_a_command_is_recorded_and_keeps_its_output_and_exit_code(self):
        program = "print('said'); sum(range(5_000_000)); raise SystemExit(3)"
        done = subprocess.run([self.at / "spent", self.build / "times.tsv", "program", "test_x", "python3", "-c", program,
                               "--gtest_filter=Suite.Name"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (3, "said\n", ""))
        kind, user, _, name = (self.build / "times.tsv").read_text().rstrip("\n").split("\t")
        self.assertEqual((kind, name), ("test", "test_x.Suite.Name"))
        self.assertGreater(float(user), 0.01)

    def test_lists_are_sorted_and_leave_out_files_that_are_gone(self):
        self.record(("compile", 3, 1, "a.cpp.o"), ("compile", 9, 1, "gone.cpp.o"), ("test", 2, 0, "test_x.Suite.One"),
                    ("test", 5, 0, "test_x.Suite.Two"), ("test", 6, 0, "house.script_test"), ("compile", 2, 0, "a.cpp.o"))
        said = self.times("show").stdout
        self.assertIn("processor seconds of translation units: 2 s in 1\n      2.0  release: a.cpp\n", said)
        self.assertIn("of programs of tests: 13 s in 2\n      7.0  release: test_x\n      6.0  release: scripts\n", said)
        self.assertIn("      6.0  release: house.script_test\n      5.0  release: test_x.Suite.Two\n      2.0  release: test_x.Suite.One\n", said)
        self.assertNotIn("gone", said)

    def test_the_gate_holds_up_to_a_quarter_more_and_then_says_what_grew(self):
        self.record(("yardstick", 1, 1, "building"), ("yardstick", 1, 1, "testing"), ("compile", 20, 0, "a.cpp.o"),
                    ("test", 20, 0, "house.script_test"))
        self.assertEqual(self.times("set").returncode, 0)
        self.assertIn("20\ttotal\n10.0\tcompile release: a.cpp\n10.0\ttest release: house.script_test\n", (self.at / "times.tsv").read_text())
        # A machine that is twice as slow, and slower still for half of the tests; and a quarter more of its time.
        self.record(("yardstick", 4, 0, "building"), ("yardstick", 4, 0, "testing"), ("yardstick", 8, 0, "testing"),
                    ("compile", 60, 0, "a.cpp.o"), ("test", 60, 0, "house.script_test"))
        self.assertEqual(self.times("gate").returncode, 0)
        self.record(("yardstick", 2, 0, "building"), ("yardstick", 3, 0, "testing"), ("compile", 32, 0, "a.cpp.o"),
                    ("test", 30, 0, "house.script_test"))
        done = self.times("gate")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.splitlines()[0],
                         "processor time of build and tests: 26 x the yardstick (2.00 s while building, 3.00 s while testing); FAILS: "
                         "allowed: 25, 25 % above the 20 of .ci/times.tsv")
        self.assertIn("grew by    6.0 to   16.0: compile release: a.cpp\n", done.stdout)
        self.assertNotIn("script_test", done.stdout)

    def test_what_is_missing_is_said(self):
        done = self.times("show")
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertIn("times.tsv is missing; ./dev verify and ./dev test write it", done.stderr)
        self.record(("compile", 3, 1, "a.cpp.o"))
        done = self.times("gate")
        self.assertEqual(done.returncode, 3)
        self.assertIn("no yardstick was measured while building", done.stderr)
        self.assertEqual(subprocess.run([self.at / "times", "nonsense"], capture_output=True).returncode, 2)


if __name__ == "__main__":
    unittest.main()
