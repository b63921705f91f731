"""Kernels of each promise in NumPy, as engines write them, judged by the pack's rules of acceptance as its README says them.

A number of any format is kept as the binary64 number that it is: products of two binary32 numbers are exact there, and sums, rounded again, are those
of binary32.
"""

import collections

import gmpy2
import numpy
from exact_numbers import FORMATS, base_of, rounded

REPEATED = "frequency=repeated,angle=f32,table=f32,rotation=f32,fused"
ORDER = ["canonical", "rounded-table", "dtype-table", "angle-f64", "angle-f32", REPEATED, "hf"]  # as the pack's README has them
SHORT = {REPEATED: "repeated"}
BINARY32_DIGITS = FORMATS["f32"].precision


def nearest(values, name):
    """Binary64 numbers rounded to a format, ties to even."""
    values = numpy.asarray(values, "f8")
    if name == "f64":
        return values
    if name != "bf16":
        return values.astype({"f32": "f4", "f16": "f2"}[name]).astype("f8")
    form = FORMATS[name]
    _, exponents = numpy.frexp(values)
    units = numpy.maximum(exponents - form.precision, form.lowest)
    result = numpy.ldexp(numpy.rint(numpy.ldexp(values, -units)), units)
    result = numpy.where(abs(result) < 2.0**128, result, numpy.copysign(numpy.inf, values))
    return numpy.where(numpy.isfinite(values), result, values)


def f32(values):
    return nearest(values, "f32")


def number(compute, name="f64"):
    """A number of MPFR's, rounded once."""
    form = FORMATS[name]
    return float(numpy.array([rounded(compute, form)], f"u{form.width // 8}").view(f"f{form.width // 8}")[0])


class Numbers:
    """What kernels know of a rotation: its frequencies and its attention factor, which they may form themselves."""

    def __init__(self, rotation):
        self.rotation = rotation
        pairs = range(rotation.pairs)
        self.inv_freq = numpy.array([number(lambda: rotation.inv_freq(pair)) for pair in pairs])
        self.factor = number(rotation.factor)
        with gmpy2.local_context(precision=BINARY32_DIGITS):  # where each of the formulas' operations is binary32's
            self.formed_inv_freq = numpy.array([float(rotation.inv_freq(pair)) for pair in pairs])
            self.make_chains()

    def make_chains(self):
        """Of each pair the number that leads from pair to pair, how often it is taken, and what then divides; as llama.cpp has them."""
        rotation, axes = self.rotation, self.rotation.axes
        steps, self.index, divisors = [], [], []
        for pair, (axis, index) in enumerate(axes.place):
            form = axes.axes[axis]
            if axes.frequencies == "own":
                pairs, rule = form["pairs"], form.get("scaling", {"rope_type": "default"})
            else:
                pairs, rule = rotation.pairs, rotation.rule
                if index is not None:
                    index = pair - axes.still if axes.frequencies == "shared" else len(axes.axes) * index + axis
            base = base_of(rotation.base, pairs, rule, rotation.seq_len)
            frequency = rotation.inv_freq(pair)
            is_still = index is None or frequency == 0
            steps.append(float(1 / gmpy2.mpfr(base)**(gmpy2.mpfr(1) / pairs)))
            self.index.append(0 if is_still else index)
            with gmpy2.local_context(precision=2 * BINARY32_DIGITS):
                plain = 1 / gmpy2.mpfr(base)**(gmpy2.mpfr(index or 0) / pairs)
                divisor = gmpy2.inf() if is_still else plain / rotation.inv_freq(pair)
            divisors.append(float(gmpy2.mpfr(divisor)))
        self.steps, self.index, self.divisors = numpy.array(steps), numpy.array(self.index), numpy.array(divisors)

    def chained(self, first):
        """Each pair's angle from that of the pair before; `first` is the position, [tokens, pairs]."""
        result = f32(first)
        for done in range(self.index.max()):
            result = numpy.where(self.index > done, f32(result * self.steps), result)
        return f32(result / self.divisors)

    def frequencies(self, promise):
        return self.formed_inv_freq if promise == "hf" else self.chained(numpy.ones(self.rotation.pairs))

    def rounded_entries(self, positions, name, is_unit):
        """Cosines and sines rounded once to a format."""
        form, entry = FORMATS[name], self.rotation.entry
        bits = [[[entry(position, pair, is_sine, form, is_unit) for pair, position in enumerate(row)] for row in positions] for is_sine in (0, 1)]
        if name == "bf16":
            return (numpy.array(bits, "u4") << 16).view("f4").astype("f8")
        return numpy.array(bits, f"u{form.width // 8}").view(f"f{form.width // 8}").astype("f8")

    def entries(self, promise, positions, dtype, is_unit):
        """Cosines and sines as a kernel of the promise has them, [tokens, pairs]; positions as well."""
        if promise in ("rounded-table", "dtype-table"):
            return self.rounded_entries(positions, "f32" if promise == "rounded-table" else dtype, is_unit)
        places = numpy.array(positions, "f8")
        name = "f64" if promise == "angle-f64" else "f32"
        if promise == REPEATED:
            angles = self.chained(places)
        else:
            frequencies = self.formed_inv_freq if promise == "hf" else nearest(self.inv_freq, name)
            angles = nearest(nearest(places, name) * frequencies, name)
        factor = nearest(1.0 if is_unit else self.factor, name)
        results = (nearest(nearest(function(angles), name) * factor, name) for function in (numpy.cos, numpy.sin))
        return [nearest(result, dtype if promise == "hf" else "f32") for result in results]


