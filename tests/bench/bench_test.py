#!/usr/bin/env python3
"""What ropewalk_bench lists, refuses and writes: names, intervals, errors, verdicts. Never a speed."""
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

build, source = os.environ["ROPEWALK_BUILD"], os.environ["ROPEWALK_SOURCE"]
command, faults = os.environ["ROPEWALK_COMMAND"], os.environ["ROPEWALK_FAULTS_LIBRARY"]
program = os.path.join(build, "ropewalk_bench")
if not os.path.exists(program):
    print("skipped: Google Benchmark is not here, so that ropewalk_bench was not built")
    sys.exit(77)
limits = [2048, 131072, 2**20, 2**31]
# One call of a small tensor: what is tested is what is said, not how fast anything is.
small = ["--quick", "--heads", "2", "--tokens", "8", "--dtype", "f32"]


def run(*words, of=program, **environment):
    return subprocess.run([of, *words], text=True, capture_output=True, env={**os.environ, **environment})


def listed(*words):
    return run("--benchmark_list_tests", *words).stdout.split()


def measured(*words):
    """The exit code of a run, its rows by name, and the whole record."""
    done = run(*words, "--out", "-")
    record = json.loads(done.stdout) if done.returncode < 2 else None
    return done.returncode, {row["name"]: row for row in record["benchmarks"]} if record else done.stderr, record


class Names(unittest.TestCase):
    def test_are_group_kernel_dtype_pairing_tokens_each_once(self):
        well_formed = re.compile(r"[a-z0-9-]+/[a-z0-9-]+/(f64|f32|f16|bf16|-)/(half-split|interleaved|-)/[1-9][0-9]*")
        names = listed()
        self.assertTrue(names)
        self.assertEqual([name for name in names if not well_formed.fullmatch(name)], [])
        self.assertEqual(len(names), len(set(names)))

    def test_have_each_group_that_has_a_file(self):
        groups = {name.split("/")[0] for name in listed()}
        for file in os.listdir(os.path.join(source, "bench")):
            group = file.removesuffix("_bench.cpp").replace("_", "-")
            if file.endswith("_bench.cpp") and not group.startswith("vulkan"):  # those need a device
                self.assertIn(group, groups)

    def test_have_the_kernels_that_are_compared(self):
        compared = {name.split("/")[1] for name in listed() if name.startswith("apply/")}
        self.assertLessEqual({"cpu-turns", "cpu-table", "recipe-hf-f32", "recipe-ggml", "recipe-bf16-cache",
                              "recipe-bf16-angle", "recipe-f64"}, compared)

    def test_are_filtered_by_a_regular_expression_or_its_opposite(self):
        some, others = listed("--benchmark_filter=^rows/"), listed("--benchmark_filter=-^rows/")
        self.assertEqual(some + others, [name for group in (some, others) for name in group])
        self.assertTrue(some and all(name.startswith("rows/") for name in some))
        self.assertEqual(sorted(some + others), sorted(listed()))

    def test_of_a_chosen_run_are_its_own(self):
        names = listed("--model", "qwen2.5-7b", "--kernel", "cpu-turns", "--dtype", "bf16", "--tokens", "7,64")
        self.assertEqual(names, ["apply/cpu-turns/bf16/half-split/7", "apply/cpu-turns/bf16/half-split/64",
                                 "backward/cpu-turns/bf16/half-split/7", "in-place/cpu-turns/bf16/half-split/7",
                                 "one-token/cpu-turns/bf16/half-split/1"])

    def test_of_a_quick_run_are_fewer(self):
        self.assertEqual({name.split("/")[0] for name in listed("--quick")}, {"apply"})
        self.assertEqual(listed("--quick", "--model", "qwen2.5-7b", "--kernel", "cpu-turns"),
                         [f"{group}/cpu-turns/{dtype}/half-split/{tokens}" for group, tokens in [("apply", 512), ("one-token", 1)]
                          for dtype in ["f32", "bf16"]])

    def test_of_a_library_are_its_file_s_and_its_kernel_s(self):
        names = listed(*small, "--kernel", f"library:{faults}#fault-tail")
        self.assertRegex(names[0], r"^apply/[\w.+:-]*libropewalk_faults\.so:fault-tail/f32/half-split/8$")


