"""Data frames of triples: pandas, and whatever offers ``__arrow_c_stream__`` or ``__dataframe__``.

The columns are those given by title; else those with common titles (head, relation, tail; subject,
predicate, object; source, target; ...); else the first three, or two if there are only two. Without
a column for it, all triples belong to the relation ``edge``. Columns that are not used are noted.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from wlkg.errors import GraphError, MissingExtraError, UsageError
from wlkg.graph.name_columns import name_column, places_by_title, single_relation
from wlkg.graph.triple_table import TripleTable
from wlkg.text import first_few

if TYPE_CHECKING:
    from wlkg.graph.relational_graph import RelationalGraph

_ROLES = ("head", "relation", "tail")


def is_frame(table: object) -> bool:
    """Whether an object is a data frame rather than an iterable of rows."""
    return any(hasattr(table, name) for name in ("__arrow_c_stream__", "__dataframe__"))


def frame_arrays(
    frame: Any, titles: Sequence[Hashable | None], vertices: Iterable[Hashable]
) -> dict[str, Any]:
    """The arguments of `RelationalGraph.from_arrays`; ``titles`` are of head, relation, tail."""
    if not is_frame(frame):
        raise GraphError(
            f"expected a data frame of pandas, polars, pyarrow or the like, found"
            f" {type(frame).__name__}. For rows of names use RelationalGraph.from_triples"
        )
    is_pandas = hasattr(frame, "iloc")
    content = frame if is_pandas else _arrow_table(frame)
    known = list(frame.columns) if is_pandas else content.column_names
    places = _places(known, titles)
    table = TripleTable()
    columns = [
        None if j is None else _column(content, j, known[j], is_pandas=is_pandas) for j in places
    ]
    length = len(content)
    table.add(*(single_relation(length) if column is None else column for column in columns))
    unused = [str(title) for j, title in enumerate(known) if j not in places]
    note = f"columns {first_few(unused, 6)} were not used (head=, relation=, tail= choose columns)"
    return {**table.arrays(map(str, vertices)), "notes": [note] if unused else []}


def _arrow_table(frame: Any) -> pa.Table:
    if hasattr(frame, "__arrow_c_stream__"):
        return pa.table(frame)
    from pyarrow.interchange import from_dataframe

    return from_dataframe(frame)


def _places(
    known: Sequence[Hashable], titles: Sequence[Hashable | None]
) -> tuple[int, int | None, int]:
    """The positions of head, relation and tail among the columns."""
    if any(title is not None for title in titles):
        return _given_places(known, titles)
    places = places_by_title([str(title) for title in known])
    if places is not None:
        # Between head and tail there is room for one thing only, whatever it is called.
        return (0, 1, 2) if len(known) == 3 and places == (0, None, 2) else places
    if len(known) < 2:
        raise GraphError(f"expected columns for head, relation and tail, found {_listed(known)}")
    return (0, 1, 2) if len(known) > 2 else (0, None, 1)


def _given_places(
    known: Sequence[Hashable], titles: Sequence[Hashable | None]
) -> tuple[int, int | None, int]:
    if titles[0] is None or titles[2] is None:
        raise UsageError(
            "head and tail must both be given if any column is; relation may be left out"
        )
    for role, title in zip(_ROLES, titles, strict=True):
        if title is not None and known.count(title) != 1:
            found = "no column is" if title not in known else "several columns are"
            raise GraphError(f"{role}: {found} called {title!r}. The columns are: {_listed(known)}")
    relation = None if titles[1] is None else known.index(titles[1])
    return known.index(titles[0]), relation, known.index(titles[2])


def _listed(titles: Sequence[Hashable]) -> str:
    return first_few([str(title) for title in titles], 12) or "none"


def _column(content: Any, place: int, title: Hashable, *, is_pandas: bool) -> pa.Array:
    """One column as names."""
    if not is_pandas:
        column = content.column(place).combine_chunks()
        # Without any chunk, older versions of pyarrow keep the chunked array.
        array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        return name_column(array, str(title))
    return name_column(_pandas_array(content.iloc[:, place]), str(title))


def _pandas_array(series: Any) -> pa.Array:
    """A pandas column; where values of several types are mixed, names are their text."""
    try:
        array = pa.Array.from_pandas(series)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        missing = series.isna().to_numpy()
        texts = [None if gone else str(value) for value, gone in zip(series, missing, strict=True)]
        return pa.array(texts, pa.large_string())
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def to_arrow(graph: RelationalGraph) -> pa.Table:
    """A table with the columns head, relation and tail, dictionary-encoded, in id order."""
    vertices = pa.array(graph.vertex_names, pa.large_string())
    relations = pa.array(graph.relation_names, pa.large_string())
    columns = ((graph.head, vertices), (graph.relation, relations), (graph.tail, vertices))
    return pa.table(
        {
            role: pa.DictionaryArray.from_arrays(pa.array(ids), names)
            for role, (ids, names) in zip(_ROLES, columns, strict=True)
        }
    )


def to_pandas(graph: RelationalGraph) -> Any:
    """A pandas data frame with the columns head, relation and tail, as text."""
    try:
        import pandas  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("converting to a pandas data frame", "frames") from error
    table = to_arrow(graph)
    return pa.table(
        {name: table.column(name).cast(pa.large_string()) for name in _ROLES}
    ).to_pandas()
