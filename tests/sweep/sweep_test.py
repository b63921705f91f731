"""ropewalk sweep: shards, resumed and merged runs give the same bytes; damage is found; bad input is refused."""

import json
import os
import random
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from sweep_runs import COMMAND, MPIRUN, SMALL, UNITS, SweepRuns  # noqa: E402


class Merges(SweepRuns):
    def test_shards_merge_to_the_bytes_of_one_run(self):
        whole = self.whole()
        parts = []
        for number in (3, 1, 2):
            parts.append(f"shard-{number}")
            self.sweep(parts[-1], "--shard", f"{number}/3")
        self.merge("merged", *parts)
        self.assertEqual(self.results("merged"), whole)
        self.sweep("together", "--shard", "1/2")
        self.sweep("together", "--shard", "2/2")
        self.assertEqual(self.results("together"), whole)

    def test_a_unit_that_two_did_counts_once(self):
        whole = self.whole()
        self.sweep("a", "--shard", "1/2")
        self.sweep("b")
        done = self.merge("merged", "a", "b")
        self.assertIn("32 done twice and counted once", done.stdout)
        self.assertEqual(self.results("merged"), whole)
        both = [subprocess.Popen(self.command("c"), stdout=subprocess.DEVNULL) for _ in range(2)]
        self.assertEqual([one.wait() for one in both], [0, 0])
        self.assertEqual(self.results("c"), whole)

    def test_a_table_at_two_ranges_of_positions_is_whole_at_both(self):
        # Models with one table and contexts of 8192 and 2048: a unit of both is done once.
        box = ["--model", "chatglm3-6b", "--model", "gpt-j-6b", "--recipe", "recipe-f64"]
        done = self.sweep("both", "--markdown", box=box, expected=1)
        self.assertEqual([line.split(" | ")[1:3] for line in done.stdout.splitlines()[2:]],
                         [["8192", "524288"], ["2048", "131072"]])
        self.assertEqual(done.stderr, "")

    def test_merged_results_have_a_table_of_errors(self):
        box = ["--model", "pythia-1b", "--recipe", "recipe-hf-f32", "--positions", "4096"]
        alone = self.sweep("a", "--markdown", box=box, expected=1)
        merged = self.merge("merged", "a", options=["--markdown"], expected=1)
        self.assertEqual(merged.stdout, alone.stdout)
        self.assertIn("| pythia-1b | 4096 |", merged.stdout)

    def test_what_is_missing_is_said(self):
        self.sweep("a", "--shard", "1/2")
        done = self.merge("merged", "a", expected=3)
        self.assertIn("32 of 64 units are in none", done.stderr)
        self.assertFalse((self.folder / "merged" / "result.json").exists())

    def test_ranks_of_mpi_merge_to_the_bytes_of_one_run(self):
        if shutil.which("mpirun") is None:
            self.skipTest("openmpi-bin is not installed")
        self.sweep("ranks", before=[*MPIRUN, "-n", "2"])
        self.assertEqual(self.results("ranks"), self.whole())
        self.assertEqual(len(self.lines("ranks")), UNITS)


