#!/usr/bin/env python3
"""`ropewalk devices`, and what verify and apply say where no Vulkan device can serve."""
import json
import os
import subprocess
import unittest

PROGRAM = os.environ["ROPEWALK_COMMAND"]
NO_DRIVER = {"VK_ICD_FILENAMES": "/nonexistent", "VK_DRIVER_FILES": "/nonexistent"}
QUICK = ["--model", "llama-3.1-8b", "--dtype", "f32", "--law", "canonical", "--cases", "3"]


def run(*arguments, **environment):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=300,
                          env=os.environ | environment)


class Devices(unittest.TestCase):
    def test_each_says_what_it_promises(self):
        done = run("devices", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        devices = json.loads(done.stdout)
        self.assertGreaterEqual(len(devices), 1)
        for device in devices:
            self.assertIn(device["subnormals"], ("promised", "observed", "missing"))
            self.assertEqual(device["canonical"], device["refused"] == "")
            self.assertIn(device["name"], run("devices").stdout)
        self.assertTrue(any(device["canonical"] for device in devices))

    def test_no_driver_exits_3_in_one_line(self):
        done = run("devices", **NO_DRIVER)
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertRegex(done.stderr, r"\Aropewalk: no Vulkan driver is installed.*\n\Z")

    def test_a_driver_without_hardware_exits_3(self):
        done = run("devices", VK_ICD_FILENAMES="/dev/null", VK_DRIVER_FILES="/dev/null")
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)


class WithoutDevice(unittest.TestCase):
    def test_verify_says_why_and_goes_on(self):
        done = run("verify", *QUICK, **NO_DRIVER)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Vulkan kernels are not verified: no Vulkan driver is installed", done.stderr)
        self.assertNotIn("vulkan-turns", done.stdout)

    def test_what_requires_one_exits_3_and_passes_nothing(self):
        for arguments in (["--require-vulkan"], ["--device", "0"], ["--kernel", "vulkan-turns"]):
            with self.subTest(arguments):
                done = run("verify", *QUICK, *arguments, **NO_DRIVER)
                self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn("no Vulkan driver is installed", done.stderr)


class WithDevice(unittest.TestCase):
    def test_verify_covers_both_kernels(self):
        done = run("verify", *QUICK, "--require-vulkan")
        self.assertEqual(done.returncode, 0, done.stderr)
        for kernel in ("vulkan-turns", "vulkan-table"):
            self.assertRegex(done.stdout, rf"(?m)^{kernel} .* holds$")

    def test_a_device_that_is_not_there_is_refused_and_the_others_named(self):
        for wanted in ("99", "no such card"):
            for done in (run("verify", *QUICK, "--device", wanted),
                         run("verify", *QUICK, "--kernel", "vulkan-turns", ROPEWALK_VULKAN_DEVICE=wanted)):
                self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
                self.assertRegex(done.stderr, rf"\Aropewalk: .*device is {wanted}; there are: 0 \(.*\n\Z")


if __name__ == "__main__":
    unittest.main()
