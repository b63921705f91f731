#!/usr/bin/env python3
"""Solutions in PyTorch: of flashinfer-bench's definitions, and of problems in KernelBench's form."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import needs

needs.modules("numpy", "torch")

sys.path.insert(0, needs.environment["PYTHONPATH"])
import rope_tasks as tasks  # noqa: E402
from ropewalk import flashinfer_bench, kernelbench  # noqa: E402

QUICK = {"laws": ["accuracy"], "cases": 8, "seed": 1, "options": ["--threads", "1", "--allow-cut"]}
IN_TORCH = """
import torch
from .pairs import turned

def run(q, k, cos_sin_cache, positions, q_out, k_out):
    assert not torch.is_grad_enabled()
    cos, sin = cos_sin_cache[positions, None].chunk(2, dim=-1)
    q_out.copy_(turned(q, cos, sin))
    k_out.copy_(turned(k, cos, sin))
"""
PAIRS = """
import torch

def turned(x, cos, sin):
    half = cos.shape[-1]
    rotary = x[..., :2 * half].float()
    first, second = rotary[..., :half], rotary[..., half:]
    pairs = torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1)
    return torch.cat((pairs.to(x.dtype), x[..., 2 * half:]), dim=-1)
"""
PROBLEM = """
import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def forward(self, q, k, cos, sin):
        def turned(x):
            first, second = x.chunk(2, dim=-1)
            return self.scale * (x * cos + torch.cat((-second, first), dim=-1) * sin)

        return turned(q), turned(k)

def get_inputs():
    angle = torch.rand(5, 8).repeat(1, 2)
    return [torch.rand(3, 4, 5, 16), torch.rand(3, 2, 5, 16), angle.cos(), angle.sin()]

def get_init_inputs():
    return [1.0]
"""
NEW = PROBLEM[:PROBLEM.index("def get_inputs")].replace("class Model(", "class ModelNew(").replace(
    "def turned(x):", "def turned(x):\n            assert x.shape[0] == 3 and x.shape[2] == 5")


class InTorch(unittest.TestCase):
    def test_sources_of_a_solution_import_each_other(self):
        definition = tasks.definition(dtype="bfloat16", rotary_dim=8)
        solution = tasks.solution(IN_TORCH, definition, takes_out=True)
        solution["sources"].append({"path": "pairs.py", "content": PAIRS})
        result = flashinfer_bench.check(definition, solution, **{**QUICK, "laws": ["accuracy", "pass-through"]})
        self.assertTrue(result.holds, result)
        solution["sources"][1]["content"] = PAIRS.replace("first * cos - ", "first * cos + ")
        result = flashinfer_bench.check(definition, solution, **QUICK)
        self.assertFalse(result.holds)
        self.assertIn("FAILS", result.text)


class KernelBench(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.problem, self.solution = (pathlib.Path(folder.name, name) for name in ("problem.py", "new_rope.py"))
        self.problem.write_text(PROBLEM)
        self.solution.write_text(NEW)

    def judged(self, **how):
        return kernelbench.check(str(self.problem), str(self.solution),
                                 **{"layout": "bhtd", "pairing": "half-split", **QUICK, **how})

    def test_a_model_of_fixed_shapes_is_judged_at_positions_of_any_call(self):
        result = self.judged()
        self.assertTrue(result.holds, result)
        self.assertRegex(result.text, r"(?m)\APASS: .*; new-rope, by hand\n\n(?s:.*)^f32    accuracy ")
        self.solution.write_text(NEW.replace("turned(q), turned(k)", "turned(q), k"))
        result = self.judged()
        self.assertFalse(result.holds)
        self.assertIn("the key alone", result.text)

    def test_what_is_unclear_is_refused(self):
        for words, problem, how in (
                ("layout is 'missing'", PROBLEM, {"layout": ""}), ("layout is 'dhtb'", PROBLEM, {"layout": "dhtb"}),
                ("layout of q is", PROBLEM, {"layout": "thd"}), ("pairing is 'nope'", PROBLEM, {"pairing": "nope"}),
                ("half of rotary_dim", PROBLEM, {"pairing": "interleaved"}),
                ("head_dim of k is '8'", PROBLEM.replace("2, 5, 16", "2, 5, 8").replace("turned(k)", "k"), {}),
                ("inputs is 'mask'", PROBLEM.replace("q, k, cos, sin)", "q, k, cos, mask)").replace("* sin", "* mask"), {}),
                ("problem is 'without get_inputs'", PROBLEM.replace("get_inputs", "inputs"), {}),
                ("problem is 'ZeroDivisionError", "1 / 0", {}),
                ("2: one for each of q, k", PROBLEM.replace(", turned(k)", ""), {})):
            self.problem.write_text(problem)
            with self.assertRaisesRegex(ValueError, words):
                self.judged(**how)

    def test_the_command_exits_as_the_program(self):
        done = subprocess.run([sys.executable, "-m", "ropewalk.kernelbench", str(self.problem), "nowhere.py", "--layout",
                               "bhtd", "--pairing", "half-split"], env=needs.environment, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertRegex(done.stderr, r"\Aropewalk: file is 'nowhere.py'; allowed: .*\n\Z")


if __name__ == "__main__":
    unittest.main()
