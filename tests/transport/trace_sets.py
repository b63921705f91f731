"""Trace sets as flashinfer-bench reads and runs them, at commit 40e6ca7: what it refuses, the inputs of a workload, and its comparison."""
import ast
import json
import struct

import numpy as np
import torch

DTYPES = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16, "int32": torch.int32, "int64": torch.int64}
ACCEPTED = 0.01  # its default atol and rtol (bench/config.py)


def definitions(root):
    """Definitions by name, as data/validate.py finds them."""
    return {path.stem: json.loads(path.read_text()) for path in sorted(root.glob("definitions/*/*.json"))}


def workloads(root, name):
    lines = (root / f"workloads/rope/{name}.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def tensors_of(path):
    """The arrays of a safetensors file."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__", None)
    kinds = {"F32": "<f4", "I32": "<i4", "I64": "<i8"}
    bodies = {name: data[8 + length:][slice(*one["data_offsets"])] for name, one in header.items()}
    return {name: np.frombuffer(bodies[name], kinds[one["dtype"]]).reshape(one["shape"]) for name, one in header.items()}


def extents(definition, workload):
    fixed = {name: axis["value"] for name, axis in definition["axes"].items() if axis["type"] == "const"}
    return {**fixed, **workload["axes"]}


def refusals(root, name, definition, *, in_place):
    """What data/definition.py and data/validate.py would refuse or warn of, in words; in_place: outputs may have names of inputs."""
    wrong = []
    if definition["name"] != name or definition["op_type"] != "rope":
        wrong.append("name or op_type")
    if not in_place and set(definition["inputs"]) & set(definition["outputs"]):
        wrong.append("input and output names overlap")
    if not any(isinstance(node, ast.FunctionDef) and node.name == "run" for node in ast.parse(definition["reference"]).body):
        wrong.append("no function run")
    described = [definition, *definition["axes"].values(), *definition["inputs"].values(), *definition["outputs"].values()]
    wrong += ["no description"] * (not all(one.get("description") for one in described))
    for tensor in [*definition["inputs"].values(), *definition["outputs"].values()]:
        wrong += [f"axis {axis}" for axis in tensor["shape"] or () if axis not in definition["axes"]]
    return wrong + [words for line in workloads(root, name) for words in _refused_of_workload(root, name, definition, line)]


def _refused_of_workload(root, name, definition, line):
    wrong, workload = [], line["workload"]
    if line["definition"] != name or line["solution"] is not None or line["evaluation"] is not None:
        wrong.append("no workload of its own definition")
    if set(workload["axes"]) != {axis for axis, one in definition["axes"].items() if one["type"] == "var"}:
        wrong.append(f"axes {list(workload['axes'])}")
    if min(workload["axes"].values()) <= 0 or set(workload["inputs"]) != set(definition["inputs"]):
        wrong.append(f"inputs {list(workload['inputs'])}")
    known = extents(definition, workload)
    wrong += [constraint for constraint in definition.get("constraints", ()) if not eval(constraint, {}, dict(known))]
    for one, given in workload["inputs"].items():
        spec = definition["inputs"][one]
        if (given["type"] == "scalar") != (spec["shape"] is None):
            wrong.append(f"{one} is {given['type']}")
        if given["type"] == "safetensors":
            tensor = torch.from_numpy(tensors_of(root / given["path"])[given["tensor_key"]].copy())
            if list(tensor.shape) != [known[axis] for axis in spec["shape"]] or tensor.dtype != DTYPES[spec["dtype"]]:
                wrong.append(f"{one} is {tensor.dtype} {list(tensor.shape)}")
    return wrong


def inputs_of(root, definition, workload, files):
    """Arguments in order, random ones by torch.randn; `files` keeps what was read."""
    known, arguments = extents(definition, workload), []
    for name, spec in definition["inputs"].items():
        given = workload["inputs"][name]
        if given["type"] == "scalar":
            arguments.append(given["value"])
        elif given["type"] == "random":
            arguments.append(torch.randn([known[axis] for axis in spec["shape"]], dtype=DTYPES[spec["dtype"]]))
        else:
            path = root / given["path"]
            if path not in files:
                files[path] = {key: torch.from_numpy(array.copy()) for key, array in tensors_of(path).items()}
            arguments.append(files[path][given["tensor_key"]])
    return arguments


def function_of(text):
    names = {}
    exec(text, names)
    return names["run"]


def accepts(results, references):
    """bench/utils.py's compute_error_stats, without a ratio: whether no number is off by more than both tolerances."""
    for result, reference in zip(results, references):
        error = (result.float() - reference.float()).abs()
        relative = error / (reference.float().abs() + 1e-8)
        if not torch.isfinite(result).all() or ((error > ACCEPTED) & (relative > ACCEPTED)).any():
            return False
    return True
