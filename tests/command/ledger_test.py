"""The ledger of claims: proofs/README.md has the table that the program prints, and a claim's witness runs on the spot."""

import json
import os
import subprocess
import unittest

COMMAND = os.environ["ROPEWALK_COMMAND"]
README = os.path.join(os.environ["ROPEWALK_SOURCE"], "proofs", "README.md")


def explain(*arguments):
    return subprocess.run([COMMAND, "explain", *arguments], capture_output=True, text=True, timeout=250)


class Ledger(unittest.TestCase):
    def test_the_readme_is_what_the_program_prints(self):
        printed = explain("claims")
        self.assertEqual(printed.returncode, 0, printed.stderr)
        with open(README, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("\n\n" + printed.stdout, text + "\n", "stale: put there what `ropewalk explain claims` prints")

    def test_every_claim_of_the_documents_has_a_row(self):
        rows = json.loads(explain("claims", "--json").stdout)
        numbers = [row["claim"] for row in rows]
        self.assertEqual(numbers, sorted(set(numbers)))
        self.assertEqual([n for n in range(1, 42) if n not in numbers], [])
        self.assertGreater(sum(row["verdict"] == "false" for row in rows), 3)
        self.assertGreater(sum(row["verdict"] == "holds" for row in rows), 10)
        for row in rows:
            self.assertTrue(row["statement"] and row["witness"] and row["source"], row)
            self.assertEqual(row["correction"] == "", row["verdict"] == "holds", row)

    def test_a_claim_is_explained_and_its_witness_run(self):
        done = explain("claim", "16")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("verdict  holds with a correction", done.stdout)
        self.assertIn("[-0.42, 0.91, 0.98, 0.20]", done.stdout)
        record = json.loads(explain("claim", "16", "--json").stdout)
        self.assertTrue(record["shown"])
        self.assertIn("theta = [1, 0.01]", record["evidence"])

    def test_no_such_claim_is_one_line(self):
        for arguments in (["claim"], ["claim", "0"], ["claim", "1000"], ["claim", "16x"], ["claim", "-1"], ["claims", "16"]):
            done = explain(*arguments)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)


if __name__ == "__main__":
    unittest.main()
