"""Adapts functions with engines' signatures to functions that the program can call.

    ropewalk.kernel(promise="angle=f32,table=data,rotation=data,fused")(adapters.hugging_face(apply_rotary_pos_emb))

Each adapter forms its engine's table from the encoding's inverse frequencies, rounded to binary32, and
passes tensors in the engine's layout. Calls that the signature does not support are declared as limits, and never made.
"""

from __future__ import annotations

import functools
from typing import Any, Callable, Dict, Tuple

import torch

from ropewalk._formed import formed_from
from ropewalk_kernel import Encoding

__all__ = ["flashinfer_cos_sin_cache", "flashinfer_pos_ids", "hugging_face", "liger", "vllm"]


NARROW = ["f32", "f16", "bf16"]  # FlashInfer's formats


def _serving(function: Callable[..., Any], adapted: Callable[..., Any], adapter: str, **serves: Any) -> Callable[..., Any]:
    """The adapted function, with the engine function's name, its limits and its expression."""
    adapted.__name__ = getattr(function, "__name__", "adapted")
    adapted.written = "ropewalk.adapters." + adapter.replace("FUNCTION", adapted.__name__)  # type: ignore[attr-defined]
    adapted.serves = {"crossing": False, "axes": 1, **serves}  # type: ignore[attr-defined]
    return adapted


def _angles(positions: torch.Tensor, encoding: Encoding) -> torch.Tensor:
    """Positions times inverse frequencies, both in binary32: [..., pairs]."""
    inv_freq = torch.tensor(encoding.inv_freq, dtype=torch.float64).to(positions.device, torch.float32)
    return positions[..., None].to(torch.float32) * inv_freq


def _table_of_tokens(positions: torch.Tensor, encoding: Encoding,
                     dtype: torch.dtype) -> Tuple[torch.Tensor, torch.Tensor]:
    """Cosines and sines of each token, repeated for half-split heads: [batch, tokens, rotary_dim]."""
    angles = torch.cat([_angles(positions, encoding)] * 2, dim=-1)
    return ((angles.cos() * encoding.attention_factor).to(dtype), (angles.sin() * encoding.attention_factor).to(dtype))


def hugging_face(function: Callable[..., Any], *, unsqueeze_dim: int = 1) -> Callable[..., Any]:
    """apply_rotary_pos_emb(q, k, cos, sin, unsqueeze_dim=...) of Hugging Face's models, which returns both.

    q and k are [batch, heads, tokens, head_dim] if unsqueeze_dim is 1, [batch, tokens, heads, head_dim] where it
    is 2; cos and sin are [batch, tokens, head_dim], in the data's format. Half-split, whole heads.
    """

    def adapted(query: torch.Tensor, key: torch.Tensor, positions: torch.Tensor,
                encoding: Encoding) -> Tuple[torch.Tensor, torch.Tensor]:
        cos, sin = _table_of_tokens(positions, encoding, query.dtype)
        if unsqueeze_dim == 2:
            return function(query, key, cos, sin, unsqueeze_dim=2)
        query, key = function(query.transpose(1, 2), key.transpose(1, 2), cos, sin, unsqueeze_dim=1)
        return query.transpose(1, 2), key.transpose(1, 2)

    option = "" if unsqueeze_dim == 1 else f", unsqueeze_dim={unsqueeze_dim}"
    return _serving(function, adapted, f"hugging_face(FUNCTION{option})", pairing="half-split", partial=False)


def liger(function: Callable[..., Any]) -> Callable[..., Any]:
    """liger_rotary_pos_emb(q, k, cos, sin), with its own backward pass: [batch, heads, tokens, head_dim]."""

    @functools.wraps(function)
    def without_option(q: torch.Tensor, k: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor, **_: Any) -> Any:
        return function(q.contiguous(), k.contiguous(), cos, sin)

    adapted = hugging_face(without_option)
    adapted.written = f"ropewalk.adapters.liger({adapted.__name__})"  # type: ignore[attr-defined]
    return adapted


def _cos_sin_cache(encoding: Encoding, positions: int, dtype: torch.dtype, device: torch.device) -> torch.Tensor:
    """Cosines and then sines of positions 0 .. positions - 1: [positions, rotary_dim]. Kept with the encoding."""
    kept: Dict[Any, torch.Tensor] = encoding.__dict__.setdefault("_cos_sin_caches", {})
    if (dtype, device) not in kept:
        angles = _angles(torch.arange(positions, device=device), encoding)
        cache = torch.cat((angles.cos(), angles.sin()), dim=-1) * encoding.attention_factor
        kept[dtype, device] = cache.to(dtype)
    return kept[dtype, device]


def _over_cache(function: Callable[..., Any], adapter: str, max_position: int, cache_dtype: Any) -> Callable[..., Any]:
    """Wraps a function that turns flat tokens in place by rows of a cache."""

    def adapted(query: torch.Tensor, key: torch.Tensor, positions: torch.Tensor, encoding: Encoding) -> None:
        cache = _cos_sin_cache(encoding, max_position, cache_dtype or query.dtype, query.device)
        flat = [tensor.flatten(2).flatten(0, 1) for tensor in (query, key)]  # views: the tensors are dense
        function(positions.flatten().long(), *flat, encoding.head_dim, cache, encoding.pairing_in == "half-split")

    return _serving(function, adapted, f"{adapter}(FUNCTION, max_position={max_position})", backward=False, unit=False,
                    positions=[0, max_position])


def vllm(function: Callable[..., Any], *, max_position: int) -> Callable[..., Any]:
    """rotary_embedding(positions, query, key, head_size, cos_sin_cache, is_neox) of vLLM, in place.

    positions int64 [tokens], query and key [tokens, heads * head_size], the cache [max_position, rotary_dim] in the
    data's format. Positions from 0 to max_position - 1, no backward.
    """
    return _over_cache(function, "vllm", max_position, None)


def flashinfer_cos_sin_cache(function: Callable[..., Any], *, max_position: int) -> Callable[..., Any]:
    """FlashInfer's apply_rope_with_cos_sin_cache_inplace: like vLLM's, with the cache in binary32."""
    adapted = _over_cache(function, "flashinfer_cos_sin_cache", max_position, torch.float32)
    adapted.serves["dtypes"] = NARROW  # type: ignore[attr-defined]
    return adapted


def flashinfer_pos_ids(function: Callable[..., Any]) -> Callable[..., Any]:
    """FlashInfer's apply_rope_pos_ids(q, k, pos_ids, rotary_dim, interleave, rope_scale, rope_theta).

    It forms its own angles from a base and a linear scale; other frequencies are declined.
    q and k are [tokens, heads, head_dim], pos_ids int32 [tokens]; it returns both. No backward.
    """

    def adapted(query: torch.Tensor, key: torch.Tensor, positions: torch.Tensor,
                encoding: Encoding) -> Tuple[torch.Tensor, torch.Tensor]:
        numbers = formed_from(encoding)
        flat = [tensor.flatten(0, 1) for tensor in (query, key)]
        turned = function(*flat, positions.flatten(), rotary_dim=encoding.rotary_dim,
                          interleave=encoding.pairing_in == "interleaved", rope_scale=numbers["factor"],
                          rope_theta=numbers["base"])
        return turned[0].view_as(query), turned[1].view_as(key)

    return _serving(function, adapted, "flashinfer_pos_ids(FUNCTION)", backward=False, unit=False, dtypes=NARROW)
