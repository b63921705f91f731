"""Judges a function of this process, which the program calls over two pipes."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import json
import os
import pathlib
import re
import select
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
from typing import Any, Callable, Dict, Iterator, List, Mapping, NoReturn, Optional, Sequence, Tuple, Union

import ropewalk_kernel
from ropewalk._program import Config, config_path, output_of, program, refusal

WEAKEST = "hf"  # the named promise with the largest bound
RELAY = 'eval "$ROPEWALK_RELAY"'  # a command that stays short in reports
OTHER_RELAY = 'eval "$ROPEWALK_OTHER_RELAY"'  # the same for the other function of a comparison


@dataclasses.dataclass(frozen=True)
class Result:
    """The verdicts on a function."""

    holds: bool
    text: str  # the report as the program prints it
    verdicts: List[Dict[str, Any]]  # one per law, model and dtype, as in the JSON report
    keeps: Dict[str, Optional[str]] = dataclasses.field(default_factory=dict)  # by dtype: the strictest kept promise; None: none or undecided
    is_promised: bool = True  # False: no promise was given
    untried: str = ""  # why `keeps` is empty
    undecided: Dict[str, str] = dataclasses.field(default_factory=dict)  # by dtype: why `keeps` is None, unless all promises are broken
    misses: Dict[str, Dict[str, Any]] = dataclasses.field(default_factory=dict)  # by dtype: next stricter promise, the failing law, times_the_bound

    def __repr__(self) -> str:
        return self.text.rstrip("\n")

    def __bool__(self) -> bool:
        return self.holds


def check(function: Callable[..., Any], *, config: Config = None, model: Optional[str] = None,
          laws: Sequence[str] = (), budget: Optional[float] = None, cases: Optional[int] = None,
          seed: Optional[int] = None, same_as: Union[None, str, Callable[..., Any]] = None,
          options: Sequence[str] = (), **offer: Any) -> Result:
    """Judges a function, called in a forked child of this process.

    function        as for ropewalk_kernel.kernel, or already wrapped by it
    config, model   a configuration (the path of a config.json, a dict, or an object with to_dict(), as transformers has), or a
                    model of the catalogue (default: the program's spread of models)
    laws            names of laws (default: all)
    budget, cases   seconds for all verdicts (default: 60 of processor time), or cases per verdict; fewer than wanted need
                    options=["--allow-cut"]
    same_as         another function, or a kernel as for `--same-as`; then the only check is that both give the same bits
    options         further options of `ropewalk verify`
    offer           arguments of ropewalk_kernel.kernel: promise, dtypes, pairing, ... Without a promise, the result names the promise that the
                    function keeps: it is judged by the weakest named one, and stricter ones are tried. Omitted arguments follow the model, if one
                    is given: its pairing and axes, whole heads if it rotates whole heads; dtypes are
                    f32, f16 and, in torch, bf16. A wrapped function keeps its own arguments.

    Raises ValueError with the program's text for refused options or configurations.
    """
    return checked(function, config=config, model=model, laws=laws, budget=budget, cases=cases, seed=seed, same_as=same_as,
                   options=options, offer=offer)[0]


def checked(function: Callable[..., Any], *, config: Config, model: Optional[str], laws: Sequence[str], budget: Optional[float],
            cases: Optional[int], seed: Optional[int], same_as: Union[None, str, Callable[..., Any]], options: Sequence[str],
            offer: Dict[str, Any], written: str = "") -> Tuple[Result, Callable[[str], str]]:
    """The result of check, and a translation of the program's text to this process: names of functions, calls of check.

    written   the function's name in its file (default: from its adapter, or its own name)
    """
    is_promised = says_what_it_keeps(function, same_as, offer, options)
    laws = [laws] if isinstance(laws, str) else laws
    with tempfile.TemporaryDirectory(prefix="ropewalk-") as folder, contextlib.ExitStack() as transports:
        path = config_path(config, folder)
        asked = words_of(config=path, model=model, laws=laws, budget=budget, cases=cases, seed=seed, options=options)
        if not is_promised:
            asked += ["--promise", WEAKEST]
        about = _explained(path, model)
        limits = limits_of(function, about)
        name = transports.enter_context(offered(function, offer, limits))
        served = {name: transports.enter_context(_listening(f"{folder}-own"))}
        relays = {"ROPEWALK_RELAY": _relay_to(f"{folder}-own")}
        shorter = {os.path.join(folder, ""): ""}  # for a configuration written there
        if callable(same_as):
            other = transports.enter_context(offered(same_as, _offer_of_other(same_as, name, offer), limits))
            served[other] = transports.enter_context(_listening(f"{folder}-other"))
            relays["ROPEWALK_OTHER_RELAY"] = _relay_to(f"{folder}-other")
            asked += ["--same-as", f"program:{OTHER_RELAY}"]
            shorter[f"{OTHER_RELAY}:{other}"] = other
        elif same_as is not None:
            asked += ["--same-as", same_as]
        label = f"{RELAY}:{name}"
        result = judged([program(), "verify", "--quiet", "--kernel", f"program:{RELAY}", *asked], folder, name,
                        label, lambda judge: _serve_until_judged(served, judge), **relays)

    def here(text: str) -> str:
        for long, short in shorter.items():
            text = text.replace(long, short)
        return _with_calls(_with_name(text, label, name), written or _written(function), config, offer, same_as)

    for one in result.verdicts:
        one["model"] = here(one["model"])
        one["file"] = one["file"] and here(one["file"])
    result = dataclasses.replace(result, text=here(result.text))
    if not is_promised:
        result = dataclasses.replace(result, is_promised=False, text=f"{_how_good(name, laws, result, about)}\n\n{result.text}")
    return result, here


def words_of(*, config: Optional[str], model: Optional[str], laws: Sequence[str], budget: Optional[float],
             cases: Optional[int], seed: Optional[int], options: Sequence[str]) -> List[str]:
    """Options of `ropewalk verify`; None values are dropped."""
    words: List[str] = []
    for option, value in (("--config", config), ("--model", model), ("--budget", budget), ("--cases", cases),
                          ("--seed", seed)):
        words += [option, str(value)] if value is not None else []
    return words + [*(["--law", *laws] if laws else []), *options]


def _without_github(variables: Mapping[str, str]) -> Dict[str, str]:
    """The environment without the variables that enable annotations, which would name commands that only this process can run."""
    return {name: value for name, value in variables.items() if name not in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY")}


def judged(words: Sequence[str], folder: str, name: str, label: str, wait: Callable[[subprocess.Popen], object],
           **environment: str) -> Result:
    """Runs the program, and reads its report, with the kernel's name instead of its command's label.

    Raises the errors of `refusal`.
    """
    report, text, errors = (os.path.join(folder, part) for part in ("json", "text", "errors"))
    with open(text, "wb") as out, open(errors, "wb") as err:
        judge = subprocess.Popen([*words, "--report", f"json={report}"], stdout=out, stderr=err,
                                 env={**_without_github(os.environ), **environment})
        try:
            wait(judge)
        finally:
            judge.kill()
            judge.wait()
    if judge.returncode not in (0, 1):
        raise refusal(judge.returncode, _text_of(errors))
    told = json.loads(_text_of(report))
    for one in told["verdicts"]:
        one["kernel"] = name
    keeps = {one["dtype"]: one["promise"] for tried in told["promises"] for one in tried["as_good_as"]}
    undecided = {one["dtype"]: one["missing"] for tried in told["promises"] for one in tried["as_good_as"] if one["missing"]}
    misses = {one["dtype"]: one["stricter"] for tried in told["promises"] for one in tried["as_good_as"] if "stricter" in one}
    return Result(judge.returncode == 0, _with_name(_text_of(text), label, name), told["verdicts"], keeps,
                  untried="".join(one["untried"] or "" for one in told["promises"]), undecided=undecided, misses=misses)


def _with_name(text: str, label: str, name: str) -> str:
    """The report with the function's name instead of its kernel's label; columns stay aligned."""
    rows = re.sub(f"^{re.escape(label)}(?=  )", lambda _: name.ljust(len(label)), text, flags=re.MULTILINE)
    return rows.replace(label, name)


class _Written(str):
    """Python code, shown unchanged."""

    def __repr__(self) -> str:
        return str(self)


def _written(function: Callable[..., Any]) -> _Written:
    return _Written(getattr(function, "written", getattr(function, "__name__", "function")))


def _with_calls(text: str, written: str, config: Config, offer: Dict[str, Any],
                same_as: Union[None, str, Callable[..., Any]]) -> str:
    """The report with arguments of check instead of options, and calls of check instead of commands that repeat a case."""
    def called(command: "re.Match[str]") -> str:
        arguments: Dict[str, Any] = {}
        options: List[str] = []
        words = shlex.split(command[1])
        while words:
            word = words.pop(0)
            values = [words.pop(0) for _ in itertools.takewhile(lambda value: not value.startswith("--"), list(words))]
            if word == "--config" and config is not None and not isinstance(config, (str, os.PathLike)):
                arguments["config"] = _Written("config")
            elif word in ("--model", "--config") and word[2:] not in arguments:
                arguments[word[2:]] = values[0]
            elif word in ("--seed", "--cases"):
                arguments[word[2:]] = int(values[0])
            elif word == "--law":
                arguments["laws"] = values
            elif word == "--same-as":
                arguments["same_as"] = _written(same_as) if callable(same_as) else values[0]
            elif word != "--kernel" and not (word == "--promise" and "promise" in offer):
                options += [word, *values]
        arguments.update(options=options, **offer)
        return (f"  again:  ropewalk.check({written}, "
                f"{', '.join(f'{name}={value!r}' for name, value in arguments.items())})")

    for option, here in (("--verbose has", 'options=["--verbose"] has'), ("--report json=FILE has", ".verdicts of check has")):
        text = text.replace(option, here)
    return re.sub(r"(?m)^  again:  ropewalk verify (.*)$", called, text)


def _text_of(path: str) -> str:
    return pathlib.Path(path).read_text(encoding="utf-8", errors="replace")


def assert_holds(function: Callable[..., Any], **how: Any) -> None:
    """Raises AssertionError with the report's text if a law fails or is not judged. Same arguments as check.

    Raises ValueError if no promise is given; the text names the promise that the function keeps.
    """
    __tracebackhide__ = True  # pytest shows the caller's line and the report, not this function
    result = check(function, **how)
    if not result.is_promised:
        raise ValueError(f"promise is missing; {result.text}")
    if not result.holds:
        raise AssertionError(result.text)


@contextlib.contextmanager
def offered(function: Callable[..., Any], offer: Dict[str, Any], limits: Dict[str, Any]) -> Iterator[str]:
    """The name of a function's kernel; made temporarily if the user made none, or if an offer is given."""
    known = _wrapped(function)
    if known and not offer:
        yield known[-1]
        return
    called = str(offer.get("name") or ropewalk_kernel.kernel_name(function))
    before = ropewalk_kernel._kernels.pop(called, None)
    try:
        _make(called, function, offer, limits)
        yield called
    finally:
        ropewalk_kernel._kernels.pop(called, None)
        if before is not None:
            ropewalk_kernel._kernels[called] = before


def _offer_of_other(function: Callable[..., Any], name: str, offer: Dict[str, Any]) -> Dict[str, Any]:
    """The offer of the other function in a comparison with `name`: the same offer under its own name."""
    known = _wrapped(function)
    if known and known[-1] != name:
        return {}
    called = ropewalk_kernel.kernel_name(function)
    return {**offer, "name": called if called != name else called + "-other"}


def _wrapped(function: Callable[..., Any]) -> List[str]:
    """Names of the kernels that ropewalk_kernel.kernel made from a function."""
    return [name for name, one in ropewalk_kernel._kernels.items() if one.function is function]


def _make(called: str, function: Callable[..., Any], offer: Dict[str, Any], limits: Dict[str, Any]) -> None:
    """Makes a kernel from a function. The model gives limits that neither the offer nor the function sets."""
    has_bfloat16 = offer.get("raw") or (offer["arrays"] == "torch" if offer.get("arrays") else ropewalk_kernel._uses_torch(function))
    limits = {"dtypes": ["f32", "f16"] + ["bf16"] * bool(has_bfloat16), **limits} if limits else {}
    ropewalk_kernel.kernel(**{**limits, **getattr(function, "serves", {}), **offer, "name": called})(function)


def says_what_it_keeps(function: Callable[..., Any], same_as: Union[None, str, Callable[..., Any]], offer: Dict[str, Any],
                       options: Sequence[str]) -> bool:
    """Whether a promise is given; functions that add have the default of ropewalk_kernel.kernel."""
    is_wrapped = not offer and bool(_wrapped(function))
    return (same_as is not None or is_wrapped or "promise" in offer or "--promise" in options
            or offer.get("operation", "rotate") != "rotate")


def _how_good(name: str, laws: Sequence[str], result: Result, about: Dict[str, Any]) -> str:
    """Summary for a function without a promise: the promise that it keeps, its errors within the model's context, and a promise to state."""
    kept = ", ".join(f"{promise} in {dtype}" if promise else f"none of the promises in {dtype}"
                     for dtype, promise in result.keeps.items() if dtype not in result.undecided)
    by = f"By {', '.join(laws)} alone it" if laws else "It"
    sentences = [f"{name} promises nothing.", *([f"{by} keeps {kept}."] if kept else []),
                 *(f"Not decided in {dtype}: {why}." for dtype, why in result.undecided.items())]
    if not result.keeps:
        sentences.append(f"Which promise it keeps was not tried: {result.untried or 'nothing was judged'}.")
    words = " ".join(sentences) + _missed(result)
    if result.holds:  # a failing law has seen errors outside the ranges of positions
        words += _errors_within(about.get("model", {}).get("max_position_embeddings", 0), result)
    return words + (f'\npromise="{WEAKEST}" holds.' if result.holds else "")


def _missed(result: Result) -> str:
    """How far each dtype misses the next stricter promise; empty if there is none."""
    told = []
    for dtype, missed in result.misses.items():
        if not result.keeps.get(dtype):
            continue
        times = missed["times_the_bound"]
        far = "just more than" if times < 1.005 else f"{times:.3g} times"
        told.append(f"{missed['promise']} in {dtype}: {missed['law']} " + (f"came to {far} its bound" if times else "breaks it"))
    return f"\nThe next stricter promise is missed in a case that was seen, {'; '.join(told)}." if told else ""


def _errors_within(context: int, result: Result) -> str:
    """The largest errors in the ranges of positions below `context`, from the law that runs every
    range; empty if that law did not run."""
    errors: Dict[str, Tuple[float, int]] = {}  # by dtype, with the end of the farthest range
    for one in result.verdicts:
        seen = [(part["largest_error"], 2 ** (part["from_power"] + 1)) for part in one.get("ranges", ()) if part["rotations"]]
        within = [(error, end) for error, end in seen if end <= context and error != "infinity"]
        if within:
            errors.setdefault(one["dtype"], (max(error for error, _ in within), max(end for _, end in within)))
    told = ", ".join(f"{error:.2g} in {dtype} below {end}" for dtype, (error, end) in errors.items())
    return f"\nIt was off by up to {told}, as a part of a pair's length." if told else ""


def explained(config: Optional[str], model: Optional[str]) -> Dict[str, Any]:
    """The output of `explain config` for a model; None if none or both are given. Raises the errors of `refusal`."""
    which = [word for option, value in (("--config", config), ("--model", model)) if value is not None
             for word in (option, str(value))]
    return json.loads(output_of(["explain", "config", *which, "--json"])) if len(which) == 2 else {}


def _explained(config: Optional[str], model: Optional[str]) -> Dict[str, Any]:
    """The same; None if it is refused, since `verify` will refuse it, too."""
    try:
        return explained(config, model)
    except (ValueError, FileNotFoundError, RuntimeError):
        return {}


def limits_of(function: Callable[..., Any], about: Dict[str, Any]) -> Dict[str, Any]:
    """The limits of a model's own calls."""
    limits: Dict[str, Any] = {}
    if not about:
        return limits
    numbers = about["model"]
    if "pairing_out" not in numbers:
        limits.update(pairing=numbers["pairing"], crossing=False)
    if numbers["rotary_dim"] == numbers["head_dim"]:
        limits["partial"] = False
    # An adapter's engine always rotates from the first channel on.
    if numbers.get("rotary_begin", 0) > 0 and not hasattr(function, "serves"):
        limits["rotary_begin"] = True
    if not any(one["name"] == "sections" for one in about["quantities"]):
        limits["axes"] = 1
    return limits


def _relay_to(transport: str) -> str:
    """The command that connects the program's pipes to a socket of this process."""
    return shlex.join([sys.executable, "-S", "-E", str(pathlib.Path(__file__).with_name("_relay.py")), transport])


@contextlib.contextmanager
def _listening(transport: str) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("\0" + transport)  # a name without a file; may be long
        listener.listen()
        yield listener


def _serve_until_judged(served: Mapping[str, socket.socket], judge: subprocess.Popen) -> None:
    """Forks one child per connection, in which the named function answers."""
    children: Dict[str, List[int]] = {name: [] for name in served}
    try:
        while judge.poll() is None:
            ready, _, _ = select.select(list(served.values()), [], [], 0.05)
            for name, listener in served.items():
                if listener not in ready:
                    continue
                connection, _ = listener.accept()
                child = os.fork()
                if child == 0:
                    _answer(name, connection)
                connection.close()
                _end(children[name])  # the program no longer uses the earlier ones
                children[name].append(child)
    finally:
        for of_name in children.values():
            _end(of_name)


def _end(children: List[int]) -> None:
    """Waits briefly for children to end, then ends their groups."""
    until = time.monotonic() + 0.5
    for child in children:
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            if time.monotonic() > until:
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
                break
            time.sleep(0.01)
    children.clear()


def _answer(name: str, connection: socket.socket) -> NoReturn:
    """In a child: serves one function until the connection closes."""
    try:
        os.setpgid(0, 0)
        ropewalk_kernel.end_with_parent()
        connection.setblocking(True)
        os.dup2(connection.fileno(), 0)
        os.dup2(connection.fileno(), 1)
        connection.close()
        for other in [one for one in ropewalk_kernel._kernels if one != name]:
            del ropewalk_kernel._kernels[other]
        ropewalk_kernel.serve()
    finally:
        os._exit(0)
