#!/usr/bin/env python3
"""Programs of ropewalk_kernel keep the time of their calls, and answer no request that they do not know."""
import json
import subprocess
import sys
import types
import unittest

import needs
from needs import environment, here, source

needs.modules("numpy")
sys.path.insert(0, str(source / "src/python"))
import numpy as np  # noqa: E402
import ropewalk_kernel  # noqa: E402

try:
    import torch  # noqa: F401
    has_torch = True
except ImportError:
    has_torch = False

calls = 4
query = np.arange(12, dtype="f4").reshape(1, 3, 2, 2)
key = -np.arange(6, dtype="f4").reshape(1, 3, 1, 2)
positions = np.array([[7, 8, 9]], "i4")
inputs = [("query", "F32", query), ("key", "F32", key), ("positions", "I32", positions)]


class Program:
    """A program that is asked over its pipes, as the verifier asks."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([sys.executable, str(here / "timed_kernels.py"), *arguments], env=environment,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(timeout=30)

    def ask(self, tensors=(), **words):
        ropewalk_kernel._write(self.process.stdin, words, tensors)
        return ropewalk_kernel._read(self.process.stdout)

    def ask_of(self, kernel, request, tensors=inputs, **words):
        self.ask(request="plan", plan=kernel, kernel=kernel, head_dim="2", rotary_dim="2")
        return self.ask(tensors, request=request, plan=kernel, **words)

    def times_of(self, kernel, **words):
        said, tensors = self.ask_of(kernel, "time", **{"calls": str(calls), **words})
        if said["status"] != "ok":
            raise RuntimeError(f"{said['status']}: {said['text']}")
        return json.loads(said["seconds"]), said["clock"], {name: array for name, (_, array) in tensors.items()}


class TimedCalls(unittest.TestCase):
    def test_inputs_are_the_same_in_every_call(self):
        with Program() as program:
            seconds, clock, results = program.times_of("overwrites")
        self.assertEqual((len(seconds), clock), (calls, "time.perf_counter"))
        np.testing.assert_array_equal(results["query"], query + positions[..., None, None])
        np.testing.assert_array_equal(results["key"], key + 1)

    def test_the_first_call_is_not_timed(self):
        with Program() as program:
            seconds, _, results = program.times_of("first-call-is-slow")
        self.assertGreaterEqual(min(seconds), 0.001)
        self.assertLess(max(seconds), 0.5)
        np.testing.assert_array_equal(results["key"], key + 2 * (calls + 1))  # query and key: two calls of it each

    def test_what_the_function_does_is_the_answer(self):
        with Program() as program:
            self.assertRaisesRegex(RuntimeError, "failed: IndexError: no such token", program.times_of, "raises")
            self.assertRaisesRegex(RuntimeError, "failed: ValueError: calls is 0", program.times_of, "overwrites", calls="0")
            self.assertEqual(program.ask_of("overwrites", "apply")[0]["status"], "ok")

    def test_it_is_offered_unless_that_is_denied(self):
        with Program() as program:
            described = json.loads(program.ask(request="describe", protocol="1")[0]["kernels"])
        self.assertEqual({one["name"]: one["time"] for one in described},
                         {"overwrites": True, "first-call-is-slow": True, "raises": True, "offers-none": False})

    def test_another_request_is_declined(self):
        with Program() as program:
            said, _ = program.ask(request="sing")
            self.assertEqual((said["status"], said["text"]), ("unsupported", "no request sing in protocol 1"))
            self.assertEqual(program.ask_of("overwrites", "apply")[0]["status"], "ok")

    @unittest.skipUnless(has_torch, "torch is not installed")
    def test_a_gradient_is_timed_without_the_forward_call(self):
        with Program("torch") as program:
            forward, _, turned = program.times_of("forward-is-slow")
            backward, _, gradient = program.times_of("forward-is-slow", flags="backward")
        self.assertGreater(min(forward), 0.1)  # the query, and the key
        self.assertLess(min(backward), 0.05)
        np.testing.assert_array_equal(turned["query"], 3 * query)
        np.testing.assert_array_equal(gradient["query"], 3 * query)

    @unittest.skipUnless(has_torch, "torch is not installed")
    def test_a_device_without_a_clock_is_declined(self):
        with Program("torch") as program:
            self.assertRaisesRegex(RuntimeError, "unsupported: no clock for tensors on meta", program.times_of,
                                   "on-a-device-without-a-clock")


class CudaClock(unittest.TestCase):
    """The order of events around a call on a device, by a stand-in for torch."""

    def test_a_call_lies_between_its_events(self):
        done = []

        class Event:
            def __init__(self, enable_timing):
                assert enable_timing

            def record(self):
                done.append("record")

            def synchronize(self):
                done.append("end")

            def elapsed_time(self, end):
                return 1.5  # milliseconds

        stand_in = types.SimpleNamespace(cuda=types.SimpleNamespace(Event=Event, synchronize=lambda: done.append("begin")))
        real = sys.modules.get("torch")
        sys.modules["torch"] = stand_in
        try:
            seconds, results = ropewalk_kernel._by_cuda(lambda: done.append("call") or ["result"])
        finally:
            sys.modules.pop("torch") if real is None else sys.modules.update(torch=real)
        self.assertEqual((seconds, results), (0.0015, ["result"]))
        self.assertEqual(done, ["begin", "record", "call", "record", "end"])


if __name__ == "__main__":
    unittest.main()
