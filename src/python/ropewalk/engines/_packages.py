"""Finds packages of engines: in the node_modules of `./dev engines`, or the one named by ROPEWALK_ENGINES."""

from __future__ import annotations

import json
import os
import pathlib
from typing import List

_IN_THE_TREE = pathlib.Path(__file__).parent / "../../../../build/engines/node_modules"


def folder() -> pathlib.Path:
    """The folder node_modules, which need not exist."""
    return pathlib.Path(os.environ.get("ROPEWALK_ENGINES") or _IN_THE_TREE)


def files(package: str, pattern: str) -> List[pathlib.Path]:
    """Files of a package by name; empty if not installed."""
    return sorted((folder() / package).glob(pattern))


def version(package: str) -> str:
    """The installed version, or "" if there is none."""
    about = folder() / package / "package.json"
    return json.loads(about.read_text())["version"] if about.is_file() else ""
