"""Every entry of every table is the number of its format next to the exact value, which the program writes with --digits from a
reference in other numbers; of two that are as near, the even one."""

import json
import pathlib
import sys
import tempfile
from fractions import Fraction

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
try:
    import numpy
except ImportError:
    print("skipped: python3-numpy is not installed")
    sys.exit(77)
from table_cases import Case, cases, require

PRECISION = {"f64": (53, 11), "f32": (24, 8), "f16": (11, 5), "bf16": (8, 8)}
# A tie of these small tables ends within its format's digits; of an irrational value, 60 tell its side.
DIGITS = "60"


def value_of(bits, dtype):
    """The number of these bits without their sign, the line going on past the largest."""
    precision, exponent_bits = PRECISION[dtype]
    field, fraction = bits >> precision - 1, bits & (1 << precision - 1) - 1
    lowest = 2 - (1 << exponent_bits - 1) - (precision - 1)
    if field == 0:
        return Fraction(fraction) * Fraction(2)**lowest
    return Fraction(fraction | 1 << precision - 1) * Fraction(2)**(lowest + field - 1)


def is_nearest(bits, dtype, exact):
    precision, exponent_bits = PRECISION[dtype]
    sign = 1 << precision + exponent_bits - 1
    infinity = (1 << exponent_bits) - 1 << precision - 1
    size = bits & sign - 1
    if exact is None:
        return bits == infinity
    if exact != 0 and (exact < 0) != (bits & sign != 0):
        return False
    above = (value_of(size, dtype) + value_of(size + 1, dtype)) / 2
    below = -above if size == 0 else (value_of(size - 1, dtype) + value_of(size, dtype)) / 2
    if size == infinity:
        return abs(exact) >= below
    return below < abs(exact) < above or (abs(exact) in (below, above) and size % 2 == 0)


def digits_of(case, folder):
    options = [option for option in case.options]
    if "--dtype" in options:
        at = options.index("--dtype")
        del options[at:at + 2]
    table = json.loads(Case(case.name, case.kind, case.dtype, options).write(
        folder / "digits.json", "--digits", DIGITS).read_text())
    values = []
    for row in table["rows"]:
        entries = row[table["array"]]
        values += entries if type(entries) is list else [entries]
    return [None if value is None else Fraction(value) for value in values]


def check(case, folder):
    array = case.array(numpy, folder)
    flat = array.view(array.real.dtype) if numpy.iscomplexobj(array) else array
    bits = flat.reshape(-1).view(f"<u{flat.dtype.itemsize}").tolist()
    exact = digits_of(case, folder)
    require(len(exact) == len(bits), f"{case.name}: digits have every entry")
    for at, (entry, value) in enumerate(zip(bits, exact)):
        require(is_nearest(entry, case.dtype, value), f"{case.name}: entry {at} is {entry:#x}, of {value}")
        for wrong in (entry + 1, entry - 1):
            require(wrong < 0 or value == 0 or value is None or not is_nearest(wrong, case.dtype, value),
                    f"{case.name}: entry {at} is told from its neighbours")


with tempfile.TemporaryDirectory() as name:
    # Learned weights are copied: table_weights_test.py.
    checked = [case for case in cases() if case.dtype in PRECISION and case.kind != "learned"]
    require(len({case.kind for case in checked}) == 18, "every kind of floating-point numbers")
    for case in checked:
        check(case, pathlib.Path(name))
