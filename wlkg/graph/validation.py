"""The conditions that arrays and names of a relational graph must meet."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from wlkg.arrays import IntArray
from wlkg.errors import GraphError
from wlkg.graph.names import INVERSE_SUFFIX, NumberNames


def check_relation_names(names: Sequence[str]) -> None:
    """Refuse names that direction mode ``both`` reserves for inverses."""
    reserved = [name for name in names if name.endswith(INVERSE_SUFFIX)]
    if reserved:
        raise GraphError(
            f"relation {reserved[0]!r} ends in the reserved suffix {INVERSE_SUFFIX!r}, "
            "which names inverse relations. Rename it in the input"
        )


def checked_ids(values: npt.ArrayLike, what: str) -> IntArray:
    """The values as a one-dimensional array of signed integers."""
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise GraphError(f"{what} must be one-dimensional: {error}") from error
    if array.ndim != 1:
        raise GraphError(f"{what} must be one-dimensional, found {array.ndim} dimensions")
    if array.size == 0:
        return np.zeros(0, dtype=np.int64)
    if not np.issubdtype(array.dtype, np.integer):
        raise GraphError(f"{what} must hold integers, found {array.dtype}")
    if np.issubdtype(array.dtype, np.unsignedinteger):
        return array.astype(np.int64)
    signed: IntArray = array
    return signed


def checked_names(
    names: Sequence[str] | None, count: int | None, ids: Sequence[IntArray], what: str
) -> Sequence[str]:
    """The names of 0 .. count - 1, checked against the ids in use."""
    used = 1 + max((int(column.max()) for column in ids if len(column)), default=-1)
    lowest = min((int(column.min()) for column in ids if len(column)), default=0)
    if count is not None and count < 0:
        raise GraphError(f"the number of {what} ids must not be negative, found {count}")
    if names is None:
        names = NumberNames(used if count is None else count)
    if count is not None and len(names) != count:
        raise GraphError(f"{len(names)} {what} names for {count}")
    if lowest < 0 or used > len(names):
        wrong = lowest if lowest < 0 else used - 1
        raise GraphError(f"{what} id {wrong} does not lie in 0 .. {len(names) - 1}")
    if isinstance(names, NumberNames):
        return names
    _check_text(names, what)
    distinct = set(names)
    if len(distinct) != len(names):
        raise GraphError(f"{what} names are not distinct")
    if "" in distinct and what != "label":
        raise GraphError(f"a {what} has an empty name. Every vertex and relation needs a name")
    return tuple(names)


def _check_text(names: Sequence[str], what: str) -> None:
    """Refuse names that are not text, and text that cannot be encoded as UTF-8."""
    try:
        if not all(map(str.isascii, names)):
            for name in names:
                name.encode()
    except TypeError as error:
        wrong = next(name for name in names if not isinstance(name, str))
        raise GraphError(f"{what} names must be text, found {wrong!r}") from error
    except UnicodeEncodeError as error:
        raise GraphError(
            f"the {what} name {error.object!r} holds half of a surrogate pair, which is not text"
        ) from error


#: What has triples but is no iterable of them: what it shows, its kind, and the method to call.
_OTHER_GRAPHS = (
    ("mapped_triples", "a PyKEEN factory", "from_pykeen"),
    ("edge_index", "PyTorch Geometric data", "from_pyg"),
    ("namespace_manager", "an rdflib graph", "from_rdflib"),
    ("adj", "a networkx graph", "from_networkx"),
    ("__arrow_c_stream__", "a data frame", "from_pandas"),
    ("__dataframe__", "a data frame", "from_pandas"),
)


def triple_rows(triples: Iterable[Sequence[Hashable]]) -> Iterator[Sequence[Hashable]]:
    """The rows themselves, or an error that says how to convert what is no iterable of rows."""
    for attribute, what, method in _OTHER_GRAPHS:
        if hasattr(triples, attribute):
            raise GraphError(f"found {what}. Use RelationalGraph.{method}")
    for number, row in enumerate(triples, 1):
        if isinstance(row, str) or not hasattr(row, "__len__") or len(row) != 3:
            raise GraphError(f"row {number}: expected (head, relation, tail), found {row!r}")
        yield row
