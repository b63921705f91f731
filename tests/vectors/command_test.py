#!/usr/bin/env python3
"""`ropewalk vectors`: the files, their sizes, the same bytes each time, and refusals."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

COMMAND = os.environ["ROPEWALK_COMMAND"]
LARGEST_TOPIC = 10**6  # bytes
LARGEST_PACK = 20 * 10**6
TOPICS = ["rope", "axes", "sinusoidal", "alibi", "t5", "inverse-frequencies", "rows", "hard-entries", "scaling-rules", "query-scale"]


def vectors(*options):
    return subprocess.run([COMMAND, "vectors", *options], capture_output=True, text=True, check=False)


class Vectors(unittest.TestCase):
    def test_a_pack_has_every_topic_and_is_small(self):
        with tempfile.TemporaryDirectory() as folder:
            pack = pathlib.Path(folder) / "new" / "pack"
            done = vectors("--output", str(pack))
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
            files = {path.name: path for path in pack.iterdir()}
            self.assertLessEqual({f"{topic}.json" for topic in TOPICS} | {"README.md", "LICENSE", "power.json", "tables.npz", "calls.safetensors"},
                                 set(files))
            self.assertLess(sum(path.stat().st_size for path in files.values()), LARGEST_PACK)
            ids = set()
            for topic in TOPICS:
                self.assertLess(files[f"{topic}.json"].stat().st_size, LARGEST_TOPIC, topic)
                record = json.loads(files[f"{topic}.json"].read_text())
                cases = [case for group in record["groups"] for case in group["cases"]]
                self.assertEqual(set(record["flags"]), {flag for case in cases for flag in case["flags"]}, topic)
                ids |= {case["id"] for case in cases}
            power = json.loads(files["power.json"].read_text())["mistakes"]
            self.assertEqual([row["mistake"] for row in power if "case" in row and row["case"] not in ids], [])

    def test_equal_programs_write_equal_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            packs = [pathlib.Path(folder) / name for name in ("one", "other")]
            for pack in packs:
                self.assertEqual(vectors("--output", str(pack), "--topic", "axes", "--topic", "t5").returncode, 0)
            names = sorted(path.name for path in packs[0].iterdir())
            self.assertEqual([name for name in names if name.removesuffix(".json") in TOPICS], ["axes.json", "t5.json"])
            for name in names:
                self.assertEqual((packs[0] / name).read_bytes(), (packs[1] / name).read_bytes(), name)

    def test_bad_options_are_refused_before_anything_is_written(self):
        with tempfile.TemporaryDirectory() as folder:
            pack = pathlib.Path(folder) / "pack"
            done = vectors("--output", str(pack), "--topic", "ropes")
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, r"^ropewalk: no topic named 'ropes'; did you mean 'rope'\?")
            self.assertFalse(pack.exists())
            self.assertRegex(vectors().stderr, r"^ropewalk: output is missing; allowed: a folder")
            pack.write_text("a file")
            done = vectors("--output", str(pack))
            self.assertEqual(done.returncode, 2)
            self.assertIn("allowed: a folder that is there or can be made", done.stderr)


if __name__ == "__main__":
    unittest.main()
