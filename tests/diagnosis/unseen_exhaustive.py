"""Faults that were written without a look at the diagnosis: none is given a cause that is not its own."""
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
command = os.environ["ROPEWALK_COMMAND"]
seeds = range(1, 6)

# The models on which they fail; the others fail on the first.
usual = "llama-3.1-8b"
models = {"decode-double-factor": "qwen2.5-7b-yarn4", "zero-skipped": "qwen2.5-7b-yarn4",
          "tail-pairs-restart": "gpt-neox-20b", "batch-dropped-on-axes": "qwen2-vl-7b"}
faults = ("first-call-table rows-by-count key-token-index odd-last-token decode-double-factor tail-pairs-restart "
          "backward-one-sign products-rounded lerp-rows last-pair-repeats clamp-and-bf16-table late-query-still-pair "
          "positions-transposed batch-dropped-on-axes sequence-edge-late row-offset-overflow sine-from-cosine "
          "in-place-alias heads-in-fours zero-skipped").split()
# The causes that are true of a fault, where a known fault or a compound does the same.
true_causes = {
    "sequence-edge-late": "the first token of a sequence is counted as one more of the sequence before it",
    "in-place-alias": "where the output is the input alone: the first channel of a pair is overwritten before the "
                      "second is formed",
    "decode-double-factor": "in calls of one token alone: the attention factor is applied twice"}
keep_state = {"first-call-table", "rows-by-count"}


class UnseenFaults(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.library = os.path.join(self.folder, "libunseen.so")
        subprocess.run(["g++", "-std=c++20", "-O2", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror", "-I",
                        os.path.join(root, "include"), os.path.join(root, "tests", "diagnosis", "unseen_faults.cpp"),
                        "-o", self.library], check=True)

    def diagnosis(self, fault, seed):
        report = os.path.join(self.folder, "report.json")
        done = subprocess.run([command, "verify", f"{self.library}#unseen-{fault}", "--promise", "rounded-table", "--model",
                               models.get(fault, usual), "--seed", str(seed), "--budget", "8", "--allow-cut", "--report",
                               f"json={report}"], capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        with open(report, encoding="utf-8") as file:
            found = json.load(file)["diagnoses"]
        self.assertEqual(len(found), 1, done.stdout)
        return found[0]

    def test_no_cause_is_wrong(self):
        wrong = []
        for fault in faults:
            answers = collections.Counter()
            for seed in seeds:
                found = self.diagnosis(fault, seed)
                answers[found["sentence"] or f"{found['found']}: {found.get('common')}"] += 1
                is_true = found["sentence"] == true_causes.get(fault) if found["found"] == "explained" \
                    else (found["found"] == "not reproducible") == (fault in keep_state)
                if not is_true:
                    wrong.append((fault, seed, found))
            for answer, count in answers.most_common():
                print(f"{fault:24} {count} of {len(seeds)}: {answer}", flush=True)
        self.assertEqual(wrong, [])

    def test_the_honest_kernel_holds(self):
        done = subprocess.run([command, "verify", f"{self.library}#unseen-none", "--promise", "rounded-table", "--model",
                               usual, "--seed", "1", "--budget", "8", "--allow-cut"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main())
