"""The ledger of claims: proofs/README.md has the list and the table that the program prints, every witness that a row names
exists, and a claim's witness runs when the claim is explained."""

import glob
import json
import os
import re
import subprocess
import unittest

COMMAND = os.environ["ROPEWALK_COMMAND"]
SOURCE = os.environ["ROPEWALK_SOURCE"]
README = os.path.join(SOURCE, "proofs", "README.md")
VERDICTS = {"holds", "holds with a correction", "false", "not decidable"}
# The rows that tests require: the statements listed first, and those found in the documents later.
REQUIRED = [*range(1, 47), *range(51, 55), *range(61, 68), *range(71, 95), *range(97, 104)]


def explain(*arguments):
    return subprocess.run([COMMAND, "explain", *arguments], capture_output=True, text=True, timeout=250)


def text_of(*patterns):
    texts = []
    for pattern in patterns:
        for name in sorted(glob.glob(os.path.join(SOURCE, pattern), recursive=True)):
            with open(name, encoding="utf-8") as file:
                texts.append(file.read())
    return "\n".join(texts)


class Ledger(unittest.TestCase):
    def test_the_readme_is_what_the_program_prints(self):
        printed = explain("claims")
        self.assertEqual(printed.returncode, 0, printed.stderr)
        with open(README, encoding="utf-8") as file:
            text = file.read() + "\n"
        if "\n\n" + printed.stdout not in text:
            lines = set(text.splitlines())
            stale = "\n".join(line for line in printed.stdout.splitlines() if line not in lines)
            self.fail(f"stale: put there what `ropewalk explain claims` prints\n{stale}")

    def test_every_claim_of_the_documents_has_a_row(self):
        rows = json.loads(explain("claims", "--json").stdout)
        numbers = [row["claim"] for row in rows]
        self.assertEqual(numbers, sorted(set(numbers)))
        self.assertEqual([n for n in REQUIRED if n not in numbers], [])
        self.assertGreater(sum(row["verdict"] == "false" for row in rows), 3)
        self.assertGreater(sum(row["verdict"] == "holds" for row in rows), 10)
        for row in rows:
            self.assertIn(row["verdict"], VERDICTS)
            self.assertTrue(row["statement"] and row["witness"] and row["documents"], row)
            self.assertEqual(row["correction"] == "", row["verdict"] == "holds", row)

    def test_documents_are_named_in_the_table_and_titled_above_it(self):
        printed = explain("claims").stdout
        titles = dict(re.findall(r"^- (.+?): (.+)$", printed, re.M))
        rows = json.loads(explain("claims", "--json").stdout)
        for row in rows:
            for document in row["documents"]:
                self.assertEqual(titles.get(document["name"]), document["title"], row)
            names = ", ".join(document["name"] for document in row["documents"])
            self.assertIn(f"\n| {row['claim']} | {names} | ", printed)
        self.assertEqual({document["name"] for row in rows for document in row["documents"]}, set(titles))
        self.assertNotRegex(printed, r"\b00[0-9]\b", "documents are named by their titles")

    def test_every_witness_that_a_row_names_exists(self):
        functions = text_of("src/claim/*.cpp", "proofs/*/*_proof.cpp")
        laws = text_of("include/ropewalk/law/table/*.hpp")
        tests = text_of("tests/**/*_test.cpp")
        for row in json.loads(explain("claims", "--json").stdout):
            witness = row["witness"]
            for law in re.findall(r'"([^"]+)"', witness):
                self.assertIn(f'.name = "{law}"', laws, row)
            for suite, name in re.findall(r"\b([A-Z]\w*)\.([A-Z]\w*)", witness):
                self.assertRegex(tests, rf"\({suite}, {name}\b", row)
            for name in re.findall(r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b", witness):
                self.assertRegex(functions, rf"\b(bool|evidence) {name}\(", row)

    def test_a_claim_is_explained_and_its_witness_run(self):
        done = explain("claim", "16")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("verdict  holds with a correction", done.stdout)
        self.assertIn("[-0.42, 0.91, 0.98, 0.20]", done.stdout)
        self.assertIn('attn_tensors: "Positional Encodings"', done.stdout)
        record = json.loads(explain("claim", "16", "--json").stdout)
        self.assertTrue(record["shown"])
        self.assertIn("theta = [1, 0.01]", record["evidence"])

    def test_a_statement_that_nothing_decides_says_why(self):
        done = explain("claim", "77")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("verdict  not decidable\n  because  it names no quantity", done.stdout)
        self.assertTrue(json.loads(explain("claim", "77", "--json").stdout)["shown"])

    def test_no_such_claim_is_one_line(self):
        for arguments in (["claim"], ["claim", "0"], ["claim", "1000"], ["claim", "16x"], ["claim", "-1"], ["claims", "16"]):
            done = explain(*arguments)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)


if __name__ == "__main__":
    unittest.main()