class Rows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        wanted = "^one-token/(cpu-turns|cpu-table|recipe-hf-f32)/f32/half-split/1/"
        cls.code, cls.rows, cls.record = measured("--benchmark_filter", wanted)

    def test_are_those_of_the_filter(self):
        self.assertEqual(self.code, 0)
        self.assertEqual(set(self.rows), {f"one-token/{kernel}/f32/half-split/1"
                                          for kernel in ["cpu-turns", "cpu-table", "recipe-hf-f32"]})

    def test_have_rounds_in_several_repetitions_and_an_interval(self):
        for row in self.rows.values():
            self.assertGreaterEqual(len(row["rounds"]), 3)
            self.assertGreaterEqual(sum(map(len, row["rounds"])), 9)
            for of in (row["seconds"], row["ratio"]):
                self.assertTrue(0 < of["low"] <= of["median"] <= of["high"], row["name"])
            ratios = sorted(work / other for repetition in row["rounds"] for work, other in repetition)
            self.assertAlmostEqual(row["ratio"]["median"], ratios[len(ratios) // 2])
            self.assertEqual(row["bytes"], 2 * 32 * 128 * 4)
            self.assertAlmostEqual(row["bytes_per_second"] * row["seconds"]["median"] / row["bytes"], 1)

    def test_have_errors_below_each_limit(self):
        for name, row in self.rows.items():
            self.assertEqual([error["limit"] for error in row["errors"]], limits)
            for error in row["errors"]:
                rounds = error["correctly_rounded"] == 1 and error["ulp"] <= 0.5
                self.assertEqual(rounds, "recipe" not in name, name)
                self.assertTrue(0 < error["distance"] <= 2.001)

    def test_say_what_their_result_was(self):
        for name, row in self.rows.items():
            self.assertRegex(row["check"], "bound" if "recipe" in name else "^the canonical bits in [0-9]+ pairs$")
            self.assertFalse(row["is_wrong"])

    def test_have_a_ceiling_and_a_share_of_it(self):
        levels = {one["level"] for one in self.record["ceilings"]}
        self.assertIn("memory", levels)
        for row in self.rows.values():
            self.assertIn(row["ceiling"], levels if "L1" in levels else {"", *levels})  # "": caches unstated
            self.assertEqual((row["share"] or 0) > 0, row["ceiling"] != "")

    def test_say_who_measured_where(self):
        for key in ["ropewalk", "compiler", "processor", "processors", "targets", "command", "date"]:
            self.assertTrue(self.record["context"][key], key)


class Chosen(unittest.TestCase):
    def test_a_configuration_has_its_own_heads_and_rule(self):
        with open(os.path.join(source, "src/model/catalogue/llama-3.1-8b.json"), encoding="utf-8") as catalogue:
            config = json.load(catalogue)
        config.update(num_attention_heads=4, num_key_value_heads=2)
        with tempfile.TemporaryDirectory() as work:
            with open(os.path.join(work, "config.json"), "w", encoding="utf-8") as file:
                json.dump(config, file)
            code, rows, _ = measured("--quick", "--config", work, "--tokens", "3", "--batch", "2", "--dtype", "bf16",
                                     "--kernel", "cpu-turns")
        self.assertEqual(code, 0)
        row = rows["apply/cpu-turns/bf16/half-split/3"]
        self.assertEqual((row["heads"], row["kv_heads"], row["batch"], row["model"]), (4, 2, 2, work))
        self.assertEqual(row["bytes"], 2 * 2 * 3 * (4 + 2) * 128 * 2)
        for one in rows.values():
            self.assertRegex(one["check"], "^the canonical bits", one["name"])

    def test_a_kernel_that_breaks_its_promise_is_wrong(self):
        code, rows, _ = measured(*small, "--kernel", f"library:{faults}#fault-tail", "cpu-turns")
        self.assertEqual(code, 1)
        for name, row in rows.items():
            self.assertEqual(row["is_wrong"], "fault-tail" in name, name)
            self.assertEqual(row["check"].startswith("WRONG: "), "fault-tail" in name, name)
            self.assertEqual(row["role"], "given" if "fault-tail" in name else "canonical")
        told = run(*small, "--kernel", f"library:{faults}#fault-tail", "--benchmark_filter", "^apply/")
        self.assertIn("WRONG: ", told.stdout)

    def test_a_partly_rotated_head_passes_channels_through(self):
        _, rows, _ = measured(*small, "--base", "10000", "--head-dim", "64", "--rotary-dim", "32", "--kernel", "cpu-turns")
        for row in rows.values():
            self.assertRegex(row["check"], "^the canonical bits", row["name"])

    @unittest.skipUnless(importlib.util.find_spec("numpy"), "numpy is not installed")
    def test_a_program_s_times_are_its_own_or_none(self):
        python = f"env PYTHONPATH={source}/src/python {sys.executable} {source}/tests/transport/"
        apply = ["--benchmark_filter", "^apply/"]
        _, rows, _ = measured(*small, *apply, "--kernel", f"program:{python}numpy_rope.py")
        (row,) = rows.values()
        self.assertRegex(row["clock"], "perf_counter.*in the program")
        self.assertGreater(row["seconds"]["median"], 0)
        self.assertRegex(row["check"], "^within its bound")
        self.assertEqual([error["is_served"] for error in row["errors"]], [True] * 4)
        _, rows, _ = measured(*small, *apply, "--kernel", f"program:{python}timed_kernels.py#offers-none")
        (row,) = rows.values()
        self.assertEqual((row["not_timed"], row["seconds"]["median"], row["rounds"]),
                         ("not timed: the program has no `time` request", None, []))
        self.assertTrue(row["is_wrong"])  # it turns nothing
        self.assertEqual(row["errors"][3]["distance"] > 1, True)


class OnAxes(unittest.TestCase):
    """Tokens that stand on the axes of a picture or a video."""
    video = ["--model", "wan-2.1-14b", "--grid", "3x5x7", "--heads", "2", "--dtype", "f32", "--quick"]

    def test_a_call_has_the_tokens_of_the_grid(self):
        self.assertEqual(listed(*self.video, "--kernel", "cpu-turns"), ["apply/cpu-turns/f32/interleaved/105"])
        code, rows, _ = measured(*self.video, "--kernel", "cpu-turns", "cpu-table", "recipe-hf-f32")
        self.assertEqual(code, 0)
        for name, row in rows.items():
            self.assertEqual((row["tokens"], row["model"], row["bytes"]),
                             (105, "wan-2.1-14b, --grid 3x5x7", 2 * 105 * 2 * 128 * 4))
            (error,) = row["errors"]
            self.assertEqual((error["limit"], error["is_served"]), (0, True))
            is_canonical = "recipe" not in name
            self.assertEqual(error["correctly_rounded"] == 1 and error["ulp"] <= 0.5, is_canonical, name)
            self.assertTrue(0 < error["distance"] < 1e-5)
            self.assertRegex(row["check"], "^the canonical bits in 512 pairs$" if is_canonical else "^within its bound")

    def test_exact_zeros_have_no_unit_in_the_last_place(self):
        _, rows, _ = measured("--model", "ltx-video", "--grid", "1x2x2", "--heads", "1", "--dtype", "f32", "--quick", "--kernel", "cpu-turns")
        (row,) = rows.values()  # 44 cosines are 0
        self.assertLessEqual(row["errors"][0]["ulp"], 0.5)

    def test_a_kernel_that_exchanges_axes_is_wrong(self):
        code, rows, _ = measured(*self.video, "--kernel", f"library:{faults}#fault-axis-exchanged")
        self.assertEqual(code, 1)
        (row,) = rows.values()
        self.assertTrue(row["is_wrong"])
        self.assertGreater(row["errors"][0]["distance"], 1)
        told = run(*self.video, "--kernel", f"library:{faults}#fault-axis-exchanged")
        self.assertIn("/memcpy  95 % interval       ulp  off by", told.stdout)
        self.assertIn("WRONG", told.stdout)

    @unittest.skipUnless(importlib.util.find_spec("numpy"), "numpy is not installed")
    def test_positions_are_those_of_a_file_whole_or_real(self):
        import numpy
        with tempfile.TemporaryDirectory() as work:
            for dtype in ("int64", "float64"):
                file = os.path.join(work, dtype + ".npy")
                numpy.save(file, (numpy.arange(3 * 40).reshape(3, 40) / (1 if dtype == "int64" else 7)).astype(dtype))
                on = ["--axes", "wan", "--positions", file, "--heads", "2", "--dtype", "f32", "--quick"]
                code, rows, _ = measured(*on, "--kernel", "cpu-turns", "recipe-hf-f32")
                self.assertEqual(code, 0, rows)
                for name, row in rows.items():
                    self.assertEqual(row["tokens"], 40)
                    if dtype == "float64" and "recipe" in name:
                        self.assertEqual(row["not_timed"], "not served: the kernel serves only whole positions")
                    if "cpu-turns" in name:
                        self.assertRegex(row["check"], "^the canonical bits")
                        self.assertLessEqual(row["errors"][0]["ulp"], 0.5)

    def test_runs_of_other_tokens_are_not_compared(self):
        with tempfile.TemporaryDirectory() as work:
            files = [os.path.join(work, name) for name in ("a.json", "b.json")]
            for file, grid in zip(files, ("3x5x7", "5x3x7")):
                run(*self.video[:3], grid, *self.video[4:], "--kernel", "cpu-turns", "--out", file)
            self.assertEqual(run("--compare", files[0], files[0]).returncode, 0)
            other = run("--compare", *files)
            self.assertEqual(other.returncode, 2)
            self.assertIn("--grid 5x3x7", other.stderr)

    def test_what_cannot_be_is_refused(self):
        for words, said in [([*self.video, "--tokens", "8"], "tokens is 8; allowed: none with --grid or --positions"),
                            ([*self.video, "--positions", "8"], "positions is 8; allowed: none with --grid"),
                            (["--axes", "wan"], "positions is missing; allowed: FILE.npy with the positions of tokens"),
                            (["--model", "wan-2.1-14b"], "positions is missing; allowed: FILE.npy, or --grid"),
                            (["--model", "llama-3.1-8b", "--grid", "4x4"], "whose tokens are counted")]:
            done = run(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(said, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)


class Refusals(unittest.TestCase):
    def test_name_the_option_its_value_and_what_is_allowed(self):
        for words, said in [(["nonsense"], "argument is nonsense"), (["--out"], "out is missing"),
                            (["--benchmark_nonsense=1"], "no option named '--benchmark_nonsense'"),
                            (["--benchmark_filter=nothing-is-called-so"], "benchmark_filter is nothing-is-called-so"),
                            (["--benchmark_filter=("], "an ECMAScript regular expression"), (["--tokens", "0"], "tokens is 0"),
                            (["--tokens", "512,"], "tokens is 512,"), (["--tokens", "9" * 30], "tokens is 999"),
                            (["--heads", "0"], "heads is 0"), (["--kv-heads", "-1"], "kv-heads is -1"),
                            (["--batch", "x"], "batch is x"), (["--dtype", "f8"], "dtype is f8"),
                            (["--dtype", "f32,bf16"], "--dtype f32 bf16"), (["--model", "nope"], "no model named 'nope'"),
                            (["--kernel", "nope"], "no kernel named 'nope'"),
                            (["--kernel", "cpu-alibi-add"], "a run without --kernel times additions"),
                            (["--kernel", "cpu-turns", "--device", "0"], "device is 0; allowed: only with a Vulkan kernel"),
                            (["--kernel", "files:there"], "library: or program:"),
                            (["--kernel", "library:/no/such.so"], "library:/no/such.so"),
                            (["--out", "/no/such/folder/b.json", *small], "output is /no/such/folder/b.json"),
                            (["--pairing", "sideways"], "pairing is sideways")]:
            done = run(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(said, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_memory_that_is_not_there_is_missing(self):
        done = run("--tokens", "2000000000", "--kernel", "cpu-turns")
        self.assertEqual(done.returncode, 3)
        self.assertIn("fewer --tokens", done.stderr)

    def test_a_file_appears_whole_or_not_at_all(self):
        with tempfile.TemporaryDirectory() as work:
            run(*small, "--out", os.path.join(work, "b.json"), "--kernel", "nope")
            self.assertEqual(os.listdir(work), [])
            done = run(*small, "--out", os.path.join(work, "b.json"), "--kernel", "cpu-turns", "--benchmark_filter=^apply/")
            self.assertEqual(os.listdir(work), ["b.json"])
            self.assertIn("cpu-turns", done.stdout)


class Program(unittest.TestCase):
    def test_is_what_ropewalk_bench_runs(self):
        for words in [["--benchmark_list_tests"], ["--benchmark_list_tests", "--benchmark_filter", "^rows/", "--out", "models"],
                      ["--tokens", "0"]]:
            own, direct = run("bench", *words, of=command), run(*words)
            self.assertEqual((own.returncode, own.stdout, own.stderr), (direct.returncode, direct.stdout, direct.stderr))

    def test_its_options_are_in_the_help_and_completed(self):
        for flag in ["-h", "--help"]:
            self.assertIn("group/kernel/dtype/pairing/tokens", run("bench", flag, of=command).stdout)
        self.assertEqual(run("complete", "bench", "--kv", of=command).stdout.split("\t")[0].strip(), "--kv-heads")

    def test_is_found_beside_the_program_or_in_libexec_or_its_package_is_named(self):
        with tempfile.TemporaryDirectory() as work:
            alone = os.path.join(work, "bin", "ropewalk")
            os.makedirs(os.path.dirname(alone))
            shutil.copy(command, alone)
            missing = run("bench", "--quick", of=alone)
            self.assertEqual(missing.returncode, 3)
            self.assertIn("ropewalk-bench", missing.stderr)
            os.makedirs(os.path.join(work, "libexec", "ropewalk"))
            shutil.copy(program, os.path.join(work, "libexec", "ropewalk"))
            found = run("bench", "--benchmark_list_tests", "--benchmark_filter=^rows/", of=alone)
            self.assertEqual(found.stdout.split(), listed("--benchmark_filter=^rows/"))


if __name__ == "__main__":
    unittest.main()
