#!/usr/bin/env python3
"""Comments and documents name only files, theorems, laws and faults that exist, and no line of code is wider than clang-format's limit."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

source = pathlib.Path(os.environ["ROPEWALK_SOURCE"])
CODE = {".hpp", ".cpp", ".h", ".c"}
COMMENTED = {".hpp": "//", ".cpp": "//", ".h": "//", ".c": "//", ".comp": "//", ".glsl": "//", ".gappa": "#",
             ".sollya": "//", ".cmake": "#", ".txt": "#"}
PATH = re.compile(r"(?<![\w/.$}<-])(?:proofs|tests|src|include|gpu|bench)/[\w/.-]*\w")
THEOREM = re.compile(r"([\w/]+\.md), (theorems?|lemma|section) (\d+)(?: (?:to|and) (\d+))?")
FAULT = re.compile(r"\b(fault-|bad:)([a-z0-9]+(?:-[a-z0-9]+)*)")
LAW = re.compile(r"(?:--law |explain law |\blaw `)([a-z]+(?:-[a-z]+)*)")
# nlohmann's writer calls itself for each level of a value: one place reads texts, and bounds them first.
PARSER = re.compile(r"json::(?:parse|sax_parse|accept)\(")
PARSES = "src/input/json_text.cpp"
width = int(re.search(r"^ColumnLimit: (\d+)", (source / ".clang-format").read_text(), re.M).group(1))
readme_width = 160


def written_for_readers(path, line):
    """The part of a line that is a comment, a law's `proof`, or a document's text."""
    if path.suffix == ".md":
        return line
    mark = COMMENTED[path.suffix]
    return line if re.match(r"\s*(\.proof = )?\"?proofs/", line) else line.partition(mark)[2]


def numbered(document, kind):
    """The numbers of a document's theorems, lemmas or sections."""
    pattern = r"^#+ (\d+)\." if kind == "section" else rf"^ *\*\*{kind.rstrip('s').capitalize()} (\d+)"
    return {int(number) for number in re.findall(pattern, document.read_text(encoding="utf-8"), re.M)}


def complaints(root, files):
    """What is wrong in files of a tree: one line each."""
    laws = {name for path in (root / "include/ropewalk/law").rglob("*.hpp")
            for name in re.findall(r'\.name = "([\w-]+)"', path.read_text(encoding="utf-8"))}
    folders = ((root / "src/fault", "*.?pp"), (root / "tests/transport", "bad_kernels.c"))
    faults = "".join(path.read_text(encoding="utf-8") for folder, names in folders for path in folder.glob(names))
    for path in files:
        is_code = False
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            at = f"{path.relative_to(root)}:{number}:"
            if path.suffix in CODE and len(line) > width:
                yield f"{at} {len(line)} columns; allowed: {width}"
            if path.suffix in CODE and re.match("(src|bench|gpu)/", str(path.relative_to(root))) and \
                    str(path.relative_to(root)) != PARSES and PARSER.search(line):
                yield f"{at} parses JSON; allowed: the functions of src/input/json_text.hpp"
            if path.name == "README.md":
                is_code ^= line.startswith("```")
                if not is_code and not line.startswith("|") and len(line) > readme_width:
                    yield f"{at} {len(line)} columns; allowed: {readme_width}, in tables and code more"
            text = written_for_readers(path, line)
            for name in PATH.findall(text):
                if not any((folder / name).exists() for folder in (root, path.parent)):
                    yield f"{at} names {name}, which does not exist"
            for name, kind, first, last in THEOREM.findall(text):
                document = root / name
                wanted = set(range(int(first), int(last or first) + 1))
                if document.exists() and not wanted <= numbered(document, kind):
                    yield f"{at} {name} has no {kind} {sorted(wanted - numbered(document, kind))}"
            if path.suffix == ".md":
                for law in set(LAW.findall(text)) - laws - {"NAME"}:
                    yield f"{at} names the law {law}, which does not exist"
                for prefix, name in set(FAULT.findall(text)):
                    if not any(f'"{one}"' in faults for one in (name, f"fault-{name}", name.removeprefix("positions-"), name.removeprefix("real-positions-"))):
                        yield f"{at} names the fault {name}, which does not exist"


tracked = subprocess.run(["git", "-C", source, "ls-files"], capture_output=True, text=True)
if tracked.returncode != 0:
    print("skipped: no git repository")
    sys.exit(77)
every = [source / name for name in tracked.stdout.splitlines()]
read = [path for path in every if path.exists() and (path.suffix in COMMENTED or path.suffix == ".md")]
found = list(complaints(source, read))
print("\n".join(found))

# Negative control: each planted fault is complained about.
with tempfile.TemporaryDirectory() as name:
    work = pathlib.Path(name)
    (work / "proofs").mkdir()
    (work / "include/ropewalk/law").mkdir(parents=True)
    (work / "include/ropewalk/law/one.hpp").write_text('    .name = "one-law",\n    .proof = "proofs/bound.md, theorems 2 to 4",\n')
    (work / "proofs/bound.md").write_text("# Bound\n## 1. Setting\n**Lemma 1.**\n**Theorem 2 (two).**\n**Theorem 3.**\n")
    (work / "read.md").write_text("`ropewalk verify --law one-law`, `ropewalk verify --law no-law`, proofs/bound.md, section 2, fault-none\n")
    (work / "README.md").write_text(f"```text\n{readme_width * 'x'}x\n```\n{readme_width * 'x'}x\n")
    (work / "src").mkdir()
    (work / "src/reads.cpp").write_text("const auto read = nlohmann::json::parse(text);\n")
    (work / "wide.cpp").write_text("// See proofs/absent.md.\n" + "int " + width * "x" + ";\n#include \"src/not/read.hpp\"\n")
    planted = list(complaints(work, sorted(path for path in work.rglob("*") if path.is_file())))
wanted = [f"README.md:4: {readme_width + 1} columns; allowed: {readme_width}, in tables and code more",
          "include/ropewalk/law/one.hpp:2: proofs/bound.md has no theorems [4]",
          "read.md:1: proofs/bound.md has no section [2]",
          "read.md:1: names the law no-law, which does not exist",
          "read.md:1: names the fault none, which does not exist",
          "src/reads.cpp:1: parses JSON; allowed: the functions of src/input/json_text.hpp",
          "wide.cpp:1: names proofs/absent.md, which does not exist",
          f"wide.cpp:2: {width + 5} columns; allowed: {width}"]
if planted != wanted:
    print("planted faults were not found:", *planted, sep="\n  ")
sys.exit(0 if not found and planted == wanted else 1)
