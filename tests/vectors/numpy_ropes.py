"""Ropes in NumPy as people write them, each with a signature of its own."""

import numpy as np


def turned(x, angles):
    half = x.shape[-1] // 2
    c, s = np.cos(angles).astype(x.dtype), np.sin(angles).astype(x.dtype)
    return np.concatenate([x[..., :half] * c - x[..., half:] * s, x[..., :half] * s + x[..., half:] * c], -1)


def inv_freq_of(x, base=10000.0):
    return base ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])


def tokens_before_heads(x, positions):
    """x [batch, tokens, heads, head_dim]."""
    return turned(x, positions[:, :, None, None] * inv_freq_of(x))


def heads_before_tokens(q, pos, rope_theta=10000.0):
    """x [..., tokens, head_dim], positions [tokens]."""
    return turned(q, pos[:, None] * inv_freq_of(q, rope_theta))


def of_one_sequence(x, position_ids):
    """x [tokens, heads, head_dim]."""
    tokens, _, _ = x.shape
    assert position_ids.shape == (tokens,)
    return turned(x, position_ids[:, None, None] * inv_freq_of(x))


def counting(x, base=10000):
    """Positions are those of the rows, as in tutorials."""
    return turned(x, np.arange(x.shape[-2])[:, None] * inv_freq_of(x, base))


def with_offset(x, offset=0):
    return turned(x, (offset + np.arange(x.shape[-2]))[:, None] * inv_freq_of(x))


def in_place(x, positions):
    x[...] = tokens_before_heads(x, positions)


def rotate_half(x):
    return np.concatenate([-x[..., x.shape[-1] // 2:], x[..., :x.shape[-1] // 2]], -1)


def of_transformers(q, k, cos, sin, position_ids=None, unsqueeze_dim=1):
    cos, sin = np.expand_dims(cos, unsqueeze_dim), np.expand_dims(sin, unsqueeze_dim)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


def of_pairs(x, cos, sin, interleaved=False):
    """x [batch, tokens, heads, head_dim]; channels beyond 2 cos.shape[-1] pass through."""
    rotary_dim = 2 * cos.shape[-1]
    cos, sin, turning = cos[:, :, None], sin[:, :, None], x[..., :rotary_dim]
    a, b = (turning[..., 0::2], turning[..., 1::2]) if interleaved else np.split(turning, 2, -1)
    both = [a * cos - b * sin, a * sin + b * cos]
    y = np.stack(both, -1).reshape(turning.shape) if interleaved else np.concatenate(both, -1)
    return np.concatenate([y, x[..., rotary_dim:]], -1)


def of_llama(xq, xk, freqs_cis):
    def one(x):
        return (np.ascontiguousarray(x).view(freqs_cis.dtype) * freqs_cis[:, :, None]).view(x.dtype)
    return one(xq), one(xk)


def first_row_alone(x, positions):
    """A mistake: all batch rows take the positions of the first."""
    return tokens_before_heads(x, np.broadcast_to(positions[:1], positions.shape))


def drops_k(q, k, cos, sin):
    """A mistake: the key is not turned."""
    return of_transformers(q, k, cos, sin)[0], k
