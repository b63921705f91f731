#!/usr/bin/env python3
"""What `./dev release` makes of a commit: the same bytes twice, and files that say what they are.

A small repository stands for this one, and stand-ins for what is expensive: cpack, and a program that answers by a script.
"""
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

import jsonschema
import yaml

SOURCE, COMPILER = pathlib.Path(os.environ["ROPEWALK_SOURCE"]), os.environ["ROPEWALK_CC"]
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "src/package"))
import release  # noqa: E402
import spdx_list  # noqa: E402

EPOCH = 1000000000  # 2001-09-09T01:46:40Z

# A binary, so that it has symbols of the C library; it stands for the program and for each library.
BINARY = r"""
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **words) { (void)count; execv(getenv("ANSWERS"), words); return 1; }
"""
ANSWERS = r"""#!/bin/sh
case "$*" in
  "models --json")
    echo '[{"name": "plain"}, {"name": "picture", "grid": "image"}, {"name": "long",'
    echo '  "rope_scaling": {"rope_type": "longrope", "original_max_position_embeddings": 4096.0}}]' ;;
  "table --model picture") echo cos-sin ;;
  "table --model "*) printf 'inv-freq\ncos\n' ;;
  "table inv-freq "*)
    said=$*
    for output in "$@"; do :; done
    echo "${said% --output *}" >"$output" ;;
  "vectors --output "*) mkdir "$3" && echo '{}' >"$3/rope.json" && cp "$ANSWERS" "$3/check.sh" ;;
  *) exit 2 ;;
esac
"""

# Writes a form of test vectors; that of ONNX is made from the pack.
FORMS = """import pathlib, sys
form, *pack, folder = sys.argv[1:]
pathlib.Path(folder).mkdir()
(pathlib.Path(folder) / "cases.json").write_text(form + "".join((pathlib.Path(one) / "rope.json").read_text() for one in pack))
"""

# Packs as CPack does; the installed size, by file system there, differs by folder here.
CPACK = r"""#!/bin/bash
set -e
for to in "$@"; do :; done
mkdir -p "$to"
pack() {  # pack NAME ARCHITECTURE DEPENDS FILE=PATH...
  local name=$1 architecture=$2 depends=$3 tree=$to/tree/$1 file size=40
  shift 3
  mkdir -p "$tree/DEBIAN"
  for file in "$@"; do install -D "${file%%=*}" "$tree/${file#*=}"; done
  case $to in *deeper*) size=44 ;; esac
  printf 'Package: %s\nVersion: 1.2.3\nArchitecture: %s\nDepends: %s\nInstalled-Size: %s\nMaintainer: x\nDescription: x\n' \
    $name $architecture "$depends" $size >"$tree/DEBIAN/control"
  dpkg-deb -Zgzip --root-owner-group --build "$tree" "$to/${name}_1.2.3_$architecture.deb"
}
here=$(dirname "$0")
pack ropewalk amd64 'libc6 (>= 2.34), libfmt9 (>= 9.1.0) | libfmt10' "$here/binary=usr/bin/ropewalk" "$here/cpack=usr/share/b" \
  "$here/cpack=usr/share/a"
pack ropewalk-bench amd64 'ropewalk (= 1.2.3)' "$here/binary=usr/libexec/ropewalk/ropewalk_bench"
pack ropewalk-mpi amd64 'libc6, ropewalk (= 1.2.3)' "$here/binary=usr/lib/ropewalk/libropewalk_mpi.so"
pack libropewalk-dev amd64 'libropewalk-kernels1 (= 1.2.3)' "$here/cpack=usr/share/doc/x"
pack libropewalk-kernels1 amd64 'libc6 (>= 2.4)' "$here/binary=usr/lib/libropewalk_kernels.so.1.2.3"
[ ! -e "$here/fewer" ] || exit 0
pack python3-ropewalk all 'ropewalk (= 1.2.3), python3:any' "$here/cpack=usr/lib/python3/x"
"""

