"""Writes the page of bench/engines from the judge's record."""

from __future__ import annotations

import pathlib
import textwrap
from typing import Any, Dict, Iterable, List, Optional

import figure
from subjects import WORDS

SOURCE = pathlib.Path(__file__).resolve().parents[2]
_DTYPES = ("f32", "f16", "bf16")
_MOST_MODELS = 3
_WIDTH = 158  # of a line of prose
_PACKAGES = {"llama-cpp": "@node-llama-cpp/linux-x64-vulkan", "onnx-runtime": "onnxruntime-node", "pytorch": "python3-torch",
             "numpy": "python3-numpy"}
_NAMES = {"llama-cpp": "llama.cpp", "onnx-runtime": "ONNX Runtime", "pytorch": "PyTorch", "numpy": "NumPy"}
_CAUSES = {  # causes of mistakes, by a part of the operation's name
    "IMROPE": ("pairs that no section reaches turn by a fourth row of positions, which llama.cpp fills with 0 in text: they stand still",
               "llama_cpp_fourth_row"),
    "YaRN": ("the ends of the ramp are rounded to whole pairs, although `truncate` is false", "llama_cpp_ramp"),
}


def _table(heads: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(list(heads))]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def _count(number: int) -> str:
    return f"{number:,}"


def _through(position: Optional[int], context: int) -> str:
    if position is None:
        return f"all {_count(context)}"
    return "none" if position < 0 else f"{_count(position)}"


def _cell(row: Optional[Dict[str, Any]], limit: str) -> str:
    return "-" if row is None else _through(row[limit], row["context"])


def _error(error: float) -> str:
    return f"{error:.1e}" if error < 1e-4 else f"{error:.4f}"


def _models(names: List[str]) -> str:
    more = len(names) - _MOST_MODELS
    return ", ".join(names[:_MOST_MODELS]) + (f" and {more} more" if more > 0 else "")


def _find(rows: Iterable[Dict[str, Any]], **what: Any) -> Optional[Dict[str, Any]]:
    return next((row for row in rows if all(row[name] == value for name, value in what.items())), None)


def _engine_of(kernel: str) -> str:
    return next(begin for begin in _PACKAGES if kernel.startswith(begin))


def _kernels(record: Dict[str, Any]) -> List[str]:
    return [name for name in WORDS if any(row["kernel"] == name for row in record["lead"])]


def _safe(record: Dict[str, Any]) -> str:
    rows = []
    for kernel in _kernels(record):
        of = {dtype: _find(record["lead"], kernel=kernel, dtype=dtype) for dtype in _DTYPES}
        largest = of["f32"]["largest"]
        rows.append([WORDS[kernel], *(_cell(of[dtype], "below_one_ulp_through") for dtype in ("f16", "bf16")),
                     _cell(of["f32"], "below_one_percent_through"), _error(largest["error"]), _count(largest["position"])])
    heads = ("engine", "f16: below one ulp through", "bf16: below one ulp through", "f32: below 1 % through", "f32: largest error", "at")
    return _table(heads, rows)


def _in_words(record: Dict[str, Any]) -> str:
    """The f16 column of the table as one number per engine."""
    of = {WORDS[row["kernel"]]: row for row in record["lead"] if row["dtype"] == "f16" and not row["kernel"].endswith("-cache")}
    safe = [name for name, row in of.items() if row["below_one_ulp_through"] is None]
    left = [f"{name} after {_count(row['below_one_ulp_through'])}" for name, row in of.items() if row["below_one_ulp_through"] is not None]
    words = f"**In f16** these stay below one ulp at every position: {'; '.join(safe)}. These pass one ulp: {'; '.join(left)}."
    return textwrap.fill(words, width=_WIDTH)


def _faults(record: Dict[str, Any]) -> str:
    rows = []
    for row in record["models"]:
        if not row["mistaken_pairs"] or row["dtype"] != "f32":
            continue
        words, report = next((cause for mark, cause in _CAUSES.items() if mark in row["operation"]), ("not named", ""))
        named = [one for one in record["laws"] if one["kernel"] == row["kernel"] and one["model"] in row["models"] and one["causes"]]
        if report == "llama_cpp_ramp" and not named:  # a different fault of YaRN
            words, report = "not named", ""
        pairs = row["mistaken_pairs"]
        span = f"{pairs[0]}" if len(pairs) == 1 else f"{pairs[0]} to {pairs[-1]}"
        f16 = _find(record["models"], kernel=row["kernel"], dtype="f16", models=row["models"])
        rows.append([WORDS[row["kernel"]], row["operation"], ", ".join(row["models"]), span, _error(row["largest"]["error"]),
                     _count(row["largest"]["position"]), _cell(f16, "below_one_ulp_through"),
                     words + (f" ([report](reports/{report}.md))" if report else "")])
    heads = ("engine", "operation", "models", "pairs", "largest error, f32", "at", "f16: below one ulp through", "cause")
    return _table(heads, rows)


