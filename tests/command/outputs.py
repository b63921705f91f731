#!/usr/bin/env python3
"""Records what the program prints and writes, and compares two records: a change of words must not change a number.

  python3 tests/command/outputs.py record build/release/ropewalk before      before the change
  python3 tests/command/outputs.py record build/release/ropewalk after       after it, with the new program
  python3 tests/command/outputs.py compare before after                      exit code 0: only words differ; 1: numbers differ

`record PROGRAM DIRECTORY` runs the 250 commands of outputs.txt, each in a new folder that holds the inputs, and writes
DIRECTORY/001.txt and so on. Times, paths and the processor's name are masked. `record PROGRAM DIRECTORY 7 12` runs these two alone.
If ropewalk_bench stands beside PROGRAM, `ropewalk bench` runs it; without it, these outputs say that it is missing. outputs_test.py
tests this script.
"""
import collections
import concurrent.futures
import difflib
import hashlib
import io
import json
import math
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent / "model"))
from gguf_file import gguf  # noqa: E402

longest_text = 64 * 1024  # longer ones are recorded as hashes
longest_wait = 600  # seconds for one command
longest_line = 200  # columns; longer lines are compared in parts
most_lines = 24  # of one difference

MASKS = [(re.compile(pattern, re.M), text) for pattern, text in (
    (r"\b\d+(?:\.\d+)? (ms|us|s)\b(?= on \d+ thread)", r"<time> \1"),
    (r'"((?:processor_)?seconds)": ?[\d.e+-]+', r'"\1": <time>'),
    (r'(<testsuites [^>]* time=)"[\d.]+"', r'\1"<time>"'),
    (r"^\d+ verdicts: .*(?=; written to )", r"<verdicts>"),
)]


def processor():
    """Its name, as reports have it, or no text."""
    try:
        return re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.M).group(1).strip()
    except (OSError, AttributeError):
        return ""


# A name with digits, such as llama-3.1-8b, is a word; a number stands alone, as bits or hashes in hexadecimal do.
TOKEN = re.compile(r"""words-sha256:\ \w+
    | (?P<number>-?0x[\da-f]+(?:\.[\da-f]+)?(?:p[+-]?\d+)?
        | (?<![\w.])(?!bf16\b)(?=[a-f]*\d)(?:[\da-f]{4}){1,16}(?!\w|\.\d)
        | \d+(?:x\d+)+ | -?\d+(?:\.\d+)?(?:e[+-]?\d+)?)
    | [A-Za-z_]\w*(?:[.-]\w+)*""", re.X)


# --- inputs

def npy(descr, shape, code, numbers):
    """The bytes of a .npy file; `code` is the letter of an element in struct's formats."""
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{math.prod(shape)}{code}", *numbers)


def drawn(count):
    """Numbers between -2 and 2, the same each time."""
    state = 1
    for _ in range(count):
        state = state * 1103515245 + 12345 & 0x7FFFFFFF
        yield state / 2 ** 29 - 2


def single(number):
    """A number rounded to binary32."""
    return struct.unpack("<f", struct.pack("<f", number))[0]


