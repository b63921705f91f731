"""`python3 -m ropewalk verify ...`: the program."""

import os
import sys

from ropewalk._check import program

os.execv(program(), [program(), *sys.argv[1:]])
