"""Columns that are dictionary-encoded mean the same as plain ones, in whatever way they are."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wlkg.errors import GraphError
from wlkg.graph.name_columns import name_column

NAMES = ["a", "b", "", "é", "10"]


@given(
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=5),
    st.lists(st.integers(0, 4), max_size=6),
    st.sampled_from([pa.string(), pa.large_string()]),
    st.sampled_from([pa.int8(), pa.uint16(), pa.int64()]),
)
def test_encoded_and_plain_columns_agree(
    names: list[str], codes: list[int], text: pa.DataType, number: pa.DataType
) -> None:
    codes = [code % len(names) for code in codes]
    encoded = pa.DictionaryArray.from_arrays(pa.array(codes, number), pa.array(names, text))
    plain = pa.array([names[code] for code in codes], text)
    results = []
    for column in (encoded, plain):
        try:
            results.append(name_column(column, "head", 7).to_pylist())
        except GraphError as error:
            results.append(str(error))
    assert results[0] == results[1]


def test_a_code_beyond_its_dictionary_is_refused() -> None:
    damaged = pa.DictionaryArray.from_arrays(pa.array([0, 9]), pa.array(["a"]), safe=False)
    with pytest.raises(GraphError, match="column 'head'"):
        name_column(damaged, "head")


def test_a_dictionary_stays_one() -> None:
    column = pa.array(["a", "b", "a"]).dictionary_encode()
    assert name_column(column, "head").type == pa.dictionary(pa.int32(), pa.large_string())
