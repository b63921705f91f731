"""References of the definitions, in plain PyTorch: angles and the rotation in binary64, results stored once.

A definition's field `reference` has one of the functions run_... below, as `run`, and what it calls.
"""

import math

import torch


def inv_freqs(rotary_dim, theta, device):
    """theta^(-2 pair / rotary_dim), radians for each position: [rotary_dim / 2]."""
    pairs = torch.arange(rotary_dim // 2, dtype=torch.float64, device=device)
    return torch.pow(float(theta), -2 * pairs / rotary_dim)


def scaled_as_llama31(inv_freq, factor, low, high, length):
    """Frequencies that turn less than `low` times in the original length are divided, from `high` times on they are kept."""
    turns = length * inv_freq / (2 * math.pi)
    kept = torch.clamp((turns - low) / (high - low), 0, 1)
    return kept * inv_freq + (1 - kept) * inv_freq / factor


def positions_of(indptr, offsets):
    """The position of each token: sequences begin at their offsets."""
    begins, lengths = indptr[:-1].long(), (indptr[1:] - indptr[:-1]).long()
    tokens = torch.arange(int(indptr[-1]), device=indptr.device)
    return tokens + torch.repeat_interleave(offsets.long() - begins, lengths)


def turned(x, cos, sin, interleave):
    """The first channels of each head [tokens, heads, head_dim] turned by rows of [tokens, pairs]; the others as they are."""
    pairs = cos.shape[-1]
    cos, sin, head = cos[:, None], sin[:, None], x[..., :2 * pairs].double()
    first, second = (head[..., 0::2], head[..., 1::2]) if interleave else (head[..., :pairs], head[..., pairs:])
    both = first * cos - second * sin, second * cos + first * sin
    head = torch.stack(both, dim=-1).flatten(-2) if interleave else torch.cat(both, dim=-1)
    return torch.cat((head.to(x.dtype), x[..., 2 * pairs:]), dim=-1)


def by_angles(q, k, positions, inv_freq, interleave):
    angles = positions.double()[:, None] * inv_freq
    return tuple(turned(x, torch.cos(angles), torch.sin(angles), interleave) for x in (q, k))


def by_cache(q, k, cos_sin_cache, positions, interleave):
    cos, sin = torch.chunk(cos_sin_cache[positions.long()].double(), 2, dim=-1)
    return tuple(turned(x, cos, sin, interleave) for x in (q, k))


def run_cache_half_split(q, k, cos_sin_cache, positions):
    return by_cache(q, k, cos_sin_cache, positions, False)


def run_cache_interleaved(q, k, cos_sin_cache, positions):
    return by_cache(q, k, cos_sin_cache, positions, True)


def run_cache_flat(positions, query, key, head_size, cos_sin_cache, is_neox=True):
    heads = [x.reshape(x.shape[0], -1, head_size) for x in (query, key)]
    return tuple(y.flatten(1) for y in by_cache(*heads, cos_sin_cache, positions, not is_neox))


def run_pos_ids(q, k, pos_ids, rotary_dim=None, interleave=False, rope_scale=1.0, rope_theta=10000.0):
    inv_freq = inv_freqs(rotary_dim or q.shape[-1], rope_theta, q.device)
    return by_angles(q, k, pos_ids, inv_freq / rope_scale, interleave)


def run_ragged(q, k, indptr, offsets, rotary_dim=None, interleave=False, rope_scale=1.0, rope_theta=10000.0):
    return run_pos_ids(q, k, positions_of(indptr, offsets), rotary_dim, interleave, rope_scale, rope_theta)


def run_llama31_pos_ids(q, k, pos_ids, rotary_dim=None, interleave=False, rope_scale=8.0, rope_theta=500000.0,
                        low_freq_factor=1.0, high_freq_factor=4.0, old_context_len=8192):
    inv_freq = inv_freqs(rotary_dim or q.shape[-1], rope_theta, q.device)
    inv_freq = scaled_as_llama31(inv_freq, rope_scale, low_freq_factor, high_freq_factor, old_context_len)
    return by_angles(q, k, pos_ids, inv_freq, interleave)


def run_llama31_ragged(q, k, indptr, offsets, rotary_dim=None, interleave=False, rope_scale=8.0, rope_theta=500000.0,
                       low_freq_factor=1.0, high_freq_factor=4.0, old_context_len=8192):
    return run_llama31_pos_ids(q, k, positions_of(indptr, offsets), rotary_dim, interleave, rope_scale, rope_theta,
                               low_freq_factor, high_freq_factor, old_context_len)
