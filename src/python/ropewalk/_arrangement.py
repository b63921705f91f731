"""Arranges tokens and heads of any call for a definition's fixed extents, and extracts the answers.

A rotation treats each token and head separately, so a call of any shape is a set of them. If an extent is
fixed, they fill it over several calls; copies fill the rest.
"""

from __future__ import annotations

import dataclasses
from typing import Iterator, Optional, Tuple

import numpy as np

from ropewalk._task import Layout, Task


@dataclasses.dataclass(frozen=True)
class Part:
    """One call of the function: its tokens and heads, and the answers to keep."""

    tokens: np.ndarray  # [batch, tokens], indices of the call's tokens
    row: Optional[int]  # the batch row whose answers are kept; None: all
    begin: int  # the first token of the answers
    count: int  # number of answers per row


def _fits(extent: Optional[int], given: int) -> bool:
    return extent is None or extent == given


def token_parts(layout: Layout, positions: np.ndarray, is_shared: bool) -> Iterator[Part]:
    """The parts that hold all tokens of positions [batch, tokens].

    A definition with shared rows of positions, or with other extents, gets the tokens one after another.
    Its other rows of a batch get the same tokens, in another order.
    """
    batch, tokens = positions.shape
    count = batch * tokens
    has_batch = "b" in layout.order
    is_equal = not is_shared or (positions == positions[:1]).all()
    if has_batch and is_equal and _fits(layout.batch, batch) and _fits(layout.tokens, tokens):
        yield Part(np.arange(count).reshape(batch, tokens), None, 0, count)
        return
    columns = layout.tokens or count
    rows = (layout.batch or 2) if has_batch else 1
    for begin in range(0, count, columns):
        line = (begin + np.arange(columns)) % count
        yield Part(np.stack([np.roll(line, rows - 1 - row) for row in range(rows)]), rows - 1, begin,
                   min(columns, count - begin))


def head_parts(task: Task, heads: int, key_heads: int) -> Iterator[Tuple[np.ndarray, np.ndarray]]:
    """The heads of query and key for each call, until all are done."""
    slots = task.query.heads or heads
    key_slots = (task.key.heads or key_heads) if task.key else 0
    parts = max(-(-heads // slots), -(-key_heads // key_slots) if key_slots else 0)
    for part in range(parts):
        yield ((part * slots + np.arange(slots)) % heads,
               (part * key_slots + np.arange(key_slots)) % max(key_heads, 1))


def is_all(indices: np.ndarray, count: int) -> bool:
    """Whether the indices are 0 .. count - 1 in order."""
    return indices.size == count and bool((indices.reshape(-1) == np.arange(count)).all())


def taken_at(flat: np.ndarray, tokens: np.ndarray, heads: np.ndarray) -> np.ndarray:
    """Selects [batch, tokens, heads, dim] from [tokens, heads, dim]; a view if the indices are all."""
    rows = flat if is_all(tokens, flat.shape[0]) else flat[tokens.reshape(-1)]
    rows = rows if is_all(heads, flat.shape[1]) else rows[:, heads]
    return rows.reshape(*tokens.shape, *rows.shape[1:])


def chosen_slots(heads_at: np.ndarray, chosen: int) -> Tuple[np.ndarray, np.ndarray]:
    """The heads of a call, with one slot of each; the chosen slot differs between calls."""
    heads, counts = np.unique(heads_at, return_counts=True)
    order = np.argsort(heads_at, kind="stable")
    firsts = np.cumsum(counts) - counts
    return heads, order[firsts + chosen % counts]


def laid_out(data: np.ndarray, layout: Layout) -> np.ndarray:
    """Converts [batch, tokens, heads, dim] to the layout's order."""
    if "b" not in layout.order:
        data = data[0]
        order = layout.order
        plain = "thd"
    else:
        order, plain = layout.order, "bthd"
    turned = np.ascontiguousarray(data.transpose([plain.index(letter) for letter in order]))
    return turned.reshape(turned.shape[0], -1) if layout.is_flat else turned


def taken_back(data: np.ndarray, layout: Layout, head_dim: int) -> np.ndarray:
    """Converts the layout's order back to [batch, tokens, heads, dim]."""
    if layout.is_flat:
        data = data.reshape(data.shape[0], -1, head_dim)
    plain = "bthd" if "b" in layout.order else "thd"
    data = data.transpose([layout.order.index(letter) for letter in plain])
    return data if "b" in layout.order else data[None]


def runs(positions: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """indptr and offsets of tokens at these positions: a sequence ends where the next position is not one more."""
    starts = np.flatnonzero(np.diff(positions.astype(np.int64), prepend=positions[0] - 2) != 1)
    return np.append(starts, len(positions)).astype("i4"), positions[starts].astype("i4")
