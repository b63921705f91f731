#!/usr/bin/env python3
"""validate.py KIND=FILE...: whether reports are what their readers accept, by schemas and beyond them."""
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

import jsonschema

here = pathlib.Path(__file__).parent
schemas = {"json": here.parent.parent / "src/report/verify-report.schema.json", "sarif": here / "sarif.schema.json"}
EXIT_OF_FINDINGS = {"FAILS", "not reproducible"}


def no_key_twice(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError(f"a key is repeated in {keys}")
    return dict(pairs)


def parsed(text):
    def refuse(number):
        raise ValueError(f"{number} is not JSON")
    return json.loads(text, object_pairs_hook=no_key_twice, parse_constant=refuse)


def by_schema(kind, report):
    schema = json.loads(schemas[kind].read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    errors = jsonschema.Draft202012Validator(schema).iter_errors(report)
    return [f"at {'/'.join(map(str, one.absolute_path))}: {one.message[:300]}" for one in errors]


def json_faults(text):
    report = parsed(text.decode("ascii"))
    yield from by_schema("json", report)
    totals = dict(report["totals"])
    cases, verdicts = totals.pop("cases"), totals.pop("verdicts")
    if (sum(totals.values()), len(report["verdicts"])) != (verdicts, verdicts):
        yield f"{verdicts} verdicts are counted, {len(report['verdicts'])} listed"
    if cases != sum(one["cases"] for one in report["verdicts"]):
        yield f"{cases} cases are counted"
    if totals["fail"] != sum(one["verdict"] in EXIT_OF_FINDINGS for one in report["verdicts"]):
        yield f"{totals['fail']} failures are counted"
    if report["exit_code"] == 0 and (totals["fail"] or report["ended"] or report["failed_on"]):
        yield "the exit code is 0 of a failure"


def junit_faults(text):
    schema = subprocess.run(["xmllint", "--noout", "--nonet", "--schema", here / "junit.xsd", "-"], input=text,
                            stderr=subprocess.PIPE, check=False)
    if schema.returncode:
        yield schema.stderr.decode(errors="replace")
        return
    root = xml.fromstring(text)
    for part in [root, *root.iter("testsuite")]:
        for attribute, element in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"),
                                   ("skipped", "skipped")):
            count = len(list(part.iter(element)))
            if int(part.get(attribute)) != count:
                yield f"{part.get('name')} counts {part.get(attribute)} {attribute} of {count}"


def sarif_faults(text):
    report = parsed(text.decode("ascii"))
    yield from by_schema("sarif", report)
    for run in report["runs"]:
        ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        if len(set(ids)) != len(ids):
            yield f"a rule's id is repeated in {ids}"
        prints = [one["partialFingerprints"]["primaryLocationLineHash"] for one in run["results"]]
        if len(set(prints)) != len(prints):
            yield "two results have one fingerprint"
        for one in run["results"]:
            if ids[one["ruleIndex"]] != one["ruleId"]:
                yield f"ruleIndex {one['ruleIndex']} is not {one['ruleId']}"
        for one in run.get("invocations", []):
            if one["exitCode"] == 0 and run["results"]:
                yield "the exit code is 0 of a failure"


class Rendered(html.parser.HTMLParser):
    """What a reader of Markdown sees: the cells of tables, the texts of summaries and blocks, and the tags."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.open, self.rows, self.summaries, self.blocks, self.items = [], [], [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.open.append(tag)
        lists = {"tr": (self.rows, []), "summary": (self.summaries, ""), "pre": (self.blocks, ""),
                 "li": (self.items, "")}
        if tag in lists:
            lists[tag][0].append(lists[tag][1])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            raise ValueError(f"</{tag}> closes another element")

    def handle_data(self, text):
        for tag, texts in (("summary", self.summaries), ("pre", self.blocks), ("li", self.items)):
            if tag in self.open:
                texts[-1] += text
        if "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += text


def rendered(text):
    done = subprocess.run(["cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", "-e", "strikethrough"],
                          input=text, stdout=subprocess.PIPE, check=True)
    return Rendered(done.stdout.decode("utf-8"))


MARKDOWN_TAGS = {"h3", "p", "table", "thead", "tbody", "tr", "th", "td", "code", "pre", "ul", "li", "details",
                 "summary"}


def markdown_faults(text):
    text.decode("utf-8")
    if re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", text):
        yield "it has control characters"
    page = rendered(text)
    if page.open:
        yield f"{page.open} are not closed"
    if set(page.tags) - MARKDOWN_TAGS:
        yield f"it has the tags {set(page.tags) - MARKDOWN_TAGS}"
    widths = {len(row) for row in page.rows[2:]}
    if len(widths) > 1:
        yield f"rows of {widths} cells"
    if page.tags.count("h3") != 1:
        yield "it has not one heading"


FAULTS = {"json": json_faults, "junit": junit_faults, "sarif": sarif_faults, "markdown": markdown_faults}


def faults_of(kind, path):
    """What is wrong with a report: one text each."""
    try:
        return list(FAULTS[kind](pathlib.Path(path).read_bytes()))
    except ValueError as error:  # not UTF-8, not JSON, not the page that was meant
        return [str(error)]


if __name__ == "__main__":
    found = [f"{argument}: {fault}" for argument in sys.argv[1:] for fault in faults_of(*argument.split("=", 1))]
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
