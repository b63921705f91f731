"""Verdicts of `ropewalk verify` on an engine's kernel."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import tempfile
from typing import Any, Dict, List, Sequence

from encodings_of_models import SOURCE, command


def program_of(kernel: str) -> str:
    """The command of a kernel as a value of `--kernel`."""
    return f"program:/usr/bin/python3 -m ropewalk.engines {kernel}"


def environment() -> Dict[str, str]:
    """The environment in which the command finds its modules."""
    return {**os.environ, "PYTHONPATH": str(SOURCE / "src/python"), "NO_COLOR": "1"}


def verified(kernel: str, model: str, promise: str, options: Sequence[str] = ()) -> Dict[str, Any]:
    """The JSON report of a verification. Raises RuntimeError with the program's text if there is no report."""
    with tempfile.TemporaryDirectory(prefix="ropewalk-") as folder:
        report = pathlib.Path(folder) / "report.json"
        run = subprocess.run([command(), "verify", "--quiet", "--kernel", program_of(kernel), "--model", model, "--promise", promise,
                              "--seed", "1", "--allow-cut", "--allow-declined", "--report", f"json={report}", *options],
                             capture_output=True, text=True, env=environment(), check=False)
        if not report.exists():
            raise RuntimeError(f"{kernel}, {model}: {run.stderr.strip()[-400:]}")
        return {**json.loads(report.read_text()), "asked_promise": promise}


def kept(report: Dict[str, Any]) -> Dict[str, Dict[str, Any]]:
    """By dtype: the strictest promise kept, and the next stricter one with the size of the miss."""
    return {one["dtype"]: {"promise": one["promise"], "missing": one["missing"], "stricter": one.get("stricter")}
            for tried in report["promises"] for one in tried["as_good_as"]}


def broken(report: Dict[str, Any]) -> List[Dict[str, Any]]:
    """Verdicts that fail."""
    return [one for one in report["verdicts"] if one["verdict"] == "FAILS"]
