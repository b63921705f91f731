#!/usr/bin/env python3
"""The checkers of a pack, in a folder that has the pack alone: which promise a rope keeps, and which flag names the mistake of a wrong one."""

import importlib.util
import json
import math
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

COMMAND = os.environ["ROPEWALK_COMMAND"]
HERE = pathlib.Path(__file__).parent
TOPICS = ("rope", "alibi", "t5")
PLAIN = {"PATH": "/usr/bin:/bin"}
folder = tempfile.TemporaryDirectory()
place = pathlib.Path(folder.name)
pack, work = place / "pack", place / "work"  # the checkers run in `work`, with nothing of this project in their environment


def has(module):
    return subprocess.run([sys.executable, "-c", f"import {module}"], env=PLAIN, capture_output=True, check=False).returncode == 0


def setUpModule():
    made = place / "made"
    subprocess.run([COMMAND, "vectors", "--output", str(made), "--quiet", *[word for topic in TOPICS for word in ("--topic", topic)]], check=True)
    shutil.copytree(made, pack)
    shutil.rmtree(made)
    work.mkdir()
    for name in ("ropes.py", "numpy_ropes.py"):
        shutil.copy(HERE / name, work)


def run(*words, **environment):
    return subprocess.run(words, cwd=work, env=PLAIN | environment, capture_output=True, text=True, check=False)


def checked(subject, *options):
    """With the standard library alone."""
    return run(sys.executable, "-I", "-S", str(pack / "check_vectors.py"), subject, *options)


def checked_with_numpy(subject, *options):
    return run(sys.executable, "-B", str(pack / "check_vectors.py"), subject, *options)


def module():
    """check_vectors.py as a module of this process."""
    spec = importlib.util.spec_from_file_location("check_vectors", pack / "check_vectors.py")
    made = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(made)
    return made


