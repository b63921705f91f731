#!/usr/bin/env python3
"""A machine that lacks something is no verdict: every command ends with exit code 0, 2 or 3, says why in one line, and
leaves nothing behind. A sample of the levels runs here; with ROPEWALK_IN_FULL=1 every command runs on every level, and
on 64 levels of memory."""
import ctypes
import errno
import json
import os
import pathlib
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

COMMAND = os.environ.get("ROPEWALK_COMMAND")
if not COMMAND:
    print("skipped: the tool was not built")
    sys.exit(77)
SOURCE = pathlib.Path(os.environ["ROPEWALK_SOURCE"])
IN_FULL = os.environ.get("ROPEWALK_IN_FULL") == "1"
IS_SANITIZED = "asan" in os.environ.get("LD_PRELOAD", "")  # whose shadow takes terabytes of address space
MIB = 1 << 20
PR_SET_CHILD_SUBREAPER = 36

folder = tempfile.TemporaryDirectory()
place = pathlib.Path(folder.name)
os.chmod(place, 0o755)  # another user runs some of the commands
JUDGED = ["--model", "llama-3.1-8b", "--law", "accuracy", "--dtype", "f32", "--cases", "8", "--allow-cut", "--seed", "1",
          "--diagnosis", "0", "--threads", "2", "--quiet"]
COMMANDS = {
    "verify a library": ["verify", "--kernel", f"library:{place}/right.so", *JUDGED],
    "verify a program": ["verify", "--kernel", f"program:exec {place}/c_rope", *JUDGED],
    "verify": ["verify", "--kernel", "cpu-table", *JUDGED, "--report", "json=report.json"],
    "verify a table": ["verify", "--table", f"{place}/inv_freq.npy", "--as", "inv-freq", "--model", "llama-3.1-8b", "--quiet"],
    "table": ["table", "cos", "--model", "llama-3.1-8b", "--positions", "0:64", "--output", "cos.npy", "--quiet"],
    "table to stdout": ["table", "inv-freq", "--model", "llama-3.1-8b", "--output", "-", "--format", "csv", "--quiet"],
    "apply": ["apply", "--model", "llama-3.1-8b", "--kernel", "cpu-table", "--input", f"{place}/query.npy", "--output",
              "rotated.npy", "--quiet"],
    "models": ["models"],
    "explain entry": ["explain", "entry", "5", "2", "--model", "llama-3.1-8b"],
    "explain law": ["explain", "law", "accuracy"],
    "guarantees": ["guarantees"],
    "plot": ["plot", "binary-codes", "--svg", "plot.svg", "--quiet"],
    "sweep": ["sweep", "--model", "llama-3.1-8b", "--positions", "0:64", "--output", "results", "--threads", "2", "--quiet"],
    "devices": ["devices"],
    "bench": ["bench", "--kernel", "cpu-turns", "--tokens", "1", "--model", "llama-3.1-8b", "--dtype", "f32", "--quick", "--out",
              "bench.json", "--quiet"],
    "report": ["report", "--model", "gpt-j-6b", "--quick", "--output", "report.html", "--quiet"],
}
OF_KERNELS = ("verify a library", "verify a program")
LONG = ("bench", "report")  # which take a second, and a minute
# A driver of Vulkan may end the program where memory lacks: its fault, and of `devices` alone among these commands.
ON_DEVICES = ("devices", "bench", "report")


def npy(path, dtype, shape, content):
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + content)


def user_words():
    """How a command is begun as a user whose processes are limited; None where that is not possible."""
    if os.getuid() != 0:
        return []
    words = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--"]
    try:
        return words if subprocess.run([*words, COMMAND, "--version"], capture_output=True).returncode == 0 else None
    except OSError:
        return None


def has_namespaces():
    try:
        return subprocess.run(["unshare", "--mount", "mount", "-t", "tmpfs", "none", place], capture_output=True).returncode == 0
    except OSError:
        return False


def limited(what, level):
    return lambda: resource.setrlimit(what, (level, level))


def closed(streams):
    return lambda: [os.close(stream) for stream in streams]


def in_namespace(script):
    """The words that run a command where a script has been run before, in a mount namespace of its own."""
    return ["unshare", "--mount", "sh", "-c", script + ' && exec "$@"', "sh"]


