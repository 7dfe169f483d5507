"""What tells classes and relations apart: colour, and a second sign for those who see none.

Classes take eight colours that colour-blind people can tell apart (after Okabe and Ito), in four
outlines, and always show their number. Relations take six dark colours, each with its own dashes.
The colours themselves are in the style sheet, for light and dark pages.
"""

from __future__ import annotations

COLOURS = 8
RELATION_COLOURS = 6

#: Outlines of vertices of radius 1: a disc, a square, a diamond and a hexagon.
_OUTLINES = (
    "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0z",
    "M-.88-.88H.88V.88H-.88z",
    "M0-1.22L1.22 0L0 1.22L-1.22 0z",
    "M-1.08 0L-.54-.94H.54L1.08 0L.54.94H-.54z",
)

#: The dashes of relations.
_DASHES = ("", "7 4", "2 3.5", "10 3 2 3", "4 2", "1 2.5")


def outlines() -> list[str]:
    """The outlines, in the order in which classes take them."""
    return list(_OUTLINES)


def colour_of(number: int) -> str:
    """The class of the style sheet with the colour of a class, numbered from 1."""
    return f"c{(number - 1) % COLOURS}"


def outline_of(number: int) -> str:
    """The outline of a class, numbered from 1."""
    return _OUTLINES[(number - 1) // COLOURS % len(_OUTLINES)]


def dashes_of(relation: int) -> str:
    """The attribute with the dashes of a relation, or nothing."""
    dash = _DASHES[relation % len(_DASHES)] if relation else ""
    return f' stroke-dasharray="{dash}"' if dash else ""


def relation_class(relation: int) -> str:
    """The class of the style sheet with the colour of a relation."""
    return f"r{relation % RELATION_COLOURS}"
