"""The definitions of `ropewalk.vectors.flashinfer`, with their workloads."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, List, NamedTuple, Sequence, Tuple

import numpy as np

END = 1 << 17  # positions of definitions that form their own angles, and of the longest cache
ROWS = 2304  # of the other caches: beyond 2048, from where binary16 misses odd positions


class Cache(NamedTuple):
    options: Sequence[str]  # of `ropewalk table`
    rows: int


CACHES = {
    "llama-3.1-8b": Cache(("--model", "llama-3.1-8b"), ROWS),
    "command-r-v01": Cache(("--model", "command-r-v01"), ROWS),
    "glm-4.5": Cache(("--model", "glm-4.5"), ROWS),
    "glm-4-9b": Cache(("--model", "glm-4-9b"), ROWS),
    "gpt-oss-20b": Cache(("--model", "gpt-oss-20b"), ROWS),
    "base-10000-rotary-dim-16": Cache(("--base", "10000", "--head-dim", "64", "--rotary-dim", "16"), END),
}


class Case(NamedTuple):
    """A workload. Missing inputs are random; a cache is the definition's."""

    name: str  # its uuid
    hunts: str
    axes: Dict[str, int]
    tensors: Dict[str, np.ndarray]
    scalars: Dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Definition:
    name: str
    description: str
    api: str  # FlashInfer's function
    axes: Dict[str, Any]
    inputs: Dict[str, Any]
    outputs: Dict[str, Any]
    run: str  # the function of _flashinfer_reference.py
    cases: Tuple[Case, ...]
    cache: str = ""
    is_in_place: bool = False


def _axis(description: str, value: int = 0) -> Dict[str, Any]:
    kind: Dict[str, Any] = {"type": "const", "value": value} if value else {"type": "var"}
    return {**kind, "description": description}


def _tensor(shape: Sequence[str], dtype: str, description: str) -> Dict[str, Any]:
    return {"shape": list(shape), "dtype": dtype, "description": description}


def _scalar(dtype: str, description: str, *, optional: bool = True) -> Dict[str, Any]:
    return {"shape": None, "dtype": dtype, **({"optional": True} if optional else {}), "description": description}


def _outputs(names: Dict[str, str], inputs: Dict[str, Any]) -> Dict[str, Any]:
    """Outputs by name, each like its input."""
    return {name: _tensor(inputs[of]["shape"], inputs[of]["dtype"], f"The rotated {of}{' (in place)' if name == of else ''}.")
            for name, of in names.items()}


def around_powers_of_two(end: int) -> List[int]:
    """0, 2^k - 1, 2^k and 2^k + 1 below `end`, and the last position."""
    near = {(1 << k) + step for k in range(end.bit_length()) for step in (-1, 0, 1)}
    return sorted(position for position in near | {0, end - 1} if 0 <= position < end)


def _out_of_order(end: int) -> List[int]:
    """Descending, with each position twice, not adjacent."""
    return [*around_powers_of_two(end)[::-1], *around_powers_of_two(end)[::-1]]


def _orders(end: int) -> Dict[str, Tuple[str, List[int]]]:
    """Lists of positions below `end`, by the name of the workload, with what each hunts."""
    return {
        "powers-of-two": ("a row off by one; positions in a format too narrow", around_powers_of_two(end)),
        "out-of-order": ("positions taken for 0, 1, 2, ...; one row kept for the next token", _out_of_order(end)),
        "last-64": ("a prefill that begins at 0, whatever its positions", list(range(end - 64, end))),
        "decode-last": ("a single token taken for one at position 0", [end - 1]),
    }


# Caches by position, as in flashinfer-bench.

_STYLES = {"neox": ("half-split: pairs are (i, i + rotary_dim / 2)", "run_cache_half_split"),
           "gptj": ("interleaved: pairs are (2 i, 2 i + 1)", "run_cache_interleaved")}


