#!/usr/bin/env python3
"""Judges the installed engines on every text model of the catalogue, and writes a page: `./dev engines`.

    /usr/bin/python3 bench/engines/judge.py FOLDER

writes FOLDER/README.md, engines.json, error-by-position.svg, and build/engines/error-by-position.png for viewing.
"""

from __future__ import annotations

import concurrent.futures
import json
import os
import pathlib
import sys
import time
from typing import Any, Dict, List, Sequence, Tuple

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SOURCE / "src/python"), str(SOURCE / "bench/engines")]
os.environ.setdefault("GGML_VK_VISIBLE_DEVICES", "0")  # llama.cpp skips lavapipe unless a device is named

import numpy as np  # noqa: E402

from ropewalk import engines  # noqa: E402
from ropewalk.engines import llama_cpp  # noqa: E402
from ropewalk.engines._ggml import NEOX  # noqa: E402
from ropewalk.engines._ggml_rotation import GgmlRotation  # noqa: E402

import errors  # noqa: E402
import page  # noqa: E402
import subjects  # noqa: E402
import times  # noqa: E402
import verdicts  # noqa: E402
from arithmetic import explained  # noqa: E402
from bits import share_of_bits  # noqa: E402

SCHEMA = "urn:ropewalk:engines:1"
LEAD = "llama-3-8b"  # model of the figure: base 500000, half-split, no rule
LEAD_CONTEXT = 131072  # positions of the figure: beyond that model's 8192, as in other models with its base
OPERATIONS = {  # the models for laws and promises: they need different operations of an engine
    "llama-cpp-cpu": ["llama-3.1-8b", "command-r-08-2024", "qwen2-vl-7b", "qwen2.5-vl-vision", "qwen3-vl-8b", "gpt-oss-20b", "deepseek-v4"],
    "llama-cpp-vulkan": ["llama-3.1-8b", "command-r-08-2024", "qwen2-vl-7b", "qwen2.5-vl-vision", "qwen3-vl-8b", "gpt-oss-20b", "deepseek-v4"],
    "onnx-runtime-ai-onnx": ["llama-3.1-8b", "command-r-08-2024", "glm-4.5"],
    "numpy-f64-angle": ["llama-3.1-8b", "command-r-08-2024"],
}
OF_OTHERS = ["llama-3.1-8b"]
PROMISE = {"llama-cpp": "hf", "onnx-runtime": "hf", "pytorch": "hf", "numpy": "angle-f32"}  # the loosest promise to expect
REPEATED = "frequency=repeated,angle=f32,table=f32,rotation=f32,fused"  # the angle is multiplied from pair to pair
GRID = {"qwen2.5-vl-vision": "28x28"}  # for models whose tokens are a picture's
POSITIONS_ON_A_GRID = 1024
CASES_OF_A_PROMISE = 200  # over all dtypes; with fewer, verify tries no other promise
CASES_OF_A_LAW = 5
LOG = sys.stderr


def judged_kernels(device: str) -> List[str]:
    """Kernels of the page; Vulkan's if there is a device. llama.cpp's other CPU libraries have a separate table."""
    return [name for name in engines.kernels() if name in subjects.WORDS and (device or "vulkan" not in name)]


def positions_for(kernel: str, context: int, is_lead: bool) -> np.ndarray:
    """Positions at which a kernel is measured: most for the lead, few if the device is a CPU and calls are slow."""
    is_slow = "vulkan" in kernel
    if not is_lead:
        return errors.positions_below(context, *((128, 48) if is_slow else (2048, 256)))
    if kernel == "llama-cpp-cpu":
        return np.arange(context, dtype="i4")
    sampled = errors.positions_below(context, *((16384, 512) if is_slow else (32768, 4096)))
    return np.union1d(sampled, [122317, 130756]).astype("i4")


