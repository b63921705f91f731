"""Two kernels in one program, right at position 0, of which one ends the process in every call."""
import os

import ropewalk_kernel


@ropewalk_kernel.kernel(dtypes=["f32"], backward=False)
def right(query):
    return query


@ropewalk_kernel.kernel(dtypes=["f32"], backward=False)
def wrong(query):
    os._exit(3)


ropewalk_kernel.serve()
