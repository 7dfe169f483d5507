"""The frame of a certificate: schema, kind, graphs and seal.

The *seal* is the SHA-256 of the whole document without it, as JSON with sorted keys, in ASCII,
without spaces. It shows that a file was changed or damaged, even where the change does not matter
to the proof. It is no signature: who writes a certificate writes its seal.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wlkg.errors import InputError
from wlkg.readers.source import Source
from wlkg.text import counted
from wlkg.verification.fields import (
    as_list,
    as_number,
    as_object,
    as_text,
    parse,
    wrong,
)
from wlkg.verification.plain_graph import PlainGraph
from wlkg.verification.wl_tests import TupleTest, VertexTest, find_test

SCHEMA = "wlkg/certificate/1"
DIRECTIONS = ("both", "undirected", "out", "in")

_FRAME = {"schema", "kind", "direction", "graphs", "seal"}
_GRAPH = {"vertices", "triples", "sha256"}


def read_certificate(source: str | Path | Mapping[str, Any]) -> dict[str, Any]:
    """The document of a certificate, from a file or as it is."""
    if isinstance(source, Mapping):
        return dict(source)
    data = Source(str(source)).read_document()
    try:
        document = parse(data)
        if not isinstance(document, dict):
            raise wrong("certificate", "an object", document)
    except InputError as error:
        raise InputError(
            error.message, path=str(source), line=error.line, column=error.column
        ) from error
    return document


def describe(graph: PlainGraph) -> dict[str, Any]:
    """What a certificate says about a graph."""
    return {
        "vertices": len(graph.names),
        "triples": graph.num_triples,
        "sha256": graph.sha256(),
    }


def seal(document: Mapping[str, Any]) -> str:
    """The seal of a document; a seal that it already has does not count."""
    content = {key: value for key, value in document.items() if key != "seal"}
    text = json.dumps(content, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def claim_of(document: Mapping[str, Any]) -> str:
    """What is true if a certificate holds."""
    test = document.get("test")
    return {
        "same": f"{test} does not separate the graphs",
        "different": f"{test} separates the graphs, so they are not isomorphic",
        "isomorphic": "the graphs are isomorphic",
        "complete": f"of two vertices that {test} does not separate, a symmetry maps one to the"
        " other, so no invariant model of any kind separates more vertices",
    }[document["kind"]]


def check_frame(document: dict[str, Any], keys: set[str], optional: set[str]) -> None:
    """Refuse a document without the frame, or with keys that its kind does not have."""
    as_object(document, "certificate", _FRAME | keys, optional | {"reading"})
    if document["direction"] not in DIRECTIONS:
        raise wrong("direction", " or ".join(DIRECTIONS), document["direction"])
    as_text(document["seal"], "seal")
    for name, value in as_object(
        document.get("reading", {}), "reading", (), document.get("reading", {})
    ).items():
        as_text(name, "reading")
        as_text(value, f"reading, {name}")


def kind_of(document: dict[str, Any]) -> tuple[str, VertexTest | TupleTest | None]:
    """The kind of a certificate, and the test that it is about."""
    if document.get("schema") != SCHEMA:
        raise wrong("schema", repr(SCHEMA), document.get("schema"))
    kind = as_text(document.get("kind"), "kind")
    if kind == "isomorphic":
        return kind, None
    return kind, find_test(as_text(document.get("test"), "test"))


def check_graphs(document: dict[str, Any], graphs: Sequence[PlainGraph]) -> None:
    """Refuse graphs that the certificate is not about, and say what is different."""
    described = as_list(document["graphs"], "graphs", len(graphs))
    claimed = [_described(entry, i) for i, entry in enumerate(described, 1)]
    given = [describe(graph) for graph in graphs]
    if claimed == given:
        return
    remedy = _remedy(document, graphs)
    if claimed == given[::-1]:
        remedy = "They are the graphs of the certificate in the other order: swap them"
    number, there, here = next(
        (i, one, two)
        for i, (one, two) in enumerate(zip(claimed, given, strict=True), 1)
        if one != two
    )
    which = f"graph {number}" if len(graphs) > 1 else "the graph"
    raise InputError(
        f"the certificate is about other graphs: it says that {which} has {_sizes(there)}; the one"
        f" given has {_sizes(here)}",
        remedy=remedy,
    )


def _described(entry: Any, number: int) -> dict[str, Any]:
    where = f"graphs, entry {number}"
    fields = as_object(entry, where, _GRAPH)
    as_number(fields["vertices"], f"{where}, vertices")
    as_number(fields["triples"], f"{where}, triples")
    as_text(fields["sha256"], f"{where}, sha256")
    return fields


def _sizes(described: Mapping[str, Any]) -> str:
    return ", ".join(
        [
            counted(described["vertices"], "vertex", "vertices"),
            counted(described["triples"], "triple", "triples"),
            f"SHA-256 {described['sha256'][:12]}...",
        ]
    )


def _remedy(document: dict[str, Any], graphs: Sequence[PlainGraph]) -> str:
    modes = {graph.direction for graph in graphs}
    if modes != {document["direction"]}:
        return f"It is about direction mode {document['direction']}: use --direction"
    reading = document.get("reading", {})
    if not reading:
        return "It was made without options for reading; labels and literals count"
    return "It was made with " + " ".join(f"--{key} {value}" for key, value in reading.items())
