#!/usr/bin/env python3
"""A C program over pipes is judged as a kernel."""
import os
import pathlib
import subprocess
import tempfile

from judged_program import JudgedProgram, run

here = pathlib.Path(__file__).parent
folder = tempfile.TemporaryDirectory()


class CProgram(JudgedProgram):
    program = os.path.join(folder.name, "c_rope")
    which = (("--model", "llama-3.1-8b"), ("--model", "gpt-neox-20b"), ("--model", "qwen2.5-7b-yarn4"))
    fault = "the key alone"
    fault_on = ("--model", "llama-3.1-8b")

    @classmethod
    def setUpClass(cls):
        subprocess.run(["gcc", "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off",
                        str(here / "c_rope.c"), "-o", cls.program, "-lm"], check=True)


run(CProgram, "gcc")
