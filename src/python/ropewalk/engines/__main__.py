"""`python3 -m ropewalk.engines NAME...` serves kernels of engines to `ropewalk verify --kernel program:`; without a name it lists them."""

import sys

import ropewalk_kernel
from ropewalk import engines

if len(sys.argv) == 1:
    print("\n".join(engines.kernels()))
    sys.exit(0)
for name in sys.argv[1:]:
    try:
        ropewalk_kernel.kernel(promise="hf", name=name)(engines.kernel(name))
    except ValueError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
ropewalk_kernel.serve()