class StandardLibraryAlone(unittest.TestCase):
    def holds(self, subject, *options):
        done = checked(subject, *options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def fails(self, subject, flag, *options):
        """The flag of the first failing case, and what it says."""
        done = checked(subject, *options)
        self.assertEqual((done.returncode, done.stderr), (1, ""), done.stdout)
        self.assertRegex(done.stdout, rf"\n    {flag} hunts: .*\n        wrong here means: .*\n")
        return done.stdout

    def test_a_right_rope_keeps_what_its_angles_in_binary64_do(self):
        said = self.holds("ropes.py::rope", "--promise", "angle-f64")
        self.assertIn("called with x [head_dim], one position, as nested lists", said)
        self.assertIn("the function's pairing was found to be half-split", said)
        self.assertRegex(said, r"holds +rope-llama-2-7b-bf16 keeps angle-f64 in \d+ cases")
        self.assertRegex(said, r"left out: .*the function is not told the attention factor")
        self.assertRegex(said, r"\n(\d+) groups: \1 hold, 0 fail, 0 undecided; the promise is angle-f64\n$")
        self.fails("ropes.py::rope", "FarPosition", "--promise", "rounded-table", "--group", "rope-far-f64")
        self.holds("ropes.py::rope", "--promise", "rounded-table", "--dtype", "f32", "--dtype", "bf16")

    def test_a_rope_that_is_told_all_is_asked_all(self):
        said = self.holds("ropes.py::told_all", "--dtype", "f32", "--dtype", "bf16")
        self.assertNotRegex(said, r"not told (?!the pairs of the output|unit)")
        self.assertIn("rope-partial-end-f32", said)

    def test_mistakes_are_named(self):
        half = ("--group", "rope-half-split-f32")
        for subject in ("interleaved", "negated_sine", "table_of_bfloat16", "unchanged"):
            with self.subTest(subject):
                said = self.fails(f"ropes.py::{subject}", "SmallPosition", *half)
                self.assertIn("the pairing, the sign, or a table of too few bits", said)
                self.assertIn("seen in https://github.com/", said)
        self.assertIn("rows begin at another position", self.fails("ropes.py::off_by_one", "Identity", *half))
        said = self.fails("ropes.py::position_in_binary32", "Beyond2To24", "--promise", "rounded-table", *half)
        self.assertIn("position 16777217", said)
        self.assertRegex(said, r"; it keeps (frequency=repeated,...|hf)\n")
        said = self.fails("ropes.py::zeroes_what_passes_through", "PassThrough", "--group", "rope-partial-f32")
        self.assertIn("a channel that passes through has other bits", said)
        self.fails("ropes.py::drops_the_factor", "AttentionFactor", "--group", "rope-factor-f32")
        self.fails("ropes.py::keeps_the_sine", "Backward", "--group", "rope-shapes-f32")
        self.assertIn("raised ValueError: no such position: 256", self.fails("ropes.py::raises", "PowerOfTwo", *half))

    def test_a_report_shows_the_worst_pair(self):
        record = json.loads(checked("ropes.py::negated_sine", "--group", "rope-half-split-f32", "--promise", "hf", "--json").stdout)
        self.assertEqual((record["verdict"], record["groups"][0]["keeps"]), ("fails", None))
        failure = record["groups"][0]["promises"]["hf"]["first_failure"]
        self.assertEqual((failure["case"], [flag["name"] for flag in failure["flags"]]), ("rope-half-split-f32-2", ["SmallPosition", "WholeHead"]))
        self.assertRegex(failure["where"], r"^batch row 0, token 0 at position 1, head 0, channel \d and \d$")
        self.assertGreater(failure["error"], failure["allowed"])
        self.assertNotEqual(failure["expected"], failure["observed"])

    def test_what_is_not_understood_is_refused(self):
        for options, message in ((("ropes.py::unknown_parameter",), r"parameter is 'm'; allowed: .*positions.*--give m=WHAT"),
                                 (("ropes.py::nowhere",), r"the function is 'nowhere' of ropes.py; allowed: .*off_by_one"),
                                 (("ropes.py",), r"the function is 'ropes.py'; allowed: FILE.py::NAME"),
                                 (("none.py::rope",), r"none.py', which does not exist"),
                                 (("ropes.py::rope", "--promise", "exact"), r"promise is 'exact'; allowed: .*canonical"),
                                 (("ropes.py::rope", "--group", "rope-half-spilt-f32"), r"'rope-half-spilt-f32'; allowed: rope-half-split-f32"),
                                 (("ropes.py::rope", "--topic", "ropes"), r"topic is 'ropes' .*allowed: alibi, rope, t5"),
                                 (("ropes.py::rope", "--give", "y=positions"), r"give names 'y'"),
                                 ((), r"a function and answers are missing")):
            done = checked(*options) if options else run(sys.executable, str(pack / "check_vectors.py"))
            self.assertEqual((done.returncode, done.stdout), (2, ""), options)
            self.assertRegex(done.stderr, "^check_vectors.py: .*" + message)
        self.holds("ropes.py::unknown_parameter", "--give", "m=positions", "--group", "rope-half-split-f*")

    def test_declining_decides_nothing(self):
        done = checked("ropes.py::declines", "--group", "rope-half-split-f32")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("the function gives no array of the shape of x, however it is called; NotImplementedError", done.stderr)
        done = checked("ropes.py::declines_far_positions", "--group", "rope-half-split-f32")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"keeps rounded-table in (\d+) cases; .*\d+ cases left out: declined\n")

    def test_tables(self):
        self.assertRegex(self.holds("ropes.py::buckets", "--topic", "t5"), r"5 groups: 5 hold, 0 fail")
        self.assertIn("alibi-slopes-71-f64", self.holds("ropes.py::slopes", "--topic", "alibi"))
        self.fails("ropes.py::buckets_late", "Bucket", "--topic", "t5")


@unittest.skipUnless(has("numpy"), "python3-numpy is not installed")
class Readme(unittest.TestCase):
    def test_the_example_prints_what_it_shows(self):
        blocks = re.findall(r"```(\w*)\n(.*?)```\n", (pack / "README.md").read_text(), re.DOTALL)
        (source,) = [text for language, text in blocks if language == "python"]
        wrong, right = [text for language, text in blocks if language == ""]
        typed, shown = wrong.split("\n", 1)
        words = typed.removeprefix("$ python3 check_vectors.py ").split()
        (work / "my_rope.py").write_text(source)
        self.assertIn(shown, checked_with_numpy(*words).stdout)
        (work / "my_rope.py").write_text(source.replace("a * s - b * c", "a * s + b * c"))
        self.assertIn(right, checked_with_numpy(*words).stdout)


