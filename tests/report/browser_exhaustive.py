#!/usr/bin/env python3
"""axe-core finds nothing serious in the page of `ropewalk report`, in the light, in the dark and on a phone. axe-core comes from
npm, by its hash; without a network the test is skipped."""
import base64
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

import browser

VERSION = "4.10.3"
SHA512 = "Xm7bpRXnDSX2YE2YFfBk2FnF0ep6tmG7xPh8iHee8MIcrgq762Nkce856dYtJYLkuIoYZvGfTs/PbZhideTcEg=="
SERIOUS = ("serious", "critical")

browser.require()
if not shutil.which("npm"):
    browser.skip("npm is not installed")


def axe_core(folder):
    """The script of axe-core, from npm's registry."""
    try:
        run = subprocess.run(["npm", "pack", "--silent", "axe-core@" + VERSION], cwd=folder, capture_output=True, text=True,
                             timeout=120)
    except subprocess.TimeoutExpired:
        browser.skip("npm's registry does not answer")
    if run.returncode:
        browser.skip("npm's registry cannot be reached: " + run.stderr.strip()[-200:])
    archive = os.path.join(folder, f"axe-core-{VERSION}.tgz")
    with open(archive, "rb") as file:
        found = base64.b64encode(hashlib.sha512(file.read()).digest()).decode()
    if found != SHA512:
        sys.exit(f"axe-core {VERSION} is not the one that this test was written with: sha512-{found}")
    with tarfile.open(archive) as files:
        return files.extractfile("package/axe.min.js").read().decode()


class Accessibility(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.axe = axe_core(cls.folder.name)
        cls.page, _ = browser.write_page(cls.folder.name)
        cls.driver = browser.started()
        cls.driver.set_script_timeout(300)

    @classmethod
    def tearDownClass(cls):
        browser.stop(cls.driver)
        cls.folder.cleanup()

    def serious(self, width=1280, colours="light", before=""):
        """What axe-core finds of the page, opened anew: "rule: element: how to mend it"."""
        send = self.driver.execute_cdp_cmd
        send("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500})
        send("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": colours}]})
        send("Page.setBypassCSP", {"enabled": True})  # axe-core is not the page's own script
        self.driver.get("file://" + self.page)
        self.driver.execute_script("for (const one of document.querySelectorAll('details')) one.open = true;" + before)
        self.driver.execute_script(self.axe)
        found = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            "axe.run({resultTypes: ['violations']}).then((r) => done(r.violations), (e) => done(String(e)));")
        self.assertIsInstance(found, list, found)
        return [f"{one['id']}: {node['html'][:160]}: {node['failureSummary']}" for one in found if one["impact"] in SERIOUS
                for node in one["nodes"][:3]]

    def test_nothing_serious_in_the_light(self):
        self.assertEqual(self.serious(), [])

    def test_nothing_serious_in_the_dark(self):
        self.assertEqual(self.serious(colours="dark"), [])

    def test_nothing_serious_on_a_phone(self):
        self.assertEqual(self.serious(width=375), [])

    def test_finds_what_is_wrong(self):
        broken = "for (const one of document.querySelectorAll('svg')) one.removeAttribute('aria-label');"
        self.assertNotEqual(self.serious(before=broken), [])


if __name__ == "__main__":
    sys.exit(unittest.main())