class Damage(SweepRuns):
    def test_torn_changed_and_foreign_lines_are_done_again(self):
        whole = self.whole()
        shutil.copytree(self.folder / "whole", self.folder / "damaged")
        for name in ("units.jsonl", "result.json"):
            (self.folder / "damaged" / name).unlink()
        part = next((self.folder / "damaged").glob("part-*.jsonl"))
        lines = part.read_text().split("\n")[:-1]
        lines[3] = lines[3].replace('"wrong":0', '"wrong":1', 1)
        lines[9] = "no result"
        lines[20] = ""
        part.write_text("\n".join(lines[:-1]) + "\n" + lines[-1][:100])
        done = self.sweep("damaged")
        self.assertIn("3 damaged lines left out", done.stdout)
        self.assertEqual(self.results("damaged"), whole)

    def test_two_results_of_a_unit_that_differ_fail(self):
        self.sweep("one", "--recipe", "recipe-hf-f32", box=SMALL[:6], expected=1)
        self.sweep("other", "--recipe", "recipe-ggml", box=SMALL[:6], expected=1)
        shutil.copy(next((self.folder / "other").glob("part-*")), self.folder / "one" / "part-other.jsonl")
        done = self.sweep("one", "--recipe", "recipe-hf-f32", box=SMALL[:6], expected=1)
        self.assertRegex(done.stderr, r"^ropewalk: two results of unit .* differ, in .* and in .*\n$")

    def test_other_boxes_versions_and_directories_are_refused(self):
        self.sweep("a", "--shard", "1/64")
        other = self.sweep("a", box=[*SMALL[:5], "131072"], expected=2)
        self.assertIn("output is", other.stderr)
        self.assertEqual(other.stderr.count("\n"), 1)
        about = self.folder / "a" / "sweep.json"
        about.write_text(about.read_text().replace('"ropewalk": "', '"ropewalk": "9'))
        self.assertIn("results of version", self.sweep("a", expected=2).stderr)
        (self.folder / "full").mkdir()
        (self.folder / "full" / "thesis.tex").write_text("")
        self.sweep("full", expected=2)
        self.assertEqual(os.listdir(self.folder / "full"), ["thesis.tex"])
        (self.folder / "file").write_text("")
        self.sweep("file", expected=2)
        self.merge("merged", "nowhere", expected=2)
        foreign = self.folder / "whole"
        self.sweep("whole")
        self.sweep("smaller", box=["--base", "500", "--head-dim", "16", "--positions", "4096"])
        shutil.copy(next((self.folder / "smaller").glob("part-*")), foreign / "part-foreign.jsonl")
        self.assertIn("unit in", self.sweep("whole", expected=2).stderr)

    def test_bad_options_are_refused(self):
        for options, name in ((["--shard", "0/4"], "shard"), (["--shard", "5/4"], "shard"),
                              (["--shard", "2"], "shard"), (["--budget", "-1"], "budget"),
                              (["--budget", "nan"], "budget"), (["--kernel", "none"], "kernel"),
                              (["--recipe", "none"], "recipe"), (["--table", "sinusoidal"], "table"),
                              (["--compare", "x.npy"], "compare"), (["--dtype", "f8"], "dtype"),
                              (["--kernel", "cpu-turns", "--certificates", "x"], "certificates")):
            done = self.sweep("refused", *options, expected=2)
            self.assertRegex(done.stderr, rf"^ropewalk: (no )?(kernel named|{name}) ")
            self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("output is missing", subprocess.run(
            [COMMAND, "sweep", *SMALL], capture_output=True, text=True).stderr)

    def test_a_full_disk_is_refused_and_the_run_goes_on_later(self):
        limited = subprocess.run(
            self.command("full"), capture_output=True, text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000)))
        self.assertEqual(limited.returncode, 2, limited.stderr)
        self.assertIn("output is", limited.stderr)
        self.assertIn("1 damaged lines", self.sweep("full").stdout)
        self.assertEqual(self.results("full"), self.whole())


