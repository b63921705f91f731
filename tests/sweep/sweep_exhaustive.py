"""ropewalk sweep under 200 kills at random moments, of a process, a rank or the launcher; and 50 partitions."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from sweep_runs import MPIRUN, UNITS, SweepRuns  # noqa: E402

KILLS = 200
PARTITIONS = 50


class Exhaustive(SweepRuns):
    def test_kills(self):
        whole, chance = self.whole(), random.Random(20)
        repeated = 0
        for kill in range(KILLS):
            kind = ("process", "shard", "rank", "launcher")[kill % 4]
            before = [*MPIRUN, "-n", "2"] if kind in ("rank", "launcher") else []
            options = ["--shard", "1/1"] if kind == "shard" else []
            run = subprocess.Popen(self.command("killed", "--threads", "1", *options, before=before),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            time.sleep(chance.random() * (1.0 if before else 0.3))
            if kind == "rank":
                ranks = subprocess.run(["pgrep", "-P", str(run.pid)], capture_output=True, text=True).stdout.split()
                for pid in ranks[:1]:
                    with contextlib.suppress(ProcessLookupError):  # it has ended by itself
                        os.kill(int(pid), signal.SIGKILL)
            else:
                run.kill()
            run.wait()
            time.sleep(0.05)
            # Every fourth time the results are finished, compared and begun anew.
            if kill % 4 == 3:
                self.sweep("killed")
                self.assertEqual(self.results("killed"), whole, kind)
                lines = len(self.lines("killed"))
                self.assertLessEqual(lines, UNITS + 2 * 2 + 2)
                repeated += lines - UNITS
                for file in (self.folder / "killed").iterdir():
                    file.unlink()
                (self.folder / "killed").rmdir()
        print(f"{KILLS} kills: {repeated} units done again or torn, all results identical")

    def test_partitions(self):
        whole, chance = self.whole(), random.Random(50)
        for number in range(PARTITIONS):
            count = chance.randint(1, 9)
            shards = list(range(1, count + 1))
            chance.shuffle(shards)
            parts = []
            for shard in shards:
                parts.append(f"{number}-{chance.randint(1, 3)}")
                self.sweep(parts[-1], "--shard", f"{shard}/{count}")
            parts = list(dict.fromkeys(parts))
            chance.shuffle(parts)
            self.merge(f"{number}-merged", *parts)
            self.assertEqual(self.results(f"{number}-merged"), whole)
        print(f"{PARTITIONS} partitions merge to identical bytes")


if __name__ == "__main__":
    unittest.main()
