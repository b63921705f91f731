"""`python3 -m ropewalk verify ...` runs the program."""

import os
import sys
from typing import NoReturn

from ropewalk._program import program


def main() -> NoReturn:
    os.execv(program(), [program(), *sys.argv[1:]])


if __name__ == "__main__":
    main()
