#!/usr/bin/env python3
"""The errors of engines' tables of images, as a user sees them: as text, as JSON and as a figure."""

import json
import os
import pathlib
import subprocess
import sys

import jsonschema

command = os.environ["ROPEWALK_COMMAND"]
schema = json.loads(pathlib.Path(os.environ["ROPEWALK_SOURCE"],
                                 "src/report/image-engines.schema.json").read_text(encoding="utf-8"))


def run(*words):
    return subprocess.run([command, *words], capture_output=True, text=True, check=True, timeout=120).stdout


def larger(engine):
    return max(engine["cos"]["error"], engine["sin"]["error"])


def main():
    record = json.loads(run("explain", "image-engines", "--json"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(record, schema)
    engines = record["engines"]
    errors = [larger(one) for one in engines]
    assert errors == sorted(errors, reverse=True), "not from the largest error down"
    # The numbers that src/command/README.md names.
    assert len(engines) == 51
    formed = [one["arithmetic"] for one in engines]
    assert (formed.count("binary32"), formed.count("binary64, rounded at the end")) == (32, 17)
    assert engines[0]["model"] == "ideogram-4" and format(errors[0], ".1e") == "4.5e-03", engines[0]

    lines = run("explain", "image-engines").splitlines()
    assert len(lines) == 1 + len(engines)
    for line, one in zip(lines[1:], engines):
        assert line.startswith(one["family"] + " ") and one["arithmetic"] in line, line

    figure = json.loads(run("plot", "image-engines", "--json", "-"))
    drawn = sorted((x for panel in figure["panels"] for series in panel["series"] for x in series["x"]), reverse=True)
    single = [one for one, how in zip(errors, formed) if how != "binary64, rounded at the end"]
    assert drawn[:len(single)] == single and len(drawn) == len(single) + 1, "the figure has other numbers"
    return 0


if __name__ == "__main__":
    sys.exit(main())
