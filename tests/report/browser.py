"""A page of the report made from small inputs, and Debian's chromium without a screen, for the tests that look at one in the other."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

COMMAND = os.environ.get("ROPEWALK_COMMAND")
HOSTILE = "<img src=x onerror=hacked=1>&\"'</script>"
FAULT = "fault-position-off-by-one"
LIMITS = [2048, 131072, 2**20, 2**31]


def skip(why):
    print("skipped: " + why)
    sys.exit(77)


def require_gnuplot():
    if not shutil.which("gnuplot"):
        skip("gnuplot is not installed")


def require():
    """Skips where a program is missing, and says which."""
    if not COMMAND:
        skip("the tool was not built")
    require_gnuplot()
    for program in ["chromium", "chromedriver"]:
        if not shutil.which(program):
            skip(program + " is not installed")
    try:
        import selenium  # noqa: F401
    except ImportError:
        skip("python3-selenium is not installed")


def estimate(median):
    return {"median": median, "low": 0.95 * median, "high": 1.1 * median}


def untimed(timed):
    nothing = dict.fromkeys(["median", "low", "high"])
    return {**timed, "not_timed": "the program has no `time` request", "rounds": [], "seconds": nothing, "ratio": nothing}


def row(kernel, role, dtype, ratio, distance, tokens=512):
    seconds = ratio * 2e-4 * tokens / 512
    errors = [{"limit": limit, "is_served": True, "ulp": 0.5 if role == "canonical" else 1e3 * limit,
               "distance": distance if role == "canonical" else min(2, distance * limit / 2048),
               "correctly_rounded": 1.0 if role == "canonical" else 0.1} for limit in LIMITS]
    return {"name": f"apply/{kernel}/{dtype}/half-split/{tokens}", "noun": "apply", "kernel": kernel, "dtype": dtype,
            "pairing": "half-split", "tokens": tokens, "role": role, "origin": "", "model": "gpt-j-6b", "heads": 16, "kv_heads": 0,
            "batch": 1, "threads": 1, "clock": "std::chrono::steady_clock", "not_timed": "", "check": "equal bits", "is_wrong": False,
            "bytes": 8.0e6 * tokens / 512, "other": "memcpy", "seconds": estimate(seconds), "ratio": estimate(ratio), "noise": "",
            "errors": errors, "ceiling": "L3", "share": 0.9 / ratio, "instructions": None, "not_counted": "not counted: EACCES",
            "counters": {}, "rounds": [[[seconds, seconds / ratio]] * 3] * 3}


def record():
    """A run of the benchmarks: two kernels, two recipes, and one whose name is markup and that was not timed."""
    rows = []
    for dtype, rounding in [("f32", 4.2e-8), ("bf16", 2.7e-3)]:
        for tokens in [512, 4096]:
            rows += [row("cpu-turns", "canonical", dtype, 1.1, rounding, tokens),
                     row("cpu-table", "canonical", dtype, 1.05, rounding, tokens),
                     row("recipe-hf-f32", "recipe", dtype, 3.1, 1.2e-4, tokens),
                     row("recipe-ggml", "recipe", dtype, 4.2, 3.1e-4, tokens)]
        rows.append(untimed(row(HOSTILE, "given", dtype, 9, 1.0)))
    rows[0]["noise"] = "too noisy to say: the interval reaches 12 % from the median"
    ceilings = [{"level": level, "threads": 1, "working_set": size, "bytes_per_second": estimate(rate)}
                for level, size, rate in [("L1", 16384, 9e10), ("L3", 1.6e7, 3e10), ("memory", 1e8, 1.1e10)]]
    return {"schema": "urn:ropewalk:bench:1", "context": {"command": "ropewalk bench --quick"}, "ceilings": ceilings,
            "benchmarks": rows}


def write_page(folder):
    """Writes the page of a model and a library's kernel that fails, and returns its path and what the program said."""
    bench, page = os.path.join(folder, "bench.json"), os.path.join(folder, "page.html")
    with open(bench, "w", encoding="utf-8") as file:
        json.dump(record(), file)
    run = subprocess.run([COMMAND, "report", "--model", "gpt-j-6b", "--kernel",
                          f"library:{os.environ['ROPEWALK_FAULTS_LIBRARY']}#{FAULT}", "--bench", bench, "--quick", "--budget", "1",
                          "--output", page], capture_output=True, text=True)
    return page, run


def started():
    """A browser that records its console and its requests."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    # The profile is in a folder of its own; as root, as in a container, chromium has no sandbox.
    profile = tempfile.mkdtemp(prefix="ropewalk-chromium-")
    for word in ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir=" + profile] + \
            (["--no-sandbox"] if os.geteuid() == 0 else []):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
    driver.profile = profile
    return driver


def stop(driver):
    driver.quit()
    shutil.rmtree(driver.profile, ignore_errors=True)
