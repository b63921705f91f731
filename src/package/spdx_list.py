"""The SPDX 2.3 list of a release: its files with checksums, and the Debian packages that it was built with and needs."""

from __future__ import annotations

import hashlib
import json
import pathlib
import re
import subprocess
import urllib.parse
import uuid
from typing import Any, Dict, Iterable, List, NamedTuple, Set

licence = "BSL-1.0"
maintainers = "Organization: The ropewalk maintainers"
unknown = "NOASSERTION"


class Missing(Exception):
    """A package required by the build is not installed."""


class Installed(NamedTuple):
    version: str
    architecture: str
    depends: List[str]


def names_in(field: str) -> List[str]:
    """The packages in a field such as Depends, including all alternatives: `a (>= 1) | b:any, c` has a, b and c."""
    return [re.split(r"[\s(:]", one.strip())[0] for one in re.split(r"[,|]", field) if one.strip()]


def installed_packages() -> Dict[str, Installed]:
    """The installed packages in dpkg, by name; a virtual package has the entry of one of its providers."""
    query = "${Package}\t${Version}\t${Architecture}\t${db:Status-Status}\t${Pre-Depends}, ${Depends}\t${Provides}\n"
    said = subprocess.run(["dpkg-query", "-W", "-f", query], check=True, capture_output=True, text=True).stdout
    native = subprocess.run(["dpkg", "--print-architecture"], check=True, capture_output=True, text=True).stdout.strip()
    found, virtual = {}, {}
    for line in sorted(said.splitlines()):
        name, version, architecture, status, depends, provides = line.split("\t")
        if status == "installed" and architecture in (native, "all"):
            found[name] = Installed(version, architecture, names_in(depends))
            for other in names_in(provides):
                virtual.setdefault(other, []).append(name)
    for name, providers in virtual.items():
        found.setdefault(name, Installed("", "", sorted(providers)))  # a name without a version
    return found


def closure(names: Iterable[str], packages: Dict[str, Installed]) -> Set[str]:
    """Packages and their installed dependencies, transitively; virtual ones are replaced by their providers."""
    found: Set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found and name in packages:
            found.add(name)
            waiting += packages[name].depends
    return {name for name in found if packages[name].version}


def distribution() -> str:
    """debian, or the other distribution that uses dpkg here."""
    found = re.search(r'^ID="?([a-z]+)', pathlib.Path("/etc/os-release").read_text(encoding="utf-8"), re.M)
    return found[1] if found else "debian"


def described_package(name: str, packages: Dict[str, Installed], vendor: str) -> Dict[str, Any]:
    described = {"name": name, "SPDXID": f"SPDXRef-Package-{name.replace('+', '-plus')}", "downloadLocation": unknown, "filesAnalyzed": False,
                 "licenseConcluded": unknown, "licenseDeclared": unknown, "copyrightText": unknown}
    if name in packages and packages[name].version:
        version, architecture, _ = packages[name]
        quoted = urllib.parse.quote(version, safe="")
        described.update(versionInfo=version, externalRefs=[{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
            "referenceLocator": f"pkg:deb/{vendor}/{urllib.parse.quote(name)}@{quoted}?arch={architecture}"}])
    return described


def file_type(name: str) -> str:
    if name.endswith(".md"):
        return "DOCUMENTATION"
    return "SOURCE" if re.search(r"ropewalk-[^-]*\.tar\.gz$", name) else "ARCHIVE"


def described_file(path: pathlib.Path) -> Dict[str, Any]:
    data = path.read_bytes()
    return {"fileName": f"./{path.name}", "SPDXID": f"SPDXRef-File-{re.sub('[^A-Za-z0-9.-]', '-', path.name)}",
            "fileTypes": [file_type(path.name)],
            "checksums": [{"algorithm": kind.upper(), "checksumValue": hashlib.new(kind, data).hexdigest()} for kind in ("sha1", "sha256")],
            "licenseConcluded": licence, "licenseInfoInFiles": [unknown], "copyrightText": unknown}


def related(one: str, kind: str, other: str) -> Dict[str, str]:
    return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}


def document(dist: pathlib.Path, version: str, commit: str, date: str, run_time: Iterable[str], build: List[str]) -> Dict[str, Any]:
    """The list of the files in `dist`. Run-time dependencies are taken from their packages, and need not be installed."""
    packages = installed_packages()
    absent = sorted(name for name in build if name not in packages)
    if absent:
        raise Missing(f"not installed: {', '.join(absent)}; allowed: a build with all packages that `./dev release` names")
    files = [described_file(path) for path in sorted(dist.iterdir())]
    sha1 = sorted(file["checksums"][0]["checksumValue"] for file in files)
    vendor, run_time, built_with = distribution(), set(run_time), closure(build, packages)
    own = {"name": "ropewalk", "SPDXID": "SPDXRef-ropewalk", "versionInfo": version, "supplier": maintainers, "downloadLocation": unknown,
           "sourceInfo": f"git commit {commit}", "filesAnalyzed": True,
           "packageVerificationCode": {"packageVerificationCodeValue": hashlib.sha1("".join(sha1).encode()).hexdigest()},
           "licenseConcluded": licence, "licenseDeclared": licence, "licenseInfoFromFiles": [unknown], "copyrightText": unknown}
    others = {name: described_package(name, packages, vendor) for name in sorted(run_time | built_with)}

    relationships = [related("SPDXRef-DOCUMENT", "DESCRIBES", own["SPDXID"])]
    relationships += [related(own["SPDXID"], "CONTAINS", file["SPDXID"]) for file in files]
    relationships += [related(others[name]["SPDXID"], "RUNTIME_DEPENDENCY_OF", own["SPDXID"]) for name in sorted(run_time)]
    for name in sorted(built_with):  # code of headers and archives is in the binaries
        relationships.append({**related(others[name]["SPDXID"], "BUILD_DEPENDENCY_OF", own["SPDXID"]),
                              "comment": "named by ./dev release" if name in build else "a dependency of those"})
    made = {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"ropewalk-{version}",
            "creationInfo": {"created": date, "creators": [maintainers, f"Tool: ropewalk-spdx-list-{version}"]},
            "packages": [own, *others.values()], "files": files, "relationships": relationships}
    name = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(made, sort_keys=True))
    made["documentNamespace"] = f"https://spdx.org/spdxdocs/ropewalk-{version}-{name}"
    return made


def text_of(made: Dict[str, Any]) -> str:
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"