def rotate(first, second, cos, sin, name, is_fused):
    """Each pair turned, with every product and sum rounded; fused, with one product and the sum rounded at once."""
    rounds = (lambda values: values) if is_fused else (lambda values: nearest(values, name))
    return (nearest(rounds(first * cos) - nearest(second * sin, name), name), nearest(rounds(first * sin) + nearest(second * cos, name), name))


def is_kept_beyond_finite(results, expected):
    """Numbers that are finite in `expected` are finite, and infinities the same."""
    return numpy.where(numpy.isfinite(expected), numpy.isfinite(results), numpy.isnan(expected) | (results == expected))


def pairs_in_bounds(results, expected, inputs, allowed):
    """For each pair whether its result is within `allowed` of the expected one, or, where an element is not finite, as a rule has it."""
    distance = numpy.hypot(results[0] - expected[0], results[1] - expected[1])
    is_finite = numpy.isfinite(inputs[0]) & numpy.isfinite(inputs[1]) & numpy.isfinite(expected[0]) & numpy.isfinite(expected[1])
    beyond = is_kept_beyond_finite(results[0], expected[0]) & is_kept_beyond_finite(results[1], expected[1])
    return numpy.where(is_finite, distance <= allowed, beyond)


def has_equal_bits(results, expected):
    same = (results == expected) & (numpy.signbit(results) == numpy.signbit(expected))
    return bool((same | (numpy.isnan(results) & numpy.isnan(expected))).all())


