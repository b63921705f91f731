"""The list of certificates in proofs/README.md is that of the files."""

import json
import math
import os
import pathlib
import unittest

PROOFS = pathlib.Path(os.environ["ROPEWALK_SOURCE"]) / "proofs"


def row(file):
    certificate = json.loads(file.read_text())
    formats = {found["dtype"]: (part, found) for part in certificate["parts"] for found in part["formats"]}
    cells = [f"{formats[dtype][1]['exactly']}, 2^{math.log2(formats[dtype][1]['hardest'][0][4]):.1f}"
             for dtype in ("f32", "f16", "bf16", "f64")]
    models = certificate["models"]
    more = f" and {len(models) - 1} more" if len(models) > 1 else ""
    positions = round(math.log2(formats["f64"][0]["positions"][1]))
    return models, (f"| [{models[0]}](certificate/{file.name}){more} | {certificate['pairs']} | "
                    f"{' | '.join(cells)} | 2^{positions} |")


class CertificateList(unittest.TestCase):
    def test_the_list_is_that_of_the_files(self):
        files = sorted((PROOFS / "certificate").glob("*.json"))
        self.assertGreater(len(files), 0)
        rows = [text for _, text in sorted(row(file) for file in files)]
        listed = [line for line in (PROOFS / "README.md").read_text().splitlines() if "](certificate/" in line]
        self.assertEqual(listed, rows)


if __name__ == "__main__":
    unittest.main()
