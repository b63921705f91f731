#!/usr/bin/env python3
"""Tables of images and videos as engines make them in binary32: judged, and the mistakes in them named.

The formulas are those of grids_test.py, run in binary32: coordinates, frequencies, angles, cosines and sines.  The
promise hf holds of every such table, by the bounds of proofs/kernel/rotation_bound.md.  A table with one mistake
breaks it, and the mistake is named.

    ROPEWALK_COMMAND=/path/to/ropewalk python3 axes_arrays_test.py          one case of each class, and the mistakes
    ROPEWALK_COMMAND=/path/to/ropewalk python3 axes_arrays_test.py --all    every case of grids_test.py
"""

import contextlib
import json
import math
import os
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import grids_test as grids  # ends with 77 where numpy is missing
import numpy as np

COMMAND = shlex.split(os.environ.get("ROPEWALK_COMMAND", ""))
MOST_ENTRIES = 200000
failures = []


def check(condition, what):
    if not condition:
        failures.append(what)
        print("FAILED " + what, file=sys.stderr)


@contextlib.contextmanager
def replaced(**names):
    """Other values of names of grids_test: its numbers, or a formula with a mistake."""
    kept = {name: getattr(grids, name) for name in names}
    for name, value in names.items():
        setattr(grids, name, value)
    try:
        yield
    finally:
        for name, value in kept.items():
            setattr(grids, name, value)


def in_format(of):
    return replaced(real=of, PI=of(np.pi))


def in_binary32():
    return in_format(np.float32)


def table_of(angles, amplitude, of=np.float32):
    cos, sin = np.cos(angles), np.sin(angles)
    if of == np.float64:  # NumPy's own are off by two ulp on some processors, the C library's by less than one
        cos, sin = np.vectorize(math.cos)(angles), np.vectorize(math.sin)(angles)
    return np.ascontiguousarray(np.concatenate([amplitude * cos, amplitude * sin], axis=1), dtype=of)


def formed_table(angles_of, of):
    with in_format(of):
        angles, amplitude = grids.angles_and_amplitude(angles_of)
        assert angles.dtype == of, angles.dtype
        return table_of(angles, amplitude, of)


def verified(config, options, table, promise="hf"):
    """Exit code, the report's text, and the line of its cause."""
    with tempfile.TemporaryDirectory() as folder:
        config_file, array_file = os.path.join(folder, "config.json"), os.path.join(folder, "rope.npy")
        with open(config_file, "w", encoding="utf-8") as stream:
            json.dump(config, stream)
        np.save(array_file, table)
        arguments = ["verify", "--table", array_file, "--as", "cos-sin", "--layout", "vllm", "--promise", promise,
                     "--config", config_file] + options
        result = subprocess.run(COMMAND + arguments, capture_output=True, text=True, check=False)
    text = result.stdout + result.stderr
    causes = [line for line in text.splitlines() if line.startswith("cause: ")]
    return result.returncode, text, causes[0] if causes else ""


def observed_share(text):
    """Largest error over its bound, of the law `accuracy`."""
    line = [one.split() for one in text.splitlines() if " accuracy " in one][0]
    return float(line[4]) / float(line[5])


def honest_tables_hold(cases):
    """In binary32 under hf; in binary64, stored so, under the promise of each part in binary64."""
    shares = {}
    for name, config, options, angles_of in cases:
        code, text, cause = verified(config, options, formed_table(angles_of, np.float64), "frequency=f64,angle=f64,table=f64")
        check(code == 0, "%s in binary64: exit code %d, %s" % (name, code, cause or text[:300]))
        if code == 0:
            shares["in binary64"] = max(shares.get("in binary64", 0), observed_share(text))
        code, text, cause = verified(config, options, formed_table(angles_of, np.float32))
        check(code == 0, "%s in binary32: exit code %d, %s" % (name, code, cause or text[:300]))
        if code == 0:
            of_class = name.split()[0]
            shares[of_class] = max(shares.get(of_class, 0), observed_share(text))
    for of_class, share in sorted(shares.items()):
        print("%-44s %.2f of the bound" % (of_class, share))
    print("%d tables in binary32 keep the promise hf, and in binary64 that of binary64" % len(cases))


# ---- tables with one mistake ----


def with_base(base):
    right = grids.own_frequencies
    return replaced(own_frequencies=lambda _, width: right(base, width))


def reversed_frequencies():
    right = grids.own_frequencies
    return replaced(own_frequencies=lambda base, width: right(base, width)[::-1])


