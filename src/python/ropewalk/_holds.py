"""`ropewalk.holds`: the tests of a function, and the results of one verification per law and dtype.

pytest makes one test per law and dtype of a marked function (ropewalk_pytest.py); they share one verification.
"""

from __future__ import annotations

import functools
import inspect
import json
import os
import re
import tempfile
from typing import Any, Callable, Dict, FrozenSet, Iterator, List, NamedTuple, Optional, Tuple, TypeVar, Union
from xml.etree import ElementTree

import ropewalk_kernel
from ropewalk._check import check, checked, explained, limits_of, offered, says_what_it_keeps
from ropewalk._program import config_path, output_of

Function = TypeVar("Function", bound=Callable[..., Any])
Test = Tuple[str, str]  # a law and a dtype

MARK = "__ropewalk_holds__"  # attribute of a function: the arguments of each `holds` above it
_OWN = {name: parameter.default for name, parameter in inspect.signature(check).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY}
REFUSALS = (ValueError, FileNotFoundError, RuntimeError)  # errors of the program, or if it is missing
SAME_AS = "same-as"  # the law of a comparison of two functions


def holds(*function: Any, **how: Any) -> Callable[[Function], Function]:
    """Makes pytest judge the function below, with one test per law and dtype.

        @ropewalk.holds(model="llama-3.1-8b", promise="hf", dtypes=["bf16"])
        def my_rope(query, key, positions, encoding): ...

    Same arguments as check. The function itself does not change, and without pytest nothing happens. Several of these above one
    function give separate tests: for other models, promises, ...

    Raises ValueError if no promise is given.
    """
    if function:
        raise ValueError("holds was given a function; allowed: arguments by name above it, as in @ropewalk.holds(model=\"llama-3.1-8b\", "
                         "promise=\"hf\")")

    def mark(function: Function) -> Function:
        own, offer = split(how)
        called = getattr(function, "__name__", "the function")
        if not says_what_it_keeps(function, own["same_as"], offer, own["options"]):
            raise ValueError(f"promise is missing; allowed: one that {called} is to keep; ropewalk.check({called}, ...) without a promise "
                             "says which it keeps")
        try:
            setattr(function, MARK, [how, *getattr(function, MARK, [])])
        except (AttributeError, TypeError):
            raise ValueError(f"function is {called} of type {type(function).__name__}, which takes no attributes; allowed: a function "
                             "of Python") from None
        return function

    return mark


def wishes_of(value: Any) -> List[Dict[str, Any]]:
    """The arguments of each `holds` above a function, the topmost first; empty for other objects."""
    found = inspect.getattr_static(value, MARK, None)
    return found if isinstance(found, list) and callable(value) else []


def split(how: Dict[str, Any]) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """Splits arguments of check into its own, with their defaults, and the offer."""
    own = {**_OWN, **{name: value for name, value in how.items() if name in _OWN}}
    return own, {name: value for name, value in how.items() if name not in _OWN}


def labels_of(wishes: List[Dict[str, Any]]) -> List[str]:
    """Labels that distinguish several `holds` of one function in test names; empty for a single one."""
    if len(wishes) == 1:
        return [""]
    names = list(dict.fromkeys(name for how in wishes for name in how))
    differing = [name for name in names if any(how.get(name) != wishes[0].get(name) for how in wishes)]
    labels = ["-".join(str(how[name]) for name in differing if isinstance(how.get(name), (str, int))) for how in wishes]
    if "" in labels or len(set(labels)) < len(labels):
        labels = [str(number) for number in range(1, len(wishes) + 1)]
    return [label + "-" for label in labels]


class Finding(NamedTuple):
    """The result of a verification for one law and dtype."""

    outcome: str  # "passed", "failed" or "skipped"
    text: str = ""


class _Answer(NamedTuple):
    """One verification: its report, and its test cases by law and dtype."""

    report: str
    name: str  # the kernel's name
    statements: Dict[str, str]  # by law
    cases: Dict[Test, List[ElementTree.Element]]
    judged_nothing: Dict[str, str]  # by requested law: why it has no verdict
    errors: List[str]  # other reasons for exit code 1, without a case
    here: Callable[[str], str]

    def has_failed(self) -> bool:
        return any(case.find(tag) is not None for cases in self.cases.values() for case in cases for tag in ("failure", "error"))


