"""The table of every family of axes against its formula in binary64, written as its model's code writes it: outer products of
coordinates and frequencies, split, stacked or concatenated. They agree to 1e-11, at whole and at real coordinates."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: python3-numpy is not installed")
    sys.exit(77)

program = os.environ["ROPEWALK_COMMAND"]
TOLERATED = 1e-11  # the error of a binary64 angle of a few thousand turns, far below that of a wrong formula


def require(holds, what):
    if not holds:
        sys.exit("failed: " + what)


def falling(base, pairs):
    return base ** (-np.arange(pairs) / pairs)


def outer(frequencies):
    """Angles of each axis, one array [tokens, pairs of the axis] after another."""
    return lambda at: [np.outer(x, f) for x, f in zip(at, frequencies)]


def runs(*frequencies):
    return lambda at: np.concatenate(outer(frequencies)(at), axis=1)


def in_turn(*frequencies):
    return lambda at: np.stack(outer(frequencies)(at), axis=2).reshape(len(at[0]), -1)


def own(base, *pairs):
    return runs(*[falling(base, n) for n in pairs])


def shared_runs(base, *pairs):
    """One angle for each axis and pair, of which each section takes its axis's."""
    whole = falling(base, sum(pairs))
    ends = np.cumsum((0, *pairs))
    return lambda at: np.concatenate([np.outer(x, whole)[:, a:b] for x, a, b in zip(at, ends, ends[1:])], axis=1)


def interleaved(base, pairs, height, width):
    whole = falling(base, pairs)

    def angles(at):
        r = np.outer(at[0], whole)
        for axis, section in (1, height), (2, width):
            r[:, axis:3 * section:3] = np.outer(at[axis], whole)[:, axis:3 * section:3]
        return r
    return angles


def even_odd(base, pairs):
    whole = falling(base, pairs)
    return runs(whole[0::2], whole[1::2])


def rising(pairs, axes, still):
    # Rounded once: the power's own error would be seen at angles of 2,500 turns.
    quarter = np.longdouble("1.57079632679489661923")
    each = (quarter * np.longdouble(10000) ** (np.arange(pairs, dtype=np.longdouble) / (pairs - 1))).astype(float)
    return lambda at: np.concatenate([np.zeros((len(at[0]), still)), in_turn(*[each] * axes)(at)], axis=1)


def ernie(base, time, other):
    whole = falling(base, time + 2 * other)

    def angles(at):
        t, h, w = [np.outer(x, whole) for x in at]
        sides = np.stack([h[:, 0:2 * other:2], w[:, 1:2 * other:2]], axis=2).reshape(len(t), -1)
        return np.concatenate([sides, t[:, 2 * other:]], axis=1)
    return angles


