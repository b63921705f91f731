#!/usr/bin/env python3
"""ropewalk.holds: pytest makes a test of each law and dtype of a function, and they share one verification."""
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

import needs

needs.modules("numpy", "pytest")
sys.path.insert(0, needs.environment["PYTHONPATH"])
import ropewalk  # noqa: E402

GIVEN = '''
import os
import ropewalk
from rotated import rotated

FEW = {"model": "llama-3.1-8b", "promise": "angle-f64", "cases": 20, "seed": 1, "options": ["--allow-cut"]}

def off_by_one(query, positions, encoding, backward):
    rotated(query, positions + 1, encoding, backward)
'''


class Run:
    """One run of pytest: its text, the outcome and the text of each test, and what the program was asked to verify."""

    def __init__(self, here, code, *words):
        (here / "test_it.py").write_text(GIVEN + code)
        log, program = here / "log", here / "program"
        log.write_text("")
        program.write_text(f'#!/bin/sh\n[ "$1" != verify ] || echo "$*" >>{shlex.quote(str(log))}\nexec {shlex.quote(needs.command)} "$@"\n')
        program.chmod(0o755)
        environment = {**needs.environment, "ROPEWALK_COMMAND": str(program), "PYTHONPATH": f"{needs.environment['PYTHONPATH']}:{needs.here}"}
        done = subprocess.run([sys.executable, "-m", "pytest", "-p", "ropewalk_pytest", "-p", "no:cacheprovider", "-rs", "--junitxml=out.xml",
                               *words, "test_it.py"],
                              cwd=here, capture_output=True, text=True, env=environment)
        self.text, self.code = done.stdout + done.stderr, done.returncode
        self.verified = [line for line in log.read_text().splitlines() if "--list" not in line]
        self.outcomes, self.texts = {}, {}
        for case in ElementTree.parse(here / "out.xml").iter("testcase"):
            found = next((node for node in case if node.tag in ("failure", "error", "skipped")), None)
            self.outcomes[case.attrib["name"]] = "passed" if found is None else found.tag
            self.texts[case.attrib["name"]] = "" if found is None else (found.text or "") + found.attrib["message"]

    def of(self, outcome):
        return {name for name, one in self.outcomes.items() if one == outcome}


