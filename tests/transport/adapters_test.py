#!/usr/bin/env python3
"""Functions written here to the signatures of engines: right ones hold through their adapters, wrong ones do not."""
import os
import subprocess
import sys
import unittest

import needs

needs.modules("torch")
import torch  # noqa: E402

sys.path.insert(0, needs.environment["PYTHONPATH"])
import ropewalk  # noqa: E402
import ropewalk_kernel  # noqa: E402
from ropewalk import adapters  # noqa: E402

torch.set_num_threads(1)
in_full = os.environ.get("ROPEWALK_IN_FULL") == "1"  # else a sample of the models, and wrong ones in one dtype
IN_DTYPE = "angle=f32,table=data,rotation=data,fused"
IN_BINARY32 = "angle=f32,table=f32,rotation=f32,fused"


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat((-x[..., half:], x[..., :half]), dim=-1)


def apply_rotary_pos_emb(q, k, cos, sin, unsqueeze_dim=1):
    cos, sin = cos.unsqueeze(unsqueeze_dim), sin.unsqueeze(unsqueeze_dim)
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


class Rotation(torch.autograd.Function):
    """With a backward pass of its own, as Liger's: the rotation by the opposite angle."""

    @staticmethod
    def forward(ctx, q, k, cos, sin):
        ctx.save_for_backward(cos, sin)
        return apply_rotary_pos_emb(q, k, cos, sin)

    @staticmethod
    def backward(ctx, dq, dk):
        cos, sin = ctx.saved_tensors
        return (*apply_rotary_pos_emb(dq, dk, cos, -sin), None, None)


class WrongBackward(Rotation):
    @staticmethod
    def backward(ctx, dq, dk):
        cos, sin = ctx.saved_tensors
        return (*apply_rotary_pos_emb(dq, dk, cos, sin), None, None)


def liger_rotary_pos_emb(q, k, cos, sin):
    return Rotation.apply(q, k, cos, sin)


def liger_turning_forward(q, k, cos, sin):
    return WrongBackward.apply(q, k, cos, sin)


