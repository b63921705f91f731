#!/usr/bin/env python3
"""Ranks under mpirun: every number is handed out once; stopping, throwing and dying end the hand-out; waiting
costs no core.

Without the module for MPI, a program that a launcher started says how to get it.
"""
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

build = pathlib.Path(os.environ["ROPEWALK_BUILD"])
program, module = build / "hand_out", build / "libropewalk_mpi.so"
failures = 0


def expect(what, came, wanted):
    global failures
    if came != wanted:
        failures += 1
        print(f"{what}: {came}; expected: {wanted}")


def run(words, **variables):
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMI", "MV2_"))}
    return subprocess.run([str(word) for word in words], text=True, capture_output=True, timeout=60,
                          env={**plain, **variables})


def numbers(output):
    return [int(line) for line in output.splitlines() if line.isdigit()]


def once_each(output, size):
    """None, or what is wrong with the numbers that were printed."""
    counts = collections.Counter(numbers(output))
    wrong = {number: counts[number] for number in set(counts) | set(range(size)) if counts[number] != 1 or number >= size}
    return wrong or None


# Alone, and under launchers without the module.
alone = run([program, 50, 0])
expect("a lone process", (alone.returncode, once_each(alone.stdout, 50)), (0, None))
expect("a number left out and one given twice", once_each("0\n2\n2\n", 3), {1: 0, 2: 2})  # negative control
slurm = run([program, 5, 0], SLURM_PROCID="1", SLURM_NTASKS="4", SLURM_ARRAY_TASK_ID="1")
expect("Slurm's variables without MPI's", (slurm.returncode, once_each(slurm.stdout, 5)), (0, None))
with tempfile.TemporaryDirectory() as place:
    lonely = shutil.copy(program, place)
    for name in ("OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "PMIX_RANK", "MV2_COMM_WORLD_SIZE"):
        answer = run([lonely, 5, 0], **{name: "2"})
        expect(f"{name} without the module", answer.returncode, 3)
        for word in ("ropewalk-mpi", "libopenmpi-dev", "openmpi-bin", "ROPEWALK_MPI=ON"):
            expect(f"{name}: {word} is said", word in answer.stderr, True)
    pathlib.Path(place, module.name).write_text("no library")
    answer = run([lonely, 5, 0], PMI_RANK="0")
    expect("a module that is none", (answer.returncode, "cannot be loaded" in answer.stderr), (3, True))
    (pathlib.Path(place) / module.name).unlink()
    if module.exists():  # as installed
        (pathlib.Path(place) / "bin").mkdir()
        (pathlib.Path(place) / "lib/ropewalk").mkdir(parents=True)
        installed = shutil.move(lonely, pathlib.Path(place) / "bin")
        shutil.copy(module, pathlib.Path(place) / "lib/ropewalk")
        answer = run([installed, 5, 0], OMPI_COMM_WORLD_SIZE="1")  # without mpirun, MPI starts one rank
        expect("an installed module", (answer.returncode, once_each(answer.stdout, 5)), (0, None))
        expect("its ranks", "rank 0 of 1 " in answer.stdout, True)

if not module.exists() or not shutil.which("mpirun"):
    print("skipped: without libopenmpi-dev and openmpi-bin, mpirun is not tested")
    sys.exit(1 if failures else 77)


def mpirun(ranks, *arguments):
    return run(["mpirun", "-n", ranks, "--allow-run-as-root", "--oversubscribe", program, *arguments])


def lines(output):
    """By rank: the numbers that it knows of, and its processor seconds."""
    found = re.findall(r"^rank (\d+) of 3 knows of (\d+) in \S+ s, processor (\S+) s$", output, re.M)
    return {int(rank): (int(known), float(cost)) for rank, known, cost in found}


full = mpirun(3, 400, 2000)
expect("exit code", (full.returncode, full.stderr), (0, ""))
expect("three ranks", once_each(full.stdout, 400), None)
known = lines(full.stdout)
expect("what rank 0 knows", known[0][0], 400)
expect("what the others know is theirs", all(0 < known[rank][0] < 400 for rank in (1, 2)), True)
expect("none", (mpirun(3, 0, 0).returncode, numbers(mpirun(3, 0, 0).stdout)), (0, []))

stopped = mpirun(3, 4000, 2000, "stop", 100)
expect("stopped", (stopped.returncode, stopped.stderr), (0, ""))
taken = numbers(stopped.stdout)
expect("numbers of a stopped run: a beginning, each once", once_each(stopped.stdout, len(taken)), None)
expect("few after the stop", 100 < len(taken) < 150, True)
expect("rank 0 knows them", lines(stopped.stdout)[0][0], len(taken))

for what, code in (("throw", 2), ("kill", 137)):
    begin = time.monotonic()
    ended = mpirun(3, 100000, 1000, what, 100)
    expect(f"exit code: {what}", ended.returncode, code)
    expect(f"{what} ends all soon", time.monotonic() - begin < 20, True)
    expect(f"{what}: no rank finishes", lines(ended.stdout), {})
    if what == "throw":
        expect("what was wrong is said once", ended.stderr.count("number is 100; allowed: others"), 1)

waited = mpirun(3, 10, 0, "pause", 5)
expect("a rank is waited for", once_each(waited.stdout, 10), None)
costs = [cost for _, cost in lines(waited.stdout).values()]
expect(f"ranks, and processor seconds of two seconds of waiting: {costs}", (len(costs), max(costs, default=2) < 0.4), (3, True))
sys.exit(1 if failures else 0)
