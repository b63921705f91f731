#!/usr/bin/env python3
"""Report files of real runs are what their readers accept, name the same failures, and are whole or not there."""
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml

import validate

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "output"))
import unfinished_files  # noqa: E402

COMMAND, FAULTS = os.environ.get("ROPEWALK_COMMAND", ""), os.environ.get("ROPEWALK_FAULTS_LIBRARY", "")
SOURCE = pathlib.Path(os.environ["ROPEWALK_SOURCE"])
# As the command line holds bytes: a name in which each format has a meaning of its own.
HOSTILE = os.fsdecode(b"a|b`c``<b>&amp;\"'{0}]]>\\|[x](y)\n::error::\x1b[31m\xff\xc3\xbc.so")
FAILING = ["--law", "accuracy", "--law", "norm", "--dtype", "f32", "--cases", "5", "--allow-cut"]
HOLDING = ["--kernel", "cpu-table", "--model", "gpt-j-6b", "--dtype", "f16", "--law", "norm", "--cases", "2", "--allow-cut"]
KINDS = ("json", "junit", "sarif", "markdown")


def verify(place, *arguments, **environment):
    if "--seed" not in arguments:  # the same cases each time
        arguments = ("--seed", "1", *arguments)
    plain = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    return subprocess.run([COMMAND, "verify", *arguments], cwd=place, capture_output=True, timeout=250,
                          env={**plain, **environment})


