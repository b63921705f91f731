"""Definitions and solutions in the forms of flashinfer-bench, for the tests of the judge."""
import copy

HALF, INTERLEAVED = "rope_with_cos_sin_cache_neox_style_d16_rd16", "rope_with_cos_sin_cache_gptj_style_d16_rd16"


def definition(name=HALF, *, dtype="float32", table="float32", heads=(None, None), head_dim=16, rotary_dim=16):
    """Of a cache by position: q and k [tokens, heads, head_dim]."""
    def axis(value):
        return {"type": "var"} if value is None else {"type": "const", "value": value}

    tensors = {one: {"shape": ["num_tokens", f"num_{heads_of}_heads", "head_size"], "dtype": dtype}
               for one, heads_of in (("q", "qo"), ("k", "kv"))}
    return {"name": name, "op_type": "rope", "reference": "def run(q, k, cos_sin_cache, positions): ...",
            "axes": {"num_tokens": axis(None), "num_qo_heads": axis(heads[0]), "num_kv_heads": axis(heads[1]),
                     "head_size": axis(head_dim), "rotary_dim": axis(rotary_dim), "max_seq_len": axis(None)},
            "inputs": {**tensors, "cos_sin_cache": {"shape": ["max_seq_len", "rotary_dim"], "dtype": table},
                       "positions": {"shape": ["num_tokens"], "dtype": "int64"}},
            "outputs": {"q_out": tensors["q"], "k_out": tensors["k"]}}


def in_place():
    """As FlashInfer's traces have it: an output has the name of the input that it replaces."""
    given = definition()
    return {**given, "outputs": {name: given["inputs"][name] for name in ("q", "k")}}


def of_rows(*, width=16, is_shared=True):
    """Of cosines and sines for each token: q and k [batch, heads, tokens, head_dim]."""
    given = definition("rope_h4_d16", dtype="float16", table="float16", heads=(4, None))
    given["axes"].update(batch_size={"type": "var"}, width={"type": "const", "value": width})
    for one, heads in (("q", "num_qo_heads"), ("k", "num_kv_heads")):
        given["inputs"][one]["shape"] = given["outputs"][f"{one}_out"]["shape"] = \
            ["batch_size", heads, "num_tokens", "head_size"]
    rows = [*([] if is_shared else ["batch_size"]), "num_tokens", "width"]
    for one in ("cos", "sin"):
        given["inputs"][one] = {"shape": rows, "dtype": "float16"}
    del given["inputs"]["cos_sin_cache"], given["inputs"]["positions"], given["axes"]["max_seq_len"]
    return given


def of_ragged(*, llama=False):
    """As FlashInfer's apply_rope has it: sequences by indptr and offsets, and the numbers of which angles are formed."""
    given = definition("rope_h4_kv2_d16", heads=(4, 2))
    inputs = {name: given["inputs"][name] for name in ("q", "k")}
    inputs.update(indptr={"shape": ["batch_size_plus_1"], "dtype": "int32"}, offsets={"shape": ["batch_size"], "dtype": "int32"})
    scalars = {"rotary_dim": "int32", "interleave": "int32", "rope_scale": "float32", "rope_theta": "float32"}
    if llama:
        scalars.update(low_freq_factor="float32", high_freq_factor="float32", old_context_len="int32")
    inputs.update({name: {"shape": None, "dtype": dtype, "optional": True} for name, dtype in scalars.items()})
    given["axes"].update(batch_size={"type": "var"}, batch_size_plus_1={"type": "var"})
    del given["axes"]["rotary_dim"], given["axes"]["max_seq_len"]
    return {**given, "inputs": inputs}


def solution(content, of=None, *, takes_out=False, language="python", **more):
    return {"name": "Mine_1", "definition": (of or definition())["name"], "author": "me",
            "spec": {"language": language, "target_hardware": ["cpu"], "entry_point": "main.py::run",
                     "destination_passing_style": takes_out},
            "sources": [{"path": "main.py", "content": content}], **more}


def without(given, *path):
    """A copy in which one entry is missing."""
    given = copy.deepcopy(given)
    place = given
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    return given


def having(given, value, *path):
    """A copy in which one entry is another."""
    given = copy.deepcopy(given)
    place = given
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return given


NUMPY = """
import numpy as np

def turned(x, cos, sin):
    first, second = np.split(x, 2, axis=-1)
    return np.concatenate((first * cos - second * sin, second * cos + first * sin), axis=-1)

def run(q, k, cos_sin_cache, positions):
    with np.errstate(all="ignore"):
        cos, sin = np.split(cos_sin_cache[positions, None], 2, axis=-1)
        return turned(q, cos, sin), turned(k, cos, sin)
"""
