"""Verify a certificate: ``verify("proof.json", one, two)`` says whether its evidence holds.

===============  =================================================================================
kind             what is checked
===============  =================================================================================
same             `colourings` or, for tuple tests, `tuples`: vertices of one class see the same
different        `formulas`: how many vertices satisfy a formula; or `tuples`: the rounds again
isomorphic       `maps`: every triple and label
complete         `maps`: the symmetries; `refinement`: that their orbits are the test's classes
===============  =================================================================================

A document that is not a certificate, or one about other graphs, is an `InputError`. Evidence that
does not hold gives a `Verification` that is not valid, with the reasons.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from wlkg.errors import InputError, UsageError
from wlkg.graph.checking import require_graphs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.text import counted
from wlkg.verification.certificates import (
    check_frame,
    check_graphs,
    claim_of,
    kind_of,
    read_certificate,
    seal,
)
from wlkg.verification.kinds import form_of
from wlkg.verification.plain_graph import PlainGraph

#: Reasons that are given if a certificate does not hold.
MOST_REASONS = 10

_CHANGED = (
    "the evidence holds, but the seal does not fit the content: something was changed after the"
    " certificate was written"
)


@dataclass(frozen=True)
class Verification:
    """What a certificate claims, whether its evidence holds, and what the claim rests on."""

    valid: bool
    kind: str
    test: str | None
    direction: str
    #: What is true if the certificate is valid.
    claim: str
    #: What was checked.
    rests_on: str
    #: Why the certificate does not hold; the first few if there are many.
    reasons: tuple[str, ...] = ()

    def __repr__(self) -> str:
        verdict = "valid" if self.valid else "not valid"
        return f"Verification({verdict}: {self.claim[:120]})"


def verify(
    certificate: str | Path | Mapping[str, Any],
    one: RelationalGraph,
    two: RelationalGraph | None = None,
) -> Verification:
    """Check a certificate, a file or its document, about one graph or two."""
    require_graphs(one, *(() if two is None else (two,)))
    document = read_certificate(certificate)
    try:
        return _verify(document, one, two)
    except InputError as error:
        if isinstance(certificate, Mapping):
            raise
        raise InputError(error.message, path=str(certificate), remedy=error.remedy) from error


def _verify(
    document: dict[str, Any], one: RelationalGraph, two: RelationalGraph | None
) -> Verification:
    kind, test = kind_of(document)
    form = form_of(kind, test)
    check_frame(document, form.keys, form.optional)
    given = [one] if two is None else [one, two]
    if len(given) != form.graphs:
        expected = counted(form.graphs, "graph", "graphs")
        raise UsageError(f"a certificate of kind {kind!r} is about {expected}, {len(given)} given")
    graphs = [PlainGraph.of(graph) for graph in given]
    check_graphs(document, graphs)
    evidence = form.read(document, test, graphs)
    reasons = list(islice(evidence.failures, MOST_REASONS))
    if not reasons and document["seal"] != seal(document):
        reasons = [_CHANGED]
    return Verification(
        valid=not reasons,
        kind=kind,
        test=document.get("test"),
        direction=document["direction"],
        claim=claim_of(document),
        rests_on=evidence.rests_on,
        reasons=tuple(reasons),
    )