def _by_cache(style: str, head_dim: int, rotary_dim: int, dtype: str, cache: str) -> Definition:
    pairing, run = _STYLES[style]
    axes = {"num_tokens": _axis("Tokens of all sequences."), "num_qo_heads": _axis("Heads of the query."),
            "num_kv_heads": _axis("Heads of the key."), "head_size": _axis("Channels of a head.", head_dim),
            "rotary_dim": _axis("Channels that rotate, the first of a head.", rotary_dim), "max_seq_len": _axis("Rows of the cache.")}
    inputs = {"q": _tensor(("num_tokens", "num_qo_heads", "head_size"), dtype, "Query."),
              "k": _tensor(("num_tokens", "num_kv_heads", "head_size"), dtype, "Key."),
              "cos_sin_cache": _tensor(("max_seq_len", "rotary_dim"), "float32", "Cosines of each position, then its sines."),
              "positions": _tensor(("num_tokens",), "int64", "The row of the cache of each token.")}
    heads = {"powers-of-two": (32, 8), "out-of-order": (5, 1), "last-64": (8, 8), "decode-last": (32, 8)}
    rows = CACHES[cache].rows
    cases = tuple(Case(name, hunts, {"num_tokens": len(at), "num_qo_heads": heads[name][0], "num_kv_heads": heads[name][1], "max_seq_len": rows},
                       {"positions": np.array(at, "i8")}, {}) for name, (hunts, at) in _orders(rows).items())
    return Definition(f"rope_with_cos_sin_cache_{style}_style_d{head_dim}_rd{rotary_dim}",
                      f"RoPE by a cache of cosines and sines, {pairing}; the cache of {cache}.",
                      "flashinfer.rope.apply_rope_with_cos_sin_cache_inplace", axes, inputs,
                      _outputs({"q_out": "q", "k_out": "k"}, inputs), run, cases, cache)


def _by_flat_cache(*, is_in_place: bool, heads: Tuple[int, int] = (32, 8), head_dim: int = 128, cache: str = "llama-3.1-8b") -> Definition:
    """FlashInfer's form: heads and channels are one axis, and the pairing is an input."""
    axes = {"nnz": _axis("Tokens of all sequences."),
            "num_q_heads_x_head_size": _axis("Heads of the query x channels.", heads[0] * head_dim),
            "num_k_heads_x_head_size": _axis("Heads of the key x channels.", heads[1] * head_dim),
            "head_size": _axis("Channels of a head.", head_dim), "max_seq_len": _axis("Rows of the cache."),
            "rotary_dim": _axis("Channels that rotate, the first of a head.", head_dim)}
    inputs = {"positions": _tensor(("nnz",), "int32", "The row of the cache of each token."),
              "query": _tensor(("nnz", "num_q_heads_x_head_size"), "bfloat16", "Query."),
              "key": _tensor(("nnz", "num_k_heads_x_head_size"), "bfloat16", "Key."),
              "head_size": _scalar("int32", "Channels of a head.", optional=False),
              "cos_sin_cache": _tensor(("max_seq_len", "rotary_dim"), "float32", "Cosines of each position, then its sines."),
              "is_neox": _scalar("int32", "1: half-split, 0: interleaved.")}
    rows = CACHES[cache].rows
    cases = [Case(f"{name}-{pairing}", hunts, {"nnz": len(at), "max_seq_len": rows}, {"positions": np.array(at, "i4")},
                  {"head_size": head_dim, "is_neox": is_neox})
             for is_neox, pairing in ((1, "half-split"), (0, "interleaved")) for name, (hunts, at) in _orders(rows).items()]
    suffix = "_inplace" if is_in_place else ""
    outputs = _outputs({"query": "query", "key": "key"} if is_in_place else {"query_out": "query", "key_out": "key"}, inputs)
    return Definition(f"rope_cos_sin_cache{suffix}_d{head_dim}", f"RoPE by a cache of cosines and sines, that of {cache}.",
                      f"flashinfer.rope.apply_rope_with_cos_sin_cache{suffix}", axes, inputs, outputs, "run_cache_flat", tuple(cases), cache,
                      is_in_place)