class Answers(unittest.TestCase):
    def setUp(self):
        self.expected = {}
        for topic in ("alibi", "t5"):
            for group in json.loads((pack / f"{topic}.json").read_text())["groups"]:
                self.expected |= {case["id"]: case["expected"] for case in group["cases"]}

    def judged(self, answers, *options):
        (work / "answers.json").write_text(json.dumps(answers))
        return run(sys.executable, "-I", "-S", str(pack / "check_vectors.py"), "--answers", "answers.json", *options)

    def test_right_answers_hold_in_any_case_of_letters(self):
        done = self.judged({name: text.upper() for name, text in self.expected.items()})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(" 0 fail, 0 undecided", done.stdout)

    def test_one_wrong_bit_is_found(self):
        name = "t5-32-128-1"
        text = self.expected[name]
        done = self.judged(self.expected | {name: text[:-1] + f"{int(text[-1], 16) ^ 1:x}"}, "--topic", "t5", "--topic", "alibi")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, rf"{name}: 1 of \d+ numbers have other bits: 1; allowed: 0\n    at        relative_position 91, column 0\n")

    def test_what_is_missing_is_not_held(self):
        done = self.judged({"t5-320-800-1": self.expected["t5-320-800-1"], "t5-32-128-1": None})
        self.assertEqual(done.returncode, 0)
        self.assertIn("\n1 groups: 1 hold, 0 fail, 0 undecided\n", done.stdout)
        self.assertEqual(self.judged({}).returncode, 2)
        # An answer that is not there, in a group of which others are, is a failure; null declines a case.
        first, second = "alibi-causal-8-added-f32-1", "alibi-causal-8-added-f32-2"
        others = {name: None for name in self.expected if name.startswith("alibi-causal-8-added-f32-") and name != second}
        done = self.judged(others | {first: self.expected[first]})
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{second}: there is no answer; null declines a case\n", done.stdout)
        self.assertEqual(self.judged(others | {first: self.expected[first], second: None}).returncode, 0)
        done = self.judged({first: self.expected[first]}, "--group", "t5-320-800", "--group", "alibi-causal-8-added-f32")
        self.assertEqual(done.returncode, 2)
        self.assertIn("group is t5-320-800, and the answers have none of its cases", done.stderr)

    def test_bad_answers_are_refused(self):
        for answers, message in (({"t5-1": "00"}, "the answers have a case 't5-1'"), ({"t5-32-128-1": "00"}, r"allowed: \d+ hexadecimal digits"),
                                 (["00"], "are a list; allowed: an object")):
            done = self.judged(answers)
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, message)


def alone(group, case, answer):
    """Answers of a group whose other cases are declined."""
    return {one["id"]: None for one in group["cases"]} | {case["id"]: answer}


