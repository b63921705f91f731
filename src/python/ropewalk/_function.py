"""Runs `ropewalk verify FILE.py::FUNCTION`: checks that function in the Python that has its modules."""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from typing import Any, Callable, Sequence

from ropewalk._check import check


def _function_of(subject: str) -> Callable[..., Any]:
    """The function, or other callable, named by FILE.py::NAME or FILE.py::NAME.NAME."""
    path, _, name = subject.partition("::")
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))  # as Python does for a program
    try:
        spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(path))[0], path)
        assert spec is not None and spec.loader is not None
        found: Any = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = found
        spec.loader.exec_module(found)
        for part in name.split("."):
            found = getattr(found, part)
    except Exception as error:
        raise ValueError(f"ropewalk: subject is {subject} ({type(error).__name__}: {error}); allowed: FILE.py::FUNCTION of a "
                         "file that python3 imports") from error
    if not callable(found):
        raise ValueError(f"ropewalk: subject is {subject} (of type {type(found).__name__}); allowed: a function")
    return found


def main(words: Sequence[str]) -> int:
    """Judges the function named by the first word, with the following options of `ropewalk verify`. Returns the exit code."""
    options = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    options.add_argument("--model", nargs="+", action="extend", default=[])
    options.add_argument("--config")
    options.add_argument("--promise")
    options.add_argument("--same-as")
    options.add_argument("--law", nargs="+", action="extend", default=[])
    options.add_argument("--quiet", action="store_true")
    known, others = options.parse_known_args(words[1:])
    others = [word for word in others if word != "--"]  # the program's arguments follow it
    model = known.model[0] if len(known.model) == 1 else None
    if model is None and known.model:
        others += ["--model", *known.model]
    offer = {} if known.promise is None else {"promise": known.promise}
    try:
        other = known.same_as
        if other is not None and ".py::" in other:
            other = _function_of(other)
        result = check(_function_of(words[0]), config=known.config, model=model, laws=known.law, same_as=other, options=others, **offer)
    except (ValueError, FileNotFoundError) as error:
        print(error, file=sys.stderr)
        return 2 if isinstance(error, ValueError) else 3
    print(result)
    return 0 if result.holds else 1
