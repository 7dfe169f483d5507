"""Saved results: what ``wlkg COMMAND --json`` has printed, read from a file and checked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from wlkg.errors import InputError, TooLargeError
from wlkg.progress import SILENT, Progress
from wlkg.readers.source import Source
from wlkg.reports.rereading import read_graphs_again
from wlkg.reports.results import Result
from wlkg.text import printable

#: Larger files are not read: no report can show so much.
LARGEST = 256 * 2**20
_REMEDY = "Write it with: wlkg COMMAND ... --json > FILE.json"
_schema = re.compile(r"wlkg/([a-z-]{1,40})/([0-9]{1,9})", re.ASCII)


def read_result(path: str, *, progress: Progress = SILENT) -> Result:
    """The result in a file, with its graphs if they are still what they were."""
    document = _parsed(path, progress)
    check_schema(document, path)
    result = Result(document, file=path)
    graphs, remarks = read_graphs_again(result, progress=progress)
    return Result(document, graphs, remarks, path)


def _parsed(path: str, progress: Progress) -> Mapping[str, Any]:
    try:
        data = Source(path, progress, is_graph=False).read_document(LARGEST)
    except TooLargeError as error:
        message = f"{path}: more than {LARGEST:,} bytes: too large for a report"
        raise TooLargeError(message) from error
    try:
        document = json.loads(data)
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg}"
        raise InputError(
            message, path=path, line=error.lineno, column=error.colno, remedy=_REMEDY
        ) from error
    except RecursionError as error:
        message = "not a result: lists or objects are nested too deeply"
        raise InputError(message, path=path, remedy=_REMEDY) from error
    except ValueError as error:  # not UTF-8, or a number of thousands of digits
        raise InputError(f"not JSON: {error}", path=path, remedy=_REMEDY) from error
    if not isinstance(document, dict):
        message = f"not a result of wlkg: expected an object, found {_kind(document)}"
        raise InputError(message, path=path, remedy=_REMEDY)
    return document


def check_schema(document: Mapping[str, Any], path: str | None) -> None:
    """Refuse what is no result, a result without report, and other versions of the format."""
    from wlkg.reports.sections.registry import SECTIONS

    schema = document.get("schema")
    match = _schema.fullmatch(schema) if isinstance(schema, str) else None
    if match is None:
        message = 'not a result of wlkg: it has no "schema" such as "wlkg/refine/1"'
        raise InputError(message, path=path, remedy=_REMEDY)
    if match[1] not in SECTIONS:
        message = f"a result of wlkg {match[1]} has no report"
        raise InputError(message, path=path, remedy=f"Reports are for {', '.join(SECTIONS)}")
    if match[2] != "1":
        written = document.get("version")
        by = f", by wlkg {printable(written)[:40]}" if isinstance(written, str) else ""
        message = f"written in version {match[2]} of the format{by}; this wlkg reads version 1"
        raise InputError(message, path=path, remedy="Compute the result again with this wlkg")


def _kind(value: object) -> str:
    names = {list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
