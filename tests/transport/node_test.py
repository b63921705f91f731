#!/usr/bin/env python3
"""A JavaScript program is judged as a kernel."""
import pathlib

from judged_program import JudgedProgram, run


class NodeProgram(JudgedProgram):
    program = f"node {pathlib.Path(__file__).parent / 'node_rope.mjs'}"
    which = (("--model", "llama-3.1-8b"), ("--model", "gpt-j-6b"))
    fault = "the token's index is taken for its position"
    fault_on = ("--model", "gpt-j-6b")


run(NodeProgram, "node")
