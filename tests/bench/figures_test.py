#!/usr/bin/env python3
"""The figures that READMEs show are what their data gives: each is drawn again and compared in names, numbers and texts."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

source, command = os.environ["ROPEWALK_SOURCE"], os.environ["ROPEWALK_COMMAND"]
folder = os.path.join(source, "bench", "figures")
failures = []


def expect(what, holds):
    if not holds:
        failures.append(what)
        print("FAILED:", what)


def texts_of(svg):
    """Every title, description, label and hint, and how many shapes stand in each series."""
    root = tree.fromstring(svg)
    words = ["".join(one.itertext()).strip() for one in root.iter()
             if one.tag.rsplit("}")[-1] in ("title", "desc", "text")]
    series = {one.get("data-series"): sum(1 for _ in one.iter()) for one in root.iter() if one.get("data-series")}
    return sorted(words), series


def plot(*words):
    done = subprocess.run([command, "plot", *words], capture_output=True, text=True)
    expect(f"plot {' '.join(words)}: {done.stderr}", done.returncode == 0)
    return done.stdout


def kept(name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read()


if shutil.which("gnuplot") is None:
    print("skipped: gnuplot is not here")
    sys.exit(77)
names = sorted(file.removesuffix(".json") for file in os.listdir(folder) if file.endswith(".json"))
expect("frontier and error-by-position are kept", {"error-by-position", "frontier"} <= set(names))
expect("every picture has its data", {file for file in os.listdir(folder)} ==
       {name + end for name in names for end in (".json", ".svg")})
with tempfile.TemporaryDirectory() as work:
    for name in names:
        data = os.path.join(folder, name + ".json")
        again = plot("--data", data, "--json", "-")
        expect(f"{name}: the data reads back", json.loads(again) == json.loads(kept(name + ".json")))
        expect(f"{name} is its name", json.loads(again)["name"] == name)
        words, series = texts_of(plot("--data", data, "--svg", "-"))
        expect(f"{name}: the picture's texts are those of its data", (words, series) == texts_of(kept(name + ".svg")))
        expect(f"{name}: series are drawn", series and all(count > 1 for count in series.values()))
        changed = json.loads(again)
        changed["title"] += " changed"
        other = os.path.join(work, "other.json")
        with open(other, "w", encoding="utf-8") as file:
            json.dump(changed, file)
        expect(f"{name}: another title is seen", texts_of(plot("--data", other, "--svg", "-"))[0] != words)

shown = "".join(open(os.path.join(source, file), encoding="utf-8").read() for file in ("README.md", "bench/README.md"))
for name in names:
    expect(f"a README shows {name}", re.search(rf"figures/{name}\.svg", shown))
sys.exit(1 if failures else 0)
