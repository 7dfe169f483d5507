"""Data frames of pandas, pyarrow and others, and PyKEEN's factories."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given

from tests.strategies import relational_graphs
from wlkg import RelationalGraph
from wlkg.errors import GraphError, MissingExtraError, UsageError

pd = pytest.importorskip("pandas")

ROWS = [("a", "knows", "b"), ("b", "knows", "NA"), ("b", "likes", " x")]
EXPECTED = RelationalGraph.from_triples(ROWS)
HEADS, RELATIONS, TAILS = ([row[j] for row in ROWS] for j in range(3))


class Stream:
    """A data frame that offers the Arrow stream and nothing else, as polars does."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)


class Interchange:
    """A data frame that offers the interchange protocol and nothing else."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> Any:
        return self._table.__dataframe__(nan_as_null, allow_copy)


FRAMES = {
    "pandas": pd.DataFrame,
    "pyarrow": pa.table,
    "stream": lambda columns: Stream(pa.table(columns)),
    "interchange": lambda columns: Interchange(pa.table(columns)),
}


@pytest.fixture(params=FRAMES)
def frame(request: pytest.FixtureRequest) -> Any:
    return FRAMES[request.param]


# -- reading ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "titles",
    [
        ("head", "relation", "tail"),
        ("Subject", "Predicate", "Object"),
        ("source", "kind", "target"),
        ("x", "y", "z"),
    ],
)
def test_common_titles_or_else_the_first_three_columns_are_used(
    titles: tuple[str, str, str], frame: Any
) -> None:
    columns = dict(zip(titles, (HEADS, RELATIONS, TAILS), strict=True))
    graph = RelationalGraph.from_pandas(frame(columns))
    assert graph == EXPECTED
    assert graph.notes == ()


def test_titles_are_found_in_any_order_and_other_columns_are_noted(frame: Any) -> None:
    columns = {"weight": [0.5] * 3, "target": TAILS, "source": HEADS, "type": RELATIONS}
    graph = RelationalGraph.from_pandas(frame(columns))
    assert graph == EXPECTED
    assert graph.notes == ("columns weight were not used (head=, relation=, tail= choose columns)",)


def test_columns_may_be_given_by_title(frame: Any) -> None:
    content = frame({"to": HEADS, "from": TAILS, "head": RELATIONS})
    assert RelationalGraph.from_pandas(content, head="to", relation="head", tail="from") == EXPECTED
    single = RelationalGraph.from_pandas(content, head="to", tail="from")
    assert single == RelationalGraph.from_triples([(h, "edge", t) for h, _, t in ROWS])
    assert len(single.notes) == 1


def test_two_columns_mean_a_single_relation(frame: Any) -> None:
    graph = RelationalGraph.from_pandas(frame({"x": HEADS, "y": TAILS}), direction="undirected")
    expected = [(h, "edge", t) for h, _, t in ROWS]
    assert graph == RelationalGraph.from_triples(expected, direction="undirected")


def test_repeated_rows_are_counted_and_vertices_may_be_added(frame: Any) -> None:
    columns = {"head": HEADS * 2, "relation": RELATIONS * 2, "tail": TAILS * 2}
    graph = RelationalGraph.from_pandas(frame(columns), vertices=["alone", 7])
    assert graph.duplicates == 3
    assert graph == RelationalGraph.from_triples(ROWS, vertices=["alone", "7"])


def test_a_frame_without_rows_is_an_empty_graph() -> None:
    text = pa.array([], pa.string())
    for frame in (pa.table({"h": text, "r": text, "t": text}), pd.DataFrame(columns=list("hrt"))):
        assert RelationalGraph.from_pandas(frame).counts == "0 vertices, 0 triples, 0 relations"


def test_numbers_categories_and_mixed_columns_of_pandas_are_names() -> None:
    frame = pd.DataFrame(
        {
            0: pd.Series([10, 9], dtype="int32"),
            1: pd.Categorical(["r", "s"]),
            2: pd.Series([9, "x"], dtype=object),
        }
    )
    graph = RelationalGraph.from_pandas(frame)
    assert graph == RelationalGraph.from_triples([(10, "r", 9), (9, "s", "x")])
    assert RelationalGraph.from_pandas(frame, head=2, relation=1, tail=0).num_triples == 2


def test_columns_that_are_not_used_may_hold_anything() -> None:
    frame = pd.DataFrame({"head": HEADS, "relation": RELATIONS, "tail": TAILS})
    frame["mixed"] = [object(), 1, "x"]
    assert RelationalGraph.from_pandas(frame) == EXPECTED


def test_all_kinds_of_arrow_text_are_names() -> None:
    views = pa.array(TAILS, pa.string_view())
    categories = pa.DictionaryArray.from_arrays(pa.array([0, 1, 1], pa.uint32()), views[:2])
    table = pa.table({"head": categories, "relation": pa.array(RELATIONS), "tail": views})
    expected = [(TAILS[j], r, t) for j, r, t in zip([0, 1, 1], RELATIONS, TAILS, strict=True)]
    assert RelationalGraph.from_pandas(table) == RelationalGraph.from_triples(expected)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"head": ["a", None], "tail": ["b", "c"]}, "row 2: column 'head' is null"),
        ({"head": ["a", ""], "tail": ["b", "c"]}, "row 2: column 'head' is empty"),
        ({"head": [0.5, 1.5], "tail": ["b", "c"]}, "'head' holds double, expected text or whole"),
        ({"head": ["a", "b"]}, "expected columns for head, relation and tail, found head"),
    ],
)
def test_what_is_no_name_is_refused(columns: Any, message: str, frame: Any) -> None:
    with pytest.raises(GraphError, match=message):
        RelationalGraph.from_pandas(frame(columns))


def test_missing_values_in_a_mixed_column_are_refused() -> None:
    frame = pd.DataFrame({"head": pd.Series([1, "b", None], dtype=object), "tail": list("xyz")})
    with pytest.raises(GraphError, match="row 3: column 'head' is null"):
        RelationalGraph.from_pandas(frame)


def test_titles_that_do_not_exist_or_occur_twice_are_refused(frame: Any) -> None:
    content = frame({"x": HEADS, "y": TAILS})
    with pytest.raises(GraphError, match=r"tail: no column is called 'z'\. The columns are: x, y"):
        RelationalGraph.from_pandas(content, head="x", tail="z")
    with pytest.raises(UsageError, match="head and tail must both be given"):
        RelationalGraph.from_pandas(content, head="x")
    twice = pd.DataFrame([["a", "b"]], columns=["x", "x"])
    with pytest.raises(GraphError, match="head: several columns are called 'x'"):
        RelationalGraph.from_pandas(twice, head="x", tail="x")


def test_what_is_no_data_frame_is_refused() -> None:
    with pytest.raises(GraphError, match=r"found list. For rows of names use .*from_triples"):
        RelationalGraph.from_pandas(ROWS)


# -- and back -----------------------------------------------------------------------------------


@given(relational_graphs(labels=False))
def test_triples_survive_pandas_and_arrow(graph: RelationalGraph) -> None:
    frame = graph.to_pandas()
    assert list(frame.columns) == ["head", "relation", "tail"]
    assert list(frame.itertuples(index=False, name=None)) == list(graph.named_triples())
    expected = RelationalGraph.from_triples(graph.named_triples(), vertices=graph.vertex_names)
    for table in (frame, graph.to_arrow()):
        assert RelationalGraph.from_pandas(table, vertices=graph.vertex_names) == expected


def test_without_pandas_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'wlkg\[frames\]'"):
        EXPECTED.to_pandas()


# -- from_triples says what to call -----------------------------------------------------------


def test_from_triples_says_which_method_takes_other_graphs() -> None:
    import networkx as nx
    import rdflib

    others = {
        "from_pandas": [pd.DataFrame({"head": HEADS}), pa.table({"head": HEADS})],
        "from_networkx": [nx.DiGraph([("a", "b")])],
        "from_rdflib": [rdflib.Graph()],
        "from_pykeen": [Factory()],
    }
    for method, graphs in others.items():
        for graph in graphs:
            with pytest.raises(GraphError, match=rf"Use RelationalGraph\.{method}"):
                RelationalGraph.from_triples(graph)


@pytest.mark.parametrize("row", [("a", "b"), "abc", 5, ("a", "b", "c", "d")])
def test_a_row_that_is_no_triple_is_refused(row: Any) -> None:
    with pytest.raises(GraphError, match=r"row 2: expected \(head, relation, tail\), found"):
        RelationalGraph.from_triples([("a", "r", "b"), row])


# -- PyKEEN -------------------------------------------------------------------------------------


class Factory:
    """The attributes of PyKEEN's TriplesFactory that matter here."""

    def __init__(self, **attributes: Any) -> None:
        self.mapped_triples: Any = np.array([[0, 1, 2], [2, 0, 0]])
        self.entity_to_id: Any = {"c": 2, "a": 0, "b": 1}
        self.relation_to_id: Any = {"r": 0, "s": 1}
        self.__dict__.update(attributes)


