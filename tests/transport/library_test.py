#!/usr/bin/env python3
"""What a library's kernel does to its process is a verdict on it, with a report."""
import ctypes
import errno
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
import xml.etree.ElementTree

from needs import command, here, source

folder = tempfile.TemporaryDirectory()


def verify(kernel, *options, model="llama-3.1-8b", timeout=120):
    if "--seed" not in options:  # the same cases each time
        options = ("--seed", "1", *options)
    return subprocess.run([command, "verify", "--kernel", f"library:{kernel}", "--model", model, "--quiet", *options],
                          capture_output=True, text=True, timeout=timeout)


def build(name, *flags, code="bad_kernels.c"):
    path = os.path.join(folder.name, name)
    subprocess.run(["gcc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC",
                    "-I", str(source / "include"), str(here / code), "-o", path, *flags, "-lm"],
                   check=True)
    return path


# Of attacks.c: what a library tries to do to the program that judges it, and to that program's watcher.
ATTACKS = ("attach", "seize", "read-memory", "write-memory", "open-memory", "open-descriptors", "take-descriptor", "kill",
           "stop", "kill-group", "kill-all", "tkill", "tgkill", "queue", "pidfd-signal", "owner", "join-group", "limit",
           "priority", "type", "child", "program", *(("other-abi", "x32") if os.uname().machine == "x86_64" else ()))

# Of which a sanitizer's own attaching asks that they are allowed.
ATTACHING = ("attach", "seize", "child", "open-memory", "open-descriptors")


def as_ordinary_user():
    """How a command is begun as a user without root's rights; None where that is not possible."""
    if os.getuid() != 0:
        return ()
    user = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--")
    try:
        can = subprocess.run([*user, command, "--version"], capture_output=True).returncode == 0
    except OSError:
        can = False
    return user if can else None


def has_landlock():
    """Whether this machine's kernel can keep a process from looking into others of its user (version 2 or later)."""
    return ctypes.CDLL(None).syscall(444, None, 0, 1) >= 2


def having_in_environment(text):
    """The numbers of processes, but this one's, whose environment has a text."""
    r = []
    for one in pathlib.Path("/proc").glob("[0-9]*/environ"):
        try:
            if text.encode() in one.read_bytes():
                r.append(int(one.parent.name))
        except OSError:
            pass  # it has ended
    return r


def without_seccomp():
    """Has this process, and what it runs, refused every filter of system calls."""
    class rule(ctypes.Structure):
        _fields_ = [("code", ctypes.c_ushort), ("yes", ctypes.c_ubyte), ("no", ctypes.c_ubyte), ("value", ctypes.c_uint)]

    class program(ctypes.Structure):
        _fields_ = [("count", ctypes.c_ushort), ("rules", ctypes.POINTER(rule))]

    load, equal, answer, seccomp = 0x20, 0x15, 0x06, {"x86_64": (317, 157), "aarch64": (277, 167)}[os.uname().machine]
    rules = (rule(load, 0, 0, 0), rule(equal, 3, 0, seccomp[0]), rule(equal, 0, 3, seccomp[1]), rule(load, 0, 0, 16),
             rule(equal, 0, 1, 22), rule(answer, 0, 0, 0x50000 + errno.EINVAL), rule(answer, 0, 0, 0x7fff0000))
    libc = ctypes.CDLL(None, use_errno=True)
    given = program(len(rules), (rule * len(rules))(*rules))
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.byref(given), 0, 0):
        os._exit(99)


