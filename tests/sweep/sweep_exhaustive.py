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
from sweep_runs import MPIRUN, SMALL, UNITS, SweepRuns  # noqa: E402

KILLS = 200
PARTITIONS = 50
# 64 units that take long enough to be killed among them.
LONG = [*SMALL[:4], "--positions", "2097152", *SMALL[6:]]


class Exhaustive(SweepRuns):
    def test_kills(self):
        self.sweep("whole", box=LONG)
        whole, chance = self.results("whole"), random.Random(20)
        among_units = repeated = hung = 0
        for kill in range(KILLS):
            kind = ("process", "shard", "rank", "launcher")[kill % 4]
            before = [*MPIRUN, "-n", "2"] if kind in ("rank", "launcher") else []
            options = ["--shard", "1/1"] if kind == "shard" else []
            run = subprocess.Popen(self.command("killed", "--threads", "1", *options, box=LONG,
                                                before=before),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            time.sleep(chance.random() * (1.0 if before else 0.3))
            if kind == "rank":
                ranks = subprocess.run(["pgrep", "-P", str(run.pid)], capture_output=True, text=True).stdout.split()
                for pid in ranks[:1]:
                    with contextlib.suppress(ProcessLookupError):  # it has ended by itself
                        os.kill(int(pid), signal.SIGKILL)
            else:
                run.kill()
            hung += self.has_to_be_killed(run)
            self.wait_for_session(run.pid)
            among_units += 0 < len(self.lines("killed")) < UNITS
            # Every fourth time the results are finished, compared and begun anew.
            if kill % 4 == 3:
                self.sweep("killed", box=LONG)
                self.assertEqual(self.results("killed"), whole, kind)
                lines = len(self.lines("killed"))
                self.assertLessEqual(lines, UNITS + 4)  # a torn line a kill
                repeated += lines - UNITS
                for file in (self.folder / "killed").iterdir():
                    file.unlink()
                (self.folder / "killed").rmdir()
        self.assertGreater(among_units, KILLS / 4)
        print(f"{KILLS} kills, {among_units} of them among the units: {repeated} lines torn or twice, all results "
              f"identical; mpirun had to be killed {hung} times")

    def has_to_be_killed(self, run):
        """Waits for a run's end. Open MPI's mpirun may wait for ever for a rank that was killed as it began."""
        try:
            run.wait(timeout=10)
            return False
        except subprocess.TimeoutExpired:
            run.kill()
            run.wait()
            return True

    def wait_for_session(self, session):
        """Until the ranks have seen that their launcher or another rank is gone: what they do meanwhile counts."""
        for _ in range(1000):
            states = subprocess.run(["ps", "-o", "stat=", "--sid", str(session)], capture_output=True, text=True)
            if all(state.startswith("Z") for state in states.stdout.split()):
                return
            time.sleep(0.01)
        self.fail("ranks live on without their launcher")

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
