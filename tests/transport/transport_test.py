#!/usr/bin/env python3
"""Programs that are judged as kernels: an honest one holds, and what a process does wrong is a verdict."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import needs
from needs import command, environment, here

needs.modules("numpy")
import numpy  # noqa: E402


def verify(program, *options, model="llama-3.1-8b", timeout=120, diagnosis="0"):
    if "--seed" not in options:  # the same cases each time
        options = ("--seed", "1", *options)
    which = ["--model", model] if model else []
    return subprocess.run([command, "verify", "--kernel", f"program:{program}", *which, "--quiet", "--diagnosis", diagnosis, *options],
                          capture_output=True, text=True, env=environment, timeout=timeout)


def python(file, *arguments):
    return " ".join([sys.executable, str(here / file), *arguments])


class Programs(unittest.TestCase):
    def test_an_honest_one_keeps_its_promise(self):
        for model in ("llama-3.1-8b", "gpt-j-6b", "gpt-neox-20b", "qwen2.5-7b-yarn4"):
            fewer = [] if model == "llama-3.1-8b" else ["--skip-law", "sizes=the first model has it"]
            done = verify(python("numpy_rope.py"), "--cases", "4", "--allow-cut", *fewer, model=model)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("0 fail", done.stdout)

    def test_the_first_channel_that_rotates_is_told_to_programs_that_know_it(self):
        options = ["--base", "10000", "--head-dim", "24", "--rotary-dim", "16", "--rotary-begin", "6", "--dtype", "f32", "--law",
                   "accuracy", "--law", "pass-through", "--cases", "20", "--allow-cut"]
        done = verify(python("numpy_rope.py"), *options, model=None)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = verify(python("numpy_rope.py", "begin"), *options, model=None)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^FAILS .*, (accuracy|pass-through)")
        done = verify(python("numpy_rope.py", "old"), *options, model=None)
        self.assertIn("rotary_begin 6", done.stdout + done.stderr)
        self.assertNotIn("FAILS", done.stdout)

    def test_positions_in_binary64_are_sent_to_programs_that_take_them(self):
        options = ["--dtype", "f32", "--law", "accuracy", "--law", "position-kinds", "--law", "composition", "--cases", "40",
                   "--allow-cut"]
        done = verify(python("numpy_rope.py"), *options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("positions in binary64 as well", done.stdout)
        self.assertRegex(done.stdout, r"f32 +position-kinds +40 ")
        done = verify(python("numpy_rope.py", "truncated"), *options, diagnosis="20")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^FAILS .*, accuracy")
        self.assertIn("at real positions ", done.stdout)
        self.assertIn("positions in binary64 are truncated to whole numbers", done.stdout)
        done = verify(python("numpy_rope.py", "old"), *options)
        self.assertNotIn("binary64", done.stdout)

    def test_its_faults_are_found(self):
        for fault, law in (("angle-f32", "accuracy"), ("backward", "adjoint")):
            done = verify(python("numpy_rope.py", fault), "--cases", "40", "--allow-cut", "--dtype", "f32", "--law", law)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertRegex(done.stdout, rf"(?m)^FAILS .*, {law}")

    def test_kernels_that_add_are_judged(self):
        program = python("additions.py")
        done = verify(program, "--cases", "15", "--allow-cut", model=None)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("0 fail", done.stdout)
        done = verify(f"{program}#linear-bias", "--cases", "15", "--allow-cut", "--law", "accuracy", "--verbose", model=None)
        for form in ("alibi, 12 heads", "symmetric", "bloom", "mpt"):
            self.assertRegex(done.stdout, rf"{form} +f32 +accuracy +15 .* holds")
        for kernel in ("sinusoids", "linear-bias"):
            done = verify(f"{program} wrong#{kernel}", "--cases", "40", "--allow-cut", "--law", "accuracy", model=None)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertRegex(done.stdout, r"(?m)^FAILS ")

    def test_a_kernel_that_says_nothing_of_forms_is_asked_in_the_form_of_the_option_and_named(self):
        program = python("additions.py") + " by-key#key-bias"
        for options in (["bloom"], ["flash-attention"]):
            done = verify(program, "--cases", "20", "--allow-cut", "--form", *options, model=None)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("alibi, 12 heads, bloom", done.stdout)
        done = verify(program, "--cases", "30", "--allow-cut", "--law", "accuracy", model=None, diagnosis="20")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cause: key-bias: the bias is slope x key, the form of BLOOM and of causal flash-attention: under a causal mask it differs by "
                      "a constant per row of scores, which leaves the softmax as it is; --form bloom asks for it (explains all", done.stdout)
        self.assertNotIn("12 heads, bloom", done.stdout)
        done = verify(program, "--cases", "30", "--allow-cut", "--law", "accuracy", "--form", "mpt", model=None)
        self.assertRegex(done.stdout, "again: .* --form mpt ")
        done = verify(program, "--form", "key", model=None)
        self.assertEqual((done.returncode, done.stderr),
                         (2, "ropewalk: form is key; allowed: causal, symmetric, bloom, mpt, flash-attention\n"))

    def test_one_is_applied_to_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            x, y, z = (os.path.join(folder, name) for name in ("x.npy", "y.npy", "z.npy"))
            numpy.save(x, numpy.tile(numpy.float32([1, 0]), (3, 2, 4)))  # turned, a pair has the table's entries
            for kernel, to in ((f"program:{python('numpy_rope.py')}", y), ("exact", z)):
                subprocess.run([command, "apply", "--base", "10000", "--head-dim", "8", "--kernel", kernel, "--input", x,
                                "--output", to, "--quiet"], env=environment, check=True)
            numpy.testing.assert_array_equal(numpy.load(y)[0], numpy.load(x)[0])  # position 0
            numpy.testing.assert_array_equal(numpy.load(y).shape, numpy.load(z).shape)
            self.assertFalse(numpy.array_equal(numpy.load(y)[1:], numpy.load(x)[1:]))
            done = subprocess.run([command, "apply", "--base", "10000", "--head-dim", "8", "--kernel",
                                   f"program:{python('misbehaving.py', 'ends-in-a-call')}", "--input", x, "--output", y],
                                  env=environment, capture_output=True, text=True)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("ended with exit code 3", done.stderr)

    def test_the_end_of_a_program_is_seen_behind_a_grandchild_that_holds_its_output(self):
        began = time.monotonic()
        done = verify(python("misbehaving.py", "ends-with-output-open"))
        self.assertIn("ended with exit code 3", done.stderr)
        self.assertLess(time.monotonic() - began, 60)

    def failing(self, how, *options, law="accuracy"):
        done = verify(python("misbehaving.py", how), "--law", law, "--cases", "20", "--allow-cut", *options)
        self.assertEqual(done.returncode, 1, f"{how}: {done.stdout}{done.stderr}")
        # What goes wrong after some calls does not at once in a new process: "not reproducible" is such a verdict.
        self.assertRegex(done.stdout, r"(?m)^(FAILS|not reproducible) ", how)
        return done.stdout

    def test_what_the_process_does_is_a_verdict(self):
        for how, words in (("raises", "IndexError"), ("shape", "the function returned float32"),
                           ("dtype", "the function returned float64"), ("segv", "ended by signal 11"),
                           ("abort", "ended by signal 6"), ("exits", "ended with exit code 0"),
                           ("exits-at-once", "ended with exit code 0"), ("zeros", "")):
            self.assertIn(words, self.failing(how), how)

    def test_bits_that_change_are_told(self):
        """A promise of bits is broken; another one is not, as nobody here knows where in memory the program works."""
        self.assertIn("gave other bits when the same call was made again",
                      self.failing("random", "--promise", "canonical", "--dtype", "f32", "--positions", "0:1"))
        done = verify(python("misbehaving.py", "random"), "--law", "accuracy", "--cases", "20", "--allow-cut", "--dtype", "f32",
                      "--promise", "hf", "--positions", "0:1")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"other bits when asked again in other memory: misbehaving, llama-3.1-8b, f32: \d+ of 20 cases")

    def test_a_kernel_is_not_blamed_for_its_neighbour(self):
        done = verify(python("two_kernels.py"), "--law", "identity", "--cases", "20", "--allow-cut")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, r"(?m)^ +right  wrong\nidentity +=  +x f32$")

    def test_silence_is_a_verdict(self):
        began = time.monotonic()
        self.assertRegex(self.failing("hangs", "--call-limit", "1", "--budget", "20"), "gave no answer in (1|12) s")  # 12: of a plan's first call
        self.assertLess(time.monotonic() - began, 100)

    def test_memory_beyond_its_limit_is_a_verdict(self):
        self.assertIn("MemoryError", self.failing("memory", "--memory-limit", str(1 << 30)))

    def test_what_it_prints_does_not_reach_the_report(self):
        done = verify(python("misbehaving.py", "prints"), "--law", "accuracy", "--cases", "5", "--allow-cut", "--json")
        json.loads(done.stdout)
        self.assertIn("a line on standard output", done.stderr)

    def test_what_it_declines_is_counted(self):
        done = verify(python("misbehaving.py", "declines-far"), "--law", "accuracy", "--cases", "20", "--allow-cut")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("positions above 4", done.stdout)

    def test_a_program_that_does_not_describe_itself_is_refused(self):
        for program, words in ((python("garbage.py"), "it did not answer with a message: 'Loading "),
                               (python("misbehaving.py", "ends-at-start"), "it ended with exit code 0"),
                               ("no-such-program-anywhere", "exit code 127"), ("true", "exit code 0"),
                               ("kill -9 $$", "signal 9 (SIGKILL)")):
            done = verify(program)
            self.assertEqual((done.returncode, done.stdout), (2, ""), program)
            self.assertIn(words, done.stderr, program)
            self.assertEqual(done.stderr.count("ropewalk: "), 1, done.stderr)

    def test_no_process_is_left_behind(self):
        with tempfile.TemporaryDirectory() as folder:
            for how in ("leaves-a-child", "leaves-a-session"):
                mark = f"{how}-{os.path.basename(folder)}"
                verify(python("misbehaving.py", how, mark), "--law", "accuracy", "--cases", "5", "--allow-cut")
                time.sleep(0.2)
                left = subprocess.run(["pgrep", "-f", mark], capture_output=True, text=True).stdout
                self.assertEqual(left, "", how)

    def test_a_program_that_stops_its_watcher_is_ended(self):
        began = time.monotonic()
        done = verify(f"kill -STOP $PPID; exec {python('numpy_rope.py')}", "--law", "accuracy", "--cases", "5", "--allow-cut")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = verify("kill -STOP $PPID; cat")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertLess(time.monotonic() - began, 60)

    def test_an_interrupt_ends_a_run_whose_program_hangs(self):
        verifier = subprocess.Popen([command, "verify", "--kernel", f"program:{python('misbehaving.py', 'hangs')}",
                                     "--model", "llama-3.1-8b", "--quiet"], env=environment, text=True,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(8)  # until it is judged, on a busy machine, too; a call is given 10 s
        verifier.send_signal(signal.SIGINT)
        out, err = verifier.communicate(timeout=30)
        self.assertEqual(verifier.returncode, -signal.SIGINT, err)
        self.assertIn("interrupted", out)
        self.assertNotIn("FAILS", out)

    def test_the_program_ends_with_the_verifier(self):
        with tempfile.TemporaryDirectory() as folder:
            mark = f"left-behind-{os.path.basename(folder)}"
            verifier = subprocess.Popen([command, "verify", "--kernel",
                                         f"program:{python('misbehaving.py', 'hangs', mark)}", "--model",
                                         "llama-3.1-8b", "--quiet"], env=environment, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
            time.sleep(2)
            verifier.kill()
            verifier.wait()
            time.sleep(1)
            left = subprocess.run(["pgrep", "-f", mark], capture_output=True, text=True).stdout
            self.assertEqual(left, "")


if __name__ == "__main__":
    unittest.main()
