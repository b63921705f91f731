#!/usr/bin/env python3
"""Checks the digest in rotary_dim_test.cpp against int(head_dim * partial_rotary_factor), as in engines."""

import json
import os
import re
import sys

STATE, PRIME = 0xCBF29CE484222325, 0x100000001B3


def digest(numbers):
    """FNV-1a over both bytes of every number."""
    state = STATE
    for number in numbers:
        for byte in number.to_bytes(2, "little"):
            state = (state ^ byte) * PRIME % 2**64
    return state


FACTORS = [json.loads(json.dumps(count / 100)) for count in range(1, 101)]
ROTARY_DIMS = [int(head_dim * factor) for head_dim in range(32, 513) for factor in FACTORS]
assert len(ROTARY_DIMS) == 48_100

source = os.path.join(os.environ["ROPEWALK_SOURCE"], "tests/model/rotary_dim_test.cpp")
with open(source, encoding="utf-8") as file:
    written = re.search(r"digest_by_python = (\w+);", file.read())[1]
computed = f"0x{digest(ROTARY_DIMS):016x}"
if written != computed:
    sys.exit(f"rotary_dim_test.cpp has {written}, Python computes {computed}")
exact = [head_dim * count // 100 for head_dim in range(32, 513) for count in range(1, 101)]
assert digest(exact) != digest(ROTARY_DIMS)
