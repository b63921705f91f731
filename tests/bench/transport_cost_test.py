#!/usr/bin/env python3
"""What transport_cost.py prints: one line per function, with three times and two ratios. Never how large they are: times are
differences, which a busy machine can make negative."""
import json
import math
import os
import subprocess
import sys

build, source = os.environ["ROPEWALK_BUILD"], os.environ["ROPEWALK_SOURCE"]
program = os.path.join(build, "transport_calls")
try:
    import numpy  # noqa: F401
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)
if not os.path.exists(program):
    print("skipped: Google Benchmark is not here, so that the benchmarks were not built")
    sys.exit(77)

done = subprocess.run([sys.executable, os.path.join(source, "bench/transport_cost.py"), program, "200", "1"], capture_output=True, text=True)
lines = [json.loads(line) for line in done.stdout.splitlines()]
names = [line["function"] for line in lines]
numbers = {"through_transport_us", "verifier_us", "function_us", "ratio", "ratio_to_function"}
are_numbers = all(line.keys() - {"function"} == numbers and all(math.isfinite(line[key]) for key in numbers) for line in lines)
if done.returncode or names not in (["numpy"], ["numpy", "torch"]) or not are_numbers:
    sys.exit(f"{done.returncode}\n{done.stdout}\n{done.stderr}")
