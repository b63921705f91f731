"""GLSL includes hold the bits of npy: in the decimals that they print, and in what glslc makes of them."""

import json
import pathlib
import re
import shutil
import struct
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
if not shutil.which("glslc"):
    print("skipped: glslc is not installed")
    sys.exit(77)
from table_cases import cases, require, words

OP_CONSTANT, OP_CONSTANT_COMPOSITE = 43, 44


def widened(case, array):
    """The numbers as GLSL holds them: 16-bit formats in float."""
    if case.dtype == "bf16":
        return (array.astype("<u4") << 16).view("<f4")
    if numpy.iscomplexobj(array):
        return array.view(array.real.dtype).reshape(*array.shape, 2)
    return array.astype("<f4") if case.dtype == "f16" else array


def element_type(case):
    if case.dtype in ("u32", "i32"):
        return "uvec4" if case.dtype == "u32" else "int"
    scalar = "double" if case.dtype == "f64" else "float"
    return {"double": "dvec2", "float": "vec2"}[scalar] if "complex" in case.name else scalar


def shader(case, axes):
    index = "[i]" * axes
    return f"""#version 450
#extension GL_GOOGLE_include_directive : require
#include "{case.name}.glsl"
#include "{case.name}.glsl"
layout(local_size_x = 1) in;
layout(binding = 0) buffer out_buffer {{ {element_type(case)} y[]; }};
void main() {{ uint i = gl_GlobalInvocationID.x; y[i] = {case.name}{index}; }}
"""


def composites(module):
    """The words of every constant that consists of others, in order."""
    made, found, at = {}, [], 5
    while at < len(module):
        count, code = module[at] >> 16, module[at] & 0xffff
        operands = module[at + 1:at + count]
        if code == OP_CONSTANT:
            made[operands[1]] = operands[2:]
        elif code == OP_CONSTANT_COMPOSITE:
            made[operands[1]] = [word for part in operands[2:] for word in made[part]]
            found.append(made[operands[1]])
        at += count
    return found


def printed_numbers(text, dtype):
    """The literals of the array, read as a reader of decimals would."""
    body = text[text.index(" = ", text.index("\nconst ")):text.rindex(";")]
    body = re.sub(r"\b(?:float|double|u?int|d?vec2|uvec4)\b(?:\[\d+\])*", "", body)
    if dtype == "u32":
        return numpy.array([int(word, 16) for word in re.findall(r"0x([0-9a-f]{8})u", body)], "<u4")
    if dtype == "i32":
        return numpy.array([int(part.strip("()= \n")) for part in body.split(",")], "<i4")
    suffix = "lf" if dtype == "f64" else ""
    literals = [part.strip("()= \n") for part in body.split(",")]
    values = []
    for literal in literals:
        if literal in (f"1.0{suffix} / 0.0{suffix}", f"-1.0{suffix} / 0.0{suffix}"):
            values.append(float("-inf" if literal[0] == "-" else "inf"))
            continue
        require(re.fullmatch(r"-?\d+(\.\d+)?(e[-+]\d+)?" + suffix, literal) and re.search("[.e]", literal),
                f"{literal} is a literal of {dtype}")
        values.append(float(literal.removesuffix(suffix)))
    return numpy.array(values).astype("<f8" if dtype == "f64" else "<f4")


def check(case, folder):
    array = widened(case, case.array(numpy, folder))
    text = case.write(folder / (case.name + ".glsl"), "--format", "glsl", "--name", case.name).read_text()
    first = text.splitlines()[0]
    require(first.startswith("// {") and json.loads(first[3:])["dtype"] == case.dtype, f"{case.name}: the record")
    require(printed_numbers(text, case.dtype).tobytes() == array.tobytes(), f"{case.name}: the decimals read back")
    axes = array.ndim - ("vec" in element_type(case))
    (folder / "t.comp").write_text(shader(case, axes))
    run = subprocess.run(["glslc", "-Werror", "-I", str(folder), str(folder / "t.comp"), "-o", str(folder / "t.spv")],
                         capture_output=True, text=True)
    require(run.returncode == 0, f"{case.name}: glslc: {run.stdout}{run.stderr}")
    data = array.tobytes()
    expected = list(struct.unpack(f"<{len(data) // 4}I", data))
    require(expected in composites(words(folder / "t.spv")), f"{case.name}: the constants of the shader are those of npy")


with tempfile.TemporaryDirectory() as name:
    for case in cases():
        check(case, pathlib.Path(name))
