"""ropewalk apply on tensors of many parts: the bytes of one, in little memory, and no file where it fails."""

import io
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "output"))
import unfinished_files  # noqa: E402

try:
    import numpy as np
except ImportError:
    print("skipped: python3-numpy is not installed")
    sys.exit(77)

COMMAND = os.environ["ROPEWALK_COMMAND"]
APPLY = [COMMAND, "apply", "--base", "10000", "--head-dim", "64", "--kernel", "cpu-turns", "--quiet"]


class ApplyParts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        # 3 MiB in two batch rows: seven parts, of which one is in both rows.
        self.x = np.random.default_rng(1).standard_normal((2, 769, 8, 64)).astype(np.float32)
        np.save(self.path("x.npy"), self.x)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def apply(self, *options, command=APPLY, given="x.npy", **more):
        return subprocess.run([*command, "--input", "-" if given == "-" else self.path(given), "--output",
                               self.path("y.npy"), *options], capture_output=True, **more)

    def applied(self, *options, **more):
        done = self.apply(*options, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return np.load(self.path("y.npy"))

    def assert_refused(self, done, why, inputs=("x.npy",)):
        self.assertEqual((done.returncode, done.stderr.count(b"\n")), (2, 1), done.stderr)
        self.assertIn(why, done.stderr.decode())
        self.assertEqual(sorted(os.listdir(self.folder.name)), sorted(inputs))

    def test_parts_have_the_positions_of_their_tokens(self):
        whole = self.applied()
        for row in range(2):
            for first in range(0, 769, 100):
                last = min(first + 100, 769)
                np.save(self.path("piece.npy"), self.x[row, first:last])
                piece = self.applied("--positions", f"{first}:{last}", given="piece.npy")
                np.testing.assert_array_equal(whole[row, first:last], piece)

    def test_a_list_has_a_position_for_every_token_of_every_batch_row(self):
        listed = np.random.default_rng(2).integers(-2**31, 2**31, (2, 769)).astype(np.int32)
        np.save(self.path("p.npy"), listed.reshape(-1))
        whole = self.applied("--positions", self.path("p.npy"))
        for row in range(2):
            np.save(self.path("p.npy"), listed[row])
            np.save(self.path("row.npy"), self.x[row])
            np.testing.assert_array_equal(whole[row], self.applied("--positions", self.path("p.npy"), given="row.npy"))

    def test_bytes_do_not_depend_on_threads_or_on_where_they_come_from(self):
        whole = self.applied("--threads", "1")
        np.savez_compressed(self.path("x.npz"), x=self.x)
        header = b'{"x":{"dtype":"F32","shape":[2,769,8,64],"data_offsets":[0,%d]}}' % self.x.nbytes
        pathlib.Path(self.path("x.safetensors")).write_bytes(struct.pack("<Q", len(header)) + header + self.x.tobytes())
        bytes_of_x = pathlib.Path(self.path("x.npy")).read_bytes()
        for options, more in ((["--threads", "5"], {}), ([], {"given": "x.npz"}), ([], {"given": "x.safetensors"}),
                              ([], {"given": "-", "input": bytes_of_x})):
            np.testing.assert_array_equal(whole, self.applied(*options, **more), f"{options} {more.get('given')}")
        piped = subprocess.run([*APPLY, "--input", "-", "--output", "-"], input=bytes_of_x, capture_output=True, check=True)
        np.testing.assert_array_equal(whole, np.load(io.BytesIO(piped.stdout)))

    def test_memory_does_not_grow_with_the_tensor(self):
        if os.environ.get("LD_PRELOAD"):
            self.skipTest("a sanitizer's memory grows")
        with open(self.path("zeros.npy"), "wb") as file:
            np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": (2**17, 8, 64)})
            file.truncate(file.tell() + 2**28)
        child = subprocess.Popen([*APPLY, "--input", self.path("zeros.npy"), "--output", "-"], stdout=subprocess.PIPE)
        peak = 0
        while child.stdout.read(2**20):
            status = pathlib.Path(f"/proc/{child.pid}/status").read_text()
            peak = max([peak] + [int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")])
        child.stdout.close()
        self.assertEqual(child.wait(), 0)
        self.assertLess(peak, 64 * 1024, "KiB, for a tensor of 256 MiB")

    def test_an_input_of_another_length_leaves_no_file(self):
        bytes_of_x = pathlib.Path(self.path("x.npy")).read_bytes()
        self.assert_refused(self.apply(given="-", input=bytes_of_x[:-1]), "ends before its last element")
        self.assert_refused(self.apply(given="-", input=bytes_of_x + b"x"), "goes on after its last element")
        pathlib.Path(self.path("x.npy")).write_bytes(bytes_of_x + b"x")
        self.assert_refused(self.apply(), "goes on after its last element")
        pathlib.Path(self.path("x.npy")).write_bytes(bytes_of_x[:-1])
        self.assert_refused(self.apply(), "of elements")

    def test_an_output_that_does_not_fit_leaves_no_file(self):
        limited = ["bash", "-c", 'ulimit -f 1000; exec "$@"', "bash", *APPLY]
        self.assert_refused(self.apply(command=limited), "(File too large)")
        head = np.lib.format.header_data_from_array_1_0(self.x)
        with open(self.path("x.npy"), "wb") as file:
            np.lib.format.write_array_header_1_0(file, {**head, "shape": (2**30, 8, 64)})
        stream = pathlib.Path(self.path("x.npy")).read_bytes()
        self.assert_refused(self.apply(given="-", input=stream), "a path with enough space")

    def test_an_interrupt_leaves_no_file(self):
        stops = [signal.SIGINT, signal.SIGTERM]
        if unfinished_files.are_without_name_in(self.folder.name):
            stops.append(signal.SIGKILL)
        for stop in stops:
            child = subprocess.Popen([*APPLY, "--input", "-", "--output", self.path("y.npy")], stdin=subprocess.PIPE)
            child.stdin.write(pathlib.Path(self.path("x.npy")).read_bytes()[:-1])
            child.stdin.flush()
            until = time.monotonic() + 30
            while unfinished_files.held_by(child, self.folder.name) < 2 and time.monotonic() < until:
                time.sleep(0.01)
            self.assertEqual(unfinished_files.held_by(child, self.folder.name), 2, "the array and its record")
            child.send_signal(stop)
            self.assertEqual(child.wait(), -stop)
            child.stdin.close()
            self.assertEqual(os.listdir(self.folder.name), ["x.npy"])

    def test_limits_of_a_kernel_decide_how_it_is_called(self):
        source, library = self.path("strict.c"), self.path("strict.so")
        pathlib.Path(source).write_text("""
            #include <ropewalk/kernel.h>
            #include <string.h>
            static char place;
            static int32_t plan(const ropewalk_head* numbers, ropewalk_plan** made, ropewalk_error* error)
            { *made = (ropewalk_plan*)&place; return !numbers || !error; }
            static int32_t copy(const ropewalk_rotation_call* c, int rank, int64_t batch) {
              const ropewalk_tensor* in = &c->query_in; const int64_t* of = in->shape + rank - 3;
              if (in->data == c->query_out.data || in->rank != rank || c->tokens.begin != 0 ||
                  c->tokens.end != batch * of[0] || (rank == 4 && (in->shape[0] != batch || of[0] != 769))) return 1;
              memcpy(c->query_out.data, in->data, (size_t)(batch * of[0] * of[1] * of[2]) * 4); return 0; }
            static int32_t whole(const ropewalk_plan* p, const ropewalk_head* call, ropewalk_error* error)
            { (void)p; (void)error; return copy((const ropewalk_rotation_call*)call, 4, 2); }
            static int32_t parts(const ropewalk_plan* p, const ropewalk_head* call, ropewalk_error* error)
            { (void)p; (void)error; return copy((const ropewalk_rotation_call*)call, 3, 1); }
            static void release(ropewalk_plan* p) { (void)p; }
            static const ropewalk_promise promise = {sizeof promise, ROPEWALK_CANONICAL};
            static const int64_t shape[1][4] = {{2, 769, 8, 64}};
            static const ropewalk_limits listed = {sizeof listed, .not_served = ROPEWALK_DENSE, .shapes = shape, .shape_count = 1};
            static const ropewalk_limits dense = {sizeof dense, .not_served = ROPEWALK_DENSE};
            static const ropewalk_kernel a = {sizeof a, ROPEWALK_ABI, "whole", 0, &promise, &listed, plan, whole, release},
                                         b = {sizeof b, ROPEWALK_ABI, "parts", 0, &promise, &dense, plan, parts, release};
            static const ropewalk_kernel* const all[] = {&a, &b};
            const ropewalk_kernel* const* ropewalk_kernels(size_t* count) { *count = 2; return all; }""")
        headers = os.path.join(os.environ["ROPEWALK_SOURCE"], "include")
        subprocess.run([os.environ["ROPEWALK_CC"], "-shared", "-fPIC", "-I", headers, source, "-o", library], check=True)
        for name in "whole", "parts":
            np.testing.assert_array_equal(self.x, self.applied(
                "--in-process", "--kernel", f"library:{library}#{name}", command=APPLY[:6] + APPLY[-1:]))


if __name__ == "__main__":
    unittest.main()
