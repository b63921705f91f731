"""ropewalk apply: numpy writes the tensors and reads what comes back."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: python3-numpy is not installed")
    sys.exit(77)

COMMAND = os.environ["ROPEWALK_COMMAND"]
FAULTS = os.environ["ROPEWALK_FAULTS_LIBRARY"]
YARN = '{"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 64}'
WHICH = ["--base", "10000", "--head-dim", "16", "--rotary-dim", "12", "--pairing", "interleaved",
         "--scaling", YARN]


class Apply(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.random = np.random.default_rng(1)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_apply(self, x, *options, kernel="cpu-table"):
        np.save(self.path("x.npy"), x)
        return subprocess.run([COMMAND, "apply", *WHICH, "--kernel", kernel, "--input", self.path("x.npy"),
                               "--output", self.path("y.npy"), *options], capture_output=True, text=True)

    def applied(self, x, *options, kernel="cpu-table"):
        done = self.run_apply(x, *options, kernel=kernel)
        self.assertEqual(done.returncode, 0, done.stderr)
        return np.load(self.path("y.npy"))

    def rows(self, dtype, positions):
        tables = []
        for kind in ("cos", "sin"):
            np.save(self.path("positions.npy"), np.asarray(positions, dtype=np.int32))
            subprocess.run([COMMAND, "table", kind, *WHICH, "--quiet", "--dtype", dtype, "--positions",
                            self.path("positions.npy"), "--output", self.path("table.npy")], check=True)
            tables.append(np.load(self.path("table.npy")))
        return tables

    def canonical(self, x, dtype, positions, backward=False):
        cos, sin = (row[:, None, :] for row in self.rows(dtype, positions))
        sin = -sin if backward else sin
        y = x.copy()
        y[..., 0:12:2] = x[..., 0:12:2] * cos - x[..., 1:12:2] * sin
        y[..., 1:12:2] = x[..., 0:12:2] * sin + x[..., 1:12:2] * cos
        return y

    def numbers(self, *shape, dtype=np.float32):
        return self.random.standard_normal(shape + (16,)).astype(dtype)

    def test_gives_canonical_bits_in_binary32_and_binary64(self):
        for dtype, name in ((np.float32, "f32"), (np.float64, "f64")):
            x = self.numbers(50, 3, dtype=dtype)
            np.testing.assert_array_equal(self.applied(x), self.canonical(x, name, range(50)))

    def test_backward_and_positions(self):
        x = self.numbers(7, 2)
        y = self.applied(x, "--backward", "--positions", "-3:4")
        np.testing.assert_array_equal(y, self.canonical(x, "f32", range(-3, 4), backward=True))

    def test_batch_rows_count_from_zero_each_or_take_a_list(self):
        x = self.numbers(2, 5, 1)
        for row, y in zip(x, self.applied(x)):
            np.testing.assert_array_equal(y, self.canonical(row, "f32", range(5)))
        listed = np.array([4, 5, 6, 7, 8, 100, 99, -1, 2**31 - 1, -2**31], dtype=np.int32)
        np.save(self.path("p.npy"), listed)
        applied = self.applied(x, "--positions", self.path("p.npy"))
        for row, positions, y in zip(x, listed.reshape(2, 5), applied):
            np.testing.assert_array_equal(y, self.canonical(row, "f32", positions))

    def test_unit_leaves_the_attention_factor_out(self):
        x = self.numbers(4, 1, dtype=np.float64)
        ratio = self.applied(x)[0, 0, :12] / self.applied(x, "--unit")[0, 0, :12]
        np.testing.assert_allclose(ratio, 0.1 * np.log(4) + 1, rtol=4 * np.finfo(np.float64).eps)

    def test_bfloat16_travels_as_uint16_and_the_sidecar_says_so(self):
        x = (self.numbers(6, 2).view(np.uint32) >> 16).astype(np.uint16)
        y = self.applied(x, "--dtype", "bf16")
        self.assertEqual(y.dtype, np.uint16)
        np.testing.assert_array_equal(y[..., 12:], x[..., 12:])
        np.testing.assert_array_equal(y[0], self.applied(x[:1], "--dtype", "bf16")[0])
        record = json.loads(pathlib.Path(self.path("y.npy.json")).read_text())
        for key, value in (("dtype", "bf16"), ("kernel", "cpu-table"), ("promise", "canonical")):
            self.assertEqual(record[key], value)

    def test_exact_is_the_kernel_of_the_truth(self):
        x = self.numbers(9, 2)
        wide = self.canonical(x.astype(np.float64), "f64", range(9))
        np.testing.assert_array_equal(self.applied(x, kernel="exact"), wide.astype(np.float32))

    def test_bytes_do_not_depend_on_threads(self):
        x = self.numbers(300, 4, dtype=np.float16)
        one = self.applied(x, "--threads", "1").view(np.uint16)
        np.testing.assert_array_equal(one, self.applied(x, "--threads", "2").view(np.uint16))

    def test_a_library_is_asked_by_path_and_name(self):
        x = self.numbers(4, 4)
        x[..., :12] = 0
        sharp = self.path("c#.so")
        os.symlink(FAULTS, sharp)
        for library in FAULTS, sharp:
            y = self.applied(x, kernel=f"library:{library}#fault-pass-through-zeroed")
            self.assertTrue((y == 0).all(), library)
        self.assertIn("#NAME with one of ", self.run_apply(x, kernel=f"library:{sharp}").stderr)

    def test_bad_input_is_one_line_exit_2_and_no_file(self):
        x = self.numbers(4, 2)
        text = self.path("text.so")
        pathlib.Path(text).write_text("no library")
        np.save(self.path("short.npy"), np.arange(3, dtype=np.int32))
        for options, kernel, field in (
                ([], "no-such", "no kernel named 'no-such'; `ropewalk verify --list` lists all "),
                ([], "library:/no/such.so", "kernel is library:/no/such.so"),
                ([], f"library:{text}", "kernel is library:"),
                ([], f"library:{FAULTS}", "kernel is library:"),
                ([], f"library:{FAULTS}#none", "kernel is library:"),
                (["--positions", "5"], "cpu-table", "positions is 0:5"),
                (["--positions", self.path("short.npy")], "cpu-table", "positions is 3 listed"),
                (["--dtype", "bf16"], "cpu-table", "dtype is bf16"),
                (["--dtype", "f8"], "cpu-table", "dtype is f8")):
            done = self.run_apply(x, *options, kernel=kernel)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn(field, done.stderr)
            self.assertFalse(os.path.exists(self.path("y.npy")))

    def library(self, **changed):
        """A library of one kernel, described well but for what is changed."""
        source, path = self.path("foreign.c"), self.path("foreign.so")
        entry = {"struct_size": "sizeof kernel", "abi": "ROPEWALK_ABI", "name": '"theirs"', "operation": "0",
                 "promise": "&promise", "limits": "0", "plan": "plan", "apply": "apply", "free_plan": "release"}
        entry.update({key: value for key, value in changed.items() if key in entry})
        fields = ", ".join(f".{key} = {value}" for key, value in entry.items())
        pathlib.Path(source).write_text(f"""
            #include <ropewalk/kernel.h>
            static char place;
            static int32_t plan(const ropewalk_head* numbers, ropewalk_plan** made, ropewalk_error* error)
            {{ *made = {changed.get("made", "(ropewalk_plan*)&place")}; return !numbers || !error; }}
            static int32_t apply(const ropewalk_plan* made, const ropewalk_head* call, ropewalk_error* error)
            {{ (void)made; return !call || !error; }}
            static void release(ropewalk_plan* p) {{ (void)p; }}
            static const struct {{ ropewalk_promise known; char beyond[8]; }} longer =
              {{ {{sizeof longer, ROPEWALK_CANONICAL}}, {{{changed.get("beyond", "0")}}}}};
            static const ropewalk_promise promise = {{sizeof promise, {changed.get("bits", "ROPEWALK_CANONICAL")},
              .table = {changed.get("table", "0")}}};
            static const ropewalk_limits none = {{sizeof none, .position_begin = 5, .position_end = 5}};
            static const ropewalk_kernel kernel = {{{fields}}};
            static const ropewalk_kernel* const all[] = {{{changed.get("listed", "&kernel")}}};
            const ropewalk_kernel* const* ropewalk_kernels(size_t* count) {{
              (void)place, (void)plan, (void)apply, (void)release, (void)promise, (void)longer, (void)none, (void)kernel;
              *count = 1; return all; }}""")
        headers = os.path.join(os.environ["ROPEWALK_SOURCE"], "include")
        subprocess.run([os.environ["ROPEWALK_CC"], "-shared", "-fPIC", "-I", headers, source, "-o", path], check=True)
        return path

    def assert_refused(self, path, why):
        done = self.run_apply(self.numbers(2, 1), kernel=f"library:{path}")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
        self.assertIn(why, done.stderr)

    def test_libraries_that_break_the_interface_are_refused(self):
        for changed, why in (({"struct_size": "8"}, "name is NULL"), ({"struct_size": "1u << 17"}, "struct_size is 131072"),
                             ({"abi": "3"}, "its ABI is 3, this program's 2"), ({"name": "0"}, "name is NULL"),
                             ({"name": '"Their Kernel"'}, "lower case"), ({"bits": "9"}, "theirs: promise.bits is 9"),
                             ({"bits": "0", "table": "7"}, "theirs: promise.table is 7"),
                             ({"promise": "0"}, "theirs: promise is NULL"),
                             ({"promise": "&longer.known", "beyond": "1"}, "promise.struct_size is 44"),
                             ({"operation": "-1"}, "operation is -1"), ({"operation": "3"}, "operation is 3"),
                             ({"limits": "&none"}, "theirs: limits.position_end is 5"),
                             ({"made": "0"}, "theirs: plan returned ROPEWALK_OK but no plan"),
                             ({"plan": "0"}, "a function is NULL"), ({"apply": "0"}, "a function is NULL"),
                             ({"listed": "0"}, "a kernel is NULL"), ({"operation": "2"}, "base is 10000; allowed: none for alibi-bias")):
            self.assert_refused(self.library(**changed), why)

    def test_libraries_of_another_version_of_this_abi_are_taken(self):
        done = self.run_apply(self.numbers(2, 1), kernel=f"library:{self.library(promise='&longer.known')}")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_libraries_of_the_first_abi_are_refused_by_both_numbers(self):
        source, path = self.path("first.c"), self.path("first.so")
        pathlib.Path(source).write_text("""
            #include <stddef.h>
            #include <stdint.h>
            typedef struct { uint32_t struct_size, abi; const char* name; int32_t promise, operation; void* functions[3]; } kernel;
            static const kernel all[1] = {{sizeof(kernel), 1, "of-abi-1", 1, 0, {0, 0, 0}}};
            const kernel* ropewalk_kernels(size_t* count) { *count = 1; return all; }""")
        subprocess.run([os.environ["ROPEWALK_CC"], "-shared", "-fPIC", source, "-o", path], check=True)
        self.assert_refused(path, "its ABI is 1, this program's 2")

    def test_wrong_arrays_are_refused(self):
        for x, field in ((self.numbers(4), "input is [4, 16]"),
                         (self.numbers(4, 2)[..., :8], "input is [4, 2, 8]"),
                         (self.numbers(4, 2).astype(np.int32), "input is <i4"),
                         (self.numbers(4, 2).astype(np.uint16), "dtype is missing")):
            done = self.run_apply(x)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn(field, done.stderr)

    def test_empty_tensors_stay_empty(self):
        for shape in ((0, 2), (3, 0), (0, 4, 2)):
            self.assertEqual(self.applied(self.numbers(*shape)).shape, shape + (16,))

    def test_an_input_is_not_overwritten_by_the_outputs_sidecar(self):
        with open(self.path("y.npy.json"), "wb") as file:
            np.save(file, np.zeros((2, 1, 16), np.float32))
        before = pathlib.Path(self.path("y.npy.json")).read_bytes()
        done = subprocess.run([COMMAND, "apply", *WHICH, "--kernel", "cpu-table", "--input", self.path("y.npy.json"),
                               "--output", self.path("y.npy")], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("is an input", done.stderr)
        self.assertEqual(pathlib.Path(self.path("y.npy.json")).read_bytes(), before)
        self.assertFalse(os.path.exists(self.path("y.npy")))

    def test_a_pipe_that_nobody_reads_is_refused_and_one_that_is_read_is_written(self):
        os.mkfifo(self.path("y.npy"))
        x = np.ones((2, 1, 16), np.float32)
        done = self.run_apply(x)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("a pipe without a reader", done.stderr)
        reader = subprocess.Popen(["cat", self.path("y.npy")], stdout=subprocess.PIPE)
        done = self.run_apply(x)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(reader.communicate()[0].startswith(b"\x93NUMPY"))

    def test_the_device_named_serves(self):
        x = self.numbers(5, 3)
        wanted = self.applied(x)
        listed = json.loads(subprocess.run([COMMAND, "devices", "--json"], capture_output=True, check=True).stdout)
        index, used = next((i, one) for i, one in enumerate(listed) if one["used"])
        for device in (str(index), used["name"]):
            np.testing.assert_array_equal(self.applied(x, "--device", device, kernel="vulkan-turns"), wanted)
        for kernel, code, why in (("cpu-table", 2, "device is 99; allowed: only with a Vulkan kernel; cpu-table runs"),
                                  ("vulkan-turns", 3, "vulkan-turns: device is 99; there are: 0 (")):
            os.remove(self.path("y.npy"))
            done = self.run_apply(x, "--device", "99", kernel=kernel)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (code, 1), done.stderr)
            self.assertTrue(done.stderr.startswith("ropewalk: " + why), done.stderr)
            self.assertFalse(os.path.exists(self.path("y.npy")))
            pathlib.Path(self.path("y.npy")).touch()

    def test_standard_output_takes_the_array(self):
        np.save(self.path("x.npy"), self.numbers(2, 1))
        done = subprocess.run([COMMAND, "apply", *WHICH, "--kernel", "cpu-table",
                               "--input", self.path("x.npy"), "--output", "-"], capture_output=True)
        self.assertEqual(done.returncode, 0)
        self.assertTrue(done.stdout.startswith(b"\x93NUMPY"))


if __name__ == "__main__":
    unittest.main()
