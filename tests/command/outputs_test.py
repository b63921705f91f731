#!/usr/bin/env python3
"""outputs.py: equal records are equal, a changed word is shown, a changed number fails; its list has every command and kind of table."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(__file__))
import outputs  # noqa: E402

program = os.environ["ROPEWALK_COMMAND"]
script = os.path.join(os.path.dirname(__file__), "outputs.py")
CHOSEN = ("ropewalk --version", "ropewalk explain law beauty", "ropewalk table cos --config llama.json --compare right.npy",
          "ropewalk table integer --positions 2046:2051 --dtype f16 --format csv --output -",
          "ropewalk table cos --config yarn.json --positions -3:4 --dtype f64 --output cos.npy")


def run(*words):
    return subprocess.run([sys.executable, script, *map(str, words)], capture_output=True, text=True, timeout=250)


class Outputs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.at = pathlib.Path(folder.name)
        commands = outputs.listed()
        cls.number = {command: commands.index(command) + 1 for command in CHOSEN}
        for name in ("before", "again"):
            done = run("record", program, cls.at / name, *cls.number.values())
            if done.returncode != 0:
                raise AssertionError(done.stdout + done.stderr)

    def edited(self, command, old, new):
        """What compare says where one text was replaced in the output of one command."""
        after = self.at / "after"
        shutil.copytree(self.at / "before", after)
        self.addCleanup(shutil.rmtree, after)
        path = after / f"{self.number[command]:03}.txt"
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))
        return run("compare", self.at / "before", after)

    def test_two_records_of_a_program_are_equal(self):
        done = run("compare", self.at / "before", self.at / "again")
        self.assertEqual((done.returncode, done.stdout), (0, "0 of 5 outputs differ; 0 numbers differ\n"))

    def test_a_changed_word_is_shown(self):
        done = self.edited(CHOSEN[1], "no law named", "unknown law")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, "(?m)^-ropewalk: no law named 'beauty'.*\n\\+ropewalk: unknown law 'beauty'")
        self.assertTrue(done.stdout.endswith("\n1 of 5 outputs differ; 0 numbers differ\n"), done.stdout)

    def test_a_changed_number_fails(self):
        done = self.edited(CHOSEN[3], "\n2047,2047\n", "\n2047,2046\n")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(f"numbers differ in {self.number[CHOSEN[3]]:03}, command: {CHOSEN[3]}\n  2047 -> 2046\n", done.stdout)
        self.assertTrue(done.stdout.endswith("\n1 of 5 outputs differ; 1 numbers differ\n"), done.stdout)

    def test_a_changed_exit_code_fails(self):
        self.assertEqual(self.edited(CHOSEN[1], "exit code: 2", "exit code: 3").returncode, 1)

    def test_a_written_file_is_a_hash_and_a_record(self):
        text = (self.at / "before" / f"{self.number[CHOSEN[4]]:03}.txt").read_text()
        self.assertRegex(text, r"(?m)^--- file cos.npy\nnpy \{'descr': '<f8', .*\nsha256: [0-9a-f]{64}\n--- file cos.npy.json\n")

    def test_names_are_words_and_bits_are_numbers(self):
        tokens = outputs.numbers("llama-3.1-8b in bf16: 1.5e-07, -0x1.8p+3, 3f800000, 0-4 of 3x4x5; cpu-turns-avx2 words-sha256: 12ab\nc1200000")
        self.assertEqual(tokens, ["1.5e-07", "-0x1.8p+3", "3f800000", "0", "-4", "3x4x5", "c1200000"])

    def test_equal_differences_of_several_outputs_are_one(self):
        first, second = (list(outputs.differences(f"{text}\nan old word\n", f"{text}\na new word\n")) for text in ("one", "two"))
        self.assertEqual(first, [(("an old word",), ("a new word",))])
        self.assertEqual(first, second)

    def test_the_list_has_250_commands_of_every_kind(self):
        commands = outputs.listed()
        self.assertEqual((len(commands), len(set(commands))), (250, 250))
        words = [command.split() for command in commands]
        for name in subprocess.run([program, "complete", ""], capture_output=True, text=True, check=True).stdout.split("\n"):
            self.assertTrue(not name or name.startswith("-") or any(name.split("\t")[0] in command[:3] for command in words), name)
        for kind in subprocess.run([program, "complete", "table", ""], capture_output=True, text=True, check=True).stdout.split():
            self.assertTrue(any(command[1:2] == ["table"] and kind in command[2].split(",") for command in words if len(command) > 2), kind)


if __name__ == "__main__":
    unittest.main()
