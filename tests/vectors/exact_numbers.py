"""Positional encodings in MPFR's numbers, by the formulas of their papers, and their rounding to floating-point formats.

Nothing here is shared with the code that makes the pack. Numbers of a configuration are exact; all else has the precision of gmpy2's context, and
`rounded` raises it until the nearest number of a format is decided.
"""

import fractions

import gmpy2
from gmpy2 import mpfr

PRECISIONS = (320, 2560)  # bits
DECIDING_BITS = (60, 2400)  # a value 2^-60 of an ulp from a tie, or nearer, is computed again; 2^-2400 from it, it is a tie


class Unknown(Exception):
    """The pack asks for a thing that has no formula here."""


def known(record, keys, what):
    """The record, whose keys must all be known: another number would go unused."""
    strangers = sorted(set(record) - set(keys))
    if strangers:
        raise Unknown(f"{what} has {', '.join(strangers)}, for which there is no formula here")
    return record


class Format:
    def __init__(self, name, precision, exponent_bits):
        self.name, self.precision, self.width = name, precision, precision + exponent_bits
        self.lowest = 3 - (1 << exponent_bits - 1) - precision  # exponent of the smallest subnormal number
        self.infinity = (1 << exponent_bits) - 1 << precision - 1
        self.sign = 1 << self.width - 1

    def is_nan(self, bits):
        return bits & self.sign - 1 > self.infinity


FORMATS = {one.name: one for one in (Format("f64", 53, 11), Format("f32", 24, 8), Format("f16", 11, 5), Format("bf16", 8, 8))}


ties = []  # values that lie halfway between two numbers of a format


def split(value, form):
    """The size of a value as units of a format's last bit, and the rest, in units of 2^-shift of such a bit."""
    mantissa, exponent = value.as_mantissa_exp()
    size, exponent = abs(int(mantissa)), int(exponent)
    unit = max(exponent + size.bit_length() - form.precision, form.lowest)
    shift = max(unit - exponent, 1)
    size <<= max(exponent + shift - unit, 0)
    return unit, size >> shift, size & (1 << shift) - 1, shift


def distance_from_tie(value, form):
    """In units of a format's last bit: 1/2 at most."""
    _, _, rest, shift = split(value, form)
    return fractions.Fraction(abs(2 * rest - (1 << shift)), 2 << shift)


def nearest(value, form, deciding_bits, is_last):
    """Bits of the nearest number, ties to even, subnormal ones included; None where the value is too close to a tie. In the last precision such a
    value is a tie."""
    if not gmpy2.is_finite(value):
        raise Unknown(f"a value is {value}")
    if value == 0:
        return 0
    unit, quotient, rest, shift = split(value, form)
    beyond = 2 * rest - (1 << shift)
    if abs(beyond) << deciding_bits < 1 << shift:
        if not is_last:
            return None
        ties.append(value)
        beyond = 0
    quotient += beyond > 0 or (beyond == 0 and quotient % 2)
    # The next binade's first number follows on the last one's bits, infinity on those of the largest number.
    return (form.sign if value < 0 else 0) | min((unit - form.lowest << form.precision - 1) + quotient, form.infinity)


def rounded(compute, form):
    """The value that `compute` gives in the context's precision, rounded once."""
    for precision, deciding_bits in zip(PRECISIONS, DECIDING_BITS):
        gmpy2.get_context().precision = precision
        bits = nearest(compute(), form, deciding_bits, precision == PRECISIONS[-1])
        if bits is not None:
            return bits


def once_per_precision(function):
    """Keeps a method's results, as long as the precision stays."""
    name = "_" + function.__name__

    def kept(self):
        results = self.__dict__.setdefault(name, {})
        precision = gmpy2.get_context().precision
        if precision not in results:
            results[precision] = function(self)
        return results[precision]

    return kept


def ratio(value):
    """A number, or a fraction of two numbers as text."""
    if not isinstance(value, str):
        return mpfr(value)
    above, _, below = value.partition("/")
    return mpfr(float(above)) / mpfr(float(below or 1))


# Frequencies. "pairs" is half the rotary dimension; pair i of the base b has b^(-i / pairs). In a precision of 24 bits the formulas are those of a
# kernel that forms frequencies in binary32, which takes a few numbers from binary64, as Hugging Face transformers does.


