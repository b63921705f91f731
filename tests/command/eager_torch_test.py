"""recipe-hf-eager gives the bits of PyTorch's own operations, given the same cosines and sines."""

import os
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
    import torch
except ImportError:
    print("skipped: python3-numpy or python3-torch is not installed")
    sys.exit(77)

COMMAND = os.environ["ROPEWALK_COMMAND"]
FIRST, TOKENS, HEADS, CHANNELS = 4000, 40, 3, 128


def rotate_half(x):
    return torch.cat((-x[..., CHANNELS // 2:], x[..., :CHANNELS // 2]), dim=-1)


def rotate_every_two(x):
    return torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)


def entries(function):
    """Cosines or sines, correctly rounded to binary32 but for the rarest of cases, of angles in binary32."""
    inv_freq = (10000.0 ** (-np.arange(CHANNELS // 2) / (CHANNELS // 2))).astype(np.float32)
    angle = np.arange(FIRST, FIRST + TOKENS).astype(np.float32)[:, None] * inv_freq[None, :]
    return torch.from_numpy(function(angle.astype(np.float64)).astype(np.float32))


def in_torch(x, pairing):
    """apply_rotary_pos_emb of Hugging Face, or GPT-J's form of it."""
    halves = pairing == "half-split"
    cos, sin = [(torch.cat((one, one), dim=-1) if halves else one.repeat_interleave(2, dim=-1)).to(x.dtype)[:, None, :]
                for one in (entries(np.cos), entries(np.sin))]
    return x * cos + (rotate_half if halves else rotate_every_two)(x) * sin


def as_array(x):
    """The elements as `apply` reads and writes them: bfloat16 by its bits."""
    return x.view(torch.int16).numpy().view(np.uint16) if x.dtype == torch.bfloat16 else x.numpy()


class EagerTorch(unittest.TestCase):
    def in_ropewalk(self, x, pairing, dtype):
        with tempfile.TemporaryDirectory() as folder:
            given, made = os.path.join(folder, "x.npy"), os.path.join(folder, "y.npy")
            np.save(given, as_array(x))
            subprocess.run([COMMAND, "apply", "--kernel", "recipe-hf-eager", "--base", "10000", "--head-dim", str(CHANNELS),
                            "--pairing", pairing, "--positions", f"{FIRST}:{FIRST + TOKENS}", "--dtype", dtype,
                            "--input", given, "--output", made, "--quiet"], check=True)
            return np.load(made)

    def test_the_bits_are_equal(self):
        torch.manual_seed(1)
        for dtype, name in ((torch.float32, "f32"), (torch.float16, "f16"), (torch.bfloat16, "bf16")):
            for pairing in ("half-split", "interleaved"):
                with self.subTest(f"{name} {pairing}"):
                    x = (torch.randn(TOKENS, HEADS, CHANNELS) * 2.0 ** torch.randint(-12, 12, (HEADS, 1))).to(dtype)
                    bits = np.uint32 if name == "f32" else np.uint16
                    wanted, got = as_array(in_torch(x, pairing)), self.in_ropewalk(x, pairing, name)
                    self.assertEqual(np.flatnonzero(wanted.view(bits) != got.view(bits)).tolist(), [])


if __name__ == "__main__":
    unittest.main()
