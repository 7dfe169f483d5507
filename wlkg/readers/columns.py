"""Which columns of a table hold head, relation and tail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wlkg.errors import InputError, UsageError
from wlkg.graph.name_columns import places_by_title, role_of
from wlkg.text import first_few

_ROLES = ("head", "relation", "tail")
_SKIP = "_"
_EXAMPLE = "for example --columns head,relation,tail or --columns head=person,tail=friend"


@dataclass(frozen=True)
class Columns:
    """The number of fields in a row, and the positions of head, relation and tail.

    Without a position for the relation, all triples belong to one relation.
    """

    width: int
    places: tuple[int, int | None, int]


def is_header(fields: Sequence[str]) -> bool:
    """Whether a first line is a header: common titles for head, (relation,) and tail."""
    roles = [role_of(field) for field in fields]
    if len(fields) == 2:  # "s t" may well be an edge between the vertices s and t
        return roles == [0, 2] and min(map(len, fields)) > 1
    return sorted(map(str, roles)) == ["0", "1", "2"]


def choose_columns(spec: str | None, header: Sequence[str] | None, path: str) -> Columns:
    """The columns given by a specification, else by a header, else by the default order."""
    if spec is None:
        places = places_by_title(header or ())
        if header is not None and places is not None:
            return Columns(len(header), places)
        if header is not None and len(header) == 2:
            return Columns(2, (0, None, 1))
        if header is not None and len(header) < 2:
            raise InputError(
                f"expected 2 or 3 columns, found {len(header)}: {', '.join(header)}",
                path=path,
                remedy="A row needs a head and a tail; is the separator right?",
            )
        return Columns(3 if header is None else len(header), (0, 1, 2))
    if "=" in spec:
        return _by_header(spec, header, path)
    return _by_position([word.strip() for word in spec.split(",")])


def _by_position(words: Sequence[str]) -> Columns:
    places: list[int | None] = [None, None, None]
    for place, word in enumerate(words):
        if word == _SKIP:
            continue
        role = next((i for i, name in enumerate(_ROLES) if word in (name, name[0])), None)
        if role is None or places[role] is not None:
            raise UsageError(
                f"--columns: {word!r} is not head, relation, tail or _, or occurs twice; {_EXAMPLE}"
            )
        places[role] = place
    return _complete(len(words), places)


def _by_header(spec: str, header: Sequence[str] | None, path: str) -> Columns:
    if header is None:
        raise UsageError(
            "--columns by name needs a header line, but --no-header says that there is none"
        )
    places: list[int | None] = [None, None, None]
    for pair in spec.split(","):
        role, _, name = pair.partition("=")
        if role.strip() not in _ROLES:
            raise UsageError(
                f"--columns: {role.strip()!r} is not head, relation or tail; {_EXAMPLE}"
            )
        if name not in header:
            raise InputError(
                f"there is no column {name!r}",
                path=path,
                remedy=f"The columns are: {first_few(list(header), 12)}",
            )
        places[_ROLES.index(role.strip())] = list(header).index(name)
    return _complete(len(header), places)


def _complete(width: int, places: Sequence[int | None]) -> Columns:
    head, relation, tail = places
    if head is None or tail is None:
        raise UsageError(f"--columns must say where head and tail are, {_EXAMPLE}")
    return Columns(width, (head, relation, tail))
