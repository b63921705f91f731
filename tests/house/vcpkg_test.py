#!/usr/bin/env python3
"""vcpkg.json names a port for every package and library that the build looks for, and leaves the version to version.hpp."""
import json
import os
import pathlib
import re
import sys

source = pathlib.Path(os.environ["ROPEWALK_SOURCE"])
manifest = json.loads((source / "vcpkg.json").read_text(encoding="utf-8"))
features = manifest["features"]
failures = 0


def expect(what, came, wanted):
    global failures
    if came != wanted:
        failures += 1
        print(f"vcpkg.json: {what} is {came}; expected: {wanted}")


def words(path, pattern):
    """The words that a pattern matches in a CMake file, comments left out."""
    text = re.sub(r"#.*", "", (source / path).read_text(encoding="utf-8"))
    return {word for match in re.findall(pattern, text) for word in match.split()}


def ports(feature):
    """The ports of a feature and of the features that it depends on."""
    found = set()
    for one in features[feature]["dependencies"]:
        if isinstance(one, str):
            found.add(one)
        else:
            expect("a dependency of " + feature, one["name"], manifest["name"])
            found |= set().union(*map(ports, one["features"]))
    return found


# The ports whose names differ from CMake's, and packages that need no port.
PORTS = {"hwy": "highway", "Boost": "boost-multiprecision", "CLI11": "cli11",
         "nlohmann_json": "nlohmann-json", "GTest": "gtest", "SPIRV-Headers": "spirv-headers",
         "Vulkan": "vulkan", "ZLIB": "zlib", "zip": "libzip"}
WITHOUT = {"Threads", "MPI"}  # MPI is the system's, as its launcher is
PACKAGES, LIBRARIES = r"find_package\(([\w-]+)", r"\b(mpfr|gmp|volk|zip|xxhash)\b"


def sought(*paths):
    found = set().union(*(words(path, PACKAGES) | words(path, LIBRARIES) for path in paths))
    return {PORTS.get(name, name) for name in found - WITHOUT}


project = re.search(r"project\((\w+)", (source / "CMakeLists.txt").read_text()).group(1)
expect("name", manifest["name"], project)
expect("version", manifest.get("version"), None)
expect("what the headers need", manifest["dependencies"], [])
expect("what the kernels need", ports("kernels"), {"highway"})
top = sought("CMakeLists.txt")
expect("what the tool needs", ports("tool"),
       sought("src/CMakeLists.txt", "gpu/CMakeLists.txt") | (top - {"benchmark"}))
expect("what the tests need", ports("tests"), ports("tool") | sought("tests/CMakeLists.txt"))
expect("what benchmarks need", ports("bench"),
       ports("tool") | (top & {"benchmark"}) | sought("bench/CMakeLists.txt"))
sys.exit(1 if failures else 0)
