"""A certificate as a value, and as a file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wlkg.graph.relational_graph import RelationalGraph
from wlkg.verification.certificates import SCHEMA, claim_of, describe, seal
from wlkg.verification.plain_graph import PlainGraph
from wlkg.writers.aside import written_aside


@dataclass(frozen=True, eq=False, repr=False)
class Certificate:
    """Evidence for a claim about one graph or two; docs/certificates.md describes the document."""

    document: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """The kind of claim: same, different, isomorphic or complete."""
        return str(self.document["kind"])

    @property
    def test(self) -> str | None:
        """The test that the claim is about; None for an isomorphism."""
        return self.document.get("test")

    @property
    def claim(self) -> str:
        """What the certificate proves, as a sentence."""
        return claim_of(self.document)

    def made_with(self, reading: Mapping[str, str]) -> Certificate:
        """The same certificate, which also names the options with which graphs were read."""
        if not reading:
            return self
        document = {**self.document, "reading": dict(reading)}
        return Certificate({**document, "seal": seal(document)})

    def write(self, path: str | Path) -> None:
        """Write the certificate as JSON, with a line for each key."""
        lines = [
            f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=True)}"
            for key, value in self.document.items()
        ]
        with written_aside(Path(path)) as stream:
            stream.write(("{\n" + ",\n".join(lines) + "\n}\n").encode())

    def __repr__(self) -> str:
        return f"Certificate({self.kind}: {self.claim})"


def certificate(
    kind: str,
    graphs: Sequence[RelationalGraph],
    evidence: Mapping[str, Any],
    test: str | None = None,
) -> Certificate:
    """A certificate of a kind with its evidence."""
    document: dict[str, Any] = {"schema": SCHEMA, "kind": kind}
    if test is not None:
        document["test"] = test
    document["direction"] = graphs[0].direction
    document["graphs"] = [describe(PlainGraph.of(graph)) for graph in graphs]
    document.update(evidence)
    return Certificate({**document, "seal": seal(document)})


def name_order(graph: RelationalGraph) -> list[int]:
    """The vertices in the order of their names by code point: the order of certificates."""
    names = graph.vertex_names
    return sorted(range(graph.num_vertices), key=names.__getitem__)