# What SPDX 2.3 requires of the parts that the list has.
TEXT = {"type": "string", "minLength": 1}
IDENTIFIER = {"type": "string", "pattern": r"^SPDXRef-[A-Za-z0-9.-]+$"}
SPDX_SCHEMA = {
    "type": "object",
    "required": ["spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo", "packages", "files", "relationships"],
    "properties": {
        "spdxVersion": {"const": "SPDX-2.3"}, "dataLicense": {"const": "CC0-1.0"}, "SPDXID": {"const": "SPDXRef-DOCUMENT"}, "name": TEXT,
        "documentNamespace": {"type": "string", "pattern": "^https://[^#]+$"},
        "creationInfo": {
            "type": "object", "required": ["created", "creators"], "properties": {
                "created": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"},
                "creators": {"type": "array", "minItems": 1, "items": {"type": "string", "pattern": "^(Tool|Organization|Person): ."}}}},
        "packages": {"type": "array", "minItems": 1, "items": {
            "type": "object",
            "required": ["name", "SPDXID", "downloadLocation", "filesAnalyzed", "licenseConcluded", "licenseDeclared", "copyrightText"],
            "properties": {"SPDXID": IDENTIFIER, "name": TEXT, "versionInfo": TEXT},
            "if": {"properties": {"filesAnalyzed": {"const": True}}}, "then": {"required": ["packageVerificationCode"]}}},
        "files": {"type": "array", "minItems": 1, "items": {
            "type": "object", "required": ["fileName", "SPDXID", "checksums", "licenseConcluded", "licenseInfoInFiles", "copyrightText"],
            "properties": {
                "SPDXID": IDENTIFIER, "fileName": {"type": "string", "pattern": r"^\./"},
                "fileTypes": {"items": {"enum": ["SOURCE", "BINARY", "ARCHIVE", "DOCUMENTATION", "TEXT", "OTHER"]}},
                "checksums": {"contains": {"properties": {"algorithm": {"const": "SHA1"}, "checksumValue": {"pattern": "^[0-9a-f]{40}$"}}}}}}},
        "relationships": {"type": "array", "items": {
            "type": "object", "required": ["spdxElementId", "relationshipType", "relatedSpdxElement"],
            "properties": {"relationshipType": {"enum": ["DESCRIBES", "CONTAINS", "RUNTIME_DEPENDENCY_OF", "BUILD_DEPENDENCY_OF"]}}}}}}

compiled = tempfile.NamedTemporaryFile()


def setUpModule():
    subprocess.run([COMPILER, "-O2", "-x", "c", "-", "-o", compiled.name], input=BINARY, text=True, check=True)


def tearDownModule():
    compiled.close()


def said_by(*words, **how):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, **how).stdout