def in_binary64_at_least(function):
    def finer(*arguments):
        precision = gmpy2.get_context().precision
        with gmpy2.local_context(precision=max(precision, 53)):
            result = function(*arguments)
        return result

    return finer


def powers(base, pairs):
    base = mpfr(base)
    return [1 / base**(mpfr(pair) / pairs) for pair in range(pairs)]


@in_binary64_at_least
def base_of(base, pairs, rule, seq_len):
    """The base times growth^(d / (d - 2)), where a rule changes it."""
    if rule["rope_type"] == "ntk":
        growth = mpfr(rule["factor"])
    elif rule["rope_type"] == "dynamic":
        trained, factor = mpfr(rule["max_position_embeddings"]), mpfr(rule["factor"])
        growth = factor * max(mpfr(seq_len), trained) / trained - (factor - 1)
    else:
        return mpfr(base)
    return mpfr(base) * growth**(mpfr(pairs) / (pairs - 1))


def powers_of_changed_base(base, pairs, rule, seq_len):
    return powers(base_of(base, pairs, rule, seq_len), pairs)


def linear_rule(base, pairs, rule, seq_len):
    return [frequency / mpfr(rule["factor"]) for frequency in powers(base, pairs)]


def proportional_rule(base, pairs, rule, seq_len):
    return [frequency / mpfr(rule["factor"]) if pair < rule["live_pairs"] else mpfr(0)
            for pair, frequency in enumerate(powers(base, pairs))]


def llama3_rule(base, pairs, rule, seq_len):
    factor, low, high = (mpfr(rule[key]) for key in ("factor", "low_freq_factor", "high_freq_factor"))
    length = mpfr(rule["original_max_position_embeddings"])
    result = []
    for frequency in powers(base, pairs):
        wavelength = 2 * gmpy2.const_pi() / frequency
        if wavelength > length / low:
            result.append(frequency / factor)
        elif wavelength < length / high:
            result.append(frequency)
        else:
            kept = (length / wavelength - low) / (high - low)
            result.append((1 - kept) * frequency / factor + kept * frequency)
    return result


def whole(value, up):
    """The integer below or above, of which a value must not be too close to tell."""
    integer = gmpy2.ceil(value) if up else gmpy2.floor(value)
    if abs(value - gmpy2.rint(value)) < mpfr(2)**-60:
        raise Unknown(f"an end of YaRN's ramp is {value}")
    return integer


def yarn_factor(rule):
    return mpfr(rule["factor"]) if "factor" in rule else mpfr(rule["max_position_embeddings"]) / mpfr(rule["original_max_position_embeddings"])


@in_binary64_at_least
def yarn_ramp(base, pairs, rule):
    length = mpfr(rule["original_max_position_embeddings"])

    def place_of(rotations):
        return pairs * gmpy2.log(length / (2 * gmpy2.const_pi() * mpfr(rotations))) / gmpy2.log(mpfr(base))

    low, high = place_of(rule["beta_fast"]), place_of(rule["beta_slow"])
    if rule["truncate"]:
        low, high = whole(low, up=False), whole(high, up=True)
    low, high = max(low, mpfr(0)), min(high, mpfr(2 * pairs - 1))
    return low, high + mpfr(1) / 1000 if low == high else high


def yarn_rule(base, pairs, rule, seq_len):
    factor = yarn_factor(rule)
    low, high = (mpfr(end) for end in yarn_ramp(base, pairs, rule))
    result = []
    for pair, frequency in enumerate(powers(base, pairs)):
        share = min(max((pair - low) / (high - low), mpfr(0)), mpfr(1))
        result.append(frequency / factor * share + frequency * (1 - share))
    return result


def is_long(rule, seq_len):
    return seq_len > rule["original_max_position_embeddings"]


def longrope_rule(base, pairs, rule, seq_len):
    divisors = rule["long_factor" if is_long(rule, seq_len) else "short_factor"]
    if len(divisors) != pairs:
        raise Unknown(f"{len(divisors)} divisors of {pairs} pairs")
    return [frequency / mpfr(divisor) for frequency, divisor in zip(powers(base, pairs), divisors)]


