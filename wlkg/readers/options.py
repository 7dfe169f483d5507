"""All options for reading a file, as one frozen value for all readers."""

from __future__ import annotations

from dataclasses import dataclass, fields

from wlkg.catalogue import check_literal_policy
from wlkg.errors import UsageError


@dataclass(frozen=True)
class ReadOptions:
    """The options of `wlkg.read`; each reader uses those that concern its format."""

    #: RDF: ``shared`` (one vertex per literal), ``occurrence`` (one per triple) or ``drop``.
    literals: str = "shared"
    #: N-Quads, TriG, JSON-LD: read this named graph only; None merges all graphs.
    named_graph: str | None = None
    #: RDF: base for relative IRIs.
    base: str | None = None
    #: Tables: ``head,relation,tail`` by position (h, r, t; ``_`` skips), or ``head=NAME,...`` by
    #: header.
    columns: str | None = None
    #: Tables: the separator; None chooses it by suffix.
    delimiter: str | None = None
    #: Tables: whether the first line is a header; None recognises common column titles.
    header: bool | None = None
    #: Edge lists: lines that start with this text are comments; empty means no comments.
    comment: str = "#"
    #: Folders: which of train, valid, test to read, separated by commas.
    splits: str = "train"
    #: GraphML, GEXF, JSON: the edge attribute that carries the relation.
    relation_attribute: str | None = None
    #: GraphML, GEXF, JSON: the node attribute that carries the label.
    label_attribute: str | None = None
    #: The most bytes that the input may have once decompressed and expanded; None for the default
    #: of `wlkg.readers.budget`.
    max_input: int | None = None

    def __post_init__(self) -> None:
        check_literal_policy(self.literals)
        if self.max_input is not None and self.max_input < 0:
            raise UsageError(f"max_input must not be negative, found {self.max_input}")
        for field in fields(self):
            _check_text(field.name, getattr(self, field.name))


def _check_text(name: str, value: object) -> None:
    """Refuse text that no file can hold: the shell passes on bytes that are not UTF-8."""
    if isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise UsageError(f"{name} must be text in UTF-8, found {value!r}") from None
