"""Opens the report's pages in a headless Chromium.

    browser_test.py WRITE_PAGES [unittest's arguments]

FBT_SCREENSHOTS names a folder for pictures of what was seen.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from browser import Browser, find_chromium  # noqa: E402

SKIPPED = 77  # ctest's SKIP_RETURN_CODE
# Filtering 20,000 samples takes some 20 ms on one core of 2020; this says that it is
# not slower by an order of magnitude, on a busy machine too.
SLOWEST_FILTER_MS = 400
MOST_ROWS_IN_DOCUMENT = 60

COUNT = "document.getElementById('sample-count').textContent"
ROWS = "document.querySelectorAll('#sample-list .row').length"
CHOSEN = "document.querySelector('.row[aria-selected=true] .row-name').textContent"
DETAIL = "document.getElementById('sample-detail').textContent"
FOCUS = "document.activeElement.id"


def setUpModule():
    global browser, pages, _folder
    _folder = tempfile.TemporaryDirectory()
    pages = pathlib.Path(_folder.name)
    subprocess.run([WRITE_PAGES, str(pages)], check=True)
    browser = Browser(find_chromium())


def tearDownModule():
    browser.__exit__()
    _folder.cleanup()


def choose(name, value):
    """What a user does with a select, as far as a page can tell."""
    browser.evaluate(f"""(() => {{
        const select = document.getElementById('filter-{name}');
        select.value = '{value}';
        select.dispatchEvent(new Event('change', {{bubbles: true}}));
    }})()""")


def found():
    """The number of rows that the status line tells."""
    return int(browser.evaluate(COUNT).split(" of ")[0].replace(",", ""))


class PageTest(unittest.TestCase):
    page = "ladder"

    def setUp(self):
        browser.problems.clear()
        browser.media()
        browser.resize(1280, 900)
        browser.open(str(pages / f"{self.page}.html"))

    def tearDown(self):
        self.assertEqual(browser.problems, [])

    def picture(self, name, selector=None):
        folder = os.environ.get("FBT_SCREENSHOTS")
        if folder:
            browser.screenshot(os.path.join(folder, name + ".png"), selector)


class LadderTest(PageTest):
    def test_opens_with_all_sections_and_fills_the_browser(self):
        links = browser.evaluate(
            "[...document.querySelectorAll('nav a')].map((a) => a.getAttribute('href').slice(1))")
        self.assertEqual(links, ["overview", "scores", "scaling", "paired-tests", "lengths",
                                 "temperatures", "sweep", "stability", "probe", "settings",
                                 "samples"])
        for link in links:
            self.assertTrue(browser.evaluate(f"document.getElementById('{link}') !== null"), link)
        self.assertGreater(found(), 1000)
        for section in links[:-1]:
            self.picture(section, f"section[aria-labelledby={section}]")
        self.picture("samples", "#sample-browser")
        self.picture("top")

    def test_images_have_names_and_ids_are_unique(self):
        self.assertEqual(browser.evaluate("""[...document.querySelectorAll('svg')].filter((svg) =>
            svg.getAttribute('aria-labelledby').split(' ').some((id) =>
                !document.getElementById(id).textContent)).length"""), 0)
        self.assertEqual(browser.evaluate("""(() => {
            const ids = [...document.querySelectorAll('[id]')].map((one) => one.id);
            return ids.length - new Set(ids).size;
        })()"""), 0)

    def test_filters_narrow_the_rows(self):
        everything = found()
        choose("task", 1)
        task = found()
        self.assertLess(task, everything)
        right_wrong_flipped = 0
        for outcome in ("right", "wrong", "flipped"):
            choose("outcome", outcome)
            right_wrong_flipped += found()
        self.assertEqual(right_wrong_flipped, task)
        choose("outcome", "flipped")
        marks = browser.evaluate("""[...document.querySelectorAll('#sample-list .row')].map((row) =>
            [...row.querySelectorAll('.dot')].map((dot) => dot.textContent).join(''))""")
        self.assertTrue(marks)
        for mark in marks:
            self.assertIn("✓", mark)
            self.assertIn("✗", mark)
        browser.click("#filters button[type=reset]")
        browser.wait_for(f"{COUNT}.startsWith('{everything:,} ')")

    def test_filters_by_keyboard(self):
        everything = found()
        browser.evaluate("document.getElementById('filter-task').focus()")
        browser.press("ArrowDown")
        self.assertLess(found(), everything)
        browser.press("Home")
        self.assertEqual(found(), everything)

    def test_another_checkpoint_stands_beside(self):
        choose("task", 1)
        choose("checkpoint", 3)
        alone = browser.evaluate("document.querySelectorAll('.completion').length")
        choose("other", 1)
        self.assertGreater(browser.evaluate("document.querySelectorAll('.completion').length"),
                           alone)
        choose("outcome", "gained")
        self.assertGreater(found(), 0)
        first = browser.evaluate("document.querySelector('.completion .badge').textContent")
        self.assertIn("wrong", first)

    def test_moves_by_keyboard(self):
        browser.press("Tab")
        self.assertEqual(browser.evaluate("document.activeElement.className"), "skip")
        self.assertGreaterEqual(
            browser.evaluate("document.activeElement.getBoundingClientRect().left"), 0)
        browser.press("Enter", "\r")
        browser.wait_for(f"{FOCUS} === 'content'")

        browser.press("/", "/")
        self.assertEqual(browser.evaluate(FOCUS), "filter-text")
        for _ in range(2):  # past the button, to the list
            browser.press("Tab")
        self.assertEqual(browser.evaluate(FOCUS), "sample-list")
        first = browser.evaluate(CHOSEN)
        browser.press("ArrowDown")
        second = browser.evaluate(CHOSEN)
        self.assertNotEqual(first, second)
        browser.press("ArrowUp")
        self.assertEqual(browser.evaluate(CHOSEN), first)
        browser.press("End")
        self.assertEqual(
            browser.evaluate("document.querySelector('.row[aria-selected=true]').ariaPosInSet"),
            str(found()))
        active = browser.evaluate(
            "document.getElementById('sample-list').getAttribute('aria-activedescendant')")
        self.assertEqual(active, browser.evaluate("document.querySelector('.row[aria-selected=true]').id"))
        browser.press("Home")
        browser.press("PageDown")
        self.assertNotEqual(browser.evaluate(CHOSEN), first)
        browser.press("Enter", "\r")
        self.assertEqual(browser.evaluate(FOCUS), "sample-detail")
        browser.press("Escape")
        self.assertEqual(browser.evaluate(FOCUS), "sample-list")

    def test_focus_is_visible(self):
        browser.press("/", "/")
        browser.press("Tab")
        outline = browser.evaluate("getComputedStyle(document.activeElement).outlineStyle + "
                                   "parseFloat(getComputedStyle(document.activeElement).outlineWidth)")
        self.assertEqual(outline, "solid3")

    def test_narrow_window_does_not_scroll_sideways(self):
        for width in (320, 390, 700):
            browser.resize(width, 800)
            self.assertLessEqual(browser.evaluate("document.documentElement.scrollWidth"), width)
        browser.resize(390, 800)
        self.picture("narrow-scores", "section[aria-labelledby=scores]")
        self.picture("narrow-scaling", "section[aria-labelledby=scaling]")
        self.picture("narrow-samples", "#sample-browser")
        # What is wider than the window can be reached by keyboard.
        self.assertGreater(browser.evaluate("document.querySelectorAll('.scroll[tabindex]').length"), 0)

    def test_texts_stand_out_in_light_and_dark(self):
        contrast = """(() => {
            const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((v) => v / 255)
                .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
                .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
            const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            const ground = (one) => {
                const colour = getComputedStyle(one).backgroundColor;
                return colour === "rgba(0, 0, 0, 0)" && one.parentElement
                    ? ground(one.parentElement) : colour;
            };
            let worst = 99;
            for (const selector of ["p", "th", "td", ".under", ".note", "nav a", "main a", "summary",
                                    ".badge", ".dot", ".row-text", ".detail pre", "#filters label"]) {
                for (const one of [...document.querySelectorAll(selector)].slice(0, 40)) {
                    worst = Math.min(worst,
                        ratio(light(getComputedStyle(one).color), light(ground(one))));
                }
            }
            return worst;
        })()"""
        grounds = []
        for scheme in ("light", "dark"):
            browser.media(scheme=scheme)
            self.assertGreaterEqual(browser.evaluate(contrast), 4.5, scheme)
            grounds.append(browser.evaluate("getComputedStyle(document.body).backgroundColor"))
        self.assertNotEqual(*grounds)
        for section in ("scores", "scaling", "lengths", "stability", "probe"):
            self.picture(f"dark-{section}", f"section[aria-labelledby={section}]")
        self.picture("dark-samples", "#sample-browser")

    def test_prints_without_the_browser(self):
        browser.media(kind="print", scheme="dark")
        self.assertEqual(browser.evaluate(
            "getComputedStyle(document.getElementById('sample-browser')).display"), "none")
        self.assertEqual(browser.evaluate("getComputedStyle(document.querySelector('nav')).display"),
                         "none")
        self.picture("print")


class HostileTest(PageTest):
    page = "hostile"

    def test_hostile_text_is_shown_as_text(self):
        self.assertEqual(browser.evaluate("document.querySelectorAll('img, b, i').length"), 0)
        self.assertTrue(browser.evaluate("document.title").startswith("<b>evil</b>"))
        text = browser.evaluate("document.querySelector('.completion pre').textContent")
        for part in ("</script><script>document.title='broken'</script>", "U+0000", "U+202E",
                     "U+2028", "{{data}}", "<!-- &lt;", "\ufffd"):
            self.assertIn(part, text)
        self.picture("hostile", "#sample-browser")

    def test_search_takes_any_text_literally(self):
        browser.press("/", "/")
        browser.write("${1}")
        browser.wait_for("document.querySelectorAll('mark').length > 0")
        self.assertEqual(found(), 6)
        browser.write(" (never [there")
        browser.wait_for("document.querySelectorAll('#sample-list .row').length === 0")
        self.assertIn("Choose a sample", browser.evaluate(DETAIL))


class ManySamplesTest(PageTest):
    page = "many"

    def test_stays_quick(self):
        self.assertEqual(found(), 10000)  # rows of two modes
        slowest = """Math.max(...performance.getEntriesByName("filter").map((one) => one.duration))"""
        for outcome in ("right", "flipped", "lost", "any"):
            choose("outcome", outcome)
        browser.press("/", "/")
        browser.write("zebra")
        browser.wait_for("document.querySelectorAll('mark').length > 0")
        self.assertEqual(found(), 1)
        self.assertLess(browser.evaluate(slowest), SLOWEST_FILTER_MS)
        print(f"slowest filter over 20,000 samples: {browser.evaluate(slowest):.0f} ms")

    def test_keeps_few_rows_in_the_document(self):
        self.assertLess(browser.evaluate(ROWS), MOST_ROWS_IN_DOCUMENT)
        browser.click("#sample-list")
        browser.press("End")
        self.assertIn("9999", browser.evaluate(CHOSEN))
        self.assertLess(browser.evaluate(ROWS), MOST_ROWS_IN_DOCUMENT)
        browser.evaluate("document.getElementById('sample-list').scrollTop = 200000")
        browser.wait_for("document.querySelector('.row[data-index=\"4170\"]') !== null")
        self.assertLess(browser.evaluate(ROWS), MOST_ROWS_IN_DOCUMENT)
        browser.click(".row[data-index='4170']")
        self.assertIn("4170", browser.evaluate(DETAIL))


if __name__ == "__main__":
    if find_chromium() is None:
        print("skipped: there is no Chromium (Debian's package chromium)")
        sys.exit(SKIPPED)
    WRITE_PAGES = sys.argv.pop(1)
    unittest.main()
