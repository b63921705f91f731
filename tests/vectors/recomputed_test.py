"""Every number of the pack of test vectors is computed anew, with MPFR and by formulas that share no code with the program; and kernels of each
promise, simulated in NumPy, keep the promise's rule of acceptance and break stricter ones."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
try:
    import gmpy2
    import numpy
except ImportError as missing:
    print(f"skipped: python3-{missing.name} is not installed")
    sys.exit(77)
import exact_numbers as exact
from exact_numbers import FORMATS, Unknown, rounded
from simulated_kernels import Judge

SCHEMA = "urn:ropewalk:vectors:1"
TOPICS = ["rope", "axes", "sinusoidal", "alibi", "t5", "inverse-frequencies", "rows", "hard-entries", "scaling-rules", "query-scale"]
MOST_SHOWN = 20

mistakes = []
counts = {"numbers": 0, "cases": 0}
rotations = {}
distances = {"rows": [], "hard-entries": []}  # from a tie, in units in the last place


def require(holds, text):
    if not holds:
        mistakes.append(text)


def numbers_of(text, form):
    digits = form.width // 4
    require(len(text) % digits == 0, f"{len(text)} digits are no numbers of {digits} each")
    return [int(text[at:at + digits], 16) for at in range(0, len(text), digits)]


def compare(where, stated, computed, form):
    """Equal bits, and any NaN for a NaN."""
    counts["numbers"] += len(stated)
    if len(stated) != len(computed):
        require(False, f"{where}: {len(stated)} numbers, not {len(computed)}")
        return
    for at, (one, other) in enumerate(zip(stated, computed)):
        if one != other and not (form.is_nan(one) and form.is_nan(other)):
            require(False, f"{where}: number {at} is {one:0{form.width // 4}x}, MPFR has {other:0{form.width // 4}x}")


def read_back(where, decimals, bits, form):
    """The decimals beside bits are numbers, or one of three words."""
    words = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}
    values = numpy.array([words[one] if isinstance(one, str) else one for one in decimals], "f8")
    require(len(decimals) == len(bits) and list(narrow(values, form)) == canonical_nans(bits, form), f"{where}: the decimals are not the bits")


def canonical_nans(bits, form):
    return [form.infinity + 1 if form.is_nan(one) else one for one in bits]


def narrow(values, form):
    """Bits of binary64 numbers in a format, to nearest even; NaN is infinity's bits and one."""
    if form.name == "bf16":
        bits = values.view("u8").astype(object)
        return [narrow_to_bf16(int(one), float(value)) for one, value in zip(bits, values)]
    kept = {"f64": ("f8", "u8"), "f32": ("f4", "u4"), "f16": ("f2", "u2")}[form.name]
    bits = values.astype(kept[0]).view(kept[1]).astype("u8")
    return [form.infinity + 1 if form.is_nan(int(one)) else int(one) for one in bits]


def narrow_to_bf16(bits, value):
    form = FORMATS["bf16"]
    sign = form.sign if bits >> 63 else 0
    if value != value:
        return form.infinity + 1
    if value == 0 or value in (float("inf"), float("-inf")):
        return sign | (form.infinity if value else 0)
    return rounded(lambda: exact.mpfr(value), form)


# Binary32 from the bits of the data's format, and back: what canonical kernels compute in. Of binary64, itself.


def wide_format(form):
    return FORMATS["f64" if form.name == "f64" else "f32"]


def floats(bits, form):
    """NumPy's numbers of bits of binary64 or binary32."""
    return numpy.array(bits, f"u{form.width // 8}").view(f"f{form.width // 8}")


def widened(bits, form):
    if form.name == "bf16":
        return (numpy.array(bits, "u4") << 16).view("f4")
    if form.name == "f16":
        return numpy.array(bits, "u2").view("f2").astype("f4")
    return floats(bits, form)


def stored(values, form):
    """Bits of binary32 numbers, rounded once."""
    if form.name == "f16":
        return values.astype("f2").view("u2").tolist()
    if form.name != "bf16":
        return values.view(f"u{form.width // 8}").tolist()
    bits = values.view("u4").astype("u8")
    rounded_bits = bits + 0x7FFF + (bits >> 16 & 1) >> 16
    return numpy.where(numpy.isnan(values), form.infinity + 1, rounded_bits).tolist()


# Rotations.


def rotation_of(model):
    key = json.dumps(model)
    if key not in rotations:
        rotations[key] = exact.Rotation(model)
    return rotations[key]


def positions_by_token(case):
    """The positions of each token on its axes."""
    return list(zip(*case["positions"]))