class Judge:
    def __init__(self):
        self.numbers = {}
        self.judged = collections.Counter()  # of a kernel and a rule: cases
        self.broken = collections.defaultdict(list)  # ids of cases

    def numbers_of(self, rotation):
        if id(rotation) not in self.numbers:
            self.numbers[id(rotation)] = Numbers(rotation)
        return self.numbers[id(rotation)]

    def settle(self, kernel, rule, case, keeps):
        key = (kernel, rule["promise"] if rule["rule"] == "distance" else "canonical")
        self.judged[key] += 1
        if not keeps:
            self.broken[key].append(case["id"])

    def rotation(self, group, case, rotation, x, expected, channels, channels_out):
        numbers, dtype = self.numbers_of(rotation), group["dtype"]
        positions = [[token[axis] for axis in rotation.axes.of_pair] for token in zip(*case["positions"])]
        places = abs(numpy.array(positions, "f8"))[:, None, :]
        inputs = [x[..., at] for at in channels]
        outputs = [expected[..., at] for at in channels_out]
        size = numpy.hypot(*inputs)
        for kernel in [rule["promise"] for rule in group["accept"] if rule["rule"] == "distance"]:
            cos, sin = (entries[:, None, :] for entries in numbers.entries(kernel, positions, dtype, case.get("unit", False)))
            if case.get("backward"):
                sin = -sin
            name = "f64" if dtype == "f64" else dtype if kernel in ("dtype-table", "hf") else "f32"
            is_fused = name == "f32" and kernel != "hf"
            results = [nearest(one, dtype) for one in rotate(*inputs, cos, sin, name, is_fused)]
            for rule in group["accept"]:
                if rule["rule"] == "bits":
                    self.settle(kernel, rule, case, all(map(has_equal_bits, results, outputs)))
                    continue
                allowed = (rule["relative"] + numpy.array(rule.get("per_position", 0.0)) * places) * size + rule["absolute"]
                self.settle(kernel, rule, case, pairs_in_bounds(results, outputs, inputs, allowed).all())

    def addition(self, group, case, x, expected, added):
        dtype = group["dtype"]
        for kernel in [rule["promise"] for rule in group["accept"] if rule["rule"] == "distance"]:
            name = dtype if kernel == "dtype-table" or dtype == "f64" else "f32"
            result = nearest(nearest(x + nearest(added, name), name), dtype)
            for rule in group["accept"]:
                if rule["rule"] == "bits":
                    self.settle(kernel, rule, case, has_equal_bits(result, expected))
                    continue
                allowed = rule["relative"] * (abs(x) + abs(added)) + rule["absolute"]
                keeps = numpy.where(numpy.isfinite(x), abs(result - expected) <= allowed, is_kept_beyond_finite(result, expected))
                self.settle(kernel, rule, case, keeps.all())

    def table(self, group, case, rotation, expected):
        numbers, dtype = self.numbers_of(rotation), group["dtype"]
        for kernel in [rule["promise"] for rule in group["accept"] if rule["rule"] == "distance"]:
            if group["table"] == "inv-freq":
                results = nearest(numbers.frequencies(kernel), dtype)[case["rows"]]
            else:
                positions = [[row] * rotation.pairs for row in case["rows"]]
                places = abs(numpy.array(positions, "f8"))
                results = nearest(numpy.concatenate(numbers.entries(kernel, positions, dtype, False), axis=1), dtype)
                expected = expected.reshape(results.shape)
                cosines, sines = numpy.array(group["pairs"]).T
            for rule in group["accept"]:
                if rule["rule"] == "bits":
                    self.settle(kernel, rule, case, has_equal_bits(results, expected))
                elif group["table"] == "inv-freq":
                    self.settle(kernel, rule, case, (abs(results - expected) <= rule["relative"] * abs(expected) + rule["absolute"]).all())
                else:
                    allowed = rule["relative"] + numpy.array(rule.get("per_position", 0.0)) * places
                    distance = numpy.hypot(results[:, cosines] - expected[:, cosines], results[:, sines] - expected[:, sines])
                    self.settle(kernel, rule, case, (distance <= allowed).all())

    def report(self, require):
        """Each kernel keeps its own rule in every case, and breaks every stricter one in some."""
        print("cases in which a simulated kernel (a line each) breaks a rule (a column each):")
        print(" " * 14 + "".join(f"{SHORT.get(rule, rule):>14}" for rule in ORDER))
        for kernel in ORDER[1:]:
            told = [f"{len(self.broken[kernel, rule])}/{self.judged[kernel, rule]}" for rule in ORDER]
            print(f"{SHORT.get(kernel, kernel):14}" + "".join(f"{one:>14}" for one in told))
            require(self.judged[kernel, kernel] > 0, f"no case has the rule of {kernel}")
            broken = self.broken[kernel, kernel]
            require(not broken, f"a kernel of {kernel} breaks its own rule in {len(broken)} cases: {', '.join(broken[:5])}")
            for rule in ORDER[:ORDER.index(kernel)]:
                require(bool(self.broken[kernel, rule]), f"no case tells a kernel of {kernel} from the rule of {rule}")