def reports(place, *arguments, **environment):
    """Runs `verify` with a report of each kind: its exit code, and the files by kind."""
    files = {kind: pathlib.Path(place, f"report.{kind}") for kind in KINDS}
    done = verify(place, *arguments, *(f"--report={kind}={file}" for kind, file in files.items()), **environment)
    return done, files


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = pathlib.Path(folder.name)

    def assert_valid(self, files):
        for kind, file in files.items():
            self.assertEqual(validate.faults_of(kind, file), [], kind)

    def failing(self, name, fault="fault-tail"):
        """A library of that name with a faulty kernel, and a model's configuration, in the test's folder."""
        shutil.copy(FAULTS, self.place / name)
        shutil.copy(SOURCE / "src/model/catalogue/gpt-j-6b.json", self.place / "config.json")
        return ["--kernel", f"library:./{name}#{fault}", "--config", "config.json", *FAILING]

    def test_kernels_tables_and_additions_that_hold(self):
        done, files = reports(self.place, "--cases", "1", "--allow-cut", "--kernel", "cpu-table", "--kernel", "cpu-sinusoidal-add",
                              "--kernel", "cpu-alibi-add", "--dtype", "f32")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assert_valid(files)
        sarif = json.loads(files["sarif"].read_text())["runs"][0]
        self.assertEqual((sarif["results"], sarif["invocations"][0]["exitCode"]), ([], 0))
        ids = {rule["id"] for rule in sarif["tool"]["driver"]["rules"]}
        self.assertLess({"rotation/accuracy", "addition/accuracy"}, ids)
        self.assertIn("### ropewalk verify: holds\n", files["markdown"].read_text())

    def test_own_tables_with_their_laws(self):
        done, files = reports(self.place, "--cases", "1", "--allow-cut", "--law", "falling", "--law", "never-decreasing")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assert_valid(files)
        rules = json.loads(files["sarif"].read_text())["runs"][0]["tool"]["driver"]["rules"]
        self.assertEqual({rule["id"] for rule in rules}, {"table/falling", "table/never-decreasing"})

    def test_a_failure_is_the_same_in_every_report(self):
        done, files = reports(self.place, *self.failing("mine.so"))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assert_valid(files)
        report = json.loads(files["json"].read_text())
        self.assertEqual(report["exit_code"], 1)
        failed = [one for one in report["verdicts"] if one["verdict"] == "FAILS"]
        self.assertTrue(failed)
        self.assertEqual({one["file"] for one in failed}, {"./mine.so"})
        run = json.loads(files["sarif"].read_text())["runs"][0]
        self.assertEqual(len(run["results"]), len(failed))
        for one, result in zip(failed, run["results"]):
            self.assertEqual(result["ruleId"], f"rotation/{one['law']}")
            self.assertIn(one["counterexample"], result["message"]["text"])
            place = result["locations"][0]["physicalLocation"]["artifactLocation"]
            self.assertEqual(place, {"uri": "mine.so", "uriBaseId": "%SRCROOT%"})
        failures = xml.parse(files["junit"]).getroot().findall(".//failure")
        self.assertEqual([one.text for one in failures], [one["counterexample"] for one in failed])
        page = validate.rendered(files["markdown"].read_bytes())
        self.assertEqual([row[3] for row in page.rows if row[-1] == "FAILS"], [one["law"] for one in failed])
        sentence = report["diagnoses"][0]["sentence"]
        self.assertTrue(any(sentence in item for item in page.items), page.items)
        self.assertIn(report["command"], "".join(page.blocks))
        for one in failed:
            self.assertTrue(any(one["counterexample"] in block for block in page.blocks))

    def test_a_table_that_fails_beside_one_that_holds(self):
        for name in ("good.npy", "bad.npy"):
            subprocess.run([COMMAND, "table", "cos", "--model", "llama-3.1-8b", "--dtype", "f32", "--positions", "64",
                            "--output", self.place / name, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        with open(self.place / "bad.npy", "r+b") as file:
            file.seek(-4, os.SEEK_END)
            file.write(struct.pack("<f", 0.25))
        done, files = reports(self.place, "--table", "good.npy", "bad.npy", "--as", "cos", "--model", "llama-3.1-8b")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assert_valid(files)
        report = json.loads(files["json"].read_text())
        self.assertEqual([(one["array"], one["entries"] - one["correctly_rounded"]) for one in report["arrays"]],
                         [("good.npy", 0), ("bad.npy", 1)])
        result, = json.loads(files["sarif"].read_text())["runs"][0]["results"]
        self.assertEqual(result["ruleId"], "table/rounded-once")
        self.assertEqual(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "bad.npy")
        page = validate.rendered(files["markdown"].read_bytes())
        self.assertEqual([row[0] for row in page.rows if row[-1] == "FAILS"], ["bad.npy"])
        self.assertTrue(any("good.npy, cos of llama-3.1-8b: 4096 entries, each correctly rounded" in block
                            for block in page.blocks), page.blocks)

    def test_a_fingerprint_outlives_the_seed_and_the_folder(self):
        def prints(folder, *arguments):
            place = self.place / folder
            place.mkdir()
            for name in ("mine.so", "config.json"):
                shutil.copy(self.place / name, place)
            _, files = reports(place, *asked, *arguments)
            run = json.loads(files["sarif"].read_text())["runs"][0]
            return {one["ruleId"]: one["partialFingerprints"]["primaryLocationLineHash"] for one in run["results"]}
        asked = self.failing("mine.so")
        first, second = prints("one"), prints("two", "--seed", "9")
        self.assertTrue(first)
        self.assertEqual(first, second)

    def test_a_hostile_name_stays_text(self):
        done, files = reports(self.place, *self.failing(HOSTILE), GITHUB_ACTIONS="true",
                              GITHUB_STEP_SUMMARY=str(self.place / "summary.md"))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assert_valid(files)
        self.assertEqual(validate.faults_of("markdown", self.place / "summary.md"), [])
        shown = HOSTILE.encode("utf-8", "surrogateescape").replace(b"\n", rb"\n").replace(b"\x1b", rb"\x1b")
        shown = f"./{shown.replace(bytes([0xff]), bytes(r'{}xff'.format(chr(92)), 'ascii')).decode()}:fault-tail"
        page = validate.rendered(files["markdown"].read_bytes())
        self.assertIn(shown, {row[0] for row in page.rows})
        self.assertIn(b"; fault-tail, config.json\n", done.stdout)
        self.assertTrue(any(shown in title for title in page.summaries), page.summaries)
        commands = [line for line in done.stdout.splitlines() if line.startswith(b"::")]
        self.assertTrue(commands)
        for line in commands:
            self.assertTrue(line.startswith(b"::error file="), line)

    def test_a_configuration_is_the_file_of_a_built_in_kernels_results(self):
        (self.place / "two words").mkdir()
        shutil.copy(SOURCE / "src/model/catalogue/gpt-j-6b.json", self.place / "two words/config.json")
        _, files = reports(self.place, "--kernel", "cpu-table", "--config", "two words", "--dtype", "f16", "--law",
                           "norm", "--cases", "2", "--allow-cut")
        self.assert_valid(files)
        self.assertEqual(json.loads(files["json"].read_text())["verdicts"][0]["file"], "two words/config.json")

    def test_one_report_to_standard_output_is_all_of_it(self):
        for kind in KINDS:
            with self.subTest(kind):
                done = verify(self.place, *HOLDING, "--report", f"{kind}=-", GITHUB_ACTIONS="true")
                self.assertEqual(done.returncode, 0, done.stderr)
                (self.place / kind).write_bytes(done.stdout)
                self.assertEqual(validate.faults_of(kind, self.place / kind), [])

    def test_an_interrupted_run_leaves_no_file(self):
        stops = [signal.SIGINT]
        if unfinished_files.are_without_name_in(self.place):
            stops.append(signal.SIGKILL)
        for stop in stops:
            program = subprocess.Popen([COMMAND, "verify", "--kernel", "cpu-table", "--cases", "100000",
                                        *(f"--report={kind}={kind}" for kind in KINDS)], cwd=self.place,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            while unfinished_files.held_by(program, self.place) < len(KINDS):
                self.assertIsNone(program.poll())
                time.sleep(0.01)
            program.send_signal(stop)
            program.communicate(timeout=60)
            self.assertEqual((program.returncode, os.listdir(self.place)), (-stop, []))

    def test_the_schema_refuses_what_it_does_not_describe(self):
        done = verify(self.place, *HOLDING, "--json")
        report = json.loads(done.stdout)
        self.assertEqual(validate.by_schema("json", report), [])
        verdict = report["verdicts"][0]
        for change in ({"schema": "urn:ropewalk:verify-report:0"}, {"new": 1}, {"totals": {}}, {"exit_code": 2},
                       {"verdicts": [{**verdict, "new": 1}]}, {"verdicts": [{**verdict, "verdict": "FAILS"}]},
                       {"verdicts": [{**verdict, "worst_ratio": "inf"}]}, {"cut": ""}):
            self.assertTrue(validate.by_schema("json", {**report, **change}), change)

    def test_every_field_of_the_schema_is_described_in_a_sentence(self):
        schema = json.loads(validate.schemas["json"].read_text(encoding="utf-8"))
        for part in [schema, *schema["$defs"].values()]:
            for name, field in part.get("properties", {}).items():
                self.assertRegex(field.get("description", ""), r"^[A-Z`].*\.$", name)


if __name__ == "__main__":
    if not COMMAND or not FAULTS:
        sys.exit(77)
    unittest.main()
