#!/usr/bin/env python3
"""A Rust program is judged as a kernel."""
import os
import pathlib
import subprocess
import tempfile

from judged_program import JudgedProgram, run

here = pathlib.Path(__file__).parent
folder = tempfile.TemporaryDirectory()
yarn = '{"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 512}'


class RustProgram(JudgedProgram):
    program = os.path.join(folder.name, "rust_rope")
    which = (("--model", "gpt-j-6b"),)
    fault = "the attention factor is dropped"
    fault_on = ("--base", "10000", "--head-dim", "64", "--pairing", "interleaved", "--scaling", yarn)

    @classmethod
    def setUpClass(cls):
        subprocess.run(["rustc", "--edition", "2021", "-O", "-D", "warnings", str(here / "rust_rope.rs"), "-o",
                        cls.program], check=True)


run(RustProgram, "rustc")