def _smallest(text: Optional[str]) -> str:
    """The positions and the single element of a counterexample, in one line."""
    lines = [line.strip() for line in (text or "").splitlines()]
    case = next((line for line in lines if line.startswith("smallest case")), "")
    element = next((line for line in lines if line.startswith(("query[", "key["))), "")
    places = case.partition("): ")[2].partition(", pairs on axes")[0].partition("; query in")[0].partition(", a plan with")[0]
    return (places + "; " + element.partition(" (0x")[0]).strip("; ")


def _verdict(kept: Dict[str, Any], measured: Optional[Dict[str, Any]]) -> str:
    if kept["promise"]:
        missed = kept["stricter"]
        return f"keeps {kept['promise']}" + (f"; {missed['promise']} is missed {missed['times_the_bound']:.3g} times" if missed else "")
    if kept["missing"]:
        return f"not decided: {kept['missing']}"
    if measured is None:
        return "none"
    largest = measured["largest"]
    return f"none; off by {_error(largest['error'])} at {_count(largest['position'])}, pair {largest['pair']}"


def _promises(record: Dict[str, Any]) -> str:
    rows = []
    for judged in record["laws"]:
        for dtype, kept in judged["keeps"].items():
            measured = next((row for row in record["models"] if (row["kernel"], row["dtype"]) == (judged["kernel"], dtype)
                             and judged["model"] in row["models"]), None)
            operation = measured["operation"] if measured else "VISION"
            broken = [one for one in judged["broken"] if one["dtype"] == dtype]
            smallest = next((_smallest(one["counterexample"]) for one in broken if one["law"] == "accuracy"), "")
            laws = ", ".join(dict.fromkeys(one["law"] for one in broken)) or "none"
            rows.append([WORDS[judged["kernel"]], operation, judged["model"], _count(judged["context"]), dtype, _verdict(kept, measured), laws,
                         smallest, "; ".join(judged["causes"])])
    heads = ("engine", "operation", "model", "context", "dtype", "promise", "laws broken", "smallest case of accuracy", "cause, as verify names it")
    return _table(heads, rows)


def _every_model(record: Dict[str, Any]) -> str:
    shown = ("llama-cpp-cpu", "llama-cpp-vulkan", "onnx-runtime-ai-onnx", "onnx-runtime-ai-onnx-f32-angle", "pytorch-hugging-face",
             "numpy-f64-angle")
    kernels = [kernel for kernel in shown if kernel in _kernels(record)]
    by_models: Dict[tuple, Dict[str, Dict[str, Any]]] = {}
    for row in record["models"]:
        if row["dtype"] == "f16":
            by_models.setdefault(tuple(row["models"]), {})[row["kernel"]] = row
    rows = []
    for models, of in by_models.items():
        context = max(row["context"] for row in of.values())
        operation = next((row["operation"] for name, row in of.items() if name.startswith("llama")), "-")
        cells = [_cell(of.get(kernel), "below_one_ulp_through") for kernel in kernels]
        rows.append([context, [_models(list(models)), _count(context), operation, *cells]])
    rows = [row for _, row in sorted(rows)]
    return _table(("models", "longest context", "llama.cpp's operation", *(WORDS[kernel] for kernel in kernels)), rows)


def _times(record: Dict[str, Any]) -> str:
    rows = []
    for one in record["times"]["processor"]:
        ours = _find(record["times"]["processor"], kernel="cpu-turns", dtype=one["dtype"])
        rows.append([WORDS.get(one["kernel"], "ropewalk, " + one["kernel"]), one["dtype"], f"{one['seconds'] * 1e3:.2f} ms",
                     f"{one['to_memcpy']:.1f}", f"{one['seconds'] / ours['seconds']:.1f}"])
    return _table(("kernel", "dtype", "512 tokens of 32 heads", "/ memcpy", "/ cpu-turns"), rows)