def sample(names, levels):
    """Pairs of a command and a level: all, or one level for each command, which differ from command to command."""
    return [(name, level) for i, name in enumerate(names) for j, level in enumerate(levels)
            if (IN_FULL and name not in LONG) or i % len(levels) == j]


class Starved(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
            raise unittest.SkipTest("processes that are left behind cannot be counted")
        subprocess.run(["gcc", "-std=gnu11", "-O1", "-shared", "-fPIC", "-I", SOURCE / "include",
                        SOURCE / "src/package/example_kernel.c", "-o", place / "right.so", "-lm"], check=True)
        subprocess.run(["gcc", "-std=gnu11", "-O1", "-I", SOURCE / "include", SOURCE / "tests/transport/c_rope.c", "-o",
                        place / "c_rope", "-lm"], check=True)
        npy(place / "query.npy", "<f4", (1, 4, 2, 128), bytes(4 * 1024))
        subprocess.run([COMMAND, "table", "inv-freq", "--model", "llama-3.1-8b", "--output", place / "inv_freq.npy", "--quiet"],
                       check=True)

    def setUp(self):
        self.work = pathlib.Path(tempfile.mkdtemp(dir=place))
        os.chmod(self.work, 0o777)
        self.addCleanup(shutil.rmtree, self.work, ignore_errors=True)

    def names(self, *left_out):
        return [name for name in COMMANDS if (IN_FULL or name not in LONG) and name not in left_out]

    def run_one(self, name, words=(), change=None, allowed=(0, 2, 3), without=(), **how):
        """Runs a command. Checks how it ended, what it said and what it left; returns the exit code and the errors."""
        try:
            return self.run_and_check(name, words, change, allowed, without, **how)
        finally:
            shutil.rmtree(self.work)
            self.work.mkdir()
            os.chmod(self.work, 0o777)

    def run_and_check(self, name, words, change, allowed, without, **how):
        how.setdefault("stdout", subprocess.PIPE)
        done = subprocess.run([*words, COMMAND, *COMMANDS[name]], cwd=self.work, stdin=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, preexec_fn=change, timeout=300, **how)
        said = done.stderr.decode(errors="replace")
        text = f"{name}: exit code {done.returncode}\n{said}{(done.stdout or b'').decode(errors='replace')[-2000:]}"
        if "error while loading shared libraries" in said and done.returncode == 127:
            allowed = (127,)  # the loader's own, before the program begins
        elif name == "report":
            allowed = (*allowed, 1)  # a quick one judges too few cases
        self.assertIn(done.returncode, allowed, text)
        if done.returncode != 0 and 2 not in without and name != "report":
            self.assertRegex(said, r"\A(ropewalk: [^\n]+|[^\n]+: error while loading shared libraries: [^\n]+)\n\Z", text)
        self.assertNotIn("FAILS", text)
        self.assertNotIn("ropewalk: " + os.strerror(errno.EAGAIN), said)  # which names nothing
        kept = {path.name for path in self.work.iterdir()} - {"results"}  # a sweep is resumed from what it has
        if done.returncode == 2 and 1 in without:  # its files were written before the text that could not be
            self.assertLessEqual(kept, {"report.json", "bench.json"}, text)
            for one in kept:
                json.loads((self.work / one).read_text())
        elif done.returncode not in (0, 1):
            self.assertEqual(kept, set(), text)
        self.assertEqual([one.name for one in self.work.rglob(".*")], [], text)
        self.require_no_process(text)
        return done.returncode, said

    def require_no_process(self, text):
        until = time.monotonic() + 5
        while time.monotonic() < until:
            try:
                os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            time.sleep(0.01)
        self.fail("a process is left behind: " + text)

    def each(self, pairs, run):
        for name, level in pairs:
            with self.subTest(command=name, level=level):
                run(name, level)

    def test_in_plenty(self):
        for name in self.names():
            with self.subTest(command=name):
                self.run_one(name, allowed=(0, 3) if name in (*ON_DEVICES, "plot") else (0,))

    @unittest.skipIf(IS_SANITIZED, "sanitizers take the address space")
    def test_memory(self):
        levels = [(18 + 6 * i) * MIB for i in range(40)] + [(280 + 70 * i) * MIB for i in range(24)] if IN_FULL else [
            24 * MIB, 40 * MIB, 160 * MIB, 1024 * MIB]
        self.each(sample(self.names(*ON_DEVICES), levels),
                  lambda name, level: self.run_one(name, change=limited(resource.RLIMIT_AS, level)))

    def test_descriptors(self):
        levels = [3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 48, 64]
        few = [5, 12, 16, 20, 24, 64]
        run = lambda name, level: self.run_one(name, change=limited(resource.RLIMIT_NOFILE, level))  # noqa: E731
        self.each(sample(self.names(*OF_KERNELS), levels if IN_FULL else few), run)
        self.each([(name, level) for name in OF_KERNELS for level in (levels if IN_FULL else few)], run)

    def test_processes(self):
        words = user_words()
        if words is None:
            self.skipTest("root's processes are not limited, and no other user can run the program here")
        # The limit is set by that user: what root set does not bind the change of user.
        limit = ("import os, resource, sys\nresource.setrlimit(resource.RLIMIT_NPROC, 2 * (int(sys.argv[1]),))\n"
                 "os.execv(sys.argv[2], sys.argv[2:])")
        begin = [*words, sys.executable, "-c", limit]

        def run(name, level):
            self.run_one(name, words=[*begin, str(level)])
        self.each(sample(self.names(*OF_KERNELS), [1, 2, 3, 4]), run)
        self.each([(name, level) for name in OF_KERNELS for level in range(1, 9 if IN_FULL else 6)], run)

    def test_file_sizes(self):
        self.each(sample(self.names(), [0, 1000, 100_000]),
                  lambda name, level: self.run_one(name, change=limited(resource.RLIMIT_FSIZE, level)))

    def test_closed_streams(self):
        def run(name, streams):
            code, said = self.run_one(name, change=closed(streams), without=streams)
            writes = name not in ("table", "apply", "plot", "sweep", "bench", "report")
            if 1 in streams and writes:  # a report that nobody gets is no success
                self.assertEqual(code, 2, said)
        self.each(sample(self.names(), [(0,), (1,), (2,), (0, 1), (0, 1, 2)]), run)
        self.each([(name, (1,)) for name in OF_KERNELS], run)

    def test_a_full_device(self):
        for name in ("verify a library", "models", "table to stdout", "explain law", "guarantees"):
            with self.subTest(command=name), open("/dev/full", "wb") as full:
                self.run_one(name, allowed=(2,), stdout=full)

    def test_no_folder_for_temporary_files(self):
        for name in self.names():
            with self.subTest(command=name):
                self.run_one(name, env={**os.environ, "TMPDIR": "/nowhere"},
                             allowed=(0, 3) if name in (*ON_DEVICES, "plot") else (0,))

    def test_ends_of_processes_that_the_caller_ignores(self):
        for name in (*OF_KERNELS, *(("bench",) if IN_FULL else ())):
            with self.subTest(command=name):
                self.run_one(name, change=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN), allowed=(0,))

    def test_a_machine_without_its_own_file_systems(self):
        if not has_namespaces():
            self.skipTest("no mount namespace can be made here")
        for what in ("/proc", "/dev/shm"):
            for name in self.names():
                with self.subTest(command=name, without=what):
                    code, said = self.run_one(name, words=in_namespace(f"mount -t tmpfs -o ro none {what}"))
                    if what == "/proc" and name == "verify a library":
                        self.assertEqual(code, 3, said)
                        self.assertIn("a shortage of this machine, and no verdict", said)

    def test_a_full_disk(self):
        if not has_namespaces():
            self.skipTest("no mount namespace can be made here")
        for name in ("verify", "table", "apply", "plot", "sweep", *(LONG if IN_FULL else ())):
            for size in ("4k", "12k") if IN_FULL else ("4k",):
                with self.subTest(command=name, size=size):
                    script = (f"mount -t tmpfs -o size={size} none . && cd $(pwd) && "
                              "{ head -c 8192 /dev/zero >filled 2>/dev/null || true; }")
                    code, said = self.run_one(name, words=in_namespace(script))
                    if size == "4k":  # a short report has room on the larger one
                        self.assertNotEqual(code, 0, said)


if __name__ == "__main__":
    unittest.main()
