#!/usr/bin/env python3
"""What program_cost.py prints: one line per pair, with times, a ratio and memory. Never how large they are."""
import json
import os
import shutil
import subprocess
import sys

try:
    import numpy  # noqa: F401
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

if not shutil.which("time"):
    print("skipped: time is not installed")
    sys.exit(77)

script = os.path.join(os.environ["ROPEWALK_SOURCE"], "bench/program_cost.py")
done = subprocess.run([sys.executable, script, os.environ["ROPEWALK_COMMAND"], "1", "1"], capture_output=True, text=True)
lines = [json.loads(line) for line in done.stdout.splitlines()]
pairs = [(line["what"], line["beside"]) for line in lines]
wanted = [("apply", "cp"), ("apply", "dd"), ("apply", "numpy in binary32"), ("table cos-sin f32", "cp"),
          ("table cos-sin f32", "numpy in binary32"), ("table cos f16", "table cos f32"),
          ("table cos bf16", "table cos f32"), ("table cos --compare, of an engine", "of this program")]
if done.returncode or pairs != wanted or any(line[key] <= 0 for line in lines for key in ("seconds", "its_seconds", "ratio", "peak_mib")):
    sys.exit(f"{done.returncode}\n{done.stdout}\n{done.stderr}")