LENGTH = "original_max_position_embeddings"
RULES = {"default": (powers_of_changed_base, []), "linear": (linear_rule, ["factor"]), "ntk": (powers_of_changed_base, ["factor"]),
         "dynamic": (powers_of_changed_base, ["factor", "max_position_embeddings"]), "proportional": (proportional_rule, ["factor", "live_pairs"]),
         "llama3": (llama3_rule, ["factor", "low_freq_factor", "high_freq_factor", LENGTH]),
         "yarn": (yarn_rule, ["factor", "max_position_embeddings", LENGTH, "beta_fast", "beta_slow", "truncate", "mscale", "mscale_all_dim",
                              "attention_factor"]),
         "longrope": (longrope_rule, ["factor", "max_position_embeddings", LENGTH, "short_factor", "long_factor", "short_mscale", "long_mscale",
                                      "attention_factor"])}


def inverse_frequencies(base, pairs, rule, seq_len):
    if rule["rope_type"] not in RULES:
        raise Unknown(f"the scaling rule {rule['rope_type']} has no formula here")
    formula, keys = RULES[rule["rope_type"]]
    return formula(base, pairs, known(rule, ["rope_type", *keys], f"the rule {rule['rope_type']}"), seq_len)


def yarn_growth(factor, scale):
    return mpfr(1) if factor <= 1 else mpfr(scale) * gmpy2.log(factor) / 10 + 1


def attention_factor(rule, seq_len):
    if "attention_factor" in rule:
        return mpfr(rule["attention_factor"])
    if rule["rope_type"] == "yarn":
        factor, scales = yarn_factor(rule), [rule.get("mscale", 0), rule.get("mscale_all_dim", 0)]
        if all(scales):
            return yarn_growth(factor, scales[0]) / yarn_growth(factor, scales[1])
        return yarn_growth(factor, 1)
    if rule["rope_type"] == "longrope":
        if "short_mscale" in rule:
            return mpfr(rule["long_mscale" if is_long(rule, seq_len) else "short_mscale"])
        length = mpfr(rule[LENGTH])
        factor = mpfr(rule["factor"]) if "factor" in rule else mpfr(rule["max_position_embeddings"]) / length
        return gmpy2.sqrt(1 + gmpy2.log(factor) / gmpy2.log(length)) if factor > 1 else mpfr(1)
    return mpfr(1)


# Axes.

TURN_PARTS = {"radian": 0, "quarter-turn": 4, "half-turn": 2, "turn": 1}  # in one turn


def spaced_frequencies(axis):
    """Frequencies of an axis that are not those of the base, in the axis's unit."""
    pairs = axis["pairs"]
    if axis["spacing"] == "listed":
        if len(axis["list"]) != pairs:
            raise Unknown(f"{len(axis['list'])} frequencies of {pairs} pairs")
        return [mpfr(frequency) for frequency in axis["list"]]
    first, last = ratio(axis["first"]), ratio(axis["last"])
    if pairs == 1:
        return [first]
    if axis["spacing"] == "linear":
        return [first + (last - first) * pair / (pairs - 1) for pair in range(pairs)]
    if axis["spacing"] != "geometric":
        raise Unknown(f"the spacing {axis['spacing']} has no formula here")
    growth = gmpy2.log(last / first) / (pairs - mpfr(axis.get("shift", 0)))
    return [first * gmpy2.exp(growth * pair) for pair in range(pairs)]


def axes_of_pairs(order, counts, rest):
    """The axis of each pair that turns."""
    total = sum(counts)
    if order == "runs":
        return [axis for axis, count in enumerate(counts) for _ in range(count)]
    if order == "round-robin":
        return [pair % len(counts) for pair in range(total)]
    if order == "modulo":
        return [pair % 3 if pair % 3 != rest and pair < 3 * counts[pair % 3] else rest for pair in range(total)]
    if order != "alternating":
        raise Unknown(f"the order {order} has no formula here")
    others = [axis for axis in range(len(counts)) if axis != rest]
    return [others[pair % len(others)] for pair in range(total - counts[rest])] + [rest] * counts[rest]