class Arithmetic(unittest.TestCase):
    """What the verdicts rest on."""

    def setUp(self):
        self.checker = module()

    def test_a_bound_is_compared_exactly(self):
        def is_within(observed, expected, sizes, factor, absolute=0.0):
            return self.checker.compared(observed, expected, sizes, factor, absolute)[2]
        unit = 2.0**-23
        below, above = math.nextafter(unit, 0), math.nextafter(unit, 1)
        for sizes, gaps in (((1.0,), (unit,)), ((3.0, 5.0), (3 * unit, 5 * unit)), ((1.0, 1.0), (unit, -unit))):
            observed, expected = [1 + gap for gap in gaps], [1.0] * len(gaps)
            self.assertTrue(is_within(observed, expected, sizes, unit))
            self.assertTrue(is_within(observed, expected, sizes, above))
            self.assertFalse(is_within(observed, expected, sizes, below))
        self.assertTrue(is_within((1 + 2 * unit,), (1.0,), (1.0,), unit, unit))
        self.assertFalse(is_within((1 + 2 * unit,), (1.0,), (1.0,), unit, below))
        tiny = 5e-324
        self.assertTrue(is_within((2 * tiny, 0.0), (0.0, 0.0), (0.0, 0.0), 1.0, 2 * tiny))
        self.assertFalse(is_within((2 * tiny, tiny), (0.0, 0.0), (0.0, 0.0), 1.0, 2 * tiny))
        largest = sys.float_info.max
        self.assertFalse(is_within((largest, -largest), (-largest, largest), (1.0, 1.0), 0.5))

    def test_numbers_are_rounded_once(self):
        draw = random.Random(7)
        for _ in range(2000):
            number = struct.unpack("d", struct.pack("Q", draw.getrandbits(64)))[0]
            narrow = draw.uniform(-2, 2) * 2.0 ** draw.randint(-30, 14)
            for dtype, code, value in (("f32", ">f", number), ("f16", ">e", narrow), ("f64", ">d", number)):
                if math.isnan(value):
                    continue
                try:
                    wanted = struct.pack(code, value).hex()
                except OverflowError:
                    wanted = struct.pack(code, math.copysign(math.inf, value)).hex()
                self.assertEqual(f"{self.checker.rounded(dtype, value):0{len(wanted)}x}", wanted, (dtype, value))
        for number, bits in ((1.0, 0x3F80), (1 + 2.0**-8, 0x3F80), (1 + 3 * 2.0**-8, 0x3F82), (1 + 2.0**-8 + 2.0**-40, 0x3F81), (-0.0, 0x8000),
                             (3.4e38, 0x7F80), (2.0**-134, 0), (2.0**-134 + 2.0**-180, 1), (-math.inf, 0xFF80)):
            self.assertEqual(self.checker.rounded("bf16", number), bits, number)

    def test_infinities_stay_where_they_are(self):
        group = next(one for one in json.loads((pack / "rope.json").read_text())["groups"] if one["id"] == "rope-half-split-f32")
        case = next(case for case in group["cases"] if case["flags"] == ["Infinity"])
        right = case["expected"]
        at = right.index("7f800000") // 8
        for number, digits, is_right in ((at, "7f800000", True), (at, "ff800000", False), (at, "7f7fffff", False), (at, "7fc00000", False),
                                         (at + 1, "7f800000", False), (at + 1, "7fc00000", False)):
            answer = right[:8 * number] + digits + right[8 * number + 8:]
            report = self.checker.check(answers=alone(group, case, answer), topic="rope", promise="hf", pack=str(pack))
            self.assertEqual(bool(report), is_right, (number, digits))

    def test_a_rule_that_would_accept_zeros_holds_for_nothing(self):
        group = next(one for one in json.loads((pack / "rope.json").read_text())["groups"] if one["id"] == "rope-half-split-f32")
        far = next(case for case in group["cases"] if case["positions"] == [[2147483647]])
        for answer in (far["expected"], "0" * len(far["expected"])):
            report = self.checker.check(answers=alone(group, far, answer), topic="rope", promise="hf", pack=str(pack))
            self.assertEqual((report.exit_status, bool(report)), (2, False))
            self.assertEqual(report.groups[0].counts["hf"].undecided, 1)
        report = self.checker.check(answers=alone(group, far, far["expected"]), topic="rope", promise="canonical", pack=str(pack))
        self.assertTrue(report, report)