def cosmos(*factors):
    """A base for each axis: NTK by the axis's factor."""
    dims = 44, 42, 42
    return runs(*[falling(10000 * s ** (d / (d - 2)), d // 2) for s, d in zip(factors, dims)])


def alternate_shared(base, pairs):
    whole = falling(base, pairs)
    return lambda at: np.stack([np.outer(at[0], whole[0::2]), np.outer(at[1], whole[1::2])], axis=2).reshape(len(at[0]), -1)


def turns_of_100(axes, each):
    return runs(*[2 * np.pi * 100.0 ** (-np.arange(each) / each)] * axes)


FORMULAS = {
    "pixtral": (2, even_odd(10000, 32)),
    "qwen-vision": (2, own(10000, 20, 20)),
    "wan": (3, own(10000, 22, 21, 21)),
    "flux": (3, own(10000, 8, 28, 28)),
    "flux-2": (4, own(2000, 16, 16, 16, 16)),
    "hunyuan-video": (3, own(256, 8, 28, 28)),
    "hunyuan-image-2.1": (2, own(256, 32, 32)),
    "hunyuan-image-3": (2, alternate_shared(10000, 64)),
    "hunyuan-dit": (2, own(10000, 22, 22)),
    "hunyuan-vl": (4, shared_runs(10000 * 1000 ** (128 / 126), 16, 16, 16, 16)),
    "cogvideox": (3, own(10000, 8, 12, 12)),
    "cogview4": (2, own(10000, 32, 32)),
    "cosmos-1": (3, cosmos(2, 1, 1)),
    "cosmos-2.5": (3, cosmos(1, 3, 3)),
    "ltx-video": (3, rising(341, 3, 1)),
    "ltx-2": (3, rising(682, 3, 2)),
    "ltx-2-audio": (1, rising(1024, 1, 0)),
    "qwen-image": (3, own(10000, 8, 28, 28)),
    "lumina-2": (3, own(10000, 16, 16, 16)),
    "z-image": (3, own(256, 16, 24, 24)),
    "krea-2": (3, own(1000, 16, 24, 24)),
    "hidream": (3, own(10000, 32, 16, 16)),
    "kandinsky-5": (3, own(10000, 8, 12, 12)),
    "ideogram-4": (3, interleaved(5000000, 128, 20, 20)),
    "minimax-h3": (3, own(10000, 16, 16, 16)),
    "minimax-h3-vae": (3, turns_of_100(3, 8)),
    "minimax-m3-vision": (3, own(10000, 13, 13, 13)),
    "dinov3": (2, turns_of_100(2, 16)),
    "eva-02": (2, own(10000, 16, 16)),
    "eva-02-pixel": (2, runs(*[np.pi * np.linspace(1, 112, 16)] * 2)),
    "rope-vit": (2, own(100, 16, 16)),
    "llama-4-vision": (2, own(10000, 22, 22)),
    "ernie-4.5-vl": (3, ernie(500000, 20, 22)),
    "moonvit": (2, in_turn(falling(10000, 18), falling(10000, 18))),
    "efficient-loftr": (2, in_turn(falling(10000, 64), falling(10000, 64))),
    "sam-2": (2, own(10000, 64, 64)),
    "sam-3": (2, own(10000, 16, 16)),
    "allegro": (3, own(10000, 16, 16, 16)),
    "gemma-4-vision": (2, own(100, 16, 16)),
    "croco": (2, own(100, 16, 16)),
}


def table(axes, positions, folder, layout="vllm"):
    np.save(folder / "positions.npy", positions)
    done = subprocess.run([program, "table", "axes", "--axes", axes, "--positions", str(folder / "positions.npy"), "--dtype", "f64",
                           "--layout", layout, "--output", str(folder / "table.npy")], capture_output=True, text=True)
    require(done.returncode == 0, f"{axes}: {done.stderr}")
    return np.load(folder / "table.npy")


def check(name, axes, formula, positions, folder):
    angles = formula(positions.astype(float))
    wanted = np.concatenate([np.cos(angles), np.sin(angles)], axis=1)
    found = table(axes, positions, folder)
    require(found.shape == wanted.shape, f"{name}: shape {found.shape} for {wanted.shape}")
    worst = np.abs(found - wanted).max()
    require(worst < TOLERATED, f"{name}: differs by {worst} from its formula")
    return found.size


def families():
    """Every family that the program names, in the sentence that a wrong name gets."""
    said = subprocess.run([program, "table", "axes", "--axes", "none", "--layout", "vllm", "--output", "-"], capture_output=True, text=True).stderr
    return set(said.split("holds one, or ")[1].split("\n")[0].split(", "))


with tempfile.TemporaryDirectory() as place:
    folder = pathlib.Path(place)
    random = np.random.default_rng(43)
    require(families() == set(FORMULAS), f"formulas of {families() ^ set(FORMULAS)}")
    compared = 0
    for name, (axes, formula) in FORMULAS.items():
        # Coordinates of LTX lie between -1 and 1; beyond them the angles of binary64 itself are too coarse.
        lowest, highest = (-1, 2) if name.startswith("ltx") else (-20, 60)
        compared += check(name, name, formula, random.integers(lowest, highest, (axes, 24), dtype=np.int32), folder)
        compared += check(name, name, formula, random.uniform(-1, 1, (axes, 24)), folder)
    # An exact coordinate of an index: the middle of patch j of 7, between -1 and 1.
    middles = {"axes": [{"pairs": 16, "first": 1, "last": "1/100", "unit": "turn", "scale": "2/7", "offset": "-3"}] * 2}
    index = random.integers(0, 7, (2, 24), dtype=np.int32)
    angles = turns_of_100(2, 16)((2 * index + 1) / 7 - 1)
    found = table(json.dumps(middles), index, folder)
    require(np.abs(found - np.concatenate([np.cos(angles), np.sin(angles)], axis=1)).max() < TOLERATED, "the middles of patches")
    # The same table at a real coordinate is as exact: a quarter of a turn has cosine 0.
    quarter = table(json.dumps({"axes": [{"pairs": 1, "first": 1, "last": 1, "unit": "turn"}]}), np.array([[0.25, -0.5]]), folder)
    require(quarter.tolist() == [[0, 1], [-1, 0]] and not np.signbit(quarter[0, 0]), "quarters of a turn")
    # Half-split by axis: cosines and sines stand twice within each axis's channels, as torch.cat((f, f)) of each axis.
    for name, (axes, base, pairs) in {"allegro": (3, 10000, 16), "croco": (2, 100, 16)}.items():
        positions = random.integers(-20, 60, (axes, 24), dtype=np.int32)
        angles = np.concatenate([np.tile(np.outer(x, falling(base, pairs)), 2) for x in positions], axis=1)
        copies = table(name, positions, folder, "hf")
        require(np.abs(copies - np.stack([np.cos(angles), np.sin(angles)])).max() < TOLERATED, f"{name}: copies by axis")
    print(f"{compared} entries of {len(FORMULAS)} families agree with binary64 to {TOLERATED}")
