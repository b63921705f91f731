#!/usr/bin/env python3
"""Runs some 340 commands with two builds of the program, and names those that print or write other bytes.

  tests/house/printed.py BEFORE AFTER     two programs, such as build/release/ropewalk of two commits
  tests/house/printed.py PROGRAM --list   only the commands

For changes that must not show: of the build, of the layout of the code. Not a test of CTest, which has one build. Lines with
measured times are compared with their numbers of seconds left out. The exit code is 1 where something differs.
"""
import os
import re
import subprocess
import sys
import tempfile

seconds = re.compile(rb"\d+(?:\.\d+)? (?:ms|us|s)\b")


def output_of(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout


def commands(program):
    """Every command as a list of words. FILE in a word stands for a file, whose bytes are compared too."""
    names = [line.split()[0] for line in output_of(program, "models").splitlines()[1:] if line]
    yield from ([], ["--version"], ["models"], ["models", "--json"], ["guarantees"], ["guarantees", "--markdown"], ["guarantees", "--json"],
                ["devices"], ["verify", "--list"], ["explain", "claims"], ["plot", "--list"])
    for subcommand in ("verify", "table", "apply", "models", "explain", "guarantees", "devices", "plot", "bench", "report", "sweep"):
        yield [subcommand, "--help"]
    for name in names:
        yield ["explain", "config", "--model", name]
    for name in names[::9]:
        yield ["explain", "config", "--model", name, "--json"]
        yield ["explain", "extrapolation", "--model", name]
        yield ["guarantees", "--model", name]
    laws = sorted(set(re.findall(r"^ +([a-z][a-z-]+)  ", output_of(program, "verify", "--list"), re.M)))
    for law in laws:
        yield ["explain", "law", law]
    for number in range(1, 30):
        yield ["explain", "claim", str(number)]
    for position, pair in (("0", "0"), ("1", "63"), ("131071", "5"), ("-7", "20"), ("2147483647", "35"), ("5", "64")):
        yield ["explain", "entry", position, pair, "--model", "llama-3.1-8b"]
    which = ["--model", "llama-3.1-8b", "--positions", "64"]
    for kind in ("inv-freq", "turns", "cos", "sin", "cos-sin", "ggml-factors"):
        for dtype in ("f64", "f32", "f16", "bf16"):
            yield ["table", kind, *which, "--dtype", dtype, "--format", "json", "--output", "-"]
    for form in ("npy", "npz", "safetensors", "gguf", "csv", "c", "glsl", "python", "rust"):
        yield ["table", "cos", *which, "--format", form, "--output", "FILE." + form]
    yield ["table", "cos", *which, "--format", "json", "--digits", "40", "--output", "-"]
    yield ["table", "inv-freq", "--model", "qwen2.5-7b-yarn4", "--format", "csv", "--digits", "100", "--output", "-"]
    for own in (["sinusoidal", "--d-model", "64"], ["alibi-slopes", "--heads", "12"], ["t5-buckets", "--buckets", "32", "--max-relative", "200"],
                ["alibi-bias", "--heads", "4", "--queries", "3", "--keys", "9"], ["binary", "--width", "8"], ["xpos", "--head-dim", "64"],
                ["normalised", "--width", "4", "--length", "9"], ["sine-only", "--width", "6"], ["integer", "--width", "2"]):
        yield ["table", *own, "--dtype", "f32", "--format", "csv", "--output", "-"]
    for kernel in ("cpu-turns", "cpu-table", "exact", "recipe-hf-f32"):
        for dtype in ("f32", "bf16"):
            yield ["verify", "--kernel", kernel, "--model", "gpt-neox-20b", "--dtype", dtype, "--cases", "3", "--seed", "5", "--threads", "1",
                   "--skip-law", "sizes=time", "--verbose"]
    for name in ("error-by-position", "wavelengths", "long-term-decay", "rotation", "sinusoids", "biases", "binary-codes", "oscillations"):
        yield ["plot", name, "--model", "llama-2-7b", "--text"]
    for wrong in (["nonsense"], ["table"], ["table", "cosine"], ["table", "cos"], ["table", "cos", "--model", "nope"], ["verify", "--law", "nope"],
                  ["verify", "--cases", "0"], ["verify", "--kernel", "nope"], ["verify", "--kernel", "library:/nope.so"], ["explain", "law", "nope"],
                  ["verify", "--table", "/nope.npy", "--as", "cos"], ["table", "cos", "--base", "1", "--head-dim", "64"], ["explain", "claim", "999"],
                  ["table", "cos", "--head-dim", "7"], ["apply"], ["sweep"], ["plot", "nope", "--text"], ["explain", "config", "/nope.json"]):
        yield wrong


def printed(program, words, folder):
    """Everything that a command prints and writes, and its exit code."""
    words = [word.replace("FILE", "made") for word in words]
    done = subprocess.run([os.path.abspath(program), *words], capture_output=True, stdin=subprocess.DEVNULL, timeout=600, cwd=folder)
    parts = [b"exit code %d" % done.returncode, done.stdout, done.stderr]
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as made:
            parts += [name.encode(), made.read()]
    return [seconds.sub(b"# s", part) for part in parts]


def main():
    if len(sys.argv) != 3:
        sys.exit("printed: arguments are two programs, or one and --list")
    before, after = sys.argv[1], sys.argv[2]
    listed = list(commands(before))
    if after == "--list":
        print(*(" ".join(words) for words in listed), sep="\n")
        return 0
    differing = 0
    for words in listed:
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            if printed(before, words, one) != printed(after, words, other):
                differing += 1
                print("differs: ropewalk " + " ".join(words))
    print(f"{len(listed)} commands, {differing} of them differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