class Axes:
    """Which axis turns a pair, and by which frequency."""

    def __init__(self, model, pairs):
        form = model.get("axes", {"axes": [{"pairs": pairs}], "order": "runs", "frequencies": "shared"})
        known(form, ["axes", "order", "frequencies", "rest", "still_pairs"], "the form of axes")
        self.axes = [known(axis, ["pairs", "spacing", "first", "last", "shift", "list", "unit", "scaling", "scale", "offset"], "an axis")
                     for axis in form["axes"]]
        self.counts = [axis["pairs"] for axis in self.axes]
        self.frequencies, self.still = form["frequencies"], form.get("still_pairs", 0)
        turned = axes_of_pairs(form["order"], self.counts, form.get("rest", 0))
        if self.still + len(turned) != pairs or any(turned.count(axis) != count for axis, count in enumerate(self.counts)):
            raise Unknown(f"{self.counts} and {self.still} still pairs are no {pairs} pairs in the order {form['order']}")
        before = [0] * len(self.counts)
        self.place = [(0, None)] * self.still  # the axis and the index on it
        for axis in turned:
            self.place.append((axis, before[axis]))
            before[axis] += 1
        self.of_pair = [axis for axis, _ in self.place]

    def inverse_frequencies(self, base, pairs, rule, seq_len):
        """Radians, or parts of a turn, for each unit of a position, and how many such parts a turn has."""
        if self.frequencies not in ("own", "shared", "even-odd"):
            raise Unknown(f"{self.frequencies} frequencies have no formula here")
        shared = None if self.frequencies == "own" else inverse_frequencies(base, pairs, rule, seq_len)
        own = []
        for axis in self.axes:
            if shared is not None or axis["pairs"] == 0:
                own.append([])
            elif "spacing" in axis:
                own.append(spaced_frequencies(axis))
            else:
                own.append(inverse_frequencies(base, axis["pairs"], axis.get("scaling", {"rope_type": "default"}), seq_len))
        result = []
        for pair, (axis, index) in enumerate(self.place):
            form = self.axes[axis]
            if index is None:
                result.append((mpfr(0), 0))
                continue
            if self.frequencies == "own":
                frequency = own[axis][index]
            else:
                frequency = shared[pair - self.still if self.frequencies == "shared" else len(self.axes) * index + axis]
            # A coordinate is scale x (index + a / b), its position index x b + a.
            frequency *= ratio(form.get("scale", 1)) / fractions.Fraction(form.get("offset", 0)).denominator
            result.append((frequency, TURN_PARTS[form.get("unit", "radian")]))
        return result


def cos_sin_of_turns(turns):
    """Of an angle that is a quarter of a turn, or near one, exactly."""
    quarters = gmpy2.rint(4 * turns)
    rest = turns - quarters / 4
    if abs(rest) < mpfr(2)**(80 - gmpy2.get_context().precision) * max(1, abs(turns)):
        cos, sin = mpfr(1), mpfr(0)
    else:
        angle = 2 * gmpy2.const_pi() * rest
        cos, sin = gmpy2.cos(angle), gmpy2.sin(angle)
    return [(cos, sin), (-sin, cos), (-cos, -sin), (sin, -cos)][int(quarters) % 4]


class Rotation:
    """A rotary embedding as the pack's `model` gives it."""

    KEYS = ["name", "model_type", "base", "head_dim", "rotary_dim", "rotary_begin", "pairing", "pairing_out", "rope_scaling",
            "max_position_embeddings", "seq_len", "query_scale", "layer_type", "grid", "axes", "source"]

    def __init__(self, model):
        self.model = known(model, self.KEYS, "a model")
        self.rule, self.base, self.seq_len = model["rope_scaling"], model["base"], model.get("seq_len", 0)
        self.pairs, self.begin = model["rotary_dim"] // 2, model.get("rotary_begin", 0)
        self.axes = Axes(model, self.pairs)
        self.kept = {}

    def channels(self, pairing):
        result = []
        first, ends = 0, []  # of the axes' runs of pairs
        for count in self.axes.counts:
            ends.append((first, count))
            first += count
        for pair in range(self.pairs):
            if pairing == "interleaved":
                at = (2 * pair, 2 * pair + 1)
            elif pairing == "half-split":
                at = (pair, pair + self.pairs)
            elif pairing == "half-split-by-axis":
                first, count = next(run for run in ends if run[0] <= pair < run[0] + run[1])
                at = (first + pair, first + pair + count)
            else:
                raise Unknown(f"the pairing {pairing} has no formula here")
            result.append([self.begin + at[0], self.begin + at[1]])
        return result

    @once_per_precision
    def frequencies(self):
        return self.axes.inverse_frequencies(self.base, self.pairs, self.rule, self.seq_len)

    @once_per_precision
    def factor(self):
        return attention_factor(self.rule, self.seq_len)

    def inv_freq(self, pair):
        """In radians for each unit of a position."""
        frequency, parts = self.frequencies()[pair]
        return frequency * 2 * gmpy2.const_pi() / parts if parts else frequency

    def entries(self, position, pair, is_unit):
        """Cosine and sine, the attention factor included unless `is_unit`."""
        frequency, parts = self.frequencies()[pair]
        angle = mpfr(position) * frequency
        cos, sin = cos_sin_of_turns(angle / parts) if parts else gmpy2.sin_cos(angle)[::-1]
        return (cos, sin) if is_unit else (cos * self.factor(), sin * self.factor())

    def entry(self, position, pair, is_sine, form, is_unit=False):
        """Bits of an entry of a table."""
        place = (position, pair, is_unit)
        key = (*place, is_sine, form.name)
        if key not in self.kept:
            self.kept[key] = rounded(lambda: self.computed(place)[is_sine], form)
        return self.kept[key]

    def computed(self, place):
        """Entries in the context's precision. The sine is asked behind the cosine, and in several formats."""
        key = (*place, gmpy2.get_context().precision)
        if key not in self.kept:
            self.kept[key] = self.entries(*place)
        return self.kept[key]


