#!/usr/bin/env python3
"""Every code block of every README is compiled or run; what it prints is compared with what the README shows.

A line `...` stands for any number of lines. What `verify` and `--compare` print is compared with its numbers left out: how many
cases fit into a budget depends on the machine, and so does numpy's cosine. `./dev verify` and `./dev bench` are run as the
`ropewalk verify` and `ropewalk bench` they end in.
"""
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

source, command = os.environ["ROPEWALK_SOURCE"], os.environ.get("ROPEWALK_COMMAND")
if not command:
    print("skipped: the tool was not built")
    sys.exit(77)
readmes = ["README.md", "include/ropewalk/README.md", "src/command/README.md", "src/model/README.md", "gpu/README.md", "bench/README.md",
           "src/transport/README.md", "src/python/README.md", "src/report/README.md", "tests/README.md", "proofs/README.md"]
# Commands of the README find this tool, and the python that has numpy: the one that runs this test.
places = [os.path.dirname(command), os.path.dirname(sys.executable), os.environ["PATH"]]
# A sample compiles with one compiler, and of the long commands asks less; `./dev prove` does all.
in_full = os.environ.get("ROPEWALK_IN_FULL") == "1"
SAMPLED = {  # what is added to a command as it is typed
    # Of some seeds, three cases compare nothing.
    "ropewalk verify": "--law canonical accuracy environment --cases 3 --allow-cut --seed 1",
    "ropewalk verify --config config.json --kernel cpu-table --dtype f32 --cases 200 --seed 1": "--cases 20 --allow-cut",
    "ropewalk verify --kernel 'program:python3 mine.py' --model llama-3.1-8b --dtype f32 --law accuracy norm":
        "--cases 20 --allow-cut",
    "ropewalk bench --quick": "--benchmark_filter '^(memcpy|apply/cpu-turns/f32/)'",
}
# As many cases as a trial of promises needs; without a number they fill a budget of a minute.
CHECKED = ('laws=["accuracy", "norm", "extrapolation"]', 'laws=["accuracy", "norm", "extrapolation"], cases=67, options=["--allow-cut"]')
failures = []
longest_readme = 230


def text_of(name):
    return open(os.path.join(source, name), encoding="utf-8").read()


def fail(what):
    failures.append(what)
    print(f"{readme}: {what}")


def compiles(text):
    for compiler in [os.environ["ROPEWALK_CXX"]] + ["clang++-19"] * in_full:
        if not shutil.which(compiler):
            continue
        run = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-I", os.path.join(source, "include"), "-x", "c++", "-"],
                             input=text, text=True, capture_output=True)
        if run.returncode:
            fail(f"a C++ block does not compile with {compiler}:\n{run.stderr}")


def pattern(line, exact):
    if not exact:
        line = re.sub(r"processors? of .*, best target \S+", "processors of #", line)  # this machine's
        line = re.sub(r"0x[0-9a-fp.+-]+|[-+]?\d[\d.,]*(?:e[-+]?\d+)?|inf|nan", "#", line)
    return re.sub(r"\s+", " ", line).strip()


def matches(shown, printed, exact):
    """Whether `printed` fits `shown`, in which a line ... stands for any lines."""
    parts, current = [], []
    for line in shown:
        if line.strip() == "...":
            parts.append(current)
            current = []
        else:
            current.append(pattern(line, exact))
    parts.append(current)
    lines = [pattern(line, exact) for line in printed]
    if len(parts) == 1:
        return lines == parts[0]
    if lines[:len(parts[0])] != parts[0]:
        return False
    at, end = len(parts[0]), len(lines) - len(parts[-1])
    for part in parts[1:-1]:
        while at + len(part) <= end and lines[at:at + len(part)] != part:
            at += 1
        if at + len(part) > end:
            return False
        at += len(part)
    return at <= end and lines[end:] == parts[-1]


def has_what_it_imports(text, place):
    with open(os.path.join(place, "mine.py"), encoding="utf-8") as program:
        names = re.findall(r"^import (torch|numpy)$", program.read(), re.M) + re.findall(r"python3 -m (pytest)", text)
    return all(importlib.util.find_spec(name) for name in names)