class Kills(SweepRuns):
    def test_killed_runs_go_on(self):
        self.kill_and_resume(random.Random(1), kills=4)

    def kill_and_resume(self, chance, kills):
        whole = self.whole()
        # Long enough to be killed in its middle.
        start = time.monotonic()
        self.sweep("timed", "--threads", "1")
        length = time.monotonic() - start
        unfinished = 0
        for _ in range(kills):
            run = subprocess.Popen(self.command("killed", "--threads", "1"), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
            time.sleep(chance.random() * length * 0.6)
            run.send_signal(signal.SIGKILL)
            run.wait()
            unfinished += len(self.lines("killed")) < UNITS
        self.assertGreater(unfinished, 0)
        self.sweep("killed")
        self.assertEqual(self.results("killed"), whole)
        self.assertLessEqual(len(self.lines("killed")), UNITS + kills)
        shutil.rmtree(self.folder / "killed")

    def test_an_interrupt_ends_between_units(self):
        run = subprocess.Popen(self.command("stopped", "--threads", "1", box=[*SMALL[:4], "--positions", "33554432"]),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
        self.assertEqual(run.returncode, -signal.SIGINT, err)
        self.assertIn("units are left", err)
        self.assertIn("of 64 units done", out)

    def test_a_budget_says_what_is_left(self):
        done = self.sweep("budget", "--threads", "1", "--budget", "0.001", expected=3)
        self.assertIn("units are left", done.stderr)
        self.assertEqual(self.sweep("budget").stdout.strip().split("\n")[-1], "64 of 64 units done")


class Audits(SweepRuns):
    def test_an_audit_finds_nothing_in_honest_results(self):
        done = self.sweep("audited", "--audit")
        self.assertRegex(done.stdout, r"audit: \d+ hard cases and \d+ entries by MPFR, 4 units by phases, "
                                      r"0 differences")

    def test_certificates_are_written_and_completed(self):
        self.sweep("f32", "--certificates", str(self.folder / "made"),
                   box=[*SMALL[:4], "--positions", "65536", "--dtype", "f32"])
        self.sweep("f64", "--certificates", str(self.folder / "made"),
                   box=[*SMALL[:4], "--positions", "65536", "--dtype", "f64"])
        made = list((self.folder / "made").iterdir())
        self.assertEqual(len(made), 1)
        parts = json.loads(made[0].read_text())["parts"]
        self.assertEqual(len(parts), 2)

    def test_an_audit_of_a_file_with_cosines_alone_finds_nothing(self):
        file = self.folder / "cos.npy"
        which = ["--base", "500000", "--head-dim", "32"]
        subprocess.run([COMMAND, "table", "cos", *which, "--positions", "4096", "--output", str(file)], check=True,
                       capture_output=True)
        done = self.sweep("of_a_file", "--audit", "--table", "cos", "--compare", str(file), box=which)
        self.assertIn("0 differences", done.stdout)


class Subjects(SweepRuns):
    def test_models_of_one_table_and_other_layouts_are_each_given_to_a_kernel(self):
        # They share turns; pythia-1b is half-split, gpt-j-6b interleaved.
        done = self.sweep("layouts", "--kernel", "cpu-turns",
                          box=["--model", "pythia-1b", "--model", "gpt-j-6b", "--positions", "4096"])
        about = json.loads((self.folder / "layouts/sweep.json").read_text())
        self.assertEqual([table["models"] for table in about["box"]["tables"]], [["pythia-1b"], ["gpt-j-6b"]])
        self.assertIn("0 wrong", done.stdout)

    def test_another_kernel_of_the_same_name_is_refused(self):
        library = self.folder / "kernels.so"
        shutil.copy(os.environ["ROPEWALK_KERNELS_LIBRARY"], library)
        kernel = ["--kernel", f"library:{library}#cpu-turns"]
        self.sweep("replaced", *kernel)
        with library.open("ab") as file:
            file.write(b"another")
        self.assertIn("content is", self.sweep("replaced", *kernel, expected=2).stderr)

    def test_a_table_by_hand_is_told_the_command_that_sweeps_it(self):
        which = ["--base", "12345", "--head-dim", "64", "--scaling", '{"rope_type": "linear", "factor": 2}']
        told = json.loads(subprocess.run([COMMAND, "guarantees", *which, "--json"], capture_output=True, text=True,
                                         check=True).stdout)
        command = shlex.split(told["command"])
        self.assertEqual(command[:4], ["ropewalk", "sweep", "--base", "12345"])
        sweep = command[2:command.index("--dtype")]
        self.sweep("by_hand", box=[*sweep, "--positions", "4096"])
        about = json.loads((self.folder / "by_hand/sweep.json").read_text())
        self.assertEqual(about["box"]["tables"][0]["table"], told["table"])

    def test_a_recipe_and_a_kernel(self):
        done = self.sweep("recipe", "--recipe", "recipe-hf-f32", box=[*SMALL[:4], "--positions", "4096"], expected=1)
        self.assertIn("largest error", done.stdout)
        self.sweep("kernel", "--kernel", "cpu-table", box=[*SMALL[:4], "--positions", "4096"])

    def test_a_kernel_that_dies_ends_the_run_and_what_was_done_stays(self):
        source = os.environ["ROPEWALK_SOURCE"]
        kernel = (f"program:env PYTHONPATH={source}/src/python {sys.executable} {source}/tests/transport/misbehaving.py "
                  "segv")
        box = [*SMALL[:4], "--positions", "65536"]
        failed = self.sweep("kernel", "--kernel", kernel, "--threads", "1", box=box, expected=1).stderr
        self.assertRegex(failed, r"ended by signal 11 \(table of .*, f32, positions (\d+):\d+\) in unit .*/\1:\d+\n$")
        self.assertEqual(failed.count("\n"), 1, failed)
        self.assertGreater(len(self.lines("kernel")), 0)

    def test_a_file(self):
        file = str(self.folder / "table.npy")
        which = SMALL[:4]
        subprocess.run([COMMAND, "table", "cos", *which, "--positions", "4096", "--output", file], check=True,
                       capture_output=True)
        done = self.sweep("file", "--table", "cos", "--compare", file, box=which)
        self.assertIn("131072 entries, 0 wrong", done.stdout)
        with open(file, "r+b") as changed:
            changed.seek(1000)
            byte = changed.read(1)
            changed.seek(1000)
            changed.write(bytes([byte[0] ^ 1]))
        self.assertIn("content is", self.sweep("file", "--table", "cos", "--compare", file, box=which,
                                               expected=2).stderr)
        done = self.sweep("changed", "--table", "cos", "--compare", file, box=which, expected=1)
        self.assertIn("131072 entries, 1 wrong", done.stdout)


if __name__ == "__main__":
    unittest.main()
