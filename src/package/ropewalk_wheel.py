"""Builds the Python package from a checkout (PEP 517): the modules of src/python, and the program beside them.

The program is built in build/release, as ./dev does, or taken as it is:

    pip install --no-index --config-settings program=build/release/ropewalk .
"""

from __future__ import annotations

import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from typing import Any, Dict, List, Optional, Tuple

Settings = Optional[Dict[str, Any]]

root = pathlib.Path(__file__).resolve().parents[2]
version_file = "include/ropewalk/version.hpp"
summary = "Checks kernels for transformer positional encodings against their laws"


def version() -> str:
    found = re.search(r'version = "([^"]+)"', (root / version_file).read_text())
    if not found:
        sys.exit(f"{version_file} names no version")
    return found.group(1)


def get_requires_for_build_wheel(config_settings: Settings = None) -> List[str]:
    return []


def get_requires_for_build_sdist(config_settings: Settings = None) -> List[str]:
    return []


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: Optional[str] = None) -> str:
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag = f"py3-none-{platform}"
    info = f"ropewalk-{version()}.dist-info"
    files: List[Tuple[str, bytes, int]] = []
    for module in sorted((root / "src/python").rglob("*.py")):
        files.append((module.relative_to(root / "src/python").as_posix(), module.read_bytes(), 0o644))
    files.append(("ropewalk/py.typed", b"", 0o644))
    files.append(("ropewalk/bin/ropewalk", _program(config_settings or {}).read_bytes(), 0o755))
    files.append((f"{info}/METADATA", _metadata().encode(), 0o644))
    files.append((f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: ropewalk_wheel\nRoot-Is-Purelib: false\nTag: {tag}\n"
                  .encode(), 0o644))
    files.append((f"{info}/entry_points.txt", (root / "src/package/entry_points.txt").read_bytes(), 0o644))
    files.append((f"{info}/LICENSE", (root / "LICENSE").read_bytes(), 0o644))
    record = "".join(f"{name},sha256={_digest(data)},{len(data)}\n" for name, data, _ in files)
    files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode(), 0o644))
    name = f"ropewalk-{version()}-{tag}.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data, mode in files:
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    return name


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    name = f"ropewalk-{version()}"
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(os.path.join(sdist_directory, f"{name}.tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for path in tracked.decode().split("\0"):
            if path:
                archive.add(root / path, f"{name}/{path}", recursive=False)
    return f"{name}.tar.gz"


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


def _metadata() -> str:
    return (f"Metadata-Version: 2.1\nName: ropewalk\nVersion: {version()}\nSummary: {summary}\n"
            "License: BSL-1.0\nRequires-Python: >=3.9\nRequires-Dist: numpy\n")


def _program(settings: Dict[str, Any]) -> pathlib.Path:
    if "program" in settings:
        given = pathlib.Path(settings["program"]).resolve()
        if not os.access(given, os.X_OK):
            sys.exit(f"program is {given}; allowed: the path of the program ropewalk")
        return given
    build = root / "build/release"
    if not shutil.which("cmake"):
        sys.exit("cmake is missing; `./dev verify` installs what building needs")
    if not (build / "CMakeCache.txt").exists():
        subprocess.run(["cmake", "--preset", "release", "-D", "ROPEWALK_TESTS=OFF"], cwd=root, check=True)
    subprocess.run(["cmake", "--build", "--preset", "release", "--target", "ropewalk"], cwd=root, check=True)
    return build / "ropewalk"
