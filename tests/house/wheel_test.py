#!/usr/bin/env python3
"""pip makes the package from the checkout without an index; the installed package judges a function, by pytest too, and makes tables."""
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

source = pathlib.Path(os.environ["ROPEWALK_SOURCE"])
command = os.environ.get("ROPEWALK_COMMAND")
if not command:
    print("skipped: the tool was not built")
    sys.exit(77)
try:
    import ensurepip  # noqa: F401
    import numpy  # noqa: F401
    import pip  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

mine = '''
import numpy as np
import ropewalk

def mine(query, positions, encoding, backward):
    half = encoding.rotary_dim // 2
    angle = positions[..., None, None] * encoding.inv_freq
    cos = (np.cos(angle) * encoding.attention_factor).astype("f4")
    sin = (np.sin(angle) * encoding.attention_factor).astype("f4") * np.float32(-1 if backward else 1)
    x, y = query[..., :half].copy(), query[..., half:2 * half].copy()
    query[..., :half], query[..., half:2 * half] = x * cos - y * sin, x * sin + y * cos

result = ropewalk.check(mine, model="llama-3.1-8b", promise="angle-f64", pairing="half-split", dtypes=["f32"], axes=1,
                        laws=["accuracy", "norm"], cases=20, options=["--allow-cut"])
print(result)
assert result.holds
print("made", ropewalk.__version__, ropewalk.table("cos", model="llama-3.1-8b", positions=range(131071, 131072))[0, 2].item().hex())
'''
held = mine.partition("result = ")[0] + '''
@ropewalk.holds(model="llama-3.1-8b", promise="angle-f64", pairing="half-split", dtypes=["f32"], axes=1, laws=["norm", "accuracy"],
                cases=20, options=["--allow-cut"])
def off_by_one(query, positions, encoding, backward):
    mine(query, positions + (positions > 99), encoding, backward)
'''


def run(*words, **how):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **how)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


environment = {name: value for name, value in os.environ.items() if name not in ("ROPEWALK_COMMAND", "PYTHONPATH")}
with tempfile.TemporaryDirectory() as folder:
    here = pathlib.Path(folder)
    checkout = here / "checkout"
    shutil.copytree(source, checkout, ignore=shutil.ignore_patterns("build", ".git", "__pycache__"))
    python = here / "venv/bin/python"
    run(sys.executable, "-m", "venv", "--system-site-packages", here / "venv")
    refused = subprocess.run([python, "-m", "pip", "install", "--no-index", "--config-settings", "program=nowhere", "."],
                             cwd=checkout, capture_output=True, text=True)
    assert refused.returncode != 0 and "allowed: the path of the program ropewalk" in refused.stdout + refused.stderr, refused
    run(python, "-m", "pip", "install", "--no-index", "--config-settings", f"program={command}", ".", cwd=checkout)
    (here / "mine.py").write_text(mine)
    printed = run(python, here / "mine.py", cwd=here, env=environment)
    made = re.search(r"^made (\S+) 0x1\.78d816", printed, re.M)
    assert "2 hold, 0 fail" in printed and made, printed
    assert f"ropewalk-{made[1]}.dist-info/entry_points.txt" in run(python, "-m", "pip", "show", "--files", "ropewalk")
    if importlib.util.find_spec("pytest"):
        (here / "test_held.py").write_text(held)
        tested = subprocess.run([python, "-m", "pytest", "-v", "--ropewalk-budget=30", "test_held.py"], cwd=here, env=environment, capture_output=True,
                                text=True)
        for line in ("test_held.py::off_by_one[accuracy-f32] FAILED", "test_held.py::off_by_one[norm-f32] PASSED", "cause: off-by-one: "):
            assert tested.returncode == 1 and line in tested.stdout, tested
        # Also where the plugin is named beside its entry point.
        assert "off_by_one[norm-f32]" in run(python, "-m", "pytest", "-p", "ropewalk_pytest", "--collect-only", "-q", "test_held.py",
                                             cwd=here, env=environment)
    else:
        print("without pytest, its plugin is not tried")
    for program in ([python, "-m", "ropewalk"], [here / "venv/bin/ropewalk"]):
        assert "ropewalk 0." in run(*program, "--version", cwd=here, env=environment)
    files = run(python, "-m", "pip", "show", "--files", "ropewalk")
    assert "ropewalk/py.typed" in files and "ropewalk_kernel.py" in files
    run(python, "-m", "pip", "uninstall", "--yes", "ropewalk")
    assert not (here / "venv/bin/ropewalk").exists()
    assert not list((checkout / "src").rglob("*.egg-info"))
print("ok")