def entries_of_call(rotation, case, form):
    """Arrays of cosines and sines of [tokens, pairs]."""
    is_unit = case.get("unit", False)
    tokens = positions_by_token(case)
    places = [[token[axis] for axis in rotation.axes.of_pair] for token in tokens]
    cos, sin = (floats([[rotation.entry(position, pair, is_sine, form, is_unit) for pair, position in enumerate(row)] for row in places], form)
                for is_sine in (0, 1))
    return cos, -sin if case.get("backward") else sin


def turned(x, cos, sin):
    """Products and sums, each rounded to the array's format."""
    return x[0] * cos - x[1] * sin, x[0] * sin + x[1] * cos


def check_rotation_group(group, judge):
    model, form = group["model"], FORMATS[group["dtype"]]
    rotation = rotation_of(model)
    where = group["id"]
    wide = wide_format(form)
    pairs = rotation.channels(model["pairing"])
    outs = rotation.channels(model["pairing_out"]) if "pairing_out" in model else pairs
    require(group["pairs"] == pairs and group.get("pairs_out", pairs) == outs, f"{where}: pairs or pairs_out are others")
    require(group["axes"] == len(rotation.axes.counts), f"{where}: the number of axes is {len(rotation.axes.counts)}")
    require(group.get("axis", [0] * rotation.pairs) == rotation.axes.of_pair, f"{where}: the axis of a pair is another")
    require(group["head_dim"] == model["head_dim"], f"{where}: head_dim is not the model's")
    f64 = FORMATS["f64"]
    for key, computed in (("inv_freq", [rounded(lambda: rotation.inv_freq(pair), f64) for pair in range(rotation.pairs)]),
                          ("attention_factor", [rounded(rotation.factor, f64)])):
        compare(f"{where}: {key}", numbers_of(group[key], f64), computed, f64)
        decimals = group[f"{key}_decimal"]
        read_back(f"{where}: {key}", decimals if isinstance(decimals, list) else [decimals], computed, f64)
    first, second = numpy.array(pairs).T
    first_out, second_out = numpy.array(outs).T
    for case in group["cases"]:
        batch, tokens, heads, channels = case["shape"]
        x = numpy.array(numbers_of(case["x"], form), object).reshape(batch * tokens, heads, channels)
        require(all(len(row) == batch * tokens for row in case["positions"]), f"{case['id']}: a position for each token")
        cos, sin = entries_of_call(rotation, case, wide)
        values = widened(x.tolist(), form)
        y = numpy.array(x)
        results = turned((values[..., first], values[..., second]), cos[:, None, :], sin[:, None, :])
        for out, result in zip((first_out, second_out), results):
            y[..., out] = numpy.array(stored(result, form), object)
        expected = numbers_of(case["expected"], form)
        compare(case["id"], expected, y.reshape(-1).tolist(), form)
        if "x_decimal" in case:  # arrays have none
            read_back(case["id"] + ": x", case["x_decimal"], numbers_of(case["x"], form), form)
            read_back(case["id"], case["expected_decimal"], expected, form)
        if "RoundingTie" in case["flags"]:
            lost = 1 << (16 if form.name == "bf16" else 13)
            require(any((result.view("u4") & lost - 1 == lost // 2).any() for result in results), f"{case['id']}: no result is a tie")
        judge.rotation(group, case, rotation, widened(x.tolist(), form).astype("f8"), widened(expected, form).astype("f8").reshape(x.shape),
                       (first, second), (first_out, second_out))


# Additions.


def check_addition_group(group, judge):
    form, config = FORMATS[group["dtype"]], group["encoding"]
    wide = wide_format(form)
    rows = exact.Sinusoids(config) if group["operation"] == "add-row" else None
    width = group["width"]
    require(rows is None or rows.width == width, f"{group['id']}: the width is not the encoding's")
    for case in group["cases"]:
        _, _, heads, channels = case["shape"]
        require(channels == width, f"{case['id']}: {channels} channels, not {width}")
        added = []
        for (position,) in positions_by_token(case):
            if rows:
                row = [rounded(lambda: rows.entry(position, channel), wide) for channel in range(width)]
                added += row * heads
            else:
                added += [rounded(lambda: exact.alibi_bias(config, position, head, key, width), wide)
                          for head in range(heads) for key in range(width)]
        x = numbers_of(case["x"], form)
        compare(f"{case['id']}: added", numbers_of(case["added"], wide), added, wide)
        y = stored(widened(x, form) + floats(added, wide), form)
        if rows and width % 2:
            y[width - 1::width] = x[width - 1::width]  # the column without a pair passes through: no zero is added to it
        expected = numbers_of(case["expected"], form)
        compare(case["id"], expected, y, form)
        read_back(case["id"] + ": x", case["x_decimal"], x, form)
        read_back(case["id"], case["expected_decimal"], expected, form)
        judge.addition(group, case, *(widened(one, form).astype("f8") for one in (x, expected)), floats(added, wide).astype("f8"))


# Tables.


def entry_of(group, rows_asked):
    """A function of row and column that gives bits of the table's entry, and the number of columns."""
    table, form = group["table"], FORMATS.get(group["dtype"])
    if table in ("inv-freq", "cos-sin"):
        rotation = rotation_of(group["model"])
        if table == "inv-freq":
            return lambda pair, _: rounded(lambda: rotation.inv_freq(pair), form), 1
        if group["layout"] == "vllm" and len(rotation.axes.counts) == 1:
            return lambda position, column: rotation.entry(position, column % rotation.pairs, column // rotation.pairs, form), 2 * rotation.pairs
    config = group.get("encoding", {})
    if table == "sinusoidal":
        rows = exact.Sinusoids(config)
        return lambda position, channel: rounded(lambda: rows.entry(position, channel), form), rows.width
    if table == "alibi-slopes":
        require(rows_asked == list(range(config["heads"])), f"{group['id']}: not each head's slope")
        return lambda head, _: rounded(lambda: exact.alibi_slope(config["heads"], head), form), 1
    if table == "alibi-bias":
        keys, queries = group["columns"], 1 + max(query for _, query in rows_asked)
        return lambda row, key: rounded(lambda: exact.alibi_bias(config, keys - queries + row[1], row[0], key, keys), form), keys
    if table == "t5-buckets":
        return lambda relative, _: exact.t5_bucket(config, relative), 1
    if table == "query-scale":
        return lambda position, _: rounded(lambda: exact.query_scale(config, position), form), 1
    raise Unknown(f"{group['id']}: the table {table} has no formula here")


def check_table_group(group, judge):
    is_integer = group["dtype"] == "i32"
    form = FORMATS["f32"] if is_integer else FORMATS[group["dtype"]]  # integers have 32 bits, too
    for case in group["cases"]:
        entry, columns = entry_of(group, case["rows"])
        require(group["columns"] == columns, f"{group['id']}: {group['columns']} columns, not {columns}")
        computed = [entry(row, column) for row in case["rows"] for column in case.get("columns", range(columns))]
        expected = numbers_of(case["expected"], form)
        compare(case["id"], expected, computed, form)
        if is_integer:
            require(case["expected_decimal"] == expected, f"{case['id']}: the decimals are not the bits")
            continue
        read_back(case["id"], case["expected_decimal"], expected, form)
        if group["table"] in ("inv-freq", "cos-sin"):
            judge.table(group, case, rotation_of(group["model"]), widened(expected, form).astype("f8"))


def note_distances(topic):
    """How far entries of cosines and sines lie from a tie."""
    with gmpy2.local_context(precision=exact.PRECISIONS[0]):
        for group in topic["groups"]:
            rotation = rotation_of(group["model"])
            for case in group["cases"]:
                places = [(row, column) for row in case["rows"] for column in case.get("columns", range(2 * rotation.pairs))]
                values = [rotation.computed((row, column % rotation.pairs, False))[column // rotation.pairs] for row, column in places]
                distances[topic["topic"]] += [exact.distance_from_tie(value, FORMATS[group["dtype"]]) for value in values]


def check_group(group, judge):
    operation = group["operation"]
    if operation == "rotate":
        check_rotation_group(group, judge)
    elif operation in ("add-row", "add-bias"):
        check_addition_group(group, judge)
    elif operation == "table":
        check_table_group(group, judge)
    else:
        raise Unknown(f"{group['id']}: the operation {operation} has no formula here")
    counts["cases"] += len(group["cases"])


def check_topic(topic, judge, seen):
    require(topic["schema"] == SCHEMA, f"{topic['topic']}: schema is {topic['schema']}, not {SCHEMA}")
    used = set()
    for group in topic["groups"]:
        require(group["cases"], f"{group['id']}: no case")
        for one in [group, *group["cases"]]:
            require(one["id"] not in seen, f"the id {one['id']} is there twice")
            seen.add(one["id"])
        for case in group["cases"]:
            used.update(case["flags"])
        try:
            check_group(group, judge)
        except Unknown as unknown:
            require(False, f"{group['id']}: {unknown}")
    if topic["topic"] in distances:
        note_distances(topic)
    require(used == set(topic["flags"]), f"{topic['topic']}: flags of cases and of the topic differ: {sorted(used ^ set(topic['flags']))}")


# Arrays.


def check_tables(path):
    """Tables of cosines and sines in binary32, and the positions of their rows."""
    form = FORMATS["f32"]
    with numpy.load(path) as arrays:
        record = json.loads(bytes(arrays["record"]))
        kinds = record["arrays"]
        names = sorted(name for name in kinds if not name.endswith(".positions"))
        expected = ["record", *names, *(f"{name}.positions" for name in names)]
        require(sorted(arrays) == sorted(expected) and len(kinds) == 2 * len(names), f"{path.name}: the record has other arrays")
        for name in names:
            about = {**record, **kinds[name]}
            require(about["dtype"] == "f32" and about["layout"] == "vllm", f"{path.name}: {name} is no table in binary32 in the layout vllm")
            model = {key: value for key, value in about["model"].items() if key not in ("taken", "warnings")}
            rotation = rotation_of(model)
            positions = [int(position) for position in arrays[f"{name}.positions"].reshape(-1)]
            require(positions[-1] == model["max_position_embeddings"] - 1, f"{path.name}: {name} does not reach the end of its context")
            columns = [(pair, is_sine) for is_sine in (0, 1) for pair in range(rotation.pairs)]
            computed = [rotation.entry(position, *column, form) for position in positions for column in columns]
            require(arrays[name].shape == (len(positions), 2 * rotation.pairs), f"{path.name}: {name} has the shape {arrays[name].shape}")
            compare(f"{path.name}: {name}", arrays[name].view("u4").reshape(-1).tolist(), computed, form)
            counts["cases"] += 1


def check_calls(path, judge, seen):
    """Rotations as tensors; a group's keys are in the metadata."""
    content = path.read_bytes()
    begin = 8 + int.from_bytes(content[:8], "little")
    tensors = json.loads(content[8:begin])
    metadata = tensors.pop("__metadata__")
    require(metadata["schema"] == SCHEMA, f"{path.name}: schema is {metadata['schema']}, not {SCHEMA}")
    groups = json.loads(metadata["groups"])
    require(sorted(tensors) == sorted(f"{group['id']}.{part}" for group in groups for part in ("positions", "x", "expected")),
            f"{path.name}: tensors are not those of the groups")

    def numbers(name):
        first, last = (begin + offset for offset in tensors[name]["data_offsets"])
        size = {"F64": 8, "F32": 4, "I32": 4, "F16": 2, "BF16": 2}[tensors[name]["dtype"]]
        return numpy.frombuffer(content[first:last], f"<u{size}")

    for group in groups:
        name = group["id"]
        require(tensors[f"{name}.x"]["dtype"] == group["dtype"].upper(), f"{path.name}: {name} has another dtype")
        case = {"id": f"{path.name}: {name}", "shape": tensors[f"{name}.x"]["shape"], "flags": [],
                "positions": [numbers(f"{name}.positions").view("<i4").tolist()]}
        for part in ("x", "expected"):  # as the topics write them
            array = numbers(f"{name}.{part}")
            case[part] = array.astype(array.dtype.newbyteorder(">")).tobytes().hex()
        check_topic({"topic": path.name, "schema": SCHEMA, "flags": {}, "groups": [{**group, "cases": [case]}]}, judge, seen)


def read_pack(folder):
    topics = {}
    for path in sorted(folder.glob("*.json")):
        content = json.loads(path.read_text())
        if "topic" in content:
            require(path.stem == content["topic"], f"{path.name} has the topic {content['topic']}")
            topics[path.stem] = content
    require(sorted(topics) == sorted(TOPICS), f"topics are {sorted(topics)}, not {sorted(TOPICS)}")
    return topics


def main():
    judge, seen = Judge(), set()
    with tempfile.TemporaryDirectory() as name:
        run = subprocess.run([os.environ["ROPEWALK_COMMAND"], "vectors", "--quiet", "--output", name], capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"ropewalk vectors ends with {run.returncode}: {run.stderr}")
        folder = pathlib.Path(name)
        topics = read_pack(folder)
        with numpy.errstate(all="ignore"):
            for topic in topics.values():
                check_topic(topic, judge, seen)
            check_tables(folder / "tables.npz")
            check_calls(folder / "calls.safetensors", judge, seen)
    farthest, closest = max(distances["hard-entries"]), min(distances["rows"])
    require(farthest < closest, f"an entry of hard-entries is {float(farthest)} of an ulp from a tie, one of rows {float(closest)}")
    judge.report(require)
    for mistake in mistakes[:MOST_SHOWN]:
        print(mistake)
    if mistakes:
        sys.exit(f"{len(mistakes)} mistakes")
    print(f"{counts['numbers']} numbers of {counts['cases']} cases in {len(topics)} topics and two files of arrays agree with MPFR; "
          f"{len(exact.ties)} of them are rounded ties, all others are decided")


main()