# A kernel in another process: rotates in binary64 ("right"), with angles in binary32 ("float"), answers no message ("garbage") or ends ("dies").
KERNEL = '''
import json, math, struct, sys
single = lambda number: struct.unpack("<f", struct.pack("<f", number))[0]
mode = sys.argv[1]
plans = {}
def receive(source=sys.stdin.buffer):
    size = source.read(8)
    if len(size) < 8:
        sys.exit()
    header = json.loads(source.read(*struct.unpack("<Q", size)))
    words = header.pop("__metadata__")
    data = source.read(max((entry["data_offsets"][1] for entry in header.values()), default=0))
    return words, header, {name: data[slice(*entry["data_offsets"])] for name, entry in header.items()}
def send(words, header={}, data=b""):
    text = json.dumps({"__metadata__": words, **header}).encode()
    sys.stdout.buffer.write(struct.pack("<Q", len(text)) + text + data)
    sys.stdout.buffer.flush()
while True:
    words, header, data = receive()
    if words["request"] == "describe":
        send({"status": "ok", "protocol": "1", "kernels": json.dumps([{"name": mode, "promise": "angle-f64", "dtypes": ["f32"], "axes": 1,
              "pairing": "half-split", "crossing": False, "backward": False, "unit": False, "key": False}])})
    elif words["request"] == "plan":
        plans[words["plan"]] = words, [frequency for frequency, in struct.iter_unpack("<d", data["inv_freq"])]
        send({"status": "ok"})
    elif mode == "dies":
        sys.exit(3)
    elif mode == "garbage":
        sys.stdout.buffer.write(b"no message at all")
        sys.exit()
    else:
        about, frequencies = plans[words["plan"]]
        batch, tokens, heads, width = header["query"]["shape"]
        query = list(struct.unpack(f"<{batch * tokens * heads * width}f", data["query"]))
        positions = struct.unpack(f"<{batch * tokens}i", data["positions"])
        half, factor = int(about["rotary_dim"]) // 2, float(about["attention_factor"])
        for row in range(batch * tokens * heads):
            for pair, frequency in enumerate(frequencies):
                angle = positions[row // heads] * frequency
                angle = single(single(positions[row // heads]) * single(frequency)) if mode == "float" else angle
                cos, sin = single(math.cos(angle) * factor), single(math.sin(angle) * factor)
                first = row * width + pair
                x, y = query[first], query[first + half]
                query[first], query[first + half] = x * cos - y * sin, x * sin + y * cos
        send({"status": "ok"}, {"query": {**header["query"], "data_offsets": [0, 4 * len(query)]}}, struct.pack(f"<{len(query)}f", *query))
'''

