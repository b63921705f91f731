"""PyTorch's eager mode, in the forms used by models.

`pytorch-hugging-face` is the function of Hugging Face's models: half-split, whole heads, tables in the data's format from angles in binary32.
`pytorch-vllm` is vLLM's native path: either pairing, partial heads, rows of a cache in the data's format. Forward and PyTorch's gradient.
"""

from __future__ import annotations

import importlib.util
from typing import Any, Callable, List


CACHED_POSITIONS = 131072


def version() -> str:
    """PyTorch's version, or "" if not installed."""
    if importlib.util.find_spec("torch") is None:
        return ""
    import torch
    return str(torch.__version__)


def _rotate_half(x: Any) -> Any:
    import torch
    first, second = x.chunk(2, dim=-1)
    return torch.cat((-second, first), dim=-1)


def apply_rotary_pos_emb(q: Any, k: Any, cos: Any, sin: Any, unsqueeze_dim: int = 1) -> Any:
    """Two products and a sum per tensor, each rounded to the data's format."""
    cos, sin = cos.unsqueeze(unsqueeze_dim), sin.unsqueeze(unsqueeze_dim)
    return q * cos + _rotate_half(q) * sin, k * cos + _rotate_half(k) * sin


def _turn_flat(flat: Any, head_size: int, cos: Any, sin: Any, is_neox: bool) -> None:
    """Turns [tokens, heads * head_size] in place, with a pair's channels apart or adjacent."""
    heads, pairs = flat.view(flat.shape[0], flat.shape[1] // head_size, head_size), cos.shape[-1]
    first = heads[..., :pairs] if is_neox else heads[..., 0:2 * pairs:2]
    second = heads[..., pairs:2 * pairs] if is_neox else heads[..., 1:2 * pairs:2]
    turned = first * cos - second * sin, second * cos + first * sin
    first.copy_(turned[0])
    second.copy_(turned[1])


def rotary_embedding(positions: Any, query: Any, key: Any, head_size: int, cos_sin_cache: Any, is_neox: bool) -> None:
    """Turns flat tokens in place by rows of a cache."""
    cos, sin = cos_sin_cache[positions][:, None].chunk(2, dim=-1)
    for flat in (query, key):
        _turn_flat(flat, head_size, cos, sin, is_neox)


def kernel(name: str) -> Callable[..., Any]:
    """The function of a kernel, by its name."""
    from ropewalk import adapters
    if name == "pytorch-vllm":
        adapted = adapters.vllm(rotary_embedding, max_position=CACHED_POSITIONS)
    else:
        adapted = adapters.hugging_face(apply_rotary_pos_emb)
    adapted.__name__ = name
    adapted.written = f'ropewalk.engines.kernel("{name}")'  # type: ignore[attr-defined]
    adapted.serves["dtypes"] = ["f32", "f16", "bf16"]  # type: ignore[attr-defined]
    return adapted


def kernels() -> List[str]:
    """Names of the kernels; empty if PyTorch is not installed."""
    return ["pytorch-hugging-face", "pytorch-vllm"] if importlib.util.find_spec("torch") else []