class Holds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.here = pathlib.Path(folder.name)

    def run_with(self, code, *words):
        return Run(self.here, code, *words)

    def test_each_law_and_dtype_is_a_test_and_one_verification_serves_all(self):
        run = self.run_with("my_rope = ropewalk.holds(**FEW, dtypes=['f32', 'float16'])(rotated)\n"
                            "def test_other(): pass\n")
        listed = json.loads(subprocess.run([needs.command, "verify", "--list", "--json"], capture_output=True, text=True).stdout)
        laws = [law["name"] for law in listed["laws"]]
        self.assertEqual(list(run.outcomes), [f"my_rope[{law}-{dtype}]" for law in laws for dtype in ("f32", "f16")] + ["test_other"])
        self.assertEqual((run.code, run.of("failure") | run.of("error")), (0, set()), run.text)
        self.assertLess({f"my_rope[{law}-{dtype}]" for law in ("accuracy", "norm", "sizes") for dtype in ("f32", "f16")}, run.of("passed"))
        self.assertEqual(len(run.verified), 1)
        self.assertNotIn("--law", run.verified[0])

    def test_what_is_not_judged_is_skipped_with_the_reason(self):
        run = self.run_with("my_rope = ropewalk.holds(**FEW, dtypes=['f32'])(rotated)\n")
        for law, reason in {"layouts": "not served: layouts: no other layout is served", "own-axis": "not asked: ",
                            "canonical": "not asked: the promise, the model or the options leave it out", "extrapolation": "measured"}.items():
            self.assertEqual(run.outcomes[f"my_rope[{law}-f32]"], "skipped")
            self.assertIn(f"{law} in f32: {reason}", run.text)
        # Of a law that pytest's selection names, the program says why.
        run = self.run_with("my_rope = ropewalk.holds(**FEW, dtypes=['f32'])(rotated)\n", "-k", "canonical or norm")
        self.assertEqual((run.code, run.outcomes), (0, {"my_rope[canonical-f32]": "skipped", "my_rope[norm-f32]": "passed"}), run.text)
        self.assertIn("canonical in f32: it applies only to kernels that promise canonical bits", run.text)
        # Where nothing that is selected is served, that is no failure, but where nothing at all is served it is.
        run = self.run_with("my_rope = ropewalk.holds(**FEW, dtypes=['f32'])(rotated)\n", "-k", "layouts")
        self.assertEqual(run.outcomes, {"my_rope[layouts-f32]": "skipped"}, run.text)
        run = self.run_with("my_rope = ropewalk.holds(**FEW, dtypes=['f32'], laws=['layouts'])(rotated)\n")
        self.assertEqual(run.outcomes, {"my_rope[layouts-f32]": "failure"}, run.text)
        # One that the function's own author names is not passed over.
        run = self.run_with("my_rope = ropewalk.holds(**FEW, dtypes=['f32'], laws=['canonical', 'norm'])(rotated)\n")
        self.assertEqual(run.outcomes, {"my_rope[canonical-f32]": "failure", "my_rope[norm-f32]": "passed"})

    def test_a_planted_fault_fails_the_laws_that_it_breaks_with_case_and_cause(self):
        run = self.run_with("@ropewalk.holds(**FEW, dtypes=['f32'], positions=[0, 131072])\n"
                            "def my_rope(query, positions, encoding, backward):\n    off_by_one(query, positions, encoding, backward)\n",
                            "-k", "accuracy or norm or identity")
        self.assertEqual(run.outcomes, {"my_rope[accuracy-f32]": "failure", "my_rope[norm-f32]": "passed", "my_rope[identity-f32]": "failure"})
        self.assertEqual(run.code, 1)
        for law, statement in {"accuracy": "every pair is a R(t) x", "identity": "position 0 multiplies by a and does nothing else"}.items():
            text = run.texts[f"my_rope[{law}-f32]"]
            self.assertIn(f"FAILS my-rope, llama-3.1-8b, f32, {law}: {statement}\n  smallest case found ", text)
            self.assertIn(f"  again:  ropewalk.check(my_rope, model='llama-3.1-8b', laws=['{law}'], ", text)
            self.assertIn("cause: my-rope: every position is taken as the one after it: off by one", text)
            self.assertNotIn("RELAY", text)
        self.assertEqual(run.text.count("FAIL: 1 of 3 verdicts hold, 2 fail"), 1)  # the report, with the first of them

    def test_a_selection_of_tests_is_asked_alone(self):
        run = self.run_with("my_rope = ropewalk.holds(**FEW)(rotated)\n", "--ropewalk-budget", "7", "-k", "norm-f32")
        self.assertEqual(run.outcomes, {"my_rope[norm-f32]": "passed"}, run.text)
        self.assertRegex(run.verified[0], r"--budget 7 .*--law norm --allow-cut --dtype f32 ")
        run = self.run_with("my_rope = ropewalk.holds(**FEW)(rotated)\ndef test_other(): pass\n", "-m", "not ropewalk", "--strict-markers")
        self.assertEqual((run.outcomes, run.verified), ({"test_other": "passed"}, []))

    def test_a_function_of_two_names_and_in_two_files_is_verified_once(self):
        (self.here / "other.py").write_text("from test_it import rotated\n")
        run = self.run_with("test_rope = ropewalk.holds(**FEW, dtypes=['f32'], laws=['norm'])(rotated)\n", "other.py")
        self.assertEqual(run.outcomes, {"test_rope[norm-f32]": "passed", "rotated[norm-f32]": "passed"}, run.text)
        self.assertEqual(len(run.verified), 1)

    def test_a_worker_of_xdist_asks_each_law_by_itself(self):
        (self.here / "conftest.py").write_text("def pytest_collection_finish(session): session.config.workerinput = {}\n")
        run = self.run_with("my_rope = ropewalk.holds(**FEW, dtypes=['f32'], laws=['norm', 'identity'])(rotated)\n")
        self.assertEqual(run.outcomes, {"my_rope[norm-f32]": "passed", "my_rope[identity-f32]": "passed"}, run.text)
        self.assertEqual(["--law norm " in line for line in run.verified], [True, False])

    def test_too_little_is_no_pass(self):
        run = self.run_with("my_rope = ropewalk.holds(**{**FEW, 'options': []}, dtypes=['f32'], laws='norm')(rotated)\n")
        self.assertEqual(run.outcomes, {"my_rope[norm-f32]": "failure"})
        self.assertRegex(run.text, r"rotated, llama-3\.1-8b, f32, norm: not judged: ran 20 of \d+ cases\nMore time may judge it: budget=")

    def test_a_function_that_ends_its_process_or_raises_fails(self):
        run = self.run_with("@ropewalk.holds(**FEW, dtypes=['f32'], laws=['norm'])\ndef ends(query):\n    os._exit(0)\n\n"
                            "@ropewalk.holds(**FEW, dtypes=['f32'], laws=['norm'])\ndef raises(query):\n    raise KeyError('gone')\n")
        self.assertEqual(run.of("failure"), {"ends[norm-f32]", "raises[norm-f32]"}, run.text)
        self.assertIn("ended with exit code 0", run.text)
        self.assertIn("KeyError: 'gone'", run.texts["raises[norm-f32]"])

    def test_a_run_that_fails_as_a_whole_fails_its_tests(self):
        run = self.run_with("options = ['--allow-cut', '--skip-law', 'norm=time', '--fail-on', 'skipped']\n"
                            "rope = ropewalk.holds(**{**FEW, 'options': options}, dtypes=['f32'])(rotated)\n", "-k", "norm or identity")
        self.assertEqual(run.outcomes, {"rope[norm-f32]": "failure", "rope[identity-f32]": "failure"}, run.text)
        self.assertRegex(run.texts["rope[identity-f32]"], "^the verification fails as a whole:\n.*norm")

    def test_several_above_one_function_have_names_of_their_own(self):
        few = "{**FEW, 'laws': ['norm'], 'dtypes': ['f32']}"
        run = self.run_with(f"few = {few}\n"
                            "by_model = ropewalk.holds(**few)(ropewalk.holds(**{**few, 'model': 'qwen3-8b'})(rotated))\n"
                            "@ropewalk.holds(**few)\n@ropewalk.holds(**few)\n"
                            "def alike(query, positions, encoding, backward):\n    off_by_one(query, positions, encoding, backward)\n")
        names = [f"{name}-norm-f32]" for name in ("by_model[llama-3.1-8b", "by_model[qwen3-8b", "alike[1", "alike[2")]
        self.assertEqual(run.of("passed"), set(names), run.text)

    def test_the_call_that_repeats_a_case_names_the_function_as_its_file_does(self):
        run = self.run_with("def adapter(function):\n"
                            "    def adapted(query, positions, encoding, backward): function(query, positions, encoding, backward)\n"
                            "    adapted.written = 'adapter(wrong)'\n    return adapted\n\n"
                            "@ropewalk.holds(**FEW, dtypes=['f32'], laws=['accuracy'])\n@adapter\n"
                            "def wrong(query, positions, encoding, backward):\n    off_by_one(query, positions, encoding, backward)\n")
        self.assertIn("  again:  ropewalk.check(wrong, model=", run.texts["wrong[accuracy-f32]"])

    def test_a_function_may_stand_in_a_class(self):
        run = self.run_with("class TestIt:\n    @staticmethod\n    @ropewalk.holds(**FEW, dtypes=['f32'], laws=['norm'])\n"
                            "    def inside(query, positions, encoding, backward):\n        rotated(query, positions, encoding, backward)\n"
                            "    @ropewalk.holds(**FEW, dtypes=['f32'], laws=['norm'])\n    def of_self(self, query):\n        pass\n")
        self.assertEqual(run.outcomes, {"inside[norm-f32]": "passed", "of_self": "failure"}, run.text)
        self.assertIn("whose self is nothing that is given", run.texts["of_self"])

    def test_everything_that_check_takes_is_taken(self):
        config = json.loads((needs.source / "src/model/catalogue/llama-3.1-8b.json").read_text())
        run = self.run_with(f"few = {{**FEW, 'dtypes': ['f32']}}\ndel few['model']\nconfig = {config!r}\n"
                            "of_config = ropewalk.holds(**few, config=config, laws=['norm'])(rotated)\n"
                            "@ropewalk.holds(**FEW, dtypes=['f32'], same_as=of_config)\n"
                            "def compared(query, positions, encoding, backward):\n    off_by_one(query, positions, encoding, backward)\n"
                            "@ropewalk.holds(operation='add-bias', cases=20, options=['--allow-cut'], dtypes=['f32'], promise='entry=f32,sum=f32')\n"
                            "def adds(query, encoding):\n    raise ropewalk.Unsupported('nothing')\n", "-k", "not adds or accuracy")
        self.assertEqual(run.outcomes, {"of_config[norm-f32]": "passed", "compared[same-as-f32]": "failure", "adds[accuracy-f32]": "failure"},
                         run.text)
        self.assertIn("differs from rotated in ", run.texts["compared[same-as-f32]"])
        self.assertIn("not judged: declined ", run.texts["adds[accuracy-f32]"])

    def test_what_is_refused_is_one_failing_test_and_others_run(self):
        run = self.run_with("nope = ropewalk.holds(**{**FEW, 'model': 'nope'})(off_by_one)\n"
                            "@ropewalk.holds(**FEW)\ndef odd(q, k, cos, sin):\n    pass\n\n"
                            "def test_other():\n    pass\n")
        self.assertEqual(run.outcomes, {"nope": "failure", "odd": "failure", "test_other": "passed"}, run.text)
        self.assertIn("ropewalk: no model named 'nope'", run.texts["nope"])
        self.assertIn("ropewalk.adapters makes such a function", run.texts["odd"])
        self.assertNotIn("Traceback", run.text)
        run = self.run_with("rope = ropewalk.holds(**FEW, dtypes=['f32'], laws=['nope'])(rotated)\n")
        self.assertEqual(run.outcomes, {"rope[nope-f32]": "failure"})
        self.assertRegex(run.texts["rope[nope-f32]"], "^ropewalk: no law named 'nope'")

    def test_a_function_stays_what_it_is_and_needs_a_promise(self):
        def rope(query):
            return query

        self.assertIs(ropewalk.holds(model="llama-3.1-8b", promise="hf")(rope), rope)
        with self.assertRaisesRegex(ValueError, r"^promise is missing; allowed: one that rope is to keep; ropewalk\.check\(rope, "):
            ropewalk.holds(model="llama-3.1-8b")(rope)
        with self.assertRaisesRegex(ValueError, "^function is len of type builtin_function_or_method, which takes no attributes; allowed: "):
            ropewalk.holds(promise="hf")(len)

    def test_without_pytest_nothing_is_missing_and_without_ropewalk_nothing_is_imported(self):
        code = ("import sys\nsys.modules['pytest'] = None\nimport ropewalk\n@ropewalk.holds(promise='hf')\ndef rope(query): return query\n"
                "assert rope(3) == 3")
        subprocess.run([sys.executable, "-c", code], check=True, env=needs.environment)
        (self.here / "test_plain.py").write_text("import sys\ndef test_plain(): assert not {'numpy', 'ropewalk'} & set(sys.modules)\n")
        done = subprocess.run([sys.executable, "-m", "pytest", "-p", "ropewalk_pytest", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-q"],
                              cwd=self.here, capture_output=True, text=True, env=needs.environment)
        self.assertTrue(re.search(r"^1 passed", done.stdout, re.M), done.stdout)


if __name__ == "__main__":
    unittest.main()