def measured(task: Tuple[subjects.Subject, List[str], bool]) -> List[Dict[str, Any]]:
    """Errors of kernels on an encoding: one row per kernel that serves it and dtype."""
    subject, kernels, is_lead = task
    exact: Dict[bytes, Tuple[np.ndarray, np.ndarray]] = {}
    rows = []
    for kernel in kernels:
        operation = subjects.operation_of(kernel, subject.encoding)
        if operation is None:
            continue
        serves = subjects.offered(kernel).description
        context = min(LEAD_CONTEXT if is_lead else subject.context, serves.get("positions", [0, 2**31])[1])
        positions = positions_for(kernel, context, is_lead)
        key = positions.tobytes()
        if key not in exact:
            exact[key] = errors.exact(subject.encoding, positions)
        right = exact[key]
        for dtype in serves["dtypes"]:
            found = errors.error_by_position(kernel, subject.encoding, positions, dtype, right)
            row = {"kernel": kernel, "dtype": dtype, "operation": operation, "models": subject.models, "context": context,
                   "largest": found.largest(), "below_one_ulp_through": found.safe_through(errors.ONE_ULP[dtype]),
                   "below_one_percent_through": found.safe_through(errors.ONE_PERCENT), "mistaken_pairs": found.mistaken_pairs}
            if is_lead:
                row.update(curve=found.curve(), cosines=cosines(found), bits=share_of_bits(kernel, subject.encoding, dtype, context))
            if is_lead and dtype == "f32" and kernel in ("llama-cpp-cpu", "llama-cpp-vulkan"):
                row["arithmetic"] = explained(kernel, subject.encoding, errors.positions_below(context, 64, 32))
            rows.append(row)
    return rows


def cosines(found: errors.ErrorByPosition) -> Dict[str, Any]:
    """The largest error of a cosine, and the errors at the two positions in the reports."""
    at = int(np.argmax(found.cosine_errors))
    return {"largest": float(found.cosine_errors[at]), "position": int(found.positions[at]),
            "at": {str(position): float(found.cosine_errors[found.positions == position][0]) for position in (122317, 130756)}}


def judged(task: Tuple[str, str, str, int, bool]) -> Dict[str, Any]:
    """The promise that a kernel keeps on a model over its context, the laws that it breaks under that promise and, if pairs are mistaken, the cause.

    A dtype that keeps no promise up to its engine's is tested with REPEATED, and if it breaks that too, is judged by its engine's.
    """
    kernel, model, promise, context, is_mistaken = task
    within = ["--positions", f"0:{context}", "--call-limit", "60", *(["--grid", GRID[model]] if model in GRID else [])]
    keeps: Dict[str, Dict[str, Any]] = {}
    dtypes = subjects.offered(kernel).description["dtypes"]
    by = {dtype: promise for dtype in dtypes}  # the promise that judges each dtype
    tried = []
    for fair in (promise, REPEATED):
        left = [dtype for dtype in dtypes if not keeps.get(dtype, {}).get("promise")]
        if not left or (fair == REPEATED and not kernel.startswith("llama-cpp")):
            continue
        cases = -(-CASES_OF_A_PROMISE // len(left))
        diagnosis = "10" if is_mistaken and not tried else "0"
        tried.append(verdicts.verified(kernel, model, fair, [*within, *of_dtypes(left), "--law", "accuracy", "--cases", str(cases),
                                                             "--diagnosis", diagnosis]))
        for dtype, kept in verdicts.kept(tried[-1]).items():
            if dtype not in keeps or kept["promise"]:
                keeps[dtype], by[dtype] = kept, fair
    slow = ["--skip-law", "sizes=slow on a device that is a processor"] if "vulkan" in kernel else []
    laws = []
    for fair in dict.fromkeys(by.values()):
        judged_so = of_dtypes([dtype for dtype in dtypes if by[dtype] == fair])
        laws.append(verdicts.verified(kernel, model, fair, [*within, *judged_so, "--cases", str(CASES_OF_A_LAW), "--diagnosis", "0", *slow]))
    broken = [one for report in [*tried, *laws] for one in verdicts.broken(report) if report["asked_promise"] == by[one["dtype"]]]
    return {"kernel": kernel, "model": model, "judged_by": by, "context": context, "keeps": keeps,
            "causes": sorted({one["sentence"] for one in tried[0]["diagnoses"] if one["found"] == "explained"}),
            "broken": [{name: one.get(name) for name in ("law", "dtype", "worst_observed", "bound", "counterexample")} for one in broken],
            "held": sorted({one["law"] for report in laws for one in report["verdicts"] if one["verdict"] in ("holds", "measured")})}


def of_dtypes(dtypes: Sequence[str]) -> List[str]:
    return [word for dtype in dtypes for word in ("--dtype", dtype)]


def same_bits(library: str) -> Dict[str, Any]:
    """Number of outputs of a CPU library of llama.cpp that equal those of the library that llama.cpp chooses."""
    draw = np.random.default_rng(1)
    same: Dict[str, Any] = {"library": library}
    for dtype, stored in (("f32", "f4"), ("f16", "f2")):
        x = draw.standard_normal((4096, 1, 128)).astype(stored)
        at = draw.integers(0, LEAD_CONTEXT, (1, 4096)).astype("i4")
        how = GgmlRotation(mode=NEOX, rotary_dim=128, base=500000.0)
        chosen, other = (llama_cpp.engine(name).rotate(x, at, how).view(f"u{x.itemsize}") for name in ("cpu", f"cpu-{library}"))
        same.update({dtype: int(np.sum(chosen == other)), "outputs": int(x.size)})
    return same


def as_lines(record: Dict[str, Any]) -> str:
    """JSON with one line per row of a list."""
    def value(of: Any) -> str:
        return "[\n" + ",\n".join(map(json.dumps, of)) + "\n]" if isinstance(of, list) else json.dumps(of)
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {value(of)}" for name, of in record.items()) + "\n}\n"


