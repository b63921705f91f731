#!/usr/bin/env python3
"""Judges a positional encoding of yours by the test vectors beside this file. It needs Python's standard library alone.

    python3 check_vectors.py my_rope.py::rope                          # a function, by the topic "rope"
    python3 check_vectors.py my_rope.py::rope --dtype bf16 --promise hf
    python3 check_vectors.py --answers answers.json                    # answers of a program in any language

    import check_vectors
    report = check_vectors.check(rope, dtype="f32", promise="angle-f32")
    assert report, report

HOW A FUNCTION IS CALLED. Its parameters are found by their names; those with a default and another name keep it.
  x (q, query, xq, hidden_states, ...)   the data
  k (key, xk, ...)                       the same data once more; the function then returns both results
  positions (position_ids, pos, ...)     whole numbers, or binary64 coordinates; a leading [axes] where there are several
  offset (start_pos, ...)                the position of the first token; the others follow it
  inv_freq                               binary64 [pairs], radians per position
  cos, sin; freqs_cis                    of every token and pair, attention factor included; see --tables
  base (theta, rope_theta), head_dim, rotary_dim, rotary_begin, pairing, interleaved (traditional), half_split
  (is_neox), pairs, pairs_out, axis, attention_factor, seq_len, dtype, backward, unit
  group, case                            the dictionaries of the JSON file, with all that there is
A function with none of positions, offset, cos, freqs_cis, group and case is taken to count its tokens from 0: each
token is put into its place among tokens of zeros. `--give NAME=WHAT` names another parameter: `--give t=positions`,
`--give dim=-1`. The result is returned, or written into x where the function returns None.

The shape of x is found out by calls on a small example: [batch, tokens, heads, head_dim], [batch, heads, tokens,
head_dim], [tokens, heads, head_dim], [batch, tokens, head_dim], [tokens, head_dim] or [head_dim], positions being
[batch, tokens] or [tokens]; so is the width of cos and sin, a number for each pair or for each channel that rotates.
The report says what was found. So it is with the pairing of a function that is not told one: groups of the other
pairing are left out, unless --pairing asks for them. A group that needs what the function is not told (an attention
factor, partial heads) is left out, unless --group names it.

Arrays are torch's if the function's module has imported torch, NumPy's if that is installed, and otherwise nested
lists. bfloat16 is torch's or that of ml_dtypes; without these it is binary32 numbers that are bfloat16 numbers, and in
lists all numbers are Python's. Where an answer has a wider format than the data, this program rounds it once, and says so.

Functions of tables have, by name, table ("inv-freq", "cos-sin", "alibi-slopes", ...), row (a number, or several), rows
(all of a case at once), the parts of a row (position, pair, head, ...), columns, dtype, model, encoding, group and
case; they return the entries of the row. Functions of additions have x, positions, width, encoding, group and case.

A case may be declined by raising NotImplementedError.

EXIT STATUS. 0: every group that was asked keeps the promise (without --promise: one of its promises). 1: a group keeps
none. 2: nothing was decided, or something was not understood.
"""

import argparse
import difflib
import fnmatch
import importlib.util
import inspect
import json
import math
import os
import re
import struct
import sys
import traceback
from fractions import Fraction

SCHEMA = "urn:ropewalk:vectors:1"
HERE = os.path.dirname(os.path.abspath(__file__))


class BadInput(Exception):
    """Something that was given is not understood: a name, a file, a parameter."""


# ---- Numbers: bits as whole numbers, values as Python's floats, which hold every number of each format.

FORMATS = {  # precision in bits, exponent of the smallest subnormal, exponent of the largest power of two, bits
    "f64": (53, -1074, 1023, 64), "f32": (24, -149, 127, 32), "f16": (11, -24, 15, 16), "bf16": (8, -133, 127, 16), "i32": (0, 0, 0, 32)}
CODES = {"f64": ">d", "f32": ">f", "f16": ">e", "bf16": ">f", "i32": ">i"}


def digits_of(dtype):
    return FORMATS[dtype][3] // 4


def bits_of_text(dtype, text):
    """The numbers of a string of hexadecimal digits."""
    digits = digits_of(dtype)
    return [int(text[at:at + digits], 16) for at in range(0, len(text), digits)]


def value_of(dtype, bits):
    return struct.unpack(CODES[dtype], (bits << 16 if dtype == "bf16" else bits).to_bytes(struct.calcsize(CODES[dtype]), "big"))[0]


def bits_of(dtype, value):
    """The bits of a number of the format."""
    bits = int.from_bytes(struct.pack(CODES[dtype], value), "big")
    return bits >> 16 if dtype == "bf16" else bits


def rounded(dtype, number):
    """The bits of a float or a Fraction, rounded to nearest, ties to even."""
    if dtype == "i32":
        if number != math.floor(number) or not -2**31 <= number < 2**31:
            raise ValueError("an answer is %r instead of a whole number of 32 bits" % number)
        return bits_of(dtype, int(number))
    if isinstance(number, float) and (not math.isfinite(number) or number == 0):
        return bits_of(dtype, number)
    precision, smallest, largest, _ = FORMATS[dtype]
    # A float may be the power of two above a Fraction. The Fraction then rounds to that power in either unit.
    exponent = math.frexp(float(number))[1] - precision
    unit = Fraction(2)**max(exponent, smallest)
    # A Fraction's quotient is exact, and round() takes ties to even.
    result = round(Fraction(number) / unit) * unit
    if abs(result) >= Fraction(2)**(largest + 1):
        return bits_of(dtype, math.copysign(math.inf, number))
    return bits_of(dtype, math.copysign(float(abs(result)), number))


def same_bits(dtype, one, other):
    """Whether two numbers are the same; any NaN is any other."""
    return one == other or (dtype != "i32" and math.isnan(value_of(dtype, one)) and math.isnan(value_of(dtype, other)))


# ---- Cosines and sines, for functions that take them: in whole numbers, as a binary64 angle is too coarse far out.

POINT = 256  # bits behind the binary point