class Repository:
    """A repository with one commit of version 1.2.3, and the stand-ins."""

    def __init__(self, place):
        self.root, self.bin = place, place.parent / f"{place.name}-bin"
        for name in ("src/package", "src/python/ropewalk/vectors", "include/ropewalk", "build/deb"):
            (place / name).mkdir(parents=True)
        for path in [*(SOURCE / "src/package").iterdir(), SOURCE / "LICENSE", SOURCE / ".gitignore"]:
            if path.is_file():
                shutil.copy(path, place / path.relative_to(SOURCE))
        (place / "include/ropewalk/version.hpp").write_text('version = "1.2.3"\n')
        (place / "src/python/ropewalk/__init__.py").write_text("")
        (place / "src/python/ropewalk/vectors/__init__.py").write_text("")
        (place / "src/python/ropewalk/vectors/__main__.py").write_text(FORMS)
        (place / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.3\n\n- New here.\n\n### Inner\n\n## 1.2.2\n\n- Old.\n")
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "x")
        self.bin.mkdir()
        for name, text in (("cpack", CPACK), ("answers", ANSWERS)):
            (self.bin / name).write_text(text)
            (self.bin / name).chmod(0o755)
        shutil.copy(compiled.name, self.bin / "binary")

    def git(self, *words):
        when = f"{EPOCH} +0300"
        return said_by("git", "-C", self.root, *words, env={**os.environ, "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when})

    def release(self, *arguments, umask=0o022, **environment):
        return subprocess.run([sys.executable, "-B", self.root / "src/package/release.py", *arguments], capture_output=True, text=True, umask=umask,
                              env={**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}", "ANSWERS": str(self.bin / "answers"), **environment})

    def files(self):
        return {path.name: path.read_bytes() for path in sorted((self.root / "build/dist").iterdir())}


def faults_of(document, files):
    """What is wrong with an SPDX list of files."""
    try:
        jsonschema.Draft7Validator(SPDX_SCHEMA).validate(document)
    except jsonschema.ValidationError as error:
        return [error.message]
    faults = []
    described = [*document["packages"], *document["files"]]
    names = [one["SPDXID"] for one in described]
    if len(set(names)) != len(names):
        faults.append("two elements have one SPDXID")
    for one in document["relationships"]:
        if not {one["spdxElementId"], one["relatedSpdxElement"]} <= {*names, "SPDXRef-DOCUMENT"}:
            faults.append(f"a relationship of nothing: {one}")
    if {one["fileName"][2:] for one in document["files"]} != set(files):
        faults.append("other files are listed")
    sums = []
    for one in document["files"]:
        for checksum in one["checksums"]:
            if hashlib.new(checksum["algorithm"], files.get(one["fileName"][2:], b"")).hexdigest() != checksum["checksumValue"]:
                faults.append(f"{one['fileName']} has another {checksum['algorithm']}")
        sums.append(one["checksums"][0]["checksumValue"])
    code = hashlib.sha1("".join(sorted(sums)).encode()).hexdigest()
    if document["packages"][0]["packageVerificationCode"]["packageVerificationCodeValue"] != code:
        faults.append("another verification code")
    return faults


class Release(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        here = pathlib.Path(cls.folder.name)
        cls.one, cls.two = Repository(here / "one"), Repository(here / "elsewhere/deeper")
        done = cls.one.release("make", "libc6-dev"), cls.two.release("make", "libc6-dev", umask=0o077, TZ="Asia/Tokyo", LC_ALL="C")
        for result in done:
            assert result.returncode == 0, result.stderr
        cls.printed, cls.files = done[0].stdout, cls.one.files()
        cls.hash = cls.one.git("rev-parse", "HEAD").strip()

    def members(self, name):
        """The files of a packed folder."""
        with tarfile.open(fileobj=io.BytesIO(self.files[name])) as tar:
            return {entry.name: tar.extractfile(entry).read() for entry in tar if entry.isfile()}

    def test_two_folders_give_the_same_bytes(self):
        self.assertEqual(self.hash, self.two.git("rev-parse", "HEAD").strip())
        self.assertEqual(self.files, self.two.files())
        again = self.one.release("make", "libc6-dev")
        self.assertEqual((again.returncode, again.stdout), (0, self.printed))
        self.assertEqual(self.files, self.one.files())

    def test_files_of_a_release(self):
        self.assertEqual(sorted(self.files), sorted([
            "SHA256SUMS", "libropewalk-dev_1.2.3_amd64.deb", "libropewalk-kernels1_1.2.3_amd64.deb", "python3-ropewalk_1.2.3_all.deb",
            "ropewalk-bench_1.2.3_amd64.deb", "ropewalk-mpi_1.2.3_amd64.deb", "ropewalk_1.2.3_amd64.deb", "ropewalk-1.2.3.tar.gz",
            "ropewalk-1.2.3-vectors.tar.gz", "ropewalk-1.2.3-tables.tar.gz", "ropewalk-1.2.3.spdx.json", "ropewalk-1.2.3-notes.md",
            next(name for name in self.files if name.startswith("ropewalk-1.2.3-py3-none-linux") and name.endswith(".whl"))]))
        self.assertEqual(self.members("ropewalk-1.2.3.tar.gz")["ropewalk-1.2.3/LICENSE"], (SOURCE / "LICENSE").read_bytes())
        vectors = {name.removeprefix("vectors/"): data for name, data in self.members("ropewalk-1.2.3-vectors.tar.gz").items()}
        self.assertEqual(sorted(vectors), ["SHA256SUMS", "check.sh", "flashinfer/cases.json", "onnx/cases.json", "rope.json"])
        self.assertEqual(vectors["onnx/cases.json"], b"onnx{}\n")
        sums = "".join(f"{hashlib.sha256(vectors[name]).hexdigest()}  {name}\n" for name in sorted(vectors) if name != "SHA256SUMS")
        self.assertEqual(vectors["SHA256SUMS"].decode(), sums)
        wheel = next(data for name, data in self.files.items() if name.endswith(".whl"))
        self.assertEqual(zipfile.ZipFile(io.BytesIO(wheel)).read("ropewalk/bin/ropewalk"), pathlib.Path(compiled.name).read_bytes())

    def test_checksums(self):
        self.assertEqual(self.printed.encode(), self.files["SHA256SUMS"])
        with tempfile.TemporaryDirectory() as name:
            copy = shutil.copytree(self.one.root / "build/dist", pathlib.Path(name, "dist"))
            check = ["sha256sum", "--strict", "--quiet", "--check", "SHA256SUMS"]
            self.assertEqual(subprocess.run(check, cwd=copy).returncode, 0)
            self.assertEqual(len(self.printed.splitlines()), len(self.files) - 1)
            (copy / "ropewalk-1.2.3-notes.md").write_text("other")
            self.assertEqual(subprocess.run(check, cwd=copy, capture_output=True).returncode, 1)

    def test_archives_have_one_time_owner_and_order(self):
        for name, data in self.files.items():
            if name.endswith(".gz"):
                self.assertEqual(data[3:8], bytes(5), "a name or time in the header of gzip")
                with tarfile.open(fileobj=io.BytesIO(data)) as tar:
                    entries = tar.getmembers()
                self.assertEqual({(entry.mtime, entry.uid, entry.gid, entry.uname) for entry in entries}, {(EPOCH, 0, 0, "root")})
                self.assertEqual({entry.mode for entry in entries if entry.isfile()} - {0o644, 0o755}, set())
                if name != "ropewalk-1.2.3.tar.gz":  # git has its own order
                    self.assertEqual([entry.name for entry in entries], sorted(entry.name for entry in entries))
        deb = self.one.root / "build/dist/ropewalk_1.2.3_amd64.deb"
        for line in said_by("dpkg-deb", "--contents", deb, env={**os.environ, "TZ": "UTC"}).splitlines():
            self.assertRegex(line, "^[d-]rwxr-xr-x root/root .* 2001-09-09 01:46 ")
        # usr, usr/bin, usr/share and two copies of a short script: one KiB or two each.
        parts = [len(pathlib.Path(compiled.name).read_bytes()), len(CPACK), len(CPACK)]
        self.assertEqual(said_by("dpkg-deb", "--field", deb, "Installed-Size"), f"{3 + sum((size + 1023) // 1024 for size in parts)}\n")

    def test_a_change_shows(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name, "tree")
            folder.mkdir()
            packed = []
            for content in ("a", "a", "b"):
                (folder / "file").write_text(content)
                release.pack(folder, pathlib.Path(name, "out"), EPOCH)
                packed.append(pathlib.Path(name, "out").read_bytes())
            (folder / "file").chmod(0o700)
            release.pack(folder, pathlib.Path(name, "out"), EPOCH)
            self.assertEqual(packed[0], packed[1])
            self.assertNotEqual(packed[1], packed[2])
            self.assertNotEqual(packed[2], pathlib.Path(name, "out").read_bytes())
            self.assertNotIn(b"tree", packed[0])
            self.assertIn(b"tree/file", gzip.decompress(packed[0]))

    def test_tables_of_every_model_that_has_one(self):
        files = self.members("ropewalk-1.2.3-tables.tar.gz")
        self.assertEqual(files["tables/f64/plain.safetensors"].decode(), "table inv-freq --model plain --layer all --dtype f64\n")
        self.assertEqual(files["tables/f32/long.seq-len-4096.safetensors"].decode(),
                         "table inv-freq --model long --layer all --seq-len 4096 --dtype f32\n")
        index = json.loads(files["tables/index.json"])
        self.assertIn(self.hash, index["written_by"])
        self.assertEqual([(one["name"], len(one["inv_freq"])) for one in index["models"]], [("plain", 2), ("picture", 0), ("long", 4)])
        self.assertEqual({f"tables/{file}" for one in index["models"] for file in one["inv_freq"]},
                         {name for name in files if name.endswith(".safetensors")})

    def test_the_notes_say_commit_files_needs_and_changes(self):
        notes = self.files["ropewalk-1.2.3-notes.md"].decode()
        self.assertIn(f"# ropewalk 1.2.3\n\nCommit {self.hash}, 2001-09-09T01:46:40Z.\n", notes)
        self.assertTrue(notes.endswith("\n## What has changed\n\n- New here.\n\n### Inner\n"), notes)
        self.assertEqual(set(re.findall(r"^\| ([^ :|]+) \|", notes, re.M)) - {"file"}, set(self.files))
        self.assertIn("`apt-get install libc6 libfmt9 libfmt10`", notes)
        needed = re.search(r"^\| libropewalk-kernels1: usr/lib/\S+ \| (\S+) \| (\S*) \| (.*) \|$", notes, re.M)
        self.assertIn("libc.so.6", needed[3].split(", "))
        # This machine runs the binary: its C library is no older than the one named, which some symbol of the binary needs.
        self.assertLessEqual([int(part) for part in needed[1].split(".")],
                             [int(part) for part in os.confstr("CS_GNU_LIBC_VERSION").split()[1].split(".")])
        self.assertIn(f"GLIBC_{needed[1]}", said_by("readelf", "--wide", "--dyn-syms", compiled.name))

    def test_the_spdx_list_is_valid_and_complete(self):
        document = json.loads(self.files["ropewalk-1.2.3.spdx.json"])
        listed = {name: data for name, data in self.files.items() if name not in ("SHA256SUMS", "ropewalk-1.2.3.spdx.json")}
        self.assertEqual(faults_of(document, listed), [])
        packages = {one["name"]: one for one in document["packages"]}
        related = {(one["spdxElementId"], one["relationshipType"]) for one in document["relationships"]}
        for name, kind in (("libc6", "RUNTIME_DEPENDENCY_OF"), ("libfmt9", "RUNTIME_DEPENDENCY_OF"), ("python3", "RUNTIME_DEPENDENCY_OF"),
                           ("libc6-dev", "BUILD_DEPENDENCY_OF"), ("linux-libc-dev", "BUILD_DEPENDENCY_OF"), ("libc6", "BUILD_DEPENDENCY_OF")):
            self.assertIn((packages[name]["SPDXID"], kind), related)
        comments = {one["spdxElementId"]: one["comment"] for one in document["relationships"] if one["relationshipType"] == "BUILD_DEPENDENCY_OF"}
        self.assertEqual([name for name, comment in comments.items() if comment == "named by ./dev release"], [packages["libc6-dev"]["SPDXID"]])
        version = said_by("dpkg-query", "-W", "-f", "${Version}", "libc6-dev")
        self.assertEqual(packages["libc6-dev"]["versionInfo"], version)
        self.assertEqual(packages["ropewalk"]["licenseDeclared"], "BSL-1.0")
        self.assertNotIn("versionInfo", packages["libfmt10"])  # an alternative that is not installed

    def test_a_wrong_spdx_list_is_found(self):
        listed = {name: data for name, data in self.files.items() if name not in ("SHA256SUMS", "ropewalk-1.2.3.spdx.json")}

        def spoiled(change):
            document = json.loads(self.files["ropewalk-1.2.3.spdx.json"])
            change(document)
            return faults_of(document, listed)

        for change in (lambda one: one.pop("documentNamespace"), lambda one: one["files"][0].pop("checksums"), lambda one: one["files"].pop(),
                       lambda one: one["files"][0]["checksums"][1].update(checksumValue="0"), lambda one: one["packages"].append(one["packages"][-1]),
                       lambda one: one["packages"][1].update(SPDXID="SPDXRef-g++"), lambda one: one["packages"].pop()):
            self.assertNotEqual(spoiled(change), [])

    def test_dependencies_are_followed_through_virtual_packages(self):
        packages = {"a": spdx_list.Installed("1", "all", ["v", "absent"]), "v": spdx_list.Installed("", "", ["b"]),
                    "b": spdx_list.Installed("2", "all", ["a"]), "c": spdx_list.Installed("3", "all", [])}
        self.assertEqual(spdx_list.closure(["a"], packages), {"a", "b"})
        self.assertEqual(spdx_list.names_in("a (>= 1) | b:any, , c"), ["a", "b", "c"])


class Refused(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = Repository(pathlib.Path(folder.name, "tree"))

    def assert_refused(self, code, said, *arguments):
        done = self.tree.release(*(arguments or ["check"]))
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertRegex(done.stderr, f"\\Arelease: {said}")
        self.assertFalse((self.tree.root / "build/dist").exists())
        self.assertEqual(list((self.tree.root / "build").glob("release-*")), [])

    def test_a_tree_that_is_no_commit(self):
        self.assertEqual(self.tree.release("check").returncode, 0)
        (self.tree.root / "LICENSE").write_text("mine")
        (self.tree.root / "src/new.cpp").write_text("")
        for arguments in (["check"], ["make", "libc6"]):
            self.assert_refused(2, r"the working tree is changed: M LICENSE, \?\? src/new.cpp; allowed: the files of a commit", *arguments)

    def test_what_is_ignored_is_no_change(self):
        (self.tree.root / "src/package/__pycache__").mkdir()
        (self.tree.root / "src/package/__pycache__/x.pyc").touch()
        self.assertEqual(self.tree.release("check").returncode, 0)

    def test_a_tag_of_another_version(self):
        self.tree.git("tag", "v1.2.3")
        self.tree.git("tag", "other")
        self.assertEqual(self.tree.release("check").returncode, 0)
        self.tree.git("tag", "v2.0.0")
        self.assert_refused(2, "the tag of [0-9a-f]{40} is v2.0.0; allowed: v1.2.3")

    def test_a_version_without_a_changelog(self):
        (self.tree.root / "CHANGELOG.md").write_text("## 1.2.30\n")
        self.tree.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-a", "-m", "y")
        self.assert_refused(2, "CHANGELOG.md has no section '## 1.2.3'")

    def test_a_package_that_is_missing(self):
        self.assert_refused(3, "not installed: no-such-package; allowed: ", "make", "libc6", "no-such-package")
        (self.tree.bin / "fewer").touch()
        self.assert_refused(1, "the packages are libropewalk-dev, .*; allowed: .*, python3-ropewalk", "make", "libc6")

    def test_a_file_that_names_the_folder_of_the_build(self):
        with (self.tree.bin / "binary").open("ab") as file:
            file.write(f"{self.tree.root}/src/x.hpp".encode())
        self.assert_refused(1, f"usr/lib/libropewalk_kernels.so.1.2.3 of libropewalk-kernels1_\\S* names {self.tree.root}; allowed", "make", "libc6")

    def test_a_command_that_fails_is_named_with_what_it_said(self):
        (self.tree.bin / "answers").write_text("#!/bin/sh\necho broken >&2; exit 4\n")
        self.assert_refused(1, r"\S+/usr/bin/ropewalk vectors --output \S+: exit code 4\nbroken", "make", "libc6")

    def test_arguments(self):
        self.assert_refused(2, "arguments are 'make'; allowed: check, make PACKAGE...", "make")


class Workflow(unittest.TestCase):
    def test_a_tag_is_released_if_two_builds_in_different_folders_agree(self):
        workflow = yaml.safe_load((SOURCE / ".github/workflows/release.yml").read_text(encoding="utf-8"))
        self.assertEqual(workflow[True], {"push": {"tags": ["v[0-9]*"]}})  # YAML 1.1 reads `on` so
        build, publish = workflow["jobs"]["build"], workflow["jobs"]["publish"]
        places = build["strategy"]["matrix"]["include"]
        self.assertEqual(len({len(one["place"].split("/")) for one in places}), 2)
        self.assertIn("${{ matrix.place }}/dev release", build["steps"][2]["run"])
        self.assertEqual(build["steps"][3]["with"]["path"], "${{ matrix.place }}/build/dist")
        self.assertEqual((publish["needs"], build["permissions"], publish["permissions"]), ("build", {"contents": "read"}, {"contents": "write"}))
        compare = publish["steps"][1]["run"]
        with tempfile.TemporaryDirectory() as name:
            for place in places:
                folder = pathlib.Path(name, place["artifact"])
                folder.mkdir()
                (folder / "a").write_text("a")
                (folder / "SHA256SUMS").write_text(release.checksum_lines(folder))
            self.assertEqual(subprocess.run(["bash", "-e", "-c", compare], cwd=name, capture_output=True).returncode, 0)
            (folder / "a").write_text("b")
            self.assertNotEqual(subprocess.run(["bash", "-e", "-c", compare], cwd=name, capture_output=True).returncode, 0)


if __name__ == "__main__":
    unittest.main()
