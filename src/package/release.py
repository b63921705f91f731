#!/usr/bin/env python3
"""Makes a release of the checked-out commit in build/dist, from the files that `./dev release` built in build/deb.

    release.py check             exit code 2, with the reason, if no release can be made of this tree
    release.py make PACKAGE...   makes it; PACKAGE are the Debian packages that the build needed, for the SPDX list

Two runs from one commit give the same bytes in any folder, if the Debian packages are the same.
"""

from __future__ import annotations

import datetime
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
from typing import Any, Dict, List, NamedTuple, Tuple

import ropewalk_wheel
import spdx_list

root = pathlib.Path(__file__).resolve().parents[2]


class Refusal(Exception):
    """Reason for making no release, with the exit code: 2 if a user must change something, 1 for a fault of the build."""

    def __init__(self, message: str, code: int = 2):
        super().__init__(message)
        self.code = code


class Commit(NamedTuple):
    hash: str
    epoch: int  # seconds since 1970, of the committer
    version: str

    @property
    def date(self) -> str:
        return datetime.datetime.fromtimestamp(self.epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def run(*words: Any, **how: Any) -> bytes:
    """The output of a command, which must succeed."""
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how)
    if done.returncode != 0:
        said = (done.stdout + done.stderr).decode(errors="replace")
        raise Refusal(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{said}", 1)
    return done.stdout


def git(*words: str) -> bytes:
    return run("git", "-C", root, *words)


def commit_to_release() -> Commit:
    """HEAD, if the tree is unchanged, the changelog has the version, and no tag contradicts it."""
    changed = git("status", "--porcelain", "--untracked-files=normal").decode().splitlines()
    if changed:
        raise Refusal(f"the working tree is changed: {', '.join(line.strip() for line in changed[:5])}"
                      f"{', ...' if len(changed) > 5 else ''}; allowed: the files of a commit, and ignored ones")
    hash_, epoch = git("log", "-1", "--format=%H %ct").decode().split()
    version = ropewalk_wheel.version()
    section_of(version)
    for tag in git("tag", "--points-at", "HEAD").decode().split():
        if re.match(r"v\d", tag) and tag != f"v{version}":
            raise Refusal(f"the tag of {hash_} is {tag}; allowed: v{version}, as {ropewalk_wheel.version_file} says")
    return Commit(hash_, int(epoch), version)


def section_of(version: str) -> str:
    """The section of a version in CHANGELOG.md."""
    for section in re.split(r"^## ", (root / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.M)[1:]:
        heading, _, body = section.partition("\n")
        if heading.split()[:1] == [version]:
            return body.strip()
    raise Refusal(f"CHANGELOG.md has no section '## {version}'; allowed: a version that it describes")


def compressed(data: bytes) -> bytes:
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=packed, mtime=0) as file:
        file.write(data)
    return packed.getvalue()


def pack(folder: pathlib.Path, archive: pathlib.Path, epoch: int) -> None:
    """Packs a folder under its own name: files in the order of their names, with one owner and the commit's time."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path in sorted([folder, *folder.rglob("*")], key=lambda path: path.relative_to(folder.parent).as_posix()):
            entry = tarfile.TarInfo(path.relative_to(folder.parent).as_posix())
            entry.mtime, entry.uname, entry.gname = epoch, "root", "root"
            if path.is_dir():
                entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                tar.addfile(entry)
            else:
                data = path.read_bytes()
                entry.size, entry.mode = len(data), 0o755 if os.access(path, os.X_OK) else 0o644
                tar.addfile(entry, io.BytesIO(data))
    archive.write_bytes(compressed(packed.getvalue()))


def pack_source(archive: pathlib.Path, commit: Commit) -> None:
    tar = git("-c", "tar.umask=0022", "archive", "--format=tar", f"--prefix=ropewalk-{commit.version}/", commit.hash)
    archive.write_bytes(compressed(tar))


def package_names(version: str) -> List[str]:
    return sorted(["ropewalk", "ropewalk-bench", "ropewalk-mpi", "libropewalk-dev", f"libropewalk-kernels{version.split('.')[0]}",
                   "python3-ropewalk"])


def make_packages(dist: pathlib.Path, work: pathlib.Path, version: str) -> None:
    run("cpack", "-G", "DEB", "--config", root / "build/deb/CPackConfig.cmake", "-B", work / "packages")
    made = sorted((work / "packages").glob("*.deb"))
    names = sorted(path.name.split("_")[0] for path in made)
    if names != package_names(version):
        raise Refusal(f"the packages are {', '.join(names)}; allowed: {', '.join(package_names(version))}", 1)
    for package in made:
        tree = work / "raw" / package.name
        tree.parent.mkdir(exist_ok=True)
        run("dpkg-deb", "--raw-extract", package, tree)
        control = tree / "DEBIAN/control"
        control.write_text(re.sub(r"^Installed-Size:.*$", f"Installed-Size: {installed_size(tree)}", control.read_text(), flags=re.M))
        run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", tree, dist / package.name)


def installed_size(tree: pathlib.Path) -> int:
    """Size in KiB, counted as in dpkg-gencontrol. CPack uses `du`, whose result depends on the file system."""
    entries = [path for path in tree.rglob("*") if path.relative_to(tree).parts[0] != "DEBIAN"]
    return sum(-(-path.lstat().st_size // 1024) if path.is_file() else 1 for path in entries)


def unpack(dist: pathlib.Path, work: pathlib.Path) -> Dict[str, pathlib.Path]:
    """Unpacks each package into a separate folder, and refuses files that contain the path of this tree."""
    folders = {}
    for package in sorted(dist.glob("*.deb")):
        name = package.name.split("_")[0]
        folders[name] = work / "unpacked" / name
        folders[name].mkdir(parents=True)
        run("dpkg-deb", "--extract", package, folders[name])
        for file in sorted(folders[name].rglob("*")):
            if file.is_file() and str(root).encode() in file.read_bytes():
                raise Refusal(f"{file.relative_to(folders[name])} of {package.name} names {root}; allowed: files without the path of the build", 1)
    return folders


def make_vectors(program: pathlib.Path, folder: pathlib.Path) -> None:
    """Writes the test vectors, also in the forms of ONNX and FlashInfer, with checksums of all."""
    run(program, "vectors", "--output", folder)
    environment = {**os.environ, "PYTHONPATH": str(root / "src/python"), "PYTHONDONTWRITEBYTECODE": "1", "ROPEWALK_COMMAND": str(program)}
    for form in (["flashinfer", folder / "flashinfer"], ["onnx", folder, folder / "onnx"]):
        run("/usr/bin/python3", "-m", "ropewalk.vectors", *form, env=environment)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder).as_posix()}\n" for path in files]
    (folder / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")


def make_tables(program: pathlib.Path, folder: pathlib.Path, written_by: str) -> None:
    """Writes the inverse frequencies of every model that has them, in two formats, and an index of all models."""
    models = []
    for model in json.loads(run(program, "models", "--json")):
        name, files = model["name"], []
        kinds = run(program, "table", "--model", name).decode().split()
        lengths = [("", [])]
        rule = model.get("rope_scaling", {})
        if rule.get("rope_type") == "longrope":  # two lists; without --seq-len, the one for long sequences
            length = int(rule["original_max_position_embeddings"])
            lengths.append((f".seq-len-{length}", ["--seq-len", length]))
        for dtype in ("f32", "f64") if "inv-freq" in kinds else ():
            for suffix, options in lengths:
                file = f"{dtype}/{name}{suffix}.safetensors"
                (folder / dtype).mkdir(parents=True, exist_ok=True)
                run(program, "table", "inv-freq", "--model", name, "--layer", "all", *options, "--dtype", dtype, "--output", folder / file)
                files.append(file)
        models.append({"name": name, "inv_freq": files, "kinds": kinds})
    index = {"written_by": written_by, "source": "`ropewalk models --json` says where each configuration was read", "models": models}
    (folder / "index.json").write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")
    (folder / "README.md").write_text(f"""# Inverse frequencies

By {written_by}: radians per position, after the model's scaling rule and without its attention factor, correctly rounded to
binary32 in f32, to binary64 in f64. A file has one array, `inv_freq`, or one for each kind of layers, such as
`sliding_attention.inv_freq`; its metadata says which layers, and the command that writes it.

```python
from safetensors.numpy import load_file
inv_freq = load_file("tables/f32/llama-3.1-8b.safetensors")["inv_freq"]
```

NAME.seq-len-L.safetensors is for sequences of up to L tokens, where a model has other frequencies beyond. index.json has every
model of the catalogue. Where its list `inv_freq` is empty no single array says what the model does, as each axis of a picture has
frequencies of its own; `ropewalk table KIND --model NAME --grid HxW` makes the tables whose kinds are listed.
""", encoding="utf-8")


class Needs(NamedTuple):
    """Requirements of a program or library on the dynamic linker: libraries, and the newest version of each symbol set."""
    libraries: List[str]
    versions: Dict[str, str]  # such as GLIBC: 2.35


def needs_of(file: pathlib.Path) -> Needs:
    said = run("objdump", "-p", file).decode()
    versions: Dict[str, Tuple[int, ...]] = {}
    for name, numbers in re.findall(r"\s(GLIBC|GLIBCXX)_(\d+(?:\.\d+)+)$", said, re.M):
        versions[name] = max(versions.get(name, ()), tuple(int(number) for number in numbers.split(".")))
    return Needs(sorted(re.findall(r"^\s+NEEDED\s+(\S+)$", said, re.M)),
                 {name: ".".join(map(str, numbers)) for name, numbers in sorted(versions.items())})


def binaries_in(folder: pathlib.Path) -> List[pathlib.Path]:
    """Programs and shared libraries."""
    found = []
    for file in sorted(folder.rglob("*")):
        if file.is_file() and not file.is_symlink():
            with file.open("rb") as content:
                header = content.read(18)
            if header[:4] == b"\x7fELF" and int.from_bytes(header[16:18], sys.byteorder) in (2, 3):  # ET_EXEC, ET_DYN
                found.append(file)
    return found


def run_time_packages(dist: pathlib.Path) -> Dict[str, List[str]]:
    """The dependencies of the release's packages, without the release's own packages."""
    depends = {}
    own = {package.name.split("_")[0] for package in dist.glob("*.deb")}
    for package in sorted(dist.glob("*.deb")):
        field = run("dpkg-deb", "--field", package, "Depends").decode()
        depends[package.name.split("_")[0]] = [name for name in spdx_list.names_in(field) if name not in own]
    return depends


def describe(name: str) -> str:
    """Description of a file of the release."""
    for pattern, text in ((r"ropewalk-[^-]*\.tar\.gz", "the source: `git archive` of the commit"),
                          (r"-vectors\.tar\.gz", "test vectors, also in the forms of ONNX and FlashInfer, and checkers that need no ropewalk"),
                          (r"-tables\.tar\.gz", "inverse frequencies of every model of the catalogue that has such a table, as safetensors"),
                          (r"\.whl", "the Python package, with the program"),
                          (r"^python3-.*\.deb", "Debian package: the Python package, which runs the program of `ropewalk`"),
                          (r"^ropewalk_.*\.deb", "Debian package: the program"),
                          (r"^ropewalk-bench_.*\.deb", "Debian package: what `ropewalk bench` runs"),
                          (r"^ropewalk-mpi_.*\.deb", "Debian package: what `mpirun ropewalk sweep` loads"),
                          (r"^libropewalk-dev_.*\.deb", "Debian package: headers, archives, CMake and pkg-config files"),
                          (r"^libropewalk-kernels.*\.deb", "Debian package: the shared library of the CPU kernels"),
                          (r"\.spdx\.json", "SPDX 2.3: these files, and the packages that they were built with and need"),
                          (r"-notes\.md", "this text"),
                          (r"^SHA256SUMS$", "checksums of the other files")):
        if re.search(pattern, name):
            return text
    raise Refusal(f"{name} has no description; allowed: a file that release.py describes", 1)


def notes(commit: Commit, files: List[str], binaries: Dict[str, Needs], program_packages: List[str]) -> str:
    """The release's notes; `binaries` has one entry per program and library, by package and path."""
    rows = "".join(f"| {name} | {describe(name)} |\n" for name in files)
    needed = "".join(f"| {name} | {needs.versions.get('GLIBC', '')} | {needs.versions.get('GLIBCXX', '')} | {', '.join(needs.libraries)} |\n"
                     for name, needs in sorted(binaries.items()))
    program = next(needs for name, needs in binaries.items() if name.endswith("/bin/ropewalk"))
    return f"""# ropewalk {commit.version}

Commit {commit.hash}, {commit.date}.

| file | what it is |
|---|---|
{rows}
`sha256sum --check SHA256SUMS` checks them. `./dev release` on that commit makes them again, byte for byte, where the Debian packages
have the versions that the SPDX list names.

## What programs and libraries need

| file | glibc | GLIBCXX of libstdc++ | shared libraries |
|---|---|---|---|
{needed}
The wheel's program needs glibc {program.versions['GLIBC']} or later and these libraries from the system: its platform tag names no
version of glibc, and it is no manylinux wheel. On Debian 12 `apt-get install {' '.join(program_packages)}` installs them.

## What has changed

{section_of(commit.version)}
"""


def checksum_lines(dist: pathlib.Path) -> str:
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(dist.iterdir()))


