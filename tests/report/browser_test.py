#!/usr/bin/env python3
"""The page of `ropewalk report` in a real browser: it loads nothing, every figure shows something, tables sort and filter, it is
readable in the dark, on a phone and on paper, and text of strangers stays text."""
import base64
import json
import subprocess
import sys
import tempfile
import time
import unittest
from urllib.parse import unquote

import browser

browser.require()
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

PHONE, DESK = 375, 1280
A4 = (210, 297)  # mm
MARGINS = (12, 14)  # mm, as in page.css
PIXELS_OF_MM = 96 / 25.4


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        begin = time.monotonic()
        cls.path, cls.made = browser.write_page(cls.folder.name)
        print(f"the page takes {time.monotonic() - begin:.1f} s to make")
        assert cls.made.returncode == 1, f"a law fails, so 1 is expected: {cls.made.returncode}\n{cls.made.stderr}"
        cls.driver = browser.started()

    @classmethod
    def tearDownClass(cls):
        browser.stop(cls.driver)
        cls.folder.cleanup()

    def setUp(self):
        self.open()

    def open(self, width=DESK, place="", **media):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "media": media.get("media", ""), "features": [{"name": "prefers-color-scheme", "value": media.get("colours", "light")}]})
        self.driver.get("about:blank")
        self.driver.get("file://" + self.path + place)

    def run_script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def test_loads_nothing_and_says_nothing_in_the_console(self):
        self.driver.get_log("performance")
        self.driver.get_log("browser")
        self.open()
        requests = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                requests.append(message["params"]["request"]["url"])
        own = "file://" + self.path
        self.assertIn(own, requests)
        self.assertEqual([one for one in requests if one not in (own, "about:blank") and not one.startswith("data:")], [])
        self.assertEqual(self.driver.get_log("browser"), [])
        opening = self.run_script("const t = performance.getEntriesByType('navigation')[0]; return t.loadEventEnd - t.startTime")
        print(f"the page opens in {opening:.0f} ms, and has {self.run_script('return document.documentElement.outerHTML.length')} "
              "characters")

    def test_its_policy_stops_a_request_and_a_script_that_strangers_add(self):
        self.run_script("const e = document.createElement('div'); document.body.append(e);"
                        "e.innerHTML = '<img src=\"http://127.0.0.1:9/x.png\" onerror=\"window.hacked = 1\">';")
        time.sleep(0.2)
        said = " ".join(entry["message"] for entry in self.driver.get_log("browser"))
        self.assertIn("Content Security Policy", said)
        self.assertIsNone(self.run_script("return window.hacked ?? null"))

    def test_shows_names_of_strangers_as_text(self):
        self.assertIsNone(self.run_script("return window.hacked ?? null"))
        self.assertEqual(self.all("body img"), [])
        rows = [one for one in self.all("table.wide tbody tr") if one.get_attribute("data-kernel") == browser.HOSTILE]
        self.assertEqual(len(rows), 2)
        self.assertIn(browser.HOSTILE, rows[0].text)
        self.assertIn("not timed", rows[0].text)

    def test_has_every_figure_and_none_is_empty(self):
        names = [line.split()[0] for line in subprocess.run([browser.COMMAND, "plot", "--list"], capture_output=True, text=True,
                                                            check=True).stdout.splitlines()]
        found = self.run_script("""return Array.from(document.querySelectorAll("figure"), (figure) => {
            const svg = figure.querySelector("svg"), box = svg.getBoundingClientRect(), drawn = svg.getBBox();
            const marks = Array.from(svg.querySelectorAll("[data-part] path, [data-part] use, [data-part] image, [data-part] polygon"));
            return {name: figure.id, width: box.width, height: box.height, drawn: drawn.width * drawn.height,
                    marks: marks.filter((one) => { const at = one.getBBox(); return at.width + at.height > 0; }).length,
                    alt: (svg.getAttribute("aria-label") || "").length, role: svg.getAttribute("role")};
        })""")
        self.assertEqual([one["name"] for one in found], ["figure-" + name for name in names])
        for one in found:
            with self.subTest(one["name"]):
                self.assertGreater(one["width"], 500)
                self.assertGreater(one["height"], 100)
                self.assertGreater(one["drawn"], 100)
                self.assertGreater(one["marks"], 0)
                self.assertGreater(one["alt"], 10)
                self.assertEqual(one["role"], "img")

    def test_a_figures_data_reads_back(self):
        for link in self.all("figure a[download]"):
            kind, data = link.get_attribute("href").split(",", 1)
            self.assertTrue(kind.startswith("data:application/json"))
            self.assertIn(json.loads(unquote(data))["name"] + ".json", link.get_attribute("download"))

    def column(self, table, index):
        return self.run_script("return Array.from(arguments[0].tBodies[0].rows, (row) => row.cells[arguments[1]].dataset.value ?? "
                               "row.cells[arguments[1]].textContent)", table, index)

    def test_tables_sort_by_mouse_and_keyboard(self):
        table = self.one("table.wide")
        headings = [one.text for one in table.find_elements(By.TAG_NAME, "th") if one.get_attribute("scope") == "col"]
        ratio, kernel = headings.index("/ memcpy"), headings.index("kernel")
        buttons = table.find_elements(By.CSS_SELECTOR, "thead button")
        buttons[ratio].click()
        up = [float(one) for one in self.column(table, ratio) if one != "-"]
        self.assertEqual(up, sorted(up))
        self.assertGreater(len(set(up)), 2)
        self.assertEqual(self.column(table, ratio)[-2:], ["-", "-"], "what was not timed is last")
        self.assertEqual(table.find_elements(By.CSS_SELECTOR, "thead th")[ratio].get_attribute("aria-sort"), "ascending")
        buttons[ratio].send_keys(Keys.ENTER)
        down = [float(one) for one in self.column(table, ratio) if one != "-"]
        self.assertEqual(down, up[::-1])
        self.assertEqual(self.column(table, ratio)[-2:], ["-", "-"])
        buttons[kernel].send_keys(Keys.SPACE)
        names = self.column(table, kernel)
        self.assertEqual(names, sorted(names, key=str.casefold))

    def shown(self, selector):
        return self.run_script("return Array.from(document.querySelectorAll(arguments[0])).filter((one) => "
                               "getComputedStyle(one).display !== 'none').length", selector)

    def test_filters_hide_rows_and_lines_and_the_address_keeps_them(self):
        rows, lines = "table.wide tr[data-kernel='recipe-ggml']", "#figure-frontier [data-kernel='recipe-ggml']"
        self.assertGreater(self.shown(rows), 0)
        self.assertGreater(self.shown(lines), 0)
        self.one(".filters input[value='recipe-ggml']").click()
        self.one(".filters input[value='bf16']").click()
        others = "table.wide tr[data-dtype='bf16']", "#figure-frontier [data-dtype='bf16']"
        for hidden in (rows, lines) + others:
            self.assertEqual(self.shown(hidden), 0, hidden)
        self.assertGreater(self.shown("table.wide tr[data-kernel='cpu-table'][data-dtype='f32']"), 0)
        place = self.run_script("return location.hash")
        self.assertEqual(place, "#kernel=recipe-ggml&dtype=bf16")
        self.open(place=place)
        for hidden in (rows, lines) + others:
            self.assertEqual(self.shown(hidden), 0, hidden)
        self.one(".filters button").click()
        self.assertGreater(self.shown(rows), 0)
        self.assertEqual(self.run_script("return location.hash"), "")

    def test_an_address_that_was_mistyped_does_no_harm(self):
        for place in ("#%", "#%E0%A4", "#kernel=%,recipe-ggml", "#=", "#kernel", "#nowhere&&&"):
            with self.subTest(place):
                self.driver.get_log("browser")
                self.open(place=place)
                self.run_script("location.hash = '#dtype=bf16'; dispatchEvent(new Event('hashchange'))")
                self.assertEqual(self.shown("table.wide tr[data-dtype='bf16']"), 0)
                self.assertEqual(self.driver.get_log("browser"), [])

    def test_a_failing_cell_leads_to_its_counterexample(self):
        link = self.one(".matrix td.fails a")
        target = link.get_attribute("href").split("#")[1]
        self.run_script("arguments[0].click()", link)
        text = self.one("#" + target).text
        self.assertIn(browser.FAULT, text)
        self.assertIn("smallest case found", text)
        self.assertIn("again:", text)

    def test_a_point_shows_its_hint(self):
        found = self.run_script("""
            const drawing = document.querySelector("#figure-frontier svg");
            drawing.scrollIntoView();
            const at = drawing.querySelector("[data-kernel='cpu-table'] use").getBoundingClientRect();
            drawing.dispatchEvent(new PointerEvent("pointermove", {bubbles: true, clientX: at.x + at.width / 2,
                                                                   clientY: at.y + at.height / 2}));
            const tip = document.querySelector(".tip");
            return {hidden: tip.hidden, text: tip.textContent, titles: drawing.querySelectorAll("title").length};""")
        self.assertFalse(found["hidden"])
        self.assertIn("cpu-table", found["text"])
        self.assertEqual(found["titles"], 0, "the browser would show them too, late")

    def colours(self):
        return self.run_script("""const style = (one) => getComputedStyle(one);
            return {paper: style(document.body).backgroundColor, ink: style(document.body).color,
                    figure: Array.from(document.querySelectorAll("#figure-frontier [data-series] [class*='figure-c-']"),
                                       (one) => style(one).color).slice(0, 3),
                    axis: style(document.querySelector("#figure-frontier [class*='figure-f-ink']")).fill};""")

    def test_dark_differs_and_the_switch_overrides_the_system(self):
        light = self.colours()
        self.open(colours="dark")
        dark = self.colours()
        for what in light:
            self.assertNotEqual(light[what], dark[what], what)
        self.one("nav .switch").click()
        self.assertEqual(self.colours(), light)
        self.open()
        self.one("nav .switch").click()
        self.assertEqual(self.colours(), dark)

    def test_nothing_overflows_on_a_phone(self):
        self.open(width=PHONE)
        width, wide = self.run_script("""
            const out = Array.from(document.querySelectorAll("body *")).filter((one) => {
                const box = one.getBoundingClientRect();
                return box.right > innerWidth + 1 && !one.closest(".scrolls, .drawing, nav, pre") && box.width > 0;
            });
            return [document.documentElement.scrollWidth, out.map((one) => one.tagName + "." + one.className)];""")
        self.assertEqual(width, PHONE)
        self.assertEqual(wide, [])

    def test_prints_every_figure_on_one_page(self):
        width, height = ((side - 2 * margin) * PIXELS_OF_MM for side, margin in zip(A4, MARGINS))
        self.open(width=int(width), media="print")
        figures = self.run_script("""return Array.from(document.querySelectorAll("figure"), (one) => ({name: one.id,
            inside: getComputedStyle(one).breakInside,
            drawing: getComputedStyle(one.querySelector(".drawing")).breakInside,
            height: one.querySelector("figcaption").getBoundingClientRect().height +
                    one.querySelector(".drawing").getBoundingClientRect().height,
            overflow: one.querySelector("svg").getBoundingClientRect().right - innerWidth}))""")
        for one in figures:
            with self.subTest(one["name"]):
                self.assertEqual(one["drawing"], "avoid")
                self.assertLess(one["height"], height)
                self.assertLessEqual(one["overflow"], 1)
        self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), int(width), "a table is cut")
        pdf = base64.b64decode(self.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"])
        self.assertTrue(pdf.startswith(b"%PDF"))
        self.assertGreater(pdf.count(b"/Type /Page\n") + pdf.count(b"/Type/Page/"), 3)

    def test_shows_everything_without_its_script(self):
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        try:
            self.open()
            self.assertEqual(len(self.all("figure svg")), len(self.all("figure")))
            self.assertGreater(len(self.all("table.wide tbody tr")), 10)
            self.assertEqual(self.all(".filters"), [])
        finally:
            self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


if __name__ == "__main__":
    sys.exit(unittest.main())
