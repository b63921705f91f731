"""Changes a piece of one source file, compiles what the named test needs, and checks that the test fails."""

import concurrent.futures
import dataclasses
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import threading
import time

SOURCE = pathlib.Path(os.environ["ROPEWALK_SOURCE"])
BUILD = pathlib.Path(os.environ["ROPEWALK_BUILD"])
WORK = BUILD / "mutation"
longest_test = 60  # seconds: a change may make a loop endless
OF_HEADERS = ("tests/law/bound_test.cpp", "tests/law/judge_test.cpp")  # they call no law


@dataclasses.dataclass(frozen=True)
class Mutation:
    """`old` occurs once in `file` and becomes `new`; `killed_by` is "folder/file_test.cpp: Suite.Test". A header is
    compiled with the test, and with the source `through`, if that is given."""

    name: str
    file: str
    old: str
    new: str
    killed_by: str
    through: str = ""

    @property
    def test_source(self):
        return "tests/" + self.killed_by.split(": ")[0]

    @property
    def test_name(self):
        return self.killed_by.split(": ")[1]

    @property
    def source(self):
        """The source that is compiled for the change; "" where that is the test alone."""
        return self.file if self.file.endswith(".cpp") else self.through

    @property
    def is_of_exact_layer(self):
        """Whether the run-time code of the header is compiled into the library ropewalk::exact."""
        return re.match(r"include/ropewalk/(numeric|function|table|encoding)/", self.file) is not None

    def stale_words(self):
        """What the entry names and the tree no longer has: "" if all is there."""
        count = (SOURCE / self.file).read_text().count(self.old)
        if count != 1:
            return f"the text to change stands {count} times in {self.file}"
        suites, test = self.test_name.split(".")
        suite = "|".join(suites.split("/"))  # in the source one part stands: Suite/0 of types, Values/Suite of values
        stands = re.search(rf"(TEST|TEST_F|TEST_P|TYPED_TEST|RC_GTEST_PROP)\(\s*({suite}),\s*{test.split('/')[0]}\b",
                           (SOURCE / self.test_source).read_text())
        return "" if stands else f"{self.test_source} has no test {self.test_name}"


def output_of(command, **more):
    whole = {**os.environ, "ROPEWALK_IN_FULL": "1"}  # a test that is left to ./dev prove would be skipped, and pass
    return subprocess.run(command, capture_output=True, text=True, cwd=BUILD, env=whole, **more)


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
        # Of the tests alone; those with options of their own come last.
        self.own = sorted((name for name in self.compiles if f"/test_{layer}.dir/" in name and "/__/" not in name),
                          key=lambda name: self.compiles[name][-1].endswith("_contracted_test.cpp"))

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
        elif word not in ("-MD", "-Werror", "-Winvalid-pch") and not re.fullmatch(r"-O[0-9gs]", word):
            keep.append(word)
    at = 2 if keep[0].endswith("ccache") else 1
    before = [f"-I{overlay / folder}" for folder in ("tests", "src", "include", ".")]
    return [*keep[:at], *before, *keep[at:], "-O0", "-w", "-c", str(source), "-o", str(result)]


class Kept:
    """What many mutations share is compiled once in a run: the tests, the other sources of a unity build, and the
    headers that the build compiles before the others."""

    def __init__(self):
        self.lock, self.made = threading.RLock(), {}

    def once(self, name, make):
        """The result of make(path of a new file), with the place of that file."""
        with self.lock:
            if name not in self.made:
                path = WORK / "kept" / f"{len(self.made)}.o"
                path.parent.mkdir(parents=True, exist_ok=True)
                self.made[name] = make(path), path
            return self.made[name]

    def with_own_headers(self, words):
        """A compile command, whose precompiled headers become some without optimisation."""
        words = list(words)
        for at in range(1, len(words)):
            if words[at - 1] == "-include" and words[at].endswith(".hxx"):
                words[at] = str(self.once(words[at], lambda path: self.precompile(words, words[at], path))[1]) + ".hxx"
        return words

    def precompile(self, words, header, path):
        copy = pathlib.Path(f"{path}.hxx")
        shutil.copy(header, copy)
        at = words.index("-include")
        command = compile_command(words[:at] + words[at + 2:], WORK / "none", copy, f"{copy}.gch")
        command[command.index("-c"):command.index("-c")] = ["-x", "c++-header"]
        output_of(command, check=True)

    def weak_group(self, words):
        """The object of a unity build without optimisation, so that nothing of a source stands inside another, all of
        whose symbols give way to those of another object."""
        def make(path):
            log = []
            given = words[words.index("-c") + 1]
            if run(compile_command(self.with_own_headers(words), WORK / "none", given, path), log) != 0:
                return "a unity build does not compile: " + log[-1]
            # What it defines alone: a weak symbol that it only uses may stay without any definition.
            defined = output_of(["nm", "--defined-only", "--extern-only", "--format=posix", str(path)], check=True)
            names = pathlib.Path(f"{path}.names")
            names.write_text("".join(line.split()[0] + "\n" for line in defined.stdout.splitlines()))
            output_of(["objcopy", f"--weaken-symbols={names}", str(path)], check=True)
            return ""
        return self.once(words[words.index("-c") + 1], make)