@unittest.skipUnless(has("numpy"), "python3-numpy is not installed")
class WithNumPy(unittest.TestCase):
    def test_usual_signatures_are_called_at_first_try(self):
        for name, called in (("tokens_before_heads", "x [batch, tokens, heads, head_dim], positions [batch, tokens]"),
                             ("heads_before_tokens", "x [batch, heads, tokens, head_dim], positions [tokens]"),
                             ("of_one_sequence", "x [tokens, heads, head_dim], positions [tokens]"),
                             ("counting", "x [batch, heads, tokens, head_dim], tokens counted from 0"),
                             ("with_offset", "x [batch, heads, tokens, head_dim]"),
                             ("in_place", "x [batch, tokens, heads, head_dim], positions [batch, tokens]")):
            with self.subTest(name):
                done = checked_with_numpy(f"numpy_ropes.py::{name}", "--dtype", "f32", "--promise", "angle-f64",
                                          "--group", "rope-half-split*", "--group", "rope-shapes*")
                self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
                self.assertIn(f", called with {called}, as NumPy arrays\n", done.stdout)

    def test_exact_tables_give_the_canonical_bits(self):
        for name, called, options in (("of_transformers", "cos and sin [batch, tokens, channels that rotate]", ()),
                                      ("of_pairs", "cos and sin [batch, tokens, pairs]", ("--partial",))):
            done = checked_with_numpy(f"numpy_ropes.py::{name}", "--promise", "canonical", *options)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            self.assertIn(called, done.stdout)
        self.assertIn("rope-partial-40-of-80-bf16 keeps canonical", done.stdout)
        done = checked_with_numpy("numpy_ropes.py::of_transformers", "--partial", "--group", "rope-partial-f32")
        self.assertEqual(done.returncode, 2)  # this function has no partial heads
        self.assertIn("ValueError: operands could not be broadcast", done.stderr)
        done = checked_with_numpy("numpy_ropes.py::of_llama", "--dtype", "f32", "--promise", "rounded-table")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_mistakes_of_batches_and_keys_are_named(self):
        done = checked_with_numpy("numpy_ropes.py::first_row_alone", "--group", "rope-shapes-f32")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"\nrope-shapes-f32-3: too far.*\n    at        batch row [12], (.*\n)*    BatchRows hunts: ")
        done = checked_with_numpy("numpy_ropes.py::drops_k", "--group", "rope-half-split-f32")
        self.assertEqual(done.returncode, 1)

    def test_bfloat16_without_its_type_is_said(self):
        done = checked_with_numpy("numpy_ropes.py::tokens_before_heads", "--group", "rope-half-split-bf16")
        self.assertEqual(done.returncode, 0)
        if not has("ml_dtypes"):
            self.assertIn("note: bfloat16 data are binary32 numbers that are bfloat16 numbers", done.stdout)
            self.assertIn("note: answers are float32, which was rounded once to bf16 here", done.stdout)

    @unittest.skipUnless(has("torch"), "python3-torch is not installed")
    def test_a_module_that_imports_torch_gets_tensors(self):
        text = (HERE / "numpy_ropes.py").read_text()
        body = text[text.index("def rotate_half"):text.index("def of_pairs")]
        body = body.replace("np.concatenate", "torch.cat").replace("np.expand_dims", "torch.unsqueeze")
        (work / "torch_rope.py").write_text("import torch\n\n\n" + body)
        done = checked_with_numpy("torch_rope.py::of_transformers", "--tables", "dtype", "--promise", "dtype-table", "--group", "rope-half-split-*")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertIn("as torch tensors\n", done.stdout)
        self.assertNotIn("rounded once", done.stdout)


def example_of_header():
    """The program in the header's first comment."""
    text = (pack / "check_vectors.h").read_text()
    lines = text[text.index("    #include <math.h>"):text.index("*/")].split("\n")
    return "\n".join(line[4:] for line in lines) + "\n"


class InC(unittest.TestCase):
    WARNINGS = ("-Wall", "-Wextra", "-Werror", "-pedantic")

    def ran(self, source, compiler, standard, name):
        (work / name).write_text(source)
        program = work / (name + ".program")
        built = run(compiler, f"-std={standard}", *self.WARNINGS, "-I", str(pack), name, "-o", str(program), "-lm")
        self.assertEqual((built.returncode, built.stderr), (0, ""))
        return run(str(program))

    def test_the_example_compiles_and_holds(self):
        for compiler, standard, name in ((os.environ["ROPEWALK_CC"], "c99", "example.c"), (os.environ["ROPEWALK_CXX"], "c++17", "example.cpp")):
            done = self.ran(example_of_header(), compiler, standard, name)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            self.assertRegex(done.stdout, r"\nholds     rope-deepseek-v3-f32 keeps canonical in \d+ cases; undecided: 0; declined: 0\n")

    def test_a_mistake_is_named_as_in_python(self):
        source = example_of_header().replace('"rope-*"', '"rope-half-split-f32"')
        source = source.replace("call->inv_freq[pair];", "-call->inv_freq[pair];")
        done = self.ran(source, os.environ["ROPEWALK_CC"], "c99", "negated.c")
        self.assertEqual(done.returncode, 1)
        pattern = r"(?m)^fails +(\S+) breaks (\S+) in (\d+ of \d+) cases, first in (.*?); undecided: ([1-9]\d*)"
        found = re.findall(pattern, done.stdout)
        self.assertEqual(found, re.findall(pattern, checked("ropes.py::negated_sine", "--group", "rope-half-split-f32").stdout))
        self.assertEqual(len(found), 1)
        self.assertIn("    SmallPosition hunts: ", done.stdout)

    def test_what_passes_through_is_compared(self):
        source = example_of_header().replace('"rope-*"', '"rope-partial-f32"').replace("memcpy(out, in,", "memset(out, 0,")
        done = self.ran(source, os.environ["ROPEWALK_CC"], "c99", "zeroed.c")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"a channel that passes through has other bits\n(.*\n)*    PassThrough hunts: ")

    def test_an_unknown_promise_is_not_kept(self):
        done = self.ran(example_of_header().replace('"rope-*", NULL', '"rope-half-split-f32", "exact"'), os.environ["ROPEWALK_CC"], "c99", "exact.c")
        self.assertEqual(done.returncode, 2)
        self.assertIn("undecided rope-half-split-f32 has no bound for this promise", done.stdout)

    def test_every_format_is_read(self):
        source = (HERE / "every_format.c").read_text()
        done = self.ran(source, os.environ["ROPEWALK_CC"], "c99", "every_format.c")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertRegex(done.stdout, r"\n(\d+) groups hold, 0 fail, 0 undecided or declined\n$")


