"""ropewalk verify from outside: exit codes, one line for bad input, reports, and that a failure can be seen again."""

import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml

COMMAND = os.environ["ROPEWALK_COMMAND"]
FAULTS = os.environ.get("ROPEWALK_FAULTS_LIBRARY", "")
KERNELS = os.environ.get("ROPEWALK_KERNELS_LIBRARY", "")
# One case of each law: the first one of the law of sizes is small, the next ones have many heads.
QUICK = ["--model", "gpt-neox-20b", "--kernel", "cpu-table", "--dtype", "f16", "--cases", "1", "--allow-cut"]


def verify(*arguments, **environment):
    """The same cases each time, unless a seed is named."""
    if not {"--seed", "--list"} & set(arguments):
        arguments = ("--seed", "1", *arguments)
    plain = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    return subprocess.run([COMMAND, "verify", *arguments], capture_output=True, text=True, timeout=250,
                          env={**plain, **environment})


# The law of axes judges models that have several; these tests' models have one.
LAWS = [law["name"] for law in json.loads(verify("--list", "--json").stdout)["laws"] if law["name"] != "own-axis"]
LONG = [word for law in ("sizes", "extrapolation", "prefill-decode", "relative-position", "composition", "layouts")
        for word in ("--skip-law", f"{law}=long")]