LLAMA = {"model_type": "llama", "head_dim": 16, "rope_theta": 10000.0, "max_position_embeddings": 512, "num_attention_heads": 2}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 128}
CONFIGS = {
    "llama.json": LLAMA,
    "yarn.json": {**LLAMA, "rope_scaling": YARN},
    "gemma3.json": {"model_type": "gemma3_text", "head_dim": 16, "rope_theta": 1000000.0, "rope_local_base_freq": 10000.0,
                    "max_position_embeddings": 2048, "num_hidden_layers": 8, "rope_scaling": {"rope_type": "linear", "factor": 8.0}},
    "bloom.json": {"model_type": "bloom", "n_head": 6},
    "t5.json": {"model_type": "t5", "d_model": 64, "relative_attention_num_buckets": 16, "relative_attention_max_distance": 20},
    "whisper.json": {"model_type": "whisper", "d_model": 8},
    "gpt2.json": {"model_type": "gpt2", "n_positions": 6, "n_embd": 2},
    "strange.json": {**LLAMA, "rope_wobble": 3},
    "unknown.json": {**LLAMA, "model_type": "lama"},
}
ENGINE = [single(math.cos(single(position * single(10000 ** (-pair / 8))))) for position in range(512) for pair in range(8)]
INPUTS = {
    "broken.json": b'{"model_type": "llama", ',
    "kernel.py": KERNEL.encode(),
    "model.gguf": gguf({"general.architecture": "llama", "llama.embedding_length": 32, "llama.attention.head_count": 2,
                        "llama.context_length": 512, "llama.block_count": 2, "llama.rope.dimension_count": 16,
                        "llama.rope.freq_base": 20000.0}),
    "x.npy": npy("<f4", (6, 2, 16), "f", drawn(192)),
    "half.npy": npy("<f2", (1, 6, 2, 16), "e", drawn(192)),
    "bits.npy": npy("<u2", (2, 2, 16), "H", (struct.unpack("<HH", struct.pack("<f", number))[1] for number in drawn(64))),
    "scores.npy": npy("<f4", (2, 3, 4), "f", drawn(24)),
    "rows.npy": npy("<f4", (3, 8), "f", drawn(24)),
    "list.npy": npy("<i4", (5,), "i", [7, -3, 0, 2147483647, 12]),
    "list6.npy": npy("<i4", (6,), "i", [5, 4, 100, -2147483648, 0, 1]),
    "times.npy": npy("<f8", (3,), "d", [0.25, -1.5, 1e9]),
    "grid.npy": npy("<i4", (3, 4), "i", [0, 0, 1, 1, 0, 1, 0, 1, 2, 3, 4, 2147483647]),
    "plane.npy": npy("<f8", (2, 3), "d", [0.5, -0.25, 3, 1 / 3, 1, -2]),
    "real.npy": npy("<f8", (3, 4), "d", [0, 0.1, -2e-9, 7, 0, 4.5, -5, 1e6, 0, 1, 0.25, 1]),
    "frequencies.npy": npy("<f8", (3, 2, 2), "d", [0.5, -1.25, 3, 1e-3, 0.1, 2, -7.5, 0.3, 11, 0.7, -0.2, 0.25]),
    "weights.npy": npy("<f4", (6, 2), "f", drawn(12)),
    "engine.npy": npy("<f4", (512, 8), "f", ENGINE),
    "wrong.npy": npy("<f4", (8,), "f", (single(20000 ** (-pair / 8)) for pair in range(8))),
    "buckets.npy": npy("<i4", (41,), "i", (min(abs(distance - 20), 15) for distance in range(41))),
    **{name: json.dumps(config).encode() for name, config in CONFIGS.items()},
    **{name: (here.parent / "bench/recorded" / name).read_bytes() for name in ("before.json", "after.json")},
}
# Inputs that the program itself writes.
PREPARED = {
    "right.npy": "table cos --config llama.json --output right.npy",
    "all.npz": "table cos,sin --config llama.json --positions 64 --output all.npz",
    "vllm.npy": "table cos-sin --config yarn.json --layout vllm --positions 300 --output vllm.npy",
    "layers.safetensors": "table inv-freq --config gemma3.json --layer full_attention --name layers.0.inv_freq --output layers.safetensors",
    "sinusoids.npy": "table sinusoidal --d-model 8 --positions 32 --output sinusoids.npy",
    "slopes.npy": "table alibi-slopes --heads 12 --output slopes.npy",
    "tokens.npy": "table cos-sin --model wan-2.1-14b --grid 1x2x3 --layout complex --output tokens.npy",
    "figure.json": "plot rotation --base 100 --head-dim 8 --json figure.json",
    "half-1": "sweep --base 500 --head-dim 16 --positions 1048576 --shard 1/2 --output half-1",
    "half-2": "sweep --base 500 --head-dim 16 --positions 1048576 --shard 2/2 --output half-2",
}


# --- record

def listed():
    """The commands of outputs.txt."""
    lines = (here / "outputs.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


class Machine:
    """The program under test in a folder of its own, and its inputs."""

    def __init__(self, program, folder, commands):
        self.folder = folder
        self.program = folder / "bin/ropewalk"
        self.program.parent.mkdir()
        shutil.copy(program, self.program)
        bench = pathlib.Path(program).resolve().with_name("ropewalk_bench")
        if bench.exists():
            shutil.copy(bench, self.program.parent)
        self.inputs = folder / "inputs"
        for name in ("inputs", "home", "work"):
            (folder / name).mkdir()
        for name, data in INPUTS.items():
            (self.inputs / name).write_bytes(data)
        for name, line in PREPARED.items():
            if any(name in command for command in commands):
                done = self.run(["ropewalk", *shlex.split(line)], self.inputs)
                if done.returncode != 0:
                    sys.exit(f"ropewalk {line}: exit code {done.returncode}: {done.stderr.decode()}")

    def run(self, words, where, source=None):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder / "home"), "LC_ALL": "C"}
        with open(source or os.devnull, "rb") as stream:
            return subprocess.run([self.program, *words[1:]], cwd=where, env=environment, stdin=stream, capture_output=True,
                                  timeout=longest_wait, check=False)

    def output(self, number, command):
        """What a command prints and writes, as text. Its last word may be <FILE, its standard input."""
        where = self.folder / "work" / str(number)
        shutil.copytree(self.inputs, where)
        words = shlex.split(command)
        source = where / words.pop()[1:] if words[-1].startswith("<") else None
        before = contents(where)
        done = self.run(words, where, source)
        parts = [f"command: {command}\nexit code: {done.returncode}\n", f"--- stdout\n{described(done.stdout, where, True)}",
                 f"--- stderr\n{described(done.stderr, where, True)}"]
        after = contents(where)
        parts += [f"--- file {name}\n{described(data, where)}" for name, data in sorted(after.items()) if before.get(name) != data]
        parts += [f"--- {name} is gone\n" for name in sorted(before.keys() - after.keys())]
        shutil.rmtree(where)
        return "".join(part if part.endswith("\n") else part + "\n" for part in parts)


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def digest(data):
    return hashlib.sha256(data).hexdigest()


