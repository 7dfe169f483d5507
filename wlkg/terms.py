"""RDF terms as vertex names, and back.

============  ===============================================  ==========================
RDF term      name                                             kind
============  ===============================================  ==========================
IRI           the IRI itself, without angle brackets           ``iri``
blank node    ``_:label``                                      ``blank``
literal       ``"text"``, ``"text"@en``, ``"1"^^<datatype>``   ``literal``
triple term   ``<<( ... )>>``                                  ``triple``
============  ===============================================  ==========================

An absolute IRI starts with a letter, so the first character tells the kinds apart and no two terms
share a name; text and escapes are those of canonical N-Triples, so one term has one name. Names of
other inputs ("alice", "/m/0170z3") are of kind ``name``. To write such a graph as RDF, a name
becomes the IRI ``urn:wlkg:name:`` plus its percent-encoding, and readers turn such IRIs back into
the name.

Under the literal policy ``occurrence`` a literal vertex belongs to one triple and its name says
which: ``"text" [head relation]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal
from urllib.parse import quote, unquote_to_bytes

from wlkg.errors import unknown_name

Kind = Literal["iri", "blank", "literal", "triple", "name"]

LITERAL_POLICIES = ("shared", "occurrence", "drop")
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
NAME_PREFIX = "urn:wlkg:name:"

_IRI = r'[A-Za-z][A-Za-z0-9+.\-]*:[^\x00-\x20<>"{}|^`\\]*'
_LANGUAGE = r"@[a-z]+(?:-[a-z0-9]+)*(?:--(?:ltr|rtl))?"
_is_iri = re.compile(_IRI).fullmatch
_is_blank = re.compile(r"_:[\w:](?:[\w:.\-·]*[\w:\-·])?").fullmatch
_literal = re.compile(
    r'("(?:[^"\\\x00-\x1f\x7f]|\\[tbnrf"\\]|\\u[0-9A-F]{4})*"'
    rf"(?:{_LANGUAGE}|\^\^<{_IRI}>)?)( \[.*\])?",
    re.DOTALL,
).fullmatch


def kind(name: str) -> Kind:
    """What kind of RDF term a name is, or ``name`` if it is none."""
    first = name[:1]
    if first == '"':
        return "literal" if _literal(name) else "name"
    if first == "_":
        return "blank" if _is_blank(name) else "name"
    if first == "<":
        return "triple" if name.startswith("<<(") and name.endswith(")>>") else "name"
    return "iri" if _is_iri(name) else "name"


def check_literal_policy(policy: str) -> str:
    """The policy itself, or an error that lists the policies."""
    if policy not in LITERAL_POLICIES:
        raise unknown_name("literal policy", policy, LITERAL_POLICIES)
    return policy


def occurrence_name(literal: str, head: str, relation: str) -> str:
    """The vertex of a literal that belongs to the triple (head, relation, literal) alone."""
    return f"{literal} [{head} {relation}]"


def with_literal_policy(
    triples: Iterable[tuple[str, str, str]], policy: str
) -> Iterator[tuple[str, str, str]]:
    """The triples of RDF names after the literal policy."""
    check_literal_policy(policy)
    for head, relation, tail in triples:
        if policy == "shared" or not tail.startswith('"'):
            yield head, relation, tail
        elif policy == "occurrence":
            yield head, relation, occurrence_name(tail, head, relation)


def encode_name(name: str) -> str:
    """The IRI that stands for a name that is no RDF term."""
    return NAME_PREFIX + quote(name.encode("utf-8", "surrogatepass"), safe="")


def decode_name(iri: str) -> str:
    """The name behind an IRI made by `encode_name`; any other IRI is its own name."""
    if not iri.startswith(NAME_PREFIX):
        return iri
    try:
        name = unquote_to_bytes(iri[len(NAME_PREFIX) :]).decode()
    except UnicodeDecodeError:
        return iri
    return name if name and encode_name(name) == iri else iri


def relation_iri(name: str) -> str:
    """A relation name as an N-Triples predicate."""
    return f"<{name if kind(name) == 'iri' else encode_name(name)}>"


def vertex_term(name: str, *, is_head: bool) -> str:
    """A vertex name as an N-Triples term; what RDF forbids as a subject becomes an IRI."""
    found = kind(name)
    if found == "iri":
        return f"<{name}>"
    if found == "blank":
        return name
    if found == "literal" and not is_head:
        match = _literal(name)
        assert match is not None
        return match[1]
    if found == "triple" and not is_head:
        return name
    return f"<{encode_name(name)}>"
