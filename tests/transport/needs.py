"""What tests of transports need: the program and the tree. Without the program, or a module that is named, the test is skipped."""
import importlib
import os
import pathlib
import sys


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def modules(*names):
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError:
            skip(f"{name} is not installed")


source = pathlib.Path(os.environ["ROPEWALK_SOURCE"])
here = source / "tests/transport"
command = os.environ.get("ROPEWALK_COMMAND") or skip("the tool was not built")
environment = dict(os.environ, PYTHONPATH=str(source / "src/python"))  # of programs that import ropewalk_kernel
