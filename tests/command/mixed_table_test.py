"""Tables of mixed rotations against their formula in binary64, written as the models' code writes it: Mochi's einsum over [3, heads,
pairs], RoPE-ViT's sum of two outer products, LightGlue's linear layer for all heads. They agree to 1e-11, at whole and real coordinates."""

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
TOLERATED = 1e-11  # the error of a binary64 angle of a few hundred turns, far below that of a wrong formula


def require(holds, what):
    if not holds:
        sys.exit("failed: " + what)


def run(folder, frequencies, positions, *options, output="table.npy"):
    np.save(folder / "frequencies.npy", frequencies)
    np.save(folder / "positions.npy", positions)
    return subprocess.run([program, "table", "mixed", "--frequencies", str(folder / "frequencies.npy"), "--positions",
                           str(folder / "positions.npy"), *options, "--output", str(folder / output)], capture_output=True, text=True)


def table(folder, frequencies, positions, layout, dtype="f64"):
    done = run(folder, frequencies, positions, "--layout", layout, "--dtype", dtype)
    require(done.returncode == 0, f"{layout}: {done.stderr}")
    return np.load(folder / "table.npy")


def mochi(frequencies, at):
    return np.einsum("dn,dhf->hnf", at, frequencies)


def rope_vit(frequencies, at):
    x, y = [np.stack([np.outer(one, head) for head in of_axis]) for one, of_axis in zip(at, frequencies)]
    return x + y


def light_glue(frequencies, at):
    weight = frequencies.T  # of nn.Linear(2, head_dim / 2, bias=False)
    return (at.T @ weight.T)[None]


def check(name, folder, formula, frequencies, positions):
    angles = formula(frequencies.astype(float), positions.astype(float))
    heads, tokens, pairs = angles.shape
    wanted = {"vllm": np.concatenate([np.cos(angles), np.sin(angles)], axis=2),
              "complex": np.cos(angles) + 1j * np.sin(angles),
              "hf": np.repeat(np.stack([np.cos(angles), np.sin(angles)]), 2, axis=3)}
    shapes = {"vllm": (heads, tokens, 2 * pairs), "complex": (heads, tokens, pairs), "hf": (2, heads, tokens, 2 * pairs)}
    for layout, values in wanted.items():
        found = table(folder, frequencies, positions, layout)
        require(found.shape == shapes[layout], f"{name}, {layout}: shape {found.shape}")
        worst = np.abs(found - values).max()
        require(worst < TOLERATED, f"{name}, {layout}: differs by {worst} from its formula")
    for fault, wrong in (("an axis is dropped", mochi(dropped(frequencies), positions.astype(float))),
                         ("the sum is rounded to binary32", angles.astype(np.float32).astype(float)),
                         ("another head's frequencies", np.roll(angles, 1, axis=0) if heads > 1 else None)):
        if wrong is not None:
            off = np.abs(np.concatenate([np.cos(wrong), np.sin(wrong)], axis=2) - wanted["vllm"]).max()
            require(off > TOLERATED, f"{name}: {fault}, and nothing is seen")
    return 3 * angles.size


def dropped(frequencies):
    r = np.array(frequencies, dtype=float)
    r[-1] = 0
    return r if r.ndim == 3 else r[:, None]


def refused(folder, frequencies, positions, what, *options):
    done = run(folder, frequencies, positions, *(options or ("--layout", "vllm")), output="none.npy")
    require(done.returncode == 2 and what in done.stderr, f"{what}: {done.returncode}, {done.stderr}")
    require(not (folder / "none.npy").exists(), f"{what}: nothing is left behind")


with tempfile.TemporaryDirectory() as place:
    folder = pathlib.Path(place)
    random = np.random.default_rng(43)
    shapes = {"mochi": (mochi, (3, 24, 64)), "rope-vit": (rope_vit, (2, 6, 32)), "lightglue": (light_glue, (2, 32))}
    compared = 0
    for name, (formula, shape) in shapes.items():
        frequencies = random.normal(size=shape)
        compared += check(name, folder, formula, frequencies, random.integers(-20, 60, (shape[0], 12), dtype=np.int32))
        compared += check(name, folder, formula, frequencies.astype(np.float32), random.uniform(-1, 1, (shape[0], 12)))
    # Terms that cancel leave what the products' roundings would have lost.
    found = table(folder, np.array([[0.1], [-0.1], [1.0]]), np.array([[3.7e9], [3.7e9], [2.0**-60]]), "vllm")
    require(found.tolist() == [[[1, 2.0**-60]]], f"cancelled terms: {found}")
    two = np.array([[1.0, 2], [3, 4]])
    at = np.zeros((2, 3))
    refused(folder, np.zeros((32, 2)), at, "a matrix (pairs, axes), as LightGlue's, is to be transposed")
    refused(folder, np.zeros(3), at, "frequencies is ")
    refused(folder, np.array([[1.0, np.inf]]), at[:1], "(entry 1 is inf); allowed: finite numbers")
    refused(folder, two.astype(np.int32), at, "frequencies is ")
    refused(folder, two, np.zeros((3, 3)), "positions is ")
    refused(folder, two * 1e300, at + 1e300, "stay below 2^1021")
    refused(folder, two, at, "layout is missing; allowed: ", "--dtype", "f32")
    refused(folder, two, at, "head-dim is 4; allowed: none for mixed", "--layout", "vllm", "--head-dim", "4")
    missing = subprocess.run([program, "table", "mixed", "--layout", "vllm", "--output", "-"], capture_output=True, text=True)
    require(missing.returncode == 2 and "frequencies is missing; allowed: FILE or FILE#NAME" in missing.stderr, missing.stderr)
    run(folder, two, at + 1, "--layout", "complex", "--dtype", "f64")
    record = json.loads((folder / "table.npy.json").read_text())
    require(record["encoding"] == {"name": "rope_mixed", "axes": 2, "heads": 1, "pairs": 2, "frequencies": str(folder / "frequencies.npy")},
            str(record["encoding"]))
    held = subprocess.run([program, "verify", "--table", str(folder / "table.npy"), "--as", "mixed", "--layout", "complex", "--frequencies",
                           str(folder / "frequencies.npy"), "--positions", str(folder / "positions.npy")], capture_output=True, text=True)
    require(held.returncode == 0, "verify: " + held.stdout + held.stderr)
    print(f"{compared} angles of {len(shapes)} models agree with binary64 to {TOLERATED} in three layouts")
