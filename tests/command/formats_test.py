"""npz, safetensors, GGUF, JSON, CSV and C headers hold the bits of npy, as their own readers see them: numpy, readers of
safetensors and GGUF written from their descriptions, gcc and g++."""

import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import zipfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
try:
    import numpy
except ImportError:
    print("skipped: python3-numpy is not installed")
    sys.exit(77)
from table_cases import cases, program, require

STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
COMPILERS = [[os.environ["ROPEWALK_CC"], "-std=c11", "-x", "c"], [os.environ["ROPEWALK_CXX"], "-std=c++17", "-x", "c++"],
             [os.environ["ROPEWALK_CXX"], "-std=c++20", "-x", "c++"]]
C_TYPES = {"f64": "double", "f32": "float", "f16": "uint16_t", "bf16": "uint16_t", "u32": "uint32_t", "i32": "int32_t"}


def read_safetensors(path):
    """Metadata and tensors, by the description of the format alone."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    require(length % 8 == 0 and data[8:9] == b"{", f"{path.name}: the header is JSON, and what follows is aligned")
    header = json.loads(data[8:8 + length])
    metadata = header.pop("__metadata__")
    require(all(type(value) is str for value in metadata.values()), f"{path.name}: metadata are strings")
    sizes = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "U32": 4, "I32": 4}
    tensors, at = {}, 0
    for name, tensor in header.items():
        begin, end = tensor["data_offsets"]
        count = int(numpy.prod(tensor["shape"]))
        require(begin == at and end - begin == count * sizes[tensor["dtype"]], f"{path.name}: offsets are without gaps")
        tensors[name] = (tensor["dtype"], tensor["shape"], data[8 + length + begin:8 + length + end])
        at = end
    require(8 + length + at == len(data), f"{path.name}: nothing follows the last tensor")
    return metadata, tensors


GGUF_TYPES = {0: "f32", 1: "f16", 26: "i32", 28: "f64", 30: "bf16"}


class GgufReader:
    """Metadata and tensors, by the description of the format alone."""

    def __init__(self, data):
        self.data, self.at = data, 0
        require(self.take("<4sI") == (b"GGUF", 3), "GGUF: magic and version")
        tensors, entries = self.take("<QQ")
        self.metadata = {}
        for _ in range(entries):
            key = self.text()
            require(all(part.replace("_", "").isalnum() and part == part.lower() for part in key.split(".")), f"GGUF: key {key}")
            require(key not in self.metadata, f"GGUF: key {key} once")
            (kind,) = self.take("<I")
            require(kind in (4, 8), "GGUF: metadata are uint32 or strings")
            self.metadata[key] = self.text() if kind == 8 else self.take("<I")[0]
        infos = [self.info() for _ in range(tensors)]
        alignment = self.metadata.get("general.alignment", 32)
        begin = -(-self.at // alignment) * alignment
        require(not any(data[self.at:begin]), "GGUF: padding is zero")
        self.tensors, end = {}, 0
        for name, shape, kind, offset in infos:
            size = int(numpy.prod(shape)) * {"f64": 8, "f32": 4, "i32": 4}.get(kind, 2)
            require(offset == end and offset % alignment == 0, f"GGUF: {name} is aligned, without gaps")
            self.tensors[name] = (kind, shape, data[begin + offset:begin + offset + size])
            end = -(-(offset + size) // alignment) * alignment
            require(not any(data[begin + offset + size:begin + end]), "GGUF: padding is zero")
        require(begin + end == len(data), "GGUF: the last tensor is padded, too, and nothing follows")

    def take(self, layout):
        values = struct.unpack_from(layout, self.data, self.at)
        self.at += struct.calcsize(layout)
        return values

    def text(self):
        (length,) = self.take("<Q")
        return self.take(f"<{length}s")[0].decode()

    def info(self):
        name = self.text()
        (axes,) = self.take("<I")
        require(len(name.encode()) < 64 and 1 <= axes <= 4, f"GGUF: {name} has a short name and up to 4 axes")
        extents = self.take(f"<{axes}Q")
        kind, offset = self.take("<IQ")
        return name, list(reversed(extents)), GGUF_TYPES[kind], offset


def check_gguf(case, folder, array):
    if case.dtype == "u32":
        run = subprocess.run([program, "table", case.kind, *case.options, "--quiet", "--output", str(folder / "no.gguf")],
                             capture_output=True, text=True)
        require(run.returncode == 2 and "whose u32 gguf lacks" in run.stderr and not (folder / "no.gguf").exists(),
                f"{case.name}: GGUF has no such elements")
        return
    name = case.name + ".weight"
    file = GgufReader(case.write(folder / "t.gguf", "--name", name).read_bytes())
    shape = list(array.shape) + ([2] if numpy.iscomplexobj(array) else [])
    require(file.tensors == {name: (case.dtype, shape, array.tobytes())}, f"{case.name}: GGUF and npy are the same")
    require(file.metadata.pop("general.architecture") == "ropewalk" and file.metadata.pop("general.alignment") == 32,
            f"{case.name}: general metadata")
    require(all(key.startswith("ropewalk.") for key in file.metadata), f"{case.name}: other metadata are the record")
    check_record(case, {key.removeprefix("ropewalk."): value for key, value in file.metadata.items()})


def check_several_in_gguf(folder):
    """Tensors of one file whose sizes are no multiples of the alignment."""
    options = ["--base", "10000", "--head-dim", "6", "--positions", "5", "--quiet"]
    run = subprocess.run([program, "table", "inv-freq,cos,sin", *options, "--output", str(folder / "all.gguf")], capture_output=True)
    require(run.returncode == 0, "GGUF: several tensors")
    tensors = GgufReader((folder / "all.gguf").read_bytes()).tensors
    for kind in "inv-freq", "cos", "sin":
        subprocess.run([program, "table", kind, *options, "--output", str(folder / "one.npy")], check=True)
        array = numpy.load(folder / "one.npy")
        require(tensors[kind.replace("-", "_")] == ("f32", list(array.shape), array.tobytes()), f"GGUF: {kind} among others")


def check_record(case, record):
    """What every file says of itself."""
    for key in "units", "convention", "rounding":
        require(record[key], f"{case.name}: {key} is said")
    require(record["written_by"].startswith("ropewalk "), f"{case.name}: the version is said")
    require(record["command"].startswith(f"ropewalk table {case.kind} "), f"{case.name}: the command line is said")
    require(record["dtype"] == case.dtype, f"{case.name}: the dtype is said")


def check_npz(case, folder, array):
    path = case.write(folder / "t.npz", "--format", "npz", "--name", case.name)
    with numpy.load(path) as archive:
        require(sorted(archive.files) == sorted([case.name, "record"]), f"{case.name}: members of the npz")
        held, record = archive[case.name], json.loads(archive["record"].tobytes())
    require(held.dtype == array.dtype and held.shape == array.shape and held.tobytes() == array.tobytes(),
            f"{case.name}: npz and npy are the same")
    check_record(case, record)
    with zipfile.ZipFile(path) as archive:
        require(archive.testzip() is None, f"{case.name}: check sums of the npz")
        for member in archive.infolist():
            require(member.date_time == (1980, 1, 1, 0, 0, 0), f"{case.name}: the npz holds no time")
            require(member.compress_type == zipfile.ZIP_STORED, f"{case.name}: the npz is not compressed")


def check_safetensors(case, folder, array):
    metadata, tensors = read_safetensors(
        case.write(folder / "t.safetensors", "--format", "safetensors", "--name", case.name + ".weight"))
    require(list(tensors) == [case.name + ".weight"], f"{case.name}: one tensor")
    dtype, shape, data = tensors[case.name + ".weight"]
    is_complex = numpy.iscomplexobj(array)
    require(dtype == case.dtype.upper(), f"{case.name}: dtype of the tensor")
    require(shape == list(array.shape) + ([2] if is_complex else []), f"{case.name}: shape of the tensor")
    require(data == array.tobytes(), f"{case.name}: safetensors and npy are the same")
    require(("view" in metadata.get("stored_as", "") or "last axis of 2" in metadata.get("stored_as", "")) == is_complex,
            f"{case.name}: a complex tensor says how it is stored")
    check_record(case, metadata)
    if case.is_rotary():
        require(json.loads(metadata["model"])["base"] > 1, f"{case.name}: the model is in the metadata")
    else:
        require(json.loads(metadata["encoding"])["name"], f"{case.name}: the encoding is in the metadata")


def check_text(case, folder, array):
    """JSON and CSV read back to the array, in rows of its last axis."""
    table = json.loads(case.write(folder / "t.json").read_text())
    check_record(case, table)
    rows, name = table["rows"], table["array"]
    flat = array.view(array.real.dtype) if numpy.iscomplexobj(array) else array
    lists = [row[name] if type(row[name]) is list else [row[name]] for row in rows]
    require(sum(map(len, lists)) == flat.size, f"{case.name}: JSON has every entry")
    # JSON has no infinities; the null in their place has no sign.
    values = numpy.array([numpy.inf if value is None else value for entries in lists for value in entries])
    unsigned = flat if case.dtype == "bf16" else numpy.where(numpy.isinf(flat), abs(flat), flat)
    if case.dtype == "bf16":
        bits = [row["bits"] if type(row["bits"]) is list else [row["bits"]] for row in rows]
        values = numpy.array([int(one, 16) for entries in bits for one in entries])
    require((values.astype(flat.dtype) == unsigned.reshape(-1)).all(), f"{case.name}: JSON reads back")
    lines = case.write(folder / "t.csv").read_text().splitlines()
    check_record(case, json.loads(lines[0].removeprefix("# ")))
    columns = lines[1].split(",")
    require(len(lines) == len(rows) + 2 and len(set(columns)) == len(columns), f"{case.name}: CSV has every row")
    for line, row, entries in zip(lines[2:], rows, lists):
        require(len(line.split(",")) == len(columns), f"{case.name}: a CSV row has every column")
        index = [str(value) for key, value in row.items() if key not in (name, "bits")]
        at = len(index)
        # A real position may be written in another form of the same number.
        require([float(text) for text in line.split(",")[:at]] == [float(text) for text in index],
                f"{case.name}: CSV and JSON name the same rows")
        ours = [numpy.inf if value is None else value for value in entries]
        theirs = [float(text) for text in line.split(",")[at:at + len(entries)]]
        require([abs(value) if numpy.isinf(value) else value for value in theirs] == ours,
                f"{case.name}: CSV and JSON hold the same numbers")


def c_program(included):
    """A program that writes every array as it lies in memory."""
    lines = ["#include <stdio.h>"]
    lines += [f'#include "{case.name}.h"\n#include "{case.name}.h"' for case, _ in included]
    lines += ["int main(void) {"]
    for case, array in included:
        shape = array.shape + ((2,) if numpy.iscomplexobj(array) else ())
        # An array of another type or shape does not convert to this pointer.
        extents = "".join(f"[{extent}]" for extent in shape)
        lines += [f"  const {C_TYPES[case.dtype]} (*{case.name}_){extents} = &{case.name};",
                  f"  if (fwrite({case.name}_, sizeof *{case.name}_, 1, stdout) != 1) return 1;"]
    return "\n".join(lines + ["  return 0;", "}", ""])


def compile_c(compiler, arguments, what):
    run = subprocess.run([*compiler, *STRICT, *arguments], capture_output=True, text=True)
    require(run.returncode == 0, f"{what} with {' '.join(compiler)}:\n{run.stderr}")


def check_c(folder, tables):
    in_full = "ROPEWALK_IN_FULL" in os.environ  # else C++17 for one table in four: C11 and C++20 have all
    for number, (case, _) in enumerate(tables):
        path = case.write(folder / (case.name + ".h"), "--format", "c", "--name", case.name)
        first = path.read_text().splitlines()[0]
        require(first.startswith("// {"), f"{case.name}: a header begins with its record")
        check_record(case, json.loads(first[3:]))
        for compiler in COMPILERS if in_full or number % 4 == 0 else COMPILERS[::2]:
            compile_c(compiler, ["-fsyntax-only", str(path)], f"{case.name}: the header compiles alone")
    (folder / "main.c").write_text(c_program(tables))
    expected = b"".join(array.tobytes() for _, array in tables)
    for compiler in COMPILERS:
        compile_c(compiler, ["-o", str(folder / "main"), str(folder / "main.c")], "all headers compile together")
        printed = subprocess.run([folder / "main"], capture_output=True, check=True).stdout
        require(printed == expected, f"the arrays of the headers are those of npy, with {' '.join(compiler)}")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    tables = [(case, case.array(numpy, folder)) for case in cases()]
    require(any(numpy.isinf(array).any() for _, array in tables), "some table holds an infinity")
    require(any((array != 0).all() and array.min() < 2.0**-126 for case, array in tables if case.name == "subnormals_f32"),
            "some table holds subnormal numbers")
    for case, array in tables:
        check_npz(case, folder, array)
        check_safetensors(case, folder, array)
        check_gguf(case, folder, array)
        check_text(case, folder, array)
    check_several_in_gguf(folder)
    check_c(folder, tables)
    # In C++ the compiler knows the numbers.
    (folder / "constant.cpp").write_text('#include "one_position_f32.h"\n'
                                         "static_assert(one_position_f32[0][0] == 0x1.81ff7ap-1f);\n")
    compile_c(COMPILERS[1], ["-fsyntax-only", str(folder / "constant.cpp")], "numbers are constants")
