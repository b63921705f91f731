#!/usr/bin/env python3
"""What ropewalk_bench lists and writes: names, counters, errors. Never a speed."""
import json
import os
import re
import subprocess
import sys
import tempfile

build, source = os.environ["ROPEWALK_BUILD"], os.environ["ROPEWALK_SOURCE"]
program = os.path.join(build, "ropewalk_bench")
if not os.path.exists(program):
    print("skipped: Google Benchmark is not here, so that ropewalk_bench was not built")
    sys.exit(77)
failures = []


def expect(what, holds):
    if not holds:
        failures.append(what)
        print("FAILED:", what)


def run(*words):
    return subprocess.run([program, *words], text=True, capture_output=True)


well_formed = re.compile(r"[a-z0-9-]+/[a-z0-9-]+/(f64|f32|f16|bf16|-)/(half-split|interleaved|-)/[1-9][0-9]*"
                         r"/iterations:([0-9]+)/manual_time")
listed = run("--benchmark_list_tests").stdout.split()
expect("every name is noun/kernel/dtype/pairing/tokens", all(well_formed.fullmatch(name) for name in listed))
expect("no name is listed twice", len(listed) == len(set(listed)))
expect("every median is of 9 rounds or more",
       all(int(well_formed.fullmatch(name)[3]) >= 9 for name in listed))

nouns = {name.split("/")[0] for name in listed}
for file in os.listdir(os.path.join(source, "bench")):
    if file.endswith("_bench.cpp"):
        expect(file + " is among the nouns", file.removesuffix("_bench.cpp").replace("_", "-") in nouns)
compared = {name.split("/")[1] for name in listed if name.startswith("apply/")}
for kernel in ["cpu-turns", "cpu-table", "recipe-hf-f32", "recipe-ggml", "recipe-bf16-cache",
               "recipe-bf16-angle", "recipe-f64"]:
    expect(kernel + " is compared", kernel in compared)

with tempfile.TemporaryDirectory() as work:
    file = os.path.join(work, "bench.json")
    done = run("--out", file,
               "--benchmark_filter=^one-token/(cpu-turns|cpu-table|recipe-hf-f32)/f32/half-split/1/")
    expect("a run succeeds", done.returncode == 0)
    written = json.load(open(file, encoding="utf-8"))
    expect("processor and compiler are written",
           written["context"]["processor"] and written["context"]["compiler"])
    runs = {one["name"]: one for one in written["benchmarks"]}
    expect("names are written as they were registered", set(runs) == {
        f"one-token/{kernel}/f32/half-split/1" for kernel in ["cpu-turns", "cpu-table", "recipe-hf-f32"]})
    for name, one in runs.items():
        expect(name + " has its speed", one["bytes_per_second"] > 0 and one["to_memcpy"] > 0)
        expect(name + " is printed", name.split("/")[1] in done.stdout)
        for limit in [2048, 131072, 2**20, 2**31]:
            share, ulp = one[f"correctly_rounded_{limit}"], one[f"max_ulp_{limit}"]
            rounds = share == 1 and ulp <= 0.5
            expect(f"{name} below {limit}", rounds != name.startswith("one-token/recipe"))
            expect(f"{name} below {limit}, normwise", 0 < one[f"normwise_{limit}"] <= 2.001)

for words in [["nonsense"], ["--out"], ["--benchmark_nonsense=1"],
              ["--benchmark_filter=nothing-is-called-so"]]:
    expect(f"{words} is refused", run(*words).returncode == 2)
expect("--help", "noun/kernel/dtype/pairing/tokens" in run("--help").stdout)

command = os.environ["ROPEWALK_COMMAND"]
forwarded = subprocess.run([command, "bench", "--benchmark_list_tests"], text=True, capture_output=True)
expect("ropewalk bench forwards", forwarded.stdout.split() == listed and forwarded.returncode == 0)
words = ["--benchmark_list_tests", "--benchmark_filter=^rows/", "--out", "models"]  # models is also a command
forwarded, direct = subprocess.run([command, "bench", *words], text=True, capture_output=True), run(*words)
expect(f"ropewalk bench forwards {words}",
       (forwarded.returncode, forwarded.stdout) == (direct.returncode, direct.stdout))
for flag in ["-h", "--help"]:
    said = subprocess.run([command, "bench", flag], text=True, capture_output=True).stdout
    expect(f"ropewalk bench {flag} says so", "Every argument is handed on" in said)
with tempfile.TemporaryDirectory() as work:
    alone = os.path.join(work, "ropewalk")
    subprocess.run(["cp", command, alone], check=True)
    missing = subprocess.run([alone, "bench", "--quick"], text=True, capture_output=True)
    expect("without it, ropewalk bench says so",
           missing.returncode == 3 and "ropewalk_bench" in missing.stderr)
sys.exit(1 if failures else 0)