def arctangent_of_inverse(n):
    total, term, k, sign = 0, (1 << POINT) // n, 1, 1
    while term:
        total += sign * (term // k)
        term, k, sign = term // (n * n), k + 2, -sign
    return total


PI = 4 * (4 * arctangent_of_inverse(5) - arctangent_of_inverse(239))  # Machin


def cosine_and_sine(angle):
    """Of a Fraction in radians: Fractions within 2^-200 for angles below 2^40."""
    fixed = (angle.numerator << POINT) // angle.denominator
    quarters = (2 * fixed + PI // 2) // PI  # turns the angle into [-pi/4, pi/4]
    rest = fixed - quarters * PI // 2
    sums, term = [0, 0, 0, 0], 1 << POINT
    for k in range(1, 200):
        sums[(k - 1) % 4] += term
        term = (term * rest >> POINT) // k
        if term in (0, -1):
            break
    cosine, sine = sums[0] - sums[2], sums[1] - sums[3]
    for _ in range(quarters % 4):
        cosine, sine = -sine, cosine
    # No frequency of the pack has so small a cosine or sine but for exact quarters of a turn, where it is 0.
    return [Fraction(0) if abs(one) < 1 << (POINT - 64) else Fraction(one, 1 << POINT) for one in (cosine, sine)]


# ---- The pack

def load_topic(pack, topic):
    path = os.path.join(pack, topic + ".json")
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except (OSError, ValueError) as error:
        raise BadInput("topic is %r (%s); allowed: %s" % (topic, error, ", ".join(topics_of(pack)) or "none, as %s has no topics" % pack))
    if content.get("schema") != SCHEMA:
        raise BadInput("schema of %s is %r; allowed: %s" % (path, content.get("schema"), SCHEMA))
    return content


def topics_of(pack):
    """The topics of a folder: its JSON files of this schema."""
    names = []
    for name in sorted(os.listdir(pack)) if os.path.isdir(pack) else []:
        if name.endswith(".json"):
            with open(os.path.join(pack, name), encoding="utf-8") as file:
                if '"%s"' % SCHEMA in file.read(4096) and name != "vectors.schema.json":
                    names.append(name[:-len(".json")])
    return names


def pairing_of(group):
    """ "half-split", "interleaved", or "listed" for other pairs. One pair is both: "any"."""
    pairs = group["pairs"]
    first, count = pairs[0][0], len(pairs)
    if count == 1 and pairs[0][1] == first + 1:
        return "any"
    if pairs == [[first + at, first + at + count] for at in range(count)]:
        return "half-split"
    return "interleaved" if pairs == [[first + 2 * at, first + 2 * at + 1] for at in range(count)] else "listed"


def is_partial(group):
    return 2 * len(group.get("pairs", [])) < group.get("head_dim", 0)


# ---- Judging: is an answer right under a rule?

class Unit:
    """What a rule of distance judges at once: the two elements of a pair, or one element."""

    def __init__(self, elements, sizes=(1.0,), position=0, pair=0):
        self.elements, self.sizes, self.position, self.pair = elements, sizes, abs(position), pair

    def factor(self, rule):
        grown = rule.get("per_position")
        return rule["relative"] + (grown[self.pair] * self.position if grown else 0.0)


class Case:
    """A case of a group, its numbers read."""

    def __init__(self, group, record):
        self.group, self.record, self.id, self.flags = group, record, record["id"], record["flags"]
        self.dtype = group["dtype"]
        self.expected = bits_of_text(self.dtype, record["expected"])
        self.copied = set()  # elements that pass through
        self.units = {"rotate": self.rotated, "add-row": self.summed, "add-bias": self.summed, "table": self.tabulated}[group["operation"]]()

    def title(self):
        return "%s [%s]" % (self.id, " ".join(self.flags))

    def read(self, name, dtype):
        return [value_of(dtype, bits) for bits in bits_of_text(dtype, self.record[name])]

    def rotated(self):
        x, pairs, units = self.read("x", self.dtype), self.group["pairs"], []
        out, axis = self.group.get("pairs_out", pairs), self.group.get("axis") or [0] * len(pairs)
        _, _, heads, width = self.record["shape"]
        passing = set(range(width)).difference(*out)
        for start in range(0, len(x), width):
            token = start // (heads * width)
            for number, ((c0, c1), (d0, d1)) in enumerate(zip(pairs, out)):
                units.append(Unit((start + d0, start + d1), (x[start + c0], x[start + c1]), self.record["positions"][axis[number]][token], number))
            self.copied.update(start + channel for channel in passing)
        return units

    def summed(self):
        sizes = zip(self.read("x", self.dtype), self.read("added", "f64" if self.dtype == "f64" else "f32"))
        return [Unit((at,), (abs(one) + abs(other),)) for at, (one, other) in enumerate(sizes)]

    def tabulated(self):
        if "pairs" not in self.group:
            return [Unit((at,), (value,)) for at, value in enumerate(self.read("expected", self.dtype))]
        columns, units = self.columns(), []
        for number, row in enumerate(self.record["rows"]):
            position = dict(zip(self.group["row"], row if isinstance(row, list) else [row])).get("position", 0)
            for pair, both in enumerate(self.group["pairs"]):
                if set(both) <= set(columns):
                    units.append(Unit(tuple(number * len(columns) + columns.index(one) for one in both), position=position, pair=pair))
        return units

    def columns(self):
        return self.record.get("columns") or list(range(self.group["columns"]))

    def undecided(self, rule):
        """The units of which a rule says nothing, as an answer of zeros would be right: with a factor of 1 or above."""
        return set() if rule["rule"] == "bits" else {number for number, unit in enumerate(self.units) if unit.factor(rule) >= 1}

    def place(self, elements):
        """The place of a unit's elements in words."""
        at = elements[0]
        if self.group["operation"] == "table":
            columns = self.columns()
            row = self.record["rows"][at // len(columns)]
            named = ["%s %s" % both for both in zip(self.group["row"], row if isinstance(row, list) else [row])]
            return "%s, column %s" % (", ".join(named), " and ".join(str(columns[one % len(columns)]) for one in elements))
        _, tokens, heads, width = self.record["shape"]
        token = at // (heads * width)
        return "batch row %d, token %d at position %s, head %d, channel %s" % (
            token // tokens, token % tokens, ", ".join(str(axis[token]) for axis in self.record["positions"]), at // width % heads,
            " and ".join(str(one % width) for one in elements))


class Miss:
    """Why a case is wrong under a rule, and its worst place."""

    def __init__(self, reason, case=None, elements=(), answer=(), error=None, allowed=None):
        self.reason, self.error, self.allowed = reason, error, allowed
        self.where = case.place(elements) if elements else ""
        self.expected = [shown(case.dtype, case.expected[at]) for at in elements]
        self.observed = [shown(case.dtype, answer[at]) for at in elements]


def judged(case, rule, answer):
    """(the number of units of which the rule says nothing, a Miss or None) for an answer's bits."""
    if len(answer) != len(case.expected):
        return 0, Miss("%d numbers instead of %d" % (len(answer), len(case.expected)))
    undecided = case.undecided(rule)
    if answer == case.expected:
        return len(undecided), None
    different = [at for at, (one, other) in enumerate(zip(answer, case.expected)) if not same_bits(case.dtype, one, other)]
    right = [value_of(case.dtype, bits) for bits in case.expected]
    got = [value_of(case.dtype, bits) for bits in answer]
    if rule["rule"] == "bits":
        if not different:
            return 0, None
        gaps = {at: abs(got[at] - right[at]) for at in different}
        worst = max(different, key=lambda at: math.inf if math.isnan(gaps[at]) else gaps[at])
        elements = next((unit.elements for unit in case.units if worst in unit.elements), (worst,))
        return 0, Miss("%d of %d numbers have other bits" % (len(different), len(right)), case, elements, answer, gaps[worst], 0.0)
    for at in different:
        if at in case.copied:
            return len(undecided), Miss("a channel that passes through has other bits", case, (at,), answer)
    worst, worst_ratio = None, 0
    for number, unit in enumerate(case.units):
        if number in undecided:
            continue
        expected, observed = [right[at] for at in unit.elements], [got[at] for at in unit.elements]
        if not all(map(math.isfinite, expected + list(unit.sizes))):
            if not all(math.isfinite(one) if math.isfinite(other) else math.isnan(other) or one == other for one, other in zip(observed, expected)):
                return len(undecided), Miss("an infinity or NaN is missing, or has spread", case, unit.elements, answer)
        elif not all(map(math.isfinite, observed)):
            return len(undecided), Miss("an infinity or NaN where the right numbers are finite", case, unit.elements, answer)
        else:
            error, allowed, is_within = compared(observed, expected, unit.sizes, unit.factor(rule), rule["absolute"])
            ratio = error / allowed if allowed > 0 else math.inf
            if not is_within and ratio > worst_ratio:
                worst, worst_ratio = Miss("too far from the right numbers", case, unit.elements, answer, error, allowed), ratio
    return len(undecided), worst


def compared(observed, expected, sizes, factor, absolute):
    """|observed - expected|, factor |sizes| + absolute in Euclidean norms, and whether the first is at most the second.

    In floats each side is off by less than 2^-50 of itself, unless something underflows or overflows. Where the sides are closer than 2^-40, or
    that small or large, the comparison is made in fractions: of squares D and S, D <= f^2 S + a^2 + 2 f a sqrt(S).
    """
    error = math.hypot(*[one - other for one, other in zip(observed, expected)])
    allowed = factor * math.hypot(*sizes) + absolute
    if 1e-280 < error < 1e280 and 1e-280 < allowed < 1e280 and abs(error - allowed) >= 2.0**-40 * allowed:
        return error, allowed, error <= allowed
    f, a = Fraction(factor), Fraction(absolute)
    squared = sum((Fraction(one) - Fraction(other))**2 for one, other in zip(observed, expected))
    of_sizes = sum(Fraction(one)**2 for one in sizes)
    rest = squared - f**2 * of_sizes - a**2
    return error, allowed, rest <= 0 or rest**2 <= 4 * f**2 * a**2 * of_sizes


def shown(dtype, bits):
    return "%.9g (%0*x)" % (value_of(dtype, bits), digits_of(dtype), bits)


# ---- Verdicts

class PromiseCount:
    """What became of a group's cases under one promise."""

    def __init__(self, promise):
        self.promise, self.held, self.failed, self.undecided = promise, 0, 0, 0
        self.pairs_left_out = 0  # of cases that other pairs decide
        self.first_failure = None  # (Case, Miss)

    def verdict(self):
        return "fails" if self.failed else "holds" if self.held else "undecided"


def size_of(rule):
    """Orders promises by what they allow at position 1; further out the order of some of them is another one."""
    return -1.0 if rule["rule"] == "bits" else rule["relative"] + max(rule.get("per_position") or [0.0])


class GroupVerdict:
    def __init__(self, topic, group):
        self.topic, self.group, self.id = topic, group, group["id"]
        self.counts = {rule["promise"]: PromiseCount(rule["promise"]) for rule in sorted(group["accept"], key=size_of)}  # the strictest first
        self.asked, self.left_out = 0, {}  # cases; cases by the reason why they were not asked

    def leave_out(self, reason):
        self.left_out[reason] = self.left_out.get(reason, 0) + 1

    def add(self, case, answers, trouble=None):
        """Counts a case by its answers, each a list of bits, or by the trouble that kept the function from answering."""
        self.asked += 1
        for rule in self.group["accept"]:
            count = self.counts[rule["promise"]]
            results = [(0, Miss(trouble))] if trouble else [judged(case, rule, answer) for answer in answers]
            miss = next((one for _, one in results if one is not None), None)
            undecided = results[0][0]
            if miss is not None:
                count.failed += 1
                count.first_failure = count.first_failure or (case, miss)
            elif undecided and undecided == len(case.units) or rule["rule"] != "bits" and not case.units:
                count.undecided += 1
            else:
                count.held += 1
                count.pairs_left_out += undecided

    def keeps(self):
        """The strictest promise that holds."""
        return next((name for name, count in self.counts.items() if count.verdict() == "holds"), None)

    def verdict(self, promise):
        words = [count.verdict() for name, count in self.counts.items() if promise in (None, name)]
        return next((word for word in ("holds", "fails") if word in words), "undecided")

    def failure(self, promise):
        """The count that explains a failure: that of the promise, or of the one with the fewest failures, the loosest of these."""
        failed = [count for name, count in self.counts.items() if count.failed and promise in (None, name)]
        return min(reversed(failed), key=lambda count: count.failed)

    def next_stricter(self):
        """The count of the loosest promise that fails and is stricter than the one that the group keeps."""
        names = list(self.counts)
        return next((self.counts[name] for name in reversed(names[:names.index(self.keeps())]) if self.counts[name].failed), None)


class Report:
    """What was judged. It is true if every group that was asked keeps its promise."""

    def __init__(self, subject, promise, flags):
        self.subject, self.promise, self.flags = subject, promise, flags
        self.called, self.groups, self.left_out, self.notes = "", [], {}, []

    def verdict(self):
        words = [group.verdict(self.promise) for group in self.groups]
        return next((word for word in ("fails", "holds") if word in words), "undecided")

    @property
    def exit_status(self):
        return {"holds": 0, "fails": 1, "undecided": 2}[self.verdict()]

    def __bool__(self):
        return self.verdict() == "holds"

    def leave_out(self, reason, group):
        self.left_out.setdefault(reason, []).append(group)

    def __str__(self):
        return "\n".join(self.lines())

    __repr__ = __str__

    def lines(self, most_explained=3):
        yield self.subject + (", called with " + self.called if self.called else "")
        for note in self.notes:
            yield "note: " + note
        for reason, groups in self.left_out.items():
            yield "left out: %s (%s)" % (", ".join(groups) if len(groups) <= 4 else "%d groups" % len(groups), reason)
        for group in self.groups:
            word = group.verdict(self.promise)
            yield "%-9s %s %s" % (word, group.id, self.summary(group, word))
        failing = [group for group in self.groups if group.verdict(self.promise) == "fails"]
        for group in failing[:most_explained]:
            yield from self.explanation(group)
        if len(failing) > most_explained:
            yield "%d more groups fail; --group ID explains one of them" % (len(failing) - most_explained)
        words = [group.verdict(self.promise) for group in self.groups]
        tally = ", ".join("%d %s" % (words.count(word), shown) for word, shown in (("holds", "hold"), ("fails", "fail"), ("undecided", "undecided")))
        yield "%d groups: %s%s" % (len(words), tally, "" if self.promise is None else "; the promise is " + self.promise)

    def summary(self, group, word):
        more = ["%s left out: %s" % (cases(number), reason) for reason, number in group.left_out.items()]
        if word == "holds":
            count = group.counts[self.promise or group.keeps()]
            stricter = group.next_stricter() if self.promise is None else None
            parts = ["keeps %s in %s" % (short(count.promise), cases(count.held))]
            parts += ["undecided: " + cases(count.undecided)] if count.undecided else []
            parts += ["%d pairs of others undecided" % count.pairs_left_out] if count.pairs_left_out else []
            parts += ["not %s: %s" % (short(stricter.promise), stricter.first_failure[0].title())] if stricter else []
        elif word == "fails":
            count = group.failure(self.promise)
            parts = ["breaks %s in %d of %s, first in %s" % (short(count.promise), count.failed, cases(group.asked), count.first_failure[0].title())]
            parts += ["undecided: " + cases(count.undecided)] if count.undecided else []
            parts += ["it keeps " + short(group.keeps())] if group.keeps() else []
        else:
            parts = ["decides nothing" if self.promise is None or self.promise in group.counts else "has no bound for this promise"]
        return "; ".join(parts + more)

    def explanation(self, group):
        case, miss = group.failure(self.promise).first_failure
        yield "%s: %s" % (case.id, miss.reason) + (": %.4g; allowed: %.4g" % (miss.error, miss.allowed) if miss.error is not None else "")
        if miss.where:
            yield "    at        " + miss.where
            yield "    expected  " + "  ".join(miss.expected)
            yield "    observed  " + "  ".join(miss.observed)
        for name in case.flags:
            flag = self.flags[group.topic][name]
            yield "    %s hunts: %s" % (name, flag["hunts"])
            yield "        wrong here means: " + flag["wrong_means"]
            for thread in flag["seen"]:
                yield "        seen in " + thread

    def record(self):
        """The report as a dictionary, for --json."""
        return {"schema": "urn:ropewalk:vectors-report:1", "subject": self.subject, "called": self.called, "promise": self.promise,
                "verdict": self.verdict(), "notes": self.notes, "left_out": self.left_out,
                "groups": [self.group_record(group) for group in self.groups]}

    def group_record(self, group):
        promises = {}
        for count in group.counts.values():
            promises[count.promise] = {"verdict": count.verdict(), "held": count.held, "failed": count.failed, "undecided": count.undecided,
                                       "pairs_left_out": count.pairs_left_out, "first_failure": None}
            if count.first_failure is not None:
                case, miss = count.first_failure
                flags = [dict(self.flags[group.topic][name], name=name) for name in case.flags]
                promises[count.promise]["first_failure"] = dict(vars(miss), case=case.id, flags=flags, error=in_json(miss.error))
        return {"id": group.id, "topic": group.topic, "dtype": group.group["dtype"], "verdict": group.verdict(self.promise), "keeps": group.keeps(),
                "cases": group.asked, "left_out": group.left_out, "promises": promises}


def in_json(number):
    """JSON has no infinities."""
    return number if number is None or math.isfinite(number) else str(number)


def cases(number):
    return "%d case%s" % (number, "" if number == 1 else "s")


def short(promise):
    return promise.split(",")[0] + ",..." if "," in promise else promise


# ---- Arrays: what a function is given, and what it returns

def nested(flat, shape):
    """Nested lists of a flat list."""
    if not shape:
        return flat[0]
    size = len(flat) // shape[0] if shape[0] else 0
    return [nested(flat[at * size:(at + 1) * size], shape[1:]) for at in range(shape[0])]


def flattened(value):
    if isinstance(value, (list, tuple)):
        return [one for part in value for one in flattened(part)]
    return [value]


def shape_of(value):
    shape = []
    while isinstance(value, (list, tuple)):
        shape.append(len(value))
        if not value:
            break
        value = value[0]
    return tuple(shape)


class Lists:
    name = "nested lists"

    def data(self, dtype, bits, shape):
        return nested([value_of(dtype, one) for one in bits], shape)

    def numbers(self, values, shape, kind="f64"):
        return nested(list(values), shape)

    def read(self, result, dtype):
        """(bits, shape, words on how the format differs or "")."""
        numbers = flattened(result)
        if not all(isinstance(one, (int, float)) for one in numbers):
            raise TypeError("the function returned %s instead of numbers" % ", ".join(sorted({type(one).__name__ for one in numbers})))
        note = "" if dtype in ("f64", "i32") else "answers are Python's numbers, which were rounded once to %s here" % dtype
        return [rounded(dtype, number if dtype == "i32" else float(number)) for number in numbers], shape_of(result), note


class NumPy(Lists):
    name = "NumPy arrays"

    def __init__(self, numpy):
        self.numpy = numpy
        self.bfloat16 = None
        try:
            import ml_dtypes
            self.bfloat16 = numpy.dtype(ml_dtypes.bfloat16)
        except ImportError:
            pass

    def dtype(self, name):
        return self.bfloat16 if name == "bf16" else self.numpy.dtype({"f64": "f8", "f32": "f4", "f16": "f2", "i32": "i4"}[name])

    def data(self, dtype, bits, shape):
        if dtype == "bf16" and self.bfloat16 is None:
            dtype, bits = "f32", [one << 16 for one in bits]
        whole = self.numpy.array(bits, dtype="u%d" % (FORMATS[dtype][3] // 8))
        return whole.view(self.dtype(dtype)).reshape(shape)

    def numbers(self, values, shape, kind="f64"):
        return self.numpy.array(list(values), dtype={"f64": "f8", "f32": "f4", "i64": "i8", "c64": "c8", "c128": "c16"}[kind]).reshape(shape)

    def read(self, result, dtype):
        array = self.numpy.ascontiguousarray(result).reshape(self.numpy.shape(result))
        if self.dtype(dtype) is not None and array.dtype == self.dtype(dtype):
            return [int(one) for one in array.reshape(-1).view("u%d" % (FORMATS[dtype][3] // 8))], array.shape, ""
        if array.dtype.kind not in "fiu" and array.dtype.name != "bfloat16":
            raise TypeError("the function returned an array of %s" % array.dtype)
        note = "answers are %s, which was rounded once to %s here" % (array.dtype, dtype)
        return [rounded(dtype, one) for one in array.astype("i8" if array.dtype.kind in "iu" else "f8").reshape(-1).tolist()], array.shape, note


class Torch(Lists):
    name = "torch tensors"

    def __init__(self, torch):
        self.torch = torch
        self.dtypes = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i32": torch.int32,
                       "i64": torch.int64, "c64": torch.complex64, "c128": torch.complex128}
        self.whole = {64: torch.int64, 32: torch.int32, 16: torch.int16}

    def data(self, dtype, bits, shape):
        width = FORMATS[dtype][3]
        signed = [one - (1 << width) if one >> (width - 1) else one for one in bits]
        return self.torch.tensor(signed, dtype=self.whole[width]).view(self.dtypes[dtype]).reshape(tuple(shape))

    def numbers(self, values, shape, kind="f64"):
        return self.torch.tensor(list(values), dtype=self.dtypes[kind]).reshape(tuple(shape))

    def read(self, result, dtype):
        if not isinstance(result, self.torch.Tensor):
            return super().read(result, dtype)
        tensor = result.detach().cpu().contiguous()
        width = FORMATS[dtype][3]
        if tensor.dtype == self.dtypes[dtype]:
            return [one & ((1 << width) - 1) for one in tensor.reshape(-1).view(self.whole[width]).tolist()], tuple(tensor.shape), ""
        if tensor.dtype.is_complex:
            raise TypeError("the function returned a tensor of %s" % tensor.dtype)
        note = "answers are %s, which was rounded once to %s here" % (str(tensor.dtype).replace("torch.", ""), dtype)
        return [rounded(dtype, one) for one in tensor.to(self.torch.float64).reshape(-1).tolist()], tuple(tensor.shape), note


def module_of(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def arrays_for(function, asked=None):
    if asked not in (None, "lists", "numpy", "torch"):
        raise BadInput("arrays is %r; allowed: lists, numpy, torch" % asked)
    used = {str(getattr(value, "__name__", "")).split(".")[0] for value in getattr(function, "__globals__", {}).values() if inspect.ismodule(value)}
    if asked == "torch" or (asked is None and "torch" in used):
        torch = module_of("torch")
        if torch is not None:
            return Torch(torch)
    elif asked != "lists":
        numpy = module_of("numpy")
        if numpy is not None:
            return NumPy(numpy)
    if asked in ("numpy", "torch"):
        raise BadInput("arrays is %r, which is not installed" % asked)
    return Lists()


# ---- Parameters

NAMES = {
    "x": "x q query queries xq query_states hidden hidden_states input inputs tensor scores", "k": "k key keys xk key_states",
    "positions": "positions position position_ids pos pos_ids input_positions coordinates",
    "offset": "offset start start_pos past_length position_offset seq_offset", "inv_freq": "inv_freq inv_freqs inverse_frequencies",
    "cos": "cos cosine cosines cos_table freqs_cos cos_cache cos_cached", "sin": "sin sine sines sin_table freqs_sin sin_cache sin_cached",
    "freqs_cis": "freqs_cis cis", "base": "base theta rope_theta rope_base freq_base", "head_dim": "head_dim head_size dim d",
    "rotary_dim": "rotary_dim rot_dim rope_dim n_rot", "interleaved": "interleaved is_interleaved traditional rotary_interleaved",
    "half_split": "half_split is_neox is_neox_style neox", "attention_factor": "attention_factor attention_scaling attn_factor mscale",
    "backward": "backward inverse", "width": "width d_model embedding_dim", "table": "table kind"}
NAMES.update((name, name) for name in (
    "rotary_begin", "pairs", "pairs_out", "pairing", "axis", "seq_len", "dtype", "unit", "model", "encoding", "group", "case", "row", "rows",
    "columns"))
BY_NAME = {name: quantity for quantity, names in NAMES.items() for name in names.split()}
OTHERWISE_WITH_DEFAULT = ("dim", "d", "dtype", "axis", "start", "input", "inputs")  # names that mean something else where they have a default
TABLES = {"cos", "sin", "freqs_cis"}


def parameters_of(function, give, row_names=()):
    """[(parameter, the quantity that it gets, or a tuple of a constant)]. A table's row_names are quantities, too."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        raise BadInput("the parameters of %r have no names; wrap it in a function of Python" % (function,))
    known = dict(BY_NAME, **{name: name for name in row_names})
    found = {}
    for parameter in parameters:
        name, has_default = parameter.name, parameter.default is not parameter.empty
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if name in give:
            found[parameter] = give[name] if give[name] in list(NAMES) + list(row_names) else (constant_of(give[name]),)
        elif name in known and not (has_default and name in OTHERWISE_WITH_DEFAULT):
            found[parameter] = known[name]
        elif not has_default:
            allowed = sorted(set(NAMES) | set(row_names) | set(difflib.get_close_matches(name, known)))
            raise BadInput("the function's parameter is %r; allowed: %s; say what it is: --give %s=WHAT" % (name, ", ".join(allowed), name))
    unused = set(give) - {parameter.name for parameter in parameters}
    if unused:
        raise BadInput("give names %r; allowed: the function's parameters" % sorted(unused)[0])
    # A second way to say where a token stands keeps its default: position_ids beside cos, offset beside positions.
    told = set(found.values())
    surplus = ({"positions", "offset"} if told & TABLES else {"offset"} if "positions" in told else set())
    return [(parameter, what) for parameter, what in found.items() if what not in surplus or parameter.default is parameter.empty]


def constant_of(given):
    try:
        return json.loads(given)
    except (TypeError, ValueError):
        return given


ALL = {"group", "model"}
ANGLES = ALL | TABLES | {"inv_freq"}


def untold(group, told, partial):
    """What a rotation needs to know and the function is not told, or None."""
    if group["operation"] != "rotate":
        return None
    model, pairs = group["model"], group["pairs"]
    is_scaled = model.get("rope_scaling", {}).get("rope_type", "default") != "default" or "axes" in model
    needs = [(is_partial(group) and not partial, "which channels pass through: rotary_dim or pairs; --partial asks all the same",
              ALL | {"rotary_dim", "pairs"}),
             (min(map(min, pairs)) > 0, "the first channel that rotates: rotary_begin or pairs", ALL | {"rotary_begin", "pairs"}),
             (is_scaled, "scaled frequencies: inv_freq, or cos and sin", ANGLES),
             (model["base"] != 10000, "the base: base, inv_freq, or cos and sin", ANGLES | {"base"}),
             (group["attention_factor_decimal"] != 1, "the attention factor: attention_factor, or cos and sin", ALL | TABLES | {"attention_factor"}),
             (group["axes"] > 1, "the axis of each pair: axis, or cos and sin", ALL | TABLES | {"axis"}),
             ("pairs_out" in group, "the pairs of the output: pairs_out", ALL | {"pairs_out"}),
             (pairing_of(group) == "listed", "pairs that are not the usual ones: pairs", ALL | {"pairs"})]
    return next(("the function is not told " + what for is_needed, what, tellers in needs if is_needed and not tellers & told), None)


# ---- Calls of a function

def without(record, *keys):
    """What a function sees of a record: not the answers."""
    return {key: value for key, value in record.items() if key not in keys and key.replace("_decimal", "") not in keys}


class Call:
    """A rotation or an addition: bits of the data, laid out [batch, tokens, heads, channels], and for each axis the positions of all tokens."""

    def __init__(self, bits, shape, positions, case, backward=False, unit=False):
        self.bits, self.shape, self.positions, self.case, self.backward, self.unit = bits, tuple(shape), positions, case, backward, unit

    def starts(self, rows, tokens, heads, heads_first=False):
        """Where the heads of some batch rows and tokens begin."""
        _, all_tokens, all_heads, width = self.shape
        order = [(token, head) for head in heads for token in tokens] if heads_first else [(token, head) for token in tokens for head in heads]
        return [((row * all_tokens + token) * all_heads + head) * width for row in rows for token, head in order]

    def part(self, rows, tokens, heads):
        """The call of some batch rows, tokens and heads alone."""
        bits = [one for start in self.starts(rows, tokens, heads) for one in self.bits[start:start + self.shape[3]]]
        positions = [[axis[row * self.shape[1] + token] for row in rows for token in tokens] for axis in self.positions]
        return Call(bits, (len(rows), len(tokens), len(heads), self.shape[3]), positions, self.case, self.backward, self.unit)

    def counted(self):
        """The call in which each token of the one batch row stands at its position among tokens of zeros, and where its heads begin there."""
        _, tokens, heads, width = self.shape
        count = max(self.positions[0]) + 1
        longer = Call([0] * (count * heads * width), (1, count, heads, width), [list(range(count))], self.case, self.backward, self.unit)
        starts = longer.starts([0], self.positions[0], range(heads))
        for number, start in enumerate(starts):
            longer.bits[start:start + width] = self.bits[number * width:(number + 1) * width]
        return longer, starts


class Way:
    """The shape of x as letters (batch, tokens, heads, d: channels of a head), whether positions have a batch, and the form of cos and sin."""

    def __init__(self, letters, is_batched, has_axis_of_heads, is_by_channel):
        self.letters, self.is_batched, self.has_axis_of_heads, self.is_by_channel = letters, is_batched, has_axis_of_heads, is_by_channel

    def text(self, told):
        words = {"b": "batch", "t": "tokens", "h": "heads", "d": "head_dim"}
        of_token = (["batch"] if self.is_batched else []) + (["tokens"] if "t" in self.letters else [])
        parts = ["x [%s]" % ", ".join(words[one] for one in self.letters)]
        if "positions" in told:
            parts.append("positions [%s]" % ", ".join(of_token) if of_token else "one position")
        if told & TABLES:
            shape = [words[one] if one in "bt" else "1" for one in self.letters[:-1]] if self.has_axis_of_heads else of_token
            parts.append("cos and sin [%s]" % ", ".join(shape + ["channels that rotate" if self.is_by_channel else "pairs"]))
        return ", ".join(parts)


PAIRINGS = ("half-split", "interleaved")
LAYOUTS = ("bthd", "bhtd", "thd", "btd", "td", "d")


def ways_of(told, layout):
    """Ways to call a function, the more usual ones first."""
    batched = {"bthd": (True, False), "bhtd": (True, False), "btd": (True, False)}  # whether positions have a batch, too
    shapes = [(letters, is_batched) for letters in LAYOUTS if layout in (None, letters) for is_batched in batched.get(letters, (False,))]
    for is_by_channel in (False, True) if "cos" in told else (False,):
        for letters, is_batched in sorted(shapes, key=lambda shape: ("h" not in shape[0], not shape[1])):
            for has_axis_of_heads in (False, True) if told & TABLES and "h" in letters else (False,):
                yield Way(letters, is_batched, has_axis_of_heads, is_by_channel)


LONGEST_COUNTED = 4096  # tokens of a function that counts them itself


class Asker:
    """Puts cases to a function in one way."""

    def __init__(self, function, arrays, give, tables):
        self.function, self.arrays, self.tables, self.way = function, arrays, tables, None
        self.parameters = parameters_of(function, give)
        self.told = {what for _, what in self.parameters if isinstance(what, str)}
        self.counts_itself = not self.told & ({"positions", "offset", "group", "case"} | TABLES)
        self.notes, self.entries = [], {}
        if len(self.told & {"cos", "sin"}) == 1:
            raise BadInput("the function takes %s alone; allowed: cos and sin, or neither" % (self.told & {"cos", "sin"}).pop())

    def untold(self, call):
        """What a case needs that the function is not told, or None."""
        if call.backward and not self.told & {"backward", "case"}:
            return "backward is not told"
        if call.unit and not self.told & (TABLES | {"unit", "attention_factor", "case"}):
            return "unit is not told"
        if ("offset" in self.told or self.counts_itself) and (len(call.positions) > 1 or any(one != int(one) for one in call.positions[0])):
            return "its positions are not told"
        if self.counts_itself and not all(0 <= one < LONGEST_COUNTED for one in call.positions[0]):
            return "positions are not counted below 0 or from %d on" % LONGEST_COUNTED
        return None

    def parts(self, call):
        """Batch rows, tokens and heads of the calls that a case becomes in this way."""
        batch, tokens, heads, _ = call.shape
        all_rows, all_tokens, all_heads = range(batch), range(tokens), range(heads)
        letters, together, follows = self.way.letters, self.way.is_batched, "t" in self.way.letters
        if self.counts_itself:
            rows = [call.positions[0][row * tokens:(row + 1) * tokens] for row in all_rows]
            together, follows = False, follows and all(len(set(row)) == tokens for row in rows)
        elif "offset" in self.told:
            first = [call.positions[0][row * tokens] for row in all_rows]
            follows = follows and all(call.positions[0][row * tokens + token] == first[row] + token for row in all_rows for token in all_tokens)
            together = together and len(set(first)) == 1
        return [(rows, some_tokens, some_heads) for rows in ([all_rows] if together else [[row] for row in all_rows])
                for some_tokens in ([all_tokens] if follows else [[token] for token in all_tokens])
                for some_heads in ([all_heads] if "h" in letters else [[head] for head in all_heads])]

    def answers(self, group, call):
        """The results, each in bits laid out as the call's data; two of a function that takes k."""
        width, results = call.shape[3], []
        for rows, tokens, heads in self.parts(call):
            part = call.part(rows, tokens, heads)
            if self.counts_itself:
                longer, starts = part.counted()
                got = [[one for start in starts for one in bits[start:start + width]] for bits in self.one_call(group, longer)]
            else:
                got = self.one_call(group, part)
            results = results or [[0] * len(call.bits) for _ in got]
            for result, bits in zip(results, got):
                for number, start in enumerate(call.starts(rows, tokens, heads)):
                    result[start:start + width] = bits[number * width:(number + 1) * width]
        return results

    def one_call(self, group, call):
        width = call.shape[3]
        starts = call.starts(range(call.shape[0]), range(call.shape[1]), range(call.shape[2]), heads_first=self.way.letters.find("ht") >= 0)
        shape = [dict(zip("bthd", call.shape))[letter] for letter in self.way.letters]
        given = [one for start in starts for one in call.bits[start:start + width]]
        by_position, by_name, data = [], {}, []
        for parameter, what in self.parameters:
            value = self.arrays.data(group["dtype"], given, shape) if what in ("x", "k") else self.quantity(group, call, what)
            if what in ("x", "k"):
                data.append(value)
            if parameter.kind is parameter.POSITIONAL_ONLY:
                by_position.append(value)
            else:
                by_name[parameter.name] = value
        result = self.function(*by_position, **by_name)
        if result is None:
            outputs = data
        elif "k" in self.told:
            if not isinstance(result, (tuple, list)) or len(result) != 2:
                raise TypeError("the function takes two arrays and returned %s; allowed: two results" % type(result).__name__)
            outputs = result
        else:
            outputs = [result[0] if isinstance(result, tuple) else result]
        answers = []
        for output in outputs:
            bits, got_shape, note = self.arrays.read(output, group["dtype"])
            if list(got_shape) != shape:
                raise TypeError("the function returned the shape %s for x of the shape %s" % (list(got_shape), shape))
            if note and note not in self.notes:
                self.notes.append(note)
            answer = [0] * len(bits)
            for number, start in enumerate(starts):
                answer[start:start + width] = bits[number * width:(number + 1) * width]
            answers.append(answer)
        return answers

    def quantity(self, group, call, what):
        """What a parameter gets."""
        if isinstance(what, tuple):
            return what[0]
        sizes, model, pairs = dict(zip("bthd", call.shape)), group.get("model", {}), group.get("pairs", [])
        of_token = ([sizes["b"]] if self.way.is_batched else []) + ([sizes["t"]] if "t" in self.way.letters else [])
        if what == "positions":
            flat = [one for axis in call.positions for one in axis]
            shape = ([len(call.positions)] if len(call.positions) > 1 else []) + of_token
            return self.arrays.numbers(flat, shape, "i64" if all(isinstance(one, int) for one in flat) else "f64") if shape else flat[0]
        if what in TABLES:
            shape = [sizes[one] if one in "bt" else 1 for one in self.way.letters[:-1]] if self.way.has_axis_of_heads else of_token
            return self.table(group, call, what, shape)
        rotated = [channel for pair in pairs for channel in pair]
        kind = pairing_of(group) if pairs else None
        values = {
            "offset": call.positions[0][0], "base": model.get("base"), "head_dim": call.shape[3], "width": call.shape[3], "rotary_dim": len(rotated),
            "rotary_begin": min(rotated, default=0), "pairs": pairs, "pairs_out": group.get("pairs_out", pairs), "pairing": kind,
            "interleaved": kind == "interleaved", "half_split": kind == "half-split", "axis": group.get("axis", [0] * len(pairs)),
            "attention_factor": 1.0 if call.unit else group.get("attention_factor_decimal"), "dtype": group["dtype"],
            "seq_len": model.get("seq_len") or int(max(map(max, call.positions))) + 1, "backward": call.backward, "unit": call.unit, "model": model,
            "encoding": group.get("encoding", model), "group": without(group, "cases"), "case": without(call.case, "expected", "added")}
        if what == "inv_freq" and pairs:
            return self.arrays.numbers([value_of("f64", one) for one in bits_of_text("f64", group["inv_freq"])], [len(pairs)])
        if values.get(what) is None:
            raise BadInput("the function asks for %s, which %s does not have" % (what, group["id"]))
        return values[what]

    def table(self, group, call, what, shape):
        """Cosines or sines of every token: of exact angles, rounded once, to binary32 (of f64 data: binary64) or to the data's format."""
        wide = "f64" if group["dtype"] == "f64" else "f32"
        entry = group["dtype"] if self.tables == "dtype" and what != "freqs_cis" else wide
        pairs, axis = group["pairs"], group.get("axis") or [0] * len(group["pairs"])
        columns = list(range(len(pairs)))
        if self.way.is_by_channel:
            of_channel = {channel: number for number, pair in enumerate(pairs) for channel in pair}
            columns = [of_channel[channel] for channel in sorted(of_channel)]
        flat = []
        for token in range(call.shape[0] * call.shape[1]):
            entries = [self.entry(group, number, call.positions[axis[number]][token], call.unit, entry) for number in range(len(pairs))]
            flat.extend(entries[number] for number in columns)
        if what == "freqs_cis":
            numbers = [complex(*[value_of(entry, one) for one in both]) for both in flat]
            return self.arrays.numbers(numbers, shape + [len(columns)], "c128" if wide == "f64" else "c64")
        return self.arrays.data(entry, [both[what == "sin"] for both in flat], shape + [len(columns)])

    def entry(self, group, pair, position, is_unit, dtype):
        """The bits of a cosine and its sine."""
        key = (group["id"], pair, position, is_unit, dtype)
        if key not in self.entries:
            frequency = sum(Fraction(value_of("f64", bits_of_text("f64", group[name])[pair])) for name in ("inv_freq", "inv_freq_rest"))
            factor = Fraction(1 if is_unit else group["attention_factor_decimal"])
            self.entries[key] = [rounded(dtype, factor * one) for one in cosine_and_sine(Fraction(position) * frequency)]
        return self.entries[key]

    def find_way(self, examples, layout):
        """Takes the way in which the function is right on a small example, one of those for each pairing, which is returned; else the first
        way in which it gives an array."""
        usable, troubles = [], []
        for kind, group in examples.items():
            for way in ways_of(self.told, layout):
                self.way = way
                try:
                    if self.is_right_on_example(group):
                        return kind
                    usable.append(way)
                except BadInput:
                    raise
                except Exception as error:  # of the function, to which this way of calling is foreign
                    troubles.append("%s: %s" % (type(error).__name__, error))
        if not usable:
            raise BadInput("the function gives no array of the shape of x, however it is called; " + "; or ".join(sorted(set(troubles))))
        self.way = usable[0]
        return None

    def is_right_on_example(self, group):
        """Whether the function is right but for a hundredth of the data's size; in a wrong way it is wrong by all of it. No broadcasting confuses
        2 batch rows, 3 tokens and 5 heads."""
        dtype, width, axes = group["dtype"], group.get("head_dim") or group["width"], group.get("axes", 1)
        bits = [rounded(dtype, (at * 7919 % 1009 - 504) / 512) for at in range(30 * width)]
        row = [0, 1, 2, 0, 1, 2] if self.counts_itself or "offset" in self.told else [4, 1, 2, 0, 5, 3]
        positions = [[one + axis for one in row] for axis in range(axes)]
        case = {"id": group["id"] + "-example", "shape": [2, 3, 5, width], "positions": positions, "flags": []}
        answers = self.answers(group, Call(bits, case["shape"], positions, case))
        if group["operation"] != "rotate":
            return True  # an addition has no other way in which it gives an array of this shape
        wanted = [value_of(dtype, one) for one in bits]
        x = list(wanted)
        for start in range(0, len(bits), width):
            for number, ((c0, c1), (d0, d1)) in enumerate(zip(group["pairs"], group.get("pairs_out", group["pairs"]))):
                angle = positions[group["axis"][number] if axes > 1 else 0][start // (5 * width)] * group["inv_freq_decimal"][number]
                cosine, sine = (group["attention_factor_decimal"] * one for one in (math.cos(angle), math.sin(angle)))
                wanted[start + d0], wanted[start + d1] = x[start + c0] * cosine - x[start + c1] * sine, x[start + c0] * sine + x[start + c1] * cosine
        size = math.hypot(*wanted)
        return all(math.hypot(*[value_of(dtype, one) - other for one, other in zip(answer, wanted)]) < size / 100 for answer in answers)


class TableAsker:
    """Asks a function for entries of tables."""

    def __init__(self, function, arrays, give, row_names):
        self.function, self.arrays = function, arrays
        self.parameters = parameters_of(function, give, row_names)

    def answer(self, group, case):
        columns = case.get("columns") or list(range(group["columns"]))
        takes_all = any(what == "rows" for _, what in self.parameters)
        bits = []
        for row in [case["rows"]] if takes_all else case["rows"]:
            values = {"table": group["table"], "columns": columns, "dtype": group["dtype"], "model": group.get("model", {}), "rows": case["rows"],
                      "row": row, "encoding": group.get("encoding", group.get("model", {})), "group": without(group, "cases"),
                      "case": without(case, "expected")}
            if not takes_all:
                values.update(zip(group["row"], row if isinstance(row, list) else [row]))
                values["positions"] = values.get("position")
            by_position, by_name = [], {}
            for parameter, what in self.parameters:
                if not isinstance(what, tuple) and what not in values:
                    raise BadInput("the function asks for %s, which %s does not have" % (what, group["id"]))
                value = what[0] if isinstance(what, tuple) else values[what]
                if parameter.kind is parameter.POSITIONAL_ONLY:
                    by_position.append(value)
                else:
                    by_name[parameter.name] = value
            result = self.function(*by_position, **by_name)
            result = [result] if isinstance(result, (int, float)) else result
            got = (Lists() if isinstance(result, (list, tuple)) else self.arrays).read(result, group["dtype"])[0]
            count = len(case["rows"]) if takes_all else 1
            if len(got) == count * group["columns"] and len(columns) != group["columns"]:  # whole rows, of which some columns are asked
                got = [got[at * group["columns"] + column] for at in range(count) for column in columns]
            bits.extend(got)
        return bits


# ---- The two ways to judge

def listed(value):
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def check(function=None, *, answers=None, topic=None, dtype=None, group=None, promise=None, pairing=None, layout=None, partial=False,
          tables="f32", arrays=None, give=None, pack=None):
    """Judges a function, or answers: {case id: hexadecimal digits}. The module's first words say how a function is called.

    topic, dtype, group   names, or lists of them: what is asked (groups may be patterns such as "rope-half-split-*"; default: the topic
                          "rope" of a function, and all topics of answers)
    promise               the promise that every group must keep (default: any of those in the pack)
    pairing, layout       "half-split" or "interleaved"; "bthd", "bhtd", "thd", "btd", "td" or "d" (default: found out)
    partial               True: heads of which some channels pass through are asked though the function is told inv_freq or cos alone
    tables                "f32", or "dtype": the format of the data for cos and sin
    arrays                "numpy", "torch" or "lists" (default: by what the function's module imports)
    give                  {parameter: quantity or constant}, for names that are not known
    pack                  the folder of the vectors (default: that of this file)
    Returns a Report, which is true if every group holds; raises BadInput.
    """
    if (function is None) == (answers is None):
        raise BadInput("a function and answers are %s; allowed: one of them" % ("missing" if function is None else "both given"))
    for name, value, allowed in (("pairing", pairing, PAIRINGS), ("layout", layout, LAYOUTS), ("tables", tables, ("f32", "dtype"))):
        if value is not None and value not in allowed:
            raise BadInput("%s is %r; allowed: %s" % (name, value, ", ".join(allowed)))
    pack = pack or HERE
    contents = {name: load_topic(pack, name) for name in listed(topic) or (["rope"] if answers is None else topics_of(pack))}
    chosen = [(name, one) for name, content in contents.items() for one in content["groups"]]
    for key, name, asked in (("dtype", "dtype", listed(dtype)), ("id", "group", listed(group))):
        known = sorted({one[key] for _, one in chosen})
        for pattern in asked:
            if not fnmatch.filter(known, pattern):
                raise BadInput("%s is %r; allowed: %s" % (name, pattern, ", ".join(difflib.get_close_matches(pattern, known, 8, 0.5) or known[:8])))
        chosen = [one for one in chosen if not asked or any(fnmatch.fnmatchcase(one[1][key], pattern) for pattern in asked)]
    promises = sorted({rule["promise"] for _, one in chosen for rule in one["accept"]})
    promise = next((one for one in promises if short(one) == promise), promise)
    if promise is not None and promise not in promises:
        raise BadInput("promise is %r; allowed: %s" % (promise, ", ".join(promises)))
    subject = "answers" if function is None else getattr(function, "__name__", "the function")
    report = Report(subject, promise, {name: content["flags"] for name, content in contents.items()})
    if answers is not None:
        judge_answers(report, chosen, listed(group), answers)
        return report
    array_kind, give = arrays_for(function, arrays), give or {}
    row_names = sorted({name for _, one in chosen for name in one.get("row", [])})
    takes_data = any(what == "x" for _, what in parameters_of(function, give, row_names))
    fitting = []
    for name, one in chosen:
        if takes_data == (one["operation"] != "table"):
            fitting.append((name, one))
        else:
            report.leave_out("they are tables, and the function takes data" if takes_data else "the function takes no data: no x", one["id"])
    if takes_data:
        judge_calls(report, Asker(function, array_kind, give, tables), fitting, listed(group), pairing, layout, partial)
    else:
        asker = TableAsker(function, array_kind, give, row_names)
        for name, one in fitting:
            judge_group(report, name, one, lambda of, case: [asker.answer(of, case)])
    return report


class LeftOut(Exception):
    """Why a case is not asked."""


class Missing(Exception):
    """Why a case that was asked has no answer."""


def judge_answers(report, chosen, named, answers):
    known = {case["id"]: case for _, group in chosen for case in group["cases"]}
    for name, text in answers.items():
        if name not in known:
            raise BadInput("the answers have a case %r; allowed: ids of the cases that are judged" % name)
        digits = len(known[name]["expected"])
        if text is not None and not (isinstance(text, str) and re.fullmatch("[0-9a-fA-F]{%d}" % digits, text)):
            given = "%d characters" % len(text) if isinstance(text, str) else "a %s" % type(text).__name__
            raise BadInput("the answer to %s has %s: %.40r; allowed: %d hexadecimal digits and no 0x, or null to decline the case"
                           % (name, given, text, digits))

    def answer(group, case):
        if case["id"] not in answers:
            raise Missing("there is no answer; null declines a case")
        if answers[case["id"]] is None:
            raise LeftOut("declined")
        return [bits_of_text(group["dtype"], answers[case["id"]])]
    for topic, group in chosen:
        if any(case["id"] in answers for case in group["cases"]):
            judge_group(report, topic, group, answer)
        elif group["id"] in named:
            raise BadInput("group is %s, and the answers have none of its cases; allowed: a group of which some are answered" % group["id"])
        else:
            report.leave_out("no case of theirs has an answer", group["id"])


def judge_calls(report, asker, calls, named, pairing, layout, partial):
    """Leaves out what the function is not made for, finds the way to call it, and judges it."""
    def keep(what, reason):
        """Leaves out the groups that were not named and for which reason(group) says why."""
        left = [(topic, group, reason(group) if group["operation"] == "rotate" and group["id"] not in named else None) for topic, group in what]
        for _, group, why in left:
            if why:
                report.leave_out(why, group["id"])
        return [(topic, group) for topic, group, why in left if not why]

    fitting = keep(calls, lambda group: untold(group, asker.told, partial))
    if pairing is not None:
        fitting = keep(fitting, lambda group: None if pairing_of(group) in (pairing, "any") else "--pairing is " + pairing)
    # An example of each pairing: a small head that rotates whole, if there is one.
    examples = {}
    for _, group in sorted(fitting, key=lambda one: (one[1].get("axes", 1), is_partial(one[1]), one[1].get("head_dim", 0))):
        examples.setdefault(pairing_of(group) if group["operation"] == "rotate" else "none", group)
    right = asker.find_way(examples, layout) if examples else None
    if right is None and examples:
        report.notes.append("on a small example the function is wrong, however it is called; the first way in which it gives an array was taken; "
                            "--pairing leaves out the groups of the other pairing")
    elif len(examples) > 1 and right in ("half-split", "interleaved") and not asker.told & (ALL | {"pairing", "pairs", "interleaved", "half_split"}):
        report.notes.append("the function's pairing was found to be %s; say --pairing where it must be" % right)
        fitting = keep(fitting, lambda group: None if pairing_of(group) in (right, "any") else "their pairing is not " + right)
    if asker.way is not None:
        report.called = "%s%s, as %s" % (asker.way.text(asker.told), ", tokens counted from 0" if asker.counts_itself else "", asker.arrays.name)
    if isinstance(asker.arrays, NumPy) and asker.arrays.bfloat16 is None and any(group["dtype"] == "bf16" for _, group in fitting):
        report.notes.append("bfloat16 data are binary32 numbers that are bfloat16 numbers, as ml_dtypes is not installed")

    def answer(group, case):
        x = bits_of_text(group["dtype"], case["x"])
        call = Call(x, case["shape"], case["positions"], case, case.get("backward", False), case.get("unit", False))
        if asker.untold(call):
            raise LeftOut(asker.untold(call))
        return asker.answers(group, call)
    for topic, group in fitting:
        judge_group(report, topic, group, answer)
    report.notes.extend(asker.notes)


def judge_group(report, topic, group, answer):
    """Judges a group by a function from a case to its answers, each a list of bits."""
    verdict = GroupVerdict(topic, group)
    for record in group["cases"]:
        try:
            verdict.add(Case(group, record), answer(group, record))
        except NotImplementedError:
            verdict.leave_out("declined")
        except LeftOut as reason:
            verdict.leave_out(str(reason))
        except BadInput:
            raise
        except Missing as reason:
            verdict.add(Case(group, record), [], str(reason))
        except Exception as error:  # of the function
            verdict.add(Case(group, record), [], "the function raised %s: %s" % (type(error).__name__, error))
    if verdict.asked:
        report.groups.append(verdict)
    else:
        report.leave_out(", ".join(verdict.left_out) + " in all cases", group["id"])


# ---- The command

def function_of(text):
    """The function that FILE.py::NAME names."""
    path, separator, name = text.rpartition("::")
    if not separator or not path.endswith(".py"):
        raise BadInput("the function is %r; allowed: FILE.py::NAME" % text)
    if not os.path.exists(path):
        raise BadInput("the function's file is %r, which does not exist" % path)
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-len(".py")], path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BadInput("the function's file is %s, which raises %s: %s" % (path, type(error).__name__, error))
    function = module
    for part in name.split("."):
        if not hasattr(function, part):
            known = sorted(key for key, value in vars(module).items() if callable(value))
            raise BadInput("the function is %r of %s; allowed: %s" % (name, path, ", ".join(known) or "nothing there"))
        function = getattr(function, part)
    return function


def answers_of(path):
    try:
        with (sys.stdin if path == "-" else open(path, encoding="utf-8")) as file:
            answers = json.load(file)
    except (OSError, ValueError) as error:
        raise BadInput("answers is %r: %s" % (path, error))
    if not isinstance(answers, dict):
        raise BadInput("answers in %s are a %s; allowed: an object {case id: hexadecimal digits}" % (path, type(answers).__name__))
    return answers


def main(arguments=None):
    words, _, rest = __doc__.partition("\n\n")
    parser = argparse.ArgumentParser(description=words, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("function", nargs="?", metavar="FILE.py::NAME", help="the function")
    parser.add_argument("--answers", metavar="FILE.json", help="answers instead: {case id: hexadecimal digits}; - is standard input")
    parser.add_argument("--topic", action="append", metavar="NAME", help="a topic, the name of a JSON file (default: rope; of answers: all)")
    parser.add_argument("--dtype", action="append", choices=sorted(FORMATS), help="groups of this format alone")
    parser.add_argument("--group", action="append", metavar="ID", help="this group alone; * and ? are wildcards")
    parser.add_argument("--promise", metavar="NAME", help="the promise that every group must keep (default: any)")
    parser.add_argument("--pairing", choices=PAIRINGS, help="groups of this pairing alone")
    parser.add_argument("--layout", choices=LAYOUTS, help="the shape of x: batch, tokens, heads, head_dim (default: found out)")
    parser.add_argument("--partial", action="store_true", help="ask heads of which some channels pass through, though inv_freq or cos alone tell it")
    parser.add_argument("--tables", choices=("f32", "dtype"), default="f32", help="format of cos and sin: binary32, or that of the data")
    parser.add_argument("--arrays", choices=("numpy", "torch", "lists"), help="what the function is given")
    parser.add_argument("--give", action="append", default=[], metavar="NAME=WHAT", help="what a parameter gets: a quantity's name or a constant")
    parser.add_argument("--pack", default=HERE, metavar="DIR", help="the folder of the vectors (default: that of this file)")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--list", action="store_true", help="print the topics, groups and promises, and judge nothing")
    options = parser.parse_args(arguments)
    try:
        if options.list:
            for topic in listed(options.topic) or topics_of(options.pack):
                for group in load_topic(options.pack, topic)["groups"]:
                    print("%s  %s  %d cases  %s" % (topic, group["id"], len(group["cases"]), " ".join(rule["promise"] for rule in group["accept"])))
            return 0
        if any("=" not in one for one in options.give):
            raise BadInput("give is %r; allowed: NAME=WHAT" % next(one for one in options.give if "=" not in one))
        function = function_of(options.function) if options.function else None
        answers = answers_of(options.answers) if options.answers else None
        report = check(function, answers=answers, topic=options.topic, dtype=options.dtype, group=options.group, promise=options.promise,
                       pairing=options.pairing, layout=options.layout, partial=options.partial, tables=options.tables, arrays=options.arrays,
                       give=dict(one.split("=", 1) for one in options.give), pack=options.pack)
        report.subject = options.function or options.answers
        print(json.dumps(report.record(), indent=1) if options.json else report)
        return report.exit_status
    except BadInput as error:
        print("check_vectors.py: %s" % error, file=sys.stderr)
    except Exception:  # status 1 says that a group fails
        traceback.print_exc()
    return 2


if __name__ == "__main__":
    sys.exit(main())
