"""Python modules and Rust modules hold the bits of npy: Python runs the one, rustc compiles the other."""

import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
try:
    import numpy
except ImportError:
    print("skipped: python3-numpy is not installed")
    sys.exit(77)
from table_cases import cases, require

RUST_TYPES = {"f64": "f64", "f32": "f32", "f16": "u16", "bf16": "u16", "u32": "u32", "i32": "i32"}


def in_numbers(array):
    """Complex numbers as a last axis of 2."""
    if numpy.iscomplexobj(array):
        return array.view(array.real.dtype).reshape(*array.shape, 2)
    return array


def as_python_holds_it(case, array):
    """The numbers of a 16-bit format are floats there."""
    return (array.astype("<u4") << 16).view("<f4") if case.dtype == "bf16" else in_numbers(array)


def check_python(case, folder, array):
    path = case.write(folder / (case.name + ".py"), "--name", case.name)
    spec = importlib.util.spec_from_file_location(case.name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    wanted = as_python_holds_it(case, array)
    made = numpy.array(getattr(module, case.name), wanted.dtype)
    require(made.shape == wanted.shape and made.tobytes() == wanted.tobytes(), f"{case.name}: the Python module has the bits")


def rust_program(tables):
    lines = ["use std::io::Write;"]
    for case, _ in tables:
        lines += [f'mod {case.name} {{ include!("{case.name}.rs"); }}']
    lines += ["fn main() {", "    let mut out = std::io::stdout();"]
    for case, array in tables:
        shape = in_numbers(array).shape
        kind = RUST_TYPES[case.dtype]
        for extent in reversed(shape):
            kind = f"[{kind}; {extent}]"
        flat, each = "table", len(shape) - 1
        lines += [f"    let table: {kind} = {case.name}::{case.name};"]
        loops = "".join(f"for x{i} in {flat if i == 0 else f'x{i - 1}'}.iter() {{ " for i in range(each + 1))
        lines += [f"    {loops}out.write_all(&x{each}.to_le_bytes()).unwrap(); {'}' * (each + 1)}"]
    return "\n".join(lines + ["}", ""])


def check_rust(folder, tables):
    for case, _ in tables:
        case.write(folder / (case.name + ".rs"), "--name", case.name)
    (folder / "main.rs").write_text(rust_program(tables))
    built = subprocess.run(["rustc", "--edition", "2021", "-D", "warnings", "-o", str(folder / "main"), str(folder / "main.rs")],
                           capture_output=True, text=True)
    require(built.returncode == 0, built.stderr)
    written = subprocess.run([folder / "main"], capture_output=True, check=True).stdout
    require(written == b"".join(array.tobytes() for _, array in tables), "the arrays of the Rust modules are those of npy")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    tables = [(case, case.array(numpy, folder)) for case in cases()]
    for case, array in tables:
        check_python(case, folder, array)
    if shutil.which("rustc"):
        check_rust(folder, tables)
    else:
        print("not checked: rustc is not installed")