class Verification:
    """A function, by its name in its file, with the arguments of one `holds` and the results of its verification.

    Raises ValueError if they, or the model, are refused.
    """

    def __init__(self, function: Callable[..., Any], written: str, how: Dict[str, Any]) -> None:
        self.written = written
        self.function, self.how = function, how  # verification_of finds it by identity
        self.own, self.offer = split(how)
        self.tests = self._tests()
        self.has_shown_report = False
        self._answers: Dict[FrozenSet[Test], Union[_Answer, Exception]] = {}

    def _tests(self) -> List[Test]:
        """Laws and dtypes that may judge the function."""
        with tempfile.TemporaryDirectory(prefix="ropewalk-") as folder:
            about = explained(config_path(self.own["config"], folder), self.own["model"])
        with offered(self.function, self.offer, limits_of(self.function, about)) as name:
            kernel = ropewalk_kernel._kernels[name].description
        laws = self.own["laws"] or _laws("laws" if kernel["operation"] == "rotate" else "addition_laws")
        laws = [SAME_AS] if self.own["same_as"] is not None else [laws] if isinstance(laws, str) else laws
        return [(law, dtype) for law in laws for dtype in kernel.get("dtypes", list(ropewalk_kernel._DTYPES.values()))]

    def finding(self, test: Test, among: FrozenSet[Test], budget: Optional[int]) -> Finding:
        """The result of one test, from the single verification of all tests in `among`."""
        answer = self._answer(among, budget)
        if isinstance(answer, Exception):
            return Finding("failed", str(answer))
        return _finding(test, answer, bool(self.own["laws"]))

    def report(self, among: FrozenSet[Test], budget: Optional[int]) -> str:
        """The report of that verification, without the failures, which the tests show."""
        answer = self._answer(among, budget)
        if isinstance(answer, Exception):
            return ""
        shown = (f"FAILS {answer.name}, ", f"not reproducible {answer.name}, ", "cause: ")
        return "\n\n".join(part for part in answer.report.split("\n\n")
                           if not part.startswith(shown) and not re.match(r"\d+ more failures?; ", part))

    def _answer(self, among: FrozenSet[Test], budget: Optional[int]) -> Union[_Answer, Exception]:
        if among not in self._answers:
            try:
                self._answers[among] = self._verified(among, budget)
            except REFUSALS as error:
                self._answers[among] = error
        return self._answers[among]

    def _verified(self, among: FrozenSet[Test], budget: Optional[int]) -> _Answer:
        own = dict(self.own)
        own["options"] = list(own["options"])
        laws, dtypes = ([*dict.fromkeys(test[part] for test in self.tests if test in among)] for part in (0, 1))
        is_of_some_laws = (len(laws) < len({law for law, _ in self.tests})
                           and not any(word.startswith("--skip-law") for word in own["options"]))  # laws that may not be named
        is_of_some_dtypes = len(dtypes) < len({dtype for _, dtype in self.tests})
        if is_of_some_laws:
            own["laws"] = laws
        if is_of_some_dtypes:
            own["options"] += ["--dtype", *dtypes]
        if budget is not None:
            own["budget"] = budget
        with tempfile.TemporaryDirectory(prefix="ropewalk-") as folder:
            path = os.path.join(folder, "junit.xml")
            own["options"] += ["--report", f"junit={path}"]
            result, here = checked(self.function, offer=self.offer, written=self.written, **own)
            found = ElementTree.parse(path).getroot()
        cases: Dict[Test, List[ElementTree.Element]] = {}
        judged_nothing, errors = {}, []
        for case in found.iterfind("testsuite/testcase"):
            of_request = case.find("error[@type='request']")
            if of_request is None:
                cases.setdefault((case.attrib["name"], case.attrib["classname"].rpartition(".")[2]), []).append(case)
                continue
            error = here(of_request.attrib["message"])
            of_law = re.search(r": ([a-z-]+) judged nothing(?:: )?(.*)$", error)
            if of_law:
                judged_nothing[of_law[1]] = of_law[2]
            elif not (error.endswith(": nothing judged") and (is_of_some_laws or is_of_some_dtypes)):
                errors.append(error)
        name = result.verdicts[0]["kernel"] if result.verdicts else ""
        return _Answer(result.text, name, {one["law"]: one["statement"] for one in result.verdicts}, cases, judged_nothing, errors, here)


_verifications: Dict[Tuple[int, int], Verification] = {}


def verification_of(function: Callable[..., Any], written: str, how: Dict[str, Any]) -> Verification:
    """The verification of a function, shared by all files that name the function. Raises the errors of Verification."""
    key = (id(function), id(how))
    if key not in _verifications:
        _verifications[key] = Verification(function, written, how)
    return _verifications[key]


@functools.lru_cache(maxsize=None)
def _laws(kind: str) -> List[str]:
    return [law["name"] for law in json.loads(output_of(["verify", "--list", "--json"]))[kind]]


_WHY = {"measured": "measured, not judged: the promise lets the error grow with the position"}


def _finding(test: Test, answer: _Answer, is_named: bool) -> Finding:
    """The result of a test from the report, whether the user named its law or only pytest selected it."""
    law, dtype = test
    cases = answer.cases.get(test, [])
    failures = [text for case in cases for text in _failures(case, law, dtype, answer)]
    if failures:
        return Finding("failed", "\n\n".join(failures))
    if answer.errors and not answer.has_failed():
        return Finding("failed", "\n".join(["the verification fails as a whole:", *answer.errors]))
    if any(case.find("skipped") is None for case in cases):
        return Finding("passed")
    reasons = [_WHY.get(node.attrib["message"], answer.here(node.attrib["message"])) for case in cases for node in case.iterfind("skipped")]
    reason = ("; ".join(dict.fromkeys(reasons)) or answer.judged_nothing.get(law)
              or "not asked: the promise, the model or the options leave it out")
    return Finding("failed" if is_named and law in answer.judged_nothing else "skipped", f"{law} in {dtype}: {reason}")


def _failures(case: ElementTree.Element, law: str, dtype: str, answer: _Answer) -> Iterator[str]:
    """The text of a failing case, or of a case that lacks a required verdict."""
    model = answer.here(case.attrib["classname"])[len(answer.name) + 1:-len(dtype) - 1]
    title = f"{answer.name}, {model}, {dtype}, {law}"
    for node in case.iterfind("failure"):
        message, kind = answer.here(node.attrib["message"]), node.attrib["type"]
        cause = "" if message == kind else f"\n\ncause: {answer.name}: {message}"
        yield f"{kind} {title}: {answer.statements[law]}\n{answer.here(node.text or '').rstrip()}{cause}"
    for node in case.iterfind("error"):
        yield (f"{title}: {answer.here(node.attrib['message'])}\n"
               'More time may judge it: budget=..., --ropewalk-budget. options=["--allow-cut"] accepts fewer cases, '
               'options=["--allow-declined"] calls that are declined.')
