"""Rotary embeddings that check_vectors_test.py has judged: right ones, and ones with a mistake. They know nothing of ropewalk."""

import math
import struct


def rotated(x, angles, factor=1.0, partner=None):
    """One head, a list. partner(pair): the pair's channels."""
    y = list(x)
    for pair, angle in enumerate(angles):
        a, b = partner(pair)
        c, s = factor * math.cos(angle), factor * math.sin(angle)
        y[a], y[b] = x[a] * c - x[b] * s, x[a] * s + x[b] * c
    return y


def halves(count):
    return lambda pair: (pair, pair + count)


def rope(x, position, inv_freq):
    return rotated(x, [position * f for f in inv_freq], partner=halves(len(inv_freq)))


def told_all(x, position, inv_freq, pairs, attention_factor, backward):
    """Any pairs: partial heads, a first channel, an attention factor and gradients, too."""
    return rotated(x, [(-position if backward else position) * f for f in inv_freq], attention_factor, lambda pair: pairs[pair])


# Mistakes.

def interleaved(x, position, inv_freq):
    return rotated(x, [position * f for f in inv_freq], partner=lambda pair: (2 * pair, 2 * pair + 1))


def negated_sine(x, position, inv_freq):
    return rope(x, -position, inv_freq)


def off_by_one(x, position, inv_freq):
    return rope(x, position + 1, inv_freq)


def bfloat16(number):
    bits = struct.unpack(">I", struct.pack(">f", number))[0]
    return struct.unpack(">f", struct.pack(">I", (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000))[0]


def table_of_bfloat16(x, position, inv_freq):
    y, half = list(x), len(inv_freq)
    for a, f in enumerate(inv_freq):
        c, s = bfloat16(math.cos(position * f)), bfloat16(math.sin(position * f))
        y[a], y[a + half] = x[a] * c - x[a + half] * s, x[a] * s + x[a + half] * c
    return y


def position_in_binary32(x, position, inv_freq):
    return rope(x, struct.unpack("f", struct.pack("f", position))[0], inv_freq)


def zeroes_what_passes_through(x, position, inv_freq, rotary_dim):
    return rope(x, position, inv_freq)[:rotary_dim] + [0.0] * (len(x) - rotary_dim)


def drops_the_factor(x, position, inv_freq, pairs, attention_factor):
    return told_all(x, position, inv_freq, pairs, 1.0, False)


def keeps_the_sine(x, position, inv_freq, pairs, attention_factor, backward):
    return told_all(x, position, inv_freq, pairs, attention_factor, False)


def unchanged(x, position):
    return x


def raises(x, position, inv_freq):
    if position > 255:
        raise ValueError("no such position: %d" % position)
    return rope(x, position, inv_freq)


def declines(x, position):
    raise NotImplementedError


def declines_far_positions(x, position, inv_freq):
    if not 0 <= position < 2048:
        raise NotImplementedError
    return rope(x, position, inv_freq)


def unknown_parameter(x, m):
    return rope(x, m, [1.0, 0.1, 0.01, 0.001])


# Tables.

def buckets(relative_position, encoding):
    count, farthest = encoding["buckets"], encoding["max_distance"]
    first, distance = 0, -relative_position
    if encoding["bidirectional"]:
        count //= 2
        first, distance = (count if distance < 0 else 0), abs(distance)
    distance = max(distance, 0)
    exact = count // 2
    if distance < exact:
        return first + distance
    return first + min(count - 1, exact + int(math.log(distance / exact) / math.log(farthest / exact) * (count - exact)))


def slopes(table, rows, encoding):
    if table != "alibi-slopes":
        raise NotImplementedError
    heads = encoding["heads"]
    power = 2 ** int(math.log2(heads))
    return [2.0 ** (-8 * (head + 1) / power) if head < power else 2.0 ** (-4 * (2 * (head - power) + 1) / power) for head in rows]


def buckets_late(relative_position, encoding):
    return buckets(relative_position - (abs(relative_position) > 8), encoding)