def phase(name: str, begun: float) -> None:
    print(f"judge: {name}: {time.monotonic() - begun:.0f} s", file=LOG, flush=True)


def main(folder: pathlib.Path) -> None:
    begun = time.monotonic()
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        device = pool.submit(times.vulkan_device).result()  # not here: a process that has opened a device cannot fork
        kernels = judged_kernels(device)
        found = subjects.subjects(pool)
        phase("encodings", begun)
        lead = next(subject for subject in found if LEAD in subject.models)
        contexts = dict.fromkeys(GRID, POSITIONS_ON_A_GRID)
        for subject in found:
            contexts.update(subject.contexts)
        plain = [kernel for kernel in kernels if not kernel.endswith("-cache")]
        in_lead = [row for rows in pool.map(measured, [(lead, [kernel], True) for kernel in kernels]) for row in rows]
        on_models = [row for rows in pool.map(measured, [(subject, plain, False) for subject in found]) for row in rows]
        phase("errors", begun)
        mistaken = {(row["kernel"], model) for row in on_models if row["mistaken_pairs"] for model in row["models"]}
        verified = [(kernel, model, PROMISE[begin], contexts[model], (kernel, model) in mistaken) for kernel in plain
                    for begin in PROMISE if kernel.startswith(begin) for model in OPERATIONS.get(kernel, OF_OTHERS)]
        laws = list(pool.map(judged, verified))
        phase("laws", begun)
        libraries = list(pool.map(same_bits, [name for _, name in llama_cpp.cpu_libraries()]))
    timed = times.timed(kernels)
    phase("times", begun)
    record = {"schema": SCHEMA, "processor": times.processor(), "vulkan_device": device, "engines": engines.versions(),
              "llama_cpp": llama_cpp.release(), "lead": in_lead, "models": on_models, "laws": laws, "cpu_libraries": libraries,
              "times": timed, "seconds": round(time.monotonic() - begun)}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "engines.json").write_text(as_lines(record), encoding="utf-8")
    page.write(record, folder)
    phase("all", begun)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
