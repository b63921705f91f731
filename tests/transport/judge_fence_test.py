#!/usr/bin/env python3
"""What a solution that cheats, or misbehaves, can and cannot do to its verdict."""
import sys
import unittest

import needs

needs.modules("numpy")

sys.path.insert(0, needs.environment["PYTHONPATH"])
import rope_tasks as tasks  # noqa: E402
from ropewalk import flashinfer_bench  # noqa: E402

COPIES = "\ndef run(q, k, cos_sin_cache, positions):\n    return q.copy(), k.copy()\n"
RIGHT = tasks.NUMPY + "\nright = run\n"


def judged(content, *options, takes_out=False, cases=12):
    return flashinfer_bench.check(tasks.definition(), tasks.solution(content, takes_out=takes_out), laws=["accuracy"],
                                  cases=cases, seed=1, options=["--threads", "1", "--allow-cut", "--diagnosis", "0", *options])


class Fence(unittest.TestCase):
    def fails(self, words, content, **how):
        result = judged(content, **how)
        self.assertFalse(result.holds, result)
        self.assertRegex(result.text, words)

    def holds(self, content, *options, **how):
        result = judged(content, *options, **how)
        self.assertTrue(result.holds, result)
        return result

    def test_answers_that_are_not_computed(self):
        self.fails("FAILS", COPIES)
        for key in ("q.ctypes.data", "q.shape, k.shape"):  # remembered by address, and by shape
            self.fails(r"(?m)^(FAILS|not reproducible) ", RIGHT + f"""
answers = {{}}
def run(q, k, cos_sin_cache, positions):
    key = ({key})
    if key not in answers:
        answers[key] = right(q, k, cos_sin_cache, positions)
    fits = answers[key][0].shape == q.shape and answers[key][1].shape == k.shape
    return answers[key] if fits else right(q, k, cos_sin_cache, positions)
""", cases=200)
        self.fails("FAILS", "def run(q, k, cos_sin_cache, positions, q_out, k_out):\n    pass\n", takes_out=True)

    def test_inputs_that_are_changed(self):
        for name in ("q", "cos_sin_cache", "positions"):
            change = "q[...] = 0" if name == "q" else f"{name}[{name} != 0] = 0"
            self.fails(f"the solution changed its input {name}", RIGHT + f"""
def run(q, k, cos_sin_cache, positions):
    answer = right(q, k, cos_sin_cache, positions)
    {change}
    return answer
""")

    def test_what_is_patched_in_its_process_judges_nobody(self):
        self.fails("FAILS", COPIES + """
import numpy, ropewalk_kernel, ropewalk._judged, ropewalk._task, time
numpy.array_equal = numpy.allclose = numpy.testing.assert_array_equal = lambda *_, **__: True
ropewalk_kernel._from_function = lambda result, dtype, shape: result
ropewalk._judged.Judged._rotate = ropewalk._judged.Judged.rotate = lambda self, query, *_: [query, query]
time.time = time.monotonic = time.perf_counter = lambda: 0.0
""", cases=1)

    def test_what_it_says_of_itself_judges_nobody(self):
        clean = judged(COPIES)
        told = judged(COPIES + """
import ropewalk_kernel, ropewalk._judged
ropewalk._judged.Judged.serves = lambda self: {"positions": [0, 1]}
for one in ropewalk_kernel._kernels.values():
    one.description.update(promise="angle=bf16,table=bf16,rotation=data,fused", positions=[0, 1], dtypes=[])
""")
        self.assertFalse(told.holds)
        self.assertIn("mine-1 claims rounded-table", told.text)
        self.assertEqual([one["verdict"] for one in clean.verdicts], [one["verdict"] for one in told.verdicts])

    def test_what_it_declines_fails(self):
        def declining(how):
            return RIGHT + f"""
import ropewalk_kernel
def run(q, k, cos_sin_cache, positions):
    if len(positions) > 6:
        {how}
    return right(q, k, cos_sin_cache, positions)
"""
        self.fails("declined", declining("raise ropewalk_kernel.Unsupported('long')"), cases=100)
        self.holds(declining("raise ropewalk_kernel.Unsupported('long')"), "--allow-declined", cases=100)
        self.fails("NotImplementedError: long", declining("raise NotImplementedError('long')"), cases=100)

    def test_what_it_prints_is_no_answer(self):
        self.holds("print('at import', flush=True)\nimport os\nos.write(1, b'bytes')\n" + RIGHT + """
def run(q, k, cos_sin_cache, positions):
    print("in a call", flush=True)
    os.write(1, b"more bytes")
    os.system("echo one of a child")
    return right(q, k, cos_sin_cache, positions)
""")

    def test_forged_messages_are_a_failure(self):
        result = judged(COPIES + """
import os
for descriptor in range(3, 20):
    try:
        os.write(descriptor, b"\\2\\0\\0\\0\\0\\0\\0\\0{}")
    except OSError:
        pass
""", "--budget", "1")
        self.assertFalse(result.holds)
        self.assertIn("FAILS", result.text)

    def test_ends_of_its_process_are_failures(self):
        self.fails("ended with exit code 0", "import os\n" + COPIES.replace("return", "os._exit(0); return"))
        self.fails("ended with exit code 0", "raise SystemExit(0)\n" + COPIES)
        self.fails("ended by signal 11", "import ctypes\n" + COPIES.replace("return", "ctypes.string_at(0); return"))

    def test_a_judge_that_is_killed_says_nothing_good(self):
        """Its processes are of the same user; a report that is missing, or a signal, is no success."""
        with self.assertRaisesRegex(RuntimeError, "ended with -9"):
            judged("""
import os, signal
def run(*_):
    parent, judges = os.getppid(), []
    while parent > 1:
        if open(f"/proc/{parent}/comm").read().strip() == "ropewalk":
            judges.append(parent)
        parent = int(open(f"/proc/{parent}/stat").read().rpartition(")")[2].split()[1])
    os.kill(judges[-1], signal.SIGKILL)
""")

    def test_seeds_are_drawn(self):
        how = {"laws": ["identity"], "cases": 1, "options": ["--threads", "1"]}
        texts = [flashinfer_bench.check(tasks.definition(), tasks.solution(tasks.NUMPY), **how).text for _ in range(2)]
        self.assertEqual(len({text.rpartition("seed ")[2].split()[0] for text in texts}), 2)

    def test_what_is_not_seen(self):
        """Right answers by another way than the given cache: with numbers that stand in its process."""
        self.holds(RIGHT + """
import sys
import numpy as np
def run(q, k, cos_sin_cache, positions):
    frame = sys._getframe()
    while "encoding" not in frame.f_locals:
        frame = frame.f_back
    angles = positions[:, None] * frame.f_locals["encoding"].inv_freq
    cache = np.concatenate((np.cos(angles), np.sin(angles)), axis=-1).astype("f4")
    return right(q, k, cache, np.arange(len(positions)))
""", "--promise", "angle-f64", "--positions", "0:1000")


if __name__ == "__main__":
    unittest.main()