# Angles of frequencies formed from numbers, as in FlashInfer.

_PLAIN = {"rotary_dim": 128, "interleave": 0, "rope_scale": 1.0, "rope_theta": 10000.0}
_LLAMA31 = {"rotary_dim": 128, "interleave": 0, "rope_scale": 8.0, "rope_theta": 500000.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
            "old_context_len": 8192}
_LENGTHS = {"below-8192": 8192, "below-32768": 32768, "below-131072": END}
_CHANGES = {  # workloads with other numbers, and what each hunts
    "interleaved": ("the pairing taken for half-split", {"interleave": 1}),
    "partial": ("rotary_dim ignored: other frequencies, or channels turned that are to pass", {"rotary_dim": 64}),
    "partial-interleaved": ("rotary_dim ignored, where pairs are interleaved", {"rotary_dim": 64, "interleave": 1}),
}
_CHANGES_OF_PLAIN = {"base-1000000": ("the default base in place of the given one", {"rope_theta": 1000000.0}),
                     "linear-8": ("a factor ignored, or multiplied by", {"rope_scale": 8.0})}
_CHANGES_OF_LLAMA31 = {"factor-32": ("the factor of Llama 3.1 in place of the given one", {"rope_scale": 32.0}),
                       "base-1000000": ("the default base in place of the given one", {"rope_theta": 1000000.0}),
                       "frequency-factors": ("the limits of Llama 3.1's ramp in place of the given ones",
                                             {"low_freq_factor": 2.0, "high_freq_factor": 8.0, "old_context_len": 4096})}


def _scalars(is_llama31: bool) -> Dict[str, Any]:
    scalars = {"rotary_dim": _scalar("int32", "Channels that rotate, the first of a head."),
               "interleave": _scalar("int32", "1: interleaved, 0: half-split."),
               "rope_scale": _scalar("float32", "Factor by which frequencies are divided."),
               "rope_theta": _scalar("float32", "Base of the frequencies.")}
    if is_llama31:
        scalars.update(low_freq_factor=_scalar("float32", "Turns in the original length up to which a frequency is divided."),
                       high_freq_factor=_scalar("float32", "Turns in the original length from which a frequency is kept."),
                       old_context_len=_scalar("int32", "The original length."))
    return scalars


def _numbers(is_llama31: bool) -> Dict[str, Tuple[str, int, Dict[str, Any]]]:
    """By the name of the workload: what it hunts, the end of its positions, and its scalars."""
    usual = _LLAMA31 if is_llama31 else _PLAIN
    numbers = {name: (f"a position off by one, or in a format too narrow for positions {name.replace('-', ' ')}", end, usual)
               for name, end in _LENGTHS.items()}
    for name, (hunts, change) in {**_CHANGES, **(_CHANGES_OF_LLAMA31 if is_llama31 else _CHANGES_OF_PLAIN)}.items():
        numbers[name] = hunts, 8192, {**usual, **change}
    return numbers


def _by_pos_ids(is_llama31: bool) -> List[Case]:
    cases = [Case(name, hunts, {"nnz": len(at)}, {"pos_ids": np.array(at, "i4")}, scalars)
             for name, (hunts, end, scalars) in _numbers(is_llama31).items() for at in [around_powers_of_two(end)]]
    at = _out_of_order(8192)
    usual = _LLAMA31 if is_llama31 else _PLAIN
    return [*cases, Case("out-of-order", _orders(8192)["out-of-order"][0], {"nnz": len(at)}, {"pos_ids": np.array(at, "i4")}, usual)]