def _on_vulkan(record: Dict[str, Any]) -> str:
    rows = []
    for one in record["times"]["device"]:
        ours = _find(record["times"]["device"], kernel="vulkan-turns", dtype=one["dtype"])
        lead = _find(record["lead"], kernel=one["kernel"], dtype=one["dtype"])
        alone = _find(record["times"]["on_the_device"], dtype=one["dtype"]) if lead else None
        bits = f"{lead['bits']['canonical']} of {lead['bits']['outputs']}" if lead else "all"
        error = _error(lead["largest"]["error"]) if lead else "rounded once"
        rows.append([WORDS.get(one["kernel"], "ropewalk, " + one["kernel"]), one["dtype"], f"{one['seconds'] * 1e3:.2f} ms",
                     f"{one['seconds'] / ours['seconds']:.1f}", f"{alone['seconds'] * 1e3:.2f} ms" if alone else "-", error, bits])
    heads = ("kernel", "dtype", "16 tokens of 32 heads, from memory to memory", "/ vulkan-turns", "the call alone, ten times by itself",
             "largest error", "canonical bits")
    return _table(heads, rows)


def _bits(record: Dict[str, Any]) -> str:
    rows = [[WORDS[row["kernel"]], row["dtype"], f"{row['bits']['canonical']} of {row['bits']['outputs']}",
             f"{row['bits']['most']['outputs']}: {row['bits']['most']['order']}"] for row in record["lead"]]
    return _table(("engine", "dtype", "outputs with canonical bits", "order of roundings with most"), rows)


def _libraries(record: Dict[str, Any]) -> str:
    def same(one: Dict[str, Any], dtype: str) -> str:
        return "all" if one[dtype] == one["outputs"] else f"{_count(one[dtype])} of {_count(one['outputs'])}"

    rows = [[one["library"], same(one, "f32"), same(one, "f16")] for one in record["cpu_libraries"]]
    return _table(("libggml-cpu-*.so", "f32: same bits as the chosen one", "f16"), rows)


def _points(record: Dict[str, Any]) -> str:
    rows = []
    for kernel in ("llama-cpp-cpu", "llama-cpp-vulkan"):
        lead = _find(record["lead"], kernel=kernel, dtype="f32")
        if lead:
            at = lead["cosines"]["at"]
            rows.append([WORDS[kernel], f"{at['122317']:.4f}", f"{at['130756']:.4f}", f"{lead['cosines']['largest']:.4f}",
                         _count(lead["cosines"]["position"]), lead["arithmetic"]["way"], _error(lead["arithmetic"]["left"])])
    heads = ("engine", "cosine off at 122,317 by", "at 130,756 by", "at most", "at", "the angle, recomputed as", "leaves an error of")
    return _table(heads, rows)


def _in_figure(row: Dict[str, Any]) -> bool:
    """Whether the engine's line does not coincide with another's."""
    return row["dtype"] == "f32" and not row["kernel"].endswith(("-cache", "-vllm")) and "com-microsoft" not in row["kernel"]


def write(record: Dict[str, Any], folder: pathlib.Path) -> None:
    """Writes README.md and the figure beside the record."""
    curves = {WORDS[row["kernel"]]: [tuple(point) for point in row["curve"]] for row in record["lead"] if _in_figure(row)}
    png = SOURCE / "build/engines/error-by-position.png"
    png.parent.mkdir(parents=True, exist_ok=True)
    figure.draw(curves, "Error against position in binary32, base 500000", folder / "error-by-position.svg", png)
    release = record.get("llama_cpp", "")
    names = {**_NAMES, "llama-cpp": f"llama.cpp {release}".strip()}
    versions = [[names[begin], _PACKAGES[begin], version] for begin, version in record["engines"].items() if version]
    parts = {"versions": _table(("engine", "package", "version"), versions), "safe": _safe(record), "in_words": _in_words(record),
             "faults": _faults(record), "promises": _promises(record), "models": _every_model(record), "times": _times(record),
             "vulkan": _on_vulkan(record), "bits": _bits(record), "libraries": _libraries(record), "points": _points(record),
             "processor": record["processor"], "device": record["vulkan_device"] or "no device", "seconds": str(record["seconds"])}
    page = (SOURCE / "bench/engines/page.md").read_text(encoding="utf-8")
    for name, text in parts.items():
        page = page.replace("{{" + name + "}}", text)
    (folder / "README.md").write_text(page, encoding="utf-8")
