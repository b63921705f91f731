#!/usr/bin/env python3
"""The road of a certificate that is missing: `ropewalk guarantees` says so and prints commands, which are run here as
they are printed, but for fewer positions."""
import json
import os
import pathlib
import shlex
import subprocess
import tempfile
import unittest

COMMAND = os.environ["ROPEWALK_COMMAND"]
SOURCE = pathlib.Path(os.environ["ROPEWALK_SOURCE"])
BY_HAND = ["--base", "10007", "--head-dim", "2", "--rotary-dim", "2"]


def run(words, place=None):
    done = subprocess.run([COMMAND, *words], capture_output=True, text=True, timeout=300, cwd=place)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


class Uncertified(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)

    def made_by(self, command, folder, positions, fewer):
        """What a printed command makes for fewer positions: the certificate of a table."""
        words = shlex.split(command)
        self.assertEqual(words[:2], ["ropewalk", "sweep"])
        self.assertEqual(words.count(positions), 1)
        words = [fewer if word == positions else word for word in words[1:]]
        run([*words, "--threads", "2"], self.place)
        (file,) = (self.place / folder).glob("*.json")
        return json.loads(file.read_text())

    def test_the_printed_command_certifies_a_table_of_ones_own(self):
        told = json.loads(run(["guarantees", *BY_HAND, "--json"]))
        self.assertIsNone(told["certificate"])
        self.assertIn("has no certificate", run(["guarantees", *BY_HAND]))
        made = self.made_by(told["command"], "certificates", "0:2147483648", "0:65536")
        self.assertEqual((made["table"], made["pairs"]), (told["table"], 1))
        (part,) = made["parts"]
        self.assertEqual((part["positions"], part["computations"]), ([0, 65536], 2))
        self.assertEqual([one["dtype"] for one in part["formats"]], ["f32", "f16", "bf16"])

    def test_certificates_are_listed_and_then_the_tables_without(self):
        listed = json.loads(run(["guarantees", "--certified", "--json"]))
        files = {json.loads(path.read_text())["table"]: path for path in (SOURCE / "proofs/certificate").glob("*.json")}
        held = [one for one in listed if one["certificate"]]
        self.assertEqual({one["table"]: SOURCE / one["certificate"] for one in held}, files)
        without = [one for one in listed if not one["certificate"]]
        self.assertEqual(len({one["table"] for one in listed}), len(listed))
        text = run(["guarantees", "--certified"])
        for one in without:
            self.assertNotIn(one["table"], files)
            for command in one["commands"]:
                self.assertIn(f"\n  {command}\n", text)
        self.assertEqual(text.count("\n  ropewalk sweep "), 2 * len(without))
        self.assertIn(f"\n{len(held)} of {len(listed)} tables of the catalogue have every entry checked", run(["guarantees"]))

    def test_the_printed_commands_of_the_catalogue_make_one_certificate(self):
        listed = json.loads(run(["guarantees", "--certified", "--json"]))
        for one in [one for one in listed if not one["certificate"]][:2]:
            with self.subTest(one["models"]):
                words = shlex.split(one["commands"][0])
                told = json.loads(run(["guarantees", "--json", *words[2:words.index("--dtype")]]))
                self.assertEqual(told["table"], one["table"])
                self.assertIsNone(told["certificate"])
                narrow, wide = one["commands"]
                self.made_by(narrow, "proofs/certificate", "0:2147483648", "0:4096")
                made = self.made_by(wide, "proofs/certificate", "0:1048576", "0:4096")
                self.assertEqual(made["table"], one["table"])
                self.assertEqual(sorted(len(part["formats"]) for part in made["parts"]), [1, 3])
                (file,) = (self.place / "proofs/certificate").iterdir()
                self.assertEqual(file.stem, one["models"][0].replace(" (sliding)", "-sliding"))
                file.unlink()


if __name__ == "__main__":
    unittest.main()
