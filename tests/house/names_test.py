#!/usr/bin/env python3
"""Variables, members and parameters are named after what they hold: none is called `of`, `one`, `that`, `given`, `found` or `told`.

    ROPEWALK_SOURCE=$PWD python3 tests/house/names_test.py --count     declarations per word, and where each stands
"""
import collections
import os
import pathlib
import re
import subprocess
import sys

WORDS = ("of", "one", "that", "given", "found", "told")
KEPT = {  # places that keep such a name, and why
    (".ci/yardstick.cpp", "of"): "the file is frozen: its compile time is a unit",
    ("proofs/gpu/eighth_turn_proof.cpp", "one"): "it is the number 1",
    ("proofs/kernel/quarter_turn_proof.cpp", "one"): "it is the number 1",
}
CODE = {".hpp", ".cpp", ".h", ".c", ".comp", ".glsl", ".vert"}
# Comments and literals, which are blanked: their text declares nothing. Python is counted by its own grammar.
NO_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|R\"(\w*)\(.*?\)\1\"|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.DOTALL)
# A type's last token, then the name, then what may follow a declared name; or a name in a structured binding.
DECLARED = re.compile(rf"(?P<before>[\w>\]]|[&*]|\.\.\.)\s*(?<![\w.])(?P<name>(?:{'|'.join(WORDS)})_?)\b\s*(?P<after>[;=,){{(\[:]|$)", re.MULTILINE)
CAPTURED = re.compile(rf"[\[,]\s*&?(?P<name>(?:{'|'.join(WORDS)})_?)\s*=(?!=)[^\[\];]*\]\s*(?:\(|\{{|<)")  # [name = value](...)
BOUND = re.compile(r"\bauto\s*[&*]*\s*\[([^\]]*)\]")
NOT_A_TYPE = {"return", "case", "throw", "else", "new", "delete", "goto", "co_return", "operator", "sizeof", "not", "and", "or", "typename",
              "struct", "class", "using", "namespace", "static_assert"}


def code_of(text):
    """The text with comments and literals blanked, so that places stay."""
    return NO_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), text)


def declarations(text):
    """(line, name) of each declaration of a variable, member or parameter in C++ or GLSL that has one of the words as its name."""
    code = code_of(text)
    for match in DECLARED.finditer(code):
        last_token = re.search(r"(\w+|[>\]&*]|\.\.\.)\s*$", code[: match.start("name")]).group(1)
        if last_token in NOT_A_TYPE or last_token.isdigit() or match.start("name") == match.start("before") + 1 and match.group("before").isalnum():
            continue
        if last_token in "&*" and re.search(r"(?:[=(,;{!&|+\-?:<]|\breturn)\s*[&*]+\s*$", code[: match.start("name")]):
            continue  # an address, or what a pointer points to
        if match.group("after") != ":" and last_token in "&*" and re.search(r"[\w)\]]\s+[&*]{1,2}\s+$", code[: match.start("name")]):
            continue  # a product, or a condition
        if last_token == "]" or last_token == ">" and code[: match.start("name")].rstrip().endswith("->"):
            continue
        if match.group("after") == "(" and not re.search(r"\)\s*[;,)]|\)\s*$", code[match.end(): match.end() + 200].split("\n")[0]):
            continue  # the name of a function
        if match.group("after") == "(" and re.match(r"\s*(?:const |constexpr |\w+(?:::\w+)*(?:<[^>]*>)?[&*]? \w)", code[match.end():]):
            continue  # a function, with its parameters
        yield code.count("\n", 0, match.start("name")) + 1, match.group("name")
    for match in CAPTURED.finditer(code):
        yield code.count("\n", 0, match.start("name")) + 1, match.group("name")
    for match in BOUND.finditer(code):
        for name in re.findall(r"\w+", match.group(1)):
            if name.rstrip("_") in WORDS:
                yield code.count("\n", 0, match.start()) + 1, name


def places_in(root):
    """path:line and word of each declaration in the files that git knows."""
    names = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=True).stdout.decode().split("\0")
    for name in names:
        if pathlib.PurePath(name).suffix in CODE and (pathlib.Path(root) / name).is_file():
            for line, word in declarations((pathlib.Path(root) / name).read_text(encoding="utf-8")):
                yield f"{name}:{line}", word


SAMPLE = """
int of = 1; const model& one; void f(int given, const std::string& found);
for (const auto& [that, rest] : told) {}
// int of = 2;
auto text = "int of = 3"; return of; real::of(2); a * of; number of(int x);
struct kept { int told_ = 0; };
auto call = [of = config, x](int y) { return x; }; a[one] = 2;
"""
DECLARED_IN_SAMPLE = ["of", "one", "given", "found", "told_", "of", "that"]


def main():
    root = os.environ["ROPEWALK_SOURCE"]
    names = [word for _, word in declarations(SAMPLE)]
    if names != DECLARED_IN_SAMPLE:
        sys.exit(f"the sample's declarations are {DECLARED_IN_SAMPLE}, and {names} were counted")
    places = list(places_in(root))
    kept = [place for place, word in places if (place.split(":")[0], word) in KEPT]
    count = collections.Counter(word.rstrip("_") for _, word in places)
    for place, word in places:
        reason = KEPT.get((place.split(":")[0], word))
        if reason is None or "--count" in sys.argv:
            print(f"{place}: {word}: {reason or 'a variable is named after what it holds'}")
    print(", ".join(f"{word} {count[word]}" for word in WORDS) + f": {len(places)} declarations, {len(kept)} of them kept")
    return 1 if len(places) > len(kept) else 0


if __name__ == "__main__":
    sys.exit(main())
