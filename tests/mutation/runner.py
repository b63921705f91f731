"""Changes a piece of one source file, compiles what the named test needs, and checks that the test fails."""

import concurrent.futures
import dataclasses
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import time

SOURCE = pathlib.Path(os.environ["ROPEWALK_SOURCE"])
BUILD = pathlib.Path(os.environ["ROPEWALK_BUILD"])
WORK = BUILD / "mutation"
OF_HEADERS = ("tests/law/bound_test.cpp", "tests/law/judge_test.cpp")  # they call no law


@dataclasses.dataclass(frozen=True)
class Mutation:
    """`old` occurs once in `file` and becomes `new`; `killed_by` is "folder/file_test.cpp: Suite.Test"."""

    name: str
    file: str
    old: str
    new: str
    killed_by: str

    @property
    def test_source(self):
        return "tests/" + self.killed_by.split(": ")[0]

    @property
    def test_name(self):
        return self.killed_by.split(": ")[1]


def output_of(command, **more):
    return subprocess.run(command, capture_output=True, text=True, cwd=BUILD, **more)


def from_compiler_on(words):
    """A command without the launcher that records its time."""
    return words[next(at for at, word in enumerate(words) if re.search(r"(ccache|\+\+)[-0-9]*$", word)):]


class Target:
    """The build's commands that compile and link the test program of a folder."""

    def __init__(self, layer):
        said = output_of(["ninja", "-t", "commands", f"tests/test_{layer}"], check=True).stdout.splitlines()
        self.link = from_compiler_on(shlex.split(said[-1].split("&&")[1]))
        self.compiles = {}
        for line in said:
            if " -c " in line and " -o " in line and "&&" not in line:
                words = from_compiler_on(shlex.split(line))
                self.compiles[words[words.index("-o") + 1]] = words
        self.own = [name for name in self.compiles if f"/test_{layer}.dir/" in name]

    def laws(self):
        """The objects of the laws, which are linked in an archive."""
        return [name for name in self.compiles if "/ropewalk_laws.dir/" in name]

    def object_with(self, source):
        """The object that a source of the tree is compiled into, alone or in a unity build."""
        for name, words in self.compiles.items():
            given = pathlib.Path(words[words.index("-c") + 1])
            if given == source or (given.suffix == ".cxx" and f'"{source}"' in given.read_text()):
                return name
        raise LookupError(f"{source} is compiled into nothing that the test links")


def compile_command(words, overlay, source, result):
    """The build's compile command without optimisation, with the overlay first on the include path."""
    keep, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in ("-o", "-c", "-MT", "-MF"):
            skip = True
        elif word not in ("-MD", "-Werror") and not re.fullmatch(r"-O[0-9gs]", word):
            keep.append(word)
    before = [f"-I{overlay / folder}" for folder in ("tests", "src", "include", ".")]
    return [*keep[:1], *(keep[1:2] if keep[0].endswith("ccache") else []), *before,
            *keep[2 if keep[0].endswith("ccache") else 1:], "-O0", "-w", "-c", str(source), "-o", str(result)]


def run(command, log):
    done = output_of(command)
    log.append(done.stdout[-2000:] + done.stderr[-2000:])
    return done.returncode


def verdict_of(mutation, target, place, changed):
    """The result of the named test, with the change or without: "passes", "fails", or what went wrong."""
    overlay, log = place / "overlay", []
    shutil.rmtree(overlay, ignore_errors=True)
    objects = {}
    text = (SOURCE / mutation.file).read_text()
    if text.count(mutation.old) != 1:
        return f"the text to change stands {text.count(mutation.old)} times in {mutation.file}"
    if changed:
        file = overlay / mutation.file
        file.parent.mkdir(parents=True)
        file.write_text(text.replace(mutation.old, mutation.new))
        if file.suffix == ".cpp":
            name = target.object_with(SOURCE / mutation.file)
            words = target.compiles[name]
            source = file
            given = pathlib.Path(words[words.index("-c") + 1])
            if given.suffix == ".cxx":  # a unity build
                source = place / "together.cpp"
                source.write_text(given.read_text().replace(str(SOURCE / mutation.file), str(file)))
            objects[name] = place / "changed.o"
            if run(compile_command(words, overlay, source, objects[name]), log) != 0:
                return "it does not compile: " + log[-1]
        elif "/law/" in mutation.file and mutation.test_source not in OF_HEADERS:
            for number, name in enumerate(target.laws()):
                words = target.compiles[name]
                objects[name] = place / f"law{number}.o"
                if run(compile_command(words, overlay, words[words.index("-c") + 1], objects[name]), log) != 0:
                    return "it does not compile: " + log[-1]
    test = place / "test.o"
    if run(compile_command(target.compiles[target.own[0]], overlay, SOURCE / mutation.test_source, test),
           log) != 0:
        return "the test does not compile: " + log[-1]
    program = place / "test"
    link = []
    for word in target.link:
        if word == target.own[0]:
            link.append(str(test))
        elif word not in target.own:
            link.append(str(objects.pop(word, word)))
    first_archive = next((at for at, word in enumerate(link) if word.endswith(".a")), len(link))
    link[first_archive:first_archive] = map(str, objects.values())  # replaces a member: it is found before
    link[link.index("-o") + 1] = str(program)
    if run(link, log) != 0:
        return "it does not link: " + log[-1]
    done = output_of([str(program), f"--gtest_filter={mutation.test_name}", "--gtest_brief=1"])
    if f"0 tests from 0 test suites ran" in done.stdout or "did not match" in done.stdout:
        return f"there is no test {mutation.test_name}"
    return "passes" if done.returncode == 0 else "fails"


def outcome_of(mutation, target, worker):
    place = WORK / str(worker)
    place.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    found = verdict_of(mutation, target, place, True)
    return mutation, {"fails": "killed", "passes": "SURVIVES"}.get(found, found), time.monotonic() - began


def judge(mutations, threads=None):
    """Prints a line for each mutation and returns those that survive. A test that fails without a change
    counts as one."""
    targets = {}
    for one in mutations:
        layer = one.test_source.split("/")[1]
        if layer not in targets:
            targets[layer] = Target(layer)
    tests = {}
    for one in mutations:
        tests.setdefault(one.test_source, []).append(one)
    alive = []
    for source, ones in tests.items():
        all_of_them = dataclasses.replace(ones[0], killed_by=ones[0].killed_by.split(": ")[0] + ": "
                                          + ":".join(sorted({one.test_name for one in ones})))
        (WORK / "plain").mkdir(parents=True, exist_ok=True)
        found = verdict_of(all_of_them, targets[source.split("/")[1]], WORK / "plain", False)
        print(f"{source} without a change {found}", flush=True)
        if found != "passes":
            alive.append(all_of_them)
    threads = threads or os.cpu_count()
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        free = list(range(threads))

        def work(one):
            worker = free.pop()
            try:
                return outcome_of(one, targets[one.test_source.split("/")[1]], worker)
            finally:
                free.append(worker)

        for one, said, seconds in pool.map(work, mutations):
            print(f"{said:<8} {one.name} ({one.file}), by {one.test_name} [{seconds:.0f} s]", flush=True)
            if said != "killed":
                alive.append(one)
    return alive