def turn_flat(tensor, head_size, cos, sin, is_neox):
    """Turns [tokens, heads * head_size] in place by cosines and sines of [tokens, pairs]."""
    heads = tensor.view(tensor.shape[0], tensor.shape[1] // head_size, head_size)
    pairs = cos.shape[-1]
    cos, sin = cos[:, None], sin[:, None]
    first = heads[..., :pairs] if is_neox else heads[..., 0:2 * pairs:2]
    second = heads[..., pairs:2 * pairs] if is_neox else heads[..., 1:2 * pairs:2]
    x, y = first.to(cos.dtype), second.to(cos.dtype)
    turned = (x * cos - y * sin).to(tensor.dtype), (y * cos + x * sin).to(tensor.dtype)
    first.copy_(turned[0])
    second.copy_(turned[1])


def rotary_embedding(positions, query, key, head_size, cos_sin_cache, is_neox):
    cos, sin = cos_sin_cache[positions].chunk(2, dim=-1)
    for tensor in (query, key):
        turn_flat(tensor, head_size, cos, sin, is_neox)


def rotary_embedding_of_the_query(positions, query, key, head_size, cos_sin_cache, is_neox):
    cos, sin = cos_sin_cache[positions].chunk(2, dim=-1)
    turn_flat(query, head_size, cos, sin, is_neox)


def apply_rope_pos_ids(q, k, pos_ids, rotary_dim=None, interleave=False, rope_scale=1.0, rope_theta=1e4):
    exponents = torch.arange(0, rotary_dim, 2, dtype=torch.float32) / rotary_dim
    angles = pos_ids[:, None].float() * (1 / rope_scale / rope_theta ** exponents)
    turned = [x.flatten(1).clone() for x in (q, k)]
    for one, x in zip(turned, (q, k)):
        turn_flat(one, x.shape[-1], angles.cos(), angles.sin(), not interleave)
    return turned[0].view_as(q), turned[1].view_as(k)


FEW = {"model": "llama-3.1-8b", "seed": 1, "options": ["--allow-cut"]}  # cases
# The law of sizes takes most of the time, and asks nothing of an adapter that the other laws do not.
SAMPLED = {**FEW, "options": ["--allow-cut", "--skip-law", "sizes=its cases are many tokens"]}

WRONG = ["accuracy", "norm", "adjoint"]  # laws of which a wrong function breaks one


def sampled(how):
    return FEW if in_full or "laws" in how else SAMPLED


class Adapters(unittest.TestCase):
    def holds(self, function, promise, **how):
        less = {"cases": 12} if in_full else {"cases": 6, "dtypes": ["f32", "bf16"]}
        result = ropewalk.check(function, promise=promise, **{**sampled(how), **less, **how})
        self.assertTrue(result.holds, result)

    def fails(self, function, promise, words, **how):
        less = {} if in_full else {"dtypes": ["f32"], "laws": WRONG}
        result = ropewalk.check(function, promise=promise, **{**sampled(how), "cases": 12, **less, **how})
        self.assertFalse(result.holds, result)
        self.assertIn(words, result.text)

    def test_hugging_face(self):
        for dim in (1, 2) if in_full else (1,):
            self.holds(adapters.hugging_face(apply_rotary_pos_emb, unsqueeze_dim=dim), IN_DTYPE)

        def exchanged(q, k, cos, sin, unsqueeze_dim=1):
            return apply_rotary_pos_emb(q, k, sin, cos, unsqueeze_dim)

        self.fails(adapters.hugging_face(exchanged), IN_DTYPE, "again:  ropewalk.check(ropewalk.adapters.hugging_face(exchanged), model=", backward=False)

    def test_they_are_there_without_an_import(self):
        told = subprocess.run([sys.executable, "-c", "import ropewalk; print(ropewalk.adapters.__name__)"], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
        self.assertEqual(told.stdout, "ropewalk.adapters\n", told.stderr)

    def test_common_mistakes_of_a_function_are_named(self):
        """The gradient of each is what torch derives from it, so that they differ from kernels with the same mistake."""
        def without_minus(x):
            first, second = x.chunk(2, dim=-1)
            return torch.cat((second, first), dim=-1)

        def interleaved(x):
            return torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)

        def turned_by(half, rows=slice(None)):
            def wrong(q, k, cos, sin, unsqueeze_dim=1):
                cos, sin = cos[rows].unsqueeze(unsqueeze_dim), sin[rows].unsqueeze(unsqueeze_dim)
                return q * cos + half(q) * sin, k * cos + half(k) * sin
            return adapters.hugging_face(wrong)

        def overwritten(q, k, cos, sin, unsqueeze_dim=1):
            cos, sin = cos.unsqueeze(unsqueeze_dim), sin.unsqueeze(unsqueeze_dim)
            q, k = q * cos, k * cos
            return q + rotate_half(q) * sin, k + rotate_half(k) * sin

        for function, words in ((adapters.hugging_face(overwritten), "the sine is multiplied by the cosine"),
                                (turned_by(without_minus), "it lacks a minus"),
                                (turned_by(interleaved), "rotate_half and tables are of two conventions"),
                                (turned_by(rotate_half, slice(1)), "every batch row is turned by the positions of the first")):
            with self.subTest(words):
                self.fails(function, "hf", words, laws=["accuracy"], dtypes=["f32"])

    def test_threads_of_torch_do_not_reach_the_forked_worker(self):
        torch.set_num_threads(4)
        torch.cos(torch.ones(1000, 1000))  # starts them
        try:
            self.holds(adapters.hugging_face(apply_rotary_pos_emb), IN_DTYPE, dtypes=["f32"], laws=["accuracy", "sizes"])
        finally:
            torch.set_num_threads(1)

    def test_a_function_says_which_tensors_it_takes(self):
        def of_numpy(query):
            return query.astype(query.dtype)  # torch's tensors have no astype

        self.fails(of_numpy, IN_DTYPE, "left unrotated", arrays="numpy", dtypes=["f32"],
                   crossing=False)

    def test_arrays_are_torchs_where_the_function_uses_it(self):
        def imports_it(query):
            import torch as it
            return it.clone(query)

        def of_neither(query):
            return query

        exec("def alone(query): return query", apart := {})  # in a module without torch

        def closes_over_nothing_yet(query):
            return later

        self.assertEqual([ropewalk_kernel._uses_torch(one) for one in
                          (imports_it, of_neither, apart["alone"], closes_over_nothing_yet)], [True, True, False, True])
        later = None  # noqa: F841  (not bound while the question was asked)

    def test_liger(self):
        self.holds(adapters.liger(liger_rotary_pos_emb), IN_DTYPE)
        self.fails(adapters.liger(liger_turning_forward), IN_DTYPE, "backward")

    def test_vllm(self):
        for model in ("llama-3.1-8b", "gpt-j-6b", "gpt-neox-20b") if in_full else ("gpt-neox-20b",):
            self.holds(adapters.vllm(rotary_embedding, max_position=4096), IN_DTYPE, model=model)
        self.fails(adapters.vllm(rotary_embedding_of_the_query, max_position=4096), IN_DTYPE, "the key alone")

    def test_flashinfer(self):
        self.holds(adapters.flashinfer_cos_sin_cache(rotary_embedding, max_position=4096), IN_BINARY32)
        formed = "frequency=f32," + IN_BINARY32
        for model in ("llama-2-7b", "gpt-j-6b") if in_full else ("gpt-j-6b",):
            self.holds(adapters.flashinfer_pos_ids(apply_rope_pos_ids), formed, model=model)


if __name__ == "__main__":
    unittest.main()