def make(build_packages: List[str]) -> pathlib.Path:
    commit = commit_to_release()
    os.umask(0o022)
    os.environ.update(SOURCE_DATE_EPOCH=str(commit.epoch), LC_ALL="C.UTF-8", TZ="UTC")
    begin = f"ropewalk-{commit.version}"
    (root / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=root / "build", prefix="release-") as name:
        work = pathlib.Path(name)
        dist = work / "dist"
        dist.mkdir()
        pack_source(dist / f"{begin}.tar.gz", commit)
        make_packages(dist, work, commit.version)
        packages = unpack(dist, work)
        program = packages["ropewalk"] / "usr/bin/ropewalk"
        ropewalk_wheel.build_wheel(str(dist), {"program": str(program)})
        make_vectors(program, work / "vectors")
        pack(work / "vectors", dist / f"{begin}-vectors.tar.gz", commit.epoch)
        make_tables(program, work / "tables", f"ropewalk {commit.version}, commit {commit.hash}")
        pack(work / "tables", dist / f"{begin}-tables.tar.gz", commit.epoch)

        run_time = run_time_packages(dist)
        binaries = {f"{package}: {file.relative_to(folder)}": needs_of(file) for package, folder in packages.items()
                    for file in binaries_in(folder)}
        spdx, said = dist / f"{begin}.spdx.json", dist / f"{begin}-notes.md"
        listed = sorted([*(path.name for path in dist.iterdir()), spdx.name, said.name, "SHA256SUMS"])
        said.write_text(notes(commit, listed, binaries, run_time["ropewalk"]), encoding="utf-8")
        spdx.write_text(spdx_list.text_of(spdx_list.document(
            dist, commit.version, commit.hash, commit.date, {name for names in run_time.values() for name in names}, build_packages)),
            encoding="utf-8")
        (dist / "SHA256SUMS").write_text(checksum_lines(dist), encoding="utf-8")
        if commit_to_release() != commit:
            raise Refusal(f"HEAD was {commit.hash} when this began; allowed: one commit until the end")
        place = root / "build/dist"
        shutil.rmtree(place, ignore_errors=True)
        dist.rename(place)
    return place


def main(arguments: List[str]) -> int:
    try:
        if arguments == ["check"]:
            commit_to_release()
        elif arguments[:1] == ["make"] and len(arguments) > 1:
            place = make(arguments[1:])
            print((place / "SHA256SUMS").read_text(), end="")
            print(f"written: {place}", file=sys.stderr)
        else:
            raise Refusal(f"arguments are '{' '.join(arguments)}'; allowed: check, make PACKAGE...")
    except (Refusal, spdx_list.Missing) as refusal:
        print(f"release: {refusal}", file=sys.stderr)
        return getattr(refusal, "code", 3)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
