#!/usr/bin/env python3
"""ropewalk bench --compare on recorded runs: exit codes, tables and refusals. Never a speed of this machine.

recorded/before.json and again.json are runs of one program, one after the other. after.json is a later run
in which cpu-turns is the kernel without vector instructions, and recipe-f64 is recipe-hf-f32, which is faster
and less precise."""
import json
import os
import re
import subprocess
import sys
import tempfile

build, source = os.environ["ROPEWALK_BUILD"], os.environ["ROPEWALK_SOURCE"]
if not os.path.exists(os.path.join(build, "ropewalk_bench")):
    print("skipped: Google Benchmark is not here, so that ropewalk_bench was not built")
    sys.exit(77)
failures = []
recorded = {name: os.path.join(source, "tests", "bench", "recorded", name + ".json")
            for name in ["before", "again", "after"]}
names = [f"{group}/{kernel}/f32/half-split/{tokens}" for group, tokens in [("apply", 512), ("one-token", 1)]
         for kernel in ["cpu-turns", "cpu-table", "recipe-f64"]]


def expect(what, holds):
    if not holds:
        failures.append(what)
        print("FAILED:", what)


def compare(*words):
    return subprocess.run([os.environ["ROPEWALK_COMMAND"], "bench", "--compare", *words], text=True,
                          capture_output=True)


def verdicts(text):
    """What was found of each row of a table."""
    found = {}
    for line in text.splitlines():
        row = re.fullmatch(r"(\S+/\S+) .*?  ([a-z ]+)", line)
        if row:
            found[row[1]] = row[2].strip()
    return found


def rows_that_are(verdict, text):
    return {name for name, found in verdicts(text).items() if found == verdict}


def write(folder, record):
    path = os.path.join(folder, f"{len(os.listdir(folder))}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(record, file)
    return path


same = compare(recorded["before"], recorded["before"])
expect("a run is equal to itself",
       same.returncode == 0 and rows_that_are("unchanged", same.stdout) == set(names))

again = compare(recorded["before"], recorded["again"])
expect("every row of two runs is compared", set(verdicts(again.stdout)) == set(names))
expect("nothing changed between two runs of one program", again.returncode == 0 and not
       rows_that_are("slower", again.stdout) | rows_that_are("faster", again.stdout))

slower = {name for name in names if "cpu-turns" in name}
faster = {name for name in names if "recipe-f64" in name}
after = compare(recorded["before"], recorded["after"])
expect("a slower kernel is found, in both groups", rows_that_are("slower", after.stdout) == slower)
expect("a faster kernel is found, in both groups", rows_that_are("faster", after.stdout) == faster)
expect("a slower row fails", after.returncode == 1)
expect("the precision that speed cost is said", "less precise below 131,072: ulp" in after.stdout)
expect("and not a second time", after.stdout.count("less precise below 131,072") == 1)
for one in [same, again, after]:
    expect("lines are of at most 100 characters", all(len(line) <= 100 for line in one.stdout.splitlines()))
back = compare(recorded["after"], recorded["before"])
expect("backwards, slower is faster",
       rows_that_are("slower", back.stdout) == faster and rows_that_are("faster", back.stdout) == slower)

relaxed = compare(recorded["before"], recorded["after"], "--threshold", "1000")
expect("a threshold decides", relaxed.returncode == 0 and not rows_that_are("slower", relaxed.stdout))

markdown = compare(recorded["before"], recorded["after"], "--markdown")
open_part, hidden = markdown.stdout.split("<details>", 1)
for name in names:
    place, other = (open_part, hidden) if name in slower | faster else (hidden, open_part)
    expect(f"markdown has {name} where it belongs", f"| <code>{name}</code> |" in place and
           f"| <code>{name}</code> |" not in other)
expect("markdown fails as text does", markdown.returncode == 1)

before = json.load(open(recorded["before"], encoding="utf-8"))
with tempfile.TemporaryDirectory() as work:
    before["benchmarks"] = before["benchmarks"][::3]
    short = write(work, before)
    out = os.path.join(work, "now.json")
    now = compare(short, "--out", out)
    kept = {one["name"] for one in before["benchmarks"]}
    expect("without a second run, the rows of the first are measured", now.returncode in [0, 1] and
           set(verdicts(now.stdout)) == kept and "only in" not in now.stdout)
    written = json.load(open(out, encoding="utf-8"))
    expect("and written", {one["name"] for one in written["benchmarks"]} == kept)

    other_machine = json.loads(json.dumps(before))
    other_machine["context"]["processor"] = "another"
    expect("another processor is said",
           "processor: another -> " in compare(write(work, other_machine), short).stdout)
    other_model = json.loads(json.dumps(before))
    for one in other_model["benchmarks"]:
        one["model"] = "another"
    library = json.loads(json.dumps(before))
    library["context"]["command"] = "ropewalk bench --kernel library:./planted.so"
    refused = {
        "no such file": (["missing.json"], "missing.json"),
        "another model": ([write(work, other_model), short], "model another"),
        "a library that only a file names": ([write(work, library)], "library:./planted.so"),
        "a third file": ([short] * 3, "OLD.json [NEW.json]"),
        "a threshold without a number": ([short, short, "--threshold", "five"], "percent"),
        "another schema": ([write(work, {**before, "schema": "urn:other:1"})], "urn:ropewalk:bench:1"),
        "what is measured, beside two files": ([short, short, "--tokens", "7"], "tokens is 7")}
    for what, (words, said) in refused.items():
        one = compare(*words)
        expect(f"{what} is refused in one line", one.returncode == 2 and one.stdout == "" and
               said in one.stderr and one.stderr.count("\n") == 1)
sys.exit(1 if failures else 0)