class Verify(unittest.TestCase):
    def test_a_right_kernel_exits_0_and_prints_a_verdict_for_every_law(self):
        done = verify(*QUICK)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(re.findall(r"^f16 .* holds$", done.stdout, re.M)), len(LAWS), done.stdout)
        self.assertRegex(done.stdout, r"\APASS: \d+ of \d+ verdicts hold; \d+ cases judged, \d+ wanted; cpu-table, gpt-neox-20b\n")
        self.assertIn("; seed 1\n", done.stdout)
        self.assertNotIn("\x1b", done.stdout + done.stderr)

    def test_a_place_is_not_given_two_reports_however_it_is_spelled(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "a.json").write_text("before")
            os.symlink(os.path.join(folder, "a.json"), os.path.join(folder, "link.json"))
            for other in ["a.json", "./a.json", "b/../a.json", "link.json"]:
                done = verify(*QUICK, "--report", f"json={folder}/a.json", "--report", f"json={folder}/{other}")
                self.assertEqual(done.returncode, 2, other)
                self.assertIn("a file of its own for each report", done.stderr)
                self.assertEqual(sorted(os.listdir(folder)), ["a.json", "link.json"])
                self.assertEqual(pathlib.Path(folder, "a.json").read_text(), "before")

    @unittest.skipUnless(FAULTS, "built without libraries")
    def test_a_file_is_judged_as_what_its_name_says(self):
        def without_seconds(text):
            return re.sub(r" in [0-9.]+ s ", " ", text)

        def verdicts(*words):
            done = verify(*words, "--model", "llama-3.1-8b", "--law", "accuracy", "--dtype", "f32", "--cases", "3", "--allow-cut")
            self.assertEqual(done.returncode, 1, done.stderr)
            return without_seconds(done.stdout)

        for subject in (f"{FAULTS}#fault-angle-f32", f"library:{FAULTS}#fault-angle-f32"):
            self.assertEqual(verdicts(subject), verdicts("--kernel", f"library:{FAULTS}#fault-angle-f32"))
        with tempfile.TemporaryDirectory() as folder:
            table = f"{folder}/inv_freq.npy"
            which = ["--model", "llama-3.1-8b"]
            subprocess.run([COMMAND, "table", "inv-freq", *which, "--dtype", "f32", "--quiet", "--output", table], check=True)
            done = verify(table, "--as", "inv-freq", *which)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            other = verify("--table", table, "--as", "inv-freq", *which)
            self.assertEqual(without_seconds(done.stdout), without_seconds(other.stdout))
        for name in ("mine.py", "mine.txt", "cpu-table"):
            refused = verify(name)
            self.assertEqual((refused.returncode, refused.stdout), (2, ""))
            self.assertRegex(refused.stderr, f"^ropewalk: subject is {name}; allowed: FILE.so, ")

    def test_an_array_has_the_kind_and_the_positions_of_its_record_or_the_kind_of_its_name(self):
        which = ["--model", "gpt-j-6b"]
        with tempfile.TemporaryDirectory() as folder:
            for kind, name, *options in (("cos", "a.npy", "--positions", "5:8"), ("inv-freq", "b.npy"),
                                         ("cos,sin", "c.npz", "--positions", "5:8"), ("cos,sin", "c.safetensors", "--positions", "5:8"),
                                         ("inv-freq", "layers.safetensors", "--name", "layers.0.inv_freq")):
                subprocess.run([COMMAND, "table", kind, *which, *options, "--quiet", "--output", f"{folder}/{name}"], check=True)
            for place in ("a.npy", "b.npy", "layers.safetensors#layers.*.inv_freq", "c.npz#*", "c.npz#cos", "c.safetensors#*"):
                done = verify(f"{folder}/{place}", *which)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("allowed: " + f"{folder}/c.npz#NAME with a NAME of cos, sin", verify(f"{folder}/c.npz", *which).stderr)
            os.remove(f"{folder}/a.npy.json")
            self.assertIn("as is missing", verify(f"{folder}/a.npy", *which).stderr)
            self.assertEqual(verify(f"{folder}/a.npy", "--as", "cos", *which).returncode, 1)  # positions from 0

    def test_the_diagnosis_has_a_time_of_its_own(self):
        wrong = ["--kernel", f"library:{FAULTS}#fault-attention-dropped", "--model", "qwen2.5-7b-yarn4", "--law", "norm",
                 "--dtype", "bf16", "--cases", "30", "--allow-cut"]
        self.assertIn("cause: ", verify(*wrong, "--diagnosis", "60").stdout)
        done = verify(*wrong, "--diagnosis", "0")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertNotIn("cause", done.stdout)
        done = verify(*wrong, "--diagnosis", "-1")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("diagnosis is -1; allowed: a whole number from 0", done.stderr)

    def test_a_pipe_is_no_library(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkfifo(os.path.join(folder, "lib.so"))
            done = verify("--kernel", f"library:{folder}/lib.so")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("not a regular file", done.stderr)

    def test_the_widest_head_is_judged_as_it_is(self):
        done = verify("--base", "10000", "--head-dim", "65536", "--rotary-dim", "64", "--pairing", "half-split",
                      "--kernel", "cpu-table", "--dtype", "f16", "--law", "pass-through", "--cases", "1", "--allow-cut")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_positions_are_asked_for_and_laws_left_out_with_a_reason(self):
        done = verify(*QUICK, "--positions", "1000:1999", "--skip-law", "adjoint=inference alone")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("left out: adjoint, because inference alone\nasked for: positions 1000 to 1998\n", done.stdout)
        self.assertIn("not served: cpu-table: identity: position 0 is not served (1 verdict)\n", done.stdout)
        self.assertEqual(len(re.findall(r"^f16 .* holds$", done.stdout, re.M)), len(LAWS) - 4)

    def test_a_dtype_that_was_named_and_lies_beyond_the_limits_is_not_judged(self):
        done = verify("--kernel", "cpu-turns", "--model", "gpt-neox-20b", "--cases", "3", "--allow-cut", "--dtype", "f64", "--dtype",
                      "f32")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("cpu-turns: nothing judged in f64\n", done.stdout)
        done = verify("--kernel", "cpu-turns", "--model", "gpt-neox-20b", "--cases", "3", "--allow-cut", "--dtype", "f64", "--dtype",
                      "f32", "--allow-declined")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_more_than_failures_may_exit_1(self):
        grows = ["--kernel", "recipe-hf-f32", "--model", "llama-2-7b", "--dtype", "f32", "--cases", "10", "--allow-cut", "--law",
                 "extrapolation"]
        measured = verify(*grows, "--fail-on", "growth=1@65536")
        self.assertEqual(measured.returncode, 0, measured.stdout + measured.stderr)
        self.assertIn("; beyond 1 % from positions of 2^17 on", measured.stdout)
        grown = verify(*grows, "--fail-on", "growth=1@65536", "--fail-on", "growth=1@1048576")
        self.assertEqual(grown.returncode, 1, grown.stdout + grown.stderr)
        self.assertRegex(grown.stdout, r"--fail-on: recipe-hf-f32, .* an error of \d+\.\d+ % at positions up to 1048576\n")
        self.assertEqual(verify(*QUICK, "--skip-law", "norm=because", "--fail-on", "skipped").returncode, 1)
        self.assertEqual(verify(*QUICK, "--fail-on", "skipped", "--fail-on", "vacuous").returncode, 0)
        far = verify(*grows[:-2], "--law", "accuracy", "--positions", "2147483000:2147483648", "--dtype", "f32",
                     "--fail-on", "vacuous")
        self.assertIn("comparisons decide, bounds of the others allow any answer; some pair decides nothing from position 5592403 on", far.stdout)

    def test_what_the_budget_had_no_time_for_is_no_verdict(self):
        done = verify("--budget", "1", "--kernel", "cpu-table")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^not judged: cpu-table: ran \d+ of \d+ cases \(\d+ verdicts?\)$")
        self.assertRegex(done.stdout, r"(?m)^left out for the budget of 1 s: \d+ more verdicts of extrapolation, each on a further")

    def test_fewer_cases_than_wanted_are_no_verdict_unless_they_are_accepted(self):
        few = ("--model", "gpt-neox-20b", "--kernel", "cpu-table", "--dtype", "f16", "--law", "norm", "--cases", "5")
        done = verify(*few)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^f16 +norm +5 +200 .* not judged$")
        self.assertIn("not judged: cpu-table, f16, norm: ran 5 of 200 cases (1 verdict)", done.stdout)
        self.assertIn("1 verdict: 0 hold, 0 fail, 0 not served, 1 not judged", done.stdout)
        done = verify(*few, "--allow-cut")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^f16 +norm +5 +200 .* holds$")
        self.assertIn("--allow-cut: 1 result of fewer cases than wanted changes no exit code", done.stdout)
        report = json.loads(verify(*few, "--allow-cut", "--json").stdout)
        self.assertEqual((report["verdicts"][0]["cases"], report["verdicts"][0]["wanted"]), (5, 200))
        self.assertEqual(len(report["accepted"]), 1)

    def test_the_seed_is_drawn_and_printed(self):
        few = [COMMAND, "verify", *QUICK, "--law", "norm"]
        seeds = {re.search(r"; seed (\d+)\n", subprocess.run(few, capture_output=True, text=True).stdout).group(1)
                 for _ in range(3)}
        self.assertGreater(len(seeds), 1)

    def test_exact_is_held_to_all_laws_but_canonical_bits(self):
        done = verify("--model", "gpt-neox-20b", "--kernel", "exact", "--dtype", "bf16", "--cases", "1", "--allow-cut")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(len(re.findall(r" holds$", done.stdout, re.M)), 18)
        self.assertIn("0.5 ulp", done.stdout)

    def test_the_same_seed_gives_the_same_verdicts(self):
        table = lambda done: [line for line in done.stdout.splitlines() if line.startswith("f16 ")]
        self.assertTrue(table(verify(*QUICK)))
        self.assertEqual(table(verify(*QUICK, "--seed", "9", "--threads", "1")),
                         table(verify(*QUICK, "--seed", "9", "--threads", "2")))
        self.assertNotEqual(table(verify(*QUICK, "--seed", "9")), table(verify(*QUICK, "--seed", "10")))

    @unittest.skipUnless(FAULTS, "no library of faults")
    def test_several_kernels_stand_side_by_side_on_one_screen(self):
        named = ("--model", "gpt-neox-20b", "--model", "llama-3.1-8b", "--kernel", "cpu-table", "--kernel",
                 f"library:{FAULTS}#fault-angle-f32", "--cases", "4", "--allow-cut", "--diagnosis", "0", "--skip-law",
                 "sizes=time", "--skip-law", "extrapolation=time")
        done = verify(*named)
        self.assertEqual(done.returncode, 1, done.stderr)
        screen = done.stdout.split("\n\n")[2].splitlines()
        self.assertEqual(screen[0].split(), ["cpu-table", "fault-angle-f32"])
        cells = {line.split()[0]: line.split(None, 1)[1] for line in screen[1:]}
        self.assertEqual(sorted(cells), sorted(LAWS))
        self.assertRegex(cells["accuracy"], r"^0\.\d+  +[\d.e+]+ f\d\d$")
        self.assertRegex(cells["sizes"], r"^s +s$")
        self.assertIn("the worst of 2 configurations, f64 f32 f16 bf16", done.stdout)
        self.assertLessEqual(max(map(len, screen)), 80)
        in_one_dtype = verify(*named, "--verbose", "--dtype", "f32").stdout
        self.assertGreater(in_one_dtype.count(" holds\n"), 2 * len(LAWS))

    def test_a_budget_covers_every_law_and_what_is_short_is_no_verdict(self):
        done = verify("--model", "gpt-neox-20b", "--model", "gpt-j-6b", "--kernel", "cpu-table", "--dtype", "f32",
                      "--budget", "4", "--verbose")
        rows = [line.split() for line in done.stdout.splitlines() if line.startswith("cpu-table ")]
        self.assertEqual({row[3] for row in rows}, set(LAWS))
        for row in rows:
            self.assertEqual(int(row[4]) >= int(row[5]), row[-1] == "holds", row)
        self.assertEqual(done.returncode, 0 if all(row[-1] == "holds" for row in rows) else 1, done.stdout + done.stderr)

    def test_formats_and_positions_have_the_words_of_pytorch_and_of_models(self):
        words = ["--model", "gpt-neox-20b", "--kernel", "cpu-table", "--law", "norm", "--cases", "5", "--allow-cut", "--json"]
        plain = verify(*words, "--dtype", "f32", "bf16", "--positions", "1024:131072")
        other = verify(*words, "--dtype", "float32", "bfloat16", "--positions", "1k:128k")
        rows = lambda done: [(one["dtype"], one["worst_observed"]) for one in json.loads(done.stdout)["verdicts"]]
        self.assertEqual([name for name, _ in rows(other)], ["f32", "bf16"])
        self.assertEqual(rows(other), rows(plain))

    def test_list_names_kernels_laws_promises_and_models(self):
        done = verify("--list")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"(?m)^  hf +frequency and angle formed in binary32")
        for name in ("exact", "cpu-table", "relative-position", "rounded-table", "llama-3.1-8b", "library:PATH"):
            self.assertIn(name, done.stdout)

    def test_a_target_is_forced_by_name_and_all_means_each(self):
        listed = re.search(r"^targets\n((?:  .*\n)+)", verify("--list").stdout, re.M).group(1).split()
        self.assertIn("scalar", listed)
        done = verify(*QUICK, "--target", "scalar")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(re.findall(r"^f16 .* holds$", done.stdout, re.M)), len(LAWS), done.stdout)
        done = verify(*QUICK, "--target", "all", "--law", "canonical", "--verbose")
        self.assertEqual(sorted(re.findall(r"^cpu-table-([\w-]+) .* holds$", done.stdout, re.M)), sorted(listed))
        done = verify(*QUICK, "--target", "avx512")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertRegex(done.stderr, "target is avx512; allowed: all, .*scalar")

    def test_bad_input_exits_2_with_one_line_that_names_field_value_and_what_is_allowed(self):
        for arguments, field in [(["--law", "beauty"], "law"), (["--kernel", "fastest"], "kernel"),
                                 (["--dtype", "f8"], "dtype"), (["--promise", "all"], "promise"), (["--promise", "angle=f16"], "promise"),
                                 (["--promise", "angle=f32,"], "promise"), (["--promise", "rotation="], "promise"),
                                 (["--kernel", "recipe-ggml", "--promise", "entry=f32"], "promise"),
                                 (["--positions", "5:"], "positions"), (["--fail-on", "growth=1@"], "fail-on"), (["--promise", "angle=f32,angle=f64"], "promise"),
                                 (["--promise", "canonical"], "promise"), (["--cases", "0"], "cases"),
                                 (["--cases", "many"], "cases"), (["--seed", "-1"], "seed"),
                                 (["--budget", "0"], "budget"), (["--threads", "0"], "threads"),
                                 (["--report", "xml=x"], "report"), (["--report", "json"], "report"), (["--report", "json="], "report"),
                                 (["--report", "json=/nonexistent/x.json"], "output"),
                                 (["--positions", "8"], "positions"), (["--positions", "9:3"], "positions"),
                                 (["--positions", "0:3000000000"], "positions"), (["--environment", "odd"], "environment"),
                                 (["--skip-law", "norm"], "skip-law"), (["--skip-law", "beauty=none"], "law"),
                                 (["--skip-law", "norm=x", "--law", "norm"], "skip-law"),
                                 (["--fail-on", "rain"], "fail-on"), (["--fail-on", "growth=1"], "fail-on"),
                                 (["--fail-on", "growth=-1@8"], "fail-on"), (["--fail-on", "growth=1@0"], "fail-on"),
                                 (["--model", "gpt-9"], "model"),
                                 (["--kernel", "library:/nonexistent.so"], "kernel"),
                                 (["--kernel", "cpu-turns", "--law", "falling"], "law"),
                                 (["--kernel", "cpu-turns", "--law", "norm", "--law", "falling"], "law"),
                                 (["--model", "llama-2-7b", "--law", "shift"], "law"),
                                 (["--kernel", "cpu-sinusoidal-add", "--law", "norm"], "law"),
                                 (["--kernel", "cpu-alibi-add", "--model", "llama-2-7b"], "model"),
                                 (["--kernel", "cpu-alibi-add", "--seq-len", "many"], "seq-len"),
                                 (["--kernel", "cpu-table", "--form", "bloom"], "form"),
                                 (["--kernel", "cpu-alibi-add", "--form", "key"], "form"),
                                 (["--law", "never-decreasing", "--dtype", "f32"], "law"),
                                 (["--program", "x"], "argument")]:
            with self.subTest(arguments):
                done = verify(*arguments)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertEqual(done.stdout, "")
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                self.assertRegex(done.stderr, rf"^ropewalk: ({field} .*; allowed: |no (option|{field}) named '.*'; )")

    def test_reports_are_written_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            done = verify(*QUICK, "--report", f"json={folder}/v.json", "--report", f"junit={folder}/v.xml")
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(f"{folder}/v.json") as file:
                found = json.load(file)
            self.assertEqual(found["totals"]["hold"], len(LAWS))
            self.assertEqual(found["seed"], 1)
            self.assertTrue(found["command"].startswith("ropewalk verify "))
            self.assertEqual(len(xml.parse(f"{folder}/v.xml").findall(".//testcase")), len(LAWS))
            self.assertEqual(sorted(os.listdir(folder)), ["v.json", "v.xml"])

    @unittest.skipUnless(FAULTS, "no library of faults")
    def test_a_failure_exits_1_and_its_command_shows_it_again(self):
        done = verify("--model", "qwen2.5-7b-yarn4", "--kernel", f"library:{FAULTS}#fault-attention-dropped", "--law",
                      "norm", "--dtype", "bf16", "--cases", "30", "--allow-cut")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("the attention factor is dropped", done.stdout)
        again = re.search(r"^  again:  ropewalk verify (.*)$", done.stdout, re.M).group(1)
        repeated = verify(*shlex.split(again))
        self.assertEqual(repeated.returncode, 1, repeated.stderr)
        smallest = lambda text: re.search(r"smallest case found.*?again", text, re.S).group(0)
        self.assertEqual(smallest(done.stdout), smallest(repeated.stdout))

    @unittest.skipUnless(FAULTS, "no library of faults")
    def test_a_model_with_two_tables_is_verified_in_both_and_its_command_names_the_length(self):
        for fault, model, right, wrong, words in [
                ("longrope-switch-at-original", "phi-3.5-mini", 4097, 4096, "longrope takes the other list"),
                ("dynamic-constant", "internlm2-chat-20b", 32768, 131072, "the frequencies are those at max")]:
            with self.subTest(fault):
                done = verify("--kernel", f"library:{FAULTS}#fault-{fault}", "--model", model, "--law", "accuracy",
                              "--dtype", "f32", "--cases", "10", "--allow-cut", "--seed", "3")
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertRegex(done.stdout, rf"(?m)^{model}@{right} .* holds$")
                self.assertRegex(done.stdout, rf"(?m)^{model}@{wrong} .* FAILS$")
                self.assertIn(words, done.stdout)
                again = re.search(r"^  again:  ropewalk verify (.*)$", done.stdout, re.M).group(1)
                self.assertIn(f" --seq-len {wrong} ", again)
                repeated = verify(*shlex.split(again))
                self.assertEqual(repeated.returncode, 1, repeated.stdout + repeated.stderr)
                failure = lambda text: re.search(r"^FAILS.*?^  again:", text, re.M | re.S).group(0)
                self.assertEqual(failure(done.stdout), failure(repeated.stdout))

    @unittest.skipUnless(FAULTS, "no library of faults")
    def test_github_actions_gets_annotations_and_a_summary(self):
        with tempfile.NamedTemporaryFile() as summary:
            done = verify("--model", "gpt-j-6b", "--kernel", f"library:{FAULTS}#fault-tail", "--law", "accuracy",
                          "--dtype", "f32", "--cases", "5", "--allow-cut", GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=summary.name)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stdout, r"(?m)^::error (file=[^,]+,)?title=ropewalk ")
            self.assertIn("### ropewalk verify", summary.read().decode())

    @unittest.skipUnless(KERNELS, "no library of kernels")
    def test_a_foreign_library_is_judged_by_its_promise_and_told_what_it_is_as_good_as(self):
        done = verify("--model", "gpt-neox-20b", "--kernel", f"library:{KERNELS}#cpu-table", "--dtype", "f32",
                      "--promise", "rounded-table", "--cases", "200", *LONG)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("is judged by rounded-table; f32: judged as good as: canonical (tried on ", done.stdout)

    def test_json_goes_to_standard_output_alone_and_the_table_to_stderr(self):
        done = verify(*QUICK, "--json")
        self.assertEqual(json.loads(done.stdout)["totals"]["hold"], len(LAWS))
        self.assertIn("; seed 1\n", done.stderr)
        same = verify(*QUICK, "--report", "json=-", "--quiet")
        self.assertEqual(json.loads(same.stdout)["totals"]["hold"], len(LAWS))
        self.assertEqual(same.stderr, "")
        listed = json.loads(verify("--list", "--json").stdout)
        self.assertEqual(len(LAWS), len(set(LAWS)))
        self.assertEqual({row["law"] for row in json.loads(done.stdout)["verdicts"]}, set(LAWS))
        self.assertIn("exact", [kernel["name"] for kernel in listed["kernels"]])

    def test_options_given_twice_empty_or_without_a_value_are_refused_in_one_line(self):
        for arguments, words in [(["--base", "2", "--base", "3"], "base is given 2 times"),
                                 (["--cases"], "cases is missing"), (["--seq-len", ""], "seq-len is empty"),
                                 (["--report", "json=-", "--json"], "report is json=-"),
                                 (["--report", "json=r", "--report", "junit=r"], "report is junit=r")]:
            with self.subTest(arguments):
                done = verify(*arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertRegex(done.stderr, rf"\Aropewalk: {words}; allowed: .*\n\Z")

    def test_a_name_given_twice_is_judged_once(self):
        once = verify(*QUICK, "--law", "norm")
        twice = verify(*QUICK, *QUICK[:6], "--law", "norm", "--law", "norm")
        table = lambda done: [line for line in done.stdout.splitlines() if line.startswith("f16 ")]
        self.assertEqual(len(table(once)), 1)
        self.assertEqual(table(twice), table(once))
        self.assertIn("1 verdict: 1 hold, ", twice.stdout)
        self.assertEqual(twice.stderr, once.stderr)

    def test_a_named_law_that_does_not_judge_a_named_kernel_exits_1(self):
        done = verify("--model", "gpt-neox-20b", "--kernel", "exact", "--law", "canonical", "--cases", "2", "--allow-cut")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("exact: nothing judged: it applies only to kernels that promise canonical bits\n", done.stdout)

    def test_an_attention_factor_outside_the_bounds_leaves_the_other_verdicts(self):
        for factor in ("1e-40", "1e300"):
            with self.subTest(factor), tempfile.TemporaryDirectory() as folder:
                with open(f"{folder}/config.json", "w") as file:
                    json.dump({"model_type": "llama", "head_dim": 8, "max_position_embeddings": 4096,
                               "rope_scaling": {"rope_type": "yarn", "factor": 4.0, "attention_factor": float(factor),
                                                "original_max_position_embeddings": 1024}}, file)
                done = verify("--config", folder, "--kernel", "cpu-table", "--dtype", "f32", "--dtype", "f64",
                              "--cases", "2", "--allow-cut", "--json")
                self.assertIn(done.returncode, (0, 1), done.stderr)
                found = json.loads(done.stdout)
                self.assertGreater(found["totals"]["hold"], 0)
                self.assertGreater(found["totals"]["no_bound"], 0)
                self.assertRegex(done.stderr, rf"no bound: cpu-table, .* is {factor[:2]}.*, outside .* \.\. ")

    @unittest.skipUnless(KERNELS, "no library of kernels")
    def test_exact_is_judged_as_good_as_exact(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "config.json")
            with open(path, "w") as file:
                json.dump({"model_type": "llama", "head_dim": 8, "rope_theta": 10000.0,
                           "max_position_embeddings": 4096}, file)
            done = verify("--config", path, "--kernel", f"library:{KERNELS}#exact", "--dtype", "f32", "--cases", "200",
                          *LONG)
        self.assertRegex(done.stdout, r"judged as good as: exact \(tried on [1-9]\d* cases\)")

    def test_an_ignored_interrupt_stays_ignored(self):
        program = subprocess.Popen([COMMAND, "verify", *QUICK[:-2], "40", "--allow-cut"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        while program.poll() is None:
            program.send_signal(signal.SIGINT)
            time.sleep(0.05)
        output, _ = program.communicate(timeout=60)
        self.assertEqual(program.returncode, 0, output)
        self.assertNotIn("interrupted", output)

    def test_an_interrupted_run_leaves_no_report(self):
        with tempfile.TemporaryDirectory() as folder:
            program = subprocess.Popen([COMMAND, "verify", "--kernel", "cpu-table", "--cases", "100000", "--report",
                                        f"json={folder}/v.json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(1)
            program.send_signal(signal.SIGINT)
            program.communicate(timeout=60)
            self.assertNotEqual(program.returncode, 0)
            self.assertEqual(os.listdir(folder), [])

    def test_an_interrupted_run_prints_what_it_knows(self):
        program = subprocess.Popen([COMMAND, "verify", "--kernel", "cpu-table", "--cases", "100000"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            program.communicate(timeout=1)
        except subprocess.TimeoutExpired:
            program.send_signal(2)
        output, _ = program.communicate(timeout=60)
        self.assertEqual(program.returncode, -2)
        self.assertIn("; interrupted", output)


if __name__ == "__main__":
    if "ROPEWALK_COMMAND" not in os.environ:
        sys.exit(77)
    unittest.main()