class Libraries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bad = build("bad.so")

    def judged(self, kernel, *options, law="accuracy", cases=20):
        return verify(f"{self.bad}#{kernel}", "--law", law, "--cases", str(cases), "--allow-cut", *options)

    def test_an_honest_one_holds(self):
        done = verify(f"{self.bad}#good", "--cases", "10", "--allow-cut")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"\d+ hold, 0 fail")
        self.assertRegex(done.stdout, "(?m)^not run on good, because of its promise: canonical, environment$")
        self.assertNotIn("FAILS", done.stdout)

    def test_positions_of_a_long_context_that_are_not_asked_are_told(self):
        few = ("--law", "sizes", "--cases", "1", "--allow-cut")
        told = "(?m)^sizes runs good on at most 131072 of the 1024000 positions of the context, in one piece$"
        self.assertRegex(verify(f"{self.bad}#good", *few, model="mistral-nemo").stdout, told)
        self.assertNotIn("sizes asks", verify(f"{self.bad}#good", *few).stdout)

    def test_what_its_process_does_is_a_verdict(self):
        outside = "wrote outside the tensor's elements"
        for kernel, words in (("segv", "was ended by signal 11"), ("abort", "was ended by signal 6"),
                              ("exit0", "ended with exit code 0"), ("exit0-quiet", "ended with exit code 0"),
                              ("exit42", "ended with exit code 42"), ("unload-code", "ended with exit code 43"),
                              ("closes", "the library's process"),
                              ("plan-exits", "ended with exit code 0"), ("stack", "SIGSEGV"),
                              ("plan-reads", r"SIGSEGV\) when it read at address 0x8, through a null pointer"),
                              ("free-crashes", r"was ended by signal 6 \(SIGABRT\) in free_plan"),
                              ("write-1", f"({outside}|SIGSEGV)"), ("write-100", f"({outside}|SIGSEGV)"),
                              ("write-page", "SIGSEGV"), ("write-before", f"({outside}|SIGSEGV)"),
                              ("write-input", "wrote in query_in \\(read-only\\)"),
                              ("restore-input", "wrote in query_in \\(read-only\\)"),
                              ("write-positions", "wrote in positions \\(read-only\\)"),
                              # Between calls, or within a later one that does not write there.
                              ("late", r"SIGSEGV\) when it wrote"),
                              ("current", "gave another answer when two threads applied one plan at the same time"),
                              ("read-1", "SIGSEGV"), ("read-before", "SIGSEGV"), ("read-far", "SIGSEGV"),
                              ("round", "changed the floating environment"), ("x87", "changed the state of the x87 unit"),
                              ("keeps-encoding", "FAILS"), ("longer-plan", "refused: status 1"),
                              ("longer-call", "refused: status 1")):
            with self.subTest(kernel=kernel):
                if kernel == "x87" and os.uname().machine != "x86_64":
                    continue
                done = self.judged(kernel)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertRegex(done.stdout, r"(?m)^(FAILS|not reproducible) ")
                self.assertRegex(done.stdout, words)

    def test_it_reaches_neither_the_judge_nor_its_watcher(self):
        """As root and as an ordinary user. Each of these succeeds against a process that is not confined."""
        library = build("attacks.so", code="attacks.c")
        os.chmod(folder.name, 0o755)
        is_sanitized = "asan" in os.environ.get("LD_PRELOAD", "")
        attacks = [one for one in ATTACKS if not is_sanitized or one not in ATTACHING]
        if has_landlock():
            attacks.append("look-into-shell")
        else:
            print("not tried to look into the shell: no Landlock here", file=sys.stderr)
        environment = {**os.environ, "ROPEWALK_ATTACKS": " ".join(attacks)}
        for user in {(), as_ordinary_user()} - {None}:
            done = subprocess.run([*user, "sh", "-c", '"$@"; exit $?', "sh", command, "verify", "--kernel",
                                   f"library:{library}", "--model", "llama-3.1-8b", "--law", "accuracy", "--dtype", "f32",
                                   "--cases", "10", "--allow-cut", "--quiet", "--diagnosis", "0", "--threads", "1"],
                                  env=environment, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("1 verdict: 1 hold, 0 fail", done.stdout)
            self.assertNotIn("not kept from", done.stdout)
            self.assertEqual(re.findall("(?m)^attack: (.*)$", done.stderr), attacks)
        if as_ordinary_user() is None:
            print("not tried as an ordinary user: setpriv cannot become one here", file=sys.stderr)

    def test_a_machine_that_cannot_confine_it_is_told(self):
        if os.uname().machine not in ("x86_64", "aarch64"):
            self.skipTest("the numbers of its system calls are not known here")
        done = subprocess.run([command, "verify", "--kernel", f"library:{self.bad}#good", "--model", "llama-3.1-8b", "--law",
                               "accuracy", "--dtype", "f32", "--cases", "5", "--allow-cut", "--quiet"],
                              capture_output=True, text=True, timeout=60, preexec_fn=without_seccomp)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^not confined, so it could signal this program and access its memory "
                                      r"\(seccomp: Invalid argument\): library:")

    def test_the_memory_of_calls_cannot_be_made_shorter(self):
        done = self.judged("truncates", "--dtype", "f32")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_state_of_the_process_on_which_a_host_relies_is_kept(self):
        for kernel, words in (("locale", "the locale, from C to C.UTF-8"), ("handler", r"the handler of signal 8 \(SIGFPE\)"),
                              ("blocks", r"whether signal \d+ \(SIG[A-Z]+\) is blocked"), ("directory", "the working directory"),
                              ("mask", r"the umask, from 0\d\d to 000"), ("variable", "the environment variables"),
                              ("stream", "the target of standard error"), ("unbuffered", "the buffering of standard output"), ("processors", "the processors that its thread may use")):
            with self.subTest(kernel=kernel):
                if kernel == "processors" and len(os.sched_getaffinity(0)) == 1:
                    continue
                done = self.judged(kernel, "--dtype", "f32", "--diagnosis", "0")
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertRegex(done.stdout, rf"(?m)^FAILS {kernel}, .*accuracy")
                self.assertRegex(done.stdout, f"the library's process reports: the library changed {words}")

    def test_a_call_without_an_answer_neither_holds_nor_fails(self):
        null = " when it wrote at address 0x8, through a null pointer"
        for kernel, words, options in (("segv", r"was ended by signal 11 \(SIGSEGV\)", ()),
                                       ("exit0-quiet", "ended with exit code 0", ()),
                                       ("segv-later", r"was ended by signal 11 \(SIGSEGV\)", ()),
                                       ("hang", "gave no answer in 1 s", ("--call-limit", "1"))):
            with self.subTest(kernel=kernel):
                done = self.judged(kernel, "--allow-declined", "--dtype", "f32", *options)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                where = f"(?:{null})?(?:, when the call was repeated in other memory)?"
                self.assertNotRegex(done.stdout, "not reproducible|smallest case|cause:|each is broken")
                said = re.search(rf"(?m)^FAILS {kernel}: .*{words}{where} in llama-3\.1-8b, f32, accuracy, at \[.*; again: "
                                 r"(ropewalk verify .* --cases \d+( --allow-cut)?)$", done.stdout)
                self.assertIsNotNone(said, done.stdout)
                report = json.loads(self.judged(kernel, "--dtype", "f32", "--json", *options).stdout)
                self.assertEqual([one["verdict"] for one in report["verdicts"]], ["not judged"])
                self.assertGreater(report["verdicts"][0]["unanswered"], 0)
                self.assertEqual((report["totals"]["fail"], report["totals"]["hold"]), (0, 0))
                again = shlex.split(said.group(1))[1:]
                done = subprocess.run([command, *again, "--quiet", *options], capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertRegex(done.stdout, words)

    def test_an_access_outside_says_where_it_lay(self):
        for kernel, words in (("write-page", r"wrote 800[1-4] bytes past the end of query_out"),
                              ("read-far", r"read 2000[1-4] bytes past the end of query_in"),
                              ("read-1", r"read 1 byte past the end of query_in"),
                              ("read-before", r"read \d+ bytes? before the beginning of query_in"),
                              ("stack", "[a-z]+ far from every tensor of the call")):
            with self.subTest(kernel=kernel):
                done = self.judged(kernel, "--dtype", "f32", cases=200)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertRegex(done.stdout, rf"(?m)^FAILS {kernel}: .*SIGSEGV\) when it {words}")

    def test_a_process_that_ends_after_the_laws_is_told(self):
        os.environ["DIES_AFTER"] = "6500"  # calls; the law makes fewer, the trial of promises more
        done = self.judged("dies-after", "--dtype", "f32", "--threads", "1", "--seed", "1", cases=200)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, "(?m)^1 verdict: 1 hold, 0 fail")
        self.assertRegex(done.stdout, r"(?m)^FAILS dies-after: .* was ended by signal 11 .*, outside the searches of laws")

    def test_one_that_is_silent_is_given_up(self):
        for kernel in ("hang", "spin"):
            began = time.monotonic()
            done = self.judged(kernel, "--call-limit", "1")
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertIn("gave no answer in 1", done.stdout)
            self.assertLess(time.monotonic() - began, 100)

    def test_bits_that_depend_on_the_address_are_told(self):
        said = r"other bits when asked again in other memory: by-address, llama-3.1-8b, f32: \d+ of 20 cases"
        for transport in (), ("--in-process",):
            done = self.judged("by-address", *transport)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            if not transport:
                self.assertRegex(done.stdout, said)
            self.assertNotIn("other bits", self.judged("good", *transport).stdout)
        records = json.loads(self.judged("by-address", "--json").stdout)["verdicts"]
        self.assertGreater(sum(one.get("other_bits", 0) for one in records), 0)

    def test_bits_that_change_are_told(self):
        done = self.judged("random")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("gave other bits when the same call was made again", done.stdout)

    def test_a_crash_after_some_calls_is_told(self):
        done = self.judged("segv-later")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^(FAILS|not reproducible) ")

    def test_memory_beyond_its_limit_is_a_verdict(self):
        self.assertEqual(self.judged("memory").returncode, 0)
        done = self.judged("memory", "--memory-limit", str(1 << 30))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("SIGABRT", done.stdout)

    def test_what_it_prints_does_not_reach_the_report(self):
        done = self.judged("prints", "--json", cases=3)
        printed = re.fullmatch(r"library:\S+bad\.so printed (\d+) bytes, passed on to standard error",
                               json.loads(done.stdout)["printed"][0])
        self.assertEqual(int(printed.group(1)), len(done.stderr))
        self.assertEqual(set(done.stderr.splitlines()), {"a line on standard output"})
        self.assertIn(" bytes, passed on to standard error", self.judged("prints", cases=3).stdout)
        self.assertNotIn("passed on", self.judged("good", cases=3).stdout)

    def test_registers_that_no_processor_knows_do_not_end_the_judge(self):
        for _ in range(3):
            done = self.judged("answers-registers", "--dtype", "f32", "--diagnosis", "0", cases=5)
            self.assertIn(done.returncode, (0, 1, 3), done.stdout + done.stderr)
            self.assertNotIn("crashed while", done.stderr)

    def test_what_it_prints_is_limited(self):
        done = self.judged("prints-much", "--dtype", "f32", "--threads", "1", "--diagnosis", "0", cases=2)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr[-1000:])
        self.assertEqual(len(done.stderr), 1 << 20)
        self.assertIn(f"printed {1 << 20} bytes, passed on to standard error; its output beyond 1 MiB was refused",
                      done.stdout)

    def test_a_silent_first_call_ends_with_the_budget(self):
        library = build("attacks.so", code="attacks.c")
        began = time.monotonic()
        done = subprocess.run([command, "verify", "--kernel", f"library:{library}", "--model", "llama-3.1-8b", "--quiet",
                               "--budget", "3", "--call-limit", "2", "--json"],
                              env={**os.environ, "ROPEWALK_ATTACKS": "silence"}, capture_output=True, text=True, timeout=120)
        self.assertLess(time.monotonic() - began, 3 * 3 + 6)
        report = json.loads(done.stdout)
        self.assertEqual((done.returncode, report["totals"]["fail"], report["totals"]["hold"]), (1, 0, 0), done.stderr)
        self.assertEqual({one["verdict"] for one in report["verdicts"]} - {"not served"}, {"not judged"})
        self.assertEqual(report["ended"], [])
        self.assertIn("the budget ran out before its process answered", done.stdout)

    def test_a_process_that_it_leaves_is_killed(self):
        began = time.monotonic()
        self.assertEqual(self.judged("forks").returncode, 0)
        self.assertLess(time.monotonic() - began, 15)

    def test_a_device_that_failed_is_no_verdict_and_the_reason_is_told(self):
        done = self.judged("device")
        self.assertEqual((done.returncode, done.stderr), (3, "ropewalk: the kernel's device failed; it gives no reason\n"), done.stdout)

    @unittest.skipUnless(os.environ.get("ROPEWALK_IN_FULL") == "1", "it keeps all processors busy: ./dev prove runs it")
    def test_processes_that_multiply_faster_than_they_are_ended_are_told(self):
        for _ in range(3):
            end = os.path.join(tempfile.mkdtemp(dir=folder.name), "end")
            done = subprocess.run([command, "verify", "--kernel", f"library:{self.bad}#storms", "--model", "llama-3.1-8b",
                                   "--law", "identity", "--cases", "2", "--allow-cut", "--dtype", "f32"],
                                  env={**os.environ, "ROPEWALK_END_OF_STORM": end}, capture_output=True, text=True, timeout=120)
            left = having_in_environment(end)
            pathlib.Path(end).touch()
            self.assertIn(done.returncode, (3,) if left else (0, 3), done.stdout + done.stderr)
            if left:
                self.assertRegex(done.stderr, "processes of a kernel outlive this run|shortage of this machine")
            while having_in_environment(end):
                time.sleep(0.01)

    def test_a_library_that_ends_its_process_fails(self):
        for flag, when in (("-DAT_LOAD", "loaded"), ("-DAT_UNLOAD", "unloaded")):
            library = build(f"{when}.so", flag)
            xml_file, json_file = (os.path.join(folder.name, f"{when}.{kind}") for kind in ("xml", "json"))
            done = verify(f"{library}#good" if when == "unloaded" else library, "--law", "accuracy", "--cases", "3", "--allow-cut",
                          "--report", f"junit={xml_file}", "--report", f"json={json_file}")
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            words = f"its process ended with exit code 0 when it was {when}"
            self.assertRegex(done.stdout, f"(?m)^FAILS library:{re.escape(library)}: {words}$")
            with open(json_file) as file:
                self.assertEqual(json.load(file)["ended"], [f"library:{library}: {words}"])
            suites = xml.etree.ElementTree.parse(xml_file).getroot()
            self.assertEqual(suites.get("errors"), "1")
            self.assertIn(words, suites.find(".//error").get("message"))

    def test_a_failure_of_its_process_is_in_every_report(self):
        xml_file = os.path.join(folder.name, "segv.xml")
        done = self.judged("segv", "--json", "--report", f"junit={xml_file}")
        self.assertEqual(done.returncode, 1)
        self.assertIn("SIGSEGV", json.dumps(json.loads(done.stdout)["verdicts"]))
        root = xml.etree.ElementTree.parse(xml_file).getroot()
        self.assertTrue(any("SIGSEGV" in one.get("message") for one in root.iter("error")))

    def test_in_process_it_has_no_transport(self):
        done = self.judged("exit0-quiet", "--in-process")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("a kernel ended the program before it was judged", done.stderr)
        done = verify(f"{self.bad}#good", "--law", "accuracy", "--cases", "20", "--allow-cut", "--in-process")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_an_exception_is_a_verdict(self):
        library = os.path.join(folder.name, "throwing.so")
        subprocess.run([os.environ["ROPEWALK_CXX"], "-std=c++20", "-shared", "-fPIC", "-I", str(source / "include"),
                        str(here / "throwing_kernel.cpp"), "-o", library], check=True)
        done = verify(library, "--law", "accuracy", "--cases", "5", "--allow-cut")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("reports: an exception left the library: no such shape", done.stdout)

    def test_an_interrupt_ends_a_run_whose_kernel_hangs(self):
        verifier = subprocess.Popen([command, "verify", "--kernel", f"library:{self.bad}#hang", "--model", "llama-3.1-8b",
                                     "--quiet"], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(3)  # a call is given 10 s
        verifier.send_signal(signal.SIGINT)
        out, err = verifier.communicate(timeout=30)
        self.assertEqual(verifier.returncode, -signal.SIGINT, err)
        self.assertIn("interrupted", out)
        self.assertNotIn("FAILS", out)

    def test_its_kernels_are_listed(self):
        done = subprocess.run([command, "verify", "--list", "--kernel", f"library:{self.bad}"], capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^library:\S+#good: promises angle-f64; limits: ")

    def test_an_entry_that_is_not_filled_in_is_said_to_be_empty(self):
        path = os.path.join(folder.name, "empty.so")
        code = ("#include <ropewalk/kernel/kernel.h>\nstatic const ropewalk_kernel empty;\n"
                "static const ropewalk_kernel* const list[] = {&empty};\n"
                "const ropewalk_kernel* const* ropewalk_kernels(size_t* count) { *count = 1; return list; }\n")
        subprocess.run(["gcc", "-shared", "-fPIC", "-I", str(source / "include"), "-x", "c", "-", "-o", path], input=code,
                       text=True, check=True)
        done = verify(path)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertIn("struct_size is 0; allowed: sizeof(ropewalk_kernel)", done.stderr)

    def test_a_file_that_is_no_library_is_refused(self):
        text = os.path.join(folder.name, "text.so")
        pathlib.Path(text).write_text("no library\n")
        for path in (text, "/nowhere/at.all.so", folder.name):
            done = verify(path)
            self.assertEqual((done.returncode, done.stdout), (2, ""), path)
            self.assertIn("a shared library that exports ropewalk_kernels", done.stderr)


if __name__ == "__main__":
    unittest.main()
