#!/usr/bin/env python3
"""`ropewalk devices`, and what verify and apply say where no Vulkan device can serve."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ["ROPEWALK_COMMAND"]
NO_DRIVER = {"VK_ICD_FILENAMES": "/nonexistent", "VK_DRIVER_FILES": "/nonexistent"}
QUICK = ["--model", "llama-3.1-8b", "--dtype", "f32", "--law", "canonical", "--cases", "3", "--allow-cut"]


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
        self.assertEqual([device["used"] for device in devices].count(True), 1)

    def test_no_driver_exits_3_in_one_line(self):
        done = run("devices", **NO_DRIVER)
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertRegex(done.stderr, r"\Aropewalk: no Vulkan driver is installed.*\n\Z")

    def test_no_loader_exits_3_in_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "libvulkan.so.1").write_text("not a library\n")
            done = run("devices", LD_LIBRARY_PATH=folder)
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertRegex(done.stderr, r"\Aropewalk: no Vulkan loader: .*libvulkan.so.1.*\n\Z")

    def test_a_device_that_fails_is_listed_with_what_it_said(self):
        done = run("devices", ROPEWALK_FAULT="vkQueueSubmit:0:-4", VK_INSTANCE_LAYERS="VK_LAYER_ROPEWALK_fault",
                   VK_ADD_LAYER_PATH=os.environ["ROPEWALK_BUILD"] + "/tests/fault_layer")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("kernels: none: vkQueueSubmit returned VK_ERROR_DEVICE_LOST", done.stdout)
        self.assertNotIn("<- used", done.stdout)

    def test_a_driver_without_hardware_exits_3(self):
        """Mesa's drivers of cards: each, where its card is not in this machine."""
        drivers = sorted(map(str, Path("/usr/share/vulkan/icd.d").glob("*_icd.*.json")))
        self.assertTrue(drivers, "mesa-vulkan-drivers has some")
        seen = 0
        for driver in ["/dev/null", *drivers]:
            done = run("devices", VK_ICD_FILENAMES=driver, VK_DRIVER_FILES=driver)
            if done.returncode == 0:
                continue
            seen += 1
            self.assertEqual((done.returncode, done.stdout), (3, ""))
            self.assertRegex(done.stderr, r"\Aropewalk: .+\n\Z")
        self.assertGreaterEqual(seen, 2)


class WithoutDevice(unittest.TestCase):
    def test_verify_says_why_and_goes_on(self):
        done = run("verify", *QUICK, **NO_DRIVER)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Vulkan kernels are not verified: no Vulkan driver is installed", done.stderr)
        self.assertNotIn("vulkan-turns", done.stdout)

    def test_reports_say_so_too(self):
        done = run("verify", *QUICK, "--quiet", "--json", **NO_DRIVER)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("no Vulkan driver is installed", json.loads(done.stdout)["left_out"])
        done = run("verify", *QUICK, "--quiet", "--json")
        self.assertIsNone(json.loads(done.stdout)["left_out"])

    def test_a_device_that_the_environment_names_is_asked_for(self):
        done = run("verify", *QUICK, ROPEWALK_VULKAN_DEVICE="0", **NO_DRIVER)
        self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
        done = run("verify", *QUICK, "--kernel", "cpu-table", ROPEWALK_VULKAN_DEVICE="0", **NO_DRIVER)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_device_that_fails_is_no_missing_device(self):
        layer = {"VK_ADD_LAYER_PATH": os.environ["ROPEWALK_BUILD"] + "/tests/fault_layer",
                 "VK_INSTANCE_LAYERS": "VK_LAYER_ROPEWALK_fault"}
        for rule in ("vkQueueSubmit:1:-4", "vkAllocateMemory:1:-1"):
            done = run("verify", *QUICK, ROPEWALK_FAULT=rule, **layer)
            self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
            self.assertRegex(done.stderr, r"\Aropewalk: .+ returned VK_ERROR_.+\n\Z")

    def test_what_requires_one_exits_3_and_passes_nothing(self):
        for arguments in (["--require-vulkan"], ["--device", "0"], ["--kernel", "vulkan-turns"]):
            with self.subTest(arguments):
                done = run("verify", *QUICK, *arguments, **NO_DRIVER)
                self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn("no Vulkan driver is installed", done.stderr)


class WithDevice(unittest.TestCase):
    def test_verify_covers_every_kernel(self):
        done = run("verify", *QUICK, "--require-vulkan", "--verbose")
        self.assertEqual(done.returncode, 0, done.stderr)
        for kernel in ("vulkan-turns", "vulkan-table"):
            self.assertRegex(done.stdout, rf"(?m)^{kernel} .* holds$")
        done = run("verify", "--dtype", "f32", "--law", "canonical", "--cases", "3", "--allow-cut", "--require-vulkan",
                   "--verbose")
        for kernel in ("vulkan-sinusoidal-add", "vulkan-alibi-add"):
            self.assertRegex(done.stdout, rf"(?m)^{kernel} .* holds$")

    def test_builtin_pow_cos_and_sin_break_the_bound_of_their_promise(self):
        done = run("verify", "--kernel", "recipe-glsl", "--model", "llama-3.1-8b", "--dtype", "f32", "--cases", "20", "--allow-cut",
                   "--law", "accuracy", "--law", "linearity")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^f32 +accuracy .* FAILS$")
        self.assertRegex(done.stdout, r"(?m)^f32 +linearity .* holds$")

    def test_reports_name_the_device(self):
        name = json.loads(run("devices", "--json").stdout)[0]["name"]
        for kernel, is_named in (("vulkan-turns", True), ("cpu-turns", False)):
            done = run("verify", *QUICK, "--kernel", kernel)
            self.assertEqual(f"\nVulkan: {name}, " in done.stdout, is_named, done.stdout)
            for report in ("json", "junit"):
                self.assertEqual(name in run("verify", *QUICK, "--kernel", kernel, f"--report={report}=-").stdout,
                                 is_named)

    def test_a_device_that_nothing_would_run_on_is_refused(self):
        for asked in (["--require-vulkan"], ["--device", "0"]):
            for named in (["--kernel", "cpu-table"], ["--target", "all"]):
                for environment in ({}, NO_DRIVER):
                    done = run("verify", *QUICK, *asked, *named, **environment)
                    self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                    self.assertRegex(done.stderr, rf"\Aropewalk: {asked[0][2:]} is .*; allowed: .*\n\Z")

    def test_a_device_that_is_not_there_is_refused_and_the_others_named(self):
        for wanted in ("99", "no such card"):
            for done in (run("verify", *QUICK, "--device", wanted),
                         run("verify", *QUICK, "--kernel", "vulkan-turns", ROPEWALK_VULKAN_DEVICE=wanted)):
                self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
                self.assertRegex(done.stderr, rf"\Aropewalk: .*device is {wanted}; there are: 0 \(.*\n\Z")


if __name__ == "__main__":
    unittest.main()
