"""Every mutation names what is there, and a sample of them is killed; mutation_exhaustive.py tests all of them."""

import sys
import unittest

from mutations import MUTATIONS
from runner import judge


class Mutations(unittest.TestCase):
    def test_names_differ(self):
        self.assertEqual(len(MUTATIONS), len({one.name for one in MUTATIONS}))
        self.assertGreaterEqual(len(MUTATIONS), 60)

    def test_each_names_a_line_and_a_test_that_stand(self):
        self.assertEqual([f"{one.name}: {one.stale_words()}" for one in MUTATIONS if one.stale_words()], [])

    def test_a_sample_is_killed(self):
        sample = [one for one in MUTATIONS if one.name == "score_bound: three times"]
        self.assertEqual(len(sample), 1)
        self.assertEqual(judge(sample), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
