"""ropewalk's pytest plugin: a function under `ropewalk.holds` has one test per law and dtype.

    $ python3 -m pytest test_rope.py
    test_rope.py::my_rope[accuracy-bf16] PASSED

The wheel registers it as an entry point. If that is missing, use `-p ropewalk_pytest`. It imports ropewalk only if a file
of tests has done so. The tests have the marker `ropewalk`: `-m "not ropewalk"` deselects them.
"""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Any, Dict, FrozenSet, Iterator, List, Optional, Tuple

import pytest

if TYPE_CHECKING:
    from ropewalk._holds import Test, Verification


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("ropewalk").addoption(
        "--ropewalk-budget", metavar="SECONDS", type=int,
        help="processor time for the laws of each function under ropewalk.holds, in place of what it says (default: 60)")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "ropewalk: a law of positional encodings, of a function under ropewalk.holds")


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: Any, name: str, obj: object) -> Optional[List[pytest.Item]]:
    holds = sys.modules.get("ropewalk._holds")
    function = obj.__func__ if isinstance(obj, staticmethod) else obj  # as in classes
    wishes = holds.wishes_of(function) if holds else []
    if not holds or not wishes:
        return None
    names = [other for other, value in vars(collector.obj).items() if value is obj]
    if names and name != names[-1]:  # test_rope = ropewalk.holds(...)(rope): only a function's last name counts
        return []
    return [item for how, label in zip(wishes, holds.labels_of(wishes)) for item in _items(collector, name, label, function, how)]


def _items(collector: Any, name: str, label: str, function: Any, how: Dict[str, Any]) -> Iterator[pytest.Item]:
    holds = sys.modules["ropewalk._holds"]
    try:
        written = f"{collector.name}.{name}" if isinstance(collector, pytest.Class) else name
        verification = holds.verification_of(function, written, how)
    except holds.REFUSALS as error:
        called = f"{name}[{label.rstrip('-')}]" if label else name
        yield RefusedFunction.from_parent(collector, name=called, function=function, error=error)
        return
    for law, dtype in verification.tests:
        yield LawTest.from_parent(collector, name=f"{name}[{label}{law}-{dtype}]", verification=verification, test=(law, dtype))


class _HeldItem(pytest.Item):
    def __init__(self, *, function: Any, **of_item: Any) -> None:
        super().__init__(**of_item)
        self.add_marker("ropewalk")
        self.function = function

    def reportinfo(self) -> Tuple[Any, int, str]:
        code = getattr(inspect.unwrap(self.function), "__code__", None)
        return self.path, code.co_firstlineno - 1 if code is not None and code.co_filename == str(self.path) else 0, self.name


class RefusedFunction(_HeldItem):
    """The one test of a function whose arguments, or whose model, are refused."""

    def __init__(self, *, error: Exception, **of_item: Any) -> None:
        super().__init__(**of_item)
        self.error = error

    def runtest(self) -> None:
        pytest.fail(str(self.error), pytrace=False)


class LawTest(_HeldItem):
    """A law in a dtype. The first test that runs starts the verification of all selected tests."""

    def __init__(self, *, verification: "Verification", test: "Test", **of_item: Any) -> None:
        super().__init__(function=verification.function, **of_item)
        self.verification, self.test = verification, test

    def _selected(self) -> FrozenSet["Test"]:
        if hasattr(self.config, "workerinput"):  # pytest-xdist: workers do not know which tests they will run
            return frozenset([self.test])
        return frozenset(item.test for item in self.session.items if isinstance(item, LawTest) and item.verification is self.verification)

    def runtest(self) -> None:
        asked = (self._selected(), self.config.getoption("--ropewalk-budget"))
        finding = self.verification.finding(self.test, *asked)
        if finding.outcome == "skipped":
            skipped: Any = pytest.skip.Exception(finding.text)
            skipped._use_item_location = True  # else pytest reports this file as the place of the skip
            raise skipped
        if finding.outcome == "failed":
            if not self.verification.has_shown_report:
                self.verification.has_shown_report = True
                self.add_report_section("call", "ropewalk", self.verification.report(*asked))
            pytest.fail(finding.text, pytrace=False)