class InOtherLanguages(unittest.TestCase):
    def judged(self, name, command, right, wrong):
        """Runs the example, and the example with a mistake."""
        source = (pack / name).read_text()
        self.assertIn(right, source)
        for text, status in ((source, 0), (source.replace(right, wrong), 1)):
            (pack / ("tried_" + name)).write_text(text)
            done = command(pack / ("tried_" + name))
            self.assertEqual((done.returncode, done.stderr), (status, ""), done.stdout)
            said = r"\d+ cases hold, 0 fail, 0 undecided\n" if status == 0 else r"rope-half-split-f32-2 breaks (.|\n)*SmallPosition"
            self.assertRegex(done.stdout, said)

    @unittest.skipUnless(shutil.which("node"), "nodejs is not installed")
    def test_javascript(self):
        self.judged("check_vectors.mjs", lambda path: run(shutil.which("node"), str(path)), "x[a] * c - x[b] * s", "x[a] * c + x[b] * s")

    @unittest.skipUnless(shutil.which("rustc", path=PLAIN["PATH"]), "rustc is not installed")
    def test_rust(self):
        def command(path):
            built = run("rustc", str(path), "-o", str(work / "rust_program"))
            return built if built.returncode != 0 else run(str(work / "rust_program"), str(pack / "rope.json"))
        self.judged("check_vectors.rs", command, "x[a] * c - x[b] * s", "x[a] * c + x[b] * s")


@unittest.skipUnless(has("jsonschema"), "python3-jsonschema is not installed")
class Schema(unittest.TestCase):
    def setUp(self):
        import jsonschema
        self.validator = jsonschema.Draft202012Validator(json.loads((pack / "vectors.schema.json").read_text()))

    def test_topics_are_valid(self):
        self.validator.check_schema(self.validator.schema)
        for topic in TOPICS:
            self.assertEqual([error.message for error in self.validator.iter_errors(json.loads((pack / f"{topic}.json").read_text()))], [], topic)

    def test_spoilt_topics_are_not(self):
        text = (pack / "rope.json").read_text()

        def spoilt(change):
            topic = json.loads(text)
            topic["groups"] = [group for group in topic["groups"] if group["id"] == "rope-partial-f32"]
            change(topic, topic["groups"][0], topic["groups"][0]["cases"][0])
            return self.validator.is_valid(topic)
        self.assertTrue(spoilt(lambda topic, group, case: None))
        for number, change in enumerate((
                lambda topic, group, case: topic.pop("license"), lambda topic, group, case: topic.update(schema="urn:ropewalk:vectors:2"),
                lambda topic, group, case: group.update(comment="x"), lambda topic, group, case: group.pop("inv_freq_rest"),
                lambda topic, group, case: group.update(dtype="i32"), lambda topic, group, case: group.update(axis=[0] * 4),
                lambda topic, group, case: group["accept"][1].pop("relative"), lambda topic, group, case: group["accept"].pop(0),
                lambda topic, group, case: case.update(expected=case["expected"].upper()), lambda topic, group, case: case.update(x=case["x"][:-1]),
                lambda topic, group, case: case["flags"].append(case["flags"][0]), lambda topic, group, case: case["shape"].pop(),
                lambda topic, group, case: case.update(backward=False), lambda topic, group, case: case.pop("positions"))):
            self.assertFalse(spoilt(change), number)


if __name__ == "__main__":
    unittest.main()