def to_the_end():
    def frequencies(base, width):
        pair = np.arange(width // 2).astype(grids.real)
        return grids.real(base) ** (-pair / grids.real(width // 2 - 1))
    return replaced(own_frequencies=frequencies)


def with_indices(change):
    right = grids.grid_indices
    return replaced(grid_indices=lambda *sizes: change(right(*sizes)).astype(grids.real))


def with_coordinates(change):
    """`change` of a number of an axis, before it is multiplied by the frequencies."""
    right = grids.axis_angles
    return replaced(axis_angles=lambda coordinates, frequencies: right(
        change(np.asarray(coordinates)).astype(grids.real), frequencies))


def exchanged(a, b):
    def change(indices):
        order = list(range(len(indices)))
        order[a], order[b] = order[b], order[a]
        return indices[order]
    return with_indices(change)


def in_bfloat16(numbers):
    bits = np.ascontiguousarray(numbers, dtype=np.float32).view(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
    return rounded.view(np.float32)


def mistakes():
    """The class and the request of a case, the mistake, and words of its cause."""
    wan, gemma = "WanTransformer3DModel", "gemma4_vision"
    dino, ltx = "dinov3_vit", "LTXVideoTransformer3DModel"
    kandinsky = "Kandinsky5Transformer3DModel"
    yield wan, "--grid 5x7x9", with_base(256), "every axis has the base 256"
    yield wan, "--grid 5x7x9", reversed_frequencies(), "the frequencies of each axis fall where they rise"
    yield wan, "--grid 5x7x9", to_the_end(), "the exponents are k / (n - 1) in place of k / n"
    yield wan, "--grid 5x7x9", replaced(wan_widths=lambda _: (42, 42, 44)), "the widths of the axes are in the opposite"
    yield wan, "--grid 5x7x9", exchanged(0, 1), "the first two axes are exchanged"
    yield wan, "--grid 5x7x9", exchanged(1, 2), "the last two axes are exchanged"
    yield wan, "--grid 5x7x9", exchanged(0, 2), "the first and the last axis are exchanged"
    yield wan, "--grid 5x7x9", with_indices(lambda at: at + 1), "off by one"
    yield wan, "--grid 5x7x9", with_indices(lambda at: at + 0.5), "half a step after it"
    yield wan, "--grid 5x7x9", with_indices(lambda at: 0 * at + at[0]), "the first axis turns every pair"
    yield gemma, "--grid 5x9", with_base(10000), "every axis has the base 10000"
    yield gemma, "--grid 5x9", exchanged(1, 2), "the last two axes are exchanged"
    yield dino, "--grid 5x9", exchanged(1, 2), None  # of other sizes: rows are divided by the number of columns
    yield dino, "--grid 5x9", replaced(PI=np.float32(0.5)), "the factor pi is missing"
    yield dino, "--grid 5x9", with_coordinates(in_bfloat16), "coordinates pass through bfloat16"
    yield dino, "--grid 5x9", with_coordinates(np.negative), "every pair is turned the other way"
    yield dino, "--grid 5x9", with_indices(lambda at: at - 0.5), "every index is one step too far back"
    yield ltx, "--grid 3x5x7 --fps 24 (configuration 2)", with_coordinates(np.rint), "coordinates are rounded to whole numbers"
    yield ltx, "--grid 3x5x7 --fps 24 (configuration 2)", with_coordinates(in_bfloat16), "coordinates pass through bfloat16"
    yield kandinsky, "--grid 3x5x7", with_indices(lambda at: at * [[1], [3.16], [3.16]]), "the scaling rule is not applied"


def with_coordinate_rows(change):
    """`change` of the coordinates of all tokens, [axes, tokens]."""
    def changed(right):
        return lambda coordinates, *others: right(change(np.array(coordinates)).astype(grids.real), *others)
    return replaced(angles_in_runs=changed(grids.angles_in_runs), angles_modulo_three=changed(grids.angles_modulo_three))


def moved(axes, by, tokens=slice(None)):
    def change(coordinates):
        coordinates[axes, tokens] += by
        return coordinates
    return with_coordinate_rows(change)


def standing_at(axes, place, tokens):
    def change(coordinates):
        coordinates[axes, tokens] = place
        return coordinates
    return with_coordinate_rows(change)


def with_indices_at_24():
    """Frames of any rate, counted as those of 24 a second."""
    return with_coordinate_rows(lambda coordinates: np.stack([np.rint(coordinates[0] / 0.8), *coordinates[1:]]))


def with_bases(change):
    right = grids.angles_in_runs
    return replaced(angles_in_runs=lambda coordinates, widths, bases: right(coordinates, widths, change(bases)))


def with_axis_factor(factor):
    right = grids.angles_and_amplitude

    def changed(angles_of):
        angles, amplitude = right(angles_of)
        return angles, np.float32(amplitude * np.float32(factor))
    return replaced(angles_and_amplitude=changed)


def with_one_entry_off():
    """An angle off by what bfloat16 hides and binary32 does not."""
    def change(angles):
        angles[4, 8] += np.float32(1e-4)
        return angles
    return with_axis_frequencies(1, change)


def in_larger_steps(coordinates):
    """Columns of a crop, whose end is not left out, as NumPy's linspace has it by default: 12 17 22 27 for 12 16 20 24."""
    coordinates[2] = 12 + (coordinates[2] - 12) * 5 / 4
    return coordinates


def in_order(*tokens_in_order):
    """The tokens of an array of their numbers, in its order."""
    order = np.concatenate([np.ravel(tokens) for tokens in tokens_in_order])
    return with_coordinate_rows(lambda coordinates: coordinates[:, order])


def numbers(*sizes, first=0):
    return first + np.arange(int(np.prod(sizes))).reshape(sizes)


def with_axis_frequencies(axis, change):
    right = grids.angles_in_runs

    def angles(coordinates, widths, bases):
        of = right(coordinates, widths, bases)
        begin = sum(widths[:axis]) // 2
        of[:, begin:begin + widths[axis] // 2] = change(of[:, begin:begin + widths[axis] // 2])
        return of.astype(grids.real)
    return replaced(angles_in_runs=angles)


def last_pair_still(angles):
    angles[:, -1] = 0
    return angles


def misplaced_tokens():
    """Mistakes that move tokens, or that only the array's own angles tell."""
    wan, flux, ideogram = "WanTransformer3DModel", "FluxTransformer2DModel", "Ideogram4Transformer2DModel"
    qwen, cosmos = "QwenImageTransformer2DModel", "CosmosTransformer3DModel"
    video = "--grid 5x7x9"
    yield wan, video, in_order(numbers(5, 7, 9).transpose(0, 2, 1)), "come first along axis 1, then along axis 2, then along axis 0"
    yield wan, video, in_order(numbers(5, 7, 9).transpose(1, 2, 0)), "come first along axis 0, then along axis 2, then along axis 1"
    yield wan, video, in_order(numbers(5, 7, 9)[:, ::-1]), "are counted from the other end of axis 1"
    other_sides = grids.grid_indices(5, 9, 7)
    yield wan, video, with_indices(lambda at: other_sides), "5x7x9 is taken for 5x9x7"
    yield wan, video, in_order(numbers(315)[::-1]), "the tokens come in the opposite order"
    yield wan, video, in_order(np.roll(numbers(315), 1)), "every row has the token of the row before"
    yield wan, video, moved(0, 1), "all tokens of the picture stand 1 too high on axis 0"
    yield wan, video, moved([1, 2], -3), "all tokens of the picture stand 3 too low on axes 1 and 2"
    yield wan, video, with_base(300), "every axis has the base 300"
    yield wan, video, replaced(wan_widths=lambda _: (42, 44, 42)), "the axes have 21, 22, 21 pairs, where 22, 21, 21 are right"
    yield wan, video, with_axis_frequencies(1, lambda of: of * 1.5), "stand from 0 on in steps of 1.5, where 0 and steps of 1 are right, on axis 1"
    yield wan, video, with_axis_frequencies(2, last_pair_still), "pair 63 of axis 2; by its angles, its frequency is 0: nothing turns"
    yield wan, video, in_order(np.random.default_rng(1).permutation(315)), "by its angles, token"
    yield flux, "--grid 5x7 --text 3 --reference 6x4", moved(0, -1, slice(38, 62)), "all tokens of reference 1 stand 1 too low on axis 0"
    yield flux, "--grid 5x7 --text 3 --reference 6x4", moved(2, 7, slice(38, 62)), "all tokens of reference 1 stand 7 too high on axis 2"
    yield ideogram, "--grid 4x7 --text 6", moved([0, 1, 2], -1, slice(6, 34)), "all tokens of the picture stand 1 too low on axes 0, 1 and 2"
    yield qwen, "--grid 5x9 --text 4", moved([0, 1, 2], 5, slice(0, 4)), "all tokens of the text stand 5 too high on axes 0, 1 and 2"
    yield qwen, "--grid 5x9 --text 4", moved(1, 3, slice(4, 49)), "all tokens of the picture stand 3 too high on axis 1"
    yield qwen, "--grid 5x7 --text 3 --reference 6x4", moved(0, -1, slice(38, 62)), "all tokens of reference 1 stand 1 too low on axis 0"
    yield cosmos, "--grid 3x5x4 --fps 24", moved(0, np.repeat(np.arange(3), 20)), "stand from 0 on in steps of 2, where 0 and steps of 1 are right, on axis 0"
    yield cosmos, "--grid 16x1x2 --fps 30", with_indices_at_24(), "the frame rate is not read"
    yield wan, "--grid 1x6x11", with_base(3000), "every axis has the base 3000"  # of one frame: nothing turns on axis 0
    yield wan, video, with_axis_factor(1.5), "every cosine and sine is multiplied by 1.5"
    yield cosmos, "--grid 3x5x7", with_one_entry_off(), "not explained by any known mistake; the wrong entries have in common: token 4; pair 30 of axis 1"
    yield cosmos, "--grid 3x5x7", with_bases(lambda bases: [20000, *bases[1:]]), "axis 0 has the base 20000"
    yield ("EasyAnimateTransformer3DModel", "--grid 2x6x4", with_coordinate_rows(in_larger_steps),
           "all tokens of the picture stand from 12 on in steps of 5, where 12 and steps of 4 are right, on axis 2")
    text, picture = numbers(7), numbers(24, first=7)
    yield flux, "--grid 6x4 --text 7", in_order(picture, text), "come in the order the picture, the text, where the text, the picture is right"
    yield flux, "--grid 6x4 --text 7", moved(2, np.arange(7), slice(0, 7)), "all tokens of the text are counted one by one from 0 on axis 2"
    yield flux, "--grid 6x4 --text 7", standing_at([0, 1], 4, slice(0, 7)), "all tokens of the text stand 4 too high on axes 0 and 1"


def mistakes_are_named():
    named = 0
    for of_class, request, mistake, words in list(mistakes()) + list(misplaced_tokens()):
        found = [case for case in grids.CASES if case[0] == of_class + " " + request]
        if not found:
            check(False, "grids_test.py has no case %s %s" % (of_class, request))
            continue
        _, config, options, angles_of = found[0]
        with in_binary32(), mistake:
            angles, amplitude = grids.angles_and_amplitude(angles_of)
            table = table_of(angles, amplitude)
        code, text, cause = verified(config, options, table)
        check(code == 1, "%s %s, %s: exit code %d, %s" % (of_class, request, words, code, text[:300]))
        if words is not None:
            check(words in cause, "%s %s: %r is expected, and %r was said" % (of_class, request, words, cause))
            named += words in cause
    print("%d mistakes are named" % named)


def coordinates_have_a_part():
    """Centres of patches through bfloat16 keep a promise that says so, and break those that do not."""
    (_, config, options, angles_of), = [case for case in grids.CASES if case[0] == "dinov3_vit --grid 5x9"]
    with in_binary32(), with_coordinates(in_bfloat16):
        angles, amplitude = grids.angles_and_amplitude(angles_of)
        table = table_of(angles, amplitude)
    rest = "frequency=f32,angle=f32,table=f32"
    for promise, expected in (("coordinate=bf16," + rest, 0), (rest, 1), ("coordinate=f32," + rest, 1)):
        code, text, _ = verified(config, options, table, promise)
        check(code == expected, "bfloat16's centres under %s: exit code %d, %s" % (promise, code, text[:500]))
    code, text, _ = verified(config, options, -table, "coordinate=bf16," + rest)
    check(code == 1 and "--promise coordinate=bf16," + rest in text, "half a turn off: %d, %s" % (code, text[:900]))


def real_positions_are_judged():
    """Times of one axis that are no whole numbers: formed in binary32, and rounded to whole ones first."""
    times = np.array([0.25, 3.5, 0.0, 17.75, -2.5, 1000.125])
    frequencies = (1 / np.float32(10000) ** (np.arange(0, 64, 2, dtype=np.float32) / np.float32(64))).astype(np.float32)
    for taken, words in ((times, ""), (np.rint(times), "rounded to whole numbers, and centres between two to even")):
        angles = taken.astype(np.float32)[:, None] * frequencies
        with tempfile.TemporaryDirectory() as folder:
            times_file, array_file = os.path.join(folder, "times.npy"), os.path.join(folder, "rope.npy")
            np.save(times_file, times)
            np.save(array_file, table_of(angles, np.float32(1)))
            arguments = ["verify", "--table", array_file, "--as", "cos-sin", "--layout", "vllm", "--base", "10000",
                         "--head-dim", "64", "--positions-f64", times_file, "--promise", "hf"]
            result = subprocess.run(COMMAND + arguments, capture_output=True, text=True, check=False)
        check(result.returncode == (1 if words else 0), "real positions: " + result.stdout + result.stderr)
        check(words in result.stdout, "real positions: %r is expected: %s" % (words, result.stdout))


def first_of_each_class():
    seen = set()
    for case in grids.CASES:
        name, _, options, angles_of = case
        if name.split()[0] in seen or not any(option.startswith("--grid") for option in options):
            continue
        if grids.angles_and_amplitude(angles_of)[0].size <= MOST_ENTRIES // 8:
            seen.add(name.split()[0])
            yield case


def main():
    every = [case for case in grids.CASES if grids.angles_and_amplitude(case[3])[0].size <= MOST_ENTRIES]
    honest_tables_hold(every if "--all" in sys.argv else list(first_of_each_class()))
    mistakes_are_named()
    coordinates_have_a_part()
    real_positions_are_judged()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