def _by_sequences(is_llama31: bool) -> List[Case]:
    """Sequences of 3 tokens around powers of two, of zero tokens and of one token; the last one ends at the last position."""
    cases = []
    for name, (hunts, end, scalars) in _numbers(is_llama31).items():
        begins = [0, 0, *(begin - 1 for begin in (1 << k for k in range(1, 31)) if begin + 1 < end), end - 1]
        lengths = [0, 1, *[3] * (len(begins) - 3), 1]
        order = [*range(0, len(begins), 2), *range(1, len(begins), 2)]
        indptr = np.concatenate(([0], np.cumsum(np.array(lengths)[order]))).astype("i4")
        axes = {"nnz": int(indptr[-1]), "batch_size": len(begins), "batch_size_plus_1": len(begins) + 1}
        cases.append(Case(name, hunts, axes, {"indptr": indptr, "offsets": np.array(begins, "i4")[order]}, scalars))
    return cases


def _by_angles(form: str, *, is_llama31: bool, is_in_place: bool, heads: Tuple[int, int] = (32, 8), head_dim: int = 128) -> Definition:
    """form   "" of sequences by indptr and offsets, "_pos_ids" of a position for each token"""
    axes = {"nnz": _axis("Tokens of all sequences.")}
    if not form:
        axes["batch_size"] = _axis("Sequences.")
    axes.update(num_q_heads=_axis("Heads of the query.", heads[0]), num_k_heads=_axis("Heads of the key.", heads[1]),
                head_dim=_axis("Channels of a head.", head_dim))
    inputs = {"q": _tensor(("nnz", "num_q_heads", "head_dim"), "bfloat16", "Query."),
              "k": _tensor(("nnz", "num_k_heads", "head_dim"), "bfloat16", "Key.")}
    if form:
        inputs["pos_ids"] = _tensor(("nnz",), "int32", "The position of each token.")
    else:
        axes["batch_size_plus_1"] = _axis("Sequences + 1.")
        inputs["indptr"] = _tensor(("batch_size_plus_1",), "int32", "The first token of each sequence, and the number of tokens.")
        inputs["offsets"] = _tensor(("batch_size",), "int32", "The position of each sequence's first token.")
    inputs.update(_scalars(is_llama31))
    prefix, suffix = "llama31_rope" if is_llama31 else "rope", "_inplace" if is_in_place else ""
    run = f"run_{'llama31_' if is_llama31 else ''}{'pos_ids' if form else 'ragged'}"
    cases = _by_pos_ids(is_llama31) if form else _by_sequences(is_llama31)
    outputs = _outputs({"q": "q", "k": "k"} if is_in_place else {"q_rope": "q", "k_rope": "k"}, inputs)
    return Definition(f"{prefix}{form}{suffix}_h{heads[0]}_kv{heads[1]}_d{head_dim}",
                      f"RoPE{' with the scaling of Llama 3.1' if is_llama31 else ''}, "
                      f"{'a position for each token' if form else 'sequences by indptr and offsets'}.",
                      f"flashinfer.rope.apply_{prefix}{form}{suffix}", axes, inputs, outputs, run, tuple(cases), is_in_place=is_in_place)


DEFINITIONS = (
    _by_cache("neox", 128, 128, "bfloat16", "llama-3.1-8b"),
    _by_cache("gptj", 128, 128, "bfloat16", "command-r-v01"),
    _by_cache("neox", 128, 64, "bfloat16", "glm-4.5"),
    _by_cache("gptj", 128, 64, "float16", "glm-4-9b"),
    _by_cache("neox", 64, 64, "bfloat16", "gpt-oss-20b"),
    _by_cache("neox", 64, 16, "float16", "base-10000-rotary-dim-16"),
    *(_by_flat_cache(is_in_place=is_in_place) for is_in_place in (False, True)),
    *(_by_angles(form, is_llama31=is_llama31, is_in_place=is_in_place)
      for is_in_place in (False, True) for is_llama31 in (False, True) for form in ("", "_pos_ids")),
)
