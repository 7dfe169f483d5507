"""From what a user types to a vertex.

The first of these that finds a vertex counts:

1. its exact name, or an IRI in angle brackets;
2. ``prefix:local``, by the prefixes of the input file, given prefixes and common ones;
3. the end of its name, from after a ``#`` or ``/``, if no other vertex fits as well;
4. in the same way the end of its name from after a ``:``, then the text of a literal.

Otherwise the error lists the names that fit, or the nearest ones. A lookup that reaches point 3
passes over all names once; the nearest names cost one more pass and a few hundred comparisons.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence

import numpy as np

from wlkg.errors import UsageError
from wlkg.graph.prefixes import ShortNames, all_prefixes, local_name
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.text import first_few, typed

#: Names that share most pieces with what was typed are compared letter by letter.
_COMPARED = 300
_SHOWN = 5
_MOST_PIECES = 40
#: What may follow the closing quote of a literal: nothing, a language, a datatype, its triple.
_AFTER_LITERAL = ("", "@", "^", " ")

_prefixed = re.compile(r"([A-Za-z0-9_.-]*):(.*)", re.DOTALL).fullmatch
_typed_literal = re.compile(r'(".*"\^\^)([A-Za-z0-9_.-]*:[^<>]*)', re.DOTALL).fullmatch
_escaped = re.compile(r"\\([_~.!$&'()*+,;=/?#@%-])")


def find_vertex(
    graph: RelationalGraph, text: str, prefixes: Mapping[str, str] | None = None
) -> int:
    """The vertex that a user means, or an error with the names that come close."""
    text = typed(text)
    known = all_prefixes(graph, prefixes)
    vertex = graph.find_vertex(text)
    if vertex is None:
        vertex = graph.find_vertex(expanded(text, known))
    if vertex is not None:
        return vertex
    matches = _ending_in(graph, text.removeprefix(":"))
    if len(matches) == 1:
        return matches[0]
    short = ShortNames(graph, prefixes)
    if matches:
        names = first_few([short.vertex(v) for v in matches[: _SHOWN + 1]], _SHOWN)
        raise UsageError(f"{text!r} fits {len(matches):,} vertices: {names}. Write one in full")
    hint = advice(graph, text, prefixes)
    raise UsageError(f"no vertex is called {text!r}" + (f". {hint}" if hint else ""))


def advice(
    graph: RelationalGraph, text: str, prefixes: Mapping[str, str] | None = None
) -> str | None:
    """What may help a user whose text fits no vertex."""
    known = all_prefixes(graph, prefixes)
    match = _prefixed(text)
    if match is not None and match[1] and match[1] not in known and not match[2].startswith("//"):
        declared = ", ".join(f"{prefix}:" for prefix in known)
        return (
            f"The prefix {match[1]}: is not declared. Known: {declared}. Write the name in full, or"
            f" add --prefix {match[1]}=IRI"
        )
    short = ShortNames(graph, prefixes)
    nearest = [short.vertex(v) for v in nearest_vertices(graph, text)]
    return f"The nearest names: {', '.join(nearest)}" if nearest else None


def expanded(text: str, prefixes: Mapping[str, str]) -> str:
    """A prefixed name, or a literal with a prefixed datatype, in full."""
    literal = _typed_literal(text)
    if literal is not None:
        return f"{literal[1]}<{expanded(literal[2], prefixes)}>"
    match = _prefixed(text)
    if match is None or match[1] not in prefixes:
        return text
    return prefixes[match[1]] + _escaped.sub(r"\1", match[2])


def _ending_in(graph: RelationalGraph, text: str) -> list[int]:
    """The vertices whose names end in a text; if there are none, the literals with this text."""
    if not text:
        return []
    literal = quoted(text)
    local, after_colon, literals = [], [], []
    for v, name in enumerate(graph.vertex_names):
        if name.startswith('"'):
            if name.startswith(literal) and name[len(literal) : len(literal) + 1] in _AFTER_LITERAL:
                literals.append(v)
        elif name.endswith(text):
            if name[: -len(text)].endswith(("#", "/")):
                local.append(v)
            elif name[: -len(text)].endswith(":"):
                after_colon.append(v)
    return local or after_colon or literals


def quoted(text: str) -> str:
    """A text as a literal begins; a text that begins with a quotation mark is one already."""
    if text.startswith('"'):
        return text
    for raw, escaped in (("\\", r"\\"), ('"', r"\""), ("\n", r"\n"), ("\r", r"\r"), ("\t", r"\t")):
        text = text.replace(raw, escaped)
    return f'"{text}"'


def nearest_vertices(graph: RelationalGraph, text: str, limit: int = _SHOWN) -> list[int]:
    """The vertices whose names, or their last parts, look most like a text, best first."""
    wanted = local_name(text.rpartition(":")[2] or text).lower() or text.lower()
    candidates = _sharing_pieces(graph.vertex_names, wanted)
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    ranked: list[tuple[float, int]] = []
    for v in candidates:
        matcher.set_seq1(local_name(graph.vertex_names[v]).lower()[:200])
        ranked.append((-matcher.ratio(), v))
    return [v for _, v in sorted(ranked)[:limit]]


def _sharing_pieces(names: Sequence[str], wanted: str) -> list[int]:
    """The names that share most pairs of letters with a text; of these those of like length."""
    import pyarrow as pa
    import pyarrow.compute as pc

    width = min(2, len(wanted))
    pieces = {wanted[i : i + width] for i in range(len(wanted) - width + 1)} if width else set()
    # A name may hold half of a surrogate pair, which is no character on its own.
    plain = [name.encode(errors="replace").decode() for name in names]
    lowered = pc.utf8_lower(pa.array(plain, pa.large_string()))
    endings = pc.replace_substring_regex(lowered, "^.*[/#]", "")
    shared = np.zeros(len(names), dtype=np.int64)
    for piece in sorted(pieces)[:_MOST_PIECES]:
        shared += pc.match_substring(endings, piece).to_numpy(zero_copy_only=False)
    lengths = np.abs(pc.utf8_length(endings).to_numpy(zero_copy_only=False) - len(wanted))
    # Long names share pieces by chance.
    order = np.lexsort([lengths, lengths - 2 * shared])[:_COMPARED]
    return [v for v in order.tolist() if shared[v]]
