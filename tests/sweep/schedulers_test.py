#!/usr/bin/env python3
"""The examples of src/sweep/examples give the bytes of one process: Slurm's and Kubernetes' by scripts that set their variables."""
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

import yaml

examples = pathlib.Path(os.environ["ROPEWALK_SOURCE"]) / "src/sweep/examples"
command = pathlib.Path(os.environ["ROPEWALK_COMMAND"])
which = ["--model", "llama-3.1-8b", "--positions", "262144"]
failures = 0


def run(words, **variables):
    environment = {**os.environ, "PATH": f"{command.parent}:{os.environ['PATH']}", **variables}
    answer = subprocess.run([str(word) for word in words], text=True, capture_output=True, timeout=300, env=environment)
    if answer.returncode:
        print(shlex.join(map(str, words)), "exits with", answer.returncode, answer.stdout, answer.stderr)
        sys.exit(1)


def expect(what, came, wanted):
    global failures
    if came != wanted:
        failures += 1
        print(f"{what}: {came}; expected: {wanted}")


def merge(directory):
    run([command, "sweep", "--quiet", "--merge", directory, "--output", directory / "merged"])
    return (directory / "merged/result.json").read_bytes()


with tempfile.TemporaryDirectory() as name:
    work = pathlib.Path(name)
    run([command, "sweep", *which, "--quiet", "--threads", "1", "--output", work / "whole"])
    whole = (work / "whole/result.json").read_bytes()

    for task in (3, 1, 2):
        run(["bash", examples / "slurm_array.sh", work / "slurm", *which], SLURM_ARRAY_TASK_ID=str(task),
            SLURM_ARRAY_TASK_COUNT="3", SLURM_PROCID="0", SLURM_JOB_ID="1")
    expect("a Slurm array", merge(work / "slurm") == whole, True)

    job = yaml.safe_load((examples / "kubernetes_job.yaml").read_text())
    spec, container = job["spec"], job["spec"]["template"]["spec"]["containers"][0]
    expect("an indexed job", (job["kind"], spec["completionMode"], spec["completions"]), ("Job", "Indexed", 64))
    words = list(container["command"])
    expect("its command's options", "--model llama-3.1-8b" in words[2] and "))/64" in words[2], True)
    words[2] = words[2].replace("--model llama-3.1-8b", shlex.join(which)).replace("/64", "/3")  # a small box
    for index in range(3):
        run(words, JOB_COMPLETION_INDEX=str(index), RESULTS=str(work / "kubernetes"))
    expect("a Kubernetes job", merge(work / "kubernetes") == whole, True)

    if shutil.which("parallel"):
        run(["bash", examples / "gnu_parallel.sh", "2/:", work / "parallel", 3, *which])
        expect("GNU parallel", (work / "parallel/merged/result.json").read_bytes() == whole, True)
    else:
        print("GNU parallel is not installed, and its example not run")

    if shutil.which("mpirun") and (command.parent / "libropewalk_mpi.so").exists():
        run(["bash", examples / "mpirun.sh", 2, work / "mpi", *which],
            MPIRUN_OPTIONS="--allow-run-as-root --oversubscribe")
        expect("mpirun", (work / "mpi/result.json").read_bytes() == whole, True)
    else:
        print("MPI is not installed, and its example not run")

    for task in (1, 3):  # negative control: without a shard there is no sum
        run(["bash", examples / "slurm_array.sh", work / "partial", *which], SLURM_ARRAY_TASK_ID=str(task),
            SLURM_ARRAY_TASK_COUNT="3")
    answer = subprocess.run([command, "sweep", "--quiet", "--merge", work / "partial", "--output", work / "merged"],
                            text=True, capture_output=True, timeout=300)
    expect("a merge without a shard", (answer.returncode, (work / "merged/result.json").exists()), (3, False))
sys.exit(1 if failures else 0)
