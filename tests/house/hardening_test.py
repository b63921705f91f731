#!/usr/bin/env python3
"""The programs and libraries of this build are hardened: read from their ELF files, and for what leaves no mark there,
from the commands that compiled them."""
import glob
import json
import os
import re
import subprocess
import sys

source, build = os.environ["ROPEWALK_SOURCE"], os.environ["ROPEWALK_BUILD"]
cache = open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8").read()
if re.search(r"^CMAKE_CXX_FLAGS:.*-fsanitize", cache, re.M) or not re.search(r"^CMAKE_BUILD_TYPE:.*=Release$", cache, re.M):
    print("skipped: not a release build")
    sys.exit(77)
complaints = []


def read(file, *options):
    return subprocess.run(["readelf", "-W", *options, file], capture_output=True, text=True, check=True).stdout


programs = [os.path.join(build, name) for name in ("ropewalk", "ropewalk_bench")]
libraries = [os.path.realpath(os.path.join(build, name))
             for name in ("src/libropewalk_kernels.so", "src/libropewalk_faults.so", "libropewalk_mpi.so")]
files = [file for file in programs + libraries if os.path.exists(file)]
assert programs[0] in files and libraries[0] in files and libraries[1] in files, files
for file in files:
    name = os.path.basename(file)

    def require(holds, what):
        if not holds:
            complaints.append(f"{name} {what}")

    segments, dynamic, symbols = read(file, "--segments"), read(file, "--dynamic"), read(file, "--dyn-syms")
    require("GNU_RELRO" in segments, "has no relocations that are read-only afterwards")
    require(re.search(r"\(FLAGS(_1)?\).*NOW", dynamic), "binds functions late, so that their table stays writable")
    require(re.search(r"^Elf file type is DYN", segments, re.M), "has a fixed address")
    require(re.search(r"GNU_STACK\s.*\sRW\s", segments), "has an executable stack")
    if name != "libropewalk_mpi.so":  # which has no array on a stack
        require("__stack_chk_fail" in symbols, "has no guarded stack")
    if file in programs:
        require(re.search(r"__(mem|str|v?sn?printf|read)\w*_chk", symbols), "has no copy whose size is checked")
    if "x86-64" in read(file, "--file-header"):
        require("IBT" in read(file, "--notes") and "SHSTK" in read(file, "--notes"), "does not guard indirect jumps")

# Every source of what is released is compiled so.
wanted = ["-fstack-protector-strong", "-fstack-clash-protection", "-D_FORTIFY_SOURCE=3", f"-ffile-prefix-map={source}/="]
with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as commands:
    of_product = [one for one in json.load(commands) if re.search(r" -o (src|gpu|bench)/", one["command"])]
if len(of_product) < 20:
    complaints.append(f"only {len(of_product)} sources are compiled for programs and libraries")
for one in of_product:
    for flag in wanted:
        if flag not in one["command"]:
            complaints.append(f"{one['file']} is compiled without {flag}")

# Actions of others are named by commit: a tag can be moved.
for file in [os.path.join(source, "action.yml"), *glob.glob(os.path.join(source, ".github/workflows/*.yml"))]:
    for used in re.findall(r"^\s*-?\s*uses: (\S+)", open(file, encoding="utf-8").read(), re.M):
        if not used.startswith("./") and not re.search(r"@[0-9a-f]{40}$", used):
            complaints.append(f"{os.path.basename(file)} uses {used}, which is no commit")

print("\n".join(complaints) or f"{len(files)} files and {len(of_product)} sources are hardened")
sys.exit(1 if complaints else 0)