def run_block(text, place):
    for line, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.M):
        typed = line
        if re.match("git clone |apt-get ", line) or "-m venv" in line:  # tests/house/wheel_test.py and fresh_machine.sh do
            continue
        if line.startswith("./dev "):
            words = line.split()
            if words[1] not in ("verify", "bench"):
                fail(f"no test for `{line}`")
                continue
            typed = " ".join(["ropewalk"] + words[1:])
        if not in_full and typed in SAMPLED:
            added = SAMPLED[typed]
            typed = f"{re.sub(' --cases [0-9]+', '', typed) if '--cases' in added else typed} {added}"
        run = subprocess.run(typed, shell=True, cwd=place, text=True, capture_output=True,
                             env={**os.environ, "PATH": ":".join(places),
                                  "PYTHONPATH": os.path.join(source, "src/python")})
        if run.returncode not in (0, 1):
            fail(f"`{typed}` exits with {run.returncode}: {run.stderr}")
        if " 0 fail" in output and " 0 fail" not in run.stdout:
            fail(f"`{typed}` prints failures where the README shows none:\n{run.stdout}")
        shown, exact = output.splitlines(), not re.search(r" verify| --compare| bench| mine\.py|ropewalk\.flashinfer_bench", typed)
        if shown and not matches(shown, run.stdout.splitlines(), exact):
            fail(f"`{typed}` does not print what the README shows, but\n{run.stdout}{run.stderr}")


# What users' projects say in their tests, which build and run them.
used = {language: "".join(open(os.path.join(source, "tests/house", file), encoding="utf-8").read() for file in files)
        for language, files in {"cmake": ["consumer/CMakeLists.txt", "fetch_content/CMakeLists.txt"],
                                "make": ["consumer/Makefile"]}.items()}
with tempfile.TemporaryDirectory() as place:
    shutil.copy(os.path.join(source, "src/model/catalogue/llama-3.1-8b.json"), os.path.join(place, "config.json"))
    if os.environ.get("ROPEWALK_FAULTS_LIBRARY"):
        shutil.copy(os.environ["ROPEWALK_FAULTS_LIBRARY"], os.path.join(place, "libropewalk_faults.so"))
    for readme in readmes:
        for language, text in re.findall(r"^```(\w+)\n(.*?)^```", text_of(readme), re.M | re.S):
            if language == "cpp":
                compiles(text)
            elif language == "console" and "mine.py" in text and not has_what_it_imports(text, place):
                print(f"{readme}: left out, for want of a module: {text}")
            elif language == "console":
                run_block(text, place)
            elif language == "python":  # the program of the commands that follow
                if not in_full and CHECKED[0] in text:
                    text = text.replace(*CHECKED)
                with open(os.path.join(place, "mine.py"), "w", encoding="utf-8") as program:
                    program.write(text)
            elif language == "json":  # the task of the commands that follow
                with open(os.path.join(place, "definition.json"), "w", encoding="utf-8") as definition:
                    json.dump(json.loads(text), definition)
            elif language in used:
                for line in filter(None, text.splitlines()):
                    wanted = re.escape(line).replace("your_target", r"\w+")
                    if not re.search(f"^{wanted}$", used[language], re.M):
                        fail(f"no test of a user's project does `{line}`")
            elif language == "yaml" and readme == "src/report/README.md":  # tests/house/action_test.py does
                continue
            elif language != "text":
                fail(f"no test for a block of {language}")
    readme = "proofs/README.md"
    guarantees = subprocess.run([command, "guarantees", "--markdown"], text=True, capture_output=True).stdout
    if not guarantees or guarantees not in text_of(readme):
        fail(f"the table of guarantees is not what `ropewalk guarantees --markdown` prints:\n{guarantees}")
    readme = "README.md"
    for name, f32, bf16 in re.findall(r"^\| `([\w-]+)` \|.*\| ([\d.e-]+), ([\d.e-]+) \|$", text_of(readme), re.M):
        told = json.loads(subprocess.run([command, "explain", "promise", name, "--json"], text=True, capture_output=True).stdout)
        at = [one["relative"] for one in told["allows"] if one["position"] == 131072][0]
        if [f32, bf16] != [f"{at[dtype]:.2g}" for dtype in ("f32", "bf16")]:
            fail(f"promise {name} allows {at}, not {f32} and {bf16}")
    if len(text_of(readme).splitlines()) > longest_readme:
        fail(f"longer than {longest_readme} lines: what is said of one folder belongs into that folder's README")
    for folder in re.findall(r"^((?:include|src|gpu|proofs|tests|bench)\S*) ", text_of(readme), re.M):
        if not os.path.isdir(os.path.join(source, folder)):
            fail(f"the tree names {folder}, which does not exist")
    for parent in ["include/ropewalk", "src"]:
        for folder in sorted(os.listdir(os.path.join(source, parent))):
            if os.path.isdir(os.path.join(source, parent, folder)) and \
                    not re.search(f"^{parent}/{folder} ", text_of(readme), re.M):
                fail(f"the tree leaves out {parent}/{folder}")

sys.exit(1 if failures else 0)