def test_a_pykeen_factory_keeps_its_ids() -> None:
    graph = RelationalGraph.from_pykeen(Factory())
    assert graph.vertex_names == ("a", "b", "c")
    assert list(graph.named_triples()) == [("a", "s", "c"), ("c", "r", "a")]


def test_a_pykeen_factory_without_names_has_numbers() -> None:
    factory = Factory(num_entities=5)
    del factory.entity_to_id, factory.relation_to_id
    graph = RelationalGraph.from_pykeen(factory)
    assert list(graph.vertex_names) == ["0", "1", "2", "3", "4"]
    assert set(graph.named_triples()) == {("0", "1", "2"), ("2", "0", "0")}


@pytest.mark.parametrize(
    ("factory", "message"),
    [
        (object(), "expected a PyKEEN factory with mapped_triples, found object"),
        (Factory(mapped_triples=np.zeros((2, 2), int)), r"three columns, found the shape \(2, 2\)"),
        (Factory(entity_to_id={"a": 0, "b": 2}), "entity_to_id must number its names"),
        (Factory(entity_to_id={"a": 0, "b": 1}), "vertex id 2 does not lie in 0 .. 1"),
        (Factory(relation_to_id={"r": 0}), "relation id 1 does not lie"),
    ],
)
def test_a_factory_that_does_not_fit_together_is_refused(factory: Any, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        RelationalGraph.from_pykeen(factory)


@given(relational_graphs(labels=False))
def test_a_graph_survives_pykeen(graph: RelationalGraph) -> None:
    pytest.importorskip("torch")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("pykeen", "pykeen.triples"):
            patch.setitem(sys.modules, name, ModuleType(name))
        patch.setattr(sys.modules["pykeen.triples"], "TriplesFactory", Factory, raising=False)
        factory = graph.to_pykeen()
    directed = graph.both_ways() if graph.direction == "undirected" else graph
    assert RelationalGraph.from_pykeen(factory) == directed.with_direction("both")


def test_without_pykeen_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pykeen", None)
    with pytest.raises(MissingExtraError, match="pip install pykeen"):
        EXPECTED.to_pykeen()
