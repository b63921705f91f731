"""Functions whose calls are timed, each of another kind; the argument "torch" adds those of torch."""
import sys
import time

import numpy as np

import ropewalk_kernel

numpy_serves = dict(promise="angle-f64", dtypes=["f32"])
counted = 0


@ropewalk_kernel.kernel(**numpy_serves)
def overwrites(query, key, positions):
    query += positions[..., None, None]
    key += 1
    positions[...] = 1000  # as a careless function might


@ropewalk_kernel.kernel(**numpy_serves)
def first_call_is_slow(query):
    global counted
    counted += 1
    time.sleep(0.5 if counted == 1 else 0.001)
    return query + counted


@ropewalk_kernel.kernel(**numpy_serves)
def raises(query):
    raise IndexError("no such token")


@ropewalk_kernel.kernel(**numpy_serves, time=False)
def offers_none(query):
    return query


if len(sys.argv) > 1:
    import torch

    @ropewalk_kernel.kernel(**numpy_serves)
    def forward_is_slow(query: torch.Tensor):
        time.sleep(0.05)
        return 3 * query

    @ropewalk_kernel.kernel(**numpy_serves, device="meta")
    def on_a_device_without_a_clock(query: torch.Tensor):
        return query

ropewalk_kernel.serve()