def run(command, log):
    done = output_of(command)
    log.append(done.stdout[-2000:] + done.stderr[-2000:])
    return done.returncode


def verdict_of(mutation, target, place, kept, changed):
    """The result of the named test, with the change or without: "passes", "fails", or what went wrong. Both compile
    the same sources and link them in the same order."""
    overlay, log = place / "overlay", []
    shutil.rmtree(overlay, ignore_errors=True)
    is_header = not mutation.file.endswith(".cpp")
    if changed:
        if said := mutation.stale_words():
            return said
        file = overlay / mutation.file
        file.parent.mkdir(parents=True)
        file.write_text((SOURCE / mutation.file).read_text().replace(mutation.old, mutation.new))
    objects, before = {}, []
    if mutation.source:
        name = target.object_with(SOURCE / mutation.source)
        words = target.compiles[name]
        source = SOURCE / mutation.source if is_header or not changed else overlay / mutation.source
        if not is_header:  # else the text of the headers is compiled: precompiled, they would hide the change
            words = kept.with_own_headers(words)
        if run(compile_command(words, overlay, source, place / "changed.o"), log) != 0:
            return "it does not compile: " + log[-1]
        if pathlib.Path(words[words.index("-c") + 1]).suffix == ".cxx":
            said, objects[name] = kept.weak_group(target.compiles[name])
            if said:
                return said
            before.append(str(place / "changed.o"))
        else:
            objects[name] = place / "changed.o"
    elif "/law/" in mutation.file and mutation.test_source not in OF_HEADERS:
        for number, name in enumerate(target.laws()):
            words = target.compiles[name]
            objects[name] = place / f"law{number}.o"
            if run(compile_command(words, overlay, words[words.index("-c") + 1], objects[name]), log) != 0:
                return "it does not compile: " + log[-1]

    def compile_test(path):
        words = target.compiles[target.own[0]]
        if mutation.is_of_exact_layer:  # the test compiles what the library holds
            words = [word for word in words if word != "-DROPEWALK_EXACT_LIBRARY"]
        return run(compile_command(words, overlay, SOURCE / mutation.test_source, path), log)

    test = place / "test.o"
    failed = compile_test(test) if is_header else None
    if not is_header:
        failed, test = kept.once(mutation.test_source, compile_test)
    if failed:
        return "the test does not compile: " + "".join(log[-1:])
    program = place / "test"
    link, is_first = [], True
    for word in target.link:
        if word.endswith(".o") and is_first:  # of inline functions the first definition counts
            link += [str(test), *before]
            is_first = False
        if word not in target.own:
            link.append(str(objects.pop(word, word)))
    first_archive = next((at for at, word in enumerate(link) if word.endswith(".a")), len(link))
    link[first_archive:first_archive] = map(str, objects.values())  # replaces a member: it is found before
    link[link.index("-o") + 1] = str(program)
    if run(link, log) != 0:
        return "it does not link: " + log[-1]
    try:
        done = output_of([str(program), f"--gtest_filter={mutation.test_name}", "--gtest_brief=1"],
                         timeout=longest_test)
    except subprocess.TimeoutExpired:
        return "fails" if changed else f"takes more than {longest_test} s"
    if "0 tests from 0 test suites ran" in done.stdout or "did not match" in done.stdout:
        return f"there is no test {mutation.test_name}"
    return "passes" if done.returncode == 0 else "fails"


def outcome_of(mutation, target, worker, kept):
    place = WORK / str(worker)
    place.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    found = verdict_of(mutation, target, place, kept, True)
    return mutation, {"fails": "killed", "passes": "SURVIVES"}.get(found, found), time.monotonic() - began


def judge(mutations, threads=None):
    """Prints a line for each mutation and returns those that survive. A test that fails without a change
    counts as one."""
    targets, kept, tests, alive = {}, Kept(), {}, []
    for one in mutations:
        layer = one.test_source.split("/")[1]
        if layer not in targets:
            targets[layer] = Target(layer)
        tests.setdefault((one.test_source, one.source, one.is_of_exact_layer), []).append(one)
    for (test_source, source, _), ones in tests.items():
        all_of_them = dataclasses.replace(ones[0], killed_by=ones[0].killed_by.split(": ")[0] + ": "
                                          + ":".join(sorted({one.test_name for one in ones})))
        (WORK / "plain").mkdir(parents=True, exist_ok=True)
        found = verdict_of(all_of_them, targets[test_source.split("/")[1]], WORK / "plain", kept, False)
        print(f"{test_source} {'with ' + source if source else 'alone'}, without a change, {found}", flush=True)
        if found != "passes":
            alive.append(all_of_them)
    threads = threads or os.cpu_count()
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        free = list(range(threads))

        def work(one):
            worker = free.pop()
            try:
                return outcome_of(one, targets[one.test_source.split("/")[1]], worker, kept)
            finally:
                free.append(worker)

        for one, said, seconds in pool.map(work, mutations):
            print(f"{said:<8} {one.name} ({one.file}), by {one.test_name} [{seconds:.0f} s]", flush=True)
            if said != "killed":
                alive.append(one)
    return alive