# Encodings that add, and scales.


class Sinusoids:
    def __init__(self, config):
        known(config, ["name", "base", "d_model", "shift", "layout", "odd", "padding_idx", "scale"], "a sinusoidal encoding")
        self.config, self.width, self.pairs = config, config["d_model"], config["d_model"] // 2
        if self.width % 2 and config.get("odd") != "zero":
            raise Unknown(f"the width {self.width} is odd, and the last column has no rule")

    @once_per_precision
    def frequencies(self):
        config = self.config
        scale = mpfr(config.get("scale", 1))
        if self.pairs == 1:
            return [scale]
        logarithm = gmpy2.log(mpfr(config["base"])) / (self.pairs - mpfr(config["shift"]))
        return [scale * gmpy2.exp(-logarithm * pair) for pair in range(self.pairs)]

    def entry(self, position, channel):
        if channel == 2 * self.pairs:
            return mpfr(0)
        pair, is_second = (channel // 2, channel % 2) if self.config["layout"] == "interleaved" else (channel % self.pairs, channel // self.pairs)
        is_cosine = bool(is_second) != (self.config["layout"] == "cos-sin")
        row = mpfr(position)
        if "padding_idx" in self.config:  # as in fairseq
            row += self.config["padding_idx"] + 1
            if row == self.config["padding_idx"]:
                return mpfr(0)
        angle = row * self.frequencies()[pair]
        return gmpy2.cos(angle) if is_cosine else gmpy2.sin(angle)


def alibi_slope(heads, head):
    power = 1 << heads.bit_length() - 1
    if head < power:
        return gmpy2.exp2(mpfr(-8 * (head + 1)) / power)
    return gmpy2.exp2(mpfr(-4 * (2 * (head - power) + 1)) / power)


def alibi_bias(config, position, head, key, keys):
    known(config, ["name", "heads", "form"], "ALiBi")
    slope, position = alibi_slope(config["heads"], head), mpfr(position)
    if config["form"] == "causal":
        return -slope * (position - key)
    if config["form"] == "symmetric":
        return -slope * abs(position - key)
    if config["form"] == "bloom":
        return slope * key
    if config["form"] == "mpt":
        return slope * (key - (keys - 1))
    raise Unknown(f"ALiBi's form {config['form']} has no formula here")


def t5_bucket(config, relative):
    """The paper's floor of a quotient of logarithms, decided in integers: the largest step with n^K e^step >= m^step e^K."""
    known(config, ["name", "buckets", "max_distance", "bidirectional"], "T5's encoding")
    buckets, distance, first = config["buckets"], max(-relative, 0), 0
    if config["bidirectional"]:
        buckets, distance = buckets // 2, abs(relative)
        first = buckets if relative > 0 else 0
    exact = buckets // 2
    if distance < exact:
        return first + distance
    steps, step = buckets - exact, 0
    while step + 1 < steps and distance**steps * exact**(step + 1) >= config["max_distance"]**(step + 1) * exact**steps:
        step += 1
    return first + exact + step


def query_scale(config, position):
    known(config, ["name", "strength", "length", "shift"], "a query scale")
    step = (position + config["shift"]) // config["length"]
    return 1 + mpfr(config["strength"]) * gmpy2.log(mpfr(1 + step))
