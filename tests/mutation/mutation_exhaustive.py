"""Every mutation is killed by the test that is named beside it."""

import sys

from mutations import MUTATIONS
from runner import judge

chosen = [one for one in MUTATIONS if not sys.argv[1:] or any(word in one.name for word in sys.argv[1:])]
alive = judge(chosen)
print(f"{len(chosen)} mutations, {len(alive)} alive")
sys.exit(1 if alive else 0)
