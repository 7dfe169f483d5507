"""Tables of features that cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gnn.training.tasks import random_graph
from wlkg.errors import InputError
from wlkg.gnn.features import make_features


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0\t1\nzed\t2\n", "line 2: 1 name is not a vertex of the graph: zed"),
        ("0\tx\n", "line 1: expected numbers"),
        ("0\tnan\n", "line 1: expected at least one finite number"),
        ("0\n", "line 1: expected at least one finite number"),
        ("0\t1\t2\n1\t2\n", "line 2: expected 3 tab-separated fields as in the first line"),
        ("0\t1\n0\t2\n", "line 2: a second feature vector for '0': [1.0] and [2.0]"),
        ("0\t1\n", "29 vertices have no feature vector: 1, 2, 3, ..."),
    ],
)
def test_a_table_of_features_that_cannot_be_used_is_refused(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "x.tsv"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        make_features(random_graph(), str(path), 4)
    assert message in str(caught.value)
