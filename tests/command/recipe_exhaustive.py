"""A recipe keeps what it promises itself, and is judged as good as that, under every law."""

import unittest

import recipe_test


class Recipe(recipe_test.Judged):
    def test_a_recipe_keeps_what_it_promises_itself(self):
        for kernel in recipe_test.AS_GOOD_AS:
            with self.subTest(kernel):
                self.expect_judged(kernel)


if __name__ == "__main__":
    unittest.main()