def described(data, where, is_whole=False):
    """Bytes as text: what they say, and a hash of what only a machine reads. A long text is a hash, too, unless `is_whole`."""
    if data.startswith(b"\x93NUMPY"):
        size = 10 + struct.unpack("<H", data[8:10])[0]
        if data[size:size + 1] == b"{" and b"|u1" in data[:size]:  # a record of an .npz
            return described(data[size:], where)
        return f"npy {data[10:size].decode().strip()}\nsha256: {digest(data[size:])}\n"
    if data.startswith(b"PK\3\4"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return "".join(f"member {name}\n{described(archive.read(name), where)}\n" for name in archive.namelist())
    if data.startswith(b"GGUF"):
        return described_gguf(data)
    if data.startswith(b"\x89PNG"):
        return f"png {struct.unpack('>II', data[16:24])}\nwords-sha256: {digest(data)}\n"  # text is drawn in it
    if data[8:9] == b"{" and 8 + struct.unpack("<Q", data[:8])[0] <= len(data):
        size = 8 + struct.unpack("<Q", data[:8])[0]
        return f"safetensors {data[8:size].decode().strip()}\nsha256: {digest(data[size:])}\n"
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return f"{len(data)} bytes\nsha256: {digest(data)}\n"
    if "\0" in text:
        return f"{len(data)} bytes\nsha256: {digest(data)}\n"
    text = text.replace(str(where), "<folder>").replace(processor() or "<processor>", "<processor>")
    for pattern, mask in MASKS:
        text = pattern.sub(mask, text)
    if text[:9].lower() == "<!doctype":
        return words_of_page(text)
    if is_whole or len(data) <= longest_text:
        return text
    of_words = TOKEN.sub(lambda token: "#" if token["number"] else token[0], text)
    return f"a long text\nsha256 of its numbers: {digest(' '.join(numbers(text)).encode())}\nwords-sha256: {digest(of_words.encode())}\n"


def words_of_page(page):
    """The lines of text of a page in alphabetical order, without those that depend on how many cases there was time for."""
    text = re.sub(r"<(script|style|svg)\b.*?</\1>|<td\b.*?</td>|<[^>]*>", "\n", page, flags=re.S)
    lines = (re.sub("#(,#)+", "#", TOKEN.sub(lambda token: "#" if token["number"] else token[0], line)).strip() for line in text.split("\n"))
    by_chance = ("not judged", "not decided", "undecided", "vacuous", "left out")
    return "words of a page\n" + "\n".join(sorted({line for line in lines if re.search("[A-Za-z]{3}", line) and not line.startswith(by_chance)}))


def described_gguf(data):
    """The texts of a GGUF file's header, and a hash of its tensors."""
    stream = io.BytesIO(data)

    def read(code):
        return struct.unpack("<" + code, stream.read(struct.calcsize("<" + code)))

    def text():
        return stream.read(*read("Q")).decode()

    stream.seek(4)
    version, tensors, entries = read("IQQ")
    lines = [f"gguf {version}"]
    for _ in range(entries):
        key, kind = text(), read("I")[0]
        lines.append(f"{key}: {text() if kind == 8 else read({4: 'I', 5: 'i', 6: 'f', 10: 'Q'}[kind])[0]}")
    for _ in range(tensors):
        name, axes = text(), read("I")[0]
        lines.append(f"tensor {name}: shape {read(f'{axes}Q')}, type and offset {read('IQ')}")
    begin = -(-stream.tell() // 32) * 32
    return "\n".join([*lines, f"sha256: {digest(data[begin:])}", ""])


def record(program, directory, chosen):
    commands = listed()
    chosen = chosen or range(1, len(commands) + 1)
    os.makedirs(directory, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(program, pathlib.Path(folder), [commands[number - 1] for number in chosen])
        with concurrent.futures.ThreadPoolExecutor(2) as workers:
            for number, output in zip(chosen, workers.map(lambda number: machine.output(number, commands[number - 1]), chosen)):
                pathlib.Path(directory, f"{number:03}.txt").write_text(output, encoding="utf-8")


# --- compare

def numbers(text):
    """Every number of a text, in its order."""
    return [token["number"] for token in TOKEN.finditer(text) if token["number"]]


def changes(old, new):
    """The parts in which two lists differ: pairs of lists."""
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    old, new = old[first:len(old) - last], new[first:len(new) - last]
    for kind, i, j, k, m in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            yield old[i:j], new[k:m]


def lines_of(text):
    """The lines of a text; of a long one, such as JSON without line breaks, its parts."""
    for line in text.splitlines():
        yield from re.split(r"(?<=[,;{]) ?(?=\S)", line) if len(line) > longest_line else [line]


def differences(old, new):
    """The differences of two texts, each as (removed lines, added lines)."""
    for removed, added in changes(list(lines_of(old)), list(lines_of(new))):
        if len(removed) == len(added):
            yield from (((old_line,), (new_line,)) for old_line, new_line in zip(removed, added) if old_line != new_line)
        else:
            yield tuple(removed), tuple(added)


def shown(sign, lines):
    for line in lines[:most_lines]:
        print(sign + line)
    if len(lines) > most_lines:
        print(f"{sign}... {len(lines) - most_lines} more lines")


def compare(before, after):
    names = sorted(path.name for path in pathlib.Path(before).glob("*.txt"))
    if not names or names != sorted(path.name for path in pathlib.Path(after).glob("*.txt")):
        sys.exit(f"outputs.py: {before} and {after} are not records of the same commands")
    where, wrong, differing, count = collections.defaultdict(list), [], 0, 0
    for name in names:
        old, new = (pathlib.Path(folder, name).read_text(encoding="utf-8") for folder in (before, after))
        if old == new:
            continue
        differing += 1
        for difference in differences(old, new):
            if name[:3] not in where[difference]:
                where[difference].append(name[:3])
        moved = list(changes(numbers(old), numbers(new)))
        if moved:
            count += sum(max(len(removed), len(added)) for removed, added in moved)
            wrong.append((name[:3], old.split("\n")[0], moved))
    for (removed, added), outputs in sorted(where.items(), key=lambda entry: (-len(entry[1]), entry[1])):
        print(f"@@ {len(outputs)} output{'s' * (len(outputs) > 1)}: {' '.join(outputs[:12])}{' ...' * (len(outputs) > 12)} @@")
        shown("-", removed)
        shown("+", added)
    for name, command, moved in wrong:
        print(f"numbers differ in {name}, {command}")
        for removed, added in moved[:most_lines]:
            print(f"  {' '.join(removed[:8])} -> {' '.join(added[:8])}")
    print(f"{differing} of {len(names)} outputs differ; {count} numbers differ")
    return 1 if wrong else 0


def main(words):
    if len(words) >= 3 and words[0] == "record" and all(word.isdigit() for word in words[3:]):
        return record(words[1], words[2], [int(word) for word in words[3:]])
    if len(words) == 3 and words[0] == "compare":
        return compare(words[1], words[2])
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
