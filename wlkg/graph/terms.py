"""RDF terms as vertex names, and back.

============  ===============================================  ==========================
RDF term      name                                             kind
============  ===============================================  ==========================
IRI           the IRI itself, without angle brackets           ``iri``
blank node    ``_:label``                                      ``blank``
literal       ``"text"``, ``"text"@en``, ``"1"^^<datatype>``   ``literal``
triple term   ``<<( ... )>>``                                  ``triple``
============  ===============================================  ==========================

An absolute IRI starts with a letter, so the first character determines the kind and no two terms
share a name. Text and escapes are those of canonical N-Triples, so a term has only one name. Names
from other inputs ("alice", "/m/0170z3", "Sale:50%") are of kind ``name``. When such a graph is
written as RDF, a name becomes the IRI ``urn:wlkg:name:`` plus its percent-encoding, and readers
turn such IRIs back into the name.

Under the literal policy ``occurrence`` a literal vertex belongs to one triple, and its name says
which one: ``"text" [head relation]``.
"""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import quote, unquote_to_bytes

Kind = Literal["iri", "blank", "literal", "triple", "name"]

RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
NAME_PREFIX = "urn:wlkg:name:"

#: Parsers handle nested triple terms by recursion, so deeper nesting is refused beforehand.
DEEPEST_TRIPLE_TERM = 64

_has_scheme = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:").match
_literal = re.compile(
    r'("(?:[^"\\]|\\.)*"(?:@[a-z0-9\-]+|\^\^<[^<>]*>)?)( \[.*\])?', re.DOTALL
).fullmatch
#: A pattern for most terms in practice, so that few need a parser.
_is_plain_term = re.compile(
    r"<https?://[A-Za-z0-9.\-]+(?:/[A-Za-z0-9._~/\-]*)?(?:#[A-Za-z0-9._~\-]*)?>"
    r"|_:[A-Za-z0-9_]+"
    r'|"[^"\\\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]*"'
).fullmatch


def kind(name: str) -> Kind:
    """The kind of RDF term that a name is, or ``name`` if it is not an RDF term."""
    if name.startswith('"'):
        match = _literal(name)
        return "literal" if match is not None and _is_term(match[1]) else "name"
    if name.startswith("_:"):
        return "blank" if _is_term(name) else "name"
    if name.startswith("<<("):
        return "triple" if _is_term(name) else "name"
    is_iri = _has_scheme(name) and _is_term(f"<{name}>") and decode_name(name) == name
    return "iri" if is_iri else "name"


def _is_term(text: str) -> bool:
    """Whether a text is an RDF term in canonical N-Triples syntax, according to pyoxigraph."""
    if _is_plain_term(text):
        return True
    if text.count("<<(") > DEEPEST_TRIPLE_TERM:
        return False
    import pyoxigraph as ox

    triple = f"<a:> <a:> {text}"
    try:
        quads = ox.parse(f"{triple} .".encode(errors="replace"), ox.RdfFormat.N_TRIPLES)
        return list(map(str, quads)) == [triple]
    except (SyntaxError, ValueError):
        return False


def occurrence_name(literal: str, head: str, relation: str) -> str:
    """The name of the literal vertex that belongs to the triple (head, relation, literal) only."""
    return f"{literal} [{head} {relation}]"


def literal_of(name: str) -> str | None:
    """The literal in the name of a literal vertex, which may belong to one triple only."""
    match = _literal(name)
    return None if match is None else match[1]


def literal_tail(literal: str, head: str, relation: str, policy: str) -> str | None:
    """The tail of a triple whose object is a literal; None if the policy drops the triple."""
    if policy == "drop":
        return None
    return literal if policy == "shared" else occurrence_name(literal, head, relation)


def encode_name(name: str) -> str:
    """The IRI that represents a name that is not an RDF term."""
    return NAME_PREFIX + quote(name.encode("utf-8", "surrogatepass"), safe="")


def decode_name(iri: str) -> str:
    """The name behind an IRI made by `encode_name`; any other IRI is its own name.

    IRIs need no encoding, so the encoding of an IRI is not decoded: it is a different term.
    """
    if not iri.startswith(NAME_PREFIX):
        return iri
    try:
        name = unquote_to_bytes(iri[len(NAME_PREFIX) :]).decode()
    except UnicodeDecodeError:
        return iri
    return name if name and encode_name(name) == iri and kind(name) != "iri" else iri


def relation_iri(name: str) -> str:
    """A relation name as an N-Triples predicate."""
    return f"<{name if kind(name) == 'iri' else encode_name(name)}>"


def vertex_term(name: str, *, is_head: bool) -> str:
    """A vertex name as an N-Triples term; what RDF forbids as a subject becomes an IRI."""
    term_kind = kind(name)
    if term_kind == "iri":
        return f"<{name}>"
    if term_kind == "blank":
        return name
    if term_kind == "literal" and not is_head:
        match = _literal(name)
        assert match is not None
        return match[1]
    if term_kind == "triple" and not is_head:
        return name
    return f"<{encode_name(name)}>"
