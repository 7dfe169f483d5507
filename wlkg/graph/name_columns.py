"""Columns of names in tables: the titles that tell which is which, and text fit to be a name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wlkg.errors import GraphError
from wlkg.graph.names import DEFAULT_RELATION

#: Common titles of the three columns, in the order head, relation, tail.
ROLE_NAMES = (
    ("head", "h", "subject", "s", "subj", "source", "src", "from"),
    ("relation", "r", "predicate", "p", "pred", "rel", "edge", "label", "type"),
    ("tail", "t", "object", "o", "obj", "target", "dst", "to"),
)
_NEEDS_NAME = "Every vertex and relation needs a name"


def role_of(title: str) -> int | None:
    """0, 1 or 2 for a title that means head, relation or tail, else None."""
    return next((i for i, names in enumerate(ROLE_NAMES) if title.strip().lower() in names), None)


def places_by_title(titles: Sequence[str]) -> tuple[int, int | None, int] | None:
    """The positions of head, relation and tail by their titles; None if head or tail is missing."""
    roles = [role_of(title) for title in titles]
    if 0 not in roles or 2 not in roles:
        return None
    return roles.index(0), roles.index(1) if 1 in roles else None, roles.index(2)


def single_relation(length: int) -> pa.DictionaryArray:
    """A column for rows that all belong to one relation."""
    codes = pa.array(np.zeros(length, dtype=np.int32))
    return pa.DictionaryArray.from_arrays(codes, pa.array([DEFAULT_RELATION], pa.large_string()))


def name_column(column: pa.Array, title: str, first_row: int = 0) -> pa.Array:
    """A column of text or whole numbers as names; ``first_row`` is the number of rows before it."""
    if pa.types.is_dictionary(column.type):
        encoded = _encoded_names(column)
        if encoded is not None:
            return encoded
        column = _decoded(column, title)
    if not _holds_names(column.type):
        raise GraphError(f"column {title!r} holds {column.type}, expected text or whole numbers")
    if column.null_count:
        row = first_row + _first(column.is_null()) + 1
        raise GraphError(f"row {row}: column {title!r} is null. {_NEEDS_NAME}")
    try:
        text = pc.cast(column, pa.large_string())
        text.validate(full=True)  # neither Arrow nor Parquet promises that text is UTF-8
    except pa.ArrowInvalid as error:
        raise GraphError(f"column {title!r}: {error}") from error
    empty = pc.equal(pc.binary_length(text), 0)
    if pc.any(empty).as_py():
        raise GraphError(
            f"row {first_row + _first(empty) + 1}: column {title!r} is empty. {_NEEDS_NAME}"
        )
    return text


def _encoded_names(column: pa.DictionaryArray) -> pa.DictionaryArray | None:
    """The column with its dictionary kept; None if anything about it needs a closer look."""
    names = column.dictionary
    is_text = pa.types.is_string(names.type) or pa.types.is_large_string(names.type)
    if not is_text or column.null_count or names.null_count:
        return None
    if len(names) > len(column):  # most would be carried along for nothing
        return None
    try:
        names = pc.cast(names, pa.large_string())
        names.validate(full=True)
        if pc.any(pc.equal(pc.binary_length(names), 0)).as_py():  # perhaps in no row
            return None
        codes = pc.cast(column.indices, pa.int32())
        return pa.DictionaryArray.from_arrays(codes, names)  # checks the codes
    except pa.ArrowException:
        return None


def _decoded(column: pa.DictionaryArray, title: str) -> pa.Array:
    values = column.dictionary
    if pa.types.is_string_view(values.type):  # as polars has it, and take() does not
        values = pc.cast(values, pa.large_string())
    try:
        return values.take(column.indices)
    except pa.ArrowException as error:  # a damaged file has codes that its dictionary lacks
        raise GraphError(f"column {title!r}: {error}") from error


def _holds_names(kind: pa.DataType) -> bool:
    types = pa.types
    return bool(
        types.is_integer(kind)
        or types.is_string(kind)
        or types.is_large_string(kind)
        or types.is_string_view(kind)
        or types.is_null(kind)  # a column without any value, which is told row by row
    )


def _first(chosen: pa.Array) -> int:
    return int(np.flatnonzero(chosen.to_numpy(zero_copy_only=False))[0])
